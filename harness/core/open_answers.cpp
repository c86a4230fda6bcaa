#include "harness/core/open_answers.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace assay::core {
namespace {

using By = Pattern::By;
using How = Pattern::How;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a pattern asks for certain words.
bool asks_for_words(const Pattern& pattern) {
  if (const auto* text = std::get_if<OperandPattern>(&pattern.form)) {
    const bool is_part = text->by == By::begins || text->by == By::ends || text->by == By::includes;
    return (is_part || text->by == By::literal) && text->operand.is_string();
  }
  return pattern.is(How::one_of) &&
         std::any_of(pattern.elements().begin(), pattern.elements().end(), asks_for_words);
}

class Linter {
 public:
  explicit Linter(std::vector<Diagnostic>& found) : found_(found) {}

  void check(const std::vector<Step>& steps) {
    for (const Step& step : steps) check(step);
  }

 private:
  void check(const Step& step) {
    at_ = step.at;
    if (step.response) check_problem(*step.response);
    if (const auto* together = std::get_if<Together>(&step.action)) {
      for (const auto& branch : together->branches) check(branch);
    } else if (const auto* repeat = std::get_if<Repeat>(&step.action)) {
      check(repeat->steps);
    } else if (const auto* expect = std::get_if<Expect>(&step.action)) {
      for (const ReadExpectation& read : expect->reads) check(read);
    }
  }

  void check(const ReadExpectation& read) {
    if (read.response) check_problem(*read.response);
    const Pattern* pattern = read.pattern();
    if (pattern == nullptr) return;
    check_times(*pattern);
    if (read.operation == "workflow.get") check_words(*pattern, "reason");
    if (read.operation != "executions.detail") return;
    const auto anomalies = pattern->members().find("anomalies");
    if (anomalies != pattern->members().end()) check_anomalies(anomalies->second);
  }

  void check_problem(const AnswerPattern& answer) {
    if (!answer.body) return;
    for (const char* name : {"title", "detail"}) check_words(*answer.body, name);
    check_times(*answer.body);
  }

  void check_words(const Pattern& pattern, const std::string& name) {
    const auto member = pattern.members().find(name);
    if (member != pattern.members().end() && asks_for_words(member->second)) {
      report("the words of \"" + name + "\" are the server's own: expect !type string");
    }
  }

  void check_anomalies(const Pattern& anomalies) {
    if (anomalies.is(How::unordered) || anomalies.is(By::length)) {
      report("anomalies is not a closed list: expect the items that must be there");
    }
    for (const Pattern& item : anomalies.elements()) {
      check_words(item, "reason");
      const auto* object = std::get_if<ObjectPattern>(&item.form);
      if (object != nullptr && object->exactly) {
        report("an anomaly may have more members than seq and reason");
      }
    }
  }

  void check_times(const Pattern& pattern) {
    for (const auto& [name, member] : pattern.members()) {
      const bool is_time =
          is_one_of(name, {"timestamp", "started_at", "ended_at", "created_at", "at"});
      if (is_time && (member.is(By::begins) || member.is(By::includes))) {
        report("the text of a time is the server's own: expect !instant for \"" + name + "\"");
      }
      check_times(member);
    }
    for (const Pattern& element : pattern.elements()) check_times(element);
  }

  void report(std::string message) { found_.push_back({at_, std::move(message)}); }

  std::vector<Diagnostic>& found_;
  SourcePosition at_;
};

}  // namespace

std::vector<Diagnostic> check_open_answers(const Scenario& scenario) {
  std::vector<Diagnostic> found;
  Linter(found).check(scenario.steps);
  return found;
}

}  // namespace assay::core
