#include "properties/problem.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace assay::properties {
namespace {

using core::Pattern;

bool names(const std::vector<std::string>& clauses, std::string_view clause) {
  return std::find(clauses.begin(), clauses.end(), clause) != clauses.end();
}

Pattern problem_pattern(const core::Answer& first, const core::Answer& second,
                        const std::vector<KnownName>& known) {
  core::ObjectPattern pattern;
  // The words of most codes are the server's own.
  pattern.members.emplace("code", Pattern{core::OperandPattern{Pattern::By::type, "string"}});
  const Value* pointer = first.body.find("pointer");
  const Value* other = second.body.find("pointer");
  if (pointer != nullptr && other != nullptr) {
    pattern.members.emplace("pointer", literal_of(*pointer, *other, known));
  }
  if (first.acceptance == core::Acceptance::unknown && first.status == second.status) {
    pattern.members.emplace("status", literal_of(first.status, second.status, known));
  }
  return {std::move(pattern)};
}

}  // namespace

core::AnswerPattern expected_problem(const core::Answer& first, const core::Answer& second,
                                     const std::vector<std::string>& clauses,
                                     const std::vector<KnownName>& known) {
  core::AnswerPattern expected;
  if (names(clauses, "API-NO5XX")) {
    for (int status = 200; status < 500; ++status) {
      // Of what may come between 100 and 500 only these are in use.
      if (status <= 206 || (status >= 400 && status <= 431)) expected.statuses.push_back(status);
    }
  } else if (names(clauses, "API-PROBLEM")) {
    expected.body = problem_pattern(first, second, known);
  } else {
    expected.statuses = {first.status};
    if (second.status != first.status) expected.statuses.push_back(second.status);
  }
  return expected;
}

}  // namespace assay::properties
