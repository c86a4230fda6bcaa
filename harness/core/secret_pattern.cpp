#include "harness/core/secret_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/utf8.h"

namespace assay::core {
namespace {

/// What a text is cut with in this program, as such or with how much is missing.
constexpr std::string_view cut_mark = "…";
constexpr std::string_view counted_cut_mark = " … (";
/// A secret that is cut shorter says too little to be worth hiding a word for.
constexpr std::size_t shortest_begun_bytes = 4;
/// A backslash is written so often where JSON stands within JSON, six deep; a longer run is noise,
/// and looking for its end at each of its bytes would take for ever.
constexpr std::size_t most_backslashes = 64;

bool is_word_byte(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z') || byte == '_';
}

/// A number of exactly so many digits.
std::optional<std::uint32_t> number_at(std::string_view text, std::size_t at, std::size_t digits,
                                       int base) {
  if (at + digits > text.size()) return std::nullopt;
  std::uint32_t number = 0;
  const char* const begin = text.data() + at;
  const auto [end, error] = std::from_chars(begin, begin + digits, number, base);
  if (error != std::errc{} || end != begin + digits) return std::nullopt;
  return number;
}

/// Bytes of the text, and of the secret, that are the same; 0 of the text: they are not.
struct FormStep {
  std::size_t text = 0;
  std::size_t secret = 1;
};

/// %41
FormStep percent_step(std::string_view text, std::size_t at, char wanted) {
  const auto code = number_at(text, at + 1, 2, 16);
  return {code == static_cast<unsigned char>(wanted) ? std::size_t{3} : 0};
}

/// &#65; &#x41; &amp;
FormStep entity_step(std::string_view text, std::size_t at, char wanted) {
  constexpr std::array<std::pair<std::string_view, char>, 5> names = {
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
  const std::string_view rest = text.substr(at);
  for (const auto& [name, letter] : names) {
    if (letter == wanted && rest.starts_with(name)) return {name.size()};
  }
  const std::size_t end = rest.substr(0, 12).find(';');
  if (!rest.starts_with("&#") || end == std::string_view::npos) return {};
  const bool is_hexadecimal = end > 2 && (rest[2] == 'x' || rest[2] == 'X');
  const std::size_t begin = is_hexadecimal ? 3 : 2;
  const auto code = number_at(rest, begin, end - begin, is_hexadecimal ? 16 : 10);
  return {code == static_cast<unsigned char>(wanted) ? end + 1 : 0};
}

/// \uD83D\uDE00 or \u00e9 for the code point that begins at the secret's byte.
FormStep unicode_step(std::string_view text, std::size_t at, std::string_view secret) {
  const auto wanted = code_point_at(secret);
  const auto first = number_at(text, at + 2, 4, 16);
  if (!wanted || !first) return {};
  if (*first == wanted->value) return {6, wanted->length};
  const bool is_pair = *first >= 0xd800 && *first < 0xdc00 && text.substr(at + 6, 2) == "\\u";
  const auto second = is_pair ? number_at(text, at + 8, 4, 16) : std::nullopt;
  if (!second || *second < 0xdc00) return {};
  const std::uint32_t whole = 0x10000 + ((*first - 0xd800) << 10U) + (*second - 0xdc00);
  return {whole == wanted->value ? std::size_t{12} : 0, wanted->length};
}

/// What a backslash, or several of JSON within JSON, writes.
FormStep backslash_step(std::string_view text, std::size_t at, std::string_view secret) {
  constexpr std::array<std::pair<char, char>, 5> letters = {
      {{'n', '\n'}, {'r', '\r'}, {'t', '\t'}, {'b', '\b'}, {'f', '\f'}}};
  const std::size_t run = std::min(secret.find_first_not_of('\\'), secret.size());
  const std::string_view near = text.substr(at, most_backslashes * std::max<std::size_t>(run, 1));
  const std::size_t end = at + std::min(near.find_first_not_of('\\'), near.size());
  const std::size_t backslashes = end - at;
  if (secret.front() == '\\') {
    const bool is_escaped = backslashes >= run && backslashes % run == 0;
    return {is_escaped ? backslashes : 0, run};
  }
  if (end == text.size()) return {};
  if (text[end] == 'u') {
    const FormStep step = unicode_step(text, end - 1, secret);
    return {step.text == 0 ? 0 : step.text + backslashes - 1, step.secret};
  }
  for (const auto& [letter, byte] : letters) {
    if (text[end] == letter && secret.front() == byte) return {backslashes + 1};
  }
  return {!is_word_byte(text[end]) && text[end] == secret.front() ? backslashes + 1 : 0};
}

FormStep step_at(std::string_view text, std::size_t at, std::string_view secret) {
  const char wanted = secret.front();
  FormStep step;
  if (text[at] == '%') step = percent_step(text, at, wanted);
  if (text[at] == '&') step = entity_step(text, at, wanted);
  if (text[at] == '\\') step = backslash_step(text, at, secret);
  if (step.text == 0 && text[at] == wanted) step = {1, 1};
  if (step.text == 0 && text[at] == '+' && wanted == ' ') step = {1, 1};
  return step;
}

constexpr std::string_view base64_letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The letters that encode the bits of `value` alone, where so many bytes of a group of three come
/// before it.
std::string base64_core(std::string_view value, std::size_t before) {
  std::string text;
  std::uint32_t bits = 0;
  std::size_t known = 0;
  // The first letter that has no bit of what comes before begins here.
  std::size_t skipped = (6 - before * 8 % 6) % 6;
  for (const char byte : value) {
    bits = (bits << 8U | static_cast<unsigned char>(byte)) & 0xffffU;
    known += 8;
    const std::size_t dropped = std::min(skipped, known);
    skipped -= dropped;
    known -= dropped;
    for (; known >= 6; known -= 6) text += base64_letters[bits >> (known - 6) & 0x3fU];
  }
  return text;
}

}  // namespace

SecretPattern::SecretPattern(std::string value) : value_(std::move(value)) {
  for (const char byte : {value_.front(), '%', '&', '\\', value_.front() == ' ' ? '+' : '%'}) {
    first_bytes_[static_cast<unsigned char>(byte)] = true;
  }
  if (value_.size() < shortest_anywhere_bytes) return;
  for (std::size_t before = 0; before < 3; ++before) {
    std::string text = base64_core(value_, before);
    std::string safe_text = text;
    std::replace(safe_text.begin(), safe_text.end(), '+', '-');
    std::replace(safe_text.begin(), safe_text.end(), '/', '_');
    for (std::string* form : {&text, &safe_text}) {
      first_bytes_[static_cast<unsigned char>(form->front())] = true;
      base64_.push_back(std::move(*form));
    }
  }
}

std::size_t SecretPattern::escaped_length(std::string_view text, std::size_t at) const {
  const std::size_t begin = at;
  std::size_t matched = 0;
  while (matched < value_.size()) {
    const std::string_view rest = text.substr(at);
    const bool is_cut = rest.starts_with(cut_mark) || rest.starts_with(counted_cut_mark);
    if (is_cut && matched >= shortest_begun_bytes) return at - begin;
    if (at >= text.size()) return 0;
    const FormStep step = step_at(text, at, std::string_view(value_).substr(matched));
    if (step.text == 0) return 0;
    at += step.text;
    matched += step.secret;
  }
  return at - begin;
}

std::size_t SecretPattern::length_at(std::string_view text, std::size_t at) const {
  for (const std::string& form : base64_) {
    if (text[at] == form.front() && text.substr(at).starts_with(form)) return form.size();
  }
  const std::size_t length = escaped_length(text, at);
  if (length == 0 || value_.size() >= shortest_anywhere_bytes) return length;
  const bool is_inside = (at > 0 && is_word_byte(text[at - 1])) ||
                         (at + length < text.size() && is_word_byte(text[at + length]));
  return is_inside ? 0 : length;
}

}  // namespace assay::core
