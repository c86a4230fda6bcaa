#include "harness/run/case_runner.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/encoding.h"
#include "harness/check/case_history.h"
#include "harness/check/concurrency.h"
#include "harness/check/judge.h"
#include "harness/check/transition_clauses.h"
#include "harness/core/undeclared.h"
#include "harness/run/hooks.h"
#include "harness/run/identity.h"
#include "harness/run/pairing.h"
#include "harness/run/plan.h"
#include "harness/run/script.h"

namespace assay::run {
namespace {

using core::Verdict;

core::CaseResult blank_result(const RunContext& context, const core::Case& one) {
  core::CaseResult result;
  result.id = one.id;
  result.title = one.scenario->title;
  result.seed = fmt::format("{}", context.seed);
  result.clauses = one.scenario->clauses;
  result.repro = repro_command(context, one.id);
  return result;
}

/// The clauses of the HTTP binding bind only who declares to speak it: a check of nothing else is
/// dropped elsewhere, so that it cannot weigh in the case's verdict.
void drop_binding_clauses(core::CaseResult& result, const core::Profile& profile) {
  if (profile.capabilities.contains("binding.reference")) return;
  const auto is_binding = [](const std::string& clause) { return clause.starts_with("API-"); };
  std::erase_if(result.clauses, is_binding);
  std::erase_if(result.checks, [&](core::Check& check) {
    return std::erase_if(check.clauses, is_binding) > 0 && check.clauses.empty();
  });
}

/// No run was ever in a status that the target has no word for: what looks like a transition from
/// it or to it says nothing of the clause that allows it.
void drop_transitions_of_missing_states(core::CaseResult& result, const core::Profile& profile) {
  const auto missing = check::clauses_of_missing_transitions(profile.missing_states);
  const auto is_missing = [&missing](const std::string& clause) {
    return missing.contains(clause);
  };
  for (core::Check& check : result.checks) {
    if (check.clauses.empty() ||
        !std::all_of(check.clauses.begin(), check.clauses.end(), is_missing)) {
      std::erase_if(check.clauses, is_missing);
      continue;
    }
    check.verdict = Verdict::not_applicable;
    check.reason = "the target has no word for a status of this transition";
    check.expected.clear();
    check.actual.clear();
  }
  // A clause of the case without a check would pass for one that it never came to.
  std::erase_if(result.clauses, [&](const std::string& clause) {
    return is_missing(clause) &&
           std::none_of(result.checks.begin(), result.checks.end(), [&clause](const auto& check) {
             return std::count(check.clauses.begin(), check.clauses.end(), clause) > 0;
           });
  });
}

/// What the checks accuse or clear of, sorted: of a case that ended at its first fail the others
/// are not told, and what other cases say of them stands.
std::vector<std::string> clauses_of(const std::vector<core::Check>& checks) {
  std::set<std::string> clauses;
  for (const core::Check& check : checks)
    clauses.insert(check.clauses.begin(), check.clauses.end());
  return {clauses.begin(), clauses.end()};
}

/// Where the first steps stand that are sent at the same moment, nullptr where there are none.
const core::SourcePosition* find_branches(const std::vector<core::Step>& steps) {
  for (const core::Step& step : steps) {
    if (std::holds_alternative<core::Together>(step.action)) return &step.at;
    const auto* repeat = std::get_if<core::Repeat>(&step.action);
    const auto* found = repeat == nullptr ? nullptr : find_branches(repeat->steps);
    if (found != nullptr) return found;
  }
  return nullptr;
}

/// The checks of what the branches did at the same time.
void add_concurrency_checks(core::CaseResult& result, const core::Profile& profile,
                            const core::SourcePosition& at) {
  const auto which = result.checks.empty() ? check::Histories::all : check::Histories::overlapping;
  for (core::Check& check : check::judge_concurrent_calls(result.history, profile, which)) {
    check.clauses = result.clauses;
    check.at = fmt::format("{}:{}:{}", at.file, at.line, at.column);
    result.checks.push_back(std::move(check));
  }
}

/// What the script came to once it ended; a reason that it did not apply weighs only where nothing
/// was found before.
void conclude(core::CaseResult& result, const std::string& inapplicable, const std::string& fault) {
  if (!fault.empty()) {
    core::Check check;
    check.clauses = result.clauses;
    check.verdict = Verdict::error;
    check.reason = "the harness failed: " + fault;
    result.checks.push_back(std::move(check));
  }
  result.verdict = check::case_verdict(result.checks);
  if (!inapplicable.empty() && result.verdict != Verdict::fail) {
    result.verdict = Verdict::not_applicable;
    result.reason = inapplicable;
  } else if (result.checks.empty()) {
    result.reason = "the case made no check";
  }
}

/// For a case that turned out not to apply: `verify` has to ask the same to come to that again.
std::set<std::size_t> every_exchange_of(const core::History& history) {
  const auto all = std::views::iota(std::size_t{0}, history.exchanges.size());
  return {all.begin(), all.end()};
}

}  // namespace

std::string repro_command(const RunContext& context, std::string_view case_id) {
  const std::string command =
      context.command.empty()
          ? fmt::format("assay run --profile {} --target {}", shell_word(context.profile.name),
                        shell_word(context.target.location()))
          : context.command;
  return fmt::format("{} --case {} --seed {}", command, shell_word(case_id), context.seed);
}

core::CaseResult not_applicable(const RunContext& context, const core::Case& one,
                                std::string reason) {
  core::CaseResult result = blank_result(context, one);
  result.verdict = Verdict::not_applicable;
  result.reason = std::move(reason);
  return result;
}

boost::asio::awaitable<core::CaseResult> run_case(const RunContext& context, core::Case one) {
  const std::optional<core::Scenario> chosen = as_asked_of(context.profile, *one.scenario);
  if (chosen) one.scenario = &*chosen;
  const auto missing = missing_for(*one.scenario, context.profile);
  if (!missing.empty()) {
    co_return not_applicable(context, one, core::undeclared_reason(missing));
  }
  const auto began = std::chrono::steady_clock::now();
  const Identity identity(context.prefix, one.id);
  Session session(context, identity.unique());
  const core::SourcePosition* branches = find_branches(one.scenario->steps);
  Script script(session, one, identity);
  std::string inapplicable;
  std::string fault;
  bool is_interrupted = false;
  try {
    co_await script.run();
  } catch (const Interrupted&) {
    is_interrupted = true;
  } catch (const NotApplicable& reason) {
    inapplicable = reason.what();
  } catch (const std::exception& error) {
    fault = error.what();
  }
  core::CaseResult result = blank_result(context, one);
  const bool ended_at_fail = script.ended_at_fail();
  result.checks = script.take_checks();
  if (ended_at_fail) result.clauses = clauses_of(result.checks);
  result.history = session.take_history();
  result.duration_ms = session.now_ms();
  const std::size_t answer_bytes = body_bytes_of(result.history.exchanges);
  std::vector<std::pair<std::string, std::string>> made;
  std::vector<core::Operation> undoings;
  co_await perform_on(context, answer_bytes, [&] {
    if (branches != nullptr) add_concurrency_checks(result, context.profile, *branches);
    check::record_exchanges(result, inapplicable.empty() ? script.uncredited_evidence()
                                                         : every_exchange_of(result.history));
    made = check::made_things(result.history);
    undoings = check::undoings(result.history);
  });
  if (context.cleans_up) {
    session.wind_up();
    co_await undo(session, undoings);
    co_await clean_up(session, made);
  }
  if (is_interrupted) throw Interrupted();
  co_await doubt_mixed_answers(context.target, began, result.checks);
  drop_binding_clauses(result, context.profile);
  drop_transitions_of_missing_states(result, context.profile);
  conclude(result, inapplicable, fault);
  core::Secrets secrets = context.secrets;
  secrets.add(context.login->secrets);
  co_await perform_on(context, answer_bytes, [&] { mask_secrets(result, secrets); });
  co_return result;
}

}  // namespace assay::run
