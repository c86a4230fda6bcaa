#include "reference_impl/faults/rewriting.h"

#include <algorithm>
#include <utility>

#include "reference_impl/service/json_codec.h"
#include "reference_impl/service/problem.h"

namespace assay::faults {
namespace {

std::string_view path_of(const service::Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

/// Cuts the first segment off a path that begins with a slash.
std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

bool matches_path(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const std::string_view wanted = take_segment(pattern);
    if (wanted == "**") return true;
    const std::string_view segment = take_segment(path);
    if (wanted != "*" && wanted != segment) return false;
  }
  return pattern.empty() && path.empty();
}

}  // namespace

service::Request with_body(const service::Request& request, const Value& body) {
  service::Request changed = request;
  changed.body = service::write_json(body);
  // A length that was declared is that of the body it came with.
  std::erase_if(changed.headers, [](const service::Header& header) {
    return header.name == "Content-Length" || header.name == "content-length";
  });
  return changed;
}

Value json_of(std::string_view body) {
  auto read = service::parse_json(body);
  return read ? *std::move(read) : Value();
}

bool is_on_route(const service::Request& request, std::string_view route) {
  const std::size_t blank = route.find(' ');
  return request.method == route.substr(0, blank) && request.target.starts_with('/') &&
         matches_path(route.substr(blank + 1), path_of(request));
}

std::string query_parameter(const service::Request& request, std::string_view name) {
  std::string_view rest = request.target;
  rest.remove_prefix(std::min(path_of(request).size() + 1, rest.size()));
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) {
      return std::string(pair.substr(equals + 1));
    }
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
  }
  return "";
}

Intercept alters_answers(std::string route, ChangeBody change) {
  return alters_answers_on({std::move(route)}, std::move(change));
}

Intercept alters_answers_on(std::vector<std::string> routes, ChangeBody change) {
  return [routes = std::move(routes), change = std::move(change)](service::Service& sound,
                                                                  const service::Request& request) {
    service::Reply reply = sound.handle(request);
    const bool is_meant = std::any_of(routes.begin(), routes.end(), [&](const std::string& route) {
      return is_on_route(request, route);
    });
    if (!is_meant || reply.status < 200 || reply.status > 201) return reply;
    Value body = json_of(reply.body);
    if (body.is_null()) return reply;
    change(request, body);
    reply.body = service::write_json(body);
    return reply;
  };
}

Intercept changes_log(const std::function<void(List& events)>& change) {
  return alters_answers(log_route, [change](const service::Request&, Value& body) {
    if (List* events = list_at(body, "events")) change(*events);
  });
}

Intercept changes_events(const std::function<void(Value& event)>& change) {
  return alters_answers(log_route, [change](const service::Request&, Value& body) {
    each_item(body, "events", change);
  });
}

Intercept alters_requests(std::string route, ChangeRequest change) {
  return [route = std::move(route), change = std::move(change)](service::Service& sound,
                                                                const service::Request& request) {
    if (!is_on_route(request, route)) return sound.handle(request);
    Value body = json_of(request.body);
    if (!body.is_object()) return sound.handle(request);
    const Value before = body;
    change(body);
    return sound.handle(body == before ? request : with_body(request, body));
  };
}

Intercept refuses(std::string route, Applies applies, int status, std::string code) {
  return [route = std::move(route), applies = std::move(applies), status, code = std::move(code)](
             service::Service& sound, const service::Request& request) {
    if (!is_on_route(request, route) || !applies(request, json_of(request.body))) {
      return sound.handle(request);
    }
    return service::problem_reply({status, code, "this server takes no such thing", {}, {}});
  };
}

Intercept forgives(std::string route, std::string pointer, Value instead) {
  return [route = std::move(route), pointer = std::move(pointer), instead = std::move(instead)](
             service::Service& sound, const service::Request& request) {
    service::Reply reply = sound.handle(request);
    if (!is_on_route(request, route) || reply.status != 422) return reply;
    Value body = json_of(request.body);
    if (!body.is_object() || !has_text(json_of(reply.body), "pointer", pointer)) return reply;
    const std::string name = pointer.substr(1);
    if (instead.is_null()) {
      body.as_object().erase(name);
    } else {
      body.as_object()[name] = instead;
    }
    return sound.handle(with_body(request, body));
  };
}

List* list_at(Value& body, std::string_view name) {
  Value* found = member(body, name);
  return found != nullptr && found->is_list() ? &found->as_list() : nullptr;
}

Value* member(Value& body, std::string_view name) {
  if (!body.is_object()) return nullptr;
  const auto found = body.as_object().find(name);
  return found == body.as_object().end() ? nullptr : &found->second;
}

bool replace_text(Value& body, std::string_view name, std::string_view from, std::string_view to) {
  if (!has_text(body, name, from)) return false;
  body.as_object().find(name)->second = to;
  return true;
}

void remove_items(Value& body, std::string_view list,
                  const std::function<bool(const Value&)>& unwanted) {
  if (List* items = list_at(body, list)) std::erase_if(*items, unwanted);
}

void each_item(Value& body, std::string_view list, const std::function<void(Value&)>& change) {
  if (List* items = list_at(body, list)) std::for_each(items->begin(), items->end(), change);
}

bool has_text(const Value& item, std::string_view name, std::string_view text) {
  return item.string_at(name) == text;
}

}  // namespace assay::faults
