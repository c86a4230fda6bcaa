#include "properties/recorder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <variant>

#include "base/result.h"
#include "harness/check/instant.h"
#include "harness/check/match.h"
#include "harness/check/substitute.h"
#include "harness/core/operation_shape.h"
#include "harness/run/plan.h"
#include "harness/wire/exchange.h"
#include "properties/cause.h"
#include "properties/oracle.h"
#include "properties/problem.h"
#include "properties/projection.h"

namespace assay::properties {
namespace {

using core::Acceptance;
using core::Pattern;
using How = Pattern::How;

/// As unlike as two plays can be, down to every liberty that a sound server has: whatever they
/// agree on was not made by chance, and is nobody's own choice.
const OracleSetup first_setup{"play-one", 1'767'225'600'000'000'000, 1, false};
const OracleSetup second_setup{"another", 1'924'992'000'000'000'000, 99, true};

bool names_a_command(const Value& event) {
  if (!event.is_object()) return true;
  for (const std::string_view member : {"type", "event_type", "event_alias"}) {
    const Value* name = event.find(member);
    // "command.issued", "CommandIssued"
    if (name == nullptr || !name->is_string()) continue;
    if (name->as_string().find("ommand") != std::string::npos) return true;
  }
  return false;
}

/// Whether a command may come to be by the step, where no playbook makes the server issue any.
bool may_issue_a_command(const core::Step& step) {
  if (const auto* operate = std::get_if<core::Operate>(&step.action)) {
    return operate->operation.parameters.contains("playbook");
  }
  const auto* post = std::get_if<core::Post>(&step.action);
  return post == nullptr || std::ranges::any_of(post->events, names_a_command);
}

std::string made_of(const core::Step& step) {
  if (const auto* operate = std::get_if<core::Operate>(&step.action)) {
    return operate->operation.name;
  }
  if (const auto* post = std::get_if<core::Post>(&step.action)) {
    if (post->batch) return "events.post_batch";
    const Value& event = post->events.front();
    return event.string_at("type").value_or(event.string_at("event_type").value_or("event"));
  }
  if (const auto* play = std::get_if<core::Play>(&step.action)) return "play " + play->outcome;
  if (const auto* raw = std::get_if<core::RawRequest>(&step.action)) {
    return raw->method + " " + raw->path.substr(0, raw->path.find('?'));
  }
  if (std::holds_alternative<core::Job>(step.action)) return "job";
  return "step";
}

Value with_members(const Value& object, const std::vector<std::string>& members) {
  if (members.empty() || !object.is_object()) return object;
  Object kept;
  for (const std::string& name : members) {
    if (const Value* value = object.find(name)) kept.emplace(name, *value);
  }
  return kept;
}

/// Times as moments, which a target with a clock of its own is not held to.
Pattern with_instants(Pattern pattern) {
  const Value* literal = pattern.literal();
  if (literal != nullptr && literal->is_string() && check::parse_instant(literal->as_string())) {
    std::get<core::OperandPattern>(pattern.form).by = Pattern::By::instant;
  }
  for_each_part(pattern, [](Pattern& part) { part = with_instants(std::move(part)); });
  return pattern;
}

/// Whether an execution is expected not to have begun, at whatever depth.
bool expects_pending(const Pattern& pattern) {
  const auto state = pattern.members().find("state");
  if (state != pattern.members().end()) {
    const Value* literal = state->second.literal();
    if (literal != nullptr && *literal == Value("PENDING")) return true;
  }
  bool is_below = false;
  for_each_part(pattern, [&is_below](const Pattern& part) { is_below |= expects_pending(part); });
  return is_below;
}

/// The items of a listing, any other answer as it is.
const Value& observed(const Observation& observation, const Value* answer) {
  static const Value none = List();
  const core::OperationShape* shape = core::operation_shape(observation.operation);
  if (shape == nullptr || !shape->listing) return *answer;
  const Value* items = answer->find("items");
  return items == nullptr ? none : *items;
}

}  // namespace

/// One draft on its way to a scenario.
class Take : public View {
 public:
  Take(const core::Profile& reference, const core::Profile& target, const Family& family,
       core::Scenario& scenario)
      : target_(target),
        family_(family),
        scenario_(scenario),
        first_(reference, scenario, first_setup),
        second_(reference, scenario, second_setup) {}

  const Value& read(std::string_view operation, std::string_view on,
                    const Object& parameters) const override {
    return first_.read(operation, on, parameters);
  }
  const std::vector<core::Step>& steps() const override { return scenario_.steps; }
  const Value& playbook() const override {
    static const Value none;
    return scenario_.playbook ? *scenario_.playbook : none;
  }

  /// The capabilities and events that the target has not and the step is made of.
  [[nodiscard]] std::vector<std::string> missing_for(const core::Step& step) const {
    core::Scenario alone;
    // That there is one is all that counts.
    if (scenario_.playbook) alone.playbook = Value();
    alone.steps.push_back(step);
    return run::missing_for(alone, target_);
  }

  enum class Added : std::uint8_t {
    yes,
    no,
    /// It is, and the sound server rightly refuses to make what the case is about.
    refused,
    /// Not, and something of it may have happened all the same.
    broken,
  };

  /// Whether the step, and what is watched after it, is in the scenario now. `opens`: it is one of
  /// the opening.
  Added add(core::Step step, bool opens = false) {
    if (!has_words_for(step)) return Added::no;
    const std::string before = family_.state == nullptr ? "" : family_.state(*this);
    const bool asks = std::holds_alternative<core::Operate>(step.action) ||
                      std::holds_alternative<core::Post>(step.action) ||
                      std::holds_alternative<core::RawRequest>(step.action);
    if (asks && !step.response) step.response.emplace();
    may_have_commands_ |= scenario_.playbook || may_issue_a_command(step);
    const bool first = first_.play(step);
    const bool second = second_.play(step);
    if (!first || !second) return Added::broken;
    names_ = known_names();
    TakenStep taken{step, made_of(step), before, Acceptance::accepted, *this};
    if (asks && !judge_answer(step, taken)) return Added::no;
    step.at = place(taken, "answer");
    scenario_.steps.push_back(step);
    if (opens && !step.as.empty() && !core::is_taken(taken.acceptance)) return Added::refused;
    if (name_subjects_of(step)) names_ = known_names();
    if (family_.observe == nullptr) return Added::yes;
    for (const Observation& observation : family_.observe(taken)) look(observation, taken);
    return Added::yes;
  }

  /// Steps that nobody can foresee the answers to; false where the target has no words for one.
  bool add_clients(std::vector<core::Step> steps) {
    for (core::Step& step : steps) {
      if (!has_words_for(step)) return false;
      step.at = {.file = fmt::format("{}: concurrent clients", family_.id),
                 .line = static_cast<int>(scenario_.steps.size() + 1),
                 .column = 1};
      scenario_.steps.push_back(std::move(step));
    }
    return true;
  }

  void finish() {
    if (family_.observe_end == nullptr || scenario_.steps.empty()) return;
    const core::Step last = scenario_.steps.front();
    const TakenStep end{last, "the end", family_.state == nullptr ? "" : family_.state(*this),
                        Acceptance::accepted, *this};
    for (const Observation& observation : family_.observe_end(*this)) look(observation, end);
  }

 private:
  [[nodiscard]] bool has_words_for(const core::Operation& operation) const {
    return wire::in_the_targets_words(target_, operation).has_value();
  }

  [[nodiscard]] bool has_words_for(const core::Step& step) const {
    const auto* operate = std::get_if<core::Operate>(&step.action);
    return missing_for(step).empty() && (operate == nullptr || has_words_for(operate->operation));
  }

  /// Whether a command waits or runs now: what a server makes of an event often depends on it.
  [[nodiscard]] bool has_open_command(const TakenStep& taken) const {
    if (taken.before.empty() || !may_have_commands_) return false;
    const Value* commands = taken.view.read("executions.detail").find("commands");
    if (commands == nullptr || !commands->is_list()) return false;
    const List& all = commands->as_list();
    return std::any_of(all.begin(), all.end(), [](const Value& command) {
      const std::string state = command.string_at("state").value_or("");
      return state == "ISSUED" || state == "CLAIMED" || state == "RUNNING";
    });
  }

  [[nodiscard]] core::SourcePosition place(const TakenStep& taken, std::string_view what) const {
    return {.file = fmt::format("{}: {}{}{}{}: {}", family_.id, taken.made,
                                taken.before.empty() ? "" : " in ", taken.before,
                                has_open_command(taken) ? open_command_mark : "", what),
            .line = static_cast<int>(scenario_.steps.size() + 1),
            .column = 1};
  }

  /// Makes the reference's answer the expected one; false where the step is better left out.
  bool judge_answer(core::Step& step, TakenStep& taken) {
    const core::Answer* first = first_.answer();
    const core::Answer* second = second_.answer();
    if (first == nullptr || second == nullptr || first->acceptance != second->acceptance)
      return true;
    taken.acceptance = first->acceptance;
    if (family_.takes_any_answer != nullptr && family_.takes_any_answer(taken)) return true;
    std::vector<std::string> clauses;
    if (family_.answer != nullptr) clauses = family_.answer(taken);
    if (clauses.empty()) {
      step.response.reset();
      return core::is_taken(taken.acceptance);
    }
    if (std::holds_alternative<core::RawRequest>(step.action)) {
      step.response = expected_problem(*first, *second, clauses, names_);
      step.clauses = std::move(clauses);
      return true;
    }
    step.response->acceptances = {taken.acceptance};
    if (family_.answer_members != nullptr) {
      const std::vector<std::string> members = family_.answer_members(taken);
      if (!members.empty()) {
        step.response->body = as_the_target_says_it(literal_of(
            with_members(first->mapped, members), with_members(second->mapped, members), names_));
      }
    }
    // A server that can't say that it has seen it before may say that it took it; and of what was
    // lost on its way nobody knows whether it arrived. What is refused is so however it comes.
    if (step.delivery != core::Delivery::once && core::is_taken(taken.acceptance)) {
      step.response->acceptances = {Acceptance::accepted, Acceptance::duplicate};
    } else if (taken.acceptance == Acceptance::duplicate) {
      step.response->acceptances.push_back(Acceptance::accepted);
    }
    step.clauses = std::move(clauses);
    return true;
  }

  /// Whether there are more subjects with the step.
  bool name_subjects_of(const core::Step& step) {
    const std::size_t known = subjects_.size();
    subjects_.insert(step.on);
    if (!step.as.empty()) subjects_.insert(step.as);
    return subjects_.size() > known;
  }

  [[nodiscard]] std::vector<KnownName> known_names() const {
    std::vector<KnownName> known{{"unique", first_.unique(), second_.unique()}};
    for (const std::string& name : subjects_) {
      known.push_back({"id:" + name, first_.subject(name), second_.subject(name)});
    }
    return known;
  }

  [[nodiscard]] Pattern as_the_target_says_it(Pattern pattern) const {
    return target_.own_times ? with_instants(std::move(pattern)) : pattern;
  }

  /// The last item of a listing, or as much as there is.
  static Value last_of(const Value& items) {
    if (!items.is_list() || items.as_list().empty()) return items;
    return List{items.as_list().back()};
  }

  /// What the sound server shows, both times, of these members.
  Pattern pattern_of(const Observation& observation, const std::vector<std::string>& members) {
    const Value& first = observed(
        observation, &first_.read(observation.operation, observation.on, observation.parameters));
    const Value& second = observed(
        observation, &second_.read(observation.operation, observation.on, observation.parameters));
    const Projection part{members,
                          observation.exactly,
                          observation.in_any_order,
                          observation.only_item,
                          observation.operation,
                          observation.choice};
    Pattern pattern = observation.newest ? projected(part, last_of(first), last_of(second), names_)
                                         : projected(part, first, second, names_);
    const bool is_list = pattern.is(How::list) || pattern.is(How::unordered);
    if ((observation.among_others || observation.newest) && is_list) {
      std::get<core::ElementsPattern>(pattern.form).how = How::contains;
    }
    return as_the_target_says_it(std::move(pattern));
  }

  /// Whether what the second play shows keeps a rule that the first one's state is the source of:
  /// how many events a log has differs where one of them took what the other may refuse.
  [[nodiscard]] bool is_kept_by_the_second_play(const core::Pattern& rule,
                                                const Observation& observation) {
    check::Variables variables;
    for (const KnownName& name : names_) variables.insert_or_assign(name.name, name.second);
    const Value& shown =
        second_.read(observation.operation, observation.on, observation.parameters);
    try {
      return check::matches(check::substitute(rule, variables), &observed(observation, &shown));
    } catch (const check::SubstitutionError&) {
      // It names what the case has kept of the target's own answers.
      return true;
    }
  }

  /// What the observation must show where what it is given is so.
  Pattern expected_of(const Observation& observation) {
    Pattern expected =
        observation.rule ? *observation.rule : pattern_of(observation, observation.members);
    if (observation.given.empty()) return expected;
    Pattern given = pattern_of(observation, observation.given);
    if (auto* object = std::get_if<core::ObjectPattern>(&expected.form)) {
      object->members.insert(given.members().begin(), given.members().end());
    }
    Pattern otherwise{core::ElementsPattern{How::none_of, {std::move(given)}}};
    return {core::ElementsPattern{How::one_of, {std::move(expected), std::move(otherwise)}}};
  }

  void look(const Observation& observation, const TakenStep& taken) {
    if (!target_.capabilities.contains(observation.operation)) return;
    if (!has_words_for(core::Operation{observation.operation, observation.parameters})) return;
    if (observation.of_the_binding && !target_.capabilities.contains("binding.reference")) return;
    if (observation.rule && !is_kept_by_the_second_play(*observation.rule, observation)) return;
    core::ReadExpectation read;
    read.operation = observation.operation;
    read.parameters = observation.parameters;
    if (!observation.keeps.empty()) {
      read.shows.emplace<core::EventExpectation>().keeps = observation.keeps;
    } else if (!observation.before.empty()) {
      read.shows.emplace<core::EventExpectation>().before = observation.before;
    } else {
      Pattern pattern = expected_of(observation);
      // On a target where executions begin at once the case goes on without this look.
      if (!target_.capabilities.contains("executions.pending") && expects_pending(pattern)) return;
      read.shows = std::move(pattern);
    }
    core::Expect expect;
    expect.reads.push_back(std::move(read));
    expect.clauses = observation.clauses;
    // Nothing has changed since the observation before it: one look is enough for both.
    expect.same_look = !scenario_.steps.empty() &&
                       std::holds_alternative<core::Expect>(scenario_.steps.back().action);
    core::Step step;
    step.on = observation.on;
    const std::string what = observation.keeps.empty()
                                 ? fmt::format("{}", fmt::join(observation.members, ","))
                                 : observation.keeps;
    step.at = place(taken, fmt::format("{} {}", observation.operation, what));
    step.action = std::move(expect);
    name_subjects_of(step);
    scenario_.steps.push_back(std::move(step));
  }

  const core::Profile& target_;
  const Family& family_;
  core::Scenario& scenario_;
  /// What the steps so far are about.
  std::set<std::string> subjects_{"main"};
  /// As of the last step.
  std::vector<KnownName> names_;
  /// Nothing is asked for what cannot be there.
  bool may_have_commands_ = false;
  mutable Oracle first_;
  Oracle second_;
};

namespace {

core::Scenario blank(const Family& family, const std::string& case_id) {
  core::Scenario scenario;
  scenario.id = case_id;
  scenario.title = family.title;
  scenario.needs = family.needs;
  // What the sound server shows after a difference is not what this one would have to.
  scenario.tags = {"property", "first-fail"};
  scenario.at.file = family.id;
  return scenario;
}

/// How often a case has met each kind of command in each state.
class Sightings {
 public:
  explicit Sightings(std::size_t kinds) : kinds_(kinds) {}

  /// The kind met least there, from `first` on, which counts as met once more.
  std::size_t rarest(const std::string& state, std::size_t first) {
    std::vector<int>& met = met_.try_emplace(state, kinds_).first->second;
    std::size_t rarest = first;
    for (std::size_t step = 1; step < kinds_; ++step) {
      const std::size_t kind = (first + step) % kinds_;
      if (met[kind] < met[rarest]) rarest = kind;
    }
    ++met[rarest];
    return rarest;
  }

 private:
  std::size_t kinds_;
  std::map<std::string, std::vector<int>> met_;
};

/// What the checks of a scenario accuse of, sorted, each once.
std::vector<std::string> clauses_of(const core::Scenario& scenario) {
  std::set<std::string> clauses;
  for (const core::Step& step : scenario.steps) {
    clauses.insert(step.clauses.begin(), step.clauses.end());
    if (const auto* expect = std::get_if<core::Expect>(&step.action)) {
      clauses.insert(expect->clauses.begin(), expect->clauses.end());
    }
  }
  return {clauses.begin(), clauses.end()};
}

/// The recording of a draft, or the index of the move at which it broke.
Result<Recording, std::size_t> try_record(const core::Profile& reference,
                                          const core::Profile& target, const Family& family,
                                          const Draft& draft, const std::string& case_id) {
  Recording recording{blank(family, case_id), {draft.construction, {}}, {}};
  Opening opening = family.open == nullptr ? Opening{} : family.open(draft);
  recording.scenario.playbook = std::move(opening.playbook);
  Take take(reference, target, family, recording.scenario);
  for (const core::Step& step : opening.steps) {
    const Take::Added added = take.add(step, true);
    if (added == Take::Added::yes) continue;
    if (added == Take::Added::refused) {
      recording.scenario.clauses = clauses_of(recording.scenario);
      return recording;
    }
    if (step.as.empty() && family.clients == nullptr) continue;
    // Without what it is about, or the state that its clients meet in, nothing is left of the case.
    for (std::string& name : take.missing_for(step)) recording.scenario.needs.push_back(name);
    return recording;
  }
  if (family.clients != nullptr) {
    if (!take.add_clients(family.clients(draft.moves, family.kinds))) return recording;
    recording.draft.moves = draft.moves;
    recording.lines.assign(draft.moves.size(), 0);
    recording.scenario.clauses = family.clauses;
    return recording;
  }
  Sightings sightings(family.kinds.size());
  std::set<std::string> missing;
  for (std::size_t index = 0; index < draft.moves.size(); ++index) {
    Move move = draft.moves[index];
    if (draft.takes_rarest) {
      move.kind = sightings.rarest(family.state == nullptr ? "" : family.state(take), move.kind);
    }
    std::optional<core::Step> step = family.step(family.kinds.at(move.kind).name, move, take);
    if (!step) continue;
    for (std::string& name : take.missing_for(*step)) missing.insert(std::move(name));
    const int line = static_cast<int>(recording.scenario.steps.size()) + 1;
    const Take::Added added = take.add(*std::move(step));
    if (added == Take::Added::broken) return unexpected(index);
    if (added == Take::Added::no) continue;
    recording.draft.moves.push_back(move);
    recording.lines.push_back(line);
  }
  take.finish();
  recording.scenario.clauses = clauses_of(recording.scenario);
  // Nothing is left that could be judged: for want of words, and not of a finding.
  if (recording.scenario.clauses.empty()) {
    recording.scenario.needs.insert(recording.scenario.needs.end(), missing.begin(), missing.end());
  }
  return recording;
}

}  // namespace

Recording Recorder::record(const Family& family, const Draft& draft,
                           const std::string& case_id) const {
  Draft rest = draft;
  while (true) {
    auto tried = try_record(reference_, target_, family, rest, case_id);
    if (tried) return *std::move(tried);
    rest.moves.erase(rest.moves.begin() + static_cast<std::ptrdiff_t>(tried.error()));
  }
}

}  // namespace assay::properties
