#include "reference_impl/service/problem.h"

#include "base/visible.h"
#include "reference_impl/service/json_codec.h"

namespace assay::service {
namespace {

constexpr std::size_t most_detail_bytes = 65'536;

std::string_view title_of(int status) {
  switch (status) {
    case 400:
      return "Bad Request";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 409:
      return "Conflict";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return status < 500 ? "Client Error" : "Internal Server Error";
  }
}

}  // namespace

Refusal invalid(std::string_view code, std::string detail, std::optional<std::string> pointer) {
  return Refusal({422, std::string(code), std::move(detail), std::move(pointer), {}});
}

Refusal not_found(std::string detail) {
  return Refusal({404, "NOT_FOUND", std::move(detail), std::nullopt, {}});
}

Refusal conflict(std::string_view code, std::string detail) {
  return Refusal({409, std::string(code), std::move(detail), std::nullopt, {}});
}

Reply problem_reply(const Problem& problem) {
  Object body = problem.members;
  body["type"] = "about:blank";
  body["title"] = title_of(problem.status);
  body["status"] = problem.status;
  body["code"] = problem.code;
  // Parsers' messages may end in half a character.
  body["detail"] = valid_utf8(problem.detail, most_detail_bytes);
  if (problem.pointer) body["pointer"] = *problem.pointer;
  return {problem.status, "application/problem+json", write_json(std::move(body)), {}};
}

Reply json_reply(int status, const Value& body) {
  return {status, "application/json", write_json(body), {}};
}

}  // namespace assay::service
