#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <memory>
#include <ostream>
#include <set>

#include "cli/generated.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/core/operation.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"
#include "properties/family.h"
#include "reference_impl/faults/catalogue.h"
#include "reference_impl/liberties/catalogue.h"
#include "reports/render.h"
#include "reports/wording.h"

namespace assay::cli {
namespace {

struct ListOptions {
  std::string what = "scenarios";
  std::string scenarios;
  bool json = false;
};

/// A name and what it stands for.
struct Row {
  std::string name;
  std::string text;
};

std::vector<Row> scenario_rows(const ListOptions& options) {
  std::vector<Row> rows;
  for (const core::Scenario& scenario : load_suite(options.scenarios).scenarios) {
    rows.push_back({scenario.id, scenario.title});
  }
  return rows;
}

std::vector<Row> case_rows(const ListOptions& options) {
  std::vector<Row> rows;
  for (const core::Scenario& scenario : load_suite(options.scenarios).scenarios) {
    for (const core::Case& each : core::cases_of(scenario))
      rows.push_back({each.id, scenario.title});
  }
  if (!options.scenarios.empty()) return rows;
  for (const GeneratedCase& each : generated_cases()) rows.push_back({each.id, each.title});
  return rows;
}

std::vector<Row> clause_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const core::Clause& clause : clause_table().clauses()) {
    rows.push_back(
        {clause.id, fmt::format("{:<6}  {}", core::level_words[clause.level], clause.statement)});
  }
  return rows;
}

std::vector<Row> tag_rows(const ListOptions& options) {
  std::map<std::string, std::size_t> counts;
  for (const core::Scenario& scenario : load_suite(options.scenarios).scenarios) {
    for (const std::string& tag : scenario.tags) ++counts[tag];
  }
  std::vector<Row> rows;
  for (const auto& [tag, count] : counts)
    rows.push_back({tag, reports::counted(count, "scenario")});
  return rows;
}

std::vector<Row> profile_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const std::string& name : wire::embedded_profile_names()) {
    const auto read = wire::read_profile(*wire::embedded_profile(name), name,
                                         [](std::string_view) { return std::string("unset"); });
    rows.push_back({name, read ? read->title : "(cannot be read)"});
  }
  return rows;
}

std::vector<Row> capability_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const std::string_view name : core::semantic_capabilities()) {
    rows.push_back({std::string(name), "a way in which the target behaves"});
  }
  for (const std::string_view name : core::operation_names()) {
    rows.push_back({std::string(name), "an operation"});
  }
  return rows;
}

std::vector<Row> interpretation_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const Interpretation& entry : embedded_specification().interpretations) {
    rows.push_back({entry.key, fmt::format("{} ({})", entry.question, entry.chosen)});
  }
  return rows;
}

std::vector<Row> format_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const reports::Format& format : reports::formats()) {
    rows.push_back({std::string(format.name), std::string(format.what)});
  }
  return rows;
}

std::vector<Row> fault_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const faults::Fault& fault : faults::faults()) {
    rows.push_back({std::string(fault.id), fmt::format("{:<20}  {}", fault.clause, fault.title)});
  }
  return rows;
}

std::vector<Row> liberty_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const liberties::Liberty& liberty : liberties::liberties()) {
    rows.push_back({std::string(liberty.id), std::string(liberty.title)});
  }
  return rows;
}

/// Faults have a clause besides: a member of its own in JSON.
List fault_items() {
  List items;
  for (const faults::Fault& fault : faults::faults()) {
    items.emplace_back(Object{{"id", fault.id}, {"clause", fault.clause}, {"title", fault.title}});
  }
  return items;
}

/// A clause with the cases that check it and the faults that break it.
List clause_items(const ListOptions& options) {
  std::map<std::string, List> cases;
  for (const core::Scenario& scenario : load_suite(options.scenarios).scenarios) {
    for (const core::Case& each : core::cases_of(scenario)) {
      for (const std::string& clause : scenario.clauses) cases[clause].emplace_back(each.id);
    }
  }
  std::map<std::string, List> broken_by;
  for (const faults::Fault& fault : faults::faults()) {
    broken_by[std::string(fault.clause)].emplace_back(fault.id);
  }
  List items;
  for (const core::Clause& clause : clause_table().clauses()) {
    items.emplace_back(Object{{"id", clause.id},
                              {"name", clause.id},
                              {"level", core::level_words[clause.level]},
                              {"source", clause.source},
                              {"text", clause.statement},
                              {"cases", std::move(cases[clause.id])},
                              {"faults", std::move(broken_by[clause.id])}});
  }
  return items;
}

List row_items(const std::vector<Row>& rows) {
  List items;
  for (const Row& row : rows) {
    items.emplace_back(Object{{"id", row.name}, {"name", row.name}, {"text", row.text}});
  }
  return items;
}

List items_of(const ListOptions& options, const std::vector<Row>& rows) {
  if (options.what == "faults") return fault_items();
  return options.what == "clauses" ? clause_items(options) : row_items(rows);
}

std::vector<Row> property_rows(const ListOptions&) {
  std::vector<Row> rows;
  for (const properties::Family& family : properties::families()) {
    rows.push_back({family.id, family.title});
  }
  return rows;
}

using Lister = std::vector<Row> (*)(const ListOptions&);

const std::vector<std::pair<std::string, Lister>>& listers() {
  static const std::vector<std::pair<std::string, Lister>> all = {
      {"scenarios", scenario_rows},  {"cases", case_rows},
      {"clauses", clause_rows},      {"tags", tag_rows},
      {"profiles", profile_rows},    {"capabilities", capability_rows},
      {"formats", format_rows},      {"interpretations", interpretation_rows},
      {"faults", fault_rows},        {"liberties", liberty_rows},
      {"properties", property_rows},
  };
  return all;
}

void print_rows(const std::vector<Row>& rows, std::ostream& out) {
  std::size_t widest = 0;
  for (const Row& row : rows) widest = std::max(widest, row.name.size());
  for (const Row& row : rows) out << fmt::format("{:<{}}  {}\n", row.name, widest, row.text);
}

core::ExitCode list(const ListOptions& options, Terminal& terminal) {
  std::vector<std::string> known;
  for (const auto& [name, lister] : listers()) {
    known.push_back(name);
    if (name != options.what) continue;
    const std::vector<Row> rows = lister(options);
    if (!options.json) {
      print_rows(rows, terminal.out);
      return core::ExitCode::conforms;
    }
    terminal.out << wire::to_pretty_json(items_of(options, rows)) << "\n";
    return core::ExitCode::conforms;
  }
  throw UsageError(unknown_name_text("list", options.what, known));
}

}  // namespace

void add_list(CLI::App& application, Action& chosen) {
  CLI::App* verb =
      application.add_subcommand("list", "List what there is to judge and to choose from");
  const auto options = std::make_shared<ListOptions>();
  verb->add_option("what", options->what,
                   "scenarios, cases, clauses, tags, profiles, capabilities, formats, "
                   "interpretations, faults, liberties or properties")
      ->capture_default_str();
  verb->add_option("--scenarios", options->scenarios,
                   "A file or folder instead of the built-in ones");
  verb->add_flag("--json", options->json, "As JSON");
  verb->footer("Examples:\n  assay list clauses\n  assay list cases --scenarios my-scenarios/");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return list(*options, terminal); };
  });
}

}  // namespace assay::cli
