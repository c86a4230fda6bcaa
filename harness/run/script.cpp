#include "harness/run/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "base/encoding.h"
#include "harness/check/answer.h"
#include "harness/check/asked.h"
#include "harness/check/case_history.h"
#include "harness/check/observable.h"
#include "harness/check/text.h"
#include "harness/core/adapter_line.h"
#include "harness/core/clause_members.h"
#include "harness/core/operation_shape.h"
#include "harness/run/branches.h"
#include "harness/run/event_body.h"
#include "harness/run/expectation.h"
#include "harness/wire/json.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;
using core::Acceptance;
using core::Verdict;

/// Other people's jobs that one poll may meet before it gives up.
constexpr int most_foreign_jobs = 1'000;

std::string place_text(const core::SourcePosition& at) {
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

/// How often a request that changes something was sent: where it was more than once, an answer that
/// is not as expected may be what an earlier one of them led to.
int times_changed(const Reply& reply, const core::History& history) {
  int times = 1;
  if (core::only_reads(reply.operation)) return times;
  for (const std::size_t index : reply.exchanges) {
    const core::Exchange& exchange = history.exchanges[index];
    if (!core::only_reads(exchange.request)) times = std::max(times, exchange.times_sent);
  }
  return times;
}

std::string answered_text(const Reply& reply) {
  const core::Answer& answer = *reply.answer;
  if (answer.transport || answer.acceptance == Acceptance::unexpected ||
      answer.acceptance == Acceptance::no_answer) {
    return trouble_text(reply);
  }
  std::string text = fmt::format("{} answered {} ({})", reply.request_line, answer.status,
                                 core::acceptance_words[answer.acceptance]);
  if (!answer.body.is_null()) text += ": " + check::value_text(answer.body, 200);
  return text;
}

/// Cases leave out what a playbook may leave out; a target whose playbooks may not gets it.
void add_root_sections(Object& parameters) {
  const auto playbook = parameters.find("playbook");
  if (playbook == parameters.end() || !playbook->second.is_object()) return;
  Object& sections = playbook->second.as_object();
  sections.try_emplace("metadata", Object{{"name", "assay"}});
  sections.try_emplace("workload", Object{});
}

core::HttpRequest request_of(const core::RawRequest& raw, const Scope& scope) {
  core::HttpRequest request;
  request.method = check::substitute_text(raw.method, scope.variables());
  request.target = check::substitute_text(raw.path, scope.path_variables());
  bool has_type = false;
  for (core::Header header : raw.headers) {
    header.value = check::substitute_text(header.value, scope.variables());
    has_type |= same_without_case(header.name, "content-type");
    request.headers.push_back(std::move(header));
  }
  if (raw.json) {
    request.body = wire::to_json(check::substitute(*raw.json, scope.variables()));
    if (!has_type) request.headers.push_back({"Content-Type", "application/json"});
  } else if (raw.text) {
    request.body = check::substitute_text(*raw.text, scope.variables());
  }
  return request;
}

}  // namespace

awaitable<void> Script::run() {
  Scope scope(case_, identity_);
  const auto& extra = session_.context().profile.extra_states;
  scope.set("extra_states", static_cast<std::int64_t>(extra.size()));
  try {
    co_await run_steps(case_.scenario->steps, scope);
  } catch (const Stopped&) {
    // The check that says why is there already.
  }
}

awaitable<bool> Script::attempt(const core::Step& step, Scope& scope) {
  last_answer_.reset();
  SharedReads shared;
  try {
    co_await run_step(step, scope, shared);
  } catch (const Stopped&) {
    co_return false;
  }
  co_return true;
}

awaitable<void> Script::run_steps(const std::vector<core::Step>& steps, Scope& scope) {
  SharedReads shared;
  for (const core::Step& step : steps) {
    const auto* check = std::get_if<core::Expect>(&step.action);
    if (check == nullptr || !check->same_look) shared.forget();
    if (session_.now_ms() > session_.latest_ms()) {
      stop(step, Verdict::inconclusive,
           fmt::format("the case's {:.0f} ms were over before this step", session_.latest_ms()));
    }
    if (has_lost_answer_ && !is_in_branches_) {
      stop(step, Verdict::inconclusive, "an answer to a branch before this step was lost");
    }
    std::string fault;
    try {
      co_await run_step(step, scope, shared);
    } catch (const check::SubstitutionError& error) {
      fault = error.what();
    }
    if (!fault.empty()) stop(step, Verdict::error, "the scenario cannot go on: " + fault);
    if (ends_at_first_fail_ && !is_in_branches_ && has_failed()) throw Stopped();
  }
}

bool Script::has_failed() const {
  return std::any_of(checks_.begin(), checks_.end(),
                     [](const auto& check) { return check.verdict == Verdict::fail; });
}

awaitable<void> Script::run_step(const core::Step& step, Scope& scope, SharedReads& shared) {
  if (const auto* action = std::get_if<core::Operate>(&step.action)) {
    co_await operate(step, *action, scope);
  } else if (const auto* events = std::get_if<core::Post>(&step.action)) {
    co_await post(step, *events, scope);
  } else if (const auto* branches = std::get_if<core::Together>(&step.action)) {
    co_await together(*branches, scope);
  } else if (const auto* loop = std::get_if<core::Repeat>(&step.action)) {
    co_await repeat(*loop, scope);
  } else if (const auto* raw = std::get_if<core::RawRequest>(&step.action)) {
    co_await request(step, *raw, scope);
  } else if (const auto* played = std::get_if<core::Play>(&step.action)) {
    co_await play(step, *played, scope);
  } else if (const auto* worked = std::get_if<core::Job>(&step.action)) {
    co_await job(step, *worked, scope);
  } else {
    co_await expect(step, std::get<core::Expect>(step.action), scope, shared);
  }
}

core::Operation Script::operation_of(const core::Step& step, const core::Operate& operate,
                                     const Scope& scope) const {
  const check::Variables& variables = scope.variables();
  core::Operation operation = operate.operation;
  if (operation.name == "executions.start" && case_.scenario->playbook) {
    operation.parameters.emplace("playbook", *case_.scenario->playbook);
  }
  const auto& choices = session_.context().profile.interpretations;
  const auto sections = choices.find("root_sections");
  if (sections != choices.end() && sections->second == "required") {
    add_root_sections(operation.parameters);
  }
  operation.parameters = check::substitute(Value(operation.parameters), variables).as_object();
  const core::OperationShape* shape = core::operation_shape(operation.name);
  if (shape == nullptr) return operation;
  if (!shape->subject.empty()) {
    const std::string on = check::substitute_text(step.on, variables);
    operation.parameters.emplace(shape->subject, scope.subject(on));
  }
  const auto& optional = shape->optional;
  const bool may_name_it =
      std::find(optional.begin(), optional.end(), shape->makes) != optional.end();
  if (may_name_it && !step.as.empty()) {
    const std::string name = check::substitute_text(step.as, variables);
    operation.parameters.emplace(shape->makes, identity_.subject(name));
  }
  return operation;
}

awaitable<void> Script::settle(const core::Step& step) {
  const bool has_settled = co_await session_.settle();
  if (has_settled) co_return;
  stop(step, Verdict::inconclusive,
       fmt::format("the case's {:.0f} ms would be over before reads show what it changed",
                   session_.latest_ms()));
}

awaitable<void> Script::operate(const core::Step& step, const core::Operate& operate,
                                Scope& scope) {
  const core::Operation operation = operation_of(step, operate, scope);
  if (core::only_reads(operation.name)) co_await settle(step);
  Reply reply;
  if (operation.name == "jobs.poll") {
    reply = co_await poll_own_job(operation, scope);
  } else {
    reply = co_await session_.perform(operation);
  }
  const core::OperationShape* shape = core::operation_shape(operation.name);
  if (shape != nullptr && !shape->makes.empty() && !step.as.empty()) {
    const std::string name = check::substitute_text(step.as, scope.variables());
    const auto asked = operation.parameters.find(shape->makes);
    const auto id = check::made_id(*shape, *reply.answer);
    if (id && core::is_taken(reply.answer->acceptance)) {
      scope.name_subject(name, *id);
    } else if (asked != operation.parameters.end() && asked->second.is_string()) {
      scope.name_subject(name, asked->second);
    }
  }
  const bool has_made_nothing =
      shape != nullptr && !shape->makes.empty() && core::is_taken(reply.answer->acceptance) &&
      !check::made_id(*shape, *reply.answer) && !operation.parameters.contains(shape->makes);
  const std::string answer = answered_text(reply);
  co_await take_reply(step, reply, scope);
  // Later steps would name what the target never called by a name.
  if (has_made_nothing) {
    stop(step, Verdict::inconclusive,
         fmt::format("set-up refused: {} without {}", answer, shape->makes));
  }
}

/// Workers share one queue: a job that another case (or another client) left there is passed over.
awaitable<Reply> Script::poll_own_job(core::Operation operation, const Scope& scope) {
  Reply reply;
  for (int turn = 0; turn < most_foreign_jobs; ++turn) {
    if (turn > 0 && session_.now_ms() > session_.latest_ms()) break;
    reply = co_await session_.perform(operation);
    const auto uuid = reply.answer->mapped.string_at("uuid");
    if (!core::is_taken(reply.answer->acceptance) || !uuid || scope.is_own(*uuid)) break;
  }
  co_return reply;
}

awaitable<void> Script::post(const core::Step& step, const core::Post& post, Scope& scope) {
  List events;
  for (std::size_t index = 0; index < post.events.size(); ++index) {
    const Value event = check::substitute(post.events[index], scope.variables());
    static const std::vector<std::string> nothing;
    const auto& omit = index < post.omit.size() ? post.omit[index] : nothing;
    events.push_back(event_body(event, omit, identity_, scope));
  }
  core::Operation operation;
  operation.name = post.batch ? "events.post_batch" : "events.post";
  const std::string on = check::substitute_text(step.on, scope.variables());
  operation.parameters.emplace("execution_id", scope.subject(on));
  if (post.batch) {
    operation.parameters.emplace("events", std::move(events));
  } else {
    operation.parameters.emplace("event", events.empty() ? Value() : std::move(events.front()));
  }
  if (step.delivery != core::Delivery::once) {
    co_await session_.perform_unreliably(operation, step.delivery);
  }
  const Reply reply = co_await session_.perform(operation);
  co_await take_reply(step, reply, scope);
}

awaitable<void> Script::together(const core::Together& together, Scope& scope) {
  std::vector<Scope> scopes;
  std::int64_t next_event = scope.event_count();
  for (const auto& branch : together.branches) {
    scopes.push_back(scope);
    scopes.back().skip_events_to(next_event);
    next_event += event_allotment(branch, scope.variables());
  }
  // The scopes stay where they are from here on: the branches refer to them.
  std::vector<awaitable<void>> branches;
  for (std::size_t index = 0; index < scopes.size(); ++index) {
    branches.push_back(run_steps(together.branches[index], scopes[index]));
  }
  is_in_branches_ = true;
  try {
    co_await run_all(std::move(branches));
  } catch (...) {
    is_in_branches_ = false;
    throw;
  }
  is_in_branches_ = false;
  for (const Scope& branch : scopes) scope.adopt(branch);
  scope.skip_events_to(next_event);
}

awaitable<void> Script::repeat(const core::Repeat& repeat, Scope& scope) {
  const auto& words = session_.context().profile.extra_states;
  const std::vector<std::string> extra(words.begin(), words.end());
  const std::int64_t times = repeat_count(repeat.times, scope.variables());
  const auto outer = scope.variables().find("i");
  const std::optional<Value> outer_value =
      outer == scope.variables().end() ? std::nullopt : std::optional(outer->second);
  for (std::int64_t turn = 0; turn < times; ++turn) {
    scope.set("i", turn);
    const auto number = static_cast<std::size_t>(turn);
    if (number < extra.size()) scope.set("extra_state", extra[number]);
    co_await run_steps(repeat.steps, scope);
  }
  scope.unset("extra_state");
  if (outer_value) {
    scope.set("i", *outer_value);
  } else {
    scope.unset("i");
  }
}

awaitable<void> Script::request(const core::Step& step, const core::RawRequest& raw, Scope& scope) {
  core::HttpRequest request = request_of(raw, scope);
  if (request.method == "GET") co_await settle(step);
  const Reply reply = co_await session_.send(std::move(request));
  co_await take_reply(step, reply, scope);
}

awaitable<void> Script::expect(const core::Step& step, const core::Expect& expect, Scope& scope,
                               SharedReads& shared) {
  const std::string on = check::substitute_text(step.on, scope.variables());
  core::Expect substituted = substitute_expectation(expect, scope.variables(), scope.subject(on));
  core::Expect left = substituted;
  const std::set<std::string> asked = keep_observable(left, session_.context().profile)
                                          ? check::asked_by(left)
                                          : std::set<std::string>();
  core::Check judged = co_await judge_expectation(session_, std::move(substituted), shared);
  core::Check& check = add_check(step, expect.clauses);
  judged.clauses = std::move(check.clauses);
  judged.at = std::move(check.at);
  check = std::move(judged);
  credit(asked);
}

awaitable<void> Script::take_reply(const core::Step& step, const Reply& reply, Scope& scope) {
  last_answer_ = reply.answer;
  if (step.response) {
    if (core::asks_nothing(*step.response)) {
      if (const auto silence = silence_of(reply, nullptr)) note_lost_answer(step, *silence, reply);
    } else {
      co_await judge_response(step, reply, scope);
    }
  } else {
    require_accepted(step, reply);
  }
  if (!step.capture.empty()) capture(step, reply, scope);
}

void Script::note_lost_answer(const core::Step& step, const Silence& silence, const Reply& reply) {
  if (!is_in_branches_) stop(step, silence.verdict, silence.reason, reply.exchanges);
  has_lost_answer_ = true;
}

void Script::judge_ambiguous(const core::Step& step, const Reply& reply) {
  if (!session_.context().profile.capabilities.contains("binding.reference")) {
    stop(step, Verdict::inconclusive, trouble_text(reply), reply.exchanges);
  }
  core::Check& check = add_check(step, step.clauses);
  check.evidence = reply.exchanges;
  check.verdict = Verdict::fail;
  check.expected = fmt::format("{}: {}", reply.request_line, unambiguous_text);
  check.actual = reply.answer->trouble;
}

awaitable<void> Script::judge_response(const core::Step& step, const Reply& reply,
                                       const Scope& scope) {
  core::AnswerPattern expected = check::substitute_answer(*step.response, scope.variables());
  if (const auto silence = silence_of(reply, &expected)) {
    // Whether the target took it is not known: what would be judged from here on is not either.
    stop(step, silence->verdict, silence->reason, reply.exchanges);
  }
  if (reply.answer->is_ambiguous) {
    judge_ambiguous(step, reply);
    co_return;
  }
  if (expected.body) {
    expected.body = check::observable(*expected.body,
                                      observability(session_.context().profile, reply.operation));
  }
  if (core::asks_nothing(expected)) {
    core::Check& unseen = add_check(step, step.clauses);
    unseen.verdict = Verdict::not_applicable;
    unseen.reason = "the target exposes none of the checked fields";
    co_return;
  }
  std::optional<check::Mismatch> mismatch;
  co_await perform_on(session_.context(), reply.body_bytes, [&] {
    mismatch = check::match_answer(expected, *reply.answer, reply.headers, reply.body());
  });
  const int times = times_changed(reply, session_.history());
  if (mismatch && times > 1) {
    stop(step, Verdict::inconclusive,
         fmt::format("{} was sent {} times and may have been carried out before: {}",
                     reply.request_line, times, mismatch->actual),
         reply.exchanges);
  }
  core::Check& check = add_check(step, step.clauses);
  check.evidence = reply.exchanges;
  check.verdict = mismatch ? Verdict::fail : Verdict::pass;
  if (!mismatch) {
    credit(check::asked_by(expected, reply.operation));
    co_return;
  }
  check.expected = fmt::format("{}: {}{}{}", reply.request_line, mismatch->pointer,
                               mismatch->pointer.empty() ? "" : ": ", mismatch->expected);
  check.actual = mismatch->actual;
}

void Script::require_accepted(const core::Step& step, const Reply& reply) {
  if (core::is_taken(reply.answer->acceptance)) return;
  const Verdict verdict =
      reply.answer->transport ? verdict_of(*reply.answer->transport) : Verdict::inconclusive;
  stop(step, verdict, fmt::format("set-up refused: {}, expected accepted", answered_text(reply)),
       reply.exchanges);
}

bool Script::is_unobserved(std::string_view pointer, const Reply& reply) const {
  const auto& operations = session_.context().profile.operations;
  const auto form = operations.find(reply.operation);
  if (form == operations.end() || !pointer.starts_with('/')) return false;
  return form->second.unobserved.contains(pointer.substr(1, pointer.find('/', 1) - 1));
}

void Script::capture(const core::Step& step, const Reply& reply, Scope& scope) {
  const Value* body = reply.body();
  for (const auto& [name, pointer] : step.capture) {
    const Value* value = body == nullptr ? nullptr : body->at_pointer(pointer);
    if (value == nullptr && is_unobserved(pointer, reply)) {
      // Expectations of that member are not held against the target either.
      scope.bring(name, Value());
      continue;
    }
    if (value == nullptr) {
      stop(step, Verdict::inconclusive,
           fmt::format("nothing to capture at {} for ${{{}}}: {}", pointer, name,
                       answered_text(reply)),
           reply.exchanges);
    }
    scope.bring(name, *value);
  }
}

void Script::credit(const std::set<std::string>& asked) {
  core::Check& check = checks_.back();
  if (check.verdict != Verdict::pass) return;
  const auto first = std::stable_partition(check.clauses.begin(), check.clauses.end(),
                                           [&asked](const std::string& clause) {
                                             return core::clause_members().is_about(clause, asked);
                                           });
  if (first == check.clauses.end()) return;
  uncredited_.insert(first, check.clauses.end());
  uncredited_at_ = check.at;
  check.clauses.erase(first, check.clauses.end());
  if (!check.clauses.empty()) return;
  uncredited_evidence_.insert(check.evidence.begin(), check.evidence.end());
  checks_.pop_back();
}

std::vector<core::Check> Script::take_checks() {
  for (const core::Check& check : checks_) {
    for (const std::string& clause : check.clauses) uncredited_.erase(clause);
  }
  if (!uncredited_.empty()) {
    core::Check& unseen = checks_.emplace_back();
    unseen.clauses.assign(uncredited_.begin(), uncredited_.end());
    unseen.at = uncredited_at_;
    unseen.verdict = Verdict::not_applicable;
    unseen.reason = "nothing that the target shows here is about the clause";
  }
  return std::move(checks_);
}

core::Check& Script::add_check(const core::Step& step, const std::vector<std::string>& clauses) {
  core::Check check;
  check.clauses = clauses.empty() ? case_.scenario->clauses : clauses;
  check.at = place_text(step.at);
  checks_.push_back(std::move(check));
  return checks_.back();
}

void Script::stop(const core::Step& step, Verdict verdict, std::string reason,
                  std::vector<std::size_t> evidence) {
  core::Check& check = add_check(step, {});
  check.verdict = verdict;
  check.reason = std::move(reason);
  check.evidence = std::move(evidence);
  throw Stopped{};
}

}  // namespace assay::run
