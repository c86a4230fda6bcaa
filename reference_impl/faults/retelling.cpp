#include "reference_impl/faults/retelling.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"
#include "reference_impl/model/events/event_view.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/status/fold.h"

namespace assay::faults {
namespace {

events::Lifecycle lifecycle_of(const Value& event) {
  const events::EventView view(event);
  return events::lifecycle_of(view.kind(), view.text("status"));
}

status::ExecutionFold fold_of(const List& events) {
  status::ExecutionFold fold("");
  for (const Value& event : events) {
    const Value* seq = event.find("seq");
    fold.apply(event, seq == nullptr ? 0 : seq->to_int64().value_or(0));
  }
  return fold;
}

Value text_or_null(const std::optional<std::string_view>& text) {
  return text ? Value(*text) : Value();
}

void write_own_layer(const status::ExecutionFold& fold, Value& body) {
  const status::StatusView view = fold.status();
  Object& fields = body.as_object();
  fields["state"] = status::word_of(view.state);
  fields["current_step"] = text_or_null(view.current_step);
  fields["started_at"] = text_or_null(view.started_at);
  fields["ended_at"] = text_or_null(view.ended_at);
  fields["terminal_event"] = text_or_null(view.terminal_event);
  if (Value* outcome = member(body, "outcome")) {
    const std::string_view word = status::word_of(fold.outcome());
    *outcome = word.empty() ? Value() : Value(word);
  }
}

void write_lower_layers(const status::ExecutionFold& fold, Value& body) {
  List steps;
  for (const status::Step& step : fold.steps()) {
    steps.push_back(Object{{"step", step.id}, {"state", status::word_of(step.state)}});
  }
  List commands;
  for (const status::Command& command : fold.commands()) {
    commands.push_back(Object{{"command_id", command.id},
                              {"step", command.step.empty() ? Value() : Value(command.step)},
                              {"state", status::word_of(command.state)}});
  }
  List tools;
  for (const status::Tool& tool : fold.tools()) {
    tools.push_back(Object{{"command_id", tool.id}, {"outcome", status::word_of(tool.outcome)}});
  }
  Object& fields = body.as_object();
  fields["steps"] = std::move(steps);
  fields["commands"] = std::move(commands);
  fields["tools"] = std::move(tools);
}

/// What the fold lists as an anomaly.
std::set<std::int64_t> anomalies_of(const status::ExecutionFold& fold) {
  std::set<std::int64_t> all;
  for (const status::Anomaly& anomaly : fold.anomalies()) all.insert(anomaly.seq);
  return all;
}

/// Leaves out the anomalies of the log that are none in the retold one.
void forget_anomalies(const List& events, const status::ExecutionFold& retold, Value& body) {
  const std::set<std::int64_t> before = anomalies_of(fold_of(events));
  const std::set<std::int64_t> after = anomalies_of(retold);
  remove_items(body, "anomalies", [&](const Value& anomaly) {
    const std::int64_t seq = anomaly.find("seq")->to_int64().value_or(0);
    return before.contains(seq) && !after.contains(seq);
  });
}

/// Writes what follows from the retold log, where that is another than the log itself.
ChangeByLog shows(const Retell& retell, void (*write)(const status::ExecutionFold&, Value&)) {
  return [retell, write](const List& events, Value& body) {
    List retold = events;
    retell(retold);
    if (retold == events) return;
    const status::ExecutionFold fold = fold_of(retold);
    write(fold, body);
    forget_anomalies(events, fold, body);
  };
}

}  // namespace

Intercept reads_log_as(const Retell& retell) {
  const ChangeByLog change = shows(retell, write_own_layer);
  return [in_status = alters_by_log(status_route, change),
          in_detail = alters_by_log(detail_route, change)](service::Service& sound,
                                                           const service::Request& request) {
    return is_on_route(request, status_route) ? in_status(sound, request)
                                              : in_detail(sound, request);
  };
}

Intercept reads_layers_as(const Retell& retell) {
  return alters_by_log(detail_route, shows(retell, write_lower_layers));
}

Intercept has_log(const Retell& retell) {
  return [in_log = changes_log(retell), elsewhere = reads_log_as(retell)](
             service::Service& sound, const service::Request& request) {
    return is_on_route(request, log_route) ? in_log(sound, request) : elsewhere(sound, request);
  };
}

Retell ends_at(const std::string& end, const EventCondition& holds) {
  return [end, holds](List& events) {
    List retold;
    for (std::size_t at = 0; at < events.size(); ++at) {
      retold.push_back(events[at]);
      if (!holds(events[at], std::span(events).first(at))) continue;
      retold.push_back(
          Object{{"event_type", end}, {"timestamp", text_of(events[at], "timestamp")}, {"seq", 0}});
    }
    events = std::move(retold);
  };
}

Retell without(const std::function<bool(const Value& event)>& unwanted) {
  return [unwanted](List& events) { std::erase_if(events, unwanted); };
}

bool is_end(const Value& event) {
  const events::Lifecycle lifecycle = lifecycle_of(event);
  return lifecycle == events::Lifecycle::success || lifecycle == events::Lifecycle::failure ||
         lifecycle == events::Lifecycle::cancel;
}

bool is_start(const Value& event) { return lifecycle_of(event) == events::Lifecycle::start; }

}  // namespace assay::faults
