#include "harness/wire/record.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/core/secrets.h"
#include "harness/wire/fast_case.h"
#include "harness/wire/json.h"
#include "harness/wire/record_codec.h"

namespace assay::wire {
namespace {

constexpr std::int64_t format_version = 1;

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

}  // namespace

/// Reads a record line by line.
class RecordReader::Lines {
 public:
  Lines(std::string file_name, CaseVisitor visit)
      : file_name_(std::move(file_name)), visit_(std::move(visit)) {}

  /// Behind the line as many bytes can be read.
  void read_line(std::string_view line, bool whole, std::size_t bytes_behind) {
    ++number_;
    if (!is_another_file_) read_value(line, whole, bytes_behind);
    offset_ += line.size() + 1;
  }

  Result<core::RunRecord, std::vector<core::Diagnostic>> finish() {
    if (number_ == 0) report(0, "the record is empty");
    if (!has_header_ && number_ > 0 && problems_.empty()) report(1, "the record has no header");
    if (!problems_.empty()) return unexpected(std::move(problems_));
    return std::move(record_);
  }

 private:
  void read_value(std::string_view line, bool whole, std::size_t bytes_behind) {
    std::optional<core::CaseResult> result =
        has_header_ ? fast_.read(line, bytes_behind) : std::nullopt;
    if (result) return take_case(*std::move(result), line.size());
    auto parsed = parse_json(line);
    if (!parsed) {
      // A process that died while it wrote leaves half a line; what came before it stands.
      if (whole) report(parsed.error().column, fmt::format("no JSON: {}", parsed.error().message));
      is_another_file_ = whole && !has_header_;
      return;
    }
    const auto& value = *parsed;
    const std::optional<std::string> type = value.string_at("type");
    if (!type) {
      report(1, "found no \"type\", expected header, case or footer");
    } else if (*type == "header") {
      read_header(value);
    } else if (!has_header_) {
      report(1, "found no header before this line");
      has_header_ = true;
    } else if (*type == "case") {
      core::CaseResult slowly;
      decode(value, slowly);
      take_case(std::move(slowly), line.size());
    } else if (*type == "footer") {
      read_footer(value);
    }
  }

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

  void take_case(core::CaseResult result, std::size_t bytes) {
    if (record_.footer) report(1, "found a case after the footer");
    if (result.id.empty()) report(1, "found a case without an id");
    if (const auto fault = check_evidence(result)) report(1, *fault);
    for (const core::Retry& retry : result.retries) {
      if (const auto fault = check_evidence(retry)) report(1, "retries: " + *fault);
    }
    if (visit_ && problems_.empty()) visit_({record_.header, result, offset_, bytes});
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
  CaseVisitor visit_;
  FastCases fast_;
  core::RunRecord record_;
  std::vector<core::Diagnostic> problems_;
  int number_ = 0;
  /// Of the line's begin.
  std::uint64_t offset_ = 0;
  bool has_header_ = false;
  /// It begins with no JSON: of a file that is no record one line is said, not each.
  bool is_another_file_ = false;
};

RecordReader::RecordReader(std::string file_name, CaseVisitor visit)
    : lines_(std::make_unique<Lines>(std::move(file_name), std::move(visit))) {}

RecordReader::~RecordReader() = default;

void RecordReader::feed(std::string_view piece) {
  for (std::size_t end = piece.find('\n'); end != std::string_view::npos; end = piece.find('\n')) {
    if (begun_.empty()) {
      lines_->read_line(piece.substr(0, end), true, piece.size() - end);
    } else {
      begun_.append(piece.substr(0, end));
      lines_->read_line(begun_, true, begun_.capacity() - begun_.size());
      begun_.clear();
    }
    piece.remove_prefix(end + 1);
  }
  begun_.append(piece);
}

Result<core::RunRecord, std::vector<core::Diagnostic>> RecordReader::finish() {
  if (!begun_.empty()) lines_->read_line(begun_, false, 0);
  return lines_->finish();
}

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

core::HttpRequest as_recorded(const core::HttpRequest& request, const core::Secrets& of_run) {
  core::CaseResult carrier;
  carrier.exchanges.emplace_back().request = request;
  core::Secrets secrets{std::span(&carrier, 1)};
  secrets.add(of_run);
  core::HttpRequest recorded;
  Decoder().decode(Encoder(secrets, RecordLimits()).encode(request), recorded, "");
  return recorded;
}

Value as_recorded(const Value& value, const std::vector<core::Exchange>& exchanges) {
  core::CaseResult carrier;
  carrier.exchanges = exchanges;
  const core::Secrets secrets{std::span(&carrier, 1)};
  return Encoder(secrets, RecordLimits()).encode(value);
}

core::CaseResult read_case_line(std::string_view line) {
  if (std::optional<core::CaseResult> result = FastCases().read(line)) return *std::move(result);
  const auto value = parse_json(line);
  core::CaseResult result;
  Decoder decoder;
  if (value) decoder.decode(*value, result, "");
  if (!value || decoder.fault()) throw std::runtime_error("a line that is not a case");
  return result;
}

Result<core::RunRecord, std::vector<core::Diagnostic>> read_record(std::string_view text,
                                                                   const std::string& file_name) {
  RecordReader reader(file_name);
  reader.feed(text);
  return reader.finish();
}

}  // namespace assay::wire
