// A server that is known to break rules, and then breaks another: what a baseline excuses hides
// nothing that comes behind it in a generated case.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/baseline_text.h"
#include "cli/generated.h"
#include "cli/reference.h"
#include "cli/suite.h"
#include "harness/core/failure.h"
#include "harness/run/scheduler.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"
#include "harness/wire/json.h"
#include "reference_impl/service/reference.h"

namespace assay::cli::going_on_test {
namespace {

/// What the server does besides what is known of it.
enum class News {
  none,
  ignores_open_commands,
  tool_error_fails_it,
  completed_reopens,
  cancelled_reopens,
  events_are_garbage,
};

/// What was stored of one execution.
struct Stored {
  std::string newest;
  std::set<std::string> open_commands;

  void add(const Value& event) {
    newest = event.string_at("event_type").value_or("");
    const std::string command = event.string_at("command_id").value_or("");
    if (newest == "command.issued") open_commands.insert(command);
    if (newest == "command.completed" || newest == "command.failed" ||
        newest == "command.cancelled") {
      open_commands.erase(command);
    }
  }
};

/// The reference behind a status that infers ends from the newest event, as long as no command is
/// open, and that has no word for CANCELLED; with `news` it does one thing more.
class KnownServer final : public target::Target {
 public:
  explicit KnownServer(News news) : news_(news) {}

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override {
    core::HttpRequest asked = request;
    core::HttpResult result = co_await sound_.perform(std::move(asked));
    if (!result || result->status >= 300) co_return result;
    store(request);
    const std::string& target = request.target;
    if (request.method == "GET" && target.ends_with("/status")) {
      change(*result, [&](Value& body) { change_status(body, stored_[execution_of(target)]); });
    }
    const bool lists_events = request.method == "GET" && target.find("/events") != target.npos;
    if (lists_events && news_ == News::events_are_garbage) {
      change(*result, [](Value& body) {
        for (Value& event : body.as_object()["events"].as_list()) {
          event.as_object()["event_id"] = "same";
          event.as_object()["timestamp"] = "yesterday";
        }
      });
    }
    co_return result;
  }

  [[nodiscard]] bool is_immediate() const override { return true; }
  [[nodiscard]] std::string location() const override { return "known"; }

 private:
  template <typename Change>
  static void change(core::HttpResponse& response, const Change& change) {
    auto body = wire::parse_json(response.body).value();
    change(body);
    response.body = wire::to_json(body);
  }

  static std::string execution_of(const std::string& target) {
    constexpr std::string_view folder = "/executions/";
    const std::size_t begin = folder.size();
    return target.starts_with(folder) ? target.substr(begin, target.find('/', begin) - begin) : "";
  }

  void store(const core::HttpRequest& request) {
    if (request.method != "POST" || !request.body) return;
    Stored& stored = stored_[execution_of(request.target)];
    auto body = wire::parse_json(*request.body);
    if (!body) return;
    if (request.target.ends_with("/events")) stored.add(*body);
    if (request.target.ends_with("/cancel")) stored.newest = "execution.cancelled";
    const Value* events = request.target.ends_with("/batch") ? body->find("events") : nullptr;
    if (events == nullptr) return;
    for (const Value& event : events->as_list()) stored.add(event);
  }

  void change_status(Value& body, const Stored& stored) const {
    static const std::set<std::string> ends_below = {"batch.completed", "call.done", "step.exit"};
    static const std::set<std::string> failures_below = {"command.failed", "workflow.failed"};
    Value& state = body.as_object()["state"];
    const bool is_late_work = stored.newest.starts_with("step.") ||
                              stored.newest.starts_with("call.") ||
                              stored.newest.starts_with("command.");
    if (state == Value("RUNNING")) {
      const bool is_quiet = stored.open_commands.empty() || news_ == News::ignores_open_commands;
      if (ends_below.contains(stored.newest) && is_quiet) state = "COMPLETED";
      if (failures_below.contains(stored.newest)) state = "FAILED";
      if (news_ == News::tool_error_fails_it && stored.newest == "call.error") state = "FAILED";
    } else if (state == Value("CANCELLED")) {
      state = news_ == News::cancelled_reopens && is_late_work ? "RUNNING" : "COMPLETED";
    } else if (state == Value("COMPLETED") && news_ == News::completed_reopens && is_late_work) {
      state = "RUNNING";
    }
  }

  News news_;
  std::unique_ptr<service::Service> service_ = service::make_reference(reference_options(1));
  target::InProcessTarget sound_{*service_};
  std::map<std::string, Stored> stored_;
};

/// All of it, or one kind where a sanitizer watches: how many there are makes no difference to it.
std::vector<News> all_news() {
#ifdef ASSAY_SANITIZED
  return {News::cancelled_reopens};
#else
  return {News::ignores_open_commands, News::tool_error_fails_it, News::completed_reopens,
          News::cancelled_reopens, News::events_are_garbage};
#endif
}

class GoingOn : public ::testing::Test {
 protected:
  /// Runs the cases; goes on behind what the baseline expects, or behind everything.
  core::RunRecord run(News news, const core::Baseline* baseline) {
    boost::asio::io_context io(1);
    KnownServer target(news);
    target::SystemClock clock;
    run::TimerWaiter waiter;
    const run::RunContext context{.target = target,
                                  .profile = profile_,
                                  .clock = clock,
                                  .waiter = waiter,
                                  .seed = 1,
                                  .prefix = "assay-1"};
    run::RunOptions options;
    options.asks_first = false;
    options.counts_coverage = false;
    options.going_on = {
        .is_excused =
            [&](const core::CaseResult& result) {
              return baseline == nullptr || is_expected(result, *baseline);
            },
        .rounds_of = [&](const std::string& id) { return rounds_of(id, profile_); }};
    return run::run_cases(io, context, cases_, options).record;
  }

  static bool is_expected(core::CaseResult result, const core::Baseline& baseline) {
    core::excuse(result, baseline, {.today = "2026-01-01"});
    return result.expected_fail;
  }

  /// The cases whose failures nobody expects.
  static std::vector<std::string> news_of(const core::RunRecord& record,
                                          const core::Baseline& baseline) {
    std::vector<std::string> ids;
    for (const core::CaseResult& result : record.cases) {
      if (result.verdict > core::Verdict::pass && !is_expected(result, baseline)) {
        ids.push_back(result.id);
      }
    }
    return ids;
  }

  core::Profile profile_ = reference_profile();
  Suite suite_ =
      whole_suite("", profile_,
                  {"properties/lower-layers-never-close-0", "properties/lower-layers-never-close-1",
                   "properties/lower-layers-never-close-3", "properties/terminal-is-for-ever-0",
                   "properties/terminal-is-for-ever-1", "properties/terminal-is-for-ever-5",
                   "properties/redelivery-changes-nothing-0"});
  std::vector<core::Case> cases_ = [this] {
    std::vector<core::Case> cases;
    for (const core::Scenario& scenario : suite_.scenarios) {
      if (!scenario.id.starts_with("properties/")) continue;
      for (core::Case& one : core::cases_of(scenario)) cases.push_back(std::move(one));
    }
    return cases;
  }();
};

TEST_F(GoingOn, WhatIsKnownHidesNothingNew) {
  const core::RunRecord known = run(News::none, nullptr);
  core::Baseline baseline;
  baseline.entries =
      missing_entries(known, {}, {.reason = "known", .owner = "", .expires = "2027-01-01"});
  ASSERT_FALSE(baseline.entries.empty());
  EXPECT_THAT(news_of(run(News::none, &baseline), baseline), ::testing::IsEmpty());
  for (const News news : all_news()) {
    EXPECT_THAT(news_of(run(news, &baseline), baseline), ::testing::Not(::testing::IsEmpty()))
        << static_cast<int>(news);
  }
}

}  // namespace
}  // namespace assay::cli::going_on_test
