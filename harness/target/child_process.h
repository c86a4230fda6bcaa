#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::target {

/// How a process ended: by itself with a status, or by a signal.
struct ProcessEnd {
  std::optional<int> exit_status;
  std::optional<int> signal;
};

/// "it exited with status 3", "it was ended by signal 9 (Killed)".
[[nodiscard]] std::string process_end_text(const ProcessEnd& end);

/// The number of a signal by its name, with or without SIG: "TERM", "SIGINT". Throws
/// ConfigurationError for any other.
[[nodiscard]] int signal_number(std::string_view name);

/// What a program has as its standard input and output.
struct StandardStreams {
  int input = -1;
  int output = -1;
};

/// A program that runs in a process group of its own, without a shell. Its output is read all the
/// time, and the last of it kept. When it ends, or this goes away, its whole group is killed and it
/// is reaped.
class ChildProcess {
 public:
  /// How much of the output is kept.
  static constexpr std::size_t max_output_bytes = std::size_t{64} * 1024;

  /// Sees each line of standard output, without its end and cut at 4 KiB; called on another thread.
  using LineHandler = std::function<void(std::string_view line)>;

  /// Starts it. The first word of the command is looked up in PATH; the environment is ours with
  /// `environment` on top. Throws ConfigurationError where it cannot be started.
  ChildProcess(const std::vector<std::string>& command,
               const std::map<std::string, std::string>& environment, LineHandler on_line);

  /// Starts it with these descriptors, which stay the caller's, as its standard input and output;
  /// then only its standard error is kept.
  ChildProcess(const std::vector<std::string>& command,
               const std::map<std::string, std::string>& environment, StandardStreams streams);
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess();

  [[nodiscard]] int id() const;

  /// Nothing while it runs.
  [[nodiscard]] std::optional<ProcessEnd> end() const;

  /// Waits until it ends, so long at most.
  std::optional<ProcessEnd> wait_for(std::chrono::milliseconds limit);

  /// Sends the signal to its group, and KILL where it has not ended within `grace`. Does nothing
  /// where it has ended.
  ProcessEnd stop(int signal, std::chrono::milliseconds grace);

  /// The end of what it wrote to standard output and error, in the order in which it came. Whole
  /// once it has ended.
  [[nodiscard]] std::string output() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace assay::target
