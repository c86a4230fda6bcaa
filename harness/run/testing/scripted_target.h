#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/case_runner.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/target.h"

namespace assay::run::testing {

/// A target that answers as a test says; nothing of it is a server.
class ScriptedTarget final : public target::Target {
 public:
  using Handler = std::function<core::HttpResult(const core::HttpRequest&)>;

  explicit ScriptedTarget(bool immediate = false) : immediate_(immediate) {}

  /// What a request to this method and path (without its query) is answered by; what has no handler
  /// is answered 201 {} to a POST, and 404 otherwise.
  void on(const std::string& method, const std::string& path, Handler handler);

  /// A request to "METHOD path" is noted, told of, and never answered.
  void never_answers(std::string name, std::function<void()> when_asked) {
    unanswered_ = std::move(name);
    when_unanswered_ = std::move(when_asked);
  }

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override;
  /// From now on it is one that sends what nobody asked for.
  void mixes_answers() { pairs_answers_ = false; }
  boost::asio::awaitable<bool> pairs_answers(std::chrono::steady_clock::time_point /*since*/,
                                             std::chrono::milliseconds /*longest_wait*/) override {
    co_return pairs_answers_;
  }
  [[nodiscard]] bool is_immediate() const override { return immediate_; }
  [[nodiscard]] std::string location() const override { return "http://scripted"; }

  /// Every request so far: "POST /executions {...}".
  [[nodiscard]] const std::vector<std::string>& requests() const { return requests_; }
  /// Its bodies, in the same order; null where there was none.
  [[nodiscard]] const std::vector<Value>& bodies() const { return bodies_; }

 private:
  bool immediate_;
  bool pairs_answers_ = true;
  std::vector<std::pair<std::string, Handler>> handlers_;
  std::vector<std::string> requests_;
  std::vector<Value> bodies_;
  std::string unanswered_;
  std::function<void()> when_unanswered_;
};

/// Time passes by waiting, and by nothing else.
class SteppingWaiter final : public Waiter {
 public:
  explicit SteppingWaiter(target::ManualClock& clock) : clock_(clock) {}
  boost::asio::awaitable<void> wait(double pause_ms) override;

 private:
  target::ManualClock& clock_;
};

/// An answer with a JSON body.
[[nodiscard]] core::HttpResult json(int status, const Value& body);
/// A request that had no answer.
[[nodiscard]] core::HttpResult fault(core::TransportFault fault);

/// The calls of CONTRACT.md that these tests need, all capabilities declared.
[[nodiscard]] core::Profile contract_profile();

/// Where the events of a TestRunner's case are.
inline constexpr const char* events_path = "/executions/assay-7-test-case-8c6c8202-main/events";
inline constexpr const char* status_path = "/executions/assay-7-test-case-8c6c8202-main/status";

/// A scenario with these steps (YAML below `steps:`), of clauses STM-CORE-1 and STM-CORE-2, and
/// `more` beside the steps. A scenario that is wrong fails the test.
[[nodiscard]] core::Scenario scenario_of(const std::string& steps, const std::string& more = "");

/// Everything that a case needs, with a clock that a test moves.
struct TestRunner {
  explicit TestRunner(bool immediate = false) : target(immediate) {}

  /// Runs the scenario's case of that row.
  core::CaseResult run(const core::Scenario& scenario, std::size_t row = 0);
  core::CaseResult run(const std::string& steps) { return run(scenario_of(steps)); }

  ScriptedTarget target;
  core::Profile profile = contract_profile();
  target::ManualClock clock;
  SteppingWaiter waiter{clock};
  RunContext context{target, profile, clock, waiter, 7, "assay-7"};
};

}  // namespace assay::run::testing
