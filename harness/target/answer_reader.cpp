#include "harness/target/answer_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace assay::target {
namespace http = boost::beast::http;
namespace {

/// More interim answers than any server has reason to send.
constexpr int max_interim_answers = 8;

/// "0" and two line ends. Beast asserts that a last chunk, once begun, has this many bytes at hand,
/// and no chunked body can end with fewer, so that waiting for them loses nothing.
constexpr std::size_t last_chunk_bytes = 5;

/// Beast looks at a status line that comes in pieces only when the whole header is there.
bool begins_like_http(std::string_view bytes) {
  constexpr std::string_view start = "HTTP/1.";
  return bytes.substr(0, start.size()) == start.substr(0, bytes.size());
}

using Parser = http::response_parser<http::string_body>;

core::TransportFault fault_of(const boost::beast::error_code& error) {
  if (error == http::error::header_limit) {
    return core::TransportFault::header_limit;
  }
  if (error == http::error::body_limit) {
    return core::TransportFault::body_limit;
  }
  if (error == http::error::partial_message) {
    return core::TransportFault::closed;
  }
  return core::TransportFault::malformed;
}

/// How long a header is, or its part that has come.
std::size_t header_bytes(std::string_view text) {
  constexpr std::string_view end = "\r\n\r\n";
  const std::size_t at = text.find(end);
  return at == std::string_view::npos ? text.size() : at + end.size();
}

}  // namespace

struct AnswerReader::State {
  State(std::string_view request_method, const core::Limits& its_limits)
      : limits(its_limits), is_head(request_method == "HEAD") {
    begin();
  }

  void begin() {
    parser.emplace();
    parser->eager(true);
    parser->skip(is_head);
    // Beast counts less than what came; the bound is kept where the bytes are fed.
    parser->header_limit(std::numeric_limits<std::uint32_t>::max());
    parser->body_limit(limits.max_body_bytes);
    is_at_start = true;
    has_judged_header = false;
  }

  Progress fail(core::TransportFault fault, std::string detail) {
    error = {fault, std::move(detail), false};
    return Progress::failed;
  }

  /// What Beast lets pass although the body's end is in doubt (RFC 9112 sections 6.1 and 6.3).
  std::optional<std::string> header_objection() const {
    const auto& answer = parser->get();
    if (answer.result_int() < 100) {
      return fmt::format("status code {}", answer.result_int());
    }
    if (answer.result_int() == 101) {
      return "it switches to a protocol that was not asked for";
    }
    const auto coding = answer.find(http::field::transfer_encoding);
    if (coding == answer.end()) {
      return std::nullopt;
    }
    if (answer.version() == 10) {
      return "a transfer coding in HTTP/1.0";
    }
    if (!boost::beast::iequals(coding->value(), "chunked")) {
      return "a transfer coding other than chunked";
    }
    return std::nullopt;
  }

  /// Parses as far as `bytes` go; gives how many of them are done with.
  std::size_t parse(std::string_view bytes, Progress& progress);

  core::Limits limits;
  bool is_head = false;
  std::optional<Parser> parser;
  /// Nothing of the status line is parsed yet.
  bool is_at_start = true;
  bool has_judged_header = false;
  int interim_answers = 0;
  /// What came and is not parsed yet: an unfinished header or chunk line.
  std::string pending;
  std::uint64_t bytes_seen = 0;
  core::TransportError error;
};

std::size_t AnswerReader::State::parse(std::string_view bytes, Progress& progress) {
  std::size_t used = 0;
  progress = Progress::wants_more;
  while (used < bytes.size()) {
    const std::string_view rest = bytes.substr(used);
    if (is_at_start && !begins_like_http(rest)) {
      progress = fail(core::TransportFault::malformed, "it does not begin with HTTP/1");
      return used;
    }
    if (!parser->is_header_done() && header_bytes(rest) > limits.max_header_bytes) {
      progress = fail(core::TransportFault::header_limit, "header without end");
      return used;
    }
    if (parser->is_header_done() && parser->chunked() && rest.size() < last_chunk_bytes) {
      return used;
    }
    boost::beast::error_code code;
    const std::size_t taken = parser->put(boost::asio::buffer(rest.data(), rest.size()), code);
    used += taken;
    is_at_start = is_at_start && taken == 0;
    if (code && code != http::error::need_more) {
      progress = fail(fault_of(code), code.message());
      return used;
    }
    if (!has_judged_header && parser->is_header_done()) {
      has_judged_header = true;
      if (std::optional<std::string> objection = header_objection()) {
        progress = fail(core::TransportFault::malformed, *std::move(objection));
        return used;
      }
    }
    if (parser->is_done()) {
      if (parser->get().result_int() >= 200) {
        progress = Progress::complete;
        return used;
      }
      if (++interim_answers > max_interim_answers) {
        progress = fail(core::TransportFault::malformed, "interim answers without end");
        return used;
      }
      begin();
    } else if (code == http::error::need_more) {
      return used;
    }
  }
  return used;
}

AnswerReader::AnswerReader(std::string_view method, const core::Limits& limits)
    : state_(std::make_unique<State>(method, limits)) {}

AnswerReader::AnswerReader(AnswerReader&&) noexcept = default;
AnswerReader& AnswerReader::operator=(AnswerReader&&) noexcept = default;
AnswerReader::~AnswerReader() = default;

AnswerReader::Progress AnswerReader::feed(std::string_view bytes) {
  State& state = *state_;
  state.bytes_seen += bytes.size();
  Progress progress = Progress::wants_more;
  if (state.pending.empty()) {
    const std::size_t used = state.parse(bytes, progress);
    state.pending.assign(bytes.substr(used));
  } else {
    state.pending.append(bytes);
    const std::size_t used = state.parse(state.pending, progress);
    state.pending.erase(0, used);
  }
  if (progress != Progress::wants_more || state.pending.size() <= state.limits.max_header_bytes) {
    return progress;
  }
  return state.fail(core::TransportFault::malformed, "a chunk line or trailer without end");
}

AnswerReader::Progress AnswerReader::end_of_stream() {
  State& state = *state_;
  const std::string detail = state.bytes_seen == 0
                                 ? "no byte of the answer came"
                                 : fmt::format("after {} bytes of the answer", state.bytes_seen);
  if (!state.parser->got_some()) {
    return state.fail(core::TransportFault::closed, detail);
  }
  boost::beast::error_code code;
  state.parser->put_eof(code);
  return code ? state.fail(fault_of(code), detail) : Progress::complete;
}

bool AnswerReader::has_begun() const { return state_->bytes_seen > 0; }

bool AnswerReader::has_surplus() const { return !state_->pending.empty(); }

bool AnswerReader::keeps_connection() const {
  return state_->parser->keep_alive() && !state_->parser->need_eof() && state_->pending.empty();
}

core::HttpResponse AnswerReader::take_answer() {
  http::response<http::string_body> message = state_->parser->release();
  core::HttpResponse answer;
  answer.status = static_cast<int>(message.result_int());
  for (const auto& field : message) {
    answer.headers.push_back({std::string(field.name_string()), std::string(field.value()), false});
  }
  answer.body = std::move(message.body());
  return answer;
}

const core::TransportError& AnswerReader::error() const { return state_->error; }

}  // namespace assay::target
