#include "cli/settings.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/testing/fuzz.h"
#include "cli/verbs.h"
#include "harness/wire/json.h"
#include "harness/wire/schemas.h"
#include "reference_impl/model/testing/mutator.h"

namespace assay::cli::settings_test {
namespace {

Value properties() {
  const auto schema = wire::parse_json(wire::schema_text("settings").value_or(""));
  return *schema.value().find("properties");
}

/// Whether `run` takes the option's value; which it would go on to do with it is never done.
bool takes(const std::string& name, const std::string& value) {
  CLI::App application;
  Action chosen;
  add_run(application, chosen);
  // What it cannot go without.
  std::vector<std::string> arguments = {"--" + name + "=" + value, "run"};
  if (name == "flaky") arguments.insert(arguments.begin(), "--retries=1");
  try {
    application.parse(arguments);
    return true;
  } catch (const CLI::ParseError&) {
    return false;
  }
}

TEST(Settings, TheSchemaKnowsEachOptionOfRun) {
  CLI::App application;
  Action chosen;
  add_run(application, chosen);
  const std::vector<std::string> names = setting_names(*application.get_subcommand("run"));
  std::set<std::string> known;
  const Value all = properties();
  for (const auto& [name, member] : all.as_object()) known.insert(name);
  EXPECT_EQ(known, std::set<std::string>(names.begin(), names.end()));
}

TEST(Settings, TheSchemaBoundsNumbersAsTheOptionsDo) {
  std::size_t bounded = 0;
  const Value all = properties();
  for (const auto& [name, member] : all.as_object()) {
    const std::string type = member.string_at("type").value_or("");
    if (type != "integer" && type != "number") continue;
    const Value* const least = member.find("minimum");
    const Value* const most = member.find("maximum");
    ASSERT_TRUE(least != nullptr && most != nullptr) << name;
    EXPECT_TRUE(takes(name, wire::to_json(*least))) << name;
    EXPECT_TRUE(takes(name, wire::to_json(*most))) << name;
    ++bounded;
    // What fits no whole number of 64 bits is refused for all verbs in one place.
    if (most->large_unsigned()) continue;
    EXPECT_FALSE(takes(name, fmt::format("{}", least->as_double() - 1))) << name;
    EXPECT_FALSE(takes(name, fmt::format("{}", most->as_double() + 1))) << name;
  }
  EXPECT_EQ(bounded, 8U);
}

TEST(Fuzz, SettingsAreTakenOrRefused) {
  fuzzing::over_mutations({"target: http://127.0.0.1:8080\nprofile: ./mine.yaml\nclause: [A, B]\n"
                           "jobs: 8\nquick: true\nreport:\n  - html=report.html\n  - junit=-\n",
                           "retries: 2\nflaky: warn\nwait: 1.5\nrun-id: nightly\n"},
                          300, fuzz_settings);
  fuzzing::over_corpus("settings", fuzz_settings);
}

}  // namespace
}  // namespace assay::cli::settings_test
