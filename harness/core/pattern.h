#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "base/words.h"

namespace assay::core {

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
  enum class Kind {
    literal,
    object,
    exact_object,
    list,
    unordered,
    contains,
    excludes,
    any,
    absent,
    one_of,
    negation,
    type,
    length,
    instant,
    begins,
    ends,
    includes,
    at_least,
    at_most,
  };

  Kind kind = Kind::any;
  /// literal, type, length, instant, begins, ends, includes, at_least, at_most: the operand. Its
  /// strings may have ${name}.
  Value operand;
  std::map<std::string, Pattern> members;
  std::vector<Pattern> elements;
};

/// The tags without their exclamation marks; empty: plain YAML says it.
inline constexpr EnumTable<Pattern::Kind::at_most, std::string_view> pattern_tags = {
    "",       "",       "exactly",  "",         "unordered", "contains", "excludes",
    "any",    "absent", "one_of",   "not",      "type",      "length",   "instant",
    "begins", "ends",   "includes", "at_least", "at_most"};

}  // namespace assay::core
