#include "harness/run/preflight.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "harness/check/case_history.h"
#include "harness/check/text.h"
#include "harness/core/operation_shape.h"
#include "harness/run/hooks.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;
using core::Acceptance;
using core::TransportFault;

/// Those that change nothing come first; one of each that makes something follows.
constexpr std::array<std::string_view, 7> asked_operations = {
    "executions.list",  "runs.list",   "workflow.active", "jobs.list",
    "executions.start", "runs.create", "blocks.register"};
/// Each may take a whole request's time.
constexpr int most_silences = 2;

bool is_unreachable(const core::TransportError& error) {
  return error.fault == TransportFault::resolve || error.fault == TransportFault::refused ||
         error.fault == TransportFault::connect_timeout || error.fault == TransportFault::tls;
}

std::string fault_text(const core::TransportError& error) {
  return fmt::format("{}{}{}", core::transport_fault_texts[error.fault],
                     error.detail.empty() ? "" : ": ", error.detail);
}

/// "name version", as far as a server's health says them.
std::string identity_of(const Value& health) {
  const std::string name = health.string_at("name").value_or("");
  const std::string version = health.string_at("version").value_or("");
  return name.empty() || version.empty() ? name + version : name + " " + version;
}

core::Operation question(std::string_view name, const std::string& id, const RunContext& context) {
  core::Operation asked{std::string(name), {}};
  if (name.ends_with(".list")) asked.parameters.emplace("limit", 1);
  if (name == "executions.start" || name == "runs.create") {
    asked.parameters = parameters_to_start(name, id, context.profile.capabilities);
  }
  if (name == "blocks.register") {
    asked.parameters.emplace("name", id);
    asked.parameters.emplace("pure", true);
  }
  std::erase_if(asked.parameters, [&](const auto& parameter) {
    const auto form = context.profile.operations.find(asked.name);
    return form != context.profile.operations.end() && form->second.lacks.contains(parameter.first);
  });
  return asked;
}

/// Whether the answer is one that the profile describes: a listing has its items, what makes
/// something says what it made, and a refusal says why in JSON.
bool is_understood(const core::OperationShape& shape, const core::Answer& answer) {
  if (answer.transport || !answer.trouble.empty()) return false;
  if (answer.acceptance == Acceptance::refused) return !shape.listing && answer.body.is_object();
  if (!core::is_taken(answer.acceptance)) return false;
  if (shape.listing) {
    const Value* items = answer.mapped.find("items");
    return items != nullptr && items->is_list();
  }
  if (shape.makes.empty()) return answer.mapped.is_object() && !answer.mapped.as_object().empty();
  const Value* made = answer.mapped.find(shape.makes);
  return made != nullptr && !made->is_null();
}

/// Whether the answer accepts what was asked, and is another than that; nullptr asks nothing.
bool is_other(const Reply& reply, const core::History& history, const core::HttpResponse* other) {
  if (other == nullptr) return true;
  if (reply.answer->acceptance == Acceptance::refused || reply.exchanges.empty()) return false;
  const auto& shown = history.exchanges[reply.exchanges.back()].response;
  return shown && (shown->status != other->status || shown->body != other->body);
}

/// "GET /executions: answered 404 (text/html)"
std::string answered(const Reply& reply, const core::OperationShape& shape) {
  const core::Answer& answer = *reply.answer;
  if (answer.transport) {
    return fmt::format("{}: {}", reply.request_line, fault_text(*answer.transport));
  }
  std::string type;
  for (const core::Header& header : reply.headers) {
    if (same_without_case(header.name, "content-type")) {
      type = fmt::format(" ({})", check::cut_text(header.value, 60));
    }
  }
  std::string text = fmt::format("{}: answered {}{}", reply.request_line, answer.status, type);
  if (core::is_taken(answer.acceptance) && answer.trouble.empty()) {
    text += fmt::format(" without {}", shape.listing ? "a list" : std::string(shape.makes));
  }
  return text;
}

awaitable<void> clean_up_after(Session& session, const core::OperationShape& shape,
                               const core::Answer& answer) {
  if (shape.makes.empty()) co_return;
  const auto id = check::made_id(shape, answer);
  if (!id) co_return;
  const std::vector<std::pair<std::string, std::string>> made = {{std::string(shape.makes), *id}};
  co_await clean_up(session, made);
}

}  // namespace

Object parameters_to_start(std::string_view operation, const std::string& id,
                           const std::set<std::string, std::less<>>& capabilities) {
  if (operation == "runs.create") {
    Object parameters{{"run_id", id}};
    // Where no client moves a run, what comes of it has to be said.
    if (capabilities.contains("runs.unattended") && !capabilities.contains("runs.transition")) {
      parameters.emplace("ends", "never");
    }
    return parameters;
  }
  Object parameters{{"execution_id", id}};
  // Its events are the harness's to post.
  if (capabilities.contains("executions.replay")) return parameters;
  if (capabilities.contains("executions.unattended")) {
    parameters.emplace("ends", "never");
  } else {
    parameters.emplace("playbook", Object{{"workflow", List{Object{{"step", "probe"}}}}});
  }
  return parameters;
}

awaitable<Introduction> introduce(const RunContext& context) {
  Introduction introduction;
  introduction.identity = context.target.identity();
  if (!context.target.speaks_http()) co_return introduction;
  Session session(context, context.prefix + "-look");
  Reply reply;
  bool has_health = context.profile.operations.contains("server.health");
  if (has_health) {
    try {
      core::Operation health{"server.health", {}};
      reply = co_await session.perform(std::move(health));
    } catch (const NotApplicable&) {
      has_health = false;
    }
  }
  if (!has_health) {
    core::HttpRequest root{"GET", "/", {}, std::nullopt};
    reply = co_await session.send(std::move(root));
  }
  const Value* health = reply.body();
  if (health != nullptr && introduction.identity.empty()) {
    introduction.identity = identity_of(*health);
  }
  const auto& error = reply.answer->transport;
  if (error && error->fault == TransportFault::no_room)
    throw std::runtime_error(fault_text(*error));
  if (error && is_unreachable(*error)) {
    introduction.unreachable = fmt::format("{}: {}", context.target.location(), fault_text(*error));
  }
  co_return introduction;
}

std::string other_profile_advice(const core::Profile& profile) {
  if (profile.name != "reference") return "";
  return " A server of another kind needs a profile of its own: try --profile NAME (assay list "
         "profiles)";
}

awaitable<OperationsFinding> check_operations(const RunContext& context, std::string id,
                                              const core::HttpResponse* other) {
  OperationsFinding finding;
  std::vector<std::string> troubles;
  bool is_locked = true;
  int silences = 0;
  for (const std::string_view name : asked_operations) {
    if (!context.profile.operations.contains(name) || silences == most_silences) continue;
    const core::OperationShape& shape = *core::operation_shape(name);
    Session session(context, context.prefix + "-look");
    Reply reply;
    try {
      core::Operation asked = question(name, id, context);
      reply = co_await session.perform(std::move(asked));
    } catch (const NotApplicable&) {
      continue;
    }
    co_await clean_up_after(session, shape, *reply.answer);
    finding.was_asked = true;
    if (reply.is_profile_fault) {
      finding.trouble = reply.answer->trouble;
      finding.is_profile_fault = true;
      co_return finding;
    }
    if (is_understood(shape, *reply.answer) && is_other(reply, session.history(), other)) {
      co_return finding;
    }
    troubles.push_back(answered(reply, shape));
    if (reply.answer->transport) ++silences;
    is_locked &= reply.answer->status == 401 || reply.answer->status == 403;
  }
  if (troubles.empty()) co_return finding;
  finding.trouble =
      fmt::format("{}: nothing here answers as the profile {} describes: {}; {}",
                  context.target.location(), context.profile.name, fmt::join(troubles, "; "),
                  is_locked ? "does the profile have the right credentials?" : "is the URL right?");
  finding.trouble += other_profile_advice(context.profile);
  co_return finding;
}

}  // namespace assay::run
