#pragma once

#include <string>

#include "harness/core/record.h"

namespace assay::reports {

/// An exchange in a few words, for a person who follows a case. What a target or a case sent is in
/// it as it came: to be masked and made visible by the caller.
struct Outline {
  /// "POST /executions/{main}/events": identifiers that assay made are shown by their last part.
  std::string request;
  /// What the request carried: "step.enter, node_name late".
  std::string sent;
  /// "201", "no answer", and what the answer said: "200 state COMPLETED".
  std::string answer;
};

/// What stands for an answer that came: its status, or the outcome that an adapter gave.
[[nodiscard]] std::string answer_word(const core::Exchange& exchange);

[[nodiscard]] Outline outline_of(const core::Exchange& exchange);

}  // namespace assay::reports
