#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/value.h"
#include "base/words.h"

namespace assay::core {

struct Pattern;

/// Whatever it is.
struct AnyPattern {
  bool operator==(const AnyPattern&) const = default;
};

struct AbsentPattern {
  bool operator==(const AbsentPattern&) const = default;
};

/// A value that is held against one operand.
struct OperandPattern {
  enum class By { literal, type, length, instant, begins, ends, includes, at_least, at_most };

  By by = By::literal;
  /// Its strings may have ${name}.
  Value operand = {};

  bool operator==(const OperandPattern&) const = default;
};

struct ObjectPattern {
  std::map<std::string, Pattern> members;
  /// Has no other members.
  bool exactly = false;

  bool operator==(const ObjectPattern& other) const;
};

/// The elements of an array; one_of and none_of: what the value itself may be or not be.
struct ElementsPattern {
  enum class How { list, unordered, contains, excludes, one_of, none_of };

  How how = How::list;
  std::vector<Pattern> elements;

  bool operator==(const ElementsPattern& other) const;
};

/// What a scenario expects of a JSON value. Plain YAML is a literal; tags give the rest:
///
///   scalar              equal as JSON values
///   {a: …}              an object with at least these members, each matching
///   !exactly {a: …}     an object with these members and no others
///   [p, q]              an array of exactly these, in order
///   !unordered [p, q]   an array of exactly these, in any order
///   !contains [p, q]    an array with a different element for each of these
///   !excludes p         an array with no element that matches
///   !any                present, whatever it is (null too)
///   !absent             no such member
///   !one_of [p, q]      at least one matches
///   !not p              does not match
///   !none_of [p, q]     none matches
///   !type string        a value of that kind (string, integer, number, boolean, array, object,
///   null) !length n           an array, string or object of that many elements, bytes or members
///   !instant "…"        an RFC 3339 time of the same instant
///   !begins / !ends / !includes "…"   a string that does
///   !at_least n / !at_most n          a number
struct Pattern {
  using By = OperandPattern::By;
  using How = ElementsPattern::How;

  std::variant<AnyPattern, AbsentPattern, OperandPattern, ObjectPattern, ElementsPattern> form = {};

  bool operator==(const Pattern&) const = default;

  [[nodiscard]] bool is(By by) const;
  [[nodiscard]] bool is(How how) const;
  /// What it must equal; nullptr where it is no literal.
  [[nodiscard]] const Value* literal() const;
  /// None where it has none.
  [[nodiscard]] const std::map<std::string, Pattern>& members() const;
  [[nodiscard]] const std::vector<Pattern>& elements() const;
};

/// Calls `visit` with each pattern that one is made of.
template <typename Whole, typename Visit>
void for_each_part(Whole& pattern, const Visit& visit) {
  if (auto* object = std::get_if<ObjectPattern>(&pattern.form)) {
    for (auto& [name, member] : object->members) visit(member);
  } else if (auto* several = std::get_if<ElementsPattern>(&pattern.form)) {
    for (auto& element : several->elements) visit(element);
  }
}

/// The tags without their exclamation marks; empty: plain YAML says it.
inline constexpr Words<Pattern::By::at_most> operand_tags = {
    "", "type", "length", "instant", "begins", "ends", "includes", "at_least", "at_most"};
inline constexpr Words<Pattern::How::none_of> element_tags = {"",         "unordered", "contains",
                                                              "excludes", "one_of",    "none_of"};
/// None of one.
inline constexpr std::string_view negation_tag = "not";
inline constexpr std::string_view exact_tag = "exactly";
inline constexpr std::string_view any_tag = "any";
inline constexpr std::string_view absent_tag = "absent";

}  // namespace assay::core
