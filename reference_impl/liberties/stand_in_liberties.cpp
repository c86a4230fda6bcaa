// Values that the reference refuses and another server may take: the reference keeps something else
// in their place, and shows them again.
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"
#include "reference_impl/service/json_codec.h"

namespace assay::liberties {
namespace {

/// Begins a text that stands for a number; of the private use area, so that no client sends it.
constexpr std::string_view number_mark = "\xEE\xA2\xA7number:";

bool is_of_number(char letter) {
  return (letter >= '0' && letter <= '9') || letter == '-' || letter == '+' || letter == '.' ||
         letter == 'e' || letter == 'E';
}

/// Digits and a power of ten without zeros around: equal for numbers that are.
std::optional<std::string> canonical(std::string_view number) {
  const bool is_negative = number.starts_with('-');
  if (is_negative) number.remove_prefix(1);
  std::int64_t power = 0;
  const std::size_t exponent = number.find_first_of("eE");
  if (exponent != std::string_view::npos) {
    std::string_view digits = number.substr(exponent + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), power);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
    number = number.substr(0, exponent);
  }
  std::string digits;
  for (std::size_t index = 0; index < number.size(); ++index) {
    if (number[index] == '.') {
      power -= static_cast<std::int64_t>(number.size() - index - 1);
    } else {
      digits += number[index];
    }
  }
  digits.erase(0, digits.find_first_not_of('0'));
  while (digits.ends_with('0')) {
    digits.pop_back();
    ++power;
  }
  return (is_negative ? "-" : "") + digits + "e" + std::to_string(power);
}

/// Whether the reference reads the number as it is.
bool is_read(std::string_view number) {
  return service::parse_json("[" + std::string(number) + "]").has_value();
}

/// The body with a text in the place of each number that the reference does not read.
std::string with_texts(std::string_view body) {
  std::string out;
  bool in_text = false;
  for (std::size_t index = 0; index < body.size();) {
    const char letter = body[index];
    if (!in_text && (letter == '-' || (letter >= '0' && letter <= '9'))) {
      std::size_t end = index;
      while (end < body.size() && is_of_number(body[end])) ++end;
      const std::string_view number = body.substr(index, end - index);
      const auto known = is_read(number) ? std::nullopt : canonical(number);
      if (known) {
        out.append("\"").append(number_mark).append(*known).append("\"");
      } else {
        out += number;
      }
      index = end;
      continue;
    }
    if (in_text && letter == '\\' && index + 1 < body.size()) out += body[index++];
    if (letter == '"') in_text = !in_text;
    out += body[index++];
  }
  return out;
}

/// The body with each number that a text stands for.
std::string with_numbers(std::string body) {
  const std::string begin = "\"" + std::string(number_mark);
  for (std::size_t at = body.find(begin); at != std::string::npos; at = body.find(begin, at)) {
    const std::size_t end = body.find('"', at + begin.size());
    if (end == std::string::npos) break;
    body = body.substr(0, at) + body.substr(at + begin.size(), end - at - begin.size()) +
           body.substr(end + 1);
  }
  return body;
}

service::Reply keeps_huge_numbers(service::Service& sound, const service::Request& request) {
  service::Reply reply = sound.handle(request);
  const bool is_too_large =
      request.method == "POST" &&
      faults::has_text(faults::json_of(reply.body), "code", "NUMBER_OUT_OF_RANGE");
  if (is_too_large) {
    service::Request changed = request;
    changed.body = with_texts(request.body);
    if (changed.body != request.body) reply = sound.handle(changed);
  }
  reply.body = with_numbers(std::move(reply.body));
  return reply;
}

/// U+0080 to U+009F are C2 80 to C2 9F in UTF-8; U+07C0 to U+07DF (N'Ko) stand for them, which
/// differ in the first byte alone.
constexpr char control_lead = '\xC2';
constexpr char stand_in_lead = '\xDF';

std::string with_lead(std::string text, char from, char to) {
  for (std::size_t index = text.find(from); index < text.size(); index = text.find(from, index)) {
    const std::size_t next = index + 1;
    const auto second = static_cast<unsigned char>(next < text.size() ? text[next] : '\0');
    if (second >= 0x80 && second <= 0x9F) text[index] = to;
    index = next;
  }
  return text;
}

/// \u0080 to \u009F, written as escapes, as those that stand for them.
std::string with_escapes_replaced(std::string text) {
  if (text.find('\\') == std::string::npos) return text;
  for (std::size_t index = 0; index + 5 < text.size(); ++index) {
    if (text[index] != '\\') continue;
    const bool is_control =
        text.compare(index, 4, "\\u00") == 0 && (text[index + 4] == '8' || text[index + 4] == '9');
    if (is_control) {
      text[index + 3] = '7';
      text[index + 4] = text[index + 4] == '8' ? 'C' : 'D';
    }
    ++index;
  }
  return text;
}

/// %C2%85 in a path or query.
std::string with_percents_replaced(std::string target) {
  for (std::size_t index = 0; index + 4 < target.size(); ++index) {
    const bool is_lead =
        target.compare(index, 4, "%C2%") == 0 || target.compare(index, 4, "%c2%") == 0;
    if (is_lead && (target[index + 4] == '8' || target[index + 4] == '9')) {
      target.replace(index, 3, "%DF");
    }
  }
  return target;
}

service::Reply takes_c1(service::Service& sound, const service::Request& request) {
  service::Request changed = request;
  changed.target = with_percents_replaced(std::move(changed.target));
  changed.body =
      with_escapes_replaced(with_lead(std::move(changed.body), control_lead, stand_in_lead));
  service::Reply reply = sound.handle(changed);
  reply.body = with_lead(std::move(reply.body), stand_in_lead, control_lead);
  return reply;
}

}  // namespace

std::vector<Liberty> stand_in_liberties() {
  return {
      {.id = "c1-in-ids",
       .title = "U+0080 to U+009F may stand in ids",
       .words = "\"without control characters\": those of ASCII",
       .intercept = takes_c1},
      {.id = "huge-numbers",
       .title = "Numbers of any size are stored and shown",
       .words = "\"400 body is not JSON\": RFC 8259 sets no limit of size; \"a number is kept "
                "exactly as a value … or refused with a 4xx\"",
       .intercept = keeps_huge_numbers},
  };
}

}  // namespace assay::liberties
