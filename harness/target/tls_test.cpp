#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <array>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "harness/target/configuration_error.h"
#include "harness/target/http_target.h"
#include "harness/target/testing/certificates.h"
#include "harness/target/testing/perform.h"
#include "harness/target/testing/raw_server.h"

namespace assay::target {
namespace {

using core::HttpResponse;
using core::HttpResult;
using core::TransportError;
using core::TransportFault;
using testing::Certificates;
using testing::Peer;
using testing::RawServer;

using Context = std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)>;
using Session = std::unique_ptr<SSL, decltype(&SSL_free)>;

/// Serves TLS with blocking OpenSSL calls; says to each request how its client came in.
class TlsServer {
 public:
  TlsServer(const std::string& identity_file, const std::string& client_ca_file = "")
      : context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    // OpenSSL writes without MSG_NOSIGNAL; a client that has gone must not end the test.
    std::signal(SIGPIPE, SIG_IGN);
    SSL_CTX_use_certificate_chain_file(context_.get(), identity_file.c_str());
    SSL_CTX_use_PrivateKey_file(context_.get(), identity_file.c_str(), SSL_FILETYPE_PEM);
    if (!client_ca_file.empty()) {
      SSL_CTX_load_verify_file(context_.get(), client_ca_file.c_str());
      SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT,
                         nullptr);
    }
  }

  [[nodiscard]] std::string url(const char* host) const {
    return fmt::format("https://{}:{}", host, server_.port());
  }
  [[nodiscard]] int connections() const { return server_.connections(); }

 private:
  void serve(const Peer& peer) {
    const Session session(SSL_new(context_.get()), SSL_free);
    SSL_set_fd(session.get(), peer.descriptor());
    if (SSL_accept(session.get()) != 1) {
      return;
    }
    const char* const name = SSL_get_servername(session.get(), TLSEXT_NAMETYPE_host_name);
    const bool has_client = SSL_get0_peer_certificate(session.get()) != nullptr;
    const std::string said = testing::answer(
        fmt::format("name={} client={}", name == nullptr ? "-" : name, has_client ? "yes" : "no"));
    std::array<char, 4096> bytes{};
    while (SSL_read(session.get(), bytes.data(), static_cast<int>(bytes.size())) > 0) {
      SSL_write(session.get(), said.data(), static_cast<int>(said.size()));
    }
  }

  Context context_;
  RawServer server_{[this](Peer& peer, int) { serve(peer); }};
};

class Tls : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { certificates = std::make_unique<Certificates>(); }
  static void TearDownTestSuite() { certificates.reset(); }

  static core::Tls trusting() { return {certificates->ca_file(), "", "", true}; }
  static core::Tls not_verifying() { return {"", "", "", false}; }

  static HttpResult ask(const std::string& url, const core::Tls& tls) {
    boost::asio::io_context io;
    HttpTarget target(io, {url, tls, testing::patient_limits()});
    HttpResult result;
    // Twice, so that the second goes over the kept connection.
    for (int i = 0; i < 2; ++i) {
      result = testing::run_to_end(io, target.perform({"GET", "/", {}, {}}));
    }
    return result;
  }

  static std::string body(const HttpResult& result) {
    return result ? result->body : result.error().detail;
  }

  static TransportError error(const HttpResult& result) {
    EXPECT_FALSE(result) << "an answer came";
    return result ? TransportError{} : result.error();
  }

  static inline std::unique_ptr<Certificates> certificates;
};

TEST_F(Tls, TrustsItsOwnAuthority) {
  const TlsServer server(certificates->server_file());
  EXPECT_EQ(body(ask(server.url("localhost"), trusting())), "name=localhost client=no");
  EXPECT_EQ(server.connections(), 1);
}

TEST_F(Tls, ChecksAddressesAndSendsNoNameForThem) {
  const TlsServer server(certificates->server_file());
  EXPECT_EQ(body(ask(server.url("127.0.0.1"), trusting())), "name=- client=no");
}

TEST_F(Tls, RefusesAnUnknownAuthority) {
  const TlsServer server(certificates->server_file());
  const TransportError refused = error(ask(server.url("localhost"), {}));
  EXPECT_EQ(refused.fault, TransportFault::tls);
  EXPECT_FALSE(refused.request_sent);
  EXPECT_THAT(refused.detail, ::testing::HasSubstr("certificate"));
}

TEST_F(Tls, RefusesAnotherHostsCertificate) {
  const TlsServer server(certificates->other_server_file());
  const TransportError refused = error(ask(server.url("localhost"), trusting()));
  EXPECT_EQ(refused.fault, TransportFault::tls);
  EXPECT_THAT(refused.detail,
              ::testing::HasSubstr("(the certificate is for elsewhere.test, not for localhost)"));
}

TEST_F(Tls, TakesAnyCertificateWhereItIsToldNotToVerify) {
  const TlsServer server(certificates->other_server_file());
  EXPECT_EQ(body(ask(server.url("localhost"), not_verifying())), "name=localhost client=no");
}

TEST_F(Tls, ShowsItsClientCertificate) {
  const TlsServer server(certificates->server_file(), certificates->ca_file());
  const core::Tls both = {certificates->ca_file(), certificates->client_file(),
                          certificates->client_file(), true};
  EXPECT_EQ(body(ask(server.url("localhost"), both)), "name=localhost client=yes");
}

TEST_F(Tls, SaysThatTheServerWantsAClientCertificate) {
  const TlsServer server(certificates->server_file(), certificates->ca_file());
  const HttpResult result = ask(server.url("localhost"), trusting());
  EXPECT_EQ(error(result).fault, TransportFault::tls);
}

TEST_F(Tls, SaysThatTheServerSpeaksPlainHttp) {
  RawServer server([](Peer& peer, int) {
    peer.send(testing::answer("plain"));
    peer.wait_for_close();
  });
  const std::string url = fmt::format("https://127.0.0.1:{}", server.port());
  const HttpResult result = ask(url, not_verifying());
  const TransportError refused = error(result);
  EXPECT_EQ(refused.fault, TransportFault::tls);
  EXPECT_THAT(refused.detail, ::testing::EndsWith(". Does it speak plain HTTP?"));
}

TEST_F(Tls, BoundsTheHandshake) {
  RawServer server([](Peer& peer, int) { peer.wait_for_close(); });
  boost::asio::io_context io;
  core::Limits limits = testing::patient_limits();
  limits.connect_ms = 50;
  HttpTarget target(io, {fmt::format("https://127.0.0.1:{}", server.port()), {}, limits});
  const TransportError late =
      error(testing::run_to_end(io, target.perform({"POST", "/", {}, "x"})));
  EXPECT_EQ(late.fault, TransportFault::connect_timeout);
  EXPECT_FALSE(late.request_sent);
}

TEST_F(Tls, RefusesFilesThatCannotBeLoaded) {
  boost::asio::io_context io;
  const std::string client = certificates->client_file();
  const std::vector<core::Tls> broken = {{"/nowhere/ca.pem", "", "", true},
                                         {"", "/nowhere/client.pem", "", true},
                                         {"", client, certificates->ca_file() + "x", true},
                                         {"", client, certificates->server_file(), true}};
  for (const core::Tls& tls : broken) {
    EXPECT_THROW(HttpTarget(io, {"https://localhost", tls, {}}), ConfigurationError)
        << tls.ca_file << tls.key_file;
  }
}

}  // namespace
}  // namespace assay::target
