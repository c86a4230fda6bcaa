#include "harness/run/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "base/words.h"
#include "harness/check/substitute.h"
#include "harness/core/case_name.h"
#include "harness/run/raw_path.h"
#include "harness/wire/interpretations.h"

namespace assay::run {
namespace {

using core::Scenario;
using core::Step;

template <typename Element>
bool has(const std::vector<Element>& list, const Element& wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

bool is_chosen_by_glob(const std::string& glob, const core::Case& one) {
  return glob == one.id || core::matches_glob(glob, one.id) ||
         core::matches_glob(glob, one.scenario->id);
}

bool names_clause(const std::string& glob, const Scenario& scenario) {
  return std::any_of(scenario.clauses.begin(), scenario.clauses.end(),
                     [&glob](const auto& clause) { return core::matches_glob(glob, clause); });
}

bool has_level(core::Level level, const Scenario& scenario, const core::ClauseTable& clauses) {
  return std::any_of(scenario.clauses.begin(), scenario.clauses.end(), [&](const auto& id) {
    const core::Clause* clause = clauses.find(id);
    return clause != nullptr && clause->level == level;
  });
}

template <typename Element, typename Test>
bool any_or_empty(const std::vector<Element>& list, const Test& test) {
  return list.empty() || std::any_of(list.begin(), list.end(), test);
}

bool is_chosen(const core::Case& one, const Selection& selection,
               const core::ClauseTable& clauses) {
  const Scenario& scenario = *one.scenario;
  return any_or_empty(selection.globs,
                      [&](const auto& glob) { return is_chosen_by_glob(glob, one); }) &&
         any_or_empty(selection.clauses,
                      [&](const auto& glob) { return names_clause(glob, scenario); }) &&
         any_or_empty(selection.tags, [&](const auto& tag) { return has(scenario.tags, tag); }) &&
         any_or_empty(selection.levels,
                      [&](core::Level level) { return has_level(level, scenario, clauses); });
}

std::string nothing_matches(std::string_view what, std::string_view name,
                            std::vector<std::string> candidates) {
  const std::string nearest = suggestion(name, std::move(candidates));
  return fmt::format("no {} \"{}\"{}{}", what, name, nearest.empty() ? "" : "; ", nearest);
}

void find_unmatched(std::span<const Scenario> scenarios, const std::vector<core::Case>& cases,
                    const Selection& selection, const core::ClauseTable& clauses,
                    std::vector<std::string>& problems) {
  for (const std::string& glob : selection.globs) {
    const bool matched = std::any_of(cases.begin(), cases.end(), [&glob](const core::Case& one) {
      return is_chosen_by_glob(glob, one);
    });
    if (matched) continue;
    std::vector<std::string> ids;
    for (const Scenario& scenario : scenarios) ids.push_back(scenario.id);
    const std::string folder = glob.substr(0, glob.find_last_not_of('/') + 1) + "/";
    const bool is_folder = std::any_of(ids.begin(), ids.end(), [&folder](const std::string& id) {
      return id.starts_with(folder);
    });
    problems.push_back(
        is_folder ? fmt::format("no case matches \"{}\"; did you mean '{}*'?", glob, folder)
                  : nothing_matches("case matches", glob, std::move(ids)));
  }
  for (const std::string& glob : selection.clauses) {
    const auto names = [&glob](const Scenario& scenario) { return names_clause(glob, scenario); };
    if (std::any_of(scenarios.begin(), scenarios.end(), names)) continue;
    std::vector<std::string> ids;
    for (const core::Clause& clause : clauses.clauses()) ids.push_back(clause.id);
    problems.push_back(clauses.find(glob) != nullptr
                           ? fmt::format("no case is about clause \"{}\"", glob)
                           : nothing_matches("clause", glob, std::move(ids)));
  }
  for (const std::string& tag : selection.tags) {
    std::set<std::string> tags;
    for (const Scenario& scenario : scenarios) {
      tags.insert(scenario.tags.begin(), scenario.tags.end());
    }
    if (tags.contains(tag)) continue;
    problems.push_back(nothing_matches("tag", tag, {tags.begin(), tags.end()}));
  }
}

/// A row that is chosen by its index is chosen by its name, and that is said.
Selection with_row_names(Selection selection, const std::vector<core::Case>& cases,
                         std::vector<std::string>& hints) {
  std::vector<std::string> ids;
  ids.reserve(cases.size());
  for (const core::Case& one : cases) ids.push_back(one.id);
  for (std::string& glob : selection.globs) {
    std::optional<std::string> name = core::id_of_index(glob, ids);
    if (!name) continue;
    hints.push_back(fmt::format("{} is now called {}", glob, *name));
    glob = std::move(*name);
  }
  return selection;
}

void collect(const std::vector<Step>& steps, const Scenario& scenario, std::set<std::string>& into);

void collect_reads(const std::vector<core::ReadExpectation>& reads, std::set<std::string>& into) {
  for (const core::ReadExpectation& read : reads) {
    into.insert(read.operation);
  }
}

struct Collector {
  const Scenario& scenario;
  std::set<std::string>& into;

  void operator()(const core::Operate& operate) const {
    const std::string& name = operate.operation.name;
    into.insert(name);
    const Object& parameters = operate.operation.parameters;
    if (parameters.contains("ends")) {
      into.insert(name == "runs.create" ? "runs.unattended" : "executions.unattended");
      return;
    }
    if (name != "executions.start") return;
    const bool is_driven = scenario.playbook.has_value() || parameters.contains("playbook");
    into.insert(is_driven ? "executions.driven" : "executions.replay");
  }
  void operator()(const core::Post& post) const {
    into.insert(post.batch ? "events.post_batch" : "events.post");
  }
  void operator()(const core::Together& together) const {
    for (const auto& branch : together.branches) collect(branch, scenario, into);
  }
  void operator()(const core::Repeat& repeat) const { collect(repeat.steps, scenario, into); }
  void operator()(const core::RawRequest&) const { into.insert("binding.reference"); }
  void operator()(const core::Play&) const {
    into.insert({"events.list", "events.post", "executions.driven"});
  }
  void operator()(const core::Job& job) const {
    into.insert("jobs.poll");
    if (job.push) into.insert("jobs.push");
  }
  void operator()(const core::Expect& expect) const {
    collect_reads(expect.reads, into);
    for (const auto& reads : expect.also_allowed) collect_reads(reads, into);
  }
};

void collect(const std::vector<Step>& steps, const Scenario& scenario,
             std::set<std::string>& into) {
  for (const Step& step : steps) {
    if (step.needs.empty()) std::visit(Collector{scenario, into}, step.action);
  }
}

/// The operations that raw requests ask for and the profile does not declare.
void collect_undeclared(const std::vector<Step>& steps, const core::Profile& profile,
                        std::vector<std::string>& into) {
  for (const Step& step : steps) {
    if (const auto* raw = std::get_if<core::RawRequest>(&step.action)) {
      std::string name = undeclared_operation(profile, raw->path);
      if (!name.empty() && !has(into, name)) into.push_back(std::move(name));
    } else if (const auto* together = std::get_if<core::Together>(&step.action)) {
      for (const auto& branch : together->branches) collect_undeclared(branch, profile, into);
    } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      collect_undeclared(repeat->steps, profile, into);
    }
  }
}

/// What a step run has to say and the profile's own worker does not.
void collect_unsaid(const std::vector<Step>& steps, const core::Profile& profile,
                    std::set<std::string>& into) {
  if (profile.worker.empty()) return;
  const auto is_said = [&profile](std::string_view variable) {
    return std::any_of(profile.worker.begin(), profile.worker.end(),
                       [variable](const Value& event) { return check::mentions(event, variable); });
  };
  for (const Step& step : steps) {
    if (const auto* play = std::get_if<core::Play>(&step.action)) {
      if (!play->result.is_null() && !is_said("${result}")) into.insert("${result} in worker");
      if (!play->ctx.is_null() && !is_said("${ctx}")) into.insert("${ctx} in worker");
      if (play->failed_attempts > 0) into.insert("attempts in worker");
    } else if (const auto* together = std::get_if<core::Together>(&step.action)) {
      for (const auto& branch : together->branches) collect_unsaid(branch, profile, into);
    } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      collect_unsaid(repeat->steps, profile, into);
    }
  }
}

void collect_event_types(const std::vector<Step>& steps, std::set<std::string>& into) {
  for (const Step& step : steps) {
    if (const auto* post = std::get_if<core::Post>(&step.action)) {
      for (const Value& event : post->events) {
        if (!event.is_object()) continue;
        const auto type = Value(core::expand_event_shorthands(event.as_object()));
        if (const auto name = type.string_at("event_type")) into.insert(*name);
      }
    } else if (const auto* together = std::get_if<core::Together>(&step.action)) {
      for (const auto& branch : together->branches) collect_event_types(branch, into);
    } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      collect_event_types(repeat->steps, into);
    }
  }
}

/// Whether any of the steps may be passed over: it stands under choices, or has needs of its own.
bool has_conditional_steps(const std::vector<Step>& steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step& step) {
    if (!step.under.empty() || !step.needs.empty()) return true;
    if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      return has_conditional_steps(repeat->steps);
    }
    const auto* together = std::get_if<core::Together>(&step.action);
    return together != nullptr &&
           std::any_of(together->branches.begin(), together->branches.end(), has_conditional_steps);
  });
}

/// The clauses that a step names itself.
std::vector<std::string> named_clauses(const Step& step) {
  std::vector<std::string> all = step.clauses;
  if (const auto* expect = std::get_if<core::Expect>(&step.action)) {
    all.insert(all.end(), expect->clauses.begin(), expect->clauses.end());
  }
  return all;
}

/// Drops the steps that a profile's target is not asked, and keeps what they name.
class StepFilter {
 public:
  StepFilter(const Scenario& scenario, const core::Profile& profile)
      : scenario_(scenario), profile_(profile) {}

  void drop(std::vector<Step>& steps) {
    std::erase_if(steps, [this](const Step& step) { return is_passed_over(step); });
    for (Step& step : steps) {
      for (const std::string& clause : named_clauses(step)) kept_.insert(clause);
      if (auto* together = std::get_if<core::Together>(&step.action)) {
        for (auto& branch : together->branches) drop(branch);
      } else if (auto* repeat = std::get_if<core::Repeat>(&step.action)) {
        drop(repeat->steps);
      }
    }
  }

  /// Whether steps that lack what they need were all that spoke for the clause.
  [[nodiscard]] bool is_without_steps(const std::string& clause) const {
    return lost_.contains(clause) && !kept_.contains(clause);
  }

 private:
  bool is_passed_over(const Step& step) {
    if (!wire::unmet(step.under, profile_.interpretations).empty()) return true;
    if (step.needs.empty()) return false;
    std::set<std::string> needed(step.needs.begin(), step.needs.end());
    std::visit(Collector{scenario_, needed}, step.action);
    const bool is_lacking =
        std::any_of(needed.begin(), needed.end(), [this](const std::string& capability) {
          return !profile_.capabilities.contains(capability);
        });
    if (!is_lacking) return false;
    for (const std::string& clause : named_clauses(step)) lost_.insert(clause);
    return true;
  }

  const Scenario& scenario_;
  const core::Profile& profile_;
  std::set<std::string> kept_;
  std::set<std::string> lost_;
};

}  // namespace

Plan make_plan(std::span<const Scenario> scenarios, const Selection& asked,
               const core::ClauseTable& clauses) {
  std::vector<core::Case> all;
  for (const Scenario& scenario : scenarios) {
    for (core::Case& one : core::cases_of(scenario)) all.push_back(std::move(one));
  }
  Plan plan;
  const Selection selection = with_row_names(asked, all, plan.hints);
  find_unmatched(scenarios, all, selection, clauses, plan.problems);
  for (core::Case& one : all) {
    if (is_chosen(one, selection, clauses)) plan.cases.push_back(std::move(one));
  }
  return plan;
}

std::string suggestion(std::string_view name, std::vector<std::string> candidates) {
  std::vector<std::string> nearest;
  while (nearest.size() < 3) {
    const auto next = nearest_name(name, candidates);
    if (!next) break;
    nearest.push_back(*next);
    std::erase(candidates, *next);
  }
  if (nearest.empty()) return "";
  if (nearest.size() == 1) return fmt::format("did you mean {}?", nearest.front());
  const std::string last = nearest.back();
  nearest.pop_back();
  return fmt::format("did you mean {} or {}?", fmt::join(nearest, ", "), last);
}

std::optional<Scenario> as_asked_of(const core::Profile& profile, const Scenario& scenario) {
  if (!has_conditional_steps(scenario.steps)) return std::nullopt;
  Scenario left = scenario;
  StepFilter filter(scenario, profile);
  filter.drop(left.steps);
  std::erase_if(left.clauses,
                [&](const std::string& clause) { return filter.is_without_steps(clause); });
  return left;
}

std::set<std::string> capabilities_of(const Scenario& scenario) {
  std::set<std::string> needed(scenario.needs.begin(), scenario.needs.end());
  collect(scenario.steps, scenario, needed);
  return needed;
}

std::vector<std::string> missing_for(const Scenario& scenario, const core::Profile& profile) {
  std::vector<std::string> missing = wire::unmet(scenario.under, profile.interpretations);
  for (const std::string& capability : capabilities_of(scenario)) {
    if (!profile.capabilities.contains(capability)) missing.push_back(capability);
  }
  collect_undeclared(scenario.steps, profile, missing);
  std::set<std::string> types;
  collect_event_types(scenario.steps, types);
  for (const std::string& type : types) {
    const auto name = profile.event_names.find(type);
    if (name != profile.event_names.end() && name->second.empty()) {
      missing.push_back("event " + type);
    }
  }
  std::set<std::string> unsaid;
  collect_unsaid(scenario.steps, profile, unsaid);
  missing.insert(missing.end(), unsaid.begin(), unsaid.end());
  std::sort(missing.begin(), missing.end());
  return missing;
}

}  // namespace assay::run
