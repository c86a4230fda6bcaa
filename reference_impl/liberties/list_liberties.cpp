#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/target.h"

namespace assay::liberties {
namespace {

constexpr int short_page = 30;

constexpr const char* list_routes[] = {
    "GET /executions",     "GET /executions/*/events",        "GET /workflow-execution/active",
    "GET /runs",           "GET /workflow-execution/state/*", "GET /runs/*/audit",
    "GET /blackboard/jobs"};

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
  };
}

}  // namespace assay::liberties
