#include "harness/check/cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace assay::check {
namespace {

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Part of a name: identifiers end where this does.
bool is_name(char letter) {
  return is_digit(letter) || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         letter == '-' || letter == '_' || letter == '.';
}

bool is_hexadecimal(std::string_view word) {
  return std::all_of(word.begin(), word.end(), [](char letter) {
    return is_digit(letter) || (letter >= 'a' && letter <= 'f') || (letter >= 'A' && letter <= 'F');
  });
}

/// "2026-01-01T00:00:20" at the head of `text`; its length with fraction and offset, else 0.
std::size_t time_length(std::string_view text) {
  constexpr std::string_view shape = "0000-00-00T00:00:00";
  if (text.size() < shape.size()) return 0;
  for (std::size_t index = 0; index < shape.size(); ++index) {
    if (shape[index] == '0' ? !is_digit(text[index]) : text[index] != shape[index]) return 0;
  }
  std::size_t length = shape.size();
  const auto digits = [&] {
    while (length < text.size() && is_digit(text[length])) ++length;
  };
  if (length < text.size() && text[length] == '.') {
    ++length;
    digits();
  }
  if (length < text.size() && text[length] == 'Z') return length + 1;
  if (length + 6 <= text.size() && (text[length] == '+' || text[length] == '-')) length += 6;
  return length;
}

/// Whether a word was made for one run: by this harness, as a UUID, or as a long number.
bool is_identifier(std::string_view word) {
  constexpr std::size_t uuid_bytes = 36;
  constexpr std::size_t longest_number = 9;
  constexpr std::size_t shortest_hash = 16;
  if (word.starts_with("assay-")) return true;
  if (word.size() == uuid_bytes && word[8] == '-' && word[13] == '-' && word[18] == '-')
    return true;
  if (word.size() > longest_number && std::all_of(word.begin(), word.end(), is_digit)) return true;
  return word.size() >= shortest_hash && is_hexadecimal(word);
}

std::string with_marks(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (const std::size_t length = time_length(text)) {
      out += "<time>";
      text.remove_prefix(length);
      continue;
    }
    const auto end = std::find_if_not(text.begin(), text.end(), is_name);
    const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(end - text.begin()));
    const std::string_view word = text.substr(0, length);
    out += is_identifier(word) ? std::string_view("<id>") : word;
    text.remove_prefix(length);
  }
  return out;
}

/// A sequence of digits as "#".
std::string without_numbers(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (!is_digit(letter)) {
      out += letter;
    } else if (out.empty() || out.back() != '#') {
      out += '#';
    }
  }
  return out;
}

bool is_place(std::string_view head) {
  return !head.empty() && head.find_first_of("\"{[\n") == std::string_view::npos &&
         std::count(head.begin(), head.end(), ' ') <= 2;
}

/// A place in an answer with "#" for each index: where in a list it is differs from run to run.
std::string without_indexes(std::string_view place) {
  std::string out;
  for (std::size_t begin = 0; begin <= place.size();) {
    const std::size_t end = std::min(place.find('/', begin), place.size());
    const std::string_view token = place.substr(begin, end - begin);
    const bool is_index = begin > 0 && !token.empty() && std::ranges::all_of(token, is_digit);
    out += is_index ? std::string_view("#") : token;
    if (end < place.size()) out += '/';
    begin = end + 1;
  }
  return out;
}

/// "executions.status /state: "COMPLETED"" as what was looked at and what was due there; a raw
/// request's is "POST /path: /pointer: what". Of a text that is no such pair, all is due.
std::pair<std::string, std::string> split_expectation(const std::string& text) {
  const std::size_t colon = text.find(": ");
  if (colon == std::string::npos || !is_place(text.substr(0, colon))) return {"", text};
  std::string place = text.substr(0, colon);
  std::string due = text.substr(colon + 2);
  const std::size_t next = due.starts_with("/") ? due.find(": ") : std::string::npos;
  if (next != std::string::npos && is_place(due.substr(0, next))) {
    place += " " + due.substr(0, next);
    due = due.substr(next + 2);
  }
  return {without_indexes(place), due};
}

auto key_of(const Cause& cause) {
  return std::tie(cause.verdict, cause.clause, cause.subject, cause.actual, cause.reason);
}

}  // namespace

std::string without_identifiers(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos) return with_marks(text);
  std::string first = without_numbers(with_marks(text.substr(0, end)));
  if (first.ends_with(':')) first.pop_back();
  return first;
}

const core::Check* deciding_check(const core::CaseResult& result) {
  const auto found =
      std::find_if(result.checks.begin(), result.checks.end(),
                   [&result](const core::Check& each) { return each.verdict == result.verdict; });
  return found == result.checks.end() ? nullptr : &*found;
}

Cause cause_of(const core::Check& check) {
  Cause cause;
  cause.verdict = check.verdict;
  if (!check.clauses.empty()) cause.clause = check.clauses.front();
  std::tie(cause.subject, cause.expected) = split_expectation(without_identifiers(check.expected));
  cause.actual = without_identifiers(check.actual);
  // A failed comparison says it all: its reason may count looks and milliseconds.
  if (check.expected.empty()) cause.reason = without_identifiers(check.reason);
  return cause;
}

Cause cause_of(const core::CaseResult& result) {
  if (const core::Check* check = deciding_check(result)) return cause_of(*check);
  Cause cause;
  cause.verdict = result.verdict;
  cause.reason = without_identifiers(result.reason);
  return cause;
}

bool is_same_cause(const Cause& left, const Cause& right) { return key_of(left) == key_of(right); }

std::string cause_text(const Cause& cause) {
  const std::string about = cause.clause.empty() ? "" : cause.clause + ": ";
  if (!cause.reason.empty()) return about + cause.reason;
  if (cause.subject.empty() && cause.actual.empty()) {
    return about + std::string(core::verdict_words[cause.verdict]);
  }
  if (cause.subject.empty()) return about + cause.actual;
  return fmt::format("{}{} is {}", about, cause.subject, cause.actual);
}

}  // namespace assay::check
