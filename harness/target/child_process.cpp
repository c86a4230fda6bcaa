#include "harness/target/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>
#include <tuple>
#include <utility>

#include "harness/target/configuration_error.h"

namespace assay::target {
namespace {

constexpr std::size_t max_line_bytes = std::size_t{4} * 1024;

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return number_; }
  void close() {
    if (number_ >= 0) {
      ::close(std::exchange(number_, -1));
    }
  }

 private:
  int number_;
};

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw ConfigurationError(fmt::format("launch: no pipe: {}", std::strerror(errno)));
    }
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
  }

  Descriptor read_end;
  Descriptor write_end;
};

/// Our environment with `changes` on top, as "NAME=value".
std::vector<std::string> environment_with(const std::map<std::string, std::string>& changes) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    if (!changes.contains(std::string(text.substr(0, text.find('='))))) {
      entries.emplace_back(text);
    }
  }
  for (const auto& [name, value] : changes) {
    entries.push_back(fmt::format("{}={}", name, value));
  }
  return entries;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

/// Starts a program: a group of its own, no signal blocked or ignored, none of our descriptors.
pid_t spawn(std::vector<std::string> command, const std::map<std::string, std::string>& environment,
            StandardStreams streams, int standard_error) {
  std::vector<std::string> entries = environment_with(environment);
  const std::vector<char*> arguments = pointers_to(command);
  const std::vector<char*> variables = pointers_to(entries);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (streams.input < 0) {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  } else {
    posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
  }
  posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, standard_error, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t signals;
  sigemptyset(&signals);
  posix_spawnattr_setsigmask(&attributes, &signals);
  sigfillset(&signals);
  posix_spawnattr_setsigdefault(&attributes, &signals);

  pid_t id = -1;
  const int error = ::posix_spawnp(&id, arguments.front(), &actions, &attributes, arguments.data(),
                                   variables.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) {
    throw ConfigurationError(
        fmt::format("cannot start {}: {}", command.front(), std::strerror(error)));
  }
  return id;
}

void must_have_words(const std::vector<std::string>& command) {
  if (command.empty()) throw ConfigurationError("the command has no words");
}

/// A process that does nothing but outlive us: where we die without a word (SIGKILL), it kills the
/// group of the process that we started. Told of no end, it sees that of its pipe.
class Guard {
 public:
  explicit Guard(pid_t group) {
    id_ = ::fork();
    if (id_ == 0) watch(group);
    pipe_.read_end.close();
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { dismiss(); }

  void dismiss() {
    if (id_ <= 0) return;
    constexpr char word = 'x';
    std::ignore = ::write(pipe_.write_end.number(), &word, 1);
    while (::waitpid(id_, nullptr, 0) < 0 && errno == EINTR) {
    }
    id_ = -1;
  }

 private:
  /// In the process: only what is safe after a fork of a program with threads.
  [[noreturn]] void watch(pid_t group) const {
    sigset_t all;
    sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, nullptr);
    ::setpgid(0, 0);
    ::dup2(pipe_.read_end.number(), STDIN_FILENO);
    ::close_range(STDIN_FILENO + 1, ~0U, 0);
    char word = 0;
    ssize_t count = -1;
    while ((count = ::read(STDIN_FILENO, &word, 1)) < 0 && errno == EINTR) {
    }
    if (count == 0) ::kill(-group, SIGKILL);
    ::_exit(0);
  }

  Pipe pipe_;
  pid_t id_ = -1;
};

}  // namespace

std::string process_end_text(const ProcessEnd& end) {
  if (end.exit_status) {
    return fmt::format("it exited with status {}", *end.exit_status);
  }
  if (end.signal) {
    return fmt::format("it was ended by signal {} ({})", *end.signal,
                       sigdescr_np(*end.signal) == nullptr ? "?" : sigdescr_np(*end.signal));
  }
  return "it ended, and something else took its exit status";
}

int signal_number(std::string_view name) {
  const std::string_view bare = name.starts_with("SIG") ? name.substr(3) : name;
  constexpr std::array<std::pair<std::string_view, int>, 7> signals = {{{"TERM", SIGTERM},
                                                                        {"INT", SIGINT},
                                                                        {"QUIT", SIGQUIT},
                                                                        {"HUP", SIGHUP},
                                                                        {"KILL", SIGKILL},
                                                                        {"USR1", SIGUSR1},
                                                                        {"USR2", SIGUSR2}}};
  for (const auto& [known, number] : signals) {
    if (bare == known) {
      return number;
    }
  }
  throw ConfigurationError(fmt::format(
      "launch: '{}' is not a stop signal; it is one of TERM, INT, QUIT, HUP, KILL, USR1, USR2",
      name));
}

/// What the owner and the two threads share: one thread reads the output, the other waits for the
/// end.
class ChildProcess::State {
 public:
  State(const std::vector<std::string>& command,
        const std::map<std::string, std::string>& environment, StandardStreams streams,
        LineHandler on_line)
      : on_line_(std::move(on_line)) {
    Pipe standard_output;
    Pipe standard_error;
    const bool is_read_here = streams.output < 0;
    if (is_read_here) streams.output = standard_output.write_end.number();
    id_ = spawn(command, environment, streams, standard_error.write_end.number());
    guard_.emplace(id_);
    if (is_read_here) outputs_[0] = std::move(standard_output.read_end);
    outputs_[1] = std::move(standard_error.read_end);
    reader_ = std::thread([this] { read_outputs(); });
    waiter_ = std::thread([this] { wait_for_end(); });
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    signal_group(SIGKILL);
    waiter_.join();
  }

  [[nodiscard]] int id() const { return id_; }

  std::optional<ProcessEnd> wait_for(std::chrono::milliseconds limit) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [this] { return end_.has_value(); });
    return end_;
  }

  ProcessEnd wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return end_.has_value(); });
    return *end_;
  }

  /// Does nothing once the process is reaped: its number may be another's by then.
  void signal_group(int signal) {
    const std::lock_guard lock(mutex_);
    if (!is_reaped_) {
      ::kill(-id_, signal);
    }
  }

  [[nodiscard]] std::string output() const {
    const std::lock_guard lock(mutex_);
    return output_.size() <= max_output_bytes ? output_
                                              : output_.substr(output_.size() - max_output_bytes);
  }

 private:
  void wait_for_end();
  void read_outputs();
  /// Reads what is there; false at the end of the stream.
  bool read_some(std::size_t index);
  void see_lines(std::string_view bytes);

  LineHandler on_line_;
  pid_t id_ = -1;
  std::array<Descriptor, 2> outputs_;
  /// Closing its write end tells the reader that the process has ended.
  Pipe ended_;
  std::string line_;
  std::optional<Guard> guard_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::string output_;
  bool is_reaped_ = false;
  std::optional<ProcessEnd> end_;

  std::thread reader_;
  std::thread waiter_;
};

void ChildProcess::State::wait_for_end() {
  // WNOWAIT leaves a zombie, so that the group's number stays ours until its other members are
  // killed.
  siginfo_t info{};
  while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  ProcessEnd end;
  guard_->dismiss();
  {
    const std::lock_guard lock(mutex_);
    ::kill(-id_, SIGKILL);
    int status = 0;
    if (::waitpid(id_, &status, 0) == id_) {
      if (WIFEXITED(status)) {
        end.exit_status = WEXITSTATUS(status);
      } else {
        end.signal = WTERMSIG(status);
      }
    }
    is_reaped_ = true;
  }
  ended_.write_end.close();
  reader_.join();
  const std::lock_guard lock(mutex_);
  end_ = end;
  changed_.notify_all();
}

void ChildProcess::State::read_outputs() {
  for (const Descriptor& output : outputs_) {
    if (output.number() < 0) continue;
    ::fcntl(output.number(), F_SETFL, O_NONBLOCK);
  }
  std::array<pollfd, 3> watched = {{{outputs_[0].number(), POLLIN, 0},
                                    {outputs_[1].number(), POLLIN, 0},
                                    {ended_.read_end.number(), POLLIN, 0}}};
  bool has_ended = false;
  while (!has_ended && ::poll(watched.data(), watched.size(), -1) >= 0) {
    // A process that left the group may hold the pipes open: after the end, only what is there
    // counts.
    has_ended = watched[2].revents != 0;
    for (std::size_t index = 0; index < outputs_.size(); ++index) {
      const bool is_due = has_ended || watched.at(index).revents != 0;
      if (watched.at(index).fd >= 0 && is_due && !read_some(index)) {
        watched.at(index).fd = -1;
      }
    }
  }
}

bool ChildProcess::State::read_some(std::size_t index) {
  std::array<char, 16'384> bytes{};
  for (;;) {
    const ssize_t count = ::read(outputs_.at(index).number(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      return count < 0 && errno == EAGAIN;
    }
    const std::string_view read(bytes.data(), static_cast<std::size_t>(count));
    {
      const std::lock_guard lock(mutex_);
      output_.append(read);
      // Cut seldom, so that a talkative server does not move 64 KiB for each line.
      if (output_.size() > 2 * max_output_bytes) {
        output_.erase(0, output_.size() - max_output_bytes);
      }
    }
    if (index == 0) {
      see_lines(read);
    }
  }
}

void ChildProcess::State::see_lines(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view part = bytes.substr(0, end);
    line_.append(part.substr(0, max_line_bytes - std::min(max_line_bytes, line_.size())));
    if (end == std::string_view::npos) {
      return;
    }
    if (line_.ends_with('\r')) {
      line_.pop_back();
    }
    on_line_(line_);
    line_.clear();
    bytes.remove_prefix(end + 1);
  }
}

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::map<std::string, std::string>& environment,
                           LineHandler on_line) {
  must_have_words(command);
  state_ = std::make_unique<State>(command, environment, StandardStreams(), std::move(on_line));
}

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::map<std::string, std::string>& environment,
                           StandardStreams streams) {
  must_have_words(command);
  state_ = std::make_unique<State>(command, environment, streams, [](std::string_view) {});
}

ChildProcess::~ChildProcess() = default;

int ChildProcess::id() const { return state_->id(); }

std::optional<ProcessEnd> ChildProcess::end() const {
  return state_->wait_for(std::chrono::milliseconds(0));
}

std::optional<ProcessEnd> ChildProcess::wait_for(std::chrono::milliseconds limit) {
  return state_->wait_for(limit);
}

ProcessEnd ChildProcess::stop(int signal, std::chrono::milliseconds grace) {
  state_->signal_group(signal);
  if (const std::optional<ProcessEnd> end = state_->wait_for(grace)) {
    return *end;
  }
  state_->signal_group(SIGKILL);
  return state_->wait();
}

std::string ChildProcess::output() const { return state_->output(); }

}  // namespace assay::target
