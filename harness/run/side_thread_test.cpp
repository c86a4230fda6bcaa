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
  SideThreadTest() { bench.context.side_thread = &side_thread; }

  /// Whether others had their turn while so many bytes were worked on.
  bool lets_others_go_on(std::size_t bytes) {
    std::promise<void> others_turn;
    std::future<void> others = others_turn.get_future();
    bool went_on = false;
    const auto patient_for = bytes > most_bytes_at_once ? patience : std::chrono::seconds{0};
    const auto asks = [&]() -> boost::asio::awaitable<void> {
      co_await perform_on(bench.context, bytes, [&] {
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
  testing::Bench bench;
  SideThread side_thread;
  std::thread::id resumed_on;
};

TEST_F(SideThreadTest, WorkOnMuchHoldsUpNobody) {
  EXPECT_TRUE(lets_others_go_on(most_bytes_at_once + 1));
  EXPECT_EQ(resumed_on, std::this_thread::get_id());
  EXPECT_FALSE(lets_others_go_on(most_bytes_at_once));
}

/// How often others had their turn between the begin and the end of a case whose answers have
/// so many bytes. Each wait of the case's gives one at least.
std::size_t turns_of_others(testing::Bench& bench, std::size_t bytes) {
  const auto answer = [bytes](const core::HttpRequest&) {
    return testing::json(200, Object{{"execution_id", "e"}, {"state", std::string(bytes, 'x')}});
  };
  bench.target.on("POST", "/executions", answer);
  bench.target.on("GET", testing::status_path, answer);
  const core::Scenario scenario =
      testing::scenario_of("  - start: {}\n  - expect: {status: {state: RUNNING}, within_ms: 0}\n");
  boost::asio::io_context io(1);
  std::size_t turns = 0;
  bool is_over = false;
  std::function<void()> take_turn = [&] {
    ++turns;
    if (!is_over) boost::asio::post(io, take_turn);
  };
  boost::asio::co_spawn(
      io, run_case(bench.context, core::cases_of(scenario).at(0)),
      [&is_over](const std::exception_ptr&, const core::CaseResult&) { is_over = true; });
  boost::asio::post(io, take_turn);
  io.run();
  return turns;
}

TEST_F(SideThreadTest, WhateverIsDoneWithLongAnswersHoldsUpNobody) {
  const std::size_t of_short_ones = turns_of_others(bench, 10);
  // Two answers are read; what a record has of them is taken, and masked.
  EXPECT_GE(turns_of_others(bench, most_bytes_at_once + 1), of_short_ones + 4);
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
