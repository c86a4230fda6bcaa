#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/value.h"
#include "harness/core/profile.h"
#include "harness/target/child_process.h"

namespace assay::target {

/// The program of a profile's adapter, from its start to its end. Blocking calls, made before and
/// after the I/O context runs.
class AdapterProcess {
 public:
  /// Starts it and reads its greeting. Throws as AdapterTarget says.
  explicit AdapterProcess(const core::Profile& profile);
  AdapterProcess(const AdapterProcess&) = delete;
  AdapterProcess& operator=(const AdapterProcess&) = delete;
  ~AdapterProcess();

  /// "name version" of the target, as far as the greeting says them.
  [[nodiscard]] const std::string& identity() const { return identity_; }

  /// Our ends of its standard input and output; the caller closes them.
  [[nodiscard]] int take_input();
  [[nodiscard]] int take_output();
  /// What came behind the greeting.
  [[nodiscard]] std::string take_unread();

  /// How it ended, as soon as that is known; waits so long at most.
  [[nodiscard]] std::string end_text(std::chrono::milliseconds limit) const;
  [[nodiscard]] std::string output() const { return process_->output(); }

 private:
  /// The first line that it writes.
  std::string read_greeting(std::chrono::milliseconds limit);
  void take_greeting(const std::string& line, const core::Profile& profile);
  [[noreturn]] void give_up(const std::string& why) const;

  int input_ = -1;
  int output_ = -1;
  std::string unread_;
  std::string identity_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace assay::target
