#include "harness/wire/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/wire/json.h"
#include "harness/wire/record_codec.h"

namespace assay::wire {
namespace {

/// Reads a history line by line.
class HistoryReader {
 public:
  explicit HistoryReader(std::string file_name) : file_name_(std::move(file_name)) {}

  void read_line(std::string_view line) {
    ++number_;
    const auto parsed = parse_json(line);
    if (!parsed) {
      report(parsed.error().column, fmt::format("no JSON: {}", parsed.error().message));
      return;
    }
    const auto& value = *parsed;
    const std::optional<std::string> type = value.string_at("type");
    if (!type) {
      report(1, "found no \"type\", expected exchange or call");
    } else if (*type == "exchange") {
      decode(value, history_.exchanges.emplace_back());
    } else if (*type == "call") {
      core::Call& call = history_.calls.emplace_back();
      decode(value, call);
      check_places(call);
    }
  }

  Result<core::History, std::vector<core::Diagnostic>> finish() {
    if (!problems_.empty()) return unexpected(std::move(problems_));
    return std::move(history_);
  }

 private:
  void report(int column, std::string message) {
    constexpr std::size_t max_problems = 20;
    if (problems_.size() < max_problems) {
      problems_.push_back({{file_name_, number_, column}, std::move(message)});
    }
  }

  template <typename T>
  void decode(const Value& value, T& part) {
    Decoder decoder;
    decoder.decode(value, part, "");
    if (decoder.fault()) report(1, *decoder.fault());
  }

  void check_places(const core::Call& call) {
    for (const std::size_t place : call.exchanges) {
      if (place < history_.exchanges.size()) continue;
      report(1, fmt::format("found a call of exchange {}, expected one of the {} before it", place,
                            history_.exchanges.size()));
    }
  }

  std::string file_name_;
  core::History history_;
  std::vector<core::Diagnostic> problems_;
  int number_ = 0;
};

}  // namespace

std::string history_lines(const core::History& history, const core::Secrets& secrets) {
  const Encoder encoder(secrets, RecordLimits());
  std::string lines;
  for (const core::Exchange& exchange : history.exchanges) {
    lines += line_of("exchange", encoder.encode(exchange));
  }
  for (const core::Call& call : history.calls) lines += line_of("call", encoder.encode(call));
  return lines;
}

Result<core::History, std::vector<core::Diagnostic>> read_history(std::string_view text,
                                                                  const std::string& file_name) {
  HistoryReader reader(file_name);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.read_line(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return reader.finish();
}

}  // namespace assay::wire
