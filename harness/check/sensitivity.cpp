#include "harness/check/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>
#include <variant>

#include "harness/check/judge.h"

namespace assay::check {
namespace {

using core::Pattern;
using core::Verdict;

bool names(const std::vector<std::string>& clauses, std::string_view clause) {
  return std::find(clauses.begin(), clauses.end(), clause) != clauses.end();
}

/// What a case's checks of each clause came to.
std::map<std::string, Verdict> verdicts_in(const core::CaseResult& result) {
  std::map<std::string, Verdict> verdicts;
  for (const core::Check& check : result.checks) {
    for (const std::string& clause : check.clauses) {
      const auto [at, is_new] = verdicts.try_emplace(clause, check.verdict);
      if (!is_new) at->second = core::merge(at->second, check.verdict);
    }
  }
  return verdicts;
}

/// Looks through a case for what a profile hides of a clause.
class HiddenPartSearch {
 public:
  HiddenPartSearch(std::string_view clause, const core::Profile& profile)
      : clause_(clause), profile_(profile) {}

  void look_at(const core::Case& one) {
    case_ = &one;
    look_at(one.scenario->steps);
  }

  [[nodiscard]] std::vector<std::string> found() const {
    std::vector<std::string> all(members_.begin(), members_.end());
    all.insert(all.end(), words_.begin(), words_.end());
    return all;
  }

 private:
  void look_at(const std::vector<core::Step>& steps) {
    for (const core::Step& step : steps) {
      if (const auto* together = std::get_if<core::Together>(&step.action)) {
        for (const auto& branch : together->branches) look_at(branch);
      } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
        look_at(repeat->steps);
      } else if (const auto* expect = std::get_if<core::Expect>(&step.action)) {
        if (is_about_it(expect->clauses)) look_at(*expect);
      } else if (const auto* operate = std::get_if<core::Operate>(&step.action)) {
        for (const auto& [name, value] : operate->operation.parameters) look_at_word(value);
        if (step.response && step.response->body && is_about_it(step.clauses)) {
          look_at(*step.response->body, operate->operation.name);
        }
      }
    }
  }

  [[nodiscard]] bool is_about_it(const std::vector<std::string>& clauses) const {
    return names(clauses.empty() ? case_->scenario->clauses : clauses, clause_);
  }

  void look_at(const core::Expect& expect) {
    for (const core::ReadExpectation& read : expect.reads) {
      if (const Pattern* pattern = read.pattern()) look_at(*pattern, read.operation);
      if (read.events() == nullptr) continue;
      const core::EventExpectation& events = *read.events();
      for (const auto* patterns : {&events.contains, &events.absent}) {
        for (const Pattern& pattern : *patterns) look_at(pattern, read.operation);
      }
      for (const Pattern& pattern : events.exactly.value_or(std::vector<Pattern>())) {
        look_at(pattern, read.operation);
      }
      for (const auto* pointers : {&events.same, &events.distinct}) {
        for (const std::string& pointer : *pointers) {
          if (!pointer.empty()) {
            look_at_member(pointer.substr(1, pointer.find('/', 1) - 1), read.operation);
          }
        }
      }
    }
  }

  void look_at(const Pattern& pattern, const std::string& operation) {
    if (const auto* one = std::get_if<core::OperandPattern>(&pattern.form)) {
      look_at_word(one->operand);
    }
    for (const auto& [name, member] : pattern.members()) {
      look_at_member(name, operation);
      look_at(member, operation);
    }
    for (const Pattern& element : pattern.elements()) look_at(element, operation);
  }

  void look_at_member(const std::string& name, const std::string& operation) {
    const auto form = profile_.operations.find(operation);
    if (form == profile_.operations.end() || !form->second.unobserved.contains(name)) return;
    members_.insert(fmt::format("`{}` is unobserved in {}", name, operation));
  }

  void look_at_word(const Value& value) {
    if (!value.is_string()) return;
    std::string word = value.as_string();
    if (word.starts_with("${") && word.ends_with("}")) {
      const auto variable = case_->variables.find(word.substr(2, word.size() - 3));
      if (variable == case_->variables.end() || !variable->second.is_string()) return;
      word = variable->second.as_string();
    }
    if (profile_.missing_states.contains(word)) {
      words_.insert(fmt::format("the target has no word for `{}`", word));
    }
  }

  std::string_view clause_;
  const core::Profile& profile_;
  const core::Case* case_ = nullptr;
  std::set<std::string> members_;
  std::set<std::string> words_;
};

}  // namespace

std::map<std::string, std::vector<std::size_t>> holding_cases(const core::RunRecord& record,
                                                              std::span<const core::Case> cases) {
  std::set<std::string> holding;
  for (const ClauseVerdict& clause : clause_verdicts(record)) {
    if (clause.verdict == Verdict::pass) holding.insert(clause.clause);
  }
  std::unordered_map<std::string_view, std::size_t> index;
  for (std::size_t at = 0; at < cases.size(); ++at) index.emplace(cases[at].id, at);
  std::map<std::string, std::vector<std::size_t>> by_clause;
  for (const std::string& clause : holding) by_clause[clause];
  for (const core::CaseResult& result : record.cases) {
    const auto at = index.find(result.id);
    if (at == index.end()) continue;
    const bool ended_early =
        result.verdict > Verdict::pass && core::has_tag(*cases[at->second].scenario, "first-fail");
    if (ended_early) continue;
    for (const auto& [clause, verdict] : verdicts_in(result)) {
      if (verdict == Verdict::pass && holding.contains(clause)) {
        by_clause[clause].push_back(at->second);
      }
    }
  }
  return by_clause;
}

std::vector<std::string> hidden_by(std::string_view clause,
                                   std::span<const core::Case* const> cases,
                                   const core::Profile& profile) {
  HiddenPartSearch search(clause, profile);
  for (const core::Case* one : cases) search.look_at(*one);
  return search.found();
}

bool is_shown(const core::RunRecord& record, std::string_view clause) {
  if (!record.footer || !record.footer->sensitivity) return true;
  const auto& all = *record.footer->sensitivity;
  const auto found = std::find_if(all.begin(), all.end(),
                                  [clause](const auto& each) { return each.clause == clause; });
  return found != all.end() && !found->caught.empty();
}

double ShownTotal::percent() const {
  if (reached == 0) return 0;
  return 100.0 * static_cast<double>(shown) / static_cast<double>(reached);
}

ShownTotal shown_total(const core::RunRecord& record, const core::ClauseTable* clauses) {
  std::set<std::string> reached;
  for (const core::CaseResult& result : record.cases) {
    if (result.exchanges.empty()) continue;
    reached.insert(result.clauses.begin(), result.clauses.end());
    for (const core::Check& check : result.checks) {
      reached.insert(check.clauses.begin(), check.clauses.end());
    }
  }
  ShownTotal total;
  for (const ClauseVerdict& verdict : clause_verdicts(record)) {
    const core::Clause* clause = clauses == nullptr ? nullptr : clauses->find(verdict.clause);
    if (clause != nullptr && clause->level != core::Level::must) continue;
    if (!reached.contains(verdict.clause)) continue;
    ++total.reached;
    const bool holds = verdict.verdict == Verdict::pass && is_shown(record, verdict.clause);
    if (holds || verdict.verdict == Verdict::fail) ++total.shown;
  }
  return total;
}

bool shows_too_few(const core::RunRecord& record, const core::ClauseTable* clauses) {
  if (!record.footer || !record.footer->required_shown) return false;
  return shown_total(record, clauses).percent() < *record.footer->required_shown;
}

}  // namespace assay::check
