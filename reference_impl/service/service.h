#pragma once

#include <optional>
#include <string>
#include <vector>

namespace assay::service {

/// One HTTP header field.
struct Header {
  std::string name;
  std::string value;
};

/// One HTTP request, without its connection.
struct Request {
  std::string method;
  /// The origin-form target as sent: percent-encoded path, then the query if any.
  std::string target;
  std::vector<Header> headers;
  std::string body;
};

/// One HTTP answer, without its connection.
struct Reply {
  int status = 200;
  /// Empty where there is no body.
  std::string content_type;
  std::string body;
  std::vector<Header> headers;
};

/// A server as a function from requests to replies: no socket, no process. The reference is one,
/// each fault wraps one, the HTTP shell and the in-process target drive one. Calls may come from
/// many threads at once.
class Service {
 public:
  Service() = default;
  Service(const Service&) = delete;
  Service& operator=(const Service&) = delete;
  virtual ~Service() = default;

  /// Answers one request; never throws for anything that a client can send.
  virtual Reply handle(const Request& request) = 0;

  /// The refusal that a request's head alone decides (path, method, declared length, content type),
  /// so that it can be sent before the body is read; nothing where the body must be seen.
  virtual std::optional<Reply> refuse_head(const Request& head) {
    static_cast<void>(head);
    return std::nullopt;
  }
};

}  // namespace assay::service
