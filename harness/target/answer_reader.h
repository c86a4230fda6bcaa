#pragma once

#include <memory>
#include <string_view>

#include "harness/core/http.h"
#include "harness/core/profile.h"

namespace assay::target {

/// Reads one HTTP/1 answer out of the bytes of a connection, within limits; touches no socket.
///
/// Interim answers (1xx) are skipped, a few of them; 101 was never asked for and is malformed. So
/// are unequal Content-Lengths, a length beside a transfer coding, any coding but chunked, a bad
/// chunk size, and anything that is not HTTP/1.0 or HTTP/1.1. An answer without a length ends with
/// its connection. What it holds in memory is bounded by max_header_bytes and max_body_bytes.
class AnswerReader {
 public:
  enum class Progress { wants_more, complete, failed };

  /// The method decides whether the answer has a body.
  AnswerReader(std::string_view method, const core::Limits& limits);
  AnswerReader(AnswerReader&&) noexcept;
  AnswerReader& operator=(AnswerReader&&) noexcept;
  ~AnswerReader();

  /// Takes the next bytes; not to be called again once it is complete or failed.
  Progress feed(std::string_view bytes);

  /// The connection's other end closed it.
  Progress end_of_stream();

  /// Whether a byte of the answer came.
  [[nodiscard]] bool has_begun() const;

  /// Once complete: whether the connection may carry another request.
  [[nodiscard]] bool keeps_connection() const;

  /// Once complete: whether more came than the answer.
  [[nodiscard]] bool has_surplus() const;

  /// Once complete, and once only.
  [[nodiscard]] core::HttpResponse take_answer();

  /// Once failed: why. `request_sent` is for the caller to say.
  [[nodiscard]] const core::TransportError& error() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::target
