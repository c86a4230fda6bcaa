#include "harness/wire/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "base/visible.h"
#include "harness/wire/fast_json.h"
#include "harness/wire/line_column.h"

namespace assay::wire {
namespace {

/// Builds a Value from the parser's events; nothing of nlohmann's own tree is ever made.
class ValueBuilder final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit ValueBuilder(const JsonOptions& options) : options_(options) {
    constexpr std::size_t usual_depth = 8;
    open_.reserve(usual_depth);
  }

  bool null() override { return add(Value()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
  bool string(string_t& value) override { return add(std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }

  bool start_object(std::size_t /*elements*/) override { return open(Object()); }
  bool key(string_t& name) override {
    Frame& frame = open_.back();
    frame.key = std::move(name);
    if (options_.duplicate_keys && frame.container.find(frame.key)) {
      options_.duplicate_keys->push_back(frame.key);
    }
    return true;
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t /*elements*/) override { return open(List()); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::json::exception& error) override {
    offset_ = position == 0 ? 0 : position - 1;
    message_ = error.what();
    return false;
  }

  [[nodiscard]] const std::string& message() const { return message_; }
  [[nodiscard]] std::optional<std::size_t> offset() const { return offset_; }
  [[nodiscard]] Value take() { return std::move(result_); }

 private:
  struct Frame {
    Value container;
    std::string key;
  };

  bool add(Value value) {
    if (open_.empty()) {
      result_ = std::move(value);
      return true;
    }
    Frame& frame = open_.back();
    if (frame.container.is_object()) {
      frame.container.as_object().insert_or_assign(std::move(frame.key), std::move(value));
    } else {
      frame.container.as_list().push_back(std::move(value));
    }
    return true;
  }

  bool open(Value container) {
    if (open_.size() >= options_.max_depth) {
      message_ = fmt::format("nested deeper than {} levels", options_.max_depth);
      return false;
    }
    open_.push_back({std::move(container), {}});
    return true;
  }

  bool close() {
    Value closed = std::move(open_.back().container);
    open_.pop_back();
    return add(std::move(closed));
  }

  const JsonOptions& options_;
  std::vector<Frame> open_;
  Value result_;
  std::string message_;
  std::optional<std::size_t> offset_;
};

/// nlohmann's text without its own prefix: "[json.exception…] parse error at line 1, column 2: ".
std::string plain_message(std::string message) {
  const std::string_view column = "column ";
  const std::size_t at = message.find(column);
  const std::size_t colon = message.find(": ", at == std::string::npos ? 0 : at);
  if (message.starts_with('[') && colon != std::string::npos) message.erase(0, colon + 2);
  return visible(message, 300);
}

/// ASCII that is written as it is. An object and not a function, so that the search inlines it.
constexpr auto stands_as_it_is = [](char byte) {
  return byte >= 0x20 && byte < 0x7F && byte != '"' && byte != '\\';
};

void write_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t offset = 0;
  while (offset < text.size()) {
    const auto* rest = text.begin() + offset;
    const auto plain =
        static_cast<std::size_t>(std::find_if_not(rest, text.end(), stands_as_it_is) - rest);
    if (plain > 0) {
      out.append(text, offset, plain);
      offset += plain;
      continue;
    }
    const std::optional<CodePoint> point = code_point_at(text, offset);
    if (!point) {
      out += "\xEF\xBF\xBD";
      ++offset;
      continue;
    }
    switch (point->value) {
      case U'"':
        out += "\\\"";
        break;
      case U'\\':
        out += "\\\\";
        break;
      case U'\n':
        out += "\\n";
        break;
      case U'\r':
        out += "\\r";
        break;
      case U'\t':
        out += "\\t";
        break;
      default:
        if (point->value < 0x20 || point->value == 0x7F) {
          out += fmt::format("\\u{:04x}", static_cast<unsigned>(point->value));
        } else {
          out.append(text, offset, point->length);
        }
    }
    offset += point->length;
  }
  out += '"';
}

void write_double(std::string& out, double number) {
  if (!(number - number == 0)) {
    out += "null";
    return;
  }
  std::string digits = fmt::format("{}", number);
  if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
  out += digits;
}

/// Writes JSON; `indent` 0 is compact. It recurses as deep as the value, whose makers are bounded.
class JsonWriter {
 public:
  explicit JsonWriter(std::size_t indent) : indent_(indent) {}

  void write(const Value& value) {
    if (value.is_null()) {
      out_ += "null";
    } else if (value.is_bool()) {
      out_ += value.as_bool() ? "true" : "false";
    } else if (value.is_double()) {
      write_double(out_, value.as_double());
    } else if (const std::optional<std::uint64_t> large = value.large_unsigned()) {
      out_ += fmt::format("{}", *large);
    } else if (value.is_integer()) {
      out_ += fmt::format("{}", value.to_int64().value_or(0));
    } else if (value.is_string()) {
      write_string(out_, value.as_string());
    } else if (value.is_list()) {
      write_list(value.as_list());
    } else {
      write_object(value.as_object());
    }
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_list(const List& list) {
    out_ += '[';
    ++depth_;
    bool first = true;
    for (const Value& element : list) {
      separate(first);
      write(element);
      first = false;
    }
    --depth_;
    if (!first) break_line();
    out_ += ']';
  }

  void write_object(const Object& object) {
    out_ += '{';
    ++depth_;
    bool first = true;
    for (const auto& [key, member] : object) {
      separate(first);
      write_string(out_, key);
      out_ += indent_ == 0 ? ":" : ": ";
      write(member);
      first = false;
    }
    --depth_;
    if (!first) break_line();
    out_ += '}';
  }

  void separate(bool first) {
    if (!first) out_ += ',';
    break_line();
  }

  void break_line() {
    if (indent_ == 0) return;
    out_ += '\n';
    out_.append(indent_ * depth_, ' ');
  }

  std::size_t indent_;
  std::size_t depth_ = 0;
  std::string out_;
};

}  // namespace

Result<Value, JsonError> parse_json(std::string_view text, const JsonOptions& options) {
  // The library would take a NUL byte for the end, and not look at what stands behind it.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    const LineColumn at = line_column(text, nul);
    return unexpected(
        JsonError{nul, at.line, at.column, "found a NUL byte, which no JSON text has"});
  }
  if (options.duplicate_keys == nullptr) {
    if (std::optional<Value> value = fast_json(text, options.max_depth)) return *std::move(value);
  }
  ValueBuilder builder(options);
  std::string message;
  try {
    if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.take();
    message = plain_message(builder.message());
  } catch (const nlohmann::json::exception& error) {
    message = plain_message(error.what());
  }
  const std::size_t offset = builder.offset().value_or(0);
  const LineColumn at = line_column(text, offset);
  return unexpected(JsonError{offset, at.line, at.column, message});
}

std::string to_json(const Value& value) {
  JsonWriter writer(0);
  writer.write(value);
  return writer.take();
}

std::string to_pretty_json(const Value& value) {
  JsonWriter writer(2);
  writer.write(value);
  return writer.take();
}

}  // namespace assay::wire
