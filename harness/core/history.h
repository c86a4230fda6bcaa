#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/http.h"
#include "harness/core/operation.h"

namespace assay::core {

/// What a scenario's own request is called where the names of operations are.
inline constexpr const char* raw_request = "request";

/// One request of a case and what came of it. Offsets count from the start of the case.
struct Exchange {
  std::string operation;
  HttpRequest request;
  std::optional<HttpResponse> response;
  std::optional<TransportError> error;
  double called_ms = 0;
  double returned_ms = 0;
  /// How often the request was sent until an answer came that says something; the times are those
  /// of the first and of that one. Not in records.
  int times_sent = 1;
};

/// One operation that was asked of a target, whole: before the profile turned it into requests, and
/// after it read the answer.
struct Call {
  /// As it was asked; raw_request, without parameters, where a scenario wrote the request itself.
  Operation asked;
  /// Never nullptr.
  std::shared_ptr<const Answer> answer = std::make_shared<Answer>();
  /// From the start of the case, by one clock.
  double called_ms = 0;
  double returned_ms = 0;
  /// What it took over HTTP: indices into the history's exchanges, in their order.
  std::vector<std::size_t> exchanges = {};
  /// Asked to see whether something is so, and as often as it takes: of such calls a record has
  /// only those that decided something.
  bool is_look = false;
  /// A later page of a listing, asked for because of what the answer before it said.
  bool is_later_page = false;
};

/// What a case, or a log that somebody kept, asked and was answered. Everything that is judged of
/// more than one answer is a function of this.
struct History {
  /// In the order in which they returned.
  std::vector<Call> calls;
  /// Every request with what came of it, bodies cut; those of a call have their place there.
  std::vector<Exchange> exchanges;
};

}  // namespace assay::core
