#include "harness/run/awaited.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "harness/check/run_state.h"
#include "harness/run/pauses.h"

namespace assay::run {
namespace {

Value parameter(const core::Operation& operation, std::string_view name) {
  const auto found = operation.parameters.find(name);
  return found == operation.parameters.end() ? Value() : found->second;
}

std::string status_before(const core::History& history, const core::Operation& operation) {
  return check::status_of_run(history, parameter(operation, "run_id"));
}

}  // namespace

std::string unaskable_of(const core::Profile& profile, const core::History& history,
                         const core::Operation& operation) {
  if (operation.name != "runs.transition" || profile.missing_states.empty()) return "";
  const std::string from = status_before(history, operation);
  const Value to = parameter(operation, "to");
  if (!profile.missing_states.contains(from)) return "";
  if (to.is_string() && check::leads_to(from, to.as_string())) return "";
  return fmt::format("the target has no state {} that a run could stay in", from);
}

bool is_awaited(const core::Profile& profile, const core::History& history,
                const core::Operation& operation) {
  return operation.name == "runs.transition" && !profile.passing_states.empty() &&
         parameter(operation, "to") == Value("running") &&
         profile.passing_states.contains(status_before(history, operation));
}

boost::asio::awaitable<Reply> await_transition(Session& session, const core::Operation& operation) {
  const Value to = parameter(operation, "to");
  const double within_ms = session.scaled(session.context().profile.limits.within_ms);
  const double latest_ms = std::min(session.now_ms() + within_ms, session.latest_ms());
  double pause_ms = first_pause_ms;
  while (true) {
    core::Operation look{"runs.get", {{"run_id", parameter(operation, "run_id")}}};
    Reply reply = co_await session.perform(std::move(look), {.is_look = true});
    const Value* status = reply.body() != nullptr ? reply.body()->find("status") : nullptr;
    if (status != nullptr && *status == to) co_return reply;
    if (session.now_ms() >= latest_ms) {
      core::Answer never;
      never.acceptance = core::Acceptance::no_answer;
      never.trouble = fmt::format("the run did not become {} by itself within {} ms",
                                  to.as_string(), within_ms);
      reply.answer = std::make_shared<const core::Answer>(std::move(never));
      co_return reply;
    }
    co_await session.wait(pause_ms);
    pause_ms = std::min(2 * pause_ms, longest_pause_ms);
  }
}

}  // namespace assay::run
