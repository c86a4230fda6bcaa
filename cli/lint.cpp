#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "cli/baseline_file.h"
#include "cli/coverage_rule.h"
#include "cli/generated.h"
#include "cli/lacked_cases.h"
#include "cli/specification.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "cli/verbs.h"
#include "harness/check/presence.h"
#include "harness/core/open_answers.h"
#include "harness/wire/baseline_reader.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/schemas.h"
#include "harness/wire/yaml.h"
#include "reports/wording.h"

namespace assay::cli {
namespace {

struct LintOptions {
  std::vector<std::string> files;
};

/// What was looked at, and what is wrong with it.
struct Findings {
  std::size_t scenarios = 0;
  std::size_t cases = 0;
  std::size_t profiles = 0;
  std::size_t baselines = 0;
  std::vector<core::Diagnostic> faults;
  /// What is no fault, and may not be meant.
  std::vector<core::Diagnostic> notes;

  void add(const std::vector<core::Diagnostic>& more) {
    faults.insert(faults.end(), more.begin(), more.end());
  }
};

/// A profile is checked as it stands; a secret that is not set here is no fault of it.
std::optional<std::string> any_environment(std::string_view) { return "unset"; }

void lint_profile(const NamedText& text, Findings& findings) {
  ++findings.profiles;
  const auto read = wire::read_profile(text.text, text.name, any_environment);
  if (!read) {
    findings.add(read.error());
  }
}

/// Says too what the built-in suite loses by it; a profile that is wrong says nothing.
void note_what_is_lacked(const NamedText& text, const Suite& suite, Findings& findings) {
  const auto profile = wire::read_profile(text.text, text.name, any_environment);
  if (!profile) return;
  const auto notes = notes_on_lacks(*profile, suite.scenarios);
  findings.notes.insert(findings.notes.end(), notes.begin(), notes.end());
}

void lint_scenarios(const std::vector<NamedText>& texts, Findings& findings,
                    std::vector<core::Scenario>& scenarios) {
  scenarios = read_scenarios(texts, findings.faults);
  findings.scenarios += texts.size();
  for (const core::Scenario& scenario : scenarios) {
    findings.cases += core::cases_of(scenario).size();
    findings.add(core::check_open_answers(scenario));
    if (check::demands_presence(scenario)) continue;
    findings.faults.push_back(
        {scenario.at, fmt::format("{} expects absences alone, which a server that shows nothing "
                                  "passes: expect something that is there too",
                                  scenario.id)});
  }
}

void lint_baseline(const NamedText& text, Findings& findings) {
  ++findings.baselines;
  const auto read = wire::read_baseline(text.text, text.name, clause_table());
  if (!read) {
    findings.add(read.error());
    return;
  }
  std::vector<std::string> ids = case_ids(load_suite(""));
  for (const std::string& id : generated_case_ids()) ids.push_back(id);
  auto baseline = *read;
  findings.add(core::use_row_names(baseline, ids));
  const core::BaselineContext context{.today = today(), .clauses = &clause_table()};
  findings.add(core::review_baseline(baseline, ids, context).in_order());
}

enum class Kind { scenario, profile, baseline };

/// How many of the file's members the schema of that kind knows.
std::size_t known_members(const wire::YamlNode& root, std::string_view kind) {
  const auto schema = wire::parse_json(wire::schema_text(kind).value_or("{}"));
  const Value* known = schema.value().find("properties");
  if (known == nullptr) return 0;
  const auto is_known = [known](const wire::YamlMember& member) {
    return known->find(member.key.scalar.as_string()) != nullptr;
  };
  return static_cast<std::size_t>(std::ranges::count_if(root.members, is_known));
}

/// What a file is: the kind that has most of its members. `title` alone is of two kinds; then it is
/// a scenario.
Kind kind_of(const NamedText& text) {
  const auto root = wire::read_yaml(text.text, text.name);
  if (!root) return Kind::scenario;
  const std::size_t of_scenario = known_members(*root, "scenario");
  const std::size_t of_profile = known_members(*root, "profile");
  if (known_members(*root, "baseline") > of_scenario) return Kind::baseline;
  return of_profile > of_scenario ? Kind::profile : Kind::scenario;
}

Findings lint_files(const std::vector<std::string>& files) {
  Findings findings;
  std::vector<NamedText> scenarios;
  std::vector<NamedText> profiles;
  for (const std::string& file : files) {
    std::vector<NamedText> texts = scenario_texts(file);
    if (texts.empty()) throw UsageError(fmt::format("{}: no *.yaml file in this folder", file));
    for (NamedText& text : texts) {
      switch (kind_of(text)) {
        case Kind::scenario:
          scenarios.push_back(std::move(text));
          break;
        case Kind::profile:
          lint_profile(text, findings);
          profiles.push_back(std::move(text));
          break;
        case Kind::baseline:
          lint_baseline(text, findings);
          break;
      }
    }
  }
  if (!profiles.empty()) {
    const Suite suite = load_suite("");
    for (const NamedText& text : profiles) note_what_is_lacked(text, suite, findings);
  }
  std::vector<core::Scenario> read;
  lint_scenarios(scenarios, findings, read);
  return findings;
}

Findings lint_embedded() {
  Findings findings;
  std::vector<core::Scenario> scenarios;
  lint_scenarios(scenario_texts(""), findings, scenarios);
  for (const std::string& name : wire::embedded_profile_names()) {
    lint_profile({fmt::format("fixtures/profiles/{}.yaml", name),
                  std::string(*wire::embedded_profile(name))},
                 findings);
  }
  const Specification specification = embedded_specification();
  findings.add(specification.faults);
  findings.add(check_coverage(clause_table(), scenarios, specification));
  return findings;
}

/// "3 scenarios (21 cases), 1 profile": the kinds of which there was a file.
std::string what_was_read(const Findings& findings) {
  std::vector<std::string> kinds;
  if (findings.scenarios > 0) {
    kinds.push_back(fmt::format("{} ({})", reports::counted(findings.scenarios, "scenario"),
                                reports::counted(findings.cases, "case")));
  }
  if (findings.profiles > 0) kinds.push_back(reports::counted(findings.profiles, "profile"));
  if (findings.baselines > 0) kinds.push_back(reports::counted(findings.baselines, "baseline"));
  return kinds.empty() ? "nothing read" : fmt::format("{}", fmt::join(kinds, ", "));
}

core::ExitCode lint(const LintOptions& options, Terminal& terminal) {
  const Findings findings = options.files.empty() ? lint_embedded() : lint_files(options.files);
  for (const core::Diagnostic& note : findings.notes) {
    terminal.err << core::diagnostic_text(note) << "\n";
  }
  for (const core::Diagnostic& fault : findings.faults) {
    terminal.err << core::diagnostic_text(fault) << "\n";
  }
  const std::string found =
      findings.faults.empty() ? "nothing wrong" : reports::counted(findings.faults.size(), "fault");
  terminal.out << fmt::format("{}: {}\n", what_was_read(findings), found);
  return findings.faults.empty() ? core::ExitCode::conforms : core::ExitCode::usage;
}

}  // namespace

void add_lint(CLI::App& application, Action& chosen) {
  CLI::App* verb = application.add_subcommand(
      "lint", "Check scenarios, profiles and baselines; without a file, all that is built in");
  const auto options = std::make_shared<LintOptions>();
  verb->add_option(
      "files", options->files,
      "Scenario, profile and baseline files, or folders of them; without any, the built-in suite, "
      "profiles and clause lists");
  verb->footer("Examples:\n  assay lint\n  assay lint my-profile.yaml scenarios/");
  verb->callback([options, &chosen] {
    chosen = [options](Terminal& terminal) { return lint(*options, terminal); };
  });
}

}  // namespace assay::cli
