#include "harness/wire/fuzz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "harness/wire/profile_reader.h"
#include "harness/wire/record.h"

namespace assay::wire {
namespace {

/// Changes a text as a careless or a hostile writer would: bytes, pieces, doubled and lost lines,
/// and the characters that mean something to the parsers.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes; ++i) change(text);
    return text;
  }

  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

 private:
  void change(std::string& text) {
    static const std::vector<std::string> pieces = {"[",    "]",     "{",
                                                    "}",    ": ",    "- ",
                                                    "&a ",  "*a",    "!not ",
                                                    "!x ",  "${",    "${id}",
                                                    "\"",   "'",     "|\n",
                                                    "# ",   "\t",    "\n",
                                                    "\xff", "é",     "\\u0000",
                                                    ",",    "null",  "99999999999999999999",
                                                    "-1",   "1e999", "\xe2\x80\xae",
                                                    "%",    "?",     "---\n"};
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, below(40));
    switch (below(6)) {
      case 0:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text.replace(at, length, pieces[below(pieces.size())]);
    }
  }

  std::mt19937 random_;
};

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

void run(const std::vector<std::string>& seeds, std::size_t times,
         const std::function<void(std::string_view)>& target) {
  ASSERT_FALSE(seeds.empty());
  Mutator mutator(20260101);
  for (std::size_t i = 0; i < times; ++i) {
    const std::string text = mutator.mutate(seeds[mutator.below(seeds.size())]);
    ASSERT_NO_THROW(target(text)) << "input " << i << ":\n" << text;
  }
}

TEST(Fuzz, ScenariosAreTakenOrRefused) { run(scenario_seeds(), 800, fuzz_scenario); }

TEST(Fuzz, ProfilesAreTakenOrRefused) {
  run({std::string(embedded_profile("reference").value_or("")),
       "name: p\ncapabilities: [runs.get]\noperations:\n  runs.get: {request: 'GET /${run_id}', "
       "read: {object: {a: /a, b: {items: /c, each: {pointer: /d, as_text: true}}}}}\n"},
      250, fuzz_profile);
}

TEST(Fuzz, BaselinesAreTakenOrRefused) {
  run({"expected_failures:\n  - {case: a/b, clause: STM-POS-DONE, reason: r, expires: "
       "2026-12-31}\n"},
      2'000, fuzz_baseline);
}

TEST(Fuzz, RecordsAreTakenOrRefused) {
  core::CaseResult result;
  result.id = "a/b";
  result.checks.emplace_back();
  result.exchanges.emplace_back();
  result.exchanges[0].response = core::HttpResponse{200, {{"a", "b"}}, "{}"};
  run({record_line(core::RecordHeader()) + record_line(result) + record_line({1, 2, {}, {}})},
      1'000, fuzz_record);
}

TEST(Fuzz, AnswersAreTakenOrRefused) {
  run({R"({"execution_id":"e","state":"RUNNING","items":[{"a":1.5},{"b":null}],"next":"c"})",
       R"([{"deep":[[[[{"x":18446744073709551615}]]]]}])", "<html></html>"},
      50, fuzz_answer);
}

}  // namespace
}  // namespace assay::wire
