#include "harness/core/state_words.h"

#include <algorithm>

namespace assay::core {
namespace {

using StateWords = std::vector<std::string>;

const StateWords& execution_words() {
  static const StateWords words = {"PENDING",   "RUNNING",      "COMPLETED", "FAILED",
                                   "CANCELLED", "CASE_HANDLED", "ISSUED",    "CLAIMED",
                                   "OK",        "ERROR",        "BREAK",     "NOOP"};
  return words;
}

const StateWords& workflow_words() {
  static const StateWords words = {"NEW",
                                   "VALID",
                                   "BLOCKED_WAITING",
                                   "READY",
                                   "RESOURCE_DISCOVERY",
                                   "RESOURCES_DISCOVERED",
                                   "SCHEDULED",
                                   "LOCKING",
                                   "LOCKED",
                                   "RUNNING",
                                   "COMPLETED",
                                   "ERROR",
                                   "ROLLBACK",
                                   "FAILED_SAFE",
                                   "FAILED_UNSAFE",
                                   "COMPLETED_ACK",
                                   "FAILED_SAFE_ACK",
                                   "FAILED_UNSAFE_ACK"};
  return words;
}

const StateWords& job_words() {
  static const StateWords words = {"PENDING", "POLLED", "PUSHED"};
  return words;
}

const StateWords& run_words() {
  static const StateWords words = {"created", "running", "waiting", "success",
                                   "failed",  "denied",  "timeout", "canceled"};
  return words;
}

}  // namespace

const StateWords& state_words() {
  static const StateWords words = [] {
    StateWords all;
    for (const StateWords* part :
         {&execution_words(), &workflow_words(), &job_words(), &run_words()}) {
      for (const std::string& word : *part) {
        if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
      }
    }
    return all;
  }();
  return words;
}

StateWords state_words_of(std::string_view operation) {
  if (operation.starts_with("runs.")) return run_words();
  if (operation.starts_with("jobs.")) return job_words();
  if (operation.starts_with("workflow.") || operation.starts_with("control.")) {
    return workflow_words();
  }
  if (operation.starts_with("executions.")) return execution_words();
  return state_words();
}

bool is_state_word(std::string_view word) {
  const StateWords& words = state_words();
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace assay::core
