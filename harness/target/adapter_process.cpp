#include "harness/target/adapter_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "harness/core/adapter_line.h"
#include "harness/target/adapter_answer.h"
#include "harness/target/configuration_error.h"
#include "harness/target/running_server.h"

namespace assay::target {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t longest_greeting_bytes = std::size_t{64} * 1024;
constexpr std::size_t shown_greeting_bytes = 200;
/// How long it may take to end by itself once its input is closed, and then by a signal.
constexpr milliseconds end_grace{1'000};
constexpr milliseconds adapter_stop_grace{3'000};
constexpr milliseconds greeting_end_known_within{500};

/// Ends of a pipe, closed unless they are taken.
struct Ends {
  Ends() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw ConfigurationError(fmt::format("adapter: no pipe: {}", std::strerror(errno)));
    }
    read = ends[0];
    write = ends[1];
  }
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }

  int read = -1;
  int write = -1;
};

std::vector<std::string> adapted_operations(const core::Profile& profile) {
  std::vector<std::string> names;
  for (const auto& [name, form] : profile.operations) {
    if (form.method == core::adapter_method) names.push_back(name);
  }
  return names;
}

}  // namespace

AdapterProcess::AdapterProcess(const core::Profile& profile) {
  const core::Adapter& adapter = profile.adapter.value();
  Ends input;
  Ends output;
  process_ = std::make_unique<ChildProcess>(adapter.command, adapter.environment,
                                            StandardStreams{input.read, output.write});
  input_ = std::exchange(input.write, -1);
  output_ = std::exchange(output.read, -1);
  // Held open here, its end would never be seen.
  ::close(std::exchange(output.write, -1));
  ::close(std::exchange(input.read, -1));
  try {
    const std::string greeting = core::adapter_greeting(profile.base_url) + "\n";
    // So short a line fits into an empty pipe; that nobody reads it shows in the answer.
    (void)!::write(input_, greeting.data(), greeting.size());
    take_greeting(read_greeting(milliseconds(adapter.ready_within_ms)), profile);
  } catch (...) {
    ::close(take_input());
    ::close(take_output());
    throw;
  }
}

AdapterProcess::~AdapterProcess() {
  if (input_ >= 0) ::close(input_);
  if (output_ >= 0) ::close(output_);
  if (!process_->wait_for(end_grace)) process_->stop(SIGTERM, adapter_stop_grace);
}

int AdapterProcess::take_input() { return std::exchange(input_, -1); }

int AdapterProcess::take_output() { return std::exchange(output_, -1); }

std::string AdapterProcess::take_unread() { return std::exchange(unread_, ""); }

std::string AdapterProcess::end_text(milliseconds limit) const {
  const std::optional<ProcessEnd> end = process_->wait_for(limit);
  return end ? process_end_text(*end) : "it closed its standard output";
}

std::string AdapterProcess::read_greeting(milliseconds limit) {
  const auto deadline = SteadyClock::now() + limit;
  while (true) {
    const std::size_t end = unread_.find('\n');
    if (end != std::string::npos) {
      std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (unread_.size() > longest_greeting_bytes) {
      give_up(fmt::format("its greeting is longer than {} bytes", longest_greeting_bytes));
    }
    const auto left = std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
    pollfd watched{output_, POLLIN, 0};
    const int ready = left.count() <= 0 ? 0 : ::poll(&watched, 1, static_cast<int>(left.count()));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) give_up(fmt::format("it did not greet within {} ms", limit.count()));
    std::array<char, 4'096> bytes{};
    const ssize_t count = ::read(output_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) give_up(end_text(greeting_end_known_within) + " before it greeted");
    unread_.append(bytes.data(), static_cast<std::size_t>(count));
  }
}

void AdapterProcess::take_greeting(const std::string& line, const core::Profile& profile) {
  auto read = read_adapter_greeting(line);
  if (!read) {
    give_up(fmt::format("its first line is not a greeting: {}: {}", read.error(),
                        visible(line, shown_greeting_bytes)));
  }
  auto& greeting = *read;
  const std::vector<std::string>& names = greeting.capabilities;
  for (const std::string& operation : adapted_operations(profile)) {
    if (std::find(names.begin(), names.end(), operation) != names.end()) continue;
    throw ConfigurationError(
        fmt::format("the adapter does not have {}, which the profile {} says goes through it; it "
                    "has {}",
                    operation, profile.name, fmt::join(names, ", ")));
  }
  identity_ = std::move(greeting.identity);
}

void AdapterProcess::give_up(const std::string& why) const {
  process_->stop(SIGTERM, adapter_stop_grace);
  const std::string output = process_->output();
  throw StartError(fmt::format(
      "the adapter did not start: {}\n{}", why,
      output.empty() ? "it wrote nothing to standard error" : "its standard error:\n" + output));
}

}  // namespace assay::target
