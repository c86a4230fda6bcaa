#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/digest.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/target.h"

namespace assay::liberties {
namespace {

constexpr int short_page = 30;

constexpr const char* list_routes[] = {"GET /executions",
                                       "GET /executions/*/events",
                                       "GET /workflow-execution",
                                       "GET /workflow-execution/active",
                                       "GET /workflow-execution/state/*",
                                       "GET /runs",
                                       "GET /runs/*/audit",
                                       "GET /blackboard/jobs",
                                       "GET /published"};

bool is_list(const service::Request& request) {
  return std::any_of(std::begin(list_routes), std::end(list_routes),
                     [&](const char* route) { return faults::is_on_route(request, route); });
}

/// The request with ?limit= set to `limit`.
service::Request with_limit(const service::Request& request, int limit) {
  service::Request changed = request;
  const std::string wanted = "limit=" + std::to_string(limit);
  std::size_t at = changed.target.find("?limit=");
  if (at == std::string::npos) at = changed.target.find("&limit=");
  if (at == std::string::npos) {
    changed.target += (changed.target.find('?') == std::string::npos ? "?" : "&") + wanted;
  } else {
    const std::size_t end = std::min(changed.target.find('&', at + 1), changed.target.size());
    changed.target.replace(at + 1, end - at - 1, wanted);
  }
  return changed;
}

/// The limit that is asked for; nothing for one that the service refuses.
std::optional<int> limit_of(const service::Request& request) {
  const std::string text = faults::query_parameter(request, "limit");
  if (text.empty() && request.target.find("limit") == std::string::npos) return 100;
  int limit = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), limit);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  if (limit < 1 || limit > 1000) return std::nullopt;
  return limit;
}

service::Reply short_pages(service::Service& sound, const service::Request& request) {
  if (!is_list(request)) return sound.handle(request);
  const auto limit = limit_of(request);
  if (!limit || *limit <= short_page) return sound.handle(request);
  return sound.handle(with_limit(request, short_page));
}

/// Whether nothing that the list shows ever leaves it: a place in it stays as it is.
bool only_grows(const service::Request& request) {
  for (const char* route : {faults::log_route, "GET /workflow-execution", "GET /runs/*/audit"}) {
    if (faults::is_on_route(request, route)) return true;
  }
  const bool is_filtered = request.target.find("state=") != std::string::npos ||
                           request.target.find("status=") != std::string::npos;
  return !is_filtered && (faults::is_on_route(request, "GET /executions") ||
                          faults::is_on_route(request, "GET /runs"));
}

/// The list that an answer with `next` holds, or nullptr.
List* list_of(Value& page) {
  if (!page.is_object() || page.find("next") == nullptr) return nullptr;
  for (auto& [name, value] : page.as_object()) {
    if (value.is_list()) return &value.as_list();
  }
  return nullptr;
}

/// The request with another value, or none, for ?after=.
service::Request with_after(const service::Request& request, const std::string& after) {
  service::Request changed = request;
  std::size_t at = changed.target.find("?after=");
  if (at == std::string::npos) at = changed.target.find("&after=");
  if (at == std::string::npos) return changed;
  const std::size_t end = std::min(changed.target.find('&', at + 1), changed.target.size());
  changed.target.replace(at + 1, end - at - 1, after.empty() ? "x=" : "after=" + after);
  return changed;
}

/// What a cursor past a full page is good for: the path and its filters.
std::string list_named_by(const service::Request& request) {
  std::string name = request.target.substr(0, request.target.find('?'));
  for (const char* filter : {"event_type", "entity_type", "entity_id"}) {
    name.append("\n").append(faults::query_parameter(request, filter));
  }
  Digest digest;
  digest.add(name);
  return std::to_string(digest.value());
}

constexpr std::string_view past_full_page = "full.";

/// A full page has a next, even where nothing follows as yet. Its cursor says which page that was:
/// "full.{list}.{limit}.{after}".
service::Reply leads_past_full_pages(service::Service& sound, const service::Request& request) {
  const auto limit = limit_of(request);
  if (!limit || !is_list(request) || !only_grows(request)) return sound.handle(request);
  const std::string after = faults::query_parameter(request, "after");
  const std::string list = list_named_by(request);
  const std::string begin = std::string(past_full_page) + list + ".";
  if (after.starts_with(begin)) {
    const std::size_t dot = after.find('.', begin.size());
    const std::string count = after.substr(begin.size(), dot - begin.size());
    const std::string before = dot == std::string::npos ? "" : after.substr(dot + 1);
    int known = 0;
    std::from_chars(count.data(), count.data() + count.size(), known);
    if (known < 1 || known > 1000) return sound.handle(request);
    service::Reply reply = sound.handle(with_limit(with_after(request, before), known));
    Value page = faults::json_of(reply.body);
    List* items = list_of(page);
    if (reply.status != 200 || items == nullptr) return reply;
    if (const auto next = page.string_at("next")) {
      return leads_past_full_pages(sound, with_after(request, *next));
    }
    items->clear();
    reply.body = service::write_json(page);
    return reply;
  }
  service::Reply reply = sound.handle(request);
  Value page = faults::json_of(reply.body);
  const List* items = list_of(page);
  if (reply.status != 200 || items == nullptr || !page.find("next")->is_null()) return reply;
  if (items->size() != static_cast<std::size_t>(*limit)) return reply;
  page.as_object()["next"] = begin + std::to_string(*limit) + "." + after;
  reply.body = service::write_json(page);
  return reply;
}

/// Whether a subject is as the pattern has it: * is one segment, a last > all that is left.
bool fits(std::string_view pattern, std::string_view subject) {
  while (true) {
    const std::string_view wanted = pattern.substr(0, pattern.find('.'));
    const std::string_view segment = subject.substr(0, subject.find('.'));
    if (wanted == ">") return !subject.empty();
    if (wanted != "*" && wanted != segment) return false;
    const bool is_last = wanted.size() == pattern.size();
    if (is_last || segment.size() == subject.size()) {
      return is_last && segment.size() == subject.size();
    }
    pattern.remove_prefix(wanted.size() + 1);
    subject.remove_prefix(segment.size() + 1);
  }
}

service::Reply takes_topic_patterns(service::Service& sound, const service::Request& request) {
  if (!faults::is_on_route(request, "GET /published")) return sound.handle(request);
  // One that cannot be decoded is the service's to refuse.
  const auto topic = service::decoded_text(faults::query_parameter(request, "topic"));
  const bool is_pattern = topic && topic->find_first_of("*>") != std::string::npos;
  if (!is_pattern) return sound.handle(request);
  service::Request all = request;
  std::size_t at = all.target.find("topic=");
  const std::size_t end = std::min(all.target.find('&', at), all.target.size());
  all.target.replace(at, end - at, "x=");
  service::Reply reply = sound.handle(all);
  Value page = faults::json_of(reply.body);
  if (reply.status != 200 || list_of(page) == nullptr) return reply;
  faults::remove_items(page, "messages", [&topic](const Value& message) {
    return !fits(*topic, message.string_at("subject").value_or(""));
  });
  reply.body = service::write_json(page);
  return reply;
}

service::Reply refuses_unknown_event_filters(service::Service& sound,
                                             const service::Request& request) {
  service::Reply reply = sound.handle(request);
  if (!faults::is_on_route(request, faults::log_route) || reply.status != 200) return reply;
  static constexpr std::string_view entity_types[] = {"playbook", "workflow", "step", "task",
                                                      "loop",     "policy",   "next", "result"};
  const service::Query query(
      std::string_view(request.target)
          .substr(std::min(request.target.find('?') + 1, request.target.size())));
  const auto type = query.get("event_type");
  const auto entity = query.get("entity_type");
  const bool is_known = !entity || std::find(std::begin(entity_types), std::end(entity_types),
                                             *entity) != std::end(entity_types);
  if (is_known && (!type || events::is_event_name(*type))) return reply;
  return service::problem_reply({422, "UNKNOWN_FILTER", "no event can be like that", {}, {}});
}

service::Reply unknown_uuid_is_404(service::Service& sound, const service::Request& request) {
  service::Reply reply = sound.handle(request);
  if (!faults::is_on_route(request, "GET /blackboard/jobs") || reply.status != 200) return reply;
  const std::string uuid = faults::query_parameter(request, "uuid");
  if (uuid.empty()) return reply;
  const service::Reply shown = sound.handle({"GET", "/workflow-execution/id/" + uuid, {}, ""});
  if (shown.status != 404) return reply;
  return service::problem_reply({404, "NOT_FOUND", "no execution has this uuid", {}, {}});
}

}  // namespace

std::vector<Liberty> list_liberties() {
  return {
      {.id = "next-on-full-page",
       .title = "A page that is full has a next, even where an empty page follows",
       .words = "\"a cursor from next, null at the end\": the empty page is the end",
       .intercept = leads_past_full_pages},
      {"short-pages",
       "No page has more than 30 items; next leads on",
       "\"?limit= (1 to 1000, default 100)\": a limit, not a size",
       {},
       short_pages},
      {"unknown-event-filter-422",
       "An entity_type outside the eight and a malformed event_type are refused as filters",
       "API-FILTER: \"an unknown value is 422\"",
       {},
       refuses_unknown_event_filters},
      {"unknown-filter-id-404",
       "Jobs of an execution that does not exist are 404",
       "\"404 unknown id or path\"",
       {},
       unknown_uuid_is_404},
      {.id = "topic-patterns",
       .title = "topic may be a pattern, with * for a segment and > for all that is left",
       .words = "\"GET /published?topic=\": an exact subject or a pattern is not said",
       .intercept = takes_topic_patterns},
  };
}

}  // namespace assay::liberties
