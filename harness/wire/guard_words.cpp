#include "harness/wire/guard_words.h"

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace assay::wire {
namespace {

/// An expression with the event names that stand in quotes as the target spells them. Where it
/// names an event that the target does not have, `without` becomes that event.
std::string renamed_in_quotes(const core::Profile& profile, std::string_view expression,
                              std::string& without) {
  std::string result;
  while (true) {
    const std::size_t open = expression.find_first_of("'\"");
    const std::size_t close =
        open == std::string_view::npos ? open : expression.find(expression[open], open + 1);
    if (close == std::string_view::npos) return result.append(expression);
    const std::string_view word = expression.substr(open + 1, close - open - 1);
    const auto name = profile.event_names.find(word);
    const bool is_event = name != profile.event_names.end();
    if (is_event && name->second.empty()) without = word;
    result.append(expression.substr(0, open + 1)).append(is_event ? name->second : word);
    result += expression[close];
    expression.remove_prefix(close + 1);
  }
}

/// The text with its expressions, {{ … }}, renamed.
std::string renamed_in_guards(const core::Profile& profile, std::string_view text,
                              std::string& without) {
  std::string result;
  while (true) {
    const std::size_t open = text.find("{{");
    const std::size_t close = open == std::string_view::npos ? open : text.find("}}", open);
    if (close == std::string_view::npos) return result.append(text);
    result.append(text.substr(0, open));
    result.append(renamed_in_quotes(profile, text.substr(open, close - open), without));
    text.remove_prefix(close);
  }
}

void rename_below(const core::Profile& profile, Value& value, std::string& without) {
  if (value.is_string()) {
    value = renamed_in_guards(profile, value.as_string(), without);
  } else if (value.is_list()) {
    for (Value& element : value.as_list()) rename_below(profile, element, without);
  } else if (value.is_object()) {
    for (auto& [name, member] : value.as_object()) rename_below(profile, member, without);
  }
}

}  // namespace

Result<Value, NotExpressible> with_target_names_in_guards(const core::Profile& profile,
                                                          Value playbook) {
  std::string without;
  rename_below(profile, playbook, without);
  if (!without.empty()) {
    return unexpected(NotExpressible{fmt::format("the target has no event for {}", without)});
  }
  return playbook;
}

}  // namespace assay::wire
