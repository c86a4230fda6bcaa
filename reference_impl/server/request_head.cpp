#include "reference_impl/server/request_head.h"

#include <boost/beast/http/field.hpp>
#include <boost/beast/http/status.hpp>
#include <boost/beast/http/verb.hpp>
#include <string>

#include "reference_impl/service/problem.h"
#include "reference_impl/service/words.h"

namespace assay::server {
namespace {

namespace http = boost::beast::http;

service::Reply refused(int status, std::string_view code, std::string_view detail) {
  return service::problem_reply({status, std::string(code), std::string(detail), {}, {}});
}

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

}  // namespace

RequestFault fault_of(const boost::beast::error_code& error) {
  if (error == http::error::bad_content_length || error == http::error::multiple_content_length ||
      error == http::error::bad_transfer_encoding) {
    return RequestFault::unclear_length;
  }
  if (error == http::error::header_limit) return RequestFault::head_too_long;
  return RequestFault::malformed;
}

RequestFault fault_in(const http::request_header<http::fields>& head) {
  if (head.version() != 10 && head.version() != 11) return RequestFault::malformed;
  if (head.target().size() > max_target_bytes) return RequestFault::target_too_long;
  const std::size_t hosts = head.count(http::field::host);
  if (hosts > 1 || (hosts == 0 && head.version() == 11)) return RequestFault::malformed;
  // No coding but chunked is understood here, and HTTP/1.0 has none.
  const std::size_t codings = head.count(http::field::transfer_encoding);
  if (codings == 0) return RequestFault::none;
  const bool is_chunked =
      codings == 1 && service::lower_case(head[http::field::transfer_encoding]) == "chunked";
  return is_chunked && head.version() == 11 ? RequestFault::none : RequestFault::unclear_length;
}

bool has_endless_line(std::string_view begun) {
  // The method, two blanks and the version stand beside the target.
  constexpr std::size_t beside_target = 64;
  return begun.size() > max_target_bytes + beside_target &&
         begun.substr(0, max_target_bytes + beside_target).find('\n') == std::string_view::npos;
}

service::Request to_request(const http::request_header<http::fields>& head) {
  service::Request request;
  request.method = std::string(head.method_string());
  request.target = std::string(head.target());
  for (const auto& field : head) {
    request.headers.push_back({std::string(field.name_string()), std::string(field.value())});
  }
  return request;
}

service::Reply refusal(RequestFault fault) {
  switch (fault) {
    case RequestFault::unclear_length:
      return refused(400, "MALFORMED_REQUEST", "the length of the body is not clear");
    case RequestFault::malformed_chunks:
      return refused(400, "MALFORMED_REQUEST", "the chunks of the body are malformed");
    case RequestFault::target_too_long:
      return refused(414, "URI_TOO_LONG", "the request target is longer than this server reads");
    case RequestFault::head_too_long:
      return refused(431, "HEAD_TOO_LARGE", "the headers are larger than this server reads");
    case RequestFault::body_too_long:
      return refused(413, "BODY_TOO_LARGE", "the body is larger than this server reads");
    case RequestFault::head_cut_short:
      return refused(408, "HEAD_CUT_SHORT", "the headers did not come to their end");
    case RequestFault::body_cut_short:
      return refused(408, "BODY_CUT_SHORT", "the body did not come to its end");
    case RequestFault::no_room:
      return refused(503, "NO_MEMORY", "this server has no memory left for the request");
    default:
      return refused(400, "MALFORMED_REQUEST", "the request is not HTTP/1.1");
  }
}

std::string to_text(const service::Reply& reply, bool has_body, std::string_view connection) {
  const auto reason =
      http::obsolete_reason(http::int_to_status(static_cast<unsigned>(reply.status)));
  std::string text;
  text.reserve(512 + (has_body ? reply.body.size() : 0));
  const auto line = [&text](std::string_view name, std::string_view value) {
    // What a client sent may come back in a header, but never as more than its value.
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string_view::npos) return;
    text.append(name).append(": ").append(value).append("\r\n");
  };
  text.append("HTTP/1.1 ").append(std::to_string(reply.status)).append(" ");
  text.append(reason.data(), reason.size()).append("\r\n");
  for (const service::Header& header : reply.headers) {
    if (header.name != "Connection") line(header.name, header.value);
  }
  if (!reply.content_type.empty()) line("Content-Type", reply.content_type);
  if (may_have_body(reply.status)) line("Content-Length", std::to_string(reply.body.size()));
  if (!connection.empty()) line("Connection", connection);
  text.append("\r\n");
  if (has_body && may_have_body(reply.status)) text.append(reply.body);
  return text;
}

}  // namespace assay::server
