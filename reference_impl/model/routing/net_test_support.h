#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reference_impl/model/routing/net.h"
#include "reference_impl/model/routing/playbook.h"

namespace assay::routing {

/// An arc without a guard, or with one.
inline Value arc(std::string_view step) { return Object{{"step", step}}; }
inline Value arc(std::string_view step, std::string_view when) {
  return Object{{"step", step}, {"when", when}};
}
inline Value arc(std::string_view step, std::string_view when, Object args) {
  Object one{{"step", step}, {"args", std::move(args)}};
  if (!when.empty()) one.emplace("when", when);
  return one;
}

/// A step; `extra` has what it has besides its name and next.
inline Value step(std::string_view name, List arcs = {}, std::string_view mode = "exclusive",
                  Object extra = {}) {
  extra.insert_or_assign("step", name);
  if (!arcs.empty()) {
    extra.insert_or_assign("next",
                           Object{{"spec", Object{{"mode", mode}}}, {"arcs", std::move(arcs)}});
  }
  return extra;
}

/// A step that a gate holds until ctx has `key`.
inline Value gated(std::string_view name, std::string_view key, List arcs = {}) {
  const std::string when = "{{ ctx." + std::string(key) + " }}";
  const List rules{Object{{"when", when}, {"then", Object{{"allow", true}}}},
                   Object{{"else", Object{{"then", Object{{"allow", false}}}}}}};
  const Object admit{{"rules", rules}};
  return step(name, std::move(arcs), "exclusive",
              {{"spec", Object{{"policy", Object{{"admit", admit}}}}}});
}

inline Value looping(std::string_view name, Value in, Object spec = {}, List arcs = {}) {
  const Object loop{{"in", std::move(in)}, {"iterator", "it"}, {"spec", std::move(spec)}};
  return step(name, std::move(arcs), "exclusive", {{"loop", loop}});
}

inline std::shared_ptr<const Playbook> read_or_fail(const Value& document) {
  auto read = read_playbook(document);
  if (!read) {
    ADD_FAILURE() << read.error().pointer << ": " << read.error().message;
    return nullptr;
  }
  return std::make_shared<const Playbook>(*std::move(read));
}

inline Value playbook_of(List workflow, Object executor = {}, Object workload = {}) {
  return Object{{"workflow", std::move(workflow)},
                {"executor", Object{{"spec", std::move(executor)}}},
                {"workload", std::move(workload)}};
}

/// An execution whose worker is the test. It keeps every event that the net emitted.
class Execution {
 public:
  explicit Execution(List workflow, Object executor = {}, Object workload = {},
                     NetPolicy policy = {}, NetLimits limits = {})
      : net(read_or_fail(
                playbook_of(std::move(workflow), std::move(executor), std::move(workload))),
            "x1", {}, limits, policy) {
    apply(Start{});
  }

  Reaction apply(const Input& input) {
    Reaction reaction = net.apply(input);
    for (const ServerEvent& event : reaction.events) log.push_back(event);
    return reaction;
  }

  /// The oldest run of a step that is in flight.
  [[nodiscard]] std::string run_of(std::string_view step) const {
    for (const Marking::Token& token : net.marking().tokens) {
      if (token.step == step && token.status != "pending") return token.step_run_id;
    }
    ADD_FAILURE() << "step " << step << " isn't in flight";
    return "none";
  }

  Reaction post(std::string_view type, std::string_view run, Value payload = {},
                std::optional<std::int64_t> iteration = std::nullopt) {
    return apply(WorkerEvent{.event_type = std::string(type),
                             .step_run_id = std::string(run),
                             .iteration = iteration,
                             .payload = std::move(payload)});
  }

  /// The step's oldest run starts and ends.
  Reaction done(std::string_view step, Value outcome = Object{}, Object ctx = {}) {
    return end("step.done", step, std::move(outcome), std::move(ctx));
  }
  Reaction failed(std::string_view step, Value outcome = Object{}) {
    return end("step.failed", step, std::move(outcome), {});
  }
  Reaction patch(Object ctx) { return apply(CtxPatch{std::move(ctx)}); }

  /// The names of the steps that were scheduled, in order.
  [[nodiscard]] std::vector<std::string> scheduled() const {
    std::vector<std::string> steps;
    for (const ServerEvent& event : log) {
      if (event.event_type == "step.scheduled") steps.push_back(event.entity_id);
    }
    return steps;
  }
  [[nodiscard]] std::vector<std::string> types() const {
    std::vector<std::string> types;
    for (const ServerEvent& event : log) types.push_back(event.event_type);
    return types;
  }
  [[nodiscard]] std::vector<ServerEvent> of_type(std::string_view type) const {
    std::vector<ServerEvent> events;
    for (const ServerEvent& event : log) {
      if (event.event_type == type) events.push_back(event);
    }
    return events;
  }
  /// The newest event of a type, or an empty one.
  [[nodiscard]] ServerEvent last(std::string_view type) const {
    const auto events = of_type(type);
    if (!events.empty()) return events.back();
    ADD_FAILURE() << "no " << type;
    return {};
  }

  Net net;
  std::vector<ServerEvent> log;

 private:
  Reaction end(std::string_view type, std::string_view step, Value outcome, Object ctx) {
    const std::string run = run_of(step);
    Reaction started = post("step.started", run);
    EXPECT_EQ(started.disposition, Disposition::accepted);
    Object payload{{"outcome", std::move(outcome)}};
    if (!ctx.empty()) payload.emplace("ctx", std::move(ctx));
    return post(type, run, std::move(payload));
  }
};

using Names = std::vector<std::string>;

}  // namespace assay::routing
