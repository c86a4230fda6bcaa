#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace assay::routing {

enum class TokenKind { name, string, number, symbol, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string text{};        ///< a name, a symbol, or a string with its escapes resolved
  Value number{};            ///< of a number
  std::size_t position = 0;  ///< in bytes, from the start of the guard's text
};

/// Why a text is no guard, and where.
struct GuardError {
  std::size_t position = 0;  ///< in bytes, from the start of the guard's text
  std::string message;
};

/// Carries a GuardError out of the lexer and the parser; `parse_guard` catches it.
struct SyntaxFailure {
  GuardError error;
};

[[noreturn]] void fail_syntax(std::size_t position, std::string message);

/// The tokens of a guard by Jinja2's rules, with one `end` as the last: of what is between `{{` and
/// `}}` where the text begins so, else of the whole text. Throws SyntaxFailure.
[[nodiscard]] std::vector<Token> tokenize(std::string_view text);

}  // namespace assay::routing
