#include "harness/wire/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "base/visible.h"
#include "harness/core/secrets.h"
#include "harness/wire/json.h"
#include "harness/wire/record_fields.h"

namespace assay::wire {
namespace {

constexpr std::int64_t format_version = 1;

constexpr std::array<std::string_view, 10> fault_words = {
    "resolve", "refused",   "connect_timeout", "tls",        "request_timeout",
    "closed",  "malformed", "header_limit",    "body_limit", "unsendable"};
static_assert(fault_words.size() == static_cast<std::size_t>(core::TransportFault::unsendable) + 1);

template <typename T>
constexpr bool is_optional = false;
template <typename T>
constexpr bool is_optional<std::optional<T>> = true;
template <typename T>
constexpr bool is_vector = false;
template <typename T>
constexpr bool is_vector<std::vector<T>> = true;
template <typename T>
constexpr bool is_map = std::is_same_v<T, std::map<std::string, std::string>>;

/// Turns parts of a record into JSON values.
class Encoder {
 public:
  Encoder(const core::Secrets& secrets, const RecordLimits& limits)
      : secrets_(secrets), limits_(limits) {}

  template <typename T>
  Value encode(const T& part) const {
    if constexpr (std::is_same_v<T, std::string>) {
      return shown(part, limits_.text_bytes);
    } else if constexpr (std::is_same_v<T, core::Verdict>) {
      return core::verdict_word(part);
    } else if constexpr (std::is_same_v<T, core::TransportFault>) {
      return fault_words.at(static_cast<std::size_t>(part));
    } else if constexpr (std::is_same_v<T, core::Header>) {
      return Object{{"name", encode(part.name)},
                    {"secret", part.secret},
                    {"value", shown(secrets_.shown_value(part), limits_.text_bytes)}};
    } else if constexpr (is_optional<T>) {
      return part ? encode(*part) : Value();
    } else if constexpr (is_vector<T>) {
      List list;
      for (const auto& element : part) list.push_back(encode(element));
      return list;
    } else if constexpr (is_map<T>) {
      Object object;
      for (const auto& [name, text] : part) object.insert_or_assign(name, encode(text));
      return object;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return Value(part);
    } else {
      return encode_fields(part);
    }
  }

 private:
  [[nodiscard]] Value shown(const std::string& text, std::size_t limit) const {
    return valid_utf8(secrets_.masked(text), limit);
  }

  template <typename T>
  Value encode_fields(const T& part) const {
    constexpr bool is_message =
        std::is_same_v<T, core::HttpRequest> || std::is_same_v<T, core::HttpResponse>;
    Object object;
    visit_fields(part, [&](std::string_view name, const auto& member) {
      object.insert_or_assign(std::string(name), encode(member));
    });
    if constexpr (is_message) {
      const std::optional<std::string> body = part.body;
      if (body) object.insert_or_assign("body", shown(*body, limits_.body_bytes));
    }
    return object;
  }

  const core::Secrets& secrets_;
  RecordLimits limits_;
};

/// Fills parts of a record from JSON values. Absent members keep their defaults; the first member
/// of another type than was expected is kept as the fault.
class Decoder {
 public:
  template <typename T>
  void decode(const Value& value, T& part, const std::string& place) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (check(value.is_string(), value, place, "a string")) part = value.as_string();
    } else if constexpr (std::is_same_v<T, bool>) {
      if (check(value.is_bool(), value, place, "true or false")) part = value.as_bool();
    } else if constexpr (std::is_same_v<T, double>) {
      if (check(value.is_number(), value, place, "a number")) part = value.as_double();
    } else if constexpr (std::is_integral_v<T>) {
      decode_integer(value, part, place);
    } else if constexpr (std::is_same_v<T, core::Verdict>) {
      const auto word = value.is_string() ? core::verdict_from_word(value.as_string())
                                          : std::optional<core::Verdict>();
      if (check(word.has_value(), value, place, "a verdict")) part = *word;
    } else if constexpr (std::is_same_v<T, core::TransportFault>) {
      const auto found = value.is_string() ? std::find(fault_words.begin(), fault_words.end(),
                                                       std::string_view(value.as_string()))
                                           : fault_words.end();
      if (check(found != fault_words.end(), value, place, "a transport fault")) {
        part = static_cast<core::TransportFault>(found - fault_words.begin());
      }
    } else if constexpr (is_optional<T>) {
      if (value.is_null()) return;
      decode(value, part.emplace(), place);
    } else if constexpr (is_vector<T>) {
      decode_list(value, part, place);
    } else if constexpr (is_map<T>) {
      if (!check(value.is_object(), value, place, "an object")) return;
      for (const auto& [name, text] : value.as_object()) {
        decode(text, part[name], fmt::format("{}/{}", place, name));
      }
    } else {
      if (!check(value.is_object(), value, place, "an object")) return;
      visit_fields(part, [&](std::string_view name, auto& member) {
        const Value* found = value.find(name);
        if (found) decode(*found, member, place + "/" + std::string(name));
      });
    }
  }

  [[nodiscard]] const std::optional<std::string>& fault() const { return fault_; }

 private:
  bool check(bool holds, const Value& value, const std::string& place, std::string_view expected) {
    if (!holds && !fault_) {
      fault_ = fmt::format("{}: found {}, expected {}", visible(place, 200), value.kind_name(),
                           expected);
    }
    return holds;
  }

  template <typename T>
  void decode_integer(const Value& value, T& part, const std::string& place) {
    if (const auto large = value.large_unsigned(); large && std::is_same_v<T, std::uint64_t>) {
      part = static_cast<T>(*large);
      return;
    }
    const std::optional<std::int64_t> number =
        value.is_integer() ? value.to_int64() : std::optional<std::int64_t>();
    const bool fits = number && std::in_range<T>(*number);
    if (check(fits, value, place, "an integer in range")) part = static_cast<T>(*number);
  }

  template <typename T>
  void decode_list(const Value& value, std::vector<T>& part, const std::string& place) {
    if (!check(value.is_list(), value, place, "an array")) return;
    part.clear();
    for (std::size_t i = 0; i < value.as_list().size(); ++i) {
      decode(value.as_list()[i], part.emplace_back(), fmt::format("{}/{}", place, i));
    }
  }

  std::optional<std::string> fault_;
};

std::string line_of(std::string_view kind, Value fields) {
  fields.as_object().insert_or_assign("type", kind);
  return to_json(fields) + "\n";
}

const core::Secrets& no_secrets() {
  static const core::Secrets none{std::span<const core::CaseResult>()};
  return none;
}

/// Of a case, or of a retry of it.
std::optional<std::string> check_evidence(const auto& result) {
  for (const core::Check& check : result.checks) {
    for (const std::size_t index : check.evidence) {
      if (index >= result.exchanges.size()) {
        return fmt::format("evidence {} of a case with {} exchanges", index,
                           result.exchanges.size());
      }
    }
  }
  return std::nullopt;
}

/// Reads a record line by line.
class RecordReader {
 public:
  explicit RecordReader(std::string file_name) : file_name_(std::move(file_name)) {}

  void read_line(std::string_view line, bool whole) {
    ++number_;
    auto parsed = parse_json(line);
    if (const auto* error = std::get_if<JsonError>(&parsed)) {
      // A process that died while it wrote leaves half a line; what came before it stands.
      if (whole) report(error->column, fmt::format("no JSON: {}", error->message));
      return;
    }
    const auto& value = std::get<Value>(parsed);
    const std::optional<std::string> type = value.string_at("type");
    if (!type) {
      report(1, "found no \"type\", expected header, case or footer");
    } else if (*type == "header") {
      read_header(value);
    } else if (!has_header_) {
      report(1, "found no header before this line");
      has_header_ = true;
    } else if (*type == "case") {
      read_case(value);
    } else if (*type == "footer") {
      read_footer(value);
    }
  }

  std::variant<core::RunRecord, std::vector<core::Diagnostic>> finish() {
    if (number_ == 0) report(0, "the record is empty");
    if (!has_header_ && number_ > 0 && problems_.empty()) report(1, "the record has no header");
    if (!problems_.empty()) return std::move(problems_);
    return std::move(record_);
  }

 private:
  void report(int column, std::string message) {
    constexpr std::size_t max_problems = 20;
    if (problems_.size() >= max_problems) return;
    problems_.push_back({{file_name_, number_, column}, std::move(message)});
  }

  template <typename T>
  void decode(const Value& value, T& part) {
    Decoder decoder;
    decoder.decode(value, part, "");
    if (decoder.fault()) report(1, *decoder.fault());
  }

  void read_header(const Value& value) {
    if (has_header_) report(1, "found a second header");
    has_header_ = true;
    const Value* format = value.find("format");
    if (!format || *format != Value(format_version)) {
      report(1,
             fmt::format("found another format than {}, which this version reads", format_version));
    }
    decode(value, record_.header);
  }

  void read_case(const Value& value) {
    if (record_.footer) report(1, "found a case after the footer");
    core::CaseResult result;
    decode(value, result);
    if (result.id.empty()) report(1, "found a case without an id");
    if (const auto fault = check_evidence(result)) report(1, *fault);
    for (const core::Retry& retry : result.retries) {
      if (const auto fault = check_evidence(retry)) report(1, "retries: " + *fault);
    }
    record_.cases.push_back(std::move(result));
  }

  void read_footer(const Value& value) {
    if (record_.footer) report(1, "found a second footer");
    core::RecordFooter footer;
    decode(value, footer);
    if (footer.cases != record_.cases.size()) {
      report(1, fmt::format("the footer counts {} cases, the record has {}", footer.cases,
                            record_.cases.size()));
    }
    record_.footer = std::move(footer);
  }

  std::string file_name_;
  core::RunRecord record_;
  std::vector<core::Diagnostic> problems_;
  int number_ = 0;
  bool has_header_ = false;
};

}  // namespace

std::string record_line(const core::RecordHeader& header) {
  Value fields = Encoder(no_secrets(), RecordLimits()).encode(header);
  fields.as_object().insert_or_assign("format", format_version);
  return line_of("header", std::move(fields));
}

std::string record_line(const core::CaseResult& result, const RecordLimits& limits) {
  const core::Secrets secrets{std::span(&result, 1)};
  return line_of("case", Encoder(secrets, limits).encode(result));
}

std::string record_line(const core::RecordFooter& footer) {
  return line_of("footer", Encoder(no_secrets(), RecordLimits()).encode(footer));
}

std::variant<core::RunRecord, std::vector<core::Diagnostic>> read_record(
    std::string_view text, const std::string& file_name) {
  RecordReader reader(file_name);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.read_line(text.substr(0, end), end != std::string_view::npos);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return reader.finish();
}

}  // namespace assay::wire
