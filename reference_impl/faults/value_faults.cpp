// What was posted, looked up, compared and counted: right while it is plain and small.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/playbooks.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"

namespace assay::faults {
namespace {

Fault behind(std::string_view id, std::string_view clause, std::string_view title,
             Intercept intercept) {
  return {id, clause, title, std::move(intercept)};
}

/// A value with each of its members and elements, the innermost first, as `change` makes them.
void change_deep(Value& value, const std::function<void(Value&)>& change) {
  if (value.is_object()) {
    for (auto& [name, member] : value.as_object()) change_deep(member, change);
  } else if (value.is_list()) {
    for (Value& element : value.as_list()) change_deep(element, change);
  }
  change(value);
}

Intercept alters_payloads(std::function<void(Value&)> change) {
  return changes_log([change = std::move(change)](List& events) {
    for (Value& event : events) {
      if (Value* payload = member(event, "payload")) change_deep(*payload, change);
    }
  });
}

void round_to_double(Value& value) {
  const auto number = value.is_integer() ? value.to_int64() : std::nullopt;
  if (number) {
    const std::int64_t half = *number / 2;
    value = static_cast<std::int64_t>(static_cast<double>(half)) * 2;
  }
  if (value.large_unsigned()) value = static_cast<double>(*value.large_unsigned());
}

void trim_text(Value& value) {
  if (!value.is_string()) return;
  std::string text = value.as_string();
  text.erase(0, std::min(text.find_first_not_of(" \t\n"), text.size()));
  text.erase(text.find_last_not_of(" \t\n") + 1);
  value = text;
}

void merge_keys_by_case(Value& value) {
  if (!value.is_object()) return;
  Object merged;
  for (const auto& [name, member] : value.as_object()) merged[lowered(name)] = member;
  value = merged;
}

void drop_empty_members(Value& value) {
  if (!value.is_object()) return;
  std::erase_if(value.as_object(), [](const auto& member) {
    const Value& one = member.second;
    return (one.is_list() && one.as_list().empty()) || (one.is_object() && one.as_object().empty());
  });
}

std::vector<Fault> altered_values() {
  return {
      behind("integers-through-a-double", "EVT-LOG-1",
             "Large whole numbers of payloads are rounded as doubles are",
             alters_payloads(round_to_double)),
      behind("payload-texts-are-trimmed", "EVT-LOG-1", "White space around texts is cut off",
             alters_payloads(trim_text)),
      behind("payload-keys-merge-by-case", "EVT-LOG-1", "Keys of payloads are put in lower case",
             alters_payloads(merge_keys_by_case)),
      behind("empty-members-are-dropped", "EVT-LOG-1",
             "Empty lists and objects in payloads are left out",
             alters_payloads(drop_empty_members)),
  };
}

/// A conflict over a known event whose stored form `is_same` takes for the new one is answered as a
/// duplicate.
Intercept takes_for_same(std::function<bool(const Value& stored, const Value& posted)> is_same) {
  return [is_same = std::move(is_same)](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, post_route) || reply.status != 409) return reply;
    const auto posted = service::parse_json(request.body);
    if (!posted) return reply;
    for (const Value& stored : log_of(sound, request)) {
      if (text_of(stored, "event_id") != text_of(*posted, "event_id")) continue;
      if (!is_same(stored, *posted)) continue;
      reply.status = 200;
      reply.body = service::write_json(Object{{"event_id", text_of(stored, "event_id")},
                                              {"seq", *stored.find("seq")},
                                              {"duplicate", true}});
    }
    return reply;
  };
}

std::string payload_text(const Value& event) {
  const Value* payload = event.find("payload");
  return payload == nullptr ? "" : service::write_json(*payload);
}

/// Whether each member of one object is so in the other.
bool is_part_of(const Value& part, const Value& whole) {
  if (!part.is_object() || !whole.is_object()) return part == whole;
  return std::all_of(part.as_object().begin(), part.as_object().end(), [&](const auto& member) {
    const Value* found = whole.find(member.first);
    return found != nullptr && is_part_of(member.second, *found);
  });
}

bool has_same_payload_part(const Value& stored, const Value& posted) {
  const Value* left = stored.find("payload");
  const Value* right = posted.find("payload");
  return left != nullptr && right != nullptr && is_part_of(*left, *right);
}

/// The same event in other words (another order of members, 1.0 for 1) is a conflict.
Intercept compares_texts() {
  struct Kept {
    std::mutex mutex;
    std::map<std::string, std::string> texts;
  };
  return [kept = std::make_shared<Kept>()](service::Service& sound,
                                           const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, post_route)) return reply;
    const auto posted = service::parse_json(request.body);
    if (!posted) return reply;
    const std::lock_guard lock(kept->mutex);
    const auto [text, is_new] =
        kept->texts.try_emplace(request.target + text_of(*posted, "event_id"), request.body);
    if (reply.status != 200 || is_new || text->second == request.body) return reply;
    return service::problem_reply({409, "EVENT_ID_CONFLICT", "another event has that id", {}, {}});
  };
}

Intercept looks_up_by(
    std::function<bool(const std::string& wanted, const std::string& actual)> fits) {
  return [fits = std::move(fits)](service::Service& sound, const service::Request& request) {
    const std::string wanted = query_parameter(request, "entity_id");
    if (!is_on_route(request, log_route) || wanted.empty()) return sound.handle(request);
    service::Request all = request;
    all.target = execution_path(request) + "/events?limit=1000";
    const auto keep = [&](const service::Request&, Value& body) {
      remove_items(body, "events",
                   [&](const Value& event) { return !fits(wanted, text_of(event, "entity_id")); });
    };
    return alters_answers(log_route, keep)(sound, all);
  };
}

std::vector<Fault> careless_comparisons() {
  return {
      behind("content-compared-without-case", "API-CONFLICT",
             "Content that differs by case is a duplicate",
             takes_for_same([](const Value& stored, const Value& posted) {
               return lowered(payload_text(stored)) == lowered(payload_text(posted));
             })),
      behind("content-compared-in-part", "API-CONFLICT",
             "Content with a member more is a duplicate", takes_for_same(has_same_payload_part)),
      {"content-compared-as-text", "EVT-IDEM-1",
       "An event with its members in another order is a conflict", compares_texts},
      behind("lookup-by-prefix", "EVT-IDX-1", "entity_id finds what begins so",
             looks_up_by([](const auto& wanted, const auto& actual) {
               return actual.starts_with(wanted);
             })),
      behind("lookup-without-case", "EVT-IDX-1", "entity_id is compared without case",
             looks_up_by([](const auto& wanted, const auto& actual) {
               return lowered(actual) == lowered(wanted);
             })),
  };
}

/// Neighbours in the log of one time are put in the order that `before` says.
Intercept orders_ties(bool (*before)(const Value& left, const Value& right)) {
  return changes_log([before](List& events) {
    for (auto first = events.begin(); first != events.end();) {
      const auto last = std::find_if(first, events.end(), [&](const Value& event) {
        return text_of(event, "timestamp") != text_of(*first, "timestamp");
      });
      std::stable_sort(first, last, before);
      first = last;
    }
  });
}

std::vector<Fault> tie_faults() {
  return {
      behind("ties-by-id", "EVT-LOG-1", "Events of one time are listed by their ids",
             orders_ties([](const Value& left, const Value& right) {
               return text_of(left, "event_id") < text_of(right, "event_id");
             })),
      behind("ties-newest-first", "EVT-LOG-1", "Events of one time are listed newest first",
             orders_ties([](const Value& left, const Value& right) {
               return left.find("seq")->to_int64() > right.find("seq")->to_int64();
             })),
      behind("ties-by-type", "EVT-LOG-1", "Events of one time are listed by their types",
             orders_ties([](const Value& left, const Value& right) {
               return text_of(left, "event_type") < text_of(right, "event_type");
             })),
  };
}

/// The path of each request is changed before it is read.
Intercept changes_paths(std::function<void(std::string& path)> change) {
  return [change = std::move(change)](service::Service& sound, const service::Request& request) {
    service::Request changed = request;
    const std::size_t query = request.target.find('?');
    std::string path = request.target.substr(0, query);
    change(path);
    if (query != std::string::npos) path += request.target.substr(query);
    changed.target = std::move(path);
    return sound.handle(changed);
  };
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

std::vector<Fault> path_faults() {
  return {
      behind("plus-is-a-blank", "API-IDS", "A plus in a path is read as a blank",
             changes_paths([](std::string& path) { replace_all(path, "+", "%20"); })),
      behind("semicolon-cuts-the-segment", "API-IDS",
             "What follows a semicolon in a path segment is left out",
             changes_paths([](std::string& path) {
               const std::size_t at = path.find(';');
               if (at != std::string::npos) path.erase(at, path.find('/', at) - at);
             })),
      behind("lower-case-escapes-are-kept", "API-IDS",
             "Escapes in lower case are not escapes in a path",
             changes_paths([](std::string& path) {
               for (const std::string_view escape : {"%7e", "%2b", "%2f"}) {
                 replace_all(path, escape, "%25" + std::string(escape.substr(1)));
               }
             })),
  };
}

/// Of a list in an answer only the first so many are shown, and no page comes after.
Intercept shows_at_most(std::string route, const std::string& list, std::size_t most) {
  return alters_answers(std::move(route), [=](const service::Request&, Value& body) {
    List* items = list_at(body, list);
    if (items == nullptr || items->size() <= most) return;
    items->resize(most);
    if (Value* next = member(body, "next")) *next = nullptr;
  });
}

/// A rebuild reads the first page of the log and no more.
void forget_late_end(const List& events, Value& status) {
  constexpr std::size_t page = 100;
  const auto end = std::find_if(events.begin(), events.end(), [&](const Value& event) {
    return is_type(event, text_of(status, "terminal_event"));
  });
  const auto place = static_cast<std::size_t>(end - events.begin());
  if (place < page || has_text(status, "state", "RUNNING")) return;
  Object& answer = status.as_object();
  answer["state"] = "RUNNING";
  answer["ended_at"] = nullptr;
  answer["terminal_event"] = nullptr;
  answer["completion_inferred"] = false;
}

/// An event that more than a hundred others have followed is new when it comes again.
service::Reply forget_old_ids(service::Service& sound, const service::Request& request) {
  constexpr std::int64_t remembered = 100;
  service::Reply reply = sound.handle(request);
  if (!is_on_route(request, post_route) || reply.status != 200) return reply;
  const auto known = service::parse_json(reply.body);
  const std::int64_t seq = known ? known->find("seq")->to_int64().value_or(0) : 0;
  const auto stored = static_cast<std::int64_t>(log_of(sound, request).size());
  if (stored - seq <= remembered) return reply;
  service::Request again = request;
  replace_all(again.body, text_of(known.value(), "event_id"),
              text_of(known.value(), "event_id") + "-again");
  std::erase_if(again.headers,
                [](const auto& header) { return lowered(header.name) == "content-length"; });
  return sound.handle(again);
}

std::vector<Fault> size_faults() {
  return {
      {"rebuilds-from-the-first-page", "STM-OWN-2",
       "A rebuild reads the first hundred events of the log and no more",
       +[] { return after_evict(alters_by_log(status_route, forget_late_end)); }},
      behind("audit-shows-fifty", "RUN-AUDIT", "An audit shows fifty events at the most",
             shows_at_most("GET /runs/*/audit", "events", 50)),
      behind("remembers-a-hundred-ids", "EVT-IDEM-1",
             "An event id is forgotten after a hundred others", forget_old_ids),
      behind("log-shows-a-thousand", "EVT-LOG-1", "A log shows a thousand events at the most",
             [](service::Service& sound, const service::Request& request) {
               service::Reply reply = sound.handle(request);
               if (!is_on_route(request, log_route) || reply.status != 200) return reply;
               auto page = service::parse_json(reply.body);
               List* events = page ? list_at(*page, "events") : nullptr;
               if (events == nullptr) return reply;
               std::erase_if(*events, [](const Value& event) {
                 return event.find("seq")->to_int64().value_or(0) > 1'000;
               });
               if (events->empty()) (*page).as_object()["next"] = nullptr;
               reply.body = service::write_json(*page);
               return reply;
             }),
      behind("detail-shows-a-hundred-commands", "STM-CMD-T1",
             "The detail shows a hundred commands at the most",
             shows_at_most(detail_route, "commands", 100)),
      behind("jobs-list-shows-a-hundred", "WFX-PROGRESS",
             "A list of jobs shows a hundred at the most",
             shows_at_most("GET /blackboard/jobs", "jobs", 99)),
  };
}

/// A guard's text is changed before the playbook is read.
Intercept rewrites_guards(std::string from, std::string to) {
  return changes_arcs([from = std::move(from), to = std::move(to)](Value& arc) {
    Value* when = member(arc, "when");
    if (when == nullptr || !when->is_string()) return;
    std::string text = when->as_string();
    replace_all(text, from, to);
    *when = text;
  });
}

std::vector<Fault> guard_faults() {
  return {
      behind("guards-divide-exactly", "RTE-GUARD-STATE", "// does not round down",
             rewrites_guards("//", "/")),
      behind("guards-know-no-sign", "RTE-GUARD-STATE", "abs changes nothing",
             rewrites_guards("| abs", "")),
      behind("guards-round-down", "RTE-GUARD-STATE", "round without digits rounds down",
             rewrites_guards("| round =", "| int =")),
      behind("guards-take-or-for-and", "RTE-GUARD-STATE", "or wants both",
             rewrites_guards(" or ", " and ")),
      behind("guards-take-none-for-undefined", "RTE-GUARD-STATE", "is none asks for undefined",
             rewrites_guards("is none", "is not defined")),
      behind("guards-exclude-the-bound", "RTE-GUARD-STATE", "<= is <", rewrites_guards("<=", "<")),
      behind("guards-trim-nothing", "RTE-GUARD-STATE", "trim changes nothing",
             rewrites_guards("| trim", "")),
      behind("guards-default-only-undefined", "RTE-GUARD-STATE",
             "default does not take its second argument", rewrites_guards(", true)", ")")),
  };
}

}  // namespace

std::vector<Fault> value_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {altered_values, careless_comparisons, tie_faults, path_faults, size_faults, guard_faults}) {
    for (Fault& fault : family()) all.push_back(std::move(fault));
  }
  return all;
}

}  // namespace assay::faults
