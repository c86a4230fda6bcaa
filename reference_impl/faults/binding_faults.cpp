#include <algorithm>
#include <memory>
#include <string>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/faults/storing.h"
#include "reference_impl/model/events/timestamp.h"
#include "reference_impl/service/json_codec.h"

namespace assay::faults {
namespace {

/// Answers of one status are given under another.
Intercept answers_status(int from, int to) {
  return [from, to](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (reply.status == from) reply.status = to;
    return reply;
  };
}

/// Changes each problem document.
Intercept changes_problems(const std::function<void(Object& problem)>& change) {
  return [change](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (reply.status < 400) return reply;
    auto problem = service::parse_json(reply.body);
    if (!problem || !problem->is_object()) return reply;
    change(problem->as_object());
    reply.body = service::write_json(*problem);
    return reply;
  };
}

/// Loses an item of a page that was asked for with a cursor.
Intercept later_pages_lose_one(std::string route, const std::string& list) {
  return alters_answers(std::move(route), [list](const service::Request& request, Value& body) {
    List* items = list_at(body, list);
    if (items == nullptr || items->empty() || query_parameter(request, "after").empty()) return;
    items->pop_back();
  });
}

/// The status of an execution that does not exist is that of one without events.
Intercept shows_unknown_as_pending() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, status_route) || reply.status != 404) return reply;
    const std::string path = execution_path(request);
    const Value body = Object{{"execution_id", path.substr(path.rfind('/') + 1)},
                              {"state", "PENDING"},
                              {"current_step", nullptr},
                              {"started_at", nullptr},
                              {"ended_at", nullptr},
                              {"terminal_event", nullptr},
                              {"completion_inferred", false}};
    reply = {200, "application/json", service::write_json(body), {}};
    return reply;
  };
}

std::vector<Fault> error_faults() {
  return {
      {"fails-on-odd-input", "API-VALID", "What is not JSON is answered 500",
       answers_status(400, 500)},
      {"invalid-is-500", "API-NO5XX", "What is well-formed but invalid is answered 500",
       answers_status(422, 500)},
      {"unknown-id-is-pending", "API-UNKNOWN", "An unknown execution is PENDING",
       shows_unknown_as_pending()},
      {"unknown-is-gone", "API-UNKNOWN", "What is unknown is answered 410",
       answers_status(404, 410)},
      {"problems-lack-pointer", "API-PROBLEM", "Problem details have no pointer",
       changes_problems([](Object& problem) { problem.erase("pointer"); })},
      {"problems-lack-code", "API-PROBLEM", "Problem details have no code",
       changes_problems([](Object& problem) { problem.erase("code"); })},
      {"problem-status-differs", "API-PROBLEM", "The status in problem details is always 400",
       changes_problems([](Object& problem) { problem["status"] = 400; })},
      {"conflict-is-200", "API-CONFLICT", "Creating what exists is answered 201",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (reply.status == 409 &&
             (is_on_route(request, "POST /executions") || is_on_route(request, "POST /runs"))) {
           reply.status = 201;
         }
         return reply;
       }},
      {"malformed-is-422", "API-VALID", "Malformed JSON is answered 422", answers_status(400, 422)},
      {"invalid-is-400", "API-VALID", "Invalid content is answered 400", answers_status(422, 400)},
      {"too-large-is-400", "API-VALID", "A body over the limit is answered 400",
       answers_status(413, 400)},
      {"wrong-type-is-400", "API-VALID", "A body of another content type is answered 400",
       answers_status(415, 400)},
      {"body-limit-is-one-high", "API-VALID", "An event one byte over the limit is taken",
       [](service::ServiceOptions& options) { ++options.limits.max_event_bytes; }},
      {"too-deep-is-500", "API-NO5XX", "JSON that is too deep is answered 500",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (reply.body.find("TOO_DEEP") != std::string::npos) reply.status = 500;
         return reply;
       }},
  };
}

std::vector<Fault> identity_faults() {
  return {
      {"ids-in-lower-case", "API-IDS", "Ids come back in lower case",
       alters_answers("POST /executions",
                      [](const service::Request&, Value& body) {
                        Value* id = member(body, "execution_id");
                        if (id == nullptr || !id->is_string()) return;
                        std::string text = id->as_string();
                        for (char& letter : text) {
                          if (letter >= 'A' && letter <= 'Z') {
                            letter = static_cast<char>(letter - 'A' + 'a');
                          }
                        }
                        *id = text;
                      })},
      {"times-keep-no-fraction", "API-TIME", "Fractions of a second are dropped from events",
       alters_answers(log_route,
                      [](const service::Request&, Value& body) {
                        each_item(body, "events", [](Value& event) {
                          Value* time = member(event, "timestamp");
                          if (time == nullptr || !time->is_string()) return;
                          const std::size_t point = time->as_string().find('.');
                          if (point != std::string::npos) {
                            *time = time->as_string().substr(0, point) + "Z";
                          }
                        });
                      })},
  };
}

/// A run that does not exist is one that was created and no more.
Intercept shows_unknown_run_as_created() {
  return [](service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, "GET /runs/*") || reply.status != 404) return reply;
    const std::string id = request.target.substr(request.target.rfind('/') + 1);
    const Value run = Object{{"run_id", id}, {"root_run_id", id}, {"status", "created"}};
    reply = {200, "application/json", service::write_json(run), {}};
    return reply;
  };
}

/// The time without its offset from UTC, as if it had none; "" where it has no other than Z.
std::string without_offset(const std::string& time) {
  constexpr std::size_t offset_length = 6;
  if (time.size() <= offset_length || !events::parse_timestamp(time)) return "";
  const char sign = time[time.size() - offset_length];
  return sign == '+' || sign == '-' ? time.substr(0, time.size() - offset_length) + "Z" : "";
}

/// Events are listed with the seq that their client gave them.
Intercept keeps_seq_of_clients() {
  return [sent = std::make_shared<Memory>()](service::Service& sound,
                                             const service::Request& request) {
    const std::string path = execution_path(request) + "\n";
    service::Reply reply = changes_events([&](Value& event) {
      if (const auto seq = sent->find(path + text_of(event, "event_id"))) {
        event.as_object()["seq"] = *seq;
      }
    })(sound, request);
    const Value event = json_of(request.body);
    const Value* seq = event.find("seq");
    if (is_on_route(request, post_route) && reply.status == 201 && seq != nullptr) {
      sent->keep(path + text_of(event, "event_id"), *seq);
    }
    return reply;
  };
}

std::vector<Fault> oversight_faults() {
  return {
      {"encoded-ids-are-500", "API-NO5XX", "An unknown id that is percent-encoded is answered 500",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         const bool is_encoded = request.target.find('%') < request.target.find('?');
         if (is_encoded && reply.status >= 400) reply.status = 500;
         return reply;
       }},
      {"unknown-run-is-created", "API-UNKNOWN", "An unknown run is shown as created",
       shows_unknown_run_as_created()},
      {"offsets-are-cut", "API-TIME", "A time's offset from UTC is cut off",
       alters_requests(post_route,
                       [](Value& event) {
                         const std::string time = without_offset(text_of(event, "timestamp"));
                         if (!time.empty()) event.as_object()["timestamp"] = time;
                       })},
      {"clients-give-seq", "API-SEQ", "An event that came with a seq is listed with it",
       keeps_seq_of_clients},
  };
}

std::vector<Fault> page_and_filter_faults() {
  return {
      {"page-skips-one", "API-PAGING", "The cursor leads one item too far",
       alters_answers(log_route,
                      [](const service::Request& request, Value& body) {
                        List* events = list_at(body, "events");
                        if (events == nullptr || events->empty()) return;
                        if (query_parameter(request, "after").empty()) return;
                        events->erase(events->begin());
                      })},
      {"later-event-pages-lose-one", "API-PAGING", "The second page of events loses its last",
       later_pages_lose_one(log_route, "events")},
      {"later-execution-pages-lose-one", "API-PAGING",
       "The second page of executions loses its last",
       later_pages_lose_one("GET /executions", "executions")},
      {"state-filter-knows-case", "API-FILTER", "The state filter takes upper case only",
       refuses(
           "GET /executions",
           [](const service::Request& request, const Value&) {
             const std::string state = query_parameter(request, "state");
             return std::any_of(state.begin(), state.end(),
                                [](char letter) { return letter >= 'a' && letter <= 'z'; });
           },
           422, "UNKNOWN_STATE")},
      {"unknown-state-is-empty", "API-FILTER", "An unknown state lists nothing instead of 422",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "GET /executions") && reply.status == 422) {
           reply.status = 200;
           reply.content_type = "application/json";
           reply.body = R"({"executions":[],"next":null})";
         }
         return reply;
       }},
      {"run-filter-is-ignored", "API-FILTER", "The status filter of runs filters nothing",
       [](service::Service& sound, const service::Request& request) {
         service::Request changed = request;
         const std::size_t at = changed.target.find("status=");
         if (is_on_route(request, "GET /runs") && at != std::string::npos) changed.target[at] = 'x';
         return sound.handle(changed);
       }},
      {"later-audit-pages-lose-one", "API-PAGING", "The second page of an audit loses its last",
       later_pages_lose_one("GET /runs/*/audit", "events")},
      {"later-job-pages-repeat-one", "API-PAGING", "The second page of jobs repeats its first",
       alters_answers("GET /blackboard/jobs",
                      [](const service::Request& request, Value& body) {
                        List* jobs = list_at(body, "jobs");
                        if (jobs == nullptr || jobs->empty()) return;
                        if (query_parameter(request, "after").empty()) return;
                        const Value twin = jobs->front();
                        jobs->push_back(twin);
                      })},
  };
}

std::vector<Fault> store_faults() {
  return {
      {"batch-stores-what-is-good", "API-ATOMIC", "Events before a bad one of a batch are stored",
       stores_what_is_good()},
      {"batch-is-stored-backwards", "API-ATOMIC", "A batch is stored from its last event",
       alters_requests("POST /executions/*/events/batch",
                       [](Value& body) {
                         if (List* events = list_at(body, "events")) {
                           std::reverse(events->begin(), events->end());
                         }
                       })},
      {"list-lags-behind", "API-DETAIL", "The list shows the state at creation",
       alters_answers("GET /executions",
                      [](const service::Request&, Value& body) {
                        each_item(body, "executions",
                                  [](Value& listed) { listed.as_object()["state"] = "PENDING"; });
                      })},
      {"detail-loses-last-step", "API-DETAIL", "The detail leaves the last step out",
       alters_answers(detail_route,
                      [](const service::Request&, Value& body) {
                        List* steps = list_at(body, "steps");
                        if (steps != nullptr && !steps->empty()) steps->pop_back();
                      })},
      {"ctx-patch-drops-null", "RTE-GUARD-STATE", "A null in a patch of ctx deletes the key",
       alters_requests("POST /executions/*/ctx",
                       [](Value& body) {
                         Value* patch = member(body, "patch");
                         if (patch == nullptr || !patch->is_object()) return;
                         std::erase_if(patch->as_object(),
                                       [](const auto& entry) { return entry.second.is_null(); });
                       })},
      {"cancel-never-says-already", "API-CANCEL", "already_terminal is always false",
       alters_answers("POST /executions/*/cancel",
                      [](const service::Request&, Value& body) {
                        body.as_object()["already_terminal"] = false;
                      })},
      {"clock-stands-still", "API-CLOCK", "The clock does not move",
       alters_requests("POST /control/clock",
                       [](Value& body) {
                         const Value* by = body.find("advance_ms");
                         if (by != nullptr && by->to_int64() && *by->to_int64() > 0) {
                           body.as_object()["advance_ms"] = 0;
                         }
                       })},
      {"clock-moves-twice-as-far", "API-CLOCK", "The clock moves by twice what it is told",
       alters_requests("POST /control/clock",
                       [](Value& body) {
                         const Value* by = body.find("advance_ms");
                         if (by == nullptr || !by->to_int64()) return;
                         const std::int64_t far = *by->to_int64();
                         if (far > 0 && far < 1'000'000'000) {
                           body.as_object()["advance_ms"] = 2 * far;
                         }
                       })},
      {"clock-takes-negatives", "API-VALID", "A clock that would go back is answered 200",
       [](service::Service& sound, const service::Request& request) {
         service::Reply reply = sound.handle(request);
         if (is_on_route(request, "POST /control/clock") && reply.status == 422) {
           reply.status = 200;
         }
         return reply;
       }},
  };
}

}  // namespace

std::vector<Fault> binding_faults() {
  std::vector<Fault> all;
  for (const auto family :
       {error_faults, identity_faults, oversight_faults, page_and_filter_faults, store_faults}) {
    const std::vector<Fault> some = family();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace assay::faults
