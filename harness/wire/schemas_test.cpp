#include "harness/wire/schemas.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/core/adapter_line.h"
#include "harness/core/operation.h"
#include "harness/wire/baseline_reader.h"
#include "harness/wire/json.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/record.h"
#include "harness/wire/scenario_reader.h"
#include "harness/wire/testing/schema_check.h"
#include "harness/wire/yaml.h"

namespace assay::wire::schemas_test {
namespace {

using Diagnostics = std::vector<core::Diagnostic>;

Value schema(std::string_view kind) {
  auto parsed = parse_json(schema_text(kind).value_or(""));
  if (!parsed) {
    ADD_FAILURE() << kind << ".json:" << parsed.error().line << ": " << parsed.error().message;
    return Object();
  }
  return std::move(parsed).value();
}

/// The members that a schema's definition knows; "" is the document itself.
std::set<std::string> schema_keys(const Value& root, const std::string& definition) {
  const Value* found = root.at_pointer(definition.empty() ? "" : "/$defs/" + definition);
  const Value* properties = found ? found->find("properties") : nullptr;
  std::set<std::string> keys;
  if (!properties) ADD_FAILURE() << "no properties in " << definition;
  for (const auto& [name, member] : properties ? properties->as_object() : Object()) {
    keys.insert(name);
  }
  return keys;
}

/// The members that a reader accepts where a text has the key "zz_unknown", as its report says.
std::set<std::string> reader_keys(const Diagnostics& problems) {
  for (const core::Diagnostic& problem : problems) {
    if (problem.message.find("\"zz_unknown\"") == std::string::npos) continue;
    constexpr std::string_view begin = "expected one of: ";
    const std::size_t start = problem.message.find(begin);
    if (start == std::string::npos) break;
    std::string names = problem.message.substr(start + begin.size());
    names.pop_back();
    std::istringstream list(names);
    std::set<std::string> keys;
    for (std::string name; std::getline(list >> std::ws, name, ',');) keys.insert(name);
    return keys;
  }
  ADD_FAILURE() << "no report of the unknown key";
  return {};
}

template <typename Read>
void expect_same_keys(std::string_view kind, Read read,
                      const std::vector<std::pair<std::string, std::string>>& places) {
  const Value root = schema(kind);
  for (const auto& [definition, text] : places) {
    const auto result = read(text);
    ASSERT_FALSE(result) << definition;
    EXPECT_EQ(schema_keys(root, definition), reader_keys(result.error()))
        << kind << " " << definition;
  }
}

const core::ClauseTable& clauses() {
  static const core::ClauseTable table("A\tMUST\t000 x\tText.\n");
  return table;
}

std::string step(std::string_view text) { return "steps:\n  - " + std::string(text) + "\n"; }

TEST(Schemas, AreThereForEveryFormat) {
  EXPECT_EQ(schema_kinds(), (std::vector<std::string>{"adapter", "baseline", "profile", "record",
                                                      "report", "scenario", "settings"}));
  for (const std::string& kind : schema_kinds()) {
    EXPECT_EQ(schema(kind).string_at("$schema"), "https://json-schema.org/draft/2020-12/schema");
  }
  EXPECT_FALSE(schema_text("nothing"));
}

TEST(Schemas, KnowTheKeysThatTheScenarioReaderAccepts) {
  expect_same_keys("scenario",
                   [](const std::string& text) { return read_scenario(text, "x", clauses()); },
                   {{"", "zz_unknown: 1"},
                    {"step", step("zz_unknown: 1")},
                    {"event_body", step("post: {zz_unknown: 1}")},
                    {"operation", step("operation: {zz_unknown: 1}")},
                    {"repeat", step("repeat: {zz_unknown: 1}")},
                    {"request", step("request: {zz_unknown: 1}")},
                    {"play", step("play: {zz_unknown: 1}")},
                    {"job", step("job: {zz_unknown: 1}")},
                    {"response", step("{start: {}, response: {zz_unknown: 1}}")},
                    {"expect", step("expect: {zz_unknown: 1}")},
                    {"never", step("never: {zz_unknown: 1}")},
                    {"reading", step("expect: {status: {}, also_allowed: [{zz_unknown: 1}]}")},
                    {"listing", step("expect: {list: {zz_unknown: 1}}")},
                    {"by_state", step("expect: {in_state: {zz_unknown: 1}}")},
                    {"events", step("expect: {events: {zz_unknown: 1}}")},
                    {"read", step("expect: {read: {zz_unknown: 1}}")}});
}

TEST(Schemas, KnowTheKeysThatTheProfileReaderAccepts) {
  const auto operation = [](std::string_view form) {
    return "operations: {runs.get: " + std::string(form) + "}";
  };
  expect_same_keys("profile",
                   [](const std::string& text) { return read_profile(text, "x", nullptr); },
                   {{"", "zz_unknown: 1"},
                    {"tls", "tls: {zz_unknown: 1}"},
                    {"limits", "limits: {zz_unknown: 1}"},
                    {"consistency", "consistency: {zz_unknown: 1}"},
                    {"vocabulary", "vocabulary: {zz_unknown: 1}"},
                    {"operation", operation("{zz_unknown: 1}")},
                    {"outcome", operation("{outcomes: [{zz_unknown: 1}]}")},
                    {"mapping_object", operation("{read: {zz_unknown: 1}}")},
                    {"case", operation("{read: {cases: [{zz_unknown: 1}]}}")},
                    {"adapter", "adapter: {zz_unknown: 1}"},
                    {"launch", "launch: {zz_unknown: 1}"}});
}

/// Whether the profile reader takes a number there.
bool takes(const std::string& group, const std::string& key, const std::string& number) {
  const std::string more = group == "launch" ? "command: [x], health_path: /, " : "";
  const auto read =
      read_profile("name: p\n" + group + ": {" + more + key + ": " + number + "}\n", "x", nullptr);
  return read.has_value();
}

TEST(Schemas, BoundTheNumbersOfAProfileAsItsReaderDoes) {
  const Value root = schema("profile");
  std::size_t bounded = 0;
  for (const std::string group : {"limits", "consistency", "launch"}) {
    const Value* const properties = root.at_pointer("/$defs/" + group)->find("properties");
    for (const auto& [key, member] : properties->as_object()) {
      // A rate may also be 0, for none.
      const Value* const range = key == "rate" ? member.at_pointer("/anyOf/1") : &member;
      const std::string type = range->string_at("type").value_or("");
      if (type != "integer" && type != "number") continue;
      ASSERT_NE(range->find("minimum"), nullptr) << key;
      ASSERT_NE(range->find("maximum"), nullptr) << key;
      const double least = range->find("minimum")->as_double();
      const double most = range->find("maximum")->as_double();
      const double step = type == "integer" ? 1 : least / 2;
      EXPECT_TRUE(takes(group, key, to_json(*range->find("minimum")))) << key;
      EXPECT_TRUE(takes(group, key, to_json(*range->find("maximum")))) << key;
      EXPECT_FALSE(takes(group, key, fmt::format("{}", least - step))) << key;
      EXPECT_FALSE(takes(group, key, fmt::format("{}", most + 1))) << key;
      ++bounded;
    }
  }
  EXPECT_EQ(bounded, 13U);
}

TEST(Schemas, KnowTheKeysThatTheBaselineReaderAccepts) {
  expect_same_keys("baseline",
                   [](const std::string& text) { return read_baseline(text, "x", clauses()); },
                   {{"", "zz_unknown: 1"}, {"entry", "expected_failures: [{zz_unknown: 1}]"}});
}

TEST(Schemas, KnowEveryOperationAndCapability) {
  const Value scenario = schema("scenario");
  List names(core::operation_names().begin(), core::operation_names().end());
  EXPECT_EQ(*scenario.at_pointer("/$defs/operation_name/enum"), Value(names));
  const Value profile = schema("profile");
  for (const Value& name : names) {
    EXPECT_NE(profile.at_pointer("/properties/operations/properties")->find(name.as_string()),
              nullptr);
  }
  names.insert(names.begin(), core::semantic_capabilities().begin(),
               core::semantic_capabilities().end());
  EXPECT_EQ(*scenario.at_pointer("/$defs/capability/enum"), Value(names));
  EXPECT_EQ(*profile.at_pointer("/$defs/capability/enum"), Value(names));
}

Value read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  auto parsed = read_yaml(text.str(), path.filename().string());
  if (!parsed) {
    ADD_FAILURE() << core::diagnostic_text(parsed.error());
    return nullptr;
  }
  return to_value(parsed.value());
}

void expect_files_fit(const std::string& folder, std::string_view kind) {
  const Value root = schema(kind);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(
           std::string(ASSAY_SOURCE_DIR) + "/" + folder)) {
    if (entry.path().extension() != ".yaml") continue;
    ++files;
    EXPECT_EQ(schema_fault(read_file(entry.path()), root).value_or(""), "") << entry.path();
  }
  EXPECT_GT(files, 0U) << folder;
}

TEST(Schemas, FitEveryScenarioOfTheSuite) { expect_files_fit("scenarios", "scenario"); }

TEST(Schemas, FitEveryBuiltInProfile) { expect_files_fit("fixtures/profiles", "profile"); }

TEST(Schemas, FitTheLinesToAnAdapterAndNoOthers) {
  const Value root = schema("adapter");
  const auto fault = [&root](const std::string& line) {
    return schema_fault(parse_json(line).value(), root).value_or("");
  };
  const core::HttpRequest call = {"ADAPTER", "runs.get", {}, R"({"run_id":"1"})"};
  for (const std::string& line :
       {core::adapter_greeting(""), core::adapter_greeting("http://a/\"b"),
        core::adapter_line(1, call),
        std::string(R"({"protocol":"assay-adapter","version":1,"capabilities":["runs.get"]})"),
        std::string(R"({"id":1,"outcome":"refused"})"),
        std::string(R"({"id":1,"error":"no connection"})")}) {
    EXPECT_EQ(fault(line), "") << line;
  }
  EXPECT_NE(fault(R"({"id":1,"outcome":"done"})"), "");
  EXPECT_NE(fault(R"({"outcome":"accepted"})"), "");
}

TEST(Schemas, FitEveryLineOfARecord) {
  core::CaseResult result;
  result.checks.emplace_back();
  result.exchanges.resize(2);
  result.exchanges[0].request.headers = {{"a", "b"}};
  result.exchanges[0].response = core::HttpResponse{200, {{"a", "b"}}, "x"};
  result.exchanges[1].error = core::TransportError{};
  core::RecordFooter footer;
  footer.coverage.emplace_back();
  const Value root = schema("record");
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"header", record_line(core::RecordHeader())},
      {"case", record_line(result)},
      {"footer", record_line(footer)}};
  for (const auto& [definition, line] : lines) {
    const auto parsed = parse_json(line);
    EXPECT_EQ(schema_fault(parsed.value(), root).value_or(""), "");
    std::set<std::string> keys;
    for (const auto& [name, member] : parsed.value().as_object()) keys.insert(name);
    EXPECT_EQ(keys, schema_keys(root, definition));
  }
}

TEST(SchemaFault, NoticesEachKindOfFault) {
  const Value root = schema("baseline");
  const auto fault = [&root](std::string_view text) {
    return schema_fault(parse_json(text).value(), root).value_or("");
  };
  EXPECT_EQ(fault(R"({"expected_failures":[{"case":"a","clause":"A","reason":"b"}]})"), "");
  EXPECT_EQ(fault(R"({})"), ": without expected_failures");
  EXPECT_EQ(fault(R"({"expected_failures":[],"x":1})"), "/x: unknown member");
  EXPECT_EQ(fault(R"({"expected_failures":[{"case":1,"clause":"A","reason":"b"}]})"),
            R"(/expected_failures/0/case: 1 is no "string")");
  EXPECT_NE(fault("[]"), "");
}

}  // namespace
}  // namespace assay::wire::schemas_test
