#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reports/html_parts.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

/// A JSON string that is safe inside a script: no text of a target can end the element.
std::string script_string(std::string_view text) {
  std::string out =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  for (std::size_t at = out.find('<'); at != std::string::npos; at = out.find('<', at)) {
    out.replace(at, 1, "\\u003c");
  }
  return out;
}

/// Elements of a JSON array, written one after the other: as values of JSON, thousands of cases
/// take many times their text.
class Elements {
 public:
  void add(std::string_view element) {
    if (text_.size() > 1) text_ += ',';
    text_ += element;
  }
  /// The array, once; thousands of cases are not copied for it.
  [[nodiscard]] std::string array() && {
    text_ += ']';
    return std::move(text_);
  }

 private:
  std::string text_ = "[";
};

/// Texts that occur many times, each kept once.
class Texts {
 public:
  std::size_t index_of(const std::string& text) {
    const auto [found, added] = index_.try_emplace(text, index_.size());
    if (added) all_.add(script_string(text));
    return found->second;
  }
  [[nodiscard]] std::string array() && { return std::move(all_).array(); }

 private:
  std::unordered_map<std::string, std::size_t> index_;
  Elements all_;
};

std::string step_text(const StepReport& step) {
  std::string text = step.request;
  if (!step.sent.empty()) text += "  " + step.sent;
  return text + " → " + step.answer;
}

std::string clause_indexes(const std::vector<std::string>& ids, Texts& clauses) {
  Elements indexes;
  for (const std::string& id : ids) indexes.add(std::to_string(clauses.index_of(id)));
  return std::move(indexes).array();
}

/// Arrays instead of objects, by the order that page/script.js reads: thousands of cases.
std::string case_array(const CaseReport& each, Texts& clauses, Texts& titles, Texts& steps) {
  Elements lines;
  for (const StepReport& step : each.steps) {
    const std::size_t index = steps.index_of(step_text(step));
    lines.add(step.times == 1 ? std::to_string(index) : fmt::format("[{},{}]", index, step.times));
  }
  Elements judged;
  for (const JudgedReport& check : each.judged) {
    judged.add(fmt::format(R"([{},{},{},"{}"])", clause_indexes(check.clauses, clauses),
                           check.steps, check.looked_ms, core::verdict_words[check.verdict]));
  }
  return fmt::format(
      R"([{},{},"{}",{},{},{},{},{}])", script_string(each.id), titles.index_of(each.title),
      outcome_words[each.outcome], static_cast<std::int64_t>(each.duration_ms),
      clause_indexes(each.clauses, clauses), std::move(lines).array(), std::move(judged).array(),
      script_string(each.is_cut
                        ? fmt::format("{} in the record.", counted(each.exchange_count, "exchange"))
                        : each.reason));
}

}  // namespace

std::string page_data(const Report& report) {
  Texts clauses;
  Texts titles;
  Texts steps;
  Elements levels;
  for (const ClauseReport& each : report.clauses) {
    clauses.index_of(each.clause.id);
    levels.add(fmt::format("\"{}\"", core::level_words[each.clause.level]));
  }
  Elements cases;
  for (const CaseReport& each : report.cases) cases.add(case_array(each, clauses, titles, steps));
  std::string data = fmt::format(R"({{"clauses":{},"levels":{},"titles":{},"steps":{},"cases":)",
                                 std::move(clauses).array(), std::move(levels).array(),
                                 std::move(titles).array(), std::move(steps).array());
  return data.append(std::move(cases).array()).append("}");
}

}  // namespace assay::reports
