#include "reference_impl/model/routing/lexer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "reference_impl/model/routing/python_text.h"

namespace assay::routing {
namespace {

bool is_digit(char character) { return character >= '0' && character <= '9'; }

bool is_name_start(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         character == '_' || static_cast<unsigned char>(character) >= 0x80;
}

bool is_hex_digit(char character) {
  return is_digit(character) || (character >= 'a' && character <= 'f') ||
         (character >= 'A' && character <= 'F');
}

/// One pass over a guard's text.
class Lexer {
 public:
  Lexer(std::string_view text, std::size_t position, bool in_braces)
      : text_(text), position_(position), in_braces_(in_braces) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    do {
      tokens.push_back(next());
    } while (tokens.back().kind != TokenKind::end);
    return tokens;
  }

 private:
  [[nodiscard]] bool starts_with(std::string_view prefix) const {
    return text_.substr(position_).starts_with(prefix);
  }

  [[nodiscard]] char at(std::size_t position) const {
    return position < text_.size() ? text_[position] : '\0';
  }

  /// The length in bytes of the white space at a position.
  [[nodiscard]] std::size_t space_at(std::size_t position) const {
    if (position >= text_.size()) return 0;
    const auto lead = static_cast<unsigned char>(text_[position]);
    if (lead < 0x80) return is_python_space(lead) ? std::size_t{1} : std::size_t{0};
    for (std::size_t length = 2; length <= 3 && position + length <= text_.size(); ++length) {
      const std::string_view bytes = text_.substr(position, length);
      if (code_point_count(bytes) == 1 && code_points(bytes).size() == 1 &&
          is_python_space(code_point_number(bytes))) {
        return length;
      }
    }
    return 0;
  }

  void skip_spaces() {
    while (const std::size_t length = space_at(position_)) position_ += length;
  }

  Token next() {
    skip_spaces();
    const std::size_t start = position_;
    if (in_braces_ && (starts_with("}}") || starts_with("-}}"))) {
      position_ += starts_with("}}") ? std::size_t{2} : std::size_t{3};
      skip_spaces();
      if (position_ < text_.size()) {
        fail_syntax(position_, "there is text after the expression");
      }
      return Token{.kind = TokenKind::end, .position = start};
    }
    if (position_ >= text_.size()) {
      if (in_braces_) fail_syntax(start, "'}}' is missing");
      return Token{.kind = TokenKind::end, .position = start};
    }
    const char character = text_[position_];
    if (is_digit(character)) return number();
    if (is_name_start(character)) return name();
    if (character == '\'' || character == '"') return string();
    return symbol();
  }

  Token name() {
    const std::size_t start = position_;
    while (position_ < text_.size() && space_at(position_) == 0 &&
           (is_name_start(text_[position_]) || is_digit(text_[position_]))) {
      ++position_;
    }
    return Token{.kind = TokenKind::name,
                 .text = std::string(text_.substr(start, position_ - start)),
                 .position = start};
  }

  Token symbol() {
    static constexpr auto symbols = std::to_array<std::string_view>(
        {"**", "//", "==", "!=", ">=", "<=", "+", "-", "*", "/", "%", "~", "[",
         "]",  "(",  ")",  "{",  "}",  ">",  "<", "=", ".", ":", "|", ",", ";"});
    for (const std::string_view candidate : symbols) {
      if (!starts_with(candidate)) continue;
      Token token{.kind = TokenKind::symbol, .text = std::string(candidate), .position = position_};
      position_ += candidate.size();
      return token;
    }
    fail_syntax(position_, std::string("unexpected character '") + text_[position_] + "'");
  }

  /// Digits with single underscores between them, from `position`; where they end.
  template <typename IsDigit>
  std::size_t end_of_digits(std::size_t position, IsDigit is_one) const {
    while (is_one(at(position)) || (at(position) == '_' && is_one(at(position + 1)))) {
      ++position;
    }
    return position;
  }

  std::optional<std::size_t> end_of_exponent(std::size_t position) const {
    if (at(position) != 'e' && at(position) != 'E') return std::nullopt;
    ++position;
    if (at(position) == '+' || at(position) == '-') ++position;
    if (!is_digit(at(position))) return std::nullopt;
    return end_of_digits(position, is_digit);
  }

  std::optional<std::size_t> end_of_float() const {
    // a.1.5 is two subscripts, not one of 1.5.
    if (position_ > 0 && text_[position_ - 1] == '.') return std::nullopt;
    const std::size_t whole = end_of_digits(position_, is_digit);
    if (at(whole) == '.' && is_digit(at(whole + 1))) {
      const std::size_t fraction = end_of_digits(whole + 1, is_digit);
      return end_of_exponent(fraction).value_or(fraction);
    }
    return end_of_exponent(whole);
  }

  [[nodiscard]] std::string digits_between(std::size_t start, std::size_t end) const {
    std::string digits(text_.substr(start, end - start));
    std::erase(digits, '_');
    return digits;
  }

  Token number() {
    const std::size_t start = position_;
    if (const auto end = end_of_float()) {
      position_ = *end;
      const double real = std::strtod(digits_between(start, *end).c_str(), nullptr);
      if (!std::isfinite(real)) fail_syntax(start, "the number is too large");
      return Token{.kind = TokenKind::number, .number = real, .position = start};
    }
    return integer();
  }

  Token integer() {
    const std::size_t start = position_;
    const auto prefixed = [this](char letter, auto is_one) -> std::optional<std::size_t> {
      const char second = at(position_ + 1);
      if (at(position_) != '0' || (second != letter && second != letter - 'a' + 'A')) {
        return std::nullopt;
      }
      const std::size_t end = end_of_digits(position_ + 2, is_one);
      if (end == position_ + 2) return std::nullopt;
      return end;
    };
    int base = 10;
    std::size_t digits_start = start;
    if (const auto binary = prefixed('b', [](char c) { return c == '0' || c == '1'; })) {
      base = 2;
      position_ = *binary;
    } else if (const auto octal = prefixed('o', [](char c) { return c >= '0' && c <= '7'; })) {
      base = 8;
      position_ = *octal;
    } else if (const auto hexadecimal = prefixed('x', is_hex_digit)) {
      base = 16;
      position_ = *hexadecimal;
    } else if (text_[position_] == '0') {
      // A decimal doesn't begin with 0; zeros alone are zero.
      position_ = end_of_digits(position_, [](char c) { return c == '0'; });
    } else {
      position_ = end_of_digits(position_, is_digit);
    }
    if (base != 10) digits_start += 2;
    const std::string digits = digits_between(digits_start, position_);
    std::uint64_t number = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (error != std::errc{}) fail_syntax(start, "the integer doesn't fit in 64 bits");
    return Token{.kind = TokenKind::number, .number = Value(number), .position = start};
  }

  Token string() {
    const std::size_t start = position_;
    const char quote = text_[position_++];
    Token token{.kind = TokenKind::string, .position = start};
    while (position_ < text_.size() && text_[position_] != quote) {
      if (text_[position_] == '\\') {
        escape(token.text);
      } else if (text_[position_] == '\r') {
        // Jinja2 reads every line end in a string as one line feed.
        position_ += at(position_ + 1) == '\n' ? std::size_t{2} : std::size_t{1};
        token.text += '\n';
      } else {
        token.text += text_[position_++];
      }
    }
    if (position_ >= text_.size()) fail_syntax(start, "the string isn't closed");
    ++position_;
    return token;
  }

  void escape(std::string& out) {
    static constexpr auto simple = std::to_array<std::pair<char, char>>({{'\\', '\\'},
                                                                         {'\'', '\''},
                                                                         {'"', '"'},
                                                                         {'a', '\a'},
                                                                         {'b', '\b'},
                                                                         {'f', '\f'},
                                                                         {'n', '\n'},
                                                                         {'r', '\r'},
                                                                         {'t', '\t'},
                                                                         {'v', '\v'}});
    const std::size_t start = position_;
    const char letter = at(++position_);
    const auto* const known = std::find_if(
        simple.begin(), simple.end(), [letter](const auto& one) { return one.first == letter; });
    if (known != simple.end()) {
      out += known->second;
      ++position_;
    } else if (letter == '\n') {
      ++position_;
    } else if (letter == 'x' || letter == 'u' || letter == 'U') {
      std::size_t digits = 8;
      if (letter == 'x') digits = 2;
      if (letter == 'u') digits = 4;
      ++position_;
      append_numbered(start, digits, out);
    } else if (letter >= '0' && letter <= '7') {
      std::uint32_t number = 0;
      for (int count = 0; count < 3 && at(position_) >= '0' && at(position_) <= '7'; ++count) {
        number = number * 8 + static_cast<std::uint32_t>(text_[position_++] - '0');
      }
      append_code_point(number, out);
    } else if (letter == 'N') {
      fail_syntax(start, "characters by name aren't supported");
    } else {
      out += '\\';
    }
  }

  void append_numbered(std::size_t start, std::size_t digits, std::string& out) {
    std::uint32_t number = 0;
    const char* const begin = text_.data() + position_;
    const bool complete =
        position_ + digits <= text_.size() && std::all_of(begin, begin + digits, is_hex_digit);
    if (!complete) fail_syntax(start, "the escape needs more hexadecimal digits");
    std::from_chars(begin, begin + digits, number, 16);
    if (number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) {
      fail_syntax(start, "the escape names no character");
    }
    position_ += digits;
    append_code_point(number, out);
  }

  std::string_view text_;
  std::size_t position_;
  bool in_braces_;
};

}  // namespace

void fail_syntax(std::size_t position, std::string message) {
  throw SyntaxFailure{{position, std::move(message)}};
}

std::vector<Token> tokenize(std::string_view text) {
  const std::string_view trimmed = python_strip(text);
  const auto start = trimmed.empty() ? 0 : static_cast<std::size_t>(trimmed.data() - text.data());
  if (!trimmed.starts_with("{{")) return Lexer(text, start, false).run();
  const bool has_control = trimmed.size() > 2 && (trimmed[2] == '-' || trimmed[2] == '+');
  return Lexer(text, start + (has_control ? std::size_t{3} : std::size_t{2}), true).run();
}

}  // namespace assay::routing
