#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "reports/html_parts.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;

/// Texts that occur many times, each kept once.
class Texts {
 public:
  std::size_t index_of(const std::string& text) {
    const auto [found, added] = index_.try_emplace(text, all_.size());
    if (added) all_.push_back(text);
    return found->second;
  }
  [[nodiscard]] const Json& all() const { return all_; }

 private:
  std::map<std::string, std::size_t> index_;
  Json all_ = Json::array();
};

std::string step_text(const StepReport& step) {
  std::string text = step.request;
  if (!step.sent.empty()) text += "  " + step.sent;
  return text + " → " + step.answer;
}

Json clause_indexes(const std::vector<std::string>& ids, Texts& clauses) {
  Json indexes = Json::array();
  for (const std::string& id : ids) indexes.push_back(clauses.index_of(id));
  return indexes;
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Arrays instead of objects, by the order that page/script.js reads: thousands of cases.
Json case_json(const CaseReport& each, Texts& clauses, Texts& titles, Texts& steps) {
  Json lines = Json::array();
  for (const StepReport& step : each.steps) {
    const std::size_t index = steps.index_of(step_text(step));
    lines.push_back(step.times == 1 ? Json(index) : Json::array({index, step.times}));
  }
  Json judged = Json::array();
  for (const JudgedReport& check : each.judged) {
    judged.push_back({clause_indexes(check.clauses, clauses), check.steps, check.looked_ms,
                      core::verdict_words[check.verdict]});
  }
  return {each.id,
          titles.index_of(each.title),
          outcome_words[each.outcome],
          static_cast<std::int64_t>(each.duration_ms),
          clause_indexes(each.clauses, clauses),
          std::move(lines),
          std::move(judged),
          each.is_cut ? fmt::format("{} in the record.", counted(each.exchange_count, "exchange"))
                      : each.reason};
}

}  // namespace

std::string page_data(const Report& report) {
  Texts clauses;
  Texts titles;
  Texts steps;
  Json levels = Json::array();
  for (const ClauseReport& each : report.clauses) {
    clauses.index_of(each.clause.id);
    levels.push_back(core::level_words[each.clause.level]);
  }
  // One after the other: as values of JSON, thousands of cases take many times their text.
  std::string cases;
  for (const CaseReport& each : report.cases) {
    if (!cases.empty()) cases += ',';
    cases += text_of(case_json(each, clauses, titles, steps));
  }
  const std::string text = fmt::format(
      R"({{"clauses":{},"levels":{},"titles":{},"steps":{},"cases":[{}]}})", text_of(clauses.all()),
      text_of(levels), text_of(titles.all()), text_of(steps.all()), cases);
  // No text of a target can end the element that holds it.
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    safe += letter == '<' ? std::string_view("\\u003c") : std::string_view(&letter, 1);
  }
  return safe;
}

}  // namespace assay::reports
