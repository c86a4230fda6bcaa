#include "harness/target/http_target.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "harness/target/configuration_error.h"
#include "harness/target/testing/client.h"
#include "harness/target/testing/perform.h"
#include "harness/target/testing/raw_server.h"

namespace assay::target {
namespace {

using core::HttpRequest;
using core::HttpResponse;
using core::HttpResult;
using core::TransportError;
using core::TransportFault;
using testing::answer;
using testing::Client;
using testing::do_soon;
using testing::error_of;
using testing::get;
using testing::patient_limits;
using testing::Peer;
using testing::post;
using testing::RawServer;
using testing::response;
using testing::run_to_end;
using testing::short_limits;

/// A server that answers every request over each connection.
void answer_every_request(Peer& peer, std::string_view bytes) {
  while (!peer.read_request().empty() && peer.send(bytes)) {
  }
}

/// What becomes of one request to a server that sends these bytes and closes.
HttpResult against(const std::string& bytes, core::Limits limits = patient_limits()) {
  RawServer server([&bytes](Peer& peer, int) {
    peer.read_request();
    peer.send(bytes);
  });
  Client client(server.url(), limits);
  return client.perform(get);
}

TEST(HttpTarget, GivesTheAnswerAndKeepsTheConnection) {
  RawServer server(
      [](Peer& peer, int) { answer_every_request(peer, answer("{}", "201 Created")); });
  Client client(server.url());
  for (int i = 0; i < 3; ++i) {
    const HttpResponse got = response(client.perform(post));
    EXPECT_EQ(got.status, 201);
    EXPECT_EQ(got.body, "{}");
  }
  EXPECT_EQ(server.connections(), 1);
  EXPECT_EQ(client.target.counters().opened, 1);
  EXPECT_EQ(client.target.counters().reused, 2);
  EXPECT_EQ(client.target.location(), server.url());
  EXPECT_FALSE(client.target.is_immediate());
}

TEST(HttpTarget, SendsTheRequestAsGiven) {
  RawServer server([&server](Peer& peer, int) {
    server.note(peer.read_request());
    peer.send(answer(""));
  });
  Client client(server.url() + "/api/");
  const std::string body("{\"a\":\xff\0", 7);
  response(client.perform({"POST", "/e?x=%2F", {{"X-Token", "t", true}}, body}));
  EXPECT_EQ(server.noted().at(0),
            fmt::format("POST /api/e?x=%2F HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUser-Agent: assay\r\n"
                        "X-Token: t\r\nContent-Length: 7\r\n\r\n",
                        server.port()) +
                body);
}

TEST(HttpTarget, GivesEachConcurrentRequestAConnection) {
  std::atomic<int> waiting = 0;
  RawServer server([&waiting](Peer& peer, int) {
    // Nobody is answered before all four have asked.
    peer.read_request();
    ++waiting;
    while (waiting < 4 && !peer.is_closed_after(1)) {
    }
    peer.send(answer("x"));
    answer_every_request(peer, answer("x"));
  });
  Client client(server.url());
  int answers = 0;
  for (int i = 0; i < 4; ++i) {
    boost::asio::co_spawn(client.io, client.target.perform(get),
                          [&answers](const std::exception_ptr& failure, const HttpResult& result) {
                            answers += !failure && response(result).body == "x" ? 1 : 0;
                          });
  }
  client.io.run();
  EXPECT_EQ(answers, 4);
  EXPECT_EQ(client.target.counters().opened, 4);
  response(client.perform(get));
  EXPECT_EQ(client.target.counters().opened, 4);
}

TEST(HttpTarget, SaysThatADeadPortRefuses) {
  Client client(fmt::format("http://127.0.0.1:{}", testing::dead_port()));
  const TransportError error = error_of(client.perform(post));
  EXPECT_EQ(error.fault, TransportFault::refused);
  EXPECT_FALSE(error.request_sent);
}

TEST(HttpTarget, SaysThatANameDoesNotResolve) {
  // RFC 6761: no name under .invalid exists.
  Client client("http://nowhere.invalid");
  const TransportError error = error_of(client.perform(get));
  EXPECT_EQ(error.fault, TransportFault::resolve);
  EXPECT_THAT(error.detail, ::testing::HasSubstr("nowhere.invalid"));
  EXPECT_FALSE(error.request_sent);
}

TEST(HttpTarget, ResolvesNames) {
  RawServer server([](Peer& peer, int) { answer_every_request(peer, answer("x")); });
  Client client(fmt::format("http://localhost:{}", server.port()));
  EXPECT_EQ(response(client.perform(get)).body, "x");
}

void answer_all_but_the_first(Peer& peer, int index) {
  peer.read_request();
  if (index == 0) {
    peer.wait_for_close();
  } else {
    peer.send(answer("x"));
  }
}

TEST(HttpTarget, EndsARequestThatIsNeverAnswered) {
  RawServer server([](Peer& peer, int) { peer.wait_for_close(); });
  Client client(server.url(), short_limits());
  const TransportError error = error_of(client.perform(post));
  EXPECT_EQ(error.fault, TransportFault::request_timeout);
  EXPECT_TRUE(error.request_sent);
  EXPECT_EQ(error.detail, "before the answer");
}

TEST(HttpTarget, GivesUpWhatIsUnderWayAndGoesOn) {
  RawServer server(answer_all_but_the_first);
  Client client(server.url());
  do_soon(client.io, [&] { client.target.give_up(std::chrono::steady_clock::now()); });
  // A safe request is not sent again either.
  EXPECT_EQ(error_of(client.perform(get)).fault, TransportFault::request_timeout);
  EXPECT_EQ(response(client.perform(get)).body, "x");
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpTarget, GivesUpNothingThatBeganLater) {
  std::atomic<bool> was_given_up = false;
  RawServer server([&was_given_up](Peer& peer, int) {
    peer.read_request();
    while (!was_given_up) std::this_thread::yield();
    peer.send(answer("x"));
  });
  Client client(server.url());
  do_soon(client.io, [&, before = std::chrono::steady_clock::now()] {
    client.target.give_up(before);
    was_given_up = true;
  });
  EXPECT_EQ(response(client.perform(get)).body, "x");
}

TEST(HttpTarget, HoldsTheDeadlineAgainstABodyThatDrips) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
    while (peer.send("x") && !peer.is_closed_after(10)) {
    }
  });
  Client client(server.url(), short_limits());
  const TransportError error = error_of(client.perform(get));
  EXPECT_EQ(error.fault, TransportFault::request_timeout);
  EXPECT_EQ(error.detail, "after a part of the answer");
}

TEST(HttpTarget, HoldsTheDeadlineAgainstAHeaderThatDrips) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    peer.send("HTTP/1.1 200 OK\r\n");
    while (peer.send("X") && !peer.is_closed_after(10)) {
    }
  });
  Client client(server.url(), short_limits());
  EXPECT_EQ(error_of(client.perform(get)).fault, TransportFault::request_timeout);
}

TEST(HttpTarget, HoldsTheDeadlineAgainstARequestThatNobodyReads) {
  RawServer server([](Peer& peer, int) {
    while (!peer.is_closed_after(10)) {
    }
  });
  Client client(server.url(), short_limits());
  const std::string body(std::size_t{32} * 1024 * 1024, 'x');
  const TransportError error = error_of(client.perform({"POST", "/", {}, body}));
  EXPECT_EQ(error.fault, TransportFault::request_timeout);
  EXPECT_TRUE(error.request_sent);
}

TEST(HttpTarget, GivesOtherRequestsTheirOwnDeadline) {
  RawServer server(answer_all_but_the_first);
  Client client(server.url(), short_limits());
  EXPECT_EQ(error_of(client.perform(get)).fault, TransportFault::request_timeout);
  EXPECT_EQ(response(client.perform(get)).body, "x");
}

TEST(HttpTarget, SeesACloseInMidBody) {
  const TransportError error =
      error_of(against("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort"));
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_TRUE(error.request_sent);
}

TEST(HttpTarget, SeesAReset) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(peer.descriptor(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  });
  Client client(server.url());
  const TransportError error = error_of(client.perform(post));
  EXPECT_EQ(error.fault, TransportFault::closed);
  EXPECT_TRUE(error.request_sent);
}

TEST(HttpTarget, StopsReadingABodyOverTheLimit) {
  bool is_swallowed = true;
  {
    RawServer server([&is_swallowed](Peer& peer, int) {
      peer.read_request();
      peer.send("HTTP/1.1 200 OK\r\n\r\n");
      const std::string mebibyte(1'048'576, 'x');
      bool is_taken = true;
      for (int i = 0; i < 20 && is_taken; ++i) {
        is_taken = peer.send(mebibyte);
      }
      is_swallowed = is_taken;
    });
    Client client(server.url());
    EXPECT_EQ(error_of(client.perform(get)).fault, TransportFault::body_limit);
  }
  EXPECT_FALSE(is_swallowed);
}

TEST(HttpTarget, StopsReadingHeadersWithoutEnd) {
  bool is_swallowed = true;
  {
    RawServer server([&is_swallowed](Peer& peer, int) {
      peer.read_request();
      peer.send("HTTP/1.1 200 OK\r\n");
      bool is_taken = true;
      for (int i = 0; i < 1'000'000 && is_taken; ++i) {
        is_taken = peer.send("X-Filler: 0123456789012345678901234567890123456789\r\n");
      }
      is_swallowed = is_taken;
    });
    Client client(server.url());
    EXPECT_EQ(error_of(client.perform(get)).fault, TransportFault::header_limit);
  }
  EXPECT_FALSE(is_swallowed);
}

TEST(HttpTarget, GivesHtmlAndInvalidUtf8AsTheyCame) {
  EXPECT_EQ(response(against(answer("<html>502</html>", "502 Bad Gateway"))).body,
            "<html>502</html>");
  EXPECT_EQ(response(against(answer("\xff\xfe{"))).body, "\xff\xfe{");
}

TEST(HttpTarget, DoesNotFollowRedirects) {
  RawServer server([](Peer& peer, int) {
    answer_every_request(peer,
                         "HTTP/1.1 302 Found\r\nLocation: /status\r\nContent-Length: 0\r\n\r\n");
  });
  Client client(server.url());
  const HttpResponse got = response(client.perform(get));
  EXPECT_EQ(got.status, 302);
  ASSERT_EQ(got.headers.size(), 2U);
  EXPECT_EQ(got.headers[0].name, "Location");
  EXPECT_EQ(client.target.counters().opened + client.target.counters().reused, 1);
}

TEST(HttpTarget, CallsBrokenFramingMalformed) {
  for (const char* bytes :
       {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-2\r\nabc\r\n",
        "220 mail.example.org ESMTP\r\n"}) {
    const TransportError error = error_of(against(bytes));
    EXPECT_EQ(error.fault, TransportFault::malformed) << bytes;
    EXPECT_TRUE(error.request_sent) << bytes;
  }
}

TEST(HttpTarget, SkipsInterimAnswers) {
  EXPECT_EQ(response(against("HTTP/1.1 100 Continue\r\n\r\n" + answer("x"))).body, "x");
}

TEST(HttpTarget, DropsAConnectionThatSaysMoreThanItWasAsked) {
  RawServer server([](Peer& peer, int) {
    peer.read_request();
    peer.send(answer("x") + answer("for nobody"));
    peer.read_request();
    peer.send(answer("x"));
  });
  Client client(server.url());
  EXPECT_EQ(response(client.perform(get)).body, "x");
  EXPECT_EQ(response(client.perform(get)).body, "x");
  EXPECT_EQ(client.target.counters().opened, 2);
}

TEST(HttpTarget, TakesAnAnswerThatComesBeforeTheRequestIsRead) {
  RawServer server([](Peer& peer, int) {
    peer.send(answer("too large", "413 Content Too Large"));
    while (!peer.is_closed_after(1'000)) {
    }
  });
  Client client(server.url());
  const std::string body(std::size_t{32} * 1024 * 1024, 'x');
  EXPECT_EQ(response(client.perform({"POST", "/", {}, body})).status, 413);
  response(client.perform(get));
  EXPECT_EQ(client.target.counters().opened, 2) << "a half sent request leaves no connection";
}

TEST(HttpTarget, RefusesARequestThatIsNotOne) {
  RawServer server([](Peer&, int) {});
  Client client(server.url());
  const TransportError error =
      error_of(client.perform({"GET", "/", {{"X", "a\r\nY: b", false}}, {}}));
  EXPECT_EQ(error.fault, TransportFault::unsendable);
  EXPECT_FALSE(error.request_sent);
  EXPECT_EQ(server.connections(), 0);
}

TEST(HttpTarget, SpacesRequestsByTheRate) {
  RawServer server([](Peer& peer, int) { answer_every_request(peer, answer("")); });
  core::Limits limits = patient_limits();
  limits.rate = 50;
  Client client(server.url(), limits);
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 4; ++i) {
    response(client.perform(get));
  }
  // The first goes at once, the other three a fiftieth of a second apart at least.
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(60));
}

TEST(HttpTarget, ScalesItsLimitsByTheFactor) {
  RawServer server([](Peer& peer, int) { peer.wait_for_close(); });
  core::Limits limits = patient_limits();
  limits.request_ms = 1'000'000;
  limits.wait_factor = 0.0001;
  Client client(server.url(), limits);
  EXPECT_EQ(error_of(client.perform(get)).fault, TransportFault::request_timeout);
}

TEST(HttpTarget, RefusesABaseUrlThatIsNone) {
  boost::asio::io_context io;
  EXPECT_THROW(HttpTarget(io, {"localhost:80", {}, {}}), ConfigurationError);
}

TEST(HttpTarget, GoesAwayWithRequestsUnderWay) {
  RawServer server([](Peer& peer, int) { peer.wait_for_close(); });
  auto io = std::make_unique<boost::asio::io_context>();
  auto target =
      std::make_unique<HttpTarget>(*io, HttpTargetSettings{server.url(), {}, patient_limits()});
  bool has_ended = false;
  boost::asio::co_spawn(
      *io, target->perform(post),
      [&has_ended](const std::exception_ptr&, const HttpResult&) { has_ended = true; });
  while (server.connections() == 0) {
    io->poll();
  }
  io.reset();
  EXPECT_FALSE(has_ended);
}

}  // namespace
}  // namespace assay::target
