#include "harness/target/testing/fuzz.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/utf8.h"
#include "harness/core/adapter_line.h"
#include "harness/core/operation.h"
#include "harness/target/adapter_answer.h"
#include "harness/target/answer_reader.h"
#include "harness/wire/json.h"

namespace assay::target {
namespace {

void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

core::Limits small_limits() {
  core::Limits limits;
  limits.max_header_bytes = 512;
  limits.max_body_bytes = 256;
  return limits;
}

/// The answer as text, so that two readings can be compared; nothing where it is refused. What is
/// both cut short and no HTTP is refused as either, by when its bytes come.
std::optional<std::string> answer_of(std::string_view method, std::string_view bytes,
                                     std::size_t piece) {
  using Progress = AnswerReader::Progress;
  const core::Limits limits = small_limits();
  AnswerReader reader(method, limits);
  Progress now = Progress::wants_more;
  for (std::size_t at = 0; at < bytes.size() && now == Progress::wants_more; at += piece) {
    now = reader.feed(bytes.substr(at, piece));
  }
  if (now == Progress::wants_more) now = reader.end_of_stream();
  require(now != Progress::wants_more, "a closed connection decides");
  if (now == Progress::failed) {
    require(!reader.error().detail.empty(), "a failure says why");
    return std::nullopt;
  }
  const core::HttpResponse answer = reader.take_answer();
  require(answer.status >= 200 && answer.status <= 999, "an answer is final");
  require(answer.body.size() <= limits.max_body_bytes, "a body is bounded");
  std::string text = std::to_string(answer.status);
  for (const auto& header : answer.headers) text += '\n' + header.name + ": " + header.value;
  return text + "\n\n" + answer.body;
}

}  // namespace

void fuzz_http_answer(std::string_view bytes) {
  for (const std::string_view method : {"GET", "HEAD"}) {
    require(answer_of(method, bytes, bytes.size() + 1) == answer_of(method, bytes, 1),
            "where a packet ends does not matter");
  }
}

void fuzz_adapter_line(std::string_view bytes) {
  const auto greeting = read_adapter_greeting(bytes);
  if (!greeting) {
    require(!greeting.error().empty() && is_utf8(greeting.error()), "a refused greeting says why");
  } else {
    for (const std::string& name : greeting.value().capabilities) {
      require(core::is_known_capability(name), "a capability is one of ours");
    }
  }
  const auto read = read_adapter_answer(bytes);
  if (!read) {
    require(is_utf8(read.error()), "what is not an answer can be shown");
    return;
  }
  const auto& answer = read.value();
  require(!answer.shown_id.empty() && is_utf8(answer.shown_id), "an id can be shown");
  if (!answer.result) {
    require(is_utf8(answer.result.error().detail), "a fault can be shown");
    return;
  }
  const auto& response = answer.result.value();
  require(!core::adapter_outcome(response.status).empty(), "an answer has one of the outcomes");
  require(response.body.empty() || wire::parse_json(response.body), "an answer's body is JSON");
}

}  // namespace assay::target
