#include "harness/target/answer_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace assay::target {
namespace {

using core::TransportFault;
using Progress = AnswerReader::Progress;

core::Limits small_limits() {
  core::Limits limits;
  limits.max_header_bytes = 256;
  limits.max_body_bytes = 64;
  return limits;
}

/// Feeds an answer whole and byte by byte: where a packet ends must not matter.
class Fed {
 public:
  explicit Fed(const std::string& bytes, std::string_view method = "GET",
               bool then_closes = false) {
    progress = feed(bytes, bytes.size(), method, then_closes);
    EXPECT_EQ(progress, feed(bytes, 1, method, then_closes)) << "split into single bytes";
  }

  Progress progress = Progress::wants_more;
  core::HttpResponse answer;
  core::TransportError error;
  bool keeps_connection = false;

 private:
  Progress feed(const std::string& bytes, std::size_t piece, std::string_view method,
                bool then_closes) {
    AnswerReader reader(method, small_limits());
    EXPECT_FALSE(reader.has_begun());
    Progress now = Progress::wants_more;
    for (std::size_t at = 0; at < bytes.size() && now == Progress::wants_more; at += piece) {
      now = reader.feed(std::string_view(bytes).substr(at, piece));
    }
    if (now == Progress::wants_more && then_closes) {
      now = reader.end_of_stream();
    }
    if (now == Progress::complete) {
      keeps_connection = reader.keeps_connection();
      answer = reader.take_answer();
    } else if (now == Progress::failed) {
      error = reader.error();
    }
    return now;
  }
};

TEST(AnswerReader, ReadsStatusHeadersAndBody) {
  const Fed fed("HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 2\r\nX-B:  two \r\n\r\n{}");
  ASSERT_EQ(fed.progress, Progress::complete);
  EXPECT_EQ(fed.answer.status, 201);
  EXPECT_EQ(fed.answer.body, "{}");
  EXPECT_TRUE(fed.keeps_connection);
  ASSERT_EQ(fed.answer.headers.size(), 3U);
  EXPECT_EQ(fed.answer.headers[0].name, "X-A");
  EXPECT_EQ(fed.answer.headers[2].value, "two");
}

TEST(AnswerReader, JoinsChunks) {
  const Fed fed(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=1\r\nde\r\n0\r\n\r\n");
  ASSERT_EQ(fed.progress, Progress::complete);
  EXPECT_EQ(fed.answer.body, "abcde");
  EXPECT_TRUE(fed.keeps_connection);
}

TEST(AnswerReader, ReadsNoBodyWhereTheStatusOrMethodHasNone) {
  for (const char* status : {"204 No Content", "304 Not Modified"}) {
    const Fed fed("HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 9\r\n\r\n");
    EXPECT_EQ(fed.progress, Progress::complete) << status;
  }
  const Fed head("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "HEAD");
  EXPECT_EQ(head.progress, Progress::complete);
  EXPECT_TRUE(head.keeps_connection);
  EXPECT_EQ(Fed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").progress, Progress::wants_more);
}

TEST(AnswerReader, SkipsInterimAnswersButNotWithoutEnd) {
  const std::string interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const Fed fed("HTTP/1.1 100 Continue\r\n\r\n" + interim +
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx");
  ASSERT_EQ(fed.progress, Progress::complete);
  EXPECT_EQ(fed.answer.status, 200);
  EXPECT_EQ(fed.answer.body, "x");

  std::string endless;
  for (int i = 0; i < 20; ++i) {
    endless += interim;
  }
  EXPECT_EQ(Fed(endless).error.fault, TransportFault::malformed);
}

TEST(AnswerReader, KeepsNoConnectionThatTheAnswerCloses) {
  EXPECT_FALSE(
      Fed("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n").keeps_connection);
  EXPECT_FALSE(Fed("HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n").keeps_connection);
}

TEST(AnswerReader, KeepsNoConnectionWithBytesThatNobodyAskedFor) {
  AnswerReader reader("GET", small_limits());
  ASSERT_EQ(reader.feed("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n"),
            Progress::complete);
  EXPECT_FALSE(reader.keeps_connection());
}

TEST(AnswerReader, EndsABodyWithoutLengthWithItsConnection) {
  const Fed fed("HTTP/1.0 200 OK\r\n\r\n<html>", "GET", true);
  ASSERT_EQ(fed.progress, Progress::complete);
  EXPECT_EQ(fed.answer.body, "<html>");
  EXPECT_FALSE(fed.keeps_connection);
}

TEST(AnswerReader, LeavesTheBytesOfABodyAlone) {
  const Fed fed(std::string("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\xfe\0\x80", 42));
  ASSERT_EQ(fed.progress, Progress::complete);
  EXPECT_EQ(fed.answer.body, std::string("\xff\xfe\0\x80", 4));
}

TEST(AnswerReader, CallsAnswersThatAreCutShortClosed) {
  for (const char* bytes : {"HTTP/1.1 200", "HTTP/1.1 200 OK\r\nX: 1\r\n",
                            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
                            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
                            "HTTP/1.1 100 Continue\r\n\r\n"}) {
    const Fed fed(bytes, "GET", true);
    EXPECT_EQ(fed.progress, Progress::failed) << bytes;
    EXPECT_EQ(fed.error.fault, TransportFault::closed) << bytes;
    EXPECT_THAT(fed.error.detail, ::testing::HasSubstr("bytes of the answer")) << bytes;
  }
}

TEST(AnswerReader, CallsWhatIsNotHttpMalformed) {
  const std::string start = "HTTP/1.1 200 OK\r\n";
  const std::string chunked = start + "Transfer-Encoding: chunked\r\n\r\n";
  for (const std::string& bytes :
       {std::string("SSH-2.0-OpenSSH_9.2\r\n"), std::string("<html><body>hello</body></html>"),
        std::string(64, '\0'), std::string("HTTP/2.0 200 OK\r\n\r\n"),
        std::string("HTTP/1.1 2x0 OK\r\n\r\n"), std::string("HTTP/1.1 000 Nothing\r\n\r\n"),
        std::string("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"),
        start + "Content-Length: 5\r\nContent-Length: 3\r\n\r\nhello",
        start + "Content-Length: 5, 3\r\n\r\nhello", start + "Content-Length: -1\r\n\r\n",
        start + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        start + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        start + "Transfer-Encoding: gzip\r\n\r\nabc",
        std::string("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        chunked + "-2\r\nabc\r\n", chunked + "zz\r\nabc\r\n",
        chunked + "10000000000000000000\r\nabc\r\n", chunked + "2\r\nabcd\r\n0\r\n\r\n"}) {
    const Fed fed(bytes);
    EXPECT_EQ(fed.progress, Progress::failed) << bytes;
    EXPECT_EQ(fed.error.fault, TransportFault::malformed) << bytes << ": " << fed.error.detail;
    EXPECT_FALSE(fed.error.detail.empty()) << bytes;
  }
}

TEST(AnswerReader, HoldsTheHeaderLimit) {
  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 40; ++i) {
    many += "X-Filler: 0123456789\r\n";
  }
  EXPECT_EQ(Fed(many).error.fault, TransportFault::header_limit);
  EXPECT_EQ(Fed("HTTP/1.1 200 OK\r\nX: " + std::string(600, 'a')).error.fault,
            TransportFault::header_limit);
  EXPECT_EQ(Fed("HTTP/1.1 200 " + std::string(600, 'a')).error.fault, TransportFault::header_limit);
}

TEST(AnswerReader, CountsTheHeaderAlikeHoweverItComes) {
  const std::string begin = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Long: ";
  constexpr std::size_t limit = 256;
  for (std::size_t size = limit - 4; size <= limit + 20; ++size) {
    const std::string header = begin + std::string(size - begin.size() - 4, 'x') + "\r\n\r\n";
    ASSERT_EQ(header.size(), size);
    const Fed fed(header);
    EXPECT_EQ(fed.progress, size <= limit ? Progress::complete : Progress::failed) << size;
  }
}

TEST(AnswerReader, HoldsTheBodyLimit) {
  const std::string start = "HTTP/1.1 200 OK\r\n";
  EXPECT_EQ(Fed(start + "Content-Length: 64\r\n\r\n" + std::string(64, 'a')).progress,
            Progress::complete);
  EXPECT_EQ(Fed(start + "Content-Length: 65\r\n\r\n").error.fault, TransportFault::body_limit);
  EXPECT_EQ(Fed(start + "Transfer-Encoding: chunked\r\n\r\n41\r\nabc").error.fault,
            TransportFault::body_limit);
  EXPECT_EQ(Fed(start + "\r\n" + std::string(65, 'a')).error.fault, TransportFault::body_limit);
}

TEST(AnswerReader, BoundsChunkLinesAndTrailers) {
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(Fed(chunked + "1;" + std::string(600, 'x')).error.fault, TransportFault::malformed);
  EXPECT_EQ(Fed(chunked + "0\r\nX: " + std::string(600, 'x')).error.fault,
            TransportFault::malformed);
}

}  // namespace
}  // namespace assay::target
