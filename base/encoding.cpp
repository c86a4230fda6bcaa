#include "base/encoding.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/utf8.h"
#include "base/visible.h"

namespace assay {
namespace {

bool is_alphanumeric(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9');
}

bool is_one_of(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

/// A letter that no shell gives a meaning in the middle of a word.
bool is_bare(char letter) { return is_alphanumeric(letter) || is_one_of("-_./:=,@%+", letter); }

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Bytes of which some show as nothing or break lines, as bash and zsh quote them: $'\n\x1b'.
std::string escaped_word(std::string_view bytes) {
  std::string word;
  for (std::size_t at = 0; at < bytes.size();) {
    const auto point = code_point_at(bytes, at);
    const std::string_view character = bytes.substr(at, point ? point->length : 1);
    const char first = character.front();
    if (first == '\'' || first == '\\') {
      word.append("\\").append(character);
    } else if (first == '\n') {
      word += "\\n";
    } else if (point && is_plain(character)) {
      word += character;
    } else {
      for (const char byte : character) {
        std::string digits = hexadecimal(static_cast<unsigned char>(byte), 2);
        std::ranges::transform(digits, digits.begin(), lower);
        word.append("\\x").append(digits);
      }
    }
    at += character.size();
  }
  return "$'" + word + "'";
}

}  // namespace

std::string percent_encoded(std::string_view bytes) {
  std::string encoded;
  for (const char byte : bytes) {
    if (is_alphanumeric(byte) || is_one_of("-._~", byte)) {
      encoded += byte;
    } else {
      encoded.append("%").append(hexadecimal(static_cast<unsigned char>(byte), 2));
    }
  }
  return encoded;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t escape = std::min(text.find('%', at), text.size());
    decoded.append(text, at, escape - at);
    at = escape;
    if (at == text.size()) break;
    if (at + 2 >= text.size()) return std::nullopt;
    unsigned byte = 0;
    const char* const digits = text.data() + at + 1;
    if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return std::nullopt;
    decoded += static_cast<char>(byte);
    at += 2;
  }
  return decoded;
}

std::string shell_word(std::string_view bytes) {
  if (!bytes.empty() && std::ranges::all_of(bytes, is_bare)) return std::string(bytes);
  if (!is_plain(bytes)) return escaped_word(bytes);
  std::string word = "'";
  for (const char letter : bytes) word += letter == '\'' ? "'\\''" : std::string(1, letter);
  return word + "'";
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char character : text) {
    switch (character) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += character;
    }
  }
  return out;
}

std::string hexadecimal(std::uint32_t number, std::size_t width) {
  std::array<char, 8> buffer{};
  const char* const end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, 16).ptr;
  std::string digits(static_cast<const char*>(buffer.data()), end);
  std::ranges::transform(digits, digits.begin(), [](char digit) {
    return digit >= 'a' ? static_cast<char>(digit - 'a' + 'A') : digit;
  });
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  return digits;
}

bool same_without_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, lower, lower);
}

}  // namespace assay
