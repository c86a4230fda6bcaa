#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/value.h"
#include "harness/core/pattern.h"

namespace assay::check {

/// What ${name} stands for. "id:second" is a name like any other; "bytes:N" needs no entry: it is a
/// text of N letters x.
using Variables = std::map<std::string, Value, std::less<>>;

/// A scenario that names a variable which does not exist, or leaves ${ open.
class SubstitutionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A text with every ${name} replaced: strings as they are, other values as JSON. "$${" stands for
/// "${". What a variable brings is not looked at again. Throws SubstitutionError.
[[nodiscard]] std::string substitute_text(std::string_view text, const Variables& variables);

/// A text that is one ${name} becomes the variable with its type, any other text a string.
[[nodiscard]] Value substitute_string(std::string_view text, const Variables& variables);

/// Every string in a value, and every member's name. Throws SubstitutionError.
[[nodiscard]] Value substitute(const Value& value, const Variables& variables);

/// Every value of a list; an element that is one ${name} with a list stands for that list's
/// elements. Throws SubstitutionError.
[[nodiscard]] List substitute_elements(const List& elements, const Variables& variables);

/// Every operand in a pattern, and every member's name. A literal that is one ${name} stands for
/// what the variable would be if it were written there: an object of it may have more members.
/// Throws SubstitutionError.
[[nodiscard]] core::Pattern substitute(const core::Pattern& pattern, const Variables& variables);

/// Whether a template says what the variable, "${result}", stands for.
[[nodiscard]] bool mentions(const Value& form, std::string_view variable);

}  // namespace assay::check
