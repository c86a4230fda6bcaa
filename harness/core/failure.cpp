#include "harness/core/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace assay::core {
namespace {

/// A signature is read and written by people.
constexpr std::size_t limit_signature_bytes = 300;
constexpr std::size_t limit_character_bytes = 4;
/// Shorter numbers are counts and limits, which a fault is about.
constexpr std::size_t identifier_digits = 6;
/// Shorter hexadecimal words are words.
constexpr std::size_t identifier_hex_digits = 16;

bool is_decimal(char letter) { return letter >= '0' && letter <= '9'; }

bool is_hex(char letter) {
  return is_decimal(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
}

bool is_word(char letter) {
  return is_decimal(letter) || (letter >= 'a' && letter <= 'z') ||
         (letter >= 'A' && letter <= 'Z') || letter == '_' || letter == '-';
}

/// Where `text` has the shape of `form` from `at`: 0 stands for a digit, x for a hexadecimal one.
bool has_form(std::string_view text, std::size_t at, std::string_view form) {
  if (text.size() - at < form.size()) return false;
  for (std::size_t index = 0; index < form.size(); ++index) {
    const char letter = text[at + index];
    const char wanted = form[index];
    const bool fits = wanted == '0'   ? is_decimal(letter)
                      : wanted == 'x' ? is_hex(letter)
                                      : letter == wanted;
    if (!fits) return false;
  }
  return true;
}

template <typename Test>
std::size_t run_length(std::string_view text, std::size_t at, const Test& test) {
  std::size_t end = at;
  while (end < text.size() && test(text[end])) ++end;
  return end - at;
}

/// The length of the instant (RFC 3339) at `at`, 0 where there is none.
std::size_t instant_length(std::string_view text, std::size_t at) {
  constexpr std::string_view form = "0000-00-00T00:00:00";
  if (!has_form(text, at, form)) return 0;
  const std::size_t rest = run_length(text, at + form.size(), [](char letter) {
    return is_decimal(letter) || letter == '.' || letter == ':' || letter == '+' || letter == '-' ||
           letter == 'Z';
  });
  return form.size() + rest;
}

/// What stands at `at`, where it differs from run to run: its length and what is written instead.
struct Volatile {
  std::size_t length = 0;
  std::string_view instead;
};

Volatile volatile_at(std::string_view text, std::size_t at) {
  constexpr std::string_view uuid = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
  constexpr std::string_view own = "assay-";
  if (const std::size_t length = instant_length(text, at)) return {length, "<time>"};
  if (has_form(text, at, uuid)) return {uuid.size(), "<id>"};
  if (text.substr(at).starts_with(own)) return {run_length(text, at, is_word), "<id>"};
  const std::size_t hex_digits = run_length(text, at, is_hex);
  const std::size_t digits = run_length(text, at, is_decimal);
  if (hex_digits >= identifier_hex_digits && hex_digits > digits) return {hex_digits, "<id>"};
  if (digits >= identifier_digits) return {digits, "<number>"};
  return {};
}

/// The first line of an account in several, which tells of one play and its times, without numbers.
std::string account_head(const std::string& text) {
  const std::size_t end = text.find('\n');
  if (end == std::string::npos) return text;
  std::string head;
  for (std::size_t at = 0; at < end; ++at) {
    if (!is_decimal(text[at])) {
      head += text[at];
    } else if (at == 0 || !is_decimal(text[at - 1])) {
      head += "<number>";
    }
  }
  return head;
}

std::string signature_of(const Check& check) {
  if (check.verdict == Verdict::fail && (!check.expected.empty() || !check.actual.empty())) {
    return without_identifiers(fmt::format("{} -> {}", check.expected, account_head(check.actual)));
  }
  return without_identifiers(check.reason);
}

/// "call.done in RUNNING" of "properties/x: call.done in RUNNING: executions.status state:12:1".
std::string after_of(const Check& check) {
  if (!check.at.starts_with("properties/")) return "";
  constexpr std::string_view between = ": ";
  const std::size_t first = check.at.find(between);
  const std::size_t begin = first == std::string::npos ? first : first + between.size();
  const std::size_t end = first == std::string::npos ? first : check.at.find(between, begin);
  if (end == std::string::npos) return "";
  return without_identifiers(check.at.substr(begin, end - begin));
}

void add(std::vector<Failure>& failures, Failure failure) {
  if (std::find(failures.begin(), failures.end(), failure) == failures.end()) {
    failures.push_back(std::move(failure));
  }
}

}  // namespace

std::string whole_signature(const Failure& failure) {
  return failure.after.empty() || failure.signature.empty()
             ? failure.signature
             : fmt::format("{}: {}", failure.after, failure.signature);
}

std::vector<Failure> failures_of(const CaseResult& result) {
  std::vector<Failure> failures;
  if (result.verdict != Verdict::fail && result.verdict != Verdict::inconclusive) return failures;
  for (const Check& check : result.checks) {
    if (check.verdict != Verdict::fail && check.verdict != Verdict::inconclusive) continue;
    const std::string signature = signature_of(check);
    const std::string after = after_of(check);
    for (const std::string& clause : check.clauses.empty() ? result.clauses : check.clauses) {
      add(failures, {clause, check.verdict, signature, after});
    }
  }
  if (!failures.empty()) return failures;
  const std::string signature = without_identifiers(result.reason);
  for (const std::string& clause : result.clauses) {
    add(failures, {clause, result.verdict, signature});
  }
  return failures;
}

std::string without_identifiers(std::string_view text) {
  std::string plain;
  bool is_inside_word = false;
  for (std::size_t at = 0;
       at < text.size() && plain.size() <= limit_signature_bytes + limit_character_bytes;) {
    // Only where a word begins: the digits behind a letter are part of a name.
    const Volatile found = is_inside_word ? Volatile{} : volatile_at(text, at);
    if (found.length > 0) {
      plain += found.instead;
      at += found.length;
      is_inside_word = false;
      continue;
    }
    const char letter = text[at++];
    is_inside_word = is_word(letter) && letter != '-' && letter != '_';
    plain += letter == '\n' || letter == '\r' || letter == '\t' ? ' ' : letter;
  }
  if (plain.size() > limit_signature_bytes) {
    // Never in the middle of a character.
    std::size_t end = limit_signature_bytes;
    while (end > 0 && (static_cast<unsigned char>(plain[end]) & 0xC0U) == 0x80U) --end;
    plain.resize(end);
    plain += "...";
  }
  return plain;
}

}  // namespace assay::core
