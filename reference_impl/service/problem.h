#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/value.h"
#include "reference_impl/service/service.h"

namespace assay::service {

/// Why a request is refused: RFC 9457 problem details.
struct Problem {
  /// The HTTP status, 400 to 499.
  int status = 422;
  /// An UPPER_SNAKE word for programs.
  std::string code;
  /// A sentence for people.
  std::string detail;
  /// JSON Pointer into the body, where one field is at fault.
  std::optional<std::string> pointer;
  /// Extension members (RFC 9457 3.2), such as the run of a refused transition.
  Object members;
};

/// Thrown by a handler to refuse its request; the router turns it into the reply. Nothing may have
/// been changed by then, unless the contract says so.
class Refusal : public std::exception {
 public:
  explicit Refusal(Problem problem) : problem_(std::move(problem)) {}
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const char* what() const noexcept override { return problem_.detail.c_str(); }

 private:
  Problem problem_;
};

/// 422: well-formed, but the content at `pointer` is invalid.
[[nodiscard]] Refusal invalid(std::string_view code, std::string detail,
                              std::optional<std::string> pointer = std::nullopt);

/// 404 NOT_FOUND.
[[nodiscard]] Refusal not_found(std::string detail);

/// 409: in conflict with what is stored.
[[nodiscard]] Refusal conflict(std::string_view code, std::string detail);

/// The problem as application/problem+json.
[[nodiscard]] Reply problem_reply(const Problem& problem);

/// A reply with a JSON body.
[[nodiscard]] Reply json_reply(int status, const Value& body);

}  // namespace assay::service
