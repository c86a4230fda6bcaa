#include "harness/run/hooks.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "harness/check/text.h"
#include "harness/run/pauses.h"
#include "harness/wire/answer_body.h"
#include "harness/wire/exchange.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;

std::string answered(const core::HttpRequest& request, const core::HttpResult& result) {
  std::string text = fmt::format("{} {}: ", request.method, check::cut_text(request.target, 200));
  if (!result) return text.append(core::transport_fault_texts[result.error().fault]);
  const auto& response = *result;
  return text + fmt::format("answered {}: {}", response.status,
                            check::cut_text(response.body, check::message_bytes));
}

/// What is not there of what an accepted answer should give. The answer itself may be a login's,
/// and is not shown.
std::string uncaptured(const core::Hook& hook, const core::HttpResult& result,
                       const Object& parameters) {
  if (!result || !hook.accepted.contains(result->status)) return "";
  Object captured = parameters;
  const std::string name =
      wire::take_captures(hook.captures, *result, hook.request.answers, captured);
  if (name.empty()) return "";
  const auto& where = hook.captures.at(name).from;
  const auto* head = std::get_if<core::HeadMapping>(&where);
  const auto* pointer = std::get_if<core::PointerMapping>(&where);
  const std::string place = head != nullptr      ? "the header or link " + head->name
                            : pointer != nullptr ? pointer->pointer
                                                 : std::string();
  const wire::AnswerBody body = wire::read_answer_body(*result, hook.request.answers);
  std::vector<std::string> members;
  if (body.value && body.value->is_object()) {
    for (const auto& [member, value] : body.value->as_object()) members.push_back(member);
  }
  return fmt::format("answered {} with nothing at {}, which is captured as {}; it has {}",
                     result->status, place, name,
                     members.empty() ? "no members" : fmt::format("{}", fmt::join(members, ", ")));
}

awaitable<HooksEnd> run_hook(Session& session, const core::Hook& hook, Object& parameters) {
  HooksEnd end;
  const bool makes_values = session.context().profile.makes_values;
  // Among the parameters may be an answer of megabytes: they are copied only where it is needed.
  Object with_made;
  if (makes_values) {
    with_made = parameters;
    session.add_made_values(with_made);
  }
  auto rendered =
      wire::render_hook(session.context().profile, hook, makes_values ? with_made : parameters);
  if (!rendered) {
    if (!rendered.error().is_profile_fault) throw NotApplicable(rendered.error().reason);
    end.acceptance = core::Acceptance::unexpected;
    end.trouble = rendered.error().reason;
    end.is_profile_fault = true;
    co_return end;
  }
  const auto& request = *rendered;
  const double within_ms = session.scaled(session.context().profile.limits.within_ms);
  const double latest_ms = std::min(session.now_ms() + within_ms, session.latest_ms());
  double pause_ms = first_pause_ms;
  while (true) {
    core::HttpRequest asked = request;
    const core::HttpResult result = co_await session.exchange_for_hook(std::move(asked));
    std::optional<core::Acceptance> acceptance;
    std::string missing;
    co_await perform_on(session.context(), result ? result->body.size() : 0, [&] {
      acceptance = wire::take_hook(hook, result, parameters);
      if (acceptance && acceptance != core::Acceptance::accepted) {
        missing = uncaptured(hook, result, parameters);
      }
    });
    end.exchanges.push_back(session.history().exchanges.size() - 1);
    end.acceptance = core::Acceptance::accepted;
    end.trouble.clear();
    end.transport.reset();
    if (acceptance == core::Acceptance::accepted) co_return end;
    end.acceptance = acceptance.value_or(core::Acceptance::unexpected);
    end.trouble = missing.empty() ? answered(request, result)
                                  : fmt::format("{} {}: {}", request.method,
                                                check::cut_text(request.target, 200), missing);
    if (!result) end.transport = result.error();
    if (acceptance || session.now_ms() >= latest_ms) co_return end;
    co_await session.wait(pause_ms);
    pause_ms = std::min(2 * pause_ms, longest_pause_ms);
  }
}

}  // namespace

awaitable<HooksEnd> run_hooks(Session& session, const std::vector<core::Hook>& hooks,
                              Object& parameters) {
  std::vector<std::size_t> exchanges;
  HooksEnd end;
  for (const core::Hook& hook : hooks) {
    if (!wire::is_due(hook, parameters)) continue;
    end = co_await run_hook(session, hook, parameters);
    exchanges.insert(exchanges.end(), end.exchanges.begin(), end.exchanges.end());
    if (end.acceptance != core::Acceptance::accepted) break;
  }
  end.exchanges = std::move(exchanges);
  co_return end;
}

awaitable<HooksEnd> run_setup(Session& session, RunContext& context) {
  context.ambient.insert_or_assign("mark", context.prefix);
  if (!context.profile.login.empty()) {
    HooksEnd login = co_await log_in(context, 0);
    context.secrets.add(context.login->secrets);
    if (login.acceptance != core::Acceptance::accepted) {
      login.trouble = "login: " + login.trouble;
      co_return login;
    }
  }
  Object captured = context.ambient;
  HooksEnd end = co_await run_hooks(session, context.profile.setup, captured);
  if (end.acceptance != core::Acceptance::accepted) co_return end;
  captured.erase("mark");
  for (const auto& [name, value] : captured) {
    context.secrets.add_captured(name, value, context.profile);
  }
  context.ambient.insert_or_assign("setup", std::move(captured));
  co_return end;
}

awaitable<void> undo(Session& session, const std::vector<core::Operation>& undoings) {
  for (core::Operation operation : undoings) {
    try {
      (void)co_await session.perform(std::move(operation));
    } catch (const NotApplicable&) {
      // The case could not have asked for it either.
    }
  }
}

awaitable<void> clean_up(Session& session,
                         const std::vector<std::pair<std::string, std::string>>& made) {
  const auto& cleanup = session.context().profile.cleanup;
  for (const auto& [kind, id] : made) {
    const auto hook = cleanup.find(kind);
    if (hook == cleanup.end()) continue;
    Object parameters = session.context().ambient;
    parameters.insert_or_assign(kind, id);
    try {
      (void)co_await run_hook(session, hook->second, parameters);
    } catch (const NotApplicable&) {
      // The template names what the run has not: nothing can be cleaned up.
    }
  }
}

}  // namespace assay::run
