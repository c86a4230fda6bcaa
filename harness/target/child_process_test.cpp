#include "harness/target/child_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "harness/target/configuration_error.h"

namespace assay::target {
namespace {

using std::chrono::milliseconds;

/// Longer than anything here takes.
constexpr milliseconds long_enough{60'000};

void ignore_line(std::string_view) {}

std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }

/// Runs a script to its own end and gives what it wrote.
std::string output_of(const std::string& script,
                      const std::map<std::string, std::string>& environment = {}) {
  ChildProcess process(shell(script), environment, ignore_line);
  EXPECT_TRUE(process.wait_for(long_enough).has_value());
  return process.output();
}

/// A child whose first line has come, with that line.
struct Started {
  explicit Started(const std::string& script)
      : process(shell(script), {}, [this, first = true](std::string_view line) mutable {
          if (std::exchange(first, false)) {
            promise.set_value(std::string(line));
          }
        }) {
    first_line = promise.get_future().get();
  }

  std::promise<std::string> promise;
  std::string first_line;
  ChildProcess process;
};

bool is_running(int id) {
  std::ifstream file("/proc/" + std::to_string(id) + "/stat");
  std::string stat;
  std::getline(file, stat);
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.substr(name_end + 2, 1) != "Z";
}

TEST(ChildProcess, KeepsBothOutputsAndTheExitStatus) {
  ChildProcess process(shell("echo out; echo err >&2; exit 3"), {}, ignore_line);
  const std::optional<ProcessEnd> end = process.wait_for(long_enough);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->exit_status, 3);
  EXPECT_FALSE(end->signal.has_value());
  EXPECT_EQ(process_end_text(*end), "it exited with status 3");
  EXPECT_THAT(process.output(), ::testing::HasSubstr("out\n"));
  EXPECT_THAT(process.output(), ::testing::HasSubstr("err\n"));
}

TEST(ChildProcess, SeesTheSignalThatEndedIt) {
  ChildProcess process(shell("kill -KILL $$"), {}, ignore_line);
  const std::optional<ProcessEnd> end = process.wait_for(long_enough);
  ASSERT_TRUE(end.has_value());
  EXPECT_EQ(end->signal, SIGKILL);
  EXPECT_FALSE(end->exit_status.has_value());
  EXPECT_EQ(process_end_text(*end), "it was ended by signal 9 (Killed)");
}

TEST(ChildProcess, GivesLinesOfStandardOutputOnly) {
  std::vector<std::string> lines;
  ChildProcess process(shell("echo one; echo no >&2; printf 'two\\r\\n\\nunfinished'"), {},
                       [&lines](std::string_view line) { lines.emplace_back(line); });
  ASSERT_TRUE(process.wait_for(long_enough).has_value());
  EXPECT_THAT(lines, ::testing::ElementsAre("one", "two", ""));
}

TEST(ChildProcess, KeepsTheEndOfALongOutputAndBoundsLines) {
  std::size_t longest = 0;
  ChildProcess process(
      shell("head -c 1000000 /dev/zero | tr '\\0' x; echo; echo last"), {},
      [&longest](std::string_view line) { longest = std::max(longest, line.size()); });
  ASSERT_TRUE(process.wait_for(long_enough).has_value());
  EXPECT_EQ(process.output().size(), ChildProcess::max_output_bytes);
  EXPECT_TRUE(process.output().ends_with("x\nlast\n"));
  EXPECT_EQ(longest, 4'096U);
}

TEST(ChildProcess, RunsWithoutAShell) {
  ChildProcess process({"echo", "$HOME", "a b", "*"}, {}, ignore_line);
  ASSERT_TRUE(process.wait_for(long_enough).has_value());
  EXPECT_EQ(process.output(), "$HOME a b *\n");
}

TEST(ChildProcess, PutsItsEnvironmentOverOurs) {
  ::setenv("ASSAY_TEST_KEPT", "kept", 1);
  ::setenv("ASSAY_TEST_CHANGED", "old", 1);
  EXPECT_EQ(output_of("echo $ASSAY_TEST_KEPT $ASSAY_TEST_CHANGED", {{"ASSAY_TEST_CHANGED", "new"}}),
            "kept new\n");
}

TEST(ChildProcess, InheritsNoDescriptorAndNoInput) {
  const int open = ::fcntl(STDOUT_FILENO, F_DUPFD, 100);
  ASSERT_GE(open, 100);
  EXPECT_EQ(output_of("cat; ls /proc/$$/fd/" + std::to_string(open) + " 2>/dev/null || echo gone"),
            "gone\n");
  ::close(open);
}

TEST(ChildProcess, StopsWithTheSignal) {
  Started started("trap 'echo bye; exit 7' TERM; echo up; while :; do sleep 0.01; done");
  EXPECT_FALSE(started.process.end().has_value());
  const ProcessEnd end = started.process.stop(SIGTERM, long_enough);
  EXPECT_EQ(end.exit_status, 7);
  EXPECT_THAT(started.process.output(), ::testing::HasSubstr("bye\n"));
}

TEST(ChildProcess, KillsWhatDoesNotStop) {
  Started started("trap '' TERM; echo up; while :; do sleep 1; done");
  EXPECT_EQ(started.process.stop(SIGTERM, milliseconds(50)).signal, SIGKILL);
}

TEST(ChildProcess, StopsItsWholeGroup) {
  Started started("(trap '' TERM; exec sleep 1000) & echo $!; wait");
  const int grandchild = std::stoi(started.first_line);
  ASSERT_TRUE(is_running(grandchild));
  started.process.stop(SIGTERM, long_enough);
  // It has its KILL; when the kernel carries it out is the kernel's affair.
  while (is_running(grandchild)) {
    std::this_thread::yield();
  }
}

TEST(ChildProcess, EndsAlthoughSomebodyElseHoldsItsOutput) {
  Started started("setsid sleep 1000 & echo $!; exit 0");
  EXPECT_EQ(started.process.wait_for(long_enough).value().exit_status, 0);
  ::kill(std::stoi(started.first_line), SIGKILL);
}

TEST(ChildProcess, LeavesNoZombie) {
  int id = 0;
  {
    const Started started("echo up; exec sleep 1000");
    id = started.process.id();
  }
  EXPECT_EQ(::waitpid(id, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(ChildProcess, RefusesWhatCannotBeStarted) {
  EXPECT_THROW(ChildProcess({"/nowhere/server"}, {}, ignore_line), ConfigurationError);
  EXPECT_THROW(ChildProcess({}, {}, ignore_line), ConfigurationError);
}

TEST(SignalNumber, KnowsTheNamesOfStopSignals) {
  EXPECT_EQ(signal_number("TERM"), SIGTERM);
  EXPECT_EQ(signal_number("SIGINT"), SIGINT);
  EXPECT_THROW((void)signal_number("TERMINATE"), ConfigurationError);
  EXPECT_THROW((void)signal_number(""), ConfigurationError);
}

}  // namespace
}  // namespace assay::target
