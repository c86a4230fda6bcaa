#include "harness/run/side_thread.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

#include "harness/run/case_runner.h"
#include "harness/run/session.h"
#include "harness/run/testing/scripted_target.h"

namespace assay::run {
namespace {

/// What nobody waits for so long unless it never comes.
constexpr std::chrono::seconds patience{60};

class SideThreadTest : public ::testing::Test {
 protected:
  SideThreadTest() { runner.context.side_thread = &side_thread; }

  /// Whether others had their turn while so many bytes were worked on.
  bool lets_others_go_on(std::size_t bytes) {
    std::promise<void> others_turn;
    std::future<void> others = others_turn.get_future();
    bool went_on = false;
    const auto patient_for = bytes > most_bytes_at_once ? patience : std::chrono::seconds{0};
    const auto asks = [&]() -> boost::asio::awaitable<void> {
      co_await perform_on(runner.context, bytes, [&] {
        went_on = others.wait_for(patient_for) == std::future_status::ready;
      });
      resumed_on = std::this_thread::get_id();
    };
    boost::asio::co_spawn(io, asks(), boost::asio::detached);
    boost::asio::post(io, [&others_turn] { others_turn.set_value(); });
    io.restart();
    io.run();
    return went_on;
  }

  boost::asio::io_context io{1};
  testing::TestRunner runner;
  SideThread side_thread;
  std::thread::id resumed_on;
};

TEST_F(SideThreadTest, WorkOnMuchHoldsUpNobody) {
  EXPECT_TRUE(lets_others_go_on(most_bytes_at_once + 1));
  EXPECT_EQ(resumed_on, std::this_thread::get_id());
  EXPECT_FALSE(lets_others_go_on(most_bytes_at_once));
}

/// Counts the work that is done on it.
class CountingSideThread : public SideThread {
 public:
  boost::asio::awaitable<void> perform(std::function<void()> work) override {
    ++count;
    return SideThread::perform(std::move(work));
  }

  int count = 0;
};

/// A target whose answers are all of the same length.
class LongAnswers {
 public:
  LongAnswers() {
    runner.context.side_thread = &side_thread;
    const std::string page = R"(,"events":[{"event_type":"step.scheduled","entity_id":"a"}])";
    for (const char* path : {"/executions", "/tickets"}) {
      answer("POST", path, R"({"execution_id":"assay-7-test-case-8c6c8202-main")");
    }
    answer("GET", testing::status_path, R"({"state":"RUNNING")");
    runner.target.on("GET", testing::events_path, [this, page](const core::HttpRequest& request) {
      const bool is_first = request.target.find("after=") == std::string::npos;
      return padded(R"({"next":)" + std::string(is_first ? "1" : "null") + page);
    });
  }

  /// How much work is done beside the other cases in one whose answers have so many bytes.
  int work_aside(const std::string& steps, std::size_t answer_bytes) {
    bytes_ = answer_bytes;
    side_thread.count = 0;
    const core::CaseResult result = runner.run(steps);
    EXPECT_EQ(result.verdict, core::Verdict::pass) << result.reason;
    return side_thread.count;
  }

  testing::TestRunner runner;
  CountingSideThread side_thread;

 private:
  void answer(const char* method, const char* path, const std::string& begin) {
    runner.target.on(method, path, [this, begin](const auto&) { return padded(begin); });
  }

  core::HttpResult padded(std::string text) const {
    text += R"(,"padding":")";
    text.append(bytes_ - text.size() - 2, 'x');
    return core::HttpResponse{200, {{"Content-Type", "application/json"}}, text + "\"}"};
  }

  std::size_t bytes_ = 0;
};

/// What is done with each answer, with the record that has them, and to mask it.
TEST(LongAnswer, WhateverIsDoneWithItHoldsUpNobody) {
  LongAnswers target;
  core::Hook ticket;
  ticket.request.method = "POST";
  ticket.request.path = "/tickets";
  ticket.captures["id"].from = core::PointerMapping{"/execution_id"};
  const std::string start = "  - start: {}\n    response: {body: {execution_id: !type string}}\n";
  const std::string status = start + "  - expect: {status: {state: RUNNING}, within_ms: 0}\n";
  const std::string events = start + "  - expect: {events: {count: 2}, within_ms: 0}\n";
  const auto count = [&target](const std::string& steps) {
    EXPECT_EQ(target.work_aside(steps, 200), 0);
    return target.work_aside(steps, most_bytes_at_once + 1);
  };
  // Read, narrowed and compared, and then what a record has of it is taken and masked.
  EXPECT_EQ(count(start), 5);
  // One more that is read, narrowed and compared.
  EXPECT_EQ(count(status), 8);
  // Two pages are read, narrowed and put together, and both are compared at once.
  EXPECT_EQ(count(events), 12);
  core::OperationTemplate& form = target.runner.profile.operations.at("executions.start");
  form.before = {ticket};
  EXPECT_EQ(count(start), 6);
  form.captures = ticket.captures;
  EXPECT_EQ(count(start), 7);
  // What comes after it may name the whole answer.
  form.after = {ticket};
  EXPECT_EQ(count(start), 9);
}

TEST_F(SideThreadTest, WhatTheWorkThrowsItsCallerGets) {
  const auto asks = [&]() -> boost::asio::awaitable<void> {
    co_await side_thread.perform([] { throw std::runtime_error("no"); });
  };
  std::exception_ptr thrown;
  boost::asio::co_spawn(io, asks(),
                        [&thrown](std::exception_ptr fault) { thrown = std::move(fault); });
  io.run();
  EXPECT_THROW(std::rethrow_exception(thrown), std::runtime_error);
}

/// A run that is cancelled leaves its cases where they are.
TEST(SideThread, GoesAwayWhileItsCallerWaits) {
  boost::asio::io_context io(1);
  std::promise<void> begun;
  {
    SideThread side_thread;
    const auto asks = [&]() -> boost::asio::awaitable<void> {
      co_await side_thread.perform([&begun] { begun.set_value(); });
    };
    boost::asio::co_spawn(io, asks(), boost::asio::detached);
    io.poll_one();
    begun.get_future().wait();
  }
  io.stop();
}

}  // namespace
}  // namespace assay::run
