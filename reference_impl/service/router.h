#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"
#include "reference_impl/service/service.h"
#include "reference_impl/service/target.h"

namespace assay::service {

/// What a route does with a request's body.
enum class BodyRule {
  /// It has no meaning and is not looked at.
  ignored,
  /// It may be left out, because every field is optional.
  optional,
  /// It must be a JSON text.
  required,
};

/// A request that has passed every check before its content: path, method, length, content type,
/// JSON.
class Call {
 public:
  /// The values of the pattern's {parameters}, decoded, in the pattern's order.
  std::vector<std::string> parameters;
  Query query;
  std::optional<Result<Value, UnreadableContent>> content;

  /// The body; null where it was left out. Throws Refusal 422 where its content cannot be read
  /// (TOO_DEEP): ask only after the ids of the path are known to exist, for 404 goes before 422.
  [[nodiscard]] const Value& body() const;

  /// The body's members; none where it was left out. Throws Refusal 422 NOT_AN_OBJECT otherwise.
  [[nodiscard]] const Object& object() const;
};

using Handler = std::function<Reply(const Call&)>;

/// A table of routes. It keeps the order in which the contract has a request checked: path 404,
/// method 405, length 413, content type 415, JSON 400; then the handler: id 404, content 422.
class Router {
 public:
  /// `pattern` is a path whose segments are literals or "{parameter}"; a parameter is never empty.
  /// Where several patterns match, the first added that has the method answers. `handler` may throw
  /// Refusal, and must be callable from many threads at once.
  void add(std::string_view method, std::string_view pattern, BodyRule rule,
           std::size_t max_body_bytes, Handler handler);

  [[nodiscard]] Reply handle(const Request& request) const;

  /// The refusal that the request's head alone decides (path, method, declared length, content
  /// type), if any: it can be sent before the body is read.
  [[nodiscard]] std::optional<Reply> refuse_head(const Request& head) const;

 private:
  struct Route {
    std::string method;
    /// An empty segment stands for a parameter.
    std::vector<std::string> segments;
    BodyRule rule = BodyRule::ignored;
    std::size_t max_body_bytes = 0;
    Handler handler;
  };
  struct Match {
    const Route* route = nullptr;
    Target target;
  };

  [[nodiscard]] Match match(const Request& request) const;
  [[nodiscard]] Match check_head(const Request& request) const;
  [[nodiscard]] Reply answer(const Request& request) const;

  std::vector<Route> routes_;
};

/// The value of the first header of that name (in any case), or nothing.
[[nodiscard]] std::optional<std::string_view> header_value(const Request& request,
                                                           std::string_view name);

}  // namespace assay::service
