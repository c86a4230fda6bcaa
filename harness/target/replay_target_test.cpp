#include "harness/target/replay_target.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <utility>

namespace assay::target {
namespace {

core::Exchange exchange(std::string method, std::string path, std::string body) {
  core::Exchange made;
  made.request = {std::move(method), std::move(path), {}, std::nullopt};
  made.response = core::HttpResponse();
  made.response->status = 200;
  made.response->body = std::move(body);
  return made;
}

/// The body of the answer, or the fault in words.
std::string ask(ReplayTarget& target, std::string method, std::string path) {
  boost::asio::io_context io;
  std::string text;
  core::HttpRequest request{std::move(method), std::move(path), {}, std::nullopt};
  boost::asio::co_spawn(io, target.perform(std::move(request)),
                        [&text](const std::exception_ptr&, core::HttpResult result) {
                          text = result ? result->body : result.error().detail;
                        });
  io.run();
  return text;
}

TEST(ReplayTarget, AReadShowsWhatWasRecordedBehindTheLastWrite) {
  ReplayTarget target({exchange("POST", "/a", "made"), exchange("GET", "/s", "before"),
                       exchange("POST", "/b", "done"), exchange("GET", "/s", "after")});
  EXPECT_EQ(ask(target, "POST", "/a"), "made");
  EXPECT_EQ(ask(target, "GET", "/s"), "before");
  EXPECT_EQ(ask(target, "GET", "/s"), "before");
  EXPECT_EQ(ask(target, "POST", "/b"), "done");
  EXPECT_EQ(ask(target, "GET", "/s"), "after");
}

TEST(ReplayTarget, ReadsBetweenTwoWritesComeInOrderAndTheLastStays) {
  ReplayTarget target({exchange("GET", "/s", "queued"), exchange("GET", "/s", "done"),
                       exchange("POST", "/b", "made")});
  EXPECT_EQ(ask(target, "GET", "/s"), "queued");
  EXPECT_EQ(ask(target, "GET", "/s"), "done");
  EXPECT_EQ(ask(target, "GET", "/s"), "done");
}

TEST(ReplayTarget, TheSameWriteTwiceHasItsTwoAnswers) {
  ReplayTarget target({exchange("POST", "/a", "new"), exchange("POST", "/a", "again")});
  EXPECT_EQ(ask(target, "POST", "/a"), "new");
  EXPECT_EQ(ask(target, "POST", "/a"), "again");
  EXPECT_EQ(ask(target, "POST", "/a"), "nothing is recorded for POST /a");
}

}  // namespace
}  // namespace assay::target
