#include "reference_impl/model/runs/status.h"

#include <algorithm>

#include "base/words.h"

namespace assay::runs {

namespace {

constexpr Words<Status::canceled> status_words = {"created", "running", "waiting", "success",
                                                  "failed",  "denied",  "timeout", "canceled"};

}  // namespace

std::string_view to_string(Status status) { return status_words[status]; }

std::optional<Status> parse_status(std::string_view word) { return status_words.parse(word); }

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
