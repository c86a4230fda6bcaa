#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/value.h"
#include "base/words.h"
#include "harness/core/operation.h"
#include "harness/core/pattern.h"
#include "harness/core/source.h"

namespace assay::core {

struct Step;

/// What an answer must be like. An operation without one must be accepted or a duplicate; where it
/// is not, the case could not be set up and is inconclusive, never a finding against a clause.
struct AnswerPattern {
  /// HTTP statuses any of which will do; empty: any.
  std::vector<int> statuses;
  /// What the profile makes of the answer, any of which will do; empty: any.
  std::vector<Acceptance> acceptances;
  /// Further ones of either kind as a matrix gives them: texts that are one ${name}, whose value is
  /// a status or an acceptance's word when the case runs.
  std::vector<std::string> status_variables;
  std::vector<std::string> acceptance_variables;
  std::vector<std::pair<std::string, Pattern>> headers;
  /// The mapped body of an operation, the body of a raw request.
  std::optional<Pattern> body;
  /// A member that must not appear at any depth of the body.
  std::vector<std::string> nowhere;
};

/// Whether any answer at all will do (any: true): such a response proves nothing.
[[nodiscard]] bool asks_nothing(const AnswerPattern& answer);

/// Under which choices something is expected (under: {denied_token: discard}): by the key of
/// fixtures/spec/interpretations.yaml, any of whose choices here will do; empty: under all.
using Under = std::map<std::string, std::vector<std::string>, std::less<>>;

/// start, cancel, control, ctx, define, job, transition, retry …: one operation of the profile.
struct Operate {
  Operation operation;
};

/// One event (post: {…}) or a batch (post: […]). Where absent, event_id and timestamp are made:
/// unique ids, and times one second apart from 2026-01-01T00:00:00Z in the order of the scenario.
struct Post {
  /// Each an object (shorthands allowed: expand_event_shorthands), or text that is one ${name}
  /// whose value is such an object when the case runs. Members named in `omit` are not made either.
  std::vector<Value> events;
  std::vector<std::vector<std::string>> omit;
  bool batch = false;
};

/// Branches whose first steps are sent at the same moment; all end before the next step.
struct Together {
  std::vector<std::vector<Step>> branches;
};

/// Steps again and again; ${i} counts from 0.
struct Repeat {
  /// A number, or text with ${name}.
  Value times;
  std::vector<Step> steps;
};

/// The envelope (specification 001), what events of 000 have beside it, and seq, to be ignored.
inline constexpr std::array<std::string_view, 21> event_members = {
    "execution_id", "event_id",  "event_type",  "timestamp",    "source",          "entity_type",
    "entity_id",    "parent_id", "event_alias", "step_run_id",  "workflow_run_id", "task_run_id",
    "command_id",   "node_name", "iteration",   "iteration_id", "attempt",         "status",
    "duration_ms",  "payload",   "seq"};

/// A short name of an event's member in scenarios, and the member.
struct EventShorthand {
  std::string_view shorthand;
  std::string_view member;
};

inline constexpr std::array<EventShorthand, 6> event_shorthands = {{
    {"type", "event_type"},
    {"id", "event_id"},
    {"time", "timestamp"},
    {"command", "command_id"},
    {"node", "node_name"},
    {"step_run", "step_run_id"},
}};

/// The event body that a scenario's event stands for: type, id, time, command, node and step_run
/// become event_type, event_id, timestamp, command_id, node_name and step_run_id. For use after
/// ${name}.
[[nodiscard]] Object expand_event_shorthands(const Object& event);

/// HTTP as it is written, malformed on purpose where it has to be.
struct RawRequest {
  std::string method;
  /// Relative to the base URL, sent as it stands after ${name}; nothing is encoded but what ${name}
  /// brings.
  std::string path;
  std::vector<Header> headers;
  /// JSON, sent compact with application/json unless a header says otherwise.
  std::optional<Value> json;
  /// Bytes, instead of json.
  std::optional<std::string> text;
};

/// The harness as worker of a driven execution: plays one open step run.
struct Play {
  std::string step;
  /// "done", "failed", or "none" for a start without an end.
  std::string outcome = "done";
  /// payload.outcome and payload.ctx of the step's end.
  Value result;
  Value ctx;
  /// Failed attempts before the last one.
  std::int64_t failed_attempts = 0;
  /// For loops: outcome by iteration index ("done" or "failed"); empty: all that are scheduled,
  /// done. One that is one ${name} with a list stands for the list's elements.
  std::vector<std::string> iterations;
  /// How often the end is posted, under new event ids.
  std::int64_t times = 1;
  /// Leave out step.started and the task events: only the end.
  bool only_end = false;
  /// The worker's name, for targets that want one.
  std::string worker = "assay-worker";
};

/// The harness as worker of a workflow execution: polls until it is handed a job of `on` (jobs of
/// other executions are left as they are) and pushes its result.
struct Job {
  /// What the job must be like, or the case could not be set up; empty: any.
  std::string type;
  std::string label;
  std::string worker = "assay-worker";
  /// false: the job stays POLLED.
  bool push = true;
  /// The result: a boolean, or text with ${name}.
  Value success = true;
  std::optional<Value> entities;
  std::optional<Value> data;
};

/// Which events a log has. Every pattern is over one event as the target lists it.
struct EventExpectation {
  /// Parameters of events.list: event_type, entity_type, entity_id.
  Object filter;
  /// The whole (filtered) log, in order.
  std::optional<std::vector<Pattern>> exactly;
  /// Each has an event of its own.
  std::vector<Pattern> contains;
  std::vector<Pattern> absent;
  std::optional<std::int64_t> count;
  /// Instead of count: a text that is one ${name}, whose value is the count when the case runs.
  std::string count_variable;
  /// The first pattern's first match comes before the second's first match; both must be there.
  std::vector<std::pair<Pattern, Pattern>> before;
  /// JSON Pointers whose values are equal in all events listed.
  std::vector<std::string> same;
  /// JSON Pointers whose values differ in all events listed.
  std::vector<std::string> distinct;
  /// A log clause (log_clauses.h) that the whole log keeps; empty: none.
  std::string keeps;
};

/// Steps whose step runs are scheduled or running now, as a multiset (scheduled: […]). An element
/// that is one ${name} with a list stands for the list's elements.
struct ScheduledSteps {
  std::vector<Value> names;
};

/// Steps that were never scheduled (never_scheduled: […]).
struct NeverScheduledSteps {
  std::vector<Value> names;
};

/// The states of a workflow execution from its first to that which it is in (path: […]). A target
/// that keeps a history is held to all of them; of one that keeps none, to what this case has
/// seen: a state that was not looked at in time may be missing, none may be there that is not in
/// the path, or not in that order.
struct StatePath {
  std::vector<Value> names;
};

/// One read and what it must show.
struct ReadExpectation {
  /// The operation that reads: executions.status, events.list, runs.get …
  std::string operation;
  Object parameters;
  /// What the answer must show; a pattern is over the mapped answer, for listings over the array of
  /// all pages' items. Nothing: `response` is all.
  std::variant<std::monostate, Pattern, EventExpectation, ScheduledSteps, NeverScheduledSteps,
               StatePath>
      shows;
  /// The read itself must be answered so, e.g. unknown.
  std::optional<AnswerPattern> response;

  /// Whether something is expected beyond how the read is answered.
  [[nodiscard]] bool expects_more() const { return shows.index() != 0; }
  /// The pattern, nullptr where something else is expected.
  [[nodiscard]] const Pattern* pattern() const { return std::get_if<Pattern>(&shows); }
  [[nodiscard]] const EventExpectation* events() const {
    return std::get_if<EventExpectation>(&shows);
  }
};

/// True at once, or within the profile's consistency window.
struct Now {};

/// Must come true in this time.
struct Within {
  std::int64_t within_ms = 0;
};

/// Must stay true for this time once it is; nothing: the profile's hold_ms.
struct Hold {
  std::optional<std::int64_t> hold_ms;
  /// It must come true in this time; nothing: as Now.
  std::optional<std::int64_t> within_ms;
};

/// Must not come true in this time; nothing: the profile's hold_ms.
struct Never {
  std::optional<std::int64_t> hold_ms;
};

/// A check: reads, what they must show, for how long, and the clauses that say so.
struct Expect {
  std::vector<ReadExpectation> reads;
  /// Empty: the scenario's clauses.
  std::vector<std::string> clauses;
  std::variant<Now, Within, Hold, Never> when;
  /// Belongs to the look of the expectation right before it: what both read is read once.
  bool same_look = false;
  /// Other readings that the specification leaves open, and why.
  std::vector<std::vector<ReadExpectation>> also_allowed;
  std::string because;

  [[nodiscard]] bool is_never() const { return std::holds_alternative<Never>(when); }
};

/// What happens to a request on its way, on purpose. Whatever it is, the client then sends the
/// request again, whole, as one does that had no answer; that answer is the step's.
enum class Delivery {
  once,             ///< Nothing happens to it, and it is sent once.
  twice,            ///< It arrives twice.
  cut_before_send,  ///< The connection closes before the first byte of the request.
  cut_after_send,   ///< The request goes out whole; nobody reads the answer.
  half_body,        ///< The head goes out, and half of the body.
  slow_body,        ///< The body goes out in pieces with pauses.
};

inline constexpr Words<Delivery::slow_body> delivery_words = {
    "once", "twice", "cut_before_send", "cut_after_send", "half_body", "slow_body"};

/// One line of the script.
struct Step {
  SourcePosition at;
  std::variant<Operate, Post, Together, Repeat, RawRequest, Play, Job, Expect> action;
  /// The execution, run or workflow execution that it is about, by the name that start's `as` gave.
  std::string on = "main";
  /// The name that later steps use for what this step makes: of start, execute and run `on` where
  /// it is not given; of retry empty where it is not given: then the new run has no name.
  std::string as;
  /// Of a post.
  Delivery delivery = Delivery::once;
  std::optional<AnswerPattern> response;
  /// The clauses that `response` proves; empty: the scenario's.
  std::vector<std::string> clauses;
  /// Elsewhere the step is passed over.
  Under under;
  /// Where the target lacks one of these, or an operation that the step uses, the step is passed
  /// over and the case goes on without it; empty: the whole case needs what the step uses.
  std::vector<std::string> needs = {};
  /// Variable to JSON Pointer into the answer (mapped; the body as it came for a raw request; the
  /// job that was handed out for a Job).
  std::map<std::string, std::string> capture;
};

/// A script with literal expectations. A matrix makes several cases of it.
struct Scenario {
  SourcePosition at;
  std::string id;
  std::string title;
  std::vector<std::string> clauses;
  std::vector<std::string> needs;
  /// Elsewhere the scenario does not apply.
  Under under;
  std::vector<std::string> tags;
  /// Where the case comes from: a public issue, a section.
  std::string source;
  std::optional<Value> playbook;
  std::map<std::string, Value> variables;
  /// Columns of equal length, read side by side; empty: one case.
  std::vector<std::pair<std::string, std::vector<Value>>> matrix;
  std::vector<Step> steps;
};

/// One case: a scenario with one row of its matrix. Its id is the scenario's, or "id[row's name]".
struct Case {
  std::string id;
  const Scenario* scenario = nullptr;
  std::map<std::string, Value> variables;
};

/// Whether the scenario has that tag.
[[nodiscard]] bool has_tag(const Scenario& scenario, std::string_view tag);

/// The cases of a scenario in matrix order.
[[nodiscard]] std::vector<Case> cases_of(const Scenario& scenario);

}  // namespace assay::core
