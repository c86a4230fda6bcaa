#include "harness/wire/testing/fuzz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "harness/wire/profile_reader.h"
#include "harness/wire/record.h"
#include "reference_impl/model/testing/mutator.h"

namespace assay::wire {
namespace {

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::string> scenario_seeds() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(ASSAY_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() == ".yaml") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) seeds.push_back(file_text(path));
  return seeds;
}

TEST(Fuzz, ScenariosAreTakenOrRefused) {
  fuzzing::over_mutations(scenario_seeds(), 800, fuzz_scenario);
  fuzzing::over_corpus("scenario", fuzz_scenario);
}

TEST(Fuzz, ProfilesAreTakenOrRefused) {
  fuzzing::over_mutations(
      {std::string(embedded_profile("reference").value_or("")),
       "name: p\ncapabilities: [runs.get]\noperations:\n  runs.get: {request: 'GET /${run_id}', "
       "read: {object: {a: /a, b: {items: /c, each: {pointer: /d, as_text: true}}}}}\n"},
      250, fuzz_profile);
  fuzzing::over_corpus("profile", fuzz_profile);
}

TEST(Fuzz, BaselinesAreTakenOrRefused) {
  fuzzing::over_mutations(
      {"expected_failures:\n  - {case: a/b, clause: STM-POS-DONE, reason: r, expires: "
       "2026-12-31}\n"},
      2'000, fuzz_baseline);
  fuzzing::over_corpus("baseline", fuzz_baseline);
}

TEST(Fuzz, RecordsAreTakenOrRefused) {
  core::CaseResult result;
  result.id = "a/b";
  result.checks.emplace_back();
  result.exchanges.emplace_back();
  result.exchanges[0].response = core::HttpResponse{200, {{"a", "b"}}, "{}"};
  fuzzing::over_mutations(
      {record_line(core::RecordHeader()) + record_line(result) + record_line({1, 2, {}, {}})},
      1'000, fuzz_record);
  fuzzing::over_corpus("record", fuzz_record);
}

TEST(Fuzz, AnswersAreTakenOrRefused) {
  fuzzing::over_mutations(
      {R"({"execution_id":"e","state":"RUNNING","items":[{"a":1.5},{"b":null}],"next":"c"})",
       R"([{"deep":[[[[{"x":18446744073709551615}]]]]}])", "<html></html>"},
      50, fuzz_answer);
  fuzzing::over_corpus("answer", fuzz_answer);
}

/// What is read, an answer's body and the value of its headers.
std::string mapping_seed(const std::string& read, const std::string& body,
                         const std::string& line) {
  return read + '\0' + body + '\0' + line;
}

TEST(Fuzz, WhatAProfileReadsIsTakenOrRefused) {
  const std::string body =
      R"({"a":{"b":[{"id":1,"t":1772323200,"s":"step.enter"},{"id":1,"v":null}],"c":"x-17"},"n":2.5})";
  const std::vector<std::string> seeds = {
      mapping_seed("/a/c", body, ""),
      mapping_seed("{object: {id: {pointer: /a/c, part: 'x-(\\d+)', otherwise: 0}, at: {of: made, "
                   "pointer: /at, as_time: seconds}, n: {pointer: /n, as_text: true}}}",
                   body, ""),
      mapping_seed(
          "{items: /a/b, joined_by: /id, except: [{at: /v, is: 3}], each: {object: {k: /id, "
          "e: {pointer: /s, spelling: events}, t: {pointer: /t, as_time: milliseconds}}}}",
          body, ""),
      mapping_seed("{entries: /a, keyed_by: /key, each: {pointer: /value, spelling: {x: y}}}", body,
                   ""),
      mapping_seed(
          "{cases: [{at: /n, above: 2, gives: RUNNING}, {or: [{at: /a/c, matches: '^x'}, {not: "
          "{at: /n, exists: true}}], read: /a}], otherwise: [1]}",
          body, ""),
      mapping_seed("{merged: [{object: {a: /n}}, /a], otherwise: {a: 1}}", body, ""),
      mapping_seed("{list: [/n, {constant: 1}, /a/b]}", body, ""),
      mapping_seed("{link: next, part: 'after=([^&]*)'}", body,
                   "<http://a/?after=b&x>; rel=\"next last\", <c>; rel=prev"),
      mapping_seed("{cookie: session}", body, "session=abc; Path=/; HttpOnly"),
      mapping_seed("{header: x-value, as_text: true}", body, "W/\"17\"")};
  fuzzing::over_mutations(seeds, 300, fuzz_mapping);
  fuzzing::over_corpus("mapping", fuzz_mapping);
}

}  // namespace
}  // namespace assay::wire
