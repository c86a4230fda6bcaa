#include "reference_impl/server/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <future>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include "reference_impl/server/raw_client.h"

namespace assay::server {
namespace {

using service::Reply;
using service::Request;
using testing::HasSubstr;
using testing::Not;

/// Answers with the method, the target and the body; holds requests to /gate until they are let go.
class EchoService : public service::Service {
 public:
  Reply handle(const Request& request) override {
    ++handled;
    if (request.target == "/gate") {
      entered.set_value();
      let_go.get_future().wait();
    }
    if (request.target == "/empty") return {204, "", "", {}};
    return {200,
            "text/plain",
            request.method + " " + request.target + " " + request.body,
            {{"X-Extra", "1"}}};
  }

  std::optional<Reply> refuse_head(const Request& head) override {
    if (head.target != "/small") return std::nullopt;
    return Reply{413, "text/plain", "too large", {}};
  }

  std::atomic<int> handled = 0;
  std::promise<void> entered;
  std::promise<void> let_go;
};

class HttpServerTest : public testing::Test {
 protected:
  HttpServerTest() : server_(service_, options()) {}

  static ServerOptions options() {
    ServerOptions options;
    options.max_body_bytes = 1'000'000;
    return options;
  }

  std::shared_ptr<EchoService> service_ = std::make_shared<EchoService>();
  HttpServer server_;
};

TEST_F(HttpServerTest, KeepsTheConnection) {
  RawClient client(server_.port());
  for (int round = 0; round < 20; ++round) {
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    const auto answer = client.read_answer();
    ASSERT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body, "GET /a ");
    EXPECT_THAT(answer.head, HasSubstr("X-Extra: 1"));
  }
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  RawClient client(server_.port());
  client.send(
      "POST /1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: "
      "x\r\n\r\n"
      "\r\nPOST /3 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n2\r\nde\r\n0\r\n\r\nGET /4 "
      "HTTP/1.1\r\nHost: x\r\n\r\n");
  for (const char* body : {"POST /1 abc", "GET /2 ", "POST /3 de", "GET /4 "}) {
    EXPECT_EQ(client.read_answer().body, body);
  }
}

TEST_F(HttpServerTest, HandsOverTheTargetAsSent) {
  RawClient client(server_.port());
  client.send("GET /a%2Fb/%F0%9F%98%80/%zz?q=%20+ HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "GET /a%2Fb/%F0%9F%98%80/%zz?q=%20+ ");
}

TEST_F(HttpServerTest, APostWithoutALengthHasNoBody) {
  RawClient client(server_.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "POST /a ");
}

TEST_F(HttpServerTest, JoinsChunks) {
  RawClient client(server_.port());
  client.send(
      "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
      "chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n");
  client.send("0\r\nTrailer: t\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "POST /a abc0123456789");
}

TEST_F(HttpServerTest, HandsOverMethodsThatTheParserDoesNotKnow) {
  RawClient client(server_.port());
  for (const std::string method :
       {"BREW", "PROPFIND", "get", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"}) {
    client.send(method + " /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nz");
    EXPECT_EQ(client.read_answer().body, method + " /a z");
  }
}

TEST_F(HttpServerTest, AnswersHeadLikeGetWithoutTheBody) {
  RawClient client(server_.port());
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto head = client.read_answer(false);
  EXPECT_EQ(head.status, 200);
  EXPECT_THAT(head.head, HasSubstr("Content-Length: 7\r\n"));
  client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "GET /b ");
}

TEST_F(HttpServerTest, SendsAnAnswerWithoutABody) {
  RawClient client(server_.port());
  client.send("GET /empty HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 204);
  EXPECT_EQ(client.read_answer().body, "GET /b ");
}

/// A client that asks for Brotli at its highest quality would have the server work for seconds.
TEST_F(HttpServerTest, AnswersAreNeverEncoded) {
  RawClient client(server_.port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br, zstd, gzip\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.body, "GET /a ");
  EXPECT_THAT(answer.head, Not(HasSubstr("Content-Encoding")));
}

TEST_F(HttpServerTest, ARangeIsNoMatterOfThisServer) {
  RawClient client(server_.port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "GET /a ");
}

TEST_F(HttpServerTest, ClosesWhereTheClientAsksForIt) {
  for (const char* request :
       {"GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: x\r\nConnection: Close\r\n\r\n", "GET /a HTTP/1.0\r\n\r\n"}) {
    RawClient client(server_.port());
    client.send(request);
    EXPECT_EQ(client.read_answer().status, 200);
    EXPECT_TRUE(client.is_closed());
  }
}

TEST_F(HttpServerTest, RefusesALongBodyBeforeItIsSent) {
  RawClient client(server_.port());
  client.send("POST /small HTTP/1.1\r\nHost: x\r\nContent-Length: 900000\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413);
  EXPECT_TRUE(client.is_closed());
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, RefusesABodyBeyondItsOwnLimit) {
  RawClient declared(server_.port());
  declared.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000001\r\n\r\n");
  EXPECT_EQ(declared.read_answer().status, 413);
  RawClient chunked(server_.port());
  chunked.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nF4241\r\n");
  EXPECT_EQ(chunked.read_answer().status, 413);
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, ARefusedClientThatGoesOnSendingStillReadsTheAnswer) {
  RawClient client(server_.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 8000000\r\n\r\n" +
              std::string(8'000'000, 'x'));
  EXPECT_EQ(client.read_answer().status, 413);
}

TEST_F(HttpServerTest, AsksForABodyThatTheClientHoldsBack) {
  RawClient client(server_.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 100);
  client.send("ok");
  EXPECT_EQ(client.read_answer().body, "POST /a ok");
  client.send(
      "POST /small HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413);
}

TEST_F(HttpServerTest, RefusesWhatIsNotHttp) {
  for (const std::string& bytes :
       {std::string("hello\r\n\r\n"), std::string("GET /a\r\n\r\n"),
        std::string("GET /a HTTP/9.9\r\n\r\n"), std::string("G@T /a HTTP/1.1\r\nHost: x\r\n\r\n"),
        std::string("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), std::string("\x16\x03\x01\x02\r\n\r\n"),
        std::string("GET /a b c HTTP/1.1\r\nHost: x\r\n\r\n"), std::string(3, '\0') + "\r\n\r\n"}) {
    RawClient client(server_.port());
    client.send(bytes);
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 400) << bytes;
    EXPECT_THAT(answer.head, HasSubstr("application/problem+json"));
    EXPECT_TRUE(client.is_closed());
  }
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, RefusesABodyWhoseEndIsNotClear) {
  for (const char* headers :
       {"Content-Length: 1\r\nContent-Length: 2\r\n", "Content-Length: -1\r\n",
        "Content-Length: x\r\n", "Content-Length: +1\r\n",
        "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", "Transfer-Encoding: gzip\r\n",
        "Content-Length: 99999999999999999999\r\n"}) {
    RawClient client(server_.port());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\n" + std::string(headers) + "\r\n0\r\n\r\n");
    EXPECT_EQ(client.read_answer().status, 400) << headers;
    EXPECT_TRUE(client.is_closed());
  }
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, RefusesMalformedChunks) {
  for (const char* chunks : {"-2\r\nab\r\n", "zz\r\n", "2\r\nabc\r\n0\r\n\r\n", "\r\n",
                             "0x2\r\nab\r\n\r\n", "2 x\r\nab\r\n0\r\n\r\n", "2\nab\r\n0\r\n\r\n",
                             "2\r\nab\n0\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\n"}) {
    RawClient client(server_.port());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
                std::string(chunks));
    EXPECT_EQ(client.read_answer().status, 400) << chunks;
  }
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, ABodyThatIsCutShortIsNeverHandedOver) {
  RawClient client(server_.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  client.finish_sending();
  EXPECT_EQ(client.read_answer().status, 408);
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, EndlessHeadersAreBounded) {
  RawClient client(server_.port());
  client.send("GET /a HTTP/1.1\r\nHost: x\r\n");
  const std::string header = "X-Filler: " + std::string(1'000, 'x') + "\r\n";
  for (int count = 0; count < 1'000; ++count) client.send(header);
  EXPECT_EQ(client.read_answer().status, 431);
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, RefusesHeadsThatOtherServersMayReadOtherwise) {
  // RFC 9112 3.2, 5, 5.1 and 6.1: what is ambiguous here lets a second request through elsewhere.
  for (const std::string& head :
       {std::string("Content-Length: 1\r\n"), std::string("Host: x\r\nHost: y\r\n"),
        std::string("Host: x\r\nTransfer-Encoding : chunked\r\n"),
        std::string("Host: x\r\nContent-Length : 5\r\n"),
        std::string("Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"),
        std::string("Host: x\r\nTransfer-Encoding: gzip, chunked\r\n"),
        std::string("Host: x\r\nTransfer-Encoding: xchunked\r\n"),
        std::string("Host: x\r\nX-Null: a\0b\r\n", 22), std::string("Host: x\r\nX-Bell: a\ab\r\n"),
        std::string("Host: x\nX-Line: y\r\n"), std::string("Host: x\r\n: no name\r\n")}) {
    RawClient client(server_.port());
    client.send("POST /a HTTP/1.1\r\n" + head +
                "\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client.read_answer().status, 400) << head;
    EXPECT_TRUE(client.is_closed()) << head;
  }
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, HasNoCodingsInHttp10) {
  RawClient client(server_.port());
  client.send("POST /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 400);
}

TEST_F(HttpServerTest, KeepsAnHttp10ConnectionWhereItIsAsked) {
  RawClient client(server_.port());
  for (int round = 0; round < 2; ++round) {
    client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    EXPECT_THAT(client.read_answer().head, HasSubstr("Connection: keep-alive"));
  }
}

TEST_F(HttpServerTest, AnEndlessRequestLineIsBounded) {
  RawClient client(server_.port());
  client.send("GET /" + std::string(1'000'000, 'x'));
  EXPECT_EQ(client.read_answer().status, 414);
  EXPECT_TRUE(client.is_closed());
  RawClient ended(server_.port());
  ended.send("GET /" + std::string(10'000, 'x') + " HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(ended.read_answer().status, 414);
  EXPECT_EQ(service_->handled, 0);
}

TEST_F(HttpServerTest, ASlowBodyHoldsUpNoOneElse) {
  RawClient slow(server_.port());
  slow.send("POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n");
  for (const char* byte : {"a", "b", "c"}) {
    RawClient quick(server_.port());
    quick.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(quick.read_answer().status, 200);
    slow.send(byte);
  }
  EXPECT_EQ(slow.read_answer().body, "POST /slow abc");
}

TEST_F(HttpServerTest, StoppingFinishesWhatIsInFlight) {
  RawClient client(server_.port());
  RawClient idle(server_.port());
  client.send("GET /gate HTTP/1.1\r\nHost: x\r\n\r\nGET /not-begun HTTP/1.1\r\nHost: x\r\n\r\n");
  service_->entered.get_future().wait();
  std::thread stopping([this] { server_.stop(); });
  EXPECT_TRUE(idle.is_closed());
  service_->let_go.set_value();
  EXPECT_EQ(client.read_answer().body, "GET /gate ");
  EXPECT_TRUE(client.is_closed());
  stopping.join();
  EXPECT_EQ(service_->handled, 1);
  EXPECT_THROW(RawClient late(server_.port()), std::runtime_error);
}

TEST_F(HttpServerTest, ServesAClientByOtherHands) {
  httplib::Client client("127.0.0.1", server_.port());
  client.set_keep_alive(true);
  for (int round = 0; round < 3; ++round) {
    const auto read = client.Get("/a");
    ASSERT_TRUE(read) << httplib::to_string(read.error());
    EXPECT_EQ(read->body, "GET /a ");
    EXPECT_EQ(read->get_header_value("X-Extra"), "1");
    const auto posted = client.Post("/b", std::string(200'000, 'x'), "text/plain");
    ASSERT_TRUE(posted) << httplib::to_string(posted.error());
    EXPECT_EQ(posted->body.size(), 200'000U + std::string("POST /b ").size());
    const auto chunked = client.Post(
        "/c",
        [](std::size_t, httplib::DataSink& sink) {
          sink.write("in ", 3);
          sink.write("chunks", 6);
          sink.done();
          return true;
        },
        "text/plain");
    ASSERT_TRUE(chunked) << httplib::to_string(chunked.error());
    EXPECT_EQ(chunked->body, "POST /c in chunks");
    const auto head = client.Head("/d");
    ASSERT_TRUE(head) << httplib::to_string(head.error());
    EXPECT_EQ(head->get_header_value("Content-Length"), "7");
  }
}

TEST(HttpServer, APortInUseIsRefused) {
  const auto service = std::make_shared<EchoService>();
  HttpServer first(service, {});
  ServerOptions options;
  options.port = first.port();
  EXPECT_THROW(HttpServer second(service, options), std::system_error);
}

TEST(HttpServer, ARequestThatStandsStillIsDropped) {
  ServerOptions options;
  options.stall = std::chrono::milliseconds(20);
  HttpServer server(std::make_shared<EchoService>(), options);
  RawClient client(server.port());
  client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_EQ(client.read_answer().status, 408);
  EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, AHeadThatDripsIsDropped) {
  ServerOptions options;
  options.stall = std::chrono::milliseconds(50);
  HttpServer server(std::make_shared<EchoService>(), options);
  RawClient client(server.port());
  client.send("GET /a HTTP/1.1\r\nX-Drip: ");
  // Each byte comes in time, the head as a whole does not.
  std::atomic<bool> is_over = false;
  std::thread dripping([&client, &is_over] {
    while (!is_over) {
      client.send("x");
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  EXPECT_EQ(client.read_answer().status, 408);
  is_over = true;
  dripping.join();
}

TEST(HttpServer, IdleClientsMakeRoomForNewOnes) {
  ServerOptions options;
  options.max_connections = 20;
  HttpServer server(std::make_shared<EchoService>(), options);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (int count = 0; count < 100; ++count) {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    ASSERT_EQ(clients.back()->read_answer().status, 200) << count;
  }
  EXPECT_TRUE(clients.front()->is_closed()) << "the one that was idle for longest";
}

TEST(HttpServer, RefusesWhatThereIsNoMemoryForAndGoesOn) {
  std::atomic<std::size_t> room = 100'000'000;
  ServerOptions options;
  options.has_room = [&room](std::size_t bytes) { return bytes <= room; };
  const auto service = std::make_shared<EchoService>();
  HttpServer server(service, options);
  const auto status_of = [&server](std::size_t body_bytes) {
    RawClient client(server.port());
    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + std::to_string(body_bytes) +
                "\r\n\r\n");
    client.send(std::string(body_bytes, 'x'));
    return client.read_answer().status;
  };
  EXPECT_EQ(status_of(100'000), 200);
  EXPECT_EQ(status_of(2'000'000), 503);
  EXPECT_EQ(service->handled, 1);
  RawClient idle(server.port());
  idle.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(idle.read_answer().status, 200);
  room = 0;
  EXPECT_EQ(status_of(0), 503) << "it was waited for when there was room";
  EXPECT_TRUE(idle.is_closed()) << "the one that was idle for longest makes room";
  RawClient late(server.port());
  late.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  room = 100'000'000;
  EXPECT_EQ(late.read_answer().status, 200);
}

TEST(HttpServer, DropsNoClientThatHasOnlyJustCome) {
  std::atomic<std::size_t> room = 100'000'000;
  ServerOptions options;
  options.has_room = [&room](std::size_t bytes) { return bytes <= room; };
  HttpServer server(std::make_shared<EchoService>(), options);
  RawClient first(server.port());
  first.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(first.read_answer().status, 200);
  room = 0;
  RawClient slow(server.port());
  EXPECT_TRUE(first.is_closed()) << "somebody has to make room";
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  slow.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(slow.read_answer().status, 503);
}

/// Gives the first line that is written to it.
class LineWaiter : public std::stringbuf {
 public:
  std::future<std::string> line() { return line_.get_future(); }

 protected:
  int sync() override {
    line_.set_value(str());
    return 0;
  }

 private:
  std::promise<std::string> line_;
};

TEST(Serve, PrintsItsAddressAndEndsWith0OnASignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    LineWaiter buffer;
    auto line = buffer.line();
    std::ostream out(&buffer);
    auto code = std::async(std::launch::async,
                           [&out] { return serve({std::make_shared<EchoService>(), {}}, out); });
    const std::string printed = line.get();
    ASSERT_TRUE(printed.starts_with("listening on http://127.0.0.1:")) << printed;
    const int port = std::stoi(printed.substr(printed.rfind(':') + 1));
    RawClient client(port);
    client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client.read_answer().status, 200);
    ::kill(::getpid(), signal);
    EXPECT_EQ(code.get(), 0);
    EXPECT_TRUE(client.is_closed());
  }
}

}  // namespace

}  // namespace assay::server

/// A signal to the process must find no thread that would take it but the one that waits for it.
int main(int argument_count, char** arguments) {
  sigset_t awaited{};
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGTERM);
  sigaddset(&awaited, SIGINT);
  pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
  testing::InitGoogleTest(&argument_count, arguments);
  return RUN_ALL_TESTS();
}
