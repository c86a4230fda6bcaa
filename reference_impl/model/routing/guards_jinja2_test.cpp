// Our guards against the real Jinja2, on the same random expressions and contexts.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/testing/scratch_folder.h"
#include "reference_impl/model/routing/evaluator.h"
#include "reference_impl/model/routing/guard.h"
#include "reference_impl/model/routing/python_text.h"
#include "reference_impl/model/routing/testing/expression_generator.h"

namespace assay::routing {
namespace {

#ifdef ASSAY_SANITIZED
constexpr std::size_t case_count = 2000;
#else
constexpr std::size_t case_count = 24000;
#endif
constexpr std::uint64_t seed = 20260205;

struct Case {
  std::string expression;
  Value context;
};

std::string hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto number = static_cast<unsigned char>(byte);
    text += digits[number >> 4U];
    text += digits[number & 0xfU];
  }
  return text;
}

std::string json(const Value& value);

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char character : text) {
    if (character == '"' || character == '\\') {
      out += '\\';
      out += character;
    } else if (static_cast<unsigned char>(character) < 0x20) {
      out += "\\u00" + hexadecimal(std::string_view(&character, 1));
    } else {
      out += character;
    }
  }
  return out + '"';
}

std::string json(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_double()) return python_float_repr(value.as_double());
  if (value.is_string()) return json_string(value.as_string());
  std::string out;
  if (value.is_list()) {
    for (const Value& item : value.as_list()) out += (out.empty() ? "" : ",") + json(item);
    return "[" + out + "]";
  }
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      out += (out.empty() ? "" : ",") + json_string(key) + ":" + json(member);
    }
    return "{" + out + "}";
  }
  if (const auto large = value.large_unsigned()) return std::to_string(*large);
  return std::to_string(*value.to_int64());
}

/// The notation of jinja2_oracle.py.
std::string notation(const Operand& operand) {
  if (operand.is_undefined()) return "undefined";
  std::string out;
  if (operand.is_list()) {
    for (std::size_t index = 0; index < operand.list_size(); ++index) {
      out += (out.empty() ? "" : ", ") + notation(operand.list_at(index));
    }
    return "[" + out + "]";
  }
  const Value& value = *operand.value();
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      out += (out.empty() ? "" : ", ") + ("str " + hexadecimal(key)) + ": " +
             notation(Operand::borrowed(member));
    }
    return "{" + out + "}";
  }
  if (value.is_string()) return "str " + hexadecimal(value.as_string());
  if (value.is_double()) {
    if (std::isnan(value.as_double())) return "nan";
    std::uint64_t bits = std::bit_cast<std::uint64_t>(value.as_double());
    std::string bytes;
    for (int index = 0; index < 8; ++index) {
      bytes.insert(bytes.begin(), static_cast<char>(bits & 0xffU));
      bits >>= 8U;
    }
    return "float " + hexadecimal(bytes);
  }
  if (value.is_integer()) return "int " + json(value);
  return json(value);
}

enum class Comparable { yes, past_our_limits, outside_the_subset };

struct Outcome {
  std::string notation;
  Comparable comparable = Comparable::yes;
};

Outcome outcome_of(const Case& one) {
  const auto parsed = parse_guard(one.expression);
  if (!parsed) {
    // CONTRACT refuses these at once. Jinja2 knows more of them, and finds the rest only when it
    // comes to them.
    bool outside = false;
    for (const std::string_view words : {"part of guards", "called", "unknown", "takes no"}) {
      outside = outside || parsed.error().message.find(words) != std::string::npos;
    }
    return {"syntax error", outside ? Comparable::outside_the_subset : Comparable::yes};
  }
  Scope scope;
  scope.show_members_of(one.context);
  try {
    WorkBudget budget;
    return {notation(evaluate_expression(parsed->expression(), scope, budget))};
  } catch (const EvaluationFailure& failure) {
    const bool limit = failure.error.fault == EvaluationFault::integer_overflow ||
                       failure.error.fault == EvaluationFault::too_large;
    return {"error", limit ? Comparable::past_our_limits : Comparable::yes};
  }
}

std::vector<Case> generated_cases() {
  ExpressionGenerator generator(seed);
  std::vector<Case> cases;
  for (std::size_t index = 0; index < case_count; ++index) {
    cases.push_back({generator.expression(), generator.context()});
  }
  return cases;
}

std::vector<std::string> answers_of_jinja2(const std::vector<Case>& cases) {
  const base::testing::ScratchFolder scratch;
  const std::string asked = scratch.path("asked.jsonl");
  const std::string answered = scratch.path("answered.txt");
  {
    std::ofstream file(asked);
    for (const Case& one : cases) {
      file << "{\"expression\":" << json_string(one.expression)
           << ",\"context\":" << json(one.context) << "}\n";
    }
  }
  const std::string command = "/usr/bin/python3 " ASSAY_SOURCE_DIR
                              "/reference_impl/model/routing/jinja2_oracle.py < '" +
                              asked + "' > '" + answered + "'";
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c,concurrency-mt-unsafe)
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "Jinja2 gave no answers. This test needs /usr/bin/python3 and Debian's python3-jinja2.";
  std::vector<std::string> answers;
  std::ifstream file(answered);
  for (std::string line; std::getline(file, line);) answers.push_back(line);
  return answers;
}

TEST(GuardsAgainstJinja2, RandomExpressionsHaveTheSameValueOrNone) {
  const std::vector<Case> cases = generated_cases();
  const std::vector<std::string> answers = answers_of_jinja2(cases);
  ASSERT_EQ(answers.size(), cases.size());
  std::size_t compared = 0;
  std::size_t valued = 0;
  std::size_t disagreements = 0;
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const Outcome ours = outcome_of(cases[index]);
    if (ours.comparable != Comparable::yes) continue;
    ++compared;
    if (ours.notation != "error" && ours.notation != "syntax error") ++valued;
    if (ours.notation == answers[index]) continue;
    if (++disagreements <= 20) {
      ADD_FAILURE() << cases[index].expression << "\n  with " << json(cases[index].context)
                    << "\n  ours:   " << ours.notation << "\n  Jinja2: " << answers[index];
    }
  }
  EXPECT_EQ(disagreements, 0U);
  // The comparison means something only while nearly all cases are compared and most have values.
  EXPECT_GE(compared, case_count / 6 * 5);
  EXPECT_GE(valued, compared / 3);
  RecordProperty("compared", static_cast<int>(compared));
  RecordProperty("valued", static_cast<int>(valued));
}

}  // namespace
}  // namespace assay::routing
