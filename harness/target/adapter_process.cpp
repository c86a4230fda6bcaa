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
#include "harness/core/clause_table.h"
#include "harness/core/operation.h"
#include "harness/target/configuration_error.h"
#include "harness/target/running_server.h"
#include "harness/wire/answer_body.h"

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

/// The capabilities that a greeting names, or what is wrong with them.
std::variant<std::vector<std::string>, std::string> capabilities_of(const Value& greeting) {
  const Value* list = greeting.find("capabilities");
  if (list == nullptr || !list->is_list()) return std::string("it names no \"capabilities\"");
  std::vector<std::string> names;
  for (const Value& each : list->as_list()) {
    if (!each.is_string()) return std::string("one of its capabilities is no text");
    const std::string& name = each.as_string();
    if (!core::is_known_capability(name)) {
      std::vector<std::string> known(core::operation_names().begin(),
                                     core::operation_names().end());
      const auto nearest = core::nearest_name(name, known);
      return fmt::format("it has a capability \"{}\", which there is none of{}",
                         visible(name, shown_greeting_bytes),
                         nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : "");
    }
    names.push_back(name);
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
  const wire::AnswerBody read = wire::read_answer_body({200, {}, line});
  const auto refuse = [this, &line](const std::string& why) {
    give_up(fmt::format("its first line is no greeting: {}: {}", why,
                        visible(line, shown_greeting_bytes)));
  };
  if (!read.value) refuse(read.trouble.empty() ? "it is empty" : "it is no JSON");
  const Value& greeting = *read.value;
  if (greeting.string_at("protocol") != "assay-adapter") {
    refuse(R"("protocol" is not "assay-adapter")");
  }
  const Value* version = greeting.find("version");
  if (version == nullptr || *version != Value(core::adapter_protocol_version)) {
    refuse(fmt::format("\"version\" is not {}", core::adapter_protocol_version));
  }
  const auto capabilities = capabilities_of(greeting);
  if (const auto* why = std::get_if<std::string>(&capabilities)) refuse(*why);
  const auto& names = std::get<std::vector<std::string>>(capabilities);
  for (const std::string& operation : adapted_operations(profile)) {
    if (std::find(names.begin(), names.end(), operation) != names.end()) continue;
    throw ConfigurationError(
        fmt::format("the adapter does not have {}, which the profile {} says goes through it; it "
                    "has {}",
                    operation, profile.name, fmt::join(names, ", ")));
  }
  const Value* target = greeting.find("target");
  const std::string name = target ? target->string_at("name").value_or("") : "";
  const std::string own_version = target ? target->string_at("version").value_or("") : "";
  identity_ = name.empty() || own_version.empty() ? name + own_version : name + " " + own_version;
}

void AdapterProcess::give_up(const std::string& why) const {
  process_->stop(SIGTERM, adapter_stop_grace);
  const std::string output = process_->output();
  throw StartError(fmt::format(
      "the adapter did not start: {}\n{}", why,
      output.empty() ? "it wrote nothing to standard error" : "its standard error:\n" + output));
}

}  // namespace assay::target
