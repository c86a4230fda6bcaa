#include <memory>
#include <set>
#include <utility>

#include "reference_impl/faults/families.h"
#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/moments.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::faults {
namespace {

constexpr const char* published_route = "GET /published";

Intercept changes_messages(const std::function<void(Value& message)>& change) {
  return alters_answers(published_route, [change](const service::Request&, Value& body) {
    each_item(body, "messages", change);
  });
}

/// Changes the payload of the messages that have a reference in it.
Intercept changes_references(const std::function<void(Object& payload)>& change) {
  return changes_messages([change](Value& message) {
    Value* payload = member(message, "payload");
    if (payload != nullptr && payload->find("result_ref") != nullptr) change(payload->as_object());
  });
}

std::string execution_of_message(const Value& message) {
  const Value* headers = message.find("headers");
  return headers == nullptr ? "" : text_of(*headers, "execution_id");
}

/// The execution and the event that a message is about, as one text.
std::string key_of_message(const Value& message) {
  return execution_of_message(message) + "/" + text_of(message, "event_id");
}

/// An event that was sent twice is published twice.
Intercept publishes_duplicates() {
  return [repeated = std::make_shared<Memory>()](service::Service& sound,
                                                 const service::Request& request) {
    service::Reply reply =
        alters_answers(published_route, [&](const service::Request&, Value& body) {
          List* messages = list_at(body, "messages");
          if (messages == nullptr) return;
          List doubled;
          for (const Value& message : *messages) {
            doubled.push_back(message);
            if (repeated->has(key_of_message(message))) doubled.push_back(message);
          }
          *messages = std::move(doubled);
        })(sound, request);
    const Value answer = json_of(reply.body);
    const Value* is_duplicate = answer.find("duplicate");
    if (is_on_route(request, post_route) && is_duplicate != nullptr &&
        *is_duplicate == Value(true)) {
      const std::string path = execution_path(request);
      repeated->keep(path.substr(path.rfind('/') + 1) + "/" + text_of(answer, "event_id"));
    }
    return reply;
  };
}

/// Events of one event_id are taken for one, whatever their execution.
void drop_namesakes(List& messages) {
  std::set<std::string> seen;
  std::erase_if(messages, [&seen](const Value& message) {
    return !seen.insert(text_of(message, "event_id")).second;
  });
}

/// A message has the payload as it is stored, beside the reference.
Intercept publishes_whole_payloads() {
  return [](service::Service& sound, const service::Request& request) {
    return changes_messages([&sound](Value& message) {
      Value* payload = member(message, "payload");
      if (payload == nullptr || payload->find("result_ref") == nullptr) return;
      Value page =
          ask(sound, "/executions/" + execution_of_message(message) + "/events?limit=1000");
      each_item(page, "events", [&](const Value& event) {
        if (!has_text(event, "event_id", text_of(message, "event_id"))) return;
        if (const Value* stored = event.find("payload")) *payload = *stored;
      });
    })(sound, request);
  };
}

std::vector<Fault> message_faults() {
  return {
      {"duplicates-are-published", "EVT-PUB-TOPIC",
       "An event that is sent twice is published twice", publishes_duplicates},
      {"subject-is-the-family", "EVT-PUB-TOPIC",
       "An event is published under its family instead of its type",
       changes_messages([](Value& message) {
         const std::string subject = text_of(message, "subject");
         message.as_object()["subject"] = subject.substr(0, subject.rfind('.'));
       })},
      {"messages-are-of-no-execution", "EVT-PUB-TOPIC",
       "The headers of a message do not name its execution",
       changes_messages([](Value& message) { message.as_object()["headers"] = Object{}; })},
      {"namesakes-are-published-once", "EVT-PUB-TOPIC",
       "Of two executions' events with one event_id only the first is published",
       alters_answers(published_route,
                      [](const service::Request&, Value& body) {
                        if (List* messages = list_at(body, "messages")) drop_namesakes(*messages);
                      })},
      {"whole-payloads-are-published", "EVT-PUB-REF",
       "A message has the whole payload beside the reference", publishes_whole_payloads()},
      {"extracted-fields-are-not-published", "EVT-PUB-REF",
       "A message has the reference without the extracted fields",
       changes_references([](Object& payload) { payload.erase("extracted"); })},
      {"references-are-not-published", "EVT-PUB-REF",
       "A message has the extracted fields without the reference",
       changes_references([](Object& payload) { payload.erase("result_ref"); })},
  };
}

bool embeds_reference(const Value& event) {
  return text_of(event, "event_type").starts_with("task.") &&
         event.at_pointer("/payload/result_ref") != nullptr;
}

/// What is listed of a task's event with a reference in it.
Intercept changes_embedded(const std::function<void(Object& payload)>& change) {
  return changes_log([change](List& events) {
    for (Value& event : events) {
      if (embeds_reference(event)) change(member(event, "payload")->as_object());
    }
  });
}

std::vector<Fault> reference_faults() {
  return {
      {"references-in-task-events-refused", "EVT-RES-EMBED",
       "A task's event with a reference in it is refused",
       refuses(
           post_route,
           [](const service::Request&, const Value& event) { return embeds_reference(event); }, 422,
           "INVALID_FIELD")},
      {"extracted-fields-are-not-kept", "EVT-RES-EMBED",
       "The extracted fields of a task's event are not kept",
       changes_embedded([](Object& payload) { payload.erase("extracted"); })},
      {"references-keep-their-kind-only", "EVT-RES-EMBED",
       "Of the reference in a task's event only its kind is kept",
       changes_embedded(
           [](Object& payload) { payload["result_ref"] = Object{{"kind", "result_ref"}}; })},
  };
}

}  // namespace

std::vector<Fault> publication_faults() {
  std::vector<Fault> all = message_faults();
  const std::vector<Fault> more = reference_faults();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace assay::faults
