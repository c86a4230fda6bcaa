#include "reference_impl/model/routing/testing/expression_generator.h"

#include <array>
#include <limits>
#include <utility>

namespace assay::routing {
namespace {

constexpr auto names = std::to_array<std::string_view>(
    {"i", "j", "big", "f", "g",     "s",      "t",   "yes",      "no",      "nothing",
     "l", "m", "o",   "p", "event", "output", "ctx", "workload", "missing", "absent"});
constexpr auto members = std::to_array<std::string_view>(
    {"name", "status", "data", "rows", "error", "kind", "é", "x", "y"});
constexpr auto strings = std::to_array<std::string_view>({"''",
                                                          "'a'",
                                                          "'b'",
                                                          "\"error\"",
                                                          "'step.done'",
                                                          "'12'",
                                                          "' 42 '",
                                                          "'-3.75'",
                                                          "'1e3'",
                                                          "'0x1f'",
                                                          "'1_000'",
                                                          "'True'",
                                                          "'é ü'",
                                                          "'ΑΣ ß İ'",
                                                          "'x' 'y'",
                                                          "'it\\'s'",
                                                          "'\\n\\x41\\u00e9\\101\\q'",
                                                          "'\"q\\''",
                                                          "'日本'",
                                                          "'name'",
                                                          "'😀'",
                                                          "'\\u00a0pad\\t'"});
constexpr auto numbers = std::to_array<std::string_view>({"0",
                                                          "1",
                                                          "2",
                                                          "3",
                                                          "7",
                                                          "10",
                                                          "-1",
                                                          "500",
                                                          "1_000",
                                                          "0x1F",
                                                          "0b101",
                                                          "0o17",
                                                          "00",
                                                          "0.5",
                                                          "1.5",
                                                          "2.5",
                                                          "3.0",
                                                          "1e3",
                                                          "1.25e-7",
                                                          "1e16",
                                                          "123456789.125",
                                                          "0.1",
                                                          "9007199254740993",
                                                          "1e22",
                                                          "0.0"});
constexpr auto comparators =
    std::to_array<std::string_view>({"==", "!=", "<", "<=", ">", ">=", "in", "not in", "==", "=="});
constexpr auto operators = std::to_array<std::string_view>({"+", "-", "*", "/", "//", "%", "~"});
constexpr auto filters = std::to_array<std::string_view>(
    {"default", "int", "float", "string", "lower", "upper", "trim", "length", "first", "last",
     "list", "join", "round", "abs", "default", "default", "string", "lower", "default"});
constexpr auto texts = std::to_array<std::string_view>(
    {"",     "a",         "abc",      "error",        "step.done", "12",   " 7 ",
     "-3.5", "1e400",     "ÀÉ",       "Σas Σ",        "ǆ",         "x y",  "it's",
     "\"",   "tab\there", "\xC2\xA0", "日本語",       "😀",        "true", "False",
     "0b11", "+5",        "1__2",     "\xE2\x80\x8B", "infinity",  "٣x",   "\\"});
constexpr auto reals = std::to_array<double>({0.0, -0.0, 0.5, 1.5, 2.5, -2.5, 1e-5, 1e16, 1e300,
                                              123.456, -7.25, 0.1, 2.675, 1e-300, 3.0, 1234567.5});

}  // namespace

std::string ExpressionGenerator::expression() {
  tokens_.clear();
  any(4);
  if (one_in(12)) mutate();
  std::string text;
  for (const std::string& one : tokens_) {
    if (!text.empty()) text += one_in(10) ? "  " : " ";
    text += one;
  }
  return text;
}

void ExpressionGenerator::any(int depth) {
  if (depth <= 0) return operand(0);
  switch (below(10)) {
    case 0:
      token("not");
      return any(depth - 1);
    case 1:
    case 2:
      any(depth - 1);
      token(one_in(2) ? "and" : "or");
      return any(depth - 1);
    case 3:
      any(depth - 1);
      token("if");
      any(depth - 1);
      if (one_in(6)) return;
      token("else");
      return any(depth - 1);
    case 4:
    case 5:
      return operand(depth - 1);
    default:
      return binary(depth - 1);
  }
}

void ExpressionGenerator::binary(int depth) {
  // Mostly operands that the operator has a value for; errors are the rarer outcome in practice.
  const bool any_operand = one_in(5);
  const bool compares = one_in(2);
  const bool equates = compares && one_in(2);
  const auto side = [&] {
    if (equates || any_operand) return operand(depth);
    number(depth);
  };
  side();
  do {
    if (equates) {
      token(std::string(pick(std::to_array<std::string_view>({"==", "!=", "==", "~"}))));
    } else if (compares && !any_operand && one_in(5)) {
      token(one_in(2) ? "in" : "not in");
      list(depth);
      continue;
    } else if (compares) {
      token(std::string(pick(comparators)));
    } else {
      token(std::string(pick(operators)));
    }
    side();
  } while (one_in(3));
}

/// Something that mostly has a number as its value.
void ExpressionGenerator::number(int depth) {
  if (one_in(10)) token(one_in(4) ? "+" : "-");
  switch (below(8)) {
    case 0:
    case 1:
      return token(std::string(pick(numbers)));
    case 2:
      if (depth <= 0) return token("j");
      token("(");
      number(depth - 1);
      token(std::string(pick(operators)));
      number(depth - 1);
      return token(")");
    case 3:
      token(std::string(pick(std::to_array<std::string_view>({"l", "m", "o", "s", "missing"}))));
      token("|");
      return token("length");
    case 4:
      token("(");
      operand(depth - 1);
      token(")");
      token("|");
      token("default");
      token("(");
      token(std::string(pick(numbers)));
      token(")");
      token("|");
      return token(one_in(3) ? "float" : "int");
    default:
      return token(std::string(
          pick(std::to_array<std::string_view>({"i", "j", "f", "g", "yes", "i", "j", "big"}))));
  }
}

void ExpressionGenerator::operand(int depth) {
  if (one_in(40)) token(one_in(4) ? "+" : "-");
  switch (below(8)) {
    case 0:
    case 1:
    case 2:
      literal();
      break;
    case 3:
      token("(");
      any(depth - 1);
      token(")");
      break;
    case 4:
      list(depth);
      break;
    default:
      token(std::string(pick(names)));
      break;
  }
  if (one_in(2)) chain(depth);
}

void ExpressionGenerator::literal() {
  switch (below(5)) {
    case 0:
    case 1:
      return token(std::string(pick(strings)));
    case 2:
    case 3:
      return token(std::string(pick(numbers)));
    default:
      return token(std::string(pick(
          std::to_array<std::string_view>({"true", "false", "none", "True", "False", "None"}))));
  }
}

void ExpressionGenerator::list(int depth) {
  token("[");
  const std::size_t count = below(4);
  for (std::size_t index = 0; index < count; ++index) {
    if (index > 0) token(",");
    any(depth > 1 ? 1 : 0);
  }
  if (count > 0 && one_in(8)) token(",");
  token("]");
}

void ExpressionGenerator::chain(int depth) {
  for (bool subscripted = one_in(2); subscripted; subscripted = one_in(3)) {
    if (one_in(2)) {
      token(".");
      token(one_in(10) ? "0" : std::string(pick(members)));
    } else {
      token("[");
      any(depth > 2 ? 1 : 0);
      token("]");
    }
  }
  while (one_in(3)) {
    if (one_in(5)) {
      token("is");
      if (one_in(3)) token("not");
      token(one_in(2) ? "defined" : "none");
    } else {
      filter(depth);
    }
  }
}

void ExpressionGenerator::filter(int depth) {
  const std::string_view chosen = pick(filters);
  token("|");
  token(std::string(chosen));
  if (one_in(2)) filter_arguments(chosen, depth);
}

void ExpressionGenerator::filter_arguments(std::string_view filter, int depth) {
  const auto value = [this, depth] { any(depth > 2 ? 1 : 0); };
  if (filter == "default") {
    token("(");
    value();
    if (one_in(3)) {
      token(",");
      if (one_in(2)) token("boolean=");
      value();
    }
    token(")");
  } else if (filter == "int") {
    token("(");
    value();
    if (one_in(3)) {
      token(",");
      token(std::string(pick(std::to_array<std::string_view>({"2", "8", "10", "16", "0", "36"}))));
    }
    token(")");
  } else if (filter == "float" || filter == "join" || filter == "trim") {
    token("(");
    value();
    token(")");
  } else if (filter == "round") {
    token("(");
    token(std::string(
        pick(std::to_array<std::string_view>({"0", "1", "2", "-1", "-2", "3", "true"}))));
    if (one_in(2)) {
      token(",");
      token(std::string(
          pick(std::to_array<std::string_view>({"'floor'", "'ceil'", "'common'", "'up'"}))));
    }
    token(")");
  }
}

void ExpressionGenerator::mutate() {
  const std::size_t at = below(tokens_.size());
  switch (below(4)) {
    case 0:
      tokens_.erase(tokens_.begin() + static_cast<std::ptrdiff_t>(at));
      break;
    case 1:
      tokens_.insert(tokens_.begin() + static_cast<std::ptrdiff_t>(at), tokens_[at]);
      break;
    case 2:
      std::swap(tokens_[at], tokens_[below(tokens_.size())]);
      break;
    default:
      tokens_[at] = std::string(pick(
          std::to_array<std::string_view>({"not", "in", "is", "if", "else", "and", "or", ")", "]",
                                           "|", ".", "==", "'open", "!", "1.", "defined", "\\"})));
      break;
  }
}

Value ExpressionGenerator::scalar() {
  switch (below(7)) {
    case 0:
      return nullptr;
    case 1:
      return one_in(2);
    case 2:
      return pick(reals);
    case 3:
    case 4:
      return std::string(pick(texts));
    default:
      return static_cast<std::int64_t>(below(25)) - 8;
  }
}

Value ExpressionGenerator::nested(int depth) {
  if (depth == 0 || one_in(3)) return scalar();
  if (one_in(2)) {
    List items;
    for (std::size_t count = below(4); count > 0; --count) items.push_back(nested(depth - 1));
    return items;
  }
  Object object;
  for (std::size_t count = below(4); count > 0; --count) {
    object[std::string(pick(members))] = nested(depth - 1);
  }
  return object;
}

Value ExpressionGenerator::context() {
  constexpr auto large = std::to_array<std::int64_t>(
      {9007199254740993, -9007199254740993, 4611686018427387905, 2147483648000});
  Object context;
  context["i"] = static_cast<std::int64_t>(below(40)) - 12;
  context["j"] = static_cast<std::int64_t>(below(5));
  context["big"] = pick(large);
  context["f"] = pick(reals);
  context["g"] = static_cast<double>(below(1000)) / 8;
  context["s"] = std::string(pick(texts));
  context["t"] = std::string(pick(texts));
  context["yes"] = true;
  context["no"] = false;
  context["nothing"] = nullptr;
  for (const std::string_view name : {"l", "m"}) {
    List items;
    for (std::size_t count = below(4); count > 0; --count) items.push_back(nested(2));
    context[std::string(name)] = std::move(items);
  }
  for (const std::string_view name : {"o", "p", "event", "output", "ctx", "workload"}) {
    Object object;
    for (std::size_t count = below(6); count > 0; --count) {
      object[std::string(pick(members))] = nested(3);
    }
    context[std::string(name)] = std::move(object);
  }
  if (one_in(5)) context.erase(std::string(pick(names)));
  return context;
}

}  // namespace assay::routing
