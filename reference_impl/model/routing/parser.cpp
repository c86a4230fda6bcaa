#include "reference_impl/model/routing/parser.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference_impl/model/routing/filters.h"

namespace assay::routing {
namespace {

std::vector<Expression> only(Expression expression) {
  std::vector<Expression> one;
  one.push_back(std::move(expression));
  return one;
}

std::string described(const Token& token) {
  switch (token.kind) {
    case TokenKind::end:
      return "the end of the expression";
    case TokenKind::string:
      return "a string";
    case TokenKind::number:
      return "a number";
    case TokenKind::name:
    case TokenKind::symbol:
      break;
  }
  return "'" + token.text + "'";
}

/// Jinja2's recursive descent, its functions by the same names.
class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  Expression run() {
    Expression expression = parse_conditional();
    if (current().kind != TokenKind::end) fail_unexpected();
    return expression;
  }

 private:
  /// Counts one level of nesting while it lives.
  class Nesting {
   public:
    explicit Nesting(Parser& parser) : parser_(parser) {
      if (++parser_.nesting_ > nesting_at_most) {
        fail_syntax(parser_.current().position, "the expression is nested too deeply");
      }
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    Parser& parser_;
  };

  [[nodiscard]] const Token& current() const { return tokens_[index_]; }
  [[nodiscard]] const Token& following() const {
    return tokens_[std::min(index_ + 1, tokens_.size() - 1)];
  }
  void advance() { index_ = std::min(index_ + 1, tokens_.size() - 1); }

  [[nodiscard]] bool is_symbol(std::string_view symbol) const {
    return current().kind == TokenKind::symbol && current().text == symbol;
  }
  [[nodiscard]] bool is_name(std::string_view name) const {
    return current().kind == TokenKind::name && current().text == name;
  }
  bool skip_symbol(std::string_view symbol) {
    if (!is_symbol(symbol)) return false;
    advance();
    return true;
  }
  bool skip_name(std::string_view name) {
    if (!is_name(name)) return false;
    advance();
    return true;
  }
  void expect_symbol(std::string_view symbol) {
    if (!skip_symbol(symbol)) {
      fail_syntax(current().position,
                  "'" + std::string(symbol) + "' expected, not " + described(current()));
    }
  }
  [[noreturn]] void fail_unexpected() const {
    fail_syntax(current().position, "unexpected " + described(current()));
  }

  Expression parse_conditional() {
    const Nesting nesting(*this);
    Expression value = parse_logical(false);
    int chained = 0;
    while (skip_name("if")) {
      // Each further `if` wraps what stands before it, which nests the tree.
      if (++chained > nesting_at_most) {
        fail_syntax(current().position, "the expression is nested too deeply");
      }
      Conditional conditional;
      conditional.parts.push_back(std::move(value));
      conditional.parts.push_back(parse_logical(false));
      if (skip_name("else")) conditional.parts.push_back(parse_conditional());
      value = Expression{std::move(conditional)};
    }
    return value;
  }

  Expression parse_logical(bool is_and) {
    const auto operand = [this, is_and] { return is_and ? parse_not() : parse_logical(true); };
    Expression first = operand();
    if (!is_name(is_and ? "and" : "or")) return first;
    Logical logical{.is_and = is_and, .operands = only(std::move(first))};
    while (skip_name(is_and ? "and" : "or")) logical.operands.push_back(operand());
    return Expression{std::move(logical)};
  }

  Expression parse_not() {
    if (!is_name("not")) return parse_comparison();
    const Nesting nesting(*this);
    advance();
    return Expression{Negation{only(parse_not())}};
  }

  std::optional<Comparator> skip_comparator() {
    static constexpr auto symbols = std::to_array<std::pair<std::string_view, Comparator>>(
        {{"==", Comparator::equal},
         {"!=", Comparator::not_equal},
         {"<", Comparator::less},
         {"<=", Comparator::less_or_equal},
         {">", Comparator::greater},
         {">=", Comparator::greater_or_equal}});
    for (const auto& [symbol, comparator] : symbols) {
      if (skip_symbol(symbol)) return comparator;
    }
    if (skip_name("in")) return Comparator::in;
    if (is_name("not") && following().kind == TokenKind::name && following().text == "in") {
      advance();
      advance();
      return Comparator::not_in;
    }
    return std::nullopt;
  }

  Expression parse_comparison() {
    Expression first = parse_sum();
    auto comparator = skip_comparator();
    if (!comparator) return first;
    Comparison comparison{.operands = only(std::move(first)), .comparators = {}};
    for (; comparator; comparator = skip_comparator()) {
      comparison.comparators.push_back(*comparator);
      comparison.operands.push_back(parse_sum());
    }
    return Expression{std::move(comparison)};
  }

  using OperatorTable = std::vector<std::pair<std::string_view, ArithmeticOperator>>;

  std::optional<ArithmeticOperator> skip_operator(const OperatorTable& table) {
    for (const auto& [symbol, operation] : table) {
      if (skip_symbol(symbol)) return operation;
    }
    return std::nullopt;
  }

  template <typename ParseOperand>
  Expression parse_arithmetic(const OperatorTable& table, ParseOperand parse_operand) {
    Expression first = parse_operand();
    auto operation = skip_operator(table);
    if (!operation) return first;
    Arithmetic arithmetic{.operands = only(std::move(first)), .operators = {}};
    for (; operation; operation = skip_operator(table)) {
      arithmetic.operators.push_back(*operation);
      arithmetic.operands.push_back(parse_operand());
    }
    return Expression{std::move(arithmetic)};
  }

  Expression parse_sum() {
    static const OperatorTable table = {{"+", ArithmeticOperator::add},
                                        {"-", ArithmeticOperator::subtract}};
    return parse_arithmetic(table, [this] { return parse_concatenation(); });
  }

  Expression parse_concatenation() {
    Expression first = parse_product();
    if (!is_symbol("~")) return first;
    Concatenation concatenation{only(std::move(first))};
    while (skip_symbol("~")) concatenation.operands.push_back(parse_product());
    return Expression{std::move(concatenation)};
  }

  Expression parse_product() {
    static const OperatorTable table = {{"*", ArithmeticOperator::multiply},
                                        {"/", ArithmeticOperator::divide},
                                        {"//", ArithmeticOperator::floor_divide},
                                        {"%", ArithmeticOperator::modulo}};
    return parse_arithmetic(table, [this] { return parse_unary(true); });
  }

  Expression parse_unary(bool with_filters) {
    Expression base;
    if (is_symbol("-") || is_symbol("+")) {
      const Nesting nesting(*this);
      const Sign sign = is_symbol("-") ? Sign::minus : Sign::plus;
      advance();
      base = Expression{Signed{.sign = sign, .operand = only(parse_unary(false))}};
    } else {
      base = parse_primary();
    }
    std::vector<Chain::Step> steps;
    while (is_symbol(".") || is_symbol("[")) steps.push_back(parse_subscript());
    while (with_filters && (is_symbol("|") || is_name("is"))) {
      if (is_symbol("|")) {
        steps.emplace_back(parse_filter());
      } else {
        steps.emplace_back(parse_test());
      }
    }
    if (is_symbol("(")) fail_syntax(current().position, "functions can't be called here");
    if (steps.empty()) return base;
    return Expression{Chain{only(std::move(base)), std::move(steps)}};
  }

  Expression parse_primary() {
    const Token token = current();
    switch (token.kind) {
      case TokenKind::name:
        advance();
        return parse_name(token.text);
      case TokenKind::string: {
        std::string text;
        for (; current().kind == TokenKind::string; advance()) text += current().text;
        return Expression{Literal{text}};
      }
      case TokenKind::number:
        advance();
        return Expression{Literal{token.number}};
      case TokenKind::symbol:
      case TokenKind::end:
        break;
    }
    if (is_symbol("(")) return parse_parentheses();
    if (is_symbol("[")) return parse_list();
    if (is_symbol("{")) fail_syntax(token.position, "dictionaries aren't part of guards");
    fail_syntax(token.position, "an expression expected, not " + described(token));
  }

  static Expression parse_name(const std::string& name) {
    if (name == "true" || name == "True") return Expression{Literal{true}};
    if (name == "false" || name == "False") return Expression{Literal{false}};
    if (name == "none" || name == "None") return Expression{Literal{nullptr}};
    return Expression{Name{name}};
  }

  Expression parse_parentheses() {
    advance();
    if (is_symbol(")")) fail_syntax(current().position, "tuples aren't part of guards");
    Expression inner = parse_conditional();
    if (is_symbol(",")) fail_syntax(current().position, "tuples aren't part of guards");
    expect_symbol(")");
    return inner;
  }

  Expression parse_list() {
    advance();
    ListLiteral list;
    while (!is_symbol("]")) {
      if (!list.items.empty()) expect_symbol(",");
      if (is_symbol("]")) break;
      list.items.push_back(parse_conditional());
    }
    expect_symbol("]");
    return Expression{std::move(list)};
  }

  Chain::Step parse_subscript() {
    if (skip_symbol(".")) {
      const Token token = current();
      if (token.kind == TokenKind::name) {
        advance();
        return AttributeAccess{token.text};
      }
      if (token.kind == TokenKind::number && token.number.is_integer()) {
        advance();
        return IndexAccess{only(Expression{Literal{token.number}})};
      }
      fail_syntax(token.position, "a name expected after '.', not " + described(token));
    }
    expect_symbol("[");
    const auto refuse_slices = [this] {
      if (is_symbol(":")) fail_syntax(current().position, "slices aren't part of guards");
      if (is_symbol(",")) fail_syntax(current().position, "tuples aren't part of guards");
    };
    refuse_slices();
    if (is_symbol("]")) {
      fail_syntax(current().position, "empty subscripts aren't part of guards");
    }
    IndexAccess access{only(parse_conditional())};
    refuse_slices();
    expect_symbol("]");
    return access;
  }

  FilterCall parse_filter() {
    advance();
    const Token token = current();
    const FilterSignature* signature =
        token.kind == TokenKind::name ? find_filter(token.text) : nullptr;
    if (signature == nullptr) {
      fail_syntax(token.position, token.kind == TokenKind::name
                                      ? "unknown filter '" + token.text + "'"
                                      : "a filter expected, not " + described(token));
    }
    advance();
    if (is_symbol(".")) fail_syntax(token.position, "unknown filter '" + token.text + ".'");
    FilterCall call{.filter = signature->filter, .arguments = {}};
    call.arguments.resize(signature->parameters.size());
    if (is_symbol("(")) parse_arguments(*signature, call);
    return call;
  }

  void parse_arguments(const FilterSignature& signature, FilterCall& call) {
    advance();
    std::size_t given = 0;
    bool named = false;
    bool after_first = false;
    while (!is_symbol(")")) {
      if (after_first) expect_symbol(",");
      if (is_symbol(")")) break;
      after_first = true;
      const Token token = current();
      std::size_t parameter = given++;
      if (token.kind == TokenKind::name && following().kind == TokenKind::symbol &&
          following().text == "=") {
        named = true;
        parameter = signature.position_of(token.text);
        advance();
        advance();
      } else if (named) {
        fail_syntax(token.position, "an argument without a name follows one with a name");
      }
      if (parameter >= call.arguments.size() || !call.arguments[parameter].empty()) {
        fail_syntax(token.position,
                    "filter '" + std::string(signature.name) + "' takes no such argument");
      }
      call.arguments[parameter] = only(parse_conditional());
    }
    expect_symbol(")");
  }

  TestCall parse_test() {
    advance();
    TestCall call;
    call.negated = skip_name("not");
    const Token token = current();
    if (token.kind != TokenKind::name) {
      fail_syntax(token.position, "a test expected, not " + described(token));
    }
    if (token.text == "defined") {
      call.test = Test::defined;
    } else if (token.text == "undefined") {
      call.test = Test::undefined;
    } else if (token.text == "none") {
      call.test = Test::none;
    } else {
      fail_syntax(token.position, "unknown test '" + token.text + "'");
    }
    advance();
    if (is_symbol(".")) fail_syntax(current().position, "unknown test");
    // Jinja2 takes whatever value follows a test as its argument, and these tests have none.
    const Token& after = current();
    const bool argument =
        after.kind == TokenKind::string || after.kind == TokenKind::number || is_symbol("(") ||
        is_symbol("[") || is_symbol("{") ||
        (after.kind == TokenKind::name && !is_name("else") && !is_name("or") && !is_name("and"));
    if (argument) fail_syntax(after.position, "test '" + token.text + "' takes no argument");
    return call;
  }

  std::vector<Token> tokens_;
  std::size_t index_ = 0;
  int nesting_ = 0;
};

}  // namespace

Expression parse_expression(std::string_view text) { return Parser(tokenize(text)).run(); }

}  // namespace assay::routing
