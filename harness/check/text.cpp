#include "harness/check/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "base/utf8.h"

namespace assay::check {
namespace {

constexpr std::string_view cut_body_end = " bytes in all)";

/// Writes until the limit is passed, so that the cost of a message does not grow with the value.
class Writer {
 public:
  explicit Writer(std::size_t limit) : limit_(limit) {}

  void value(const Value& value) {
    if (is_full()) return;
    if (value.is_null()) {
      text_ += "null";
    } else if (value.is_bool()) {
      text_ += value.as_bool() ? "true" : "false";
    } else if (value.is_number()) {
      text_ += number_text(value);
    } else if (value.is_string()) {
      quoted(value.as_string());
    } else if (value.is_list()) {
      sequence('[', value.as_list(), ']', [this](const Value& element) { this->value(element); });
    } else {
      sequence('{', value.as_object(), '}', [this](const auto& member) {
        quoted(member.first);
        text_ += ':';
        this->value(member.second);
      });
    }
  }

  void pattern(const core::Pattern& pattern) {
    if (is_full()) return;
    std::visit([this](const auto& form) { write(form); }, pattern.form);
  }

  [[nodiscard]] std::string take() { return cut_text(std::move(text_), limit_); }

 private:
  [[nodiscard]] bool is_full() const { return text_.size() > limit_; }

  void tag(std::string_view tag) {
    if (!tag.empty()) text_ += fmt::format("!{} ", tag);
  }

  void write(const core::AnyPattern& /*any*/) { text_ += fmt::format("!{}", core::any_tag); }
  void write(const core::AbsentPattern& /*absent*/) {
    text_ += fmt::format("!{}", core::absent_tag);
  }
  void write(const core::OperandPattern& one) {
    tag(core::operand_tags[one.by]);
    value(one.operand);
  }
  void write(const core::ObjectPattern& one) {
    if (one.exactly) tag(core::exact_tag);
    sequence('{', one.members, '}', [this](const auto& member) {
      quoted(member.first);
      text_ += ": ";
      pattern(member.second);
    });
  }
  void write(const core::ElementsPattern& one) {
    using How = core::Pattern::How;
    const bool is_none = one.how == How::none_of;
    const bool is_alone = one.how == How::excludes || (is_none && one.elements.size() == 1);
    if (is_none) tag(core::negation_tag);
    if (!is_none || !is_alone) tag(core::element_tags[is_none ? How::one_of : one.how]);
    if (is_alone) {
      for (const core::Pattern& element : one.elements) pattern(element);
    } else {
      sequence('[', one.elements, ']', [this](const auto& element) { pattern(element); });
    }
  }

  static bool is_plain(char byte) {
    return byte != '"' && byte != '\\' && static_cast<unsigned char>(byte) >= 0x20;
  }

  void quoted(std::string_view text) {
    text_ += '"';
    while (!text.empty()) {
      if (is_full()) return;
      const std::string_view fits = text.substr(0, limit_ - text_.size() + 1);
      const auto plain = std::find_if_not(fits.begin(), fits.end(), is_plain) - fits.begin();
      if (plain > 0) {
        text_ += text.substr(0, static_cast<std::size_t>(plain));
        text.remove_prefix(static_cast<std::size_t>(plain));
        continue;
      }
      const char byte = text.front();
      text.remove_prefix(1);
      if (byte == '"' || byte == '\\') {
        text_ += '\\';
        text_ += byte;
      } else {
        text_ += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
      }
    }
    text_ += '"';
  }

  template <typename Items, typename Write>
  void sequence(char open, const Items& items, char close, const Write& write) {
    text_ += open;
    bool first = true;
    for (const auto& item : items) {
      if (is_full()) return;
      if (!first) text_ += ',';
      first = false;
      write(item);
    }
    text_ += close;
  }

  std::size_t limit_;
  std::string text_;
};

}  // namespace

std::string number_text(const Value& number) {
  if (const auto large = number.large_unsigned()) return fmt::format("{}", *large);
  if (number.is_integer()) return fmt::format("{}", *number.to_int64());
  return fmt::format("{}", number.as_double());
}

std::string cut_text(std::string text, std::size_t limit) {
  if (text.size() <= limit) return text;
  text.resize(cut_at_character(text, limit).size());
  return text + "…";
}

std::string kept_body(std::string body) {
  const std::size_t size = body.size();
  if (size <= kept_body_bytes) return body;
  body.resize(kept_body_bytes + 1);
  return fmt::format("{} ({}{}", cut_text(std::move(body), kept_body_bytes), size, cut_body_end);
}

bool is_cut_body(std::string_view body) {
  return body.size() > kept_body_bytes && body.ends_with(cut_body_end);
}

std::string value_text(const Value& value, std::size_t limit) {
  Writer writer(limit);
  writer.value(value);
  return writer.take();
}

std::string value_text(const Value* value) {
  return value == nullptr ? "absent" : value_text(*value);
}

std::string pattern_text(const core::Pattern& pattern, std::size_t limit) {
  if (std::holds_alternative<core::AbsentPattern>(pattern.form)) return "absent";
  if (std::holds_alternative<core::AnyPattern>(pattern.form)) return "any value";
  Writer writer(limit);
  writer.pattern(pattern);
  return writer.take();
}

}  // namespace assay::check
