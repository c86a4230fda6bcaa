#include "reference_impl/service/router.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "reference_impl/service/words.h"

namespace assay::service {
namespace {

/// application/json, or a type with the suffix +json (RFC 6839), whatever its parameters.
bool is_json_type(std::string_view content_type) {
  std::string type = lower_case(content_type.substr(0, content_type.find(';')));
  while (!type.empty() && (type.back() == ' ' || type.back() == '\t')) type.pop_back();
  return type == "application/json" ||
         (type.ends_with("+json") && type.find('/') < type.size() - 6);
}

/// The body's length as declared or as received, whichever is larger.
std::size_t body_length(const Request& request) {
  std::size_t declared = 0;
  if (const auto text = header_value(request, "content-length")) {
    const auto read = std::from_chars(text->data(), text->data() + text->size(), declared);
    if (read.ec == std::errc::result_out_of_range) return std::string::npos;
  }
  return std::max(declared, request.body.size());
}

}  // namespace

std::optional<std::string_view> header_value(const Request& request, std::string_view name) {
  for (const Header& header : request.headers) {
    if (lower_case(header.name) == name) return header.value;
  }
  return std::nullopt;
}

const Value& Call::body() const {
  static const Value left_out;
  if (!content) return left_out;
  const Result<Value, UnreadableContent>& read = *content;
  if (!read) throw invalid(read.error().code, read.error().detail, "");
  return *read;
}

const Object& Call::object() const {
  static const Object no_members;
  if (!content) return no_members;
  const Value& value = body();
  if (!value.is_object()) {
    throw invalid("NOT_AN_OBJECT",
                  "the body is of type " + std::string(value.kind_name()) + ", not an object", "");
  }
  return value.as_object();
}

void Router::add(std::string_view method, std::string_view pattern, BodyRule rule,
                 std::size_t max_body_bytes, Handler handler) {
  Route route{std::string(method), {}, rule, max_body_bytes, std::move(handler)};
  const Target target = read_target(pattern);
  for (const std::string& segment : *target.segments) {
    route.segments.push_back(segment.starts_with('{') ? std::string{} : segment);
  }
  routes_.push_back(std::move(route));
}

Router::Match Router::match(const Request& request) const {
  Match found{nullptr, read_target(request.target)};
  std::set<std::string> allowed;
  if (found.target.segments) {
    for (const Route& route : routes_) {
      const bool fits = std::equal(route.segments.begin(), route.segments.end(),
                                   found.target.segments->begin(), found.target.segments->end(),
                                   [](const std::string& pattern, const std::string& segment) {
                                     return pattern.empty() ? !segment.empty() : pattern == segment;
                                   });
      if (!fits) continue;
      if (route.method == request.method) {
        found.route = &route;
        return found;
      }
      allowed.insert(route.method);
    }
  }
  if (allowed.empty()) throw not_found("no such path");
  Problem problem{405, "METHOD_NOT_ALLOWED", "this path does not answer to that method", {}, {}};
  problem.members["allowed"] = List(allowed.begin(), allowed.end());
  throw Refusal(std::move(problem));
}

Router::Match Router::check_head(const Request& request) const {
  Match found = match(request);
  const std::size_t length = body_length(request);
  if (found.route->rule == BodyRule::ignored) return found;
  if (length > found.route->max_body_bytes) {
    throw Refusal(
        {413,
         "BODY_TOO_LARGE",
         "the body is larger than " + std::to_string(found.route->max_body_bytes) + " bytes",
         {},
         {}});
  }
  if (length > 0 && !is_json_type(header_value(request, "content-type").value_or(""))) {
    throw Refusal(
        {415, "NOT_JSON", "the content type of the body is not application/json", {}, {}});
  }
  return found;
}

Reply Router::answer(const Request& request) const {
  Match found = check_head(request);
  Call call;
  for (std::size_t at = 0; at < found.route->segments.size(); ++at) {
    if (found.route->segments[at].empty()) {
      call.parameters.push_back(std::move((*found.target.segments)[at]));
    }
  }
  call.query = std::move(found.target.query);
  const BodyRule rule = found.route->rule;
  if (rule == BodyRule::required || (rule == BodyRule::optional && !request.body.empty())) {
    auto parsed = parse_json(request.body);
    if (parsed) {
      call.content = *std::move(parsed);
    } else if (const auto* not_json = std::get_if<NotJson>(&parsed.error())) {
      throw Refusal({400, "MALFORMED_JSON", "the body is not JSON: " + not_json->detail, {}, {}});
    } else {
      call.content = unexpected(std::get<UnreadableContent>(std::move(parsed).error()));
    }
  }
  return found.route->handler(call);
}

namespace {

Reply refusal_reply(const Refusal& refusal) {
  Problem problem = refusal.problem();
  if (problem.status != 405) return problem_reply(problem);
  std::string allow;
  for (const Value& method : problem.members["allowed"].as_list()) {
    allow += (allow.empty() ? "" : ", ") + method.as_string();
  }
  problem.members.clear();
  Reply reply = problem_reply(problem);
  reply.headers.push_back({"Allow", std::move(allow)});
  return reply;
}

}  // namespace

Reply Router::handle(const Request& request) const {
  try {
    return answer(request);
  } catch (const Refusal& refusal) {
    return refusal_reply(refusal);
  }
}

std::optional<Reply> Router::refuse_head(const Request& head) const {
  try {
    static_cast<void>(check_head(head));
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal_reply(refusal);
  }
}

}  // namespace assay::service
