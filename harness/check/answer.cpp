#include "harness/check/answer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/encoding.h"
#include "harness/check/text.h"

namespace assay::check {
namespace {

template <typename Element>
bool is_one_of(const std::vector<Element>& choices, const Element& actual) {
  return choices.empty() || std::find(choices.begin(), choices.end(), actual) != choices.end();
}

std::string acceptance_words(const std::vector<core::Acceptance>& acceptances) {
  std::vector<std::string_view> words;
  words.reserve(acceptances.size());
  for (const core::Acceptance acceptance : acceptances) {
    words.push_back(core::acceptance_words[acceptance]);
  }
  return fmt::format("{}", fmt::join(words, " or "));
}

std::optional<Mismatch> match_header(const std::string& name, const core::Pattern& pattern,
                                     const std::vector<core::Header>& headers) {
  std::optional<Value> nearest;
  for (const core::Header& header : headers) {
    if (!same_without_case(header.name, name)) continue;
    const Value value(header.value);
    if (matches(pattern, &value)) return std::nullopt;
    nearest = value;
  }
  if (!nearest && matches(pattern, nullptr)) return std::nullopt;
  return Mismatch{"", fmt::format("header {}: {}", name, pattern_text(pattern)),
                  fmt::format("header {}: {}", name, value_text(nearest ? &*nearest : nullptr))};
}

std::optional<Mismatch> match_kind(const core::AnswerPattern& expected,
                                   const core::Answer& answer) {
  if (!is_one_of(expected.statuses, answer.status)) {
    return Mismatch{"", fmt::format("status {}", fmt::join(expected.statuses, " or ")),
                    fmt::format("status {}", answer.status)};
  }
  if (!is_one_of(expected.acceptances, answer.acceptance)) {
    return Mismatch{
        "", fmt::format("an answer that is {}", acceptance_words(expected.acceptances)),
        fmt::format("{} (status {})", core::acceptance_words[answer.acceptance], answer.status)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> find_member(const Value& value, std::string_view name) {
  // An explicit stack: the depth is the target's choice.
  std::vector<std::pair<const Value*, std::string>> open = {{&value, ""}};
  while (!open.empty()) {
    const auto [current, pointer] = open.back();
    open.pop_back();
    if (current->is_object()) {
      for (const auto& [key, member] : current->as_object()) {
        std::string here = fmt::format("{}/{}", pointer, escape_pointer_token(key));
        if (key == name) return here;
        if (member.is_object() || member.is_list()) open.emplace_back(&member, std::move(here));
      }
    } else if (current->is_list()) {
      for (std::size_t index = 0; index < current->as_list().size(); ++index) {
        const Value& element = current->as_list()[index];
        if (!element.is_object() && !element.is_list()) continue;
        open.emplace_back(&element, fmt::format("{}/{}", pointer, index));
      }
    }
  }
  return std::nullopt;
}

std::optional<Mismatch> match_answer(const core::AnswerPattern& expected,
                                     const core::Answer& answer,
                                     const std::vector<core::Header>& headers, const Value* body) {
  if (auto mismatch = match_kind(expected, answer)) return mismatch;
  for (const auto& [name, pattern] : expected.headers) {
    if (auto mismatch = match_header(name, pattern, headers)) return mismatch;
  }
  if (expected.body) {
    auto mismatch = match(*expected.body, body);
    if (mismatch && body == nullptr && !answer.trouble.empty()) mismatch->actual = answer.trouble;
    if (mismatch) return mismatch;
  }
  for (const std::string& name : expected.nowhere) {
    const auto found = find_member(answer.body, name);
    if (!found) continue;
    return Mismatch{*found, fmt::format("no member {} at any depth", name),
                    value_text(answer.body.at_pointer(*found))};
  }
  return std::nullopt;
}

core::AnswerPattern substitute_answer(const core::AnswerPattern& expected,
                                      const Variables& variables) {
  core::AnswerPattern result = expected;
  for (const std::string& variable : expected.status_variables) {
    const Value status = substitute_string(variable, variables);
    const auto number = status.is_number() ? status.to_int64() : std::nullopt;
    if (!number || *number < 100 || *number > 599) {
      throw SubstitutionError(fmt::format("{} is not an HTTP status", value_text(status)));
    }
    result.statuses.push_back(static_cast<int>(*number));
  }
  for (const std::string& variable : expected.acceptance_variables) {
    const std::string word = substitute_text(variable, variables);
    const auto acceptance = core::acceptance_words.parse(word);
    if (!acceptance) throw SubstitutionError(fmt::format("\"{}\" is not a kind of answer", word));
    result.acceptances.push_back(*acceptance);
  }
  for (auto& [name, pattern] : result.headers) pattern = substitute(pattern, variables);
  if (result.body) result.body = substitute(*result.body, variables);
  for (std::string& name : result.nowhere) name = substitute_text(name, variables);
  return result;
}

}  // namespace assay::check
