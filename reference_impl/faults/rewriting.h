#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// Where most faults are: an execution's own routes.
inline constexpr const char* status_route = "GET /executions/*/status";
inline constexpr const char* detail_route = "GET /executions/*";
inline constexpr const char* post_route = "POST /executions/*/events";
inline constexpr const char* batch_route = "POST /executions/*/events/batch";
inline constexpr const char* log_route = "GET /executions/*/events";

/// A route as "METHOD /path": a segment * stands for any one, and a last ** for all that is left.
/// The query is no part of it.
[[nodiscard]] bool is_on_route(const service::Request& request, std::string_view route);

/// The raw text of a query parameter; empty where it is absent.
[[nodiscard]] std::string query_parameter(const service::Request& request, std::string_view name);

/// Changes the JSON body of each answer 200 or 201 on the route.
using ChangeBody = std::function<void(const service::Request& request, Value& body)>;
[[nodiscard]] Intercept alters_answers(std::string route, ChangeBody change);

/// The same on several routes.
[[nodiscard]] Intercept alters_answers_on(std::vector<std::string> routes, ChangeBody change);

/// Changes a page of an execution's events as a whole.
[[nodiscard]] Intercept changes_log(const std::function<void(List& events)>& change);

/// Changes each event in a page of an execution's events.
[[nodiscard]] Intercept changes_events(const std::function<void(Value& event)>& change);

/// Changes the JSON body of each request on the route before the service sees it; what is no JSON
/// goes through as it is.
using ChangeRequest = std::function<void(Value& body)>;
[[nodiscard]] Intercept alters_requests(std::string route, ChangeRequest change);

/// Refuses the requests on the route for which `applies` holds, with this status and code.
using Applies = std::function<bool(const service::Request& request, const Value& body)>;
[[nodiscard]] Intercept refuses(std::string route, Applies applies, int status, std::string code);

/// Where the service refuses a member of the body (422 with this pointer), takes the request
/// without it, or with `instead` in its place.
[[nodiscard]] Intercept forgives(std::string route, std::string pointer, Value instead = {});

/// The request with another body.
[[nodiscard]] service::Request with_body(const service::Request& request, const Value& body);

/// The body as JSON, or null where it is none.
[[nodiscard]] Value json_of(std::string_view body);

/// The list member of that name, or nullptr.
[[nodiscard]] List* list_at(Value& body, std::string_view name);

/// The object's member that is there to be changed, or nullptr.
[[nodiscard]] Value* member(Value& body, std::string_view name);

/// Writes `to` where the member has the text `from`; says whether it did.
bool replace_text(Value& body, std::string_view name, std::string_view from, std::string_view to);

/// Removes the items of a list member for which `unwanted` holds.
void remove_items(Value& body, std::string_view list,
                  const std::function<bool(const Value&)>& unwanted);

/// Calls `change` with each item of a list member.
void each_item(Value& body, std::string_view list, const std::function<void(Value&)>& change);

/// Whether the member is that text.
[[nodiscard]] bool has_text(const Value& item, std::string_view name, std::string_view text);

}  // namespace assay::faults
