#include "reports/comparison_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "base/visible.h"
#include "reports/wording.h"

namespace assay::reports {
namespace {

constexpr std::size_t limit_signature_bytes = 400;

constexpr const char* upgrade_note =
    "upgrade preview: a different suite judged the newer run, so a difference may come from what "
    "was asked\n";

/// One kind of difference, with the words for it.
struct Section {
  const char* key;
  const char* title;
  const std::vector<check::Difference>* differences;
};

std::vector<Section> sections_of(const check::Comparison& comparison) {
  return {{"newly_failing", "newly failing", &comparison.newly_failing},
          {"failing_otherwise", "failing another way", &comparison.failing_otherwise},
          {"fixed", "fixed", &comparison.fixed}};
}

struct Names {
  const char* key;
  const char* title;
  const std::vector<std::string>* names;
};

std::vector<Names> lists_of(const check::Comparison& comparison) {
  return {{"flaky", "flaky", &comparison.flaky},
          {"no_longer_shown", "clauses no longer shown to hold", &comparison.no_longer_shown},
          {"new_clauses", "clauses judged for the first time", &comparison.new_clauses},
          {"new_cases", "new cases", &comparison.new_cases},
          {"removed_cases", "removed cases", &comparison.removed_cases},
          {"facts", "what the runs are of", &comparison.facts}};
}

std::vector<std::string> clauses_of(const std::vector<check::Difference>& differences) {
  std::set<std::string> clauses;
  for (const check::Difference& each : differences) clauses.insert(each.clause);
  return {clauses.begin(), clauses.end()};
}

std::string line(const std::string& text) {
  return visible(text, limit_signature_bytes, Lines::one);
}

/// Inline code that its text cannot end.
std::string as_code(const std::string& text) {
  std::string inner = line(text);
  for (char& letter : inner) {
    if (letter == '`') letter = '\'';
  }
  return fmt::format("`{}`", inner);
}

void add_change(std::string& out, const check::Difference& each, std::string_view indent,
                std::string (*shown)(const std::string&)) {
  for (const std::string& text : each.before) out += fmt::format("{}was {}\n", indent, shown(text));
  for (const std::string& text : each.after) out += fmt::format("{}now {}\n", indent, shown(text));
  if (!each.why.empty()) out += fmt::format("{}why {}\n", indent, each.why);
}

}  // namespace

std::string comparison_headline(const check::Comparison& comparison) {
  std::vector<std::string> parts;
  for (const Section& section : sections_of(comparison)) {
    if (section.differences->empty()) continue;
    parts.push_back(fmt::format("{} {}", counted(clauses_of(*section.differences).size(), "clause"),
                                section.title));
  }
  for (const Names& list : lists_of(comparison)) {
    if (list.names->empty() || list.names == &comparison.facts) continue;
    parts.push_back(fmt::format("{} {}", list.names->size(), list.title));
  }
  if (parts.empty()) return comparison.facts.empty() ? "no difference" : "no difference in results";
  return fmt::format("{}", fmt::join(parts, " · "));
}

std::string comparison_text(const check::Comparison& comparison) {
  std::string out;
  for (const Section& section : sections_of(comparison)) {
    if (section.differences->empty()) continue;
    out += fmt::format("{} ({}): {}\n", section.title,
                       counted(clauses_of(*section.differences).size(), "clause"),
                       fmt::join(clauses_of(*section.differences), ", "));
    for (const check::Difference& each : *section.differences) {
      out += fmt::format("  {}  {}\n", line(each.clause), line(each.case_id));
      add_change(out, each, "    ", line);
    }
    out += "\n";
  }
  for (const Names& list : lists_of(comparison)) {
    if (list.names->empty()) continue;
    out += fmt::format("{} ({})\n", list.title, list.names->size());
    for (const std::string& name : *list.names) out += fmt::format("  {}\n", line(name));
    out += "\n";
  }
  if (!comparison.baseline_patch.empty()) {
    out += fmt::format("patch for the baseline\n{}\n", comparison.baseline_patch);
  }
  if (comparison.is_upgrade) out += upgrade_note;
  return out + comparison_headline(comparison) + "\n";
}

std::string comparison_markdown(const check::Comparison& comparison) {
  std::string out = fmt::format("**{}**\n\n", comparison_headline(comparison));
  if (comparison.is_upgrade) out += fmt::format("{}\n", upgrade_note);
  for (const Section& section : sections_of(comparison)) {
    if (section.differences->empty()) continue;
    out += fmt::format("### {}\n\n| clause | case | was | now | why |\n|---|---|---|---|---|\n",
                       section.title);
    for (const check::Difference& each : *section.differences) {
      const auto cell = [](const std::vector<std::string>& texts) {
        std::vector<std::string> codes;
        for (const std::string& text : texts) codes.push_back(as_code(text));
        std::string joined = fmt::format("{}", fmt::join(codes, "<br>"));
        for (std::size_t at = 0; (at = joined.find('|', at)) != std::string::npos; at += 2) {
          joined.insert(at, "\\");
        }
        return joined;
      };
      out += fmt::format("| {} | {} | {} | {} | {} |\n", as_code(each.clause), cell({each.case_id}),
                         cell(each.before), cell(each.after), each.why);
    }
    out += "\n";
  }
  for (const Names& list : lists_of(comparison)) {
    if (list.names->empty()) continue;
    out += fmt::format("<details><summary>{} ({})</summary>\n\n", list.title, list.names->size());
    for (const std::string& name : *list.names) out += fmt::format("- {}\n", as_code(name));
    out += "\n</details>\n\n";
  }
  if (!comparison.baseline_patch.empty()) {
    out +=
        fmt::format("### patch for the baseline\n\n````diff\n{}````\n", comparison.baseline_patch);
  }
  return out;
}

std::string comparison_json(const check::Comparison& comparison) {
  nlohmann::ordered_json root;
  root["headline"] = comparison_headline(comparison);
  root["is_upgrade"] = comparison.is_upgrade;
  for (const Section& section : sections_of(comparison)) {
    auto& list = root[section.key] = nlohmann::ordered_json::array();
    for (const check::Difference& each : *section.differences) {
      list.push_back({{"clause", each.clause},
                      {"case", each.case_id},
                      {"before", each.before},
                      {"after", each.after},
                      {"why", each.why}});
    }
  }
  for (const Names& list : lists_of(comparison)) root[list.key] = *list.names;
  root["baseline_patch"] = comparison.baseline_patch;
  return root.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace assay::reports
