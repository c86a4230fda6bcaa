#include "reference_impl/model/runs/status.h"

#include <algorithm>
#include <cstddef>

namespace assay::runs {

std::string_view to_string(Status status) {
  static constexpr std::array<std::string_view, all_statuses.size()> words = {
      "created", "running", "waiting", "success", "failed", "denied", "timeout", "canceled"};
  return words.at(static_cast<std::size_t>(status));
}

std::optional<Status> parse_status(std::string_view word) {
  for (const Status status : all_statuses) {
    if (to_string(status) == word) return status;
  }
  return std::nullopt;
}

bool is_terminal(Status status) {
  return status != Status::created && status != Status::running && status != Status::waiting;
}

bool is_failure(Status status) {
  return status == Status::failed || status == Status::denied || status == Status::timeout;
}

bool is_defined(Status from, Status to) {
  return std::any_of(transitions.begin(), transitions.end(), [&](const Transition& transition) {
    return transition.from == from && transition.to == to;
  });
}

std::optional<ForbiddenFamily> forbidden_family(Status from, Status to) {
  if (is_defined(from, to)) return std::nullopt;
  if (from == to) return ForbiddenFamily::self_transition;
  if (is_failure(from) && to == Status::running) return ForbiddenFamily::retry_in_place;
  if (is_terminal(from)) return ForbiddenFamily::leaving_terminal;
  if (from == Status::created) return ForbiddenFamily::skipping_start;
  if (to == Status::created) return ForbiddenFamily::returning_to_created;
  return ForbiddenFamily::ending_while_waiting;
}

}  // namespace assay::runs
