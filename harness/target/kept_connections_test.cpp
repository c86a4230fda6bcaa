#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "harness/target/testing/client.h"
#include "harness/target/testing/raw_server.h"

namespace assay::target {
namespace {

using core::TransportError;
using core::TransportFault;
using testing::answer;
using testing::Client;
using testing::error_of;
using testing::get;
using testing::Peer;
using testing::post;
using testing::RawServer;
using testing::response;

TEST(KeptConnections, OpensAnotherConnectionWhereTheAnswerClosesIt) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    peer.wait_for_close();
  });
  Client client(server.url());
  response(client.perform(post));
  response(client.perform(post));
  EXPECT_EQ(client.target.counters().opened, 2);
  EXPECT_EQ(client.target.counters().reused, 0);
}

TEST(KeptConnections, DoesNotReuseAConnectionAfterAServersFault) {
  RawServer server(
      [](Peer& peer, int) { answer_every_request(peer, answer("", "503 Service Unavailable")); });
  Client client(server.url());
  response(client.perform(post));
  response(client.perform(post));
  EXPECT_EQ(client.target.counters().opened, 2);
  EXPECT_EQ(client.target.counters().reused, 0);
}

TEST(KeptConnections, DoesNotReuseAConnectionWhoseRequestFramedItself) {
  RawServer server([](Peer& peer, int) { answer_every_request(peer, answer("")); });
  Client client(server.url());
  response(client.perform({"POST", "/", {{"Content-Length", "2", false}}, "{}"}));
  response(client.perform(post));
  EXPECT_EQ(client.target.counters().opened, 2);
}

TEST(KeptConnections, SeesThatAnIdleConnectionWasClosed) {
  std::atomic<int> closed = 0;
  RawServer server([&closed](Peer& peer, int) {
    peer.read_request();
    peer.send(answer("x"));
    ::shutdown(peer.descriptor(), SHUT_WR);
    ++closed;
    peer.wait_for_close();
  });
  Client client(server.url());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(response(client.perform(post)).body, "x");
    while (closed <= i) {
      std::this_thread::yield();
    }
  }
  EXPECT_EQ(client.target.counters().opened, 3);
  EXPECT_EQ(client.target.counters().dropped, 2);
  EXPECT_EQ(client.target.counters().resent, 0);
}

TEST(KeptConnections, ResendsASafeRequestThatMetAClose) {
  RawServer server([&server](Peer& peer, int index) {
    peer.read_request();
    peer.send(answer("x"));
    server.note(peer.read_request());
    if (index > 0) {
      peer.send(answer("y"));
    }
  });
  Client client(server.url());
  response(client.perform(get));
  ASSERT_EQ(server.connections(), 1);
  EXPECT_EQ(response(client.perform(get)).body, "x");
  EXPECT_EQ(server.connections(), 2);
  EXPECT_EQ(client.target.counters().resent, 1);
}

TEST(KeptConnections, UsesEachConnectionOnceWhereKeptOnesAreClosedWithoutAWord) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    peer.send(answer("x"));
    // It reads another request before it closes: nothing tells the client beforehand.
    peer.read_request();
  });
  Client client(server.url());
  int lost = 0;
  for (int i = 0; i < 20; ++i) {
    if (!client.perform(post)) ++lost;
  }
  EXPECT_EQ(lost, 3);
  EXPECT_TRUE(client.target.counters().uses_each_once);
}

TEST(KeptConnections, TakesNoAnswerThatBeganBeforeItsRequest) {
  std::atomic<bool> was_answered = false;
  std::atomic<bool> was_copied = false;
  RawServer server([&](Peer& peer, int) {
    for (int turn = 0; !peer.read_request().empty(); ++turn) {
      if (!peer.send(answer(std::to_string(turn)))) return;
      while (!was_answered) std::this_thread::yield();
      if (!peer.send(answer(std::to_string(turn)))) return;
      was_copied = true;
    }
  });
  Client client(server.url());
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(response(client.perform(post)).body, "0");
    was_answered = true;
    while (!was_copied) std::this_thread::yield();
  }
  EXPECT_TRUE(client.target.counters().uses_each_once);
  EXPECT_EQ(client.target.counters().unasked, 1);
}

TEST(KeptConnections, DoubtsAnswersOfKeptConnectionsWhereAnotherOneFollows) {
  RawServer server([](Peer& peer, int) {
    for (int turn = 0; !peer.read_request().empty(); ++turn) {
      if (!peer.send(answer(std::to_string(turn)))) return;
      // Later than a connection is on trial.
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      if (!peer.send(answer(std::to_string(turn)))) return;
    }
  });
  Client client(server.url());
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(response(client.perform(post)).body, "0");
  EXPECT_TRUE(client.pairs_answers(began)) << "nothing went over a kept connection yet";
  EXPECT_EQ(response(client.perform(post)).body, "0") << "the copy, not the answer";
  EXPECT_FALSE(client.pairs_answers(began));
  EXPECT_EQ(response(client.perform(post)).body, "0");
  EXPECT_FALSE(client.pairs_answers(began));
  EXPECT_TRUE(client.pairs_answers(std::chrono::steady_clock::now()));
}

TEST(KeptConnections, DoubtsAnAnswerWithWhichAnotherOneComes) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    if (!peer.send(answer("first"))) return;
    peer.read_request();
    peer.send(answer("first") + answer("second"));
  });
  Client client(server.url());
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(response(client.perform(post)).body, "first");
  EXPECT_EQ(response(client.perform(post)).body, "first") << "the copy, not the answer";
  EXPECT_FALSE(client.pairs_answers(began));
}

TEST(KeptConnections, TrustsAnswersOfKeptConnections) {
  RawServer server([](Peer& peer, int) {
    while (!peer.read_request().empty() && peer.send(answer("x"))) {
    }
  });
  Client client(server.url());
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(response(client.perform(post)).body, "x");
  EXPECT_TRUE(client.pairs_answers(began));
  EXPECT_EQ(client.target.counters().reused, 9);
}

TEST(KeptConnections, NeverResendsAPost) {
  RawServer server([&server](Peer& peer, int) {
    peer.read_request();
    peer.send(answer("x"));
    server.note(peer.read_request());
  });
  Client client(server.url());
  response(client.perform(post));
  const TransportError error = error_of(client.perform(post));
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_TRUE(error.request_sent);
  EXPECT_EQ(server.noted().size(), 1U);
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(client.target.counters().resent, 0);
}

TEST(KeptConnections, DoesNotResendOverAFreshConnection) {
  RawServer server([](Peer& peer, int) { peer.read_request(); });
  Client client(server.url());
  const TransportError error = error_of(client.perform(get));
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_TRUE(error.request_sent);
  EXPECT_EQ(server.connections(), 1);
}

}  // namespace
}  // namespace assay::target
