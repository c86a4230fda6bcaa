#include "harness/wire/testing/fuzz.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/utf8.h"
#include "base/visible.h"
#include "harness/core/clause_table.h"
#include "harness/core/profile.h"
#include "harness/wire/baseline_reader.h"
#include "harness/wire/exchange.h"
#include "harness/wire/json.h"
#include "harness/wire/mapping.h"
#include "harness/wire/profile_parts.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/record.h"
#include "harness/wire/scenario_reader.h"

namespace assay::wire {
namespace {

using Diagnostics = std::vector<core::Diagnostic>;

void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

/// A refusal says something that can be printed, about a line that the text has.
void check_diagnostics(const Diagnostics& problems) {
  require(!problems.empty(), "a refusal says why");
  for (const core::Diagnostic& problem : problems) {
    require(!problem.message.empty(), "a diagnostic has a message");
    require(!first_invalid_utf8(problem.message), "a diagnostic is valid UTF-8");
    require(problem.at.line >= 0 && problem.at.column >= 0, "a diagnostic has a place");
  }
}

const core::ClauseTable& clauses() {
  static const core::ClauseTable table("STM-POS-DONE\tMUST\t000 x\tText.\n");
  return table;
}

const core::Profile& reference() {
  static const core::Profile profile = [] {
    auto read = read_profile(embedded_profile("reference").value_or(""), "reference.yaml", nullptr);
    require(read.has_value(), "the reference profile is valid");
    return std::move(read).value();
  }();
  return profile;
}

/// Takes what comes before the next NUL, which no YAML and no JSON has.
std::string_view take_part(std::string_view& bytes) {
  const std::size_t end = std::min(bytes.find('\0'), bytes.size());
  const std::string_view part = bytes.substr(0, end);
  bytes.remove_prefix(std::min(end + 1, bytes.size()));
  return part;
}

/// A text as a header has it: in one line.
std::vector<core::Header> headers_of(std::string_view value) {
  std::string line(value);
  std::replace_if(
      line.begin(), line.end(), [](char letter) { return letter == '\r' || letter == '\n'; }, ' ');
  return {{"Link", line}, {"Set-Cookie", line}, {"X-Value", line}};
}

}  // namespace

void fuzz_scenario(std::string_view bytes) {
  const auto result = read_scenario(bytes, "fuzz.yaml", clauses());
  if (!result) {
    check_diagnostics(result.error());
    return;
  }
  const auto& scenario = result.value();
  require(!core::cases_of(scenario).empty(), "a scenario has a case");
}

void fuzz_profile(std::string_view bytes) {
  const auto result = read_profile(bytes, "fuzz.yaml", nullptr);
  if (!result) {
    check_diagnostics(result.error());
    return;
  }
  const auto& profile = result.value();
  for (const auto& [name, form] : profile.operations) {
    (void)render_request(profile, {name, {{"execution_id", "x"}, {"run_id", "y"}}});
    (void)read_answer(profile, name, core::HttpResponse{200, {}, R"({"a":[{"b":1}]})"});
  }
}

void fuzz_baseline(std::string_view bytes) {
  const auto result = read_baseline(bytes, "fuzz.yaml", clauses());
  if (!result) check_diagnostics(result.error());
}

void fuzz_record(std::string_view bytes) {
  const auto result = read_record(bytes, "fuzz.ndjson");
  if (!result) {
    check_diagnostics(result.error());
    return;
  }
  const auto& record = result.value();
  std::string text = record_line(record.header);
  for (const core::CaseResult& one : record.cases) text += record_line(one);
  if (record.footer) text += record_line(*record.footer);
  const auto again = read_record(text, "again.ndjson");
  require(again.has_value(), "what was read can be written and read");
}

void fuzz_answer(std::string_view bytes) {
  auto parsed = parse_json(bytes);
  if (parsed) {
    const auto again = parse_json(to_json(*parsed));
    require(again && *again == *parsed, "a value is read as it was written");
  }
  require(!first_invalid_utf8(visible(bytes, bytes.size())), "shown text is valid UTF-8");
  constexpr std::array<int, 4> statuses = {200, 201, 204, 409};
  for (const auto& [name, form] : reference().operations) {
    for (const int status : statuses) {
      const core::HttpResponse response{status, {}, std::string(bytes)};
      const core::Answer answer = read_answer(reference(), name, response);
      require(answer.acceptance != core::Acceptance::no_answer, "an answer is an answer");
      require(!first_invalid_utf8(answer.trouble), "trouble is valid UTF-8");
    }
  }
}

void fuzz_mapping(std::string_view bytes) {
  const auto node = read_yaml(take_part(bytes), "fuzz.yaml");
  if (!node) return;
  Problems problems("fuzz.yaml");
  std::vector<std::string> environment_values;
  const EnvironmentLookup no_environment = [](std::string_view) { return std::nullopt; };
  ProfileScope scope{.problems = problems,
                     .environment = no_environment,
                     .profile = reference(),
                     .environment_values = environment_values,
                     .captured = {"made"}};
  const core::Mapping mapping = read_mapping(node.value(), scope);
  if (!problems.empty()) {
    check_diagnostics(problems.take());
    return;
  }
  const auto body = parse_json(take_part(bytes));
  if (!body) return;
  const std::vector<core::Header> headers = headers_of(bytes);
  const Object captured = {{"made", Object{{"id", "x"}, {"at", 1'772'323'200}}}};
  const MappedAnswer answer{body.value(), headers, captured};
  const Value read = apply_mapping(mapping, answer);
  require(find_mapped(mapping, answer).value_or(Value()) == read, "what is read is what is found");
  const auto again = parse_json(to_json(read));
  require(again.has_value(), "what is read can be written");
  (void)apply_mapping(mapping, body.value());
}

}  // namespace assay::wire
