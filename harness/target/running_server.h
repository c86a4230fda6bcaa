#pragma once

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "harness/core/profile.h"
#include "harness/target/child_process.h"

namespace assay::target {

/// A server did not start, or not in time. The message has how it ended and the last of its output.
class StartError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The server that a profile's `launch` starts, from its start to its stop. Blocking calls, made
/// before and after the I/O context runs.
class RunningServer {
 public:
  /// Starts the profile's launch (which must be there) and returns once the server is ready: a line
  /// of its standard output begins with `ready_line`, or `health_path` answers with a status of
  /// success. Throws StartError where it ends first or is not ready within `ready_within_ms`, and
  /// ConfigurationError where the command, the stop signal or the base URL cannot work.
  explicit RunningServer(const core::Profile& profile);
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;
  /// Stops it.
  ~RunningServer();

  /// What follows the ready line's words, else the profile's.
  [[nodiscard]] const std::string& base_url() const { return base_url_; }

  /// Set once it has ended, whoever ended it.
  [[nodiscard]] std::optional<ProcessEnd> end() const { return process_->end(); }

  /// The end of its output, for people, when something went wrong.
  [[nodiscard]] std::string output() const { return process_->output(); }

  /// Sends the stop signal to its process group and, after a grace period, KILL.
  ProcessEnd stop();

 private:
  struct Readiness;

  void await_ready_line(const core::Launch& launch);
  void await_health(const core::Profile& profile);
  [[noreturn]] void give_up(const std::string& why) const;

  std::string base_url_;
  int stop_signal_;
  std::shared_ptr<Readiness> readiness_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace assay::target
