#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace assay::wire {

/// One ${name.member?|filter} of a profile's template.
struct Placeholder {
  enum class Filter {
    none,
    lower,         ///< In lower case.
    upper,         ///< In upper case.
    number,        ///< Decimal text becomes an integer.
    target_state,  ///< A state in the target's spelling (vocabulary.states).
    digest,        ///< A short text that is the same for equal values, and only for them.
    words,         ///< By the profile's table `table` (vocabulary.words).
  };

  /// The parameter, then the members on the way into it.
  std::vector<std::string> path;
  bool may_be_absent = false;
  Filter filter = Filter::none;
  std::string table = {};
};

/// The filters that are no table of the profile's.
[[nodiscard]] std::vector<std::string> filter_names();

/// A template's text in parts; literal text and placeholders.
using TemplateText = std::vector<std::variant<std::string, Placeholder>>;

/// A parameter, or a member on the way into it: "name.member"; nothing where it is malformed.
[[nodiscard]] std::optional<Placeholder> parse_path(std::string_view text);

/// The value that a path leads to, or nullptr.
[[nodiscard]] const Value* find_parameter(const Object& parameters, const Placeholder& path);

/// Splits a text; nothing where a ${…} is malformed. "$${" is a literal "${".
[[nodiscard]] std::optional<TemplateText> parse_template(std::string_view text);

/// Tables of words: by their name, our value as text to the target's.
using WordTables = std::map<std::string, std::map<std::string, Value, std::less<>>, std::less<>>;

/// What a template may refer to, and how it writes the target's words.
struct TemplateContext {
  const Object& parameters;
  /// The element under for_each, or nullptr.
  const Value* item = nullptr;
  /// Our spelling of a state to the target's.
  const std::map<std::string, std::string, std::less<>>& state_spelling;
  const WordTables& words;
};

/// A placeholder that has no value and may not be absent, or whose value has no word in the table
/// that it names: "a word for waiting in vocabulary.words.verb".
struct MissingParameter {
  std::string name;
};

/// A value in a text: a string as it is, anything else as JSON.
[[nodiscard]] std::string text_of_value(const Value& value);

enum class Encoding { plain, percent };

/// The text with every placeholder replaced; nothing where a placeholder that may be absent is, or
/// the name of one that may not.
[[nodiscard]] Result<std::optional<std::string>, MissingParameter> render_text(
    std::string_view text, const TemplateContext& context, Encoding encoding);

/// The value with every placeholder replaced (see core::OperationTemplate::body); nothing where it
/// is one placeholder that is absent.
[[nodiscard]] Result<std::optional<Value>, MissingParameter> render_value(
    const Value& value, const TemplateContext& context);

}  // namespace assay::wire
