#include "harness/run/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>

#include "base/encoding.h"
#include "base/instant.h"
#include "base/rfc3339.h"
#include "base/visible.h"
#include "harness/check/answer.h"
#include "harness/check/case_history.h"
#include "harness/check/text.h"
#include "harness/core/adapter_line.h"
#include "harness/core/secrets.h"
#include "harness/core/undeclared.h"
#include "harness/run/awaited.h"
#include "harness/run/hooks.h"
#include "harness/run/raw_path.h"
#include "harness/run/resending.h"
#include "harness/wire/answer_body.h"
#include "harness/wire/exchange.h"
#include "harness/wire/guard_words.h"
#include "harness/wire/json.h"
#include "harness/wire/mapping.h"

namespace assay::run {
namespace {

using core::Acceptance;
using core::TransportFault;
using core::Verdict;

/// How much of what looks were answered a case's history holds: a look is asked again and again,
/// and a target may answer each with all that it can.
constexpr std::size_t kept_look_bytes = std::size_t{16} * 1024 * 1024;

/// A longer answer is kept cut: no case of the suite has one.
constexpr std::size_t whole_answer_bytes = std::size_t{4} * 1024 * 1024;

core::HttpResponse kept(core::HttpResponse response) {
  if (response.body.size() > whole_answer_bytes) {
    response.body = check::kept_body(std::move(response.body));
  }
  return response;
}

/// A raw request is judged without a profile's mapping: the statuses that HTTP gives these
/// meanings.
Acceptance acceptance_of(int status) {
  if (status >= 200 && status < 300) return Acceptance::accepted;
  if (status == 404) return Acceptance::unknown;
  if (status == 409 || status == 422) return Acceptance::refused;
  return Acceptance::unexpected;
}

/// A login portal, a gateway that moved and a path without its slash send elsewhere. 304 is no
/// redirect.
bool is_redirect(int status) { return status >= 300 && status < 400 && status != 304; }

core::Answer raw_answer(const core::HttpResult& result) {
  core::Answer answer;
  if (!result) {
    answer.transport = result.error();
    return answer;
  }
  const auto& response = *result;
  answer.status = response.status;
  answer.acceptance = acceptance_of(response.status);
  wire::AnswerBody read = wire::read_answer_body(response);
  answer.is_ambiguous = read.is_ambiguous;
  if (read.says_nothing) answer.acceptance = Acceptance::no_answer;
  if (read.value) {
    answer.mapped = *read.value;
    answer.body = *std::move(read.value);
  } else {
    answer.trouble = read.trouble.empty() ? "the body is not JSON: it is empty" : read.trouble;
  }
  return answer;
}

std::string request_line_of(const core::HttpRequest& request) {
  return fmt::format("{} {}", request.method, check::cut_text(request.target, 200));
}

void mask_headers(std::vector<core::Header>& headers, const core::Secrets& secrets) {
  for (core::Header& header : headers) header.value = secrets.shown_value(header);
}

void mask_exchange(core::Exchange& exchange, const core::Secrets& secrets) {
  core::HttpRequest& request = exchange.request;
  mask_headers(request.headers, secrets);
  request.target = secrets.masked(std::move(request.target));
  if (request.body) request.body = secrets.masked(std::move(*request.body));
  if (exchange.error) exchange.error->detail = secrets.masked(std::move(exchange.error->detail));
  if (!exchange.response) return;
  mask_headers(exchange.response->headers, secrets);
  exchange.response->body = secrets.masked(std::move(exchange.response->body));
}

}  // namespace

boost::asio::awaitable<void> perform_on(const RunContext& context, std::size_t bytes,
                                        std::function<void()> work) {
  if (context.side_thread == nullptr || bytes <= most_bytes_at_once) {
    work();
  } else {
    co_await context.side_thread->perform(std::move(work));
  }
}

std::size_t body_bytes_of(const std::vector<core::Exchange>& exchanges) {
  std::size_t bytes = 0;
  for (const core::Exchange& exchange : exchanges) {
    if (exchange.response) bytes += exchange.response->body.size();
  }
  return bytes;
}

core::HttpRequest kept(core::HttpRequest request) {
  if (request.body) request.body = check::kept_body(*std::move(request.body));
  return request;
}

const Value* Reply::body() const {
  if (!answer->trouble.empty()) return nullptr;
  return core::is_taken(answer->acceptance) ? &answer->mapped : &answer->body;
}

Session::Session(const RunContext& context, std::string name)
    : context_(context), name_(std::move(name)), start_ms_(context.clock.steady_ms()) {}

double Session::now_ms() const { return context_.clock.steady_ms() - start_ms_; }

double Session::latest_ms() const { return scaled(context_.profile.limits.case_ms); }

double Session::scaled(std::int64_t wait_ms) const {
  return static_cast<double>(wait_ms) * context_.profile.limits.wait_factor;
}

void Session::end_if_interrupted() const {
  if (!is_winding_up_ && context_.stop.stop_requested()) throw Interrupted();
}

boost::asio::awaitable<void> Session::wait(double pause_ms) {
  if (pause_ms > 0) co_await context_.waiter.wait(pause_ms);
  end_if_interrupted();
}

void Session::add_made_values(Object& parameters) {
  if (!context_.profile.makes_values) return;
  const Instant now = context_.clock.wall_time();
  ++made_count_;
  parameters.insert_or_assign("now", rfc3339(now));
  parameters.insert_or_assign(
      "now_ms",
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count());
  parameters.insert_or_assign("count", made_count_);
  parameters.insert_or_assign("unique", fmt::format("{}-c{}", name_, made_count_));
}

double Session::settled_ms() const {
  const double lag_ms = consistency_window_ms(context_.profile);
  if (lag_ms <= 0) return 0;
  const std::optional<double> changed_ms = check::last_changed_ms(history_);
  return changed_ms ? *changed_ms + lag_ms : 0;
}

boost::asio::awaitable<bool> Session::settle() {
  const double until_ms = settled_ms();
  if (until_ms > latest_ms()) co_return false;
  co_await wait(until_ms - now_ms());
  co_return true;
}

boost::asio::awaitable<core::HttpResult> Session::send_once(core::HttpRequest request,
                                                            core::Delivery delivery) {
  target::Delivery how;
  how.fault = delivery;
  if (!needs_login(request)) {
    return context_.target.perform_with_delivery(std::move(request), how);
  }
  return context_.target.perform_with_delivery(with_login(std::move(request), *context_.login),
                                               how);
}

boost::asio::awaitable<core::HttpResult> Session::send_logged_in(core::HttpRequest request) {
  const std::uint64_t seen = context_.login->times;
  if (seen == 0 || !needs_login(request)) {
    co_return co_await send_once(std::move(request), core::Delivery::once);
  }
  core::HttpRequest again = request;
  core::HttpResult result = co_await send_once(std::move(request), core::Delivery::once);
  if (!result || result->status != 401) co_return result;
  const HooksEnd end = co_await log_in(context_, seen);
  if (end.acceptance != Acceptance::accepted) co_return result;
  co_return co_await send_once(std::move(again), core::Delivery::once);
}

core::Exchange Session::begun(const core::HttpRequest& request,
                              const std::string& operation) const {
  core::Exchange record;
  record.operation = operation;
  record.request = kept(request);
  record.called_ms = now_ms();
  return record;
}

void Session::keep_exchange(core::Exchange record, const core::HttpResult& result,
                            Pending& pending) {
  record.returned_ms = now_ms();
  if (!result) {
    record.error = result.error();
  } else {
    const auto& response = *result;
    record.response = kept(response);
    pending.reply.headers = response.headers;
    pending.body_bytes = response.body.size();
  }
  pending.call.called_ms = record.called_ms;
  pending.call.returned_ms = record.returned_ms;
  pending.call.exchanges.push_back(history_.exchanges.size());
  history_.exchanges.push_back(std::move(record));
}

boost::asio::awaitable<core::HttpResult> Session::exchange(core::HttpRequest request,
                                                           const std::string& operation,
                                                           bool is_harmless_twice,
                                                           Pending& pending) {
  core::Exchange record = begun(request, operation);
  while (true) {
    end_if_interrupted();
    core::HttpRequest asked = request;
    core::HttpResult result = co_await send_logged_in(std::move(asked));
    const auto pause_ms = pause_before_resending(result, is_harmless_twice, record.times_sent);
    const bool is_over = context_.target.is_immediate() || !pause_ms ||
                         core::is_adapter_line(request) || now_ms() + *pause_ms > latest_ms();
    if (is_over) {
      keep_exchange(std::move(record), result, pending);
      co_return result;
    }
    ++record.times_sent;
    co_await wait(*pause_ms);
  }
}

boost::asio::awaitable<core::HttpResult> Session::exchange_for_hook(core::HttpRequest request) {
  Pending unkept;
  const bool is_harmless = is_harmless_twice(request.method);
  co_return co_await exchange(std::move(request), "profile", is_harmless, unkept);
}

Reply Session::keep(Pending pending) {
  core::Call& call = pending.call;
  Reply& reply = pending.reply;
  call.answer = std::make_shared<const core::Answer>(std::move(pending.answer));
  reply.answer = call.answer;
  reply.operation = call.asked.name;
  reply.exchanges = call.exchanges;
  reply.body_bytes = pending.body_bytes;
  if (call.is_look) {
    whole_looks_.emplace_back(history_.calls.size(), pending.body_bytes);
    whole_look_bytes_ += pending.body_bytes;
  }
  history_.calls.push_back(std::move(call));
  let_go_of_old_looks();
  return std::move(reply);
}

void Session::let_go_of_old_looks() {
  static const auto gone = [] {
    core::Answer answer;
    answer.trouble = "too large to be kept";
    return std::make_shared<const core::Answer>(std::move(answer));
  }();
  while (whole_look_bytes_ > kept_look_bytes) {
    const auto [call, bytes] = whole_looks_.front();
    history_.calls[call].answer = gone;
    for (const std::size_t index : history_.calls[call].exchanges) {
      auto& response = history_.exchanges[index].response;
      if (response) response->body = check::kept_body(std::move(response->body));
    }
    whole_look_bytes_ -= bytes;
    whole_looks_.pop_front();
  }
}

boost::asio::awaitable<void> Session::perform_unreliably(core::Operation operation,
                                                         core::Delivery delivery) {
  Pending pending;
  pending.call.asked = operation;
  operation.parameters.insert(context_.ambient.begin(), context_.ambient.end());
  add_made_values(operation.parameters);
  auto rendered = wire::render_request(context_.profile, operation);
  if (!rendered) throw NotApplicable(rendered.error().reason);
  auto& request = *rendered;
  core::Exchange record = begun(request, operation.name);
  end_if_interrupted();
  const core::HttpResult result = co_await send_once(std::move(request), delivery);
  keep_exchange(std::move(record), result, pending);
  // It may have arrived all the same: what is judged of the calls has to know of it.
  pending.answer = wire::read_answer(context_.profile, operation.name, result);
  if (keep(std::move(pending)).answer->transport) end_if_interrupted();
}

boost::asio::awaitable<Reply> Session::perform(core::Operation operation, CallKind kind) {
  Pending pending;
  pending.call.asked = operation;
  pending.call.is_look = kind.is_look;
  pending.call.is_later_page = kind.is_later_page;
  co_await carry_out(std::move(operation), pending);
  Reply reply = keep(std::move(pending));
  // A call that was given up says nothing of the target.
  if (reply.answer->transport) end_if_interrupted();
  co_return reply;
}

boost::asio::awaitable<bool> Session::run_hooks_of(Pending& pending,
                                                   const std::vector<core::Hook>& hooks,
                                                   Object& parameters) {
  const HooksEnd end = co_await run_hooks(*this, hooks, parameters);
  std::vector<std::size_t>& exchanges = pending.call.exchanges;
  exchanges.insert(exchanges.end(), end.exchanges.begin(), end.exchanges.end());
  if (end.acceptance == Acceptance::accepted) co_return true;
  pending.answer.acceptance = end.acceptance;
  pending.answer.trouble = end.trouble;
  pending.answer.transport = end.transport;
  pending.reply.is_profile_fault = end.is_profile_fault;
  co_return false;
}

void Session::name_events_in_guards(core::Operation& operation) const {
  const auto playbook = operation.parameters.find("playbook");
  if (playbook == operation.parameters.end()) return;
  auto renamed = wire::with_target_names_in_guards(context_.profile, std::move(playbook->second));
  if (!renamed) throw NotApplicable(renamed.error().reason);
  playbook->second = *std::move(renamed);
}

boost::asio::awaitable<void> Session::carry_out(core::Operation operation, Pending& pending) {
  name_events_in_guards(operation);
  operation.parameters.insert(context_.ambient.begin(), context_.ambient.end());
  const auto found = context_.profile.operations.find(operation.name);
  const core::OperationTemplate* form =
      found == context_.profile.operations.end() ? nullptr : &found->second;
  pending.reply.request_line = operation.name;
  pending.call.called_ms = pending.call.returned_ms = now_ms();
  add_made_values(operation.parameters);
  if (form != nullptr && !co_await run_hooks_of(pending, form->before, operation.parameters)) {
    // An operation that was never asked has no answer; where the profile says what the answer to
    // its hook means, it means that.
    Acceptance& acceptance = pending.answer.acceptance;
    if (acceptance == Acceptance::unexpected) acceptance = Acceptance::no_answer;
    co_return;
  }
  if (const std::string reason = unaskable_of(context_.profile, history_, operation);
      !reason.empty()) {
    throw NotApplicable(reason);
  }
  if (is_awaited(context_.profile, history_, operation)) {
    Reply shown = co_await await_transition(*this, operation);
    pending.answer = *shown.answer;
    pending.call.exchanges = std::move(shown.exchanges);
    pending.reply.headers = std::move(shown.headers);
    pending.reply.request_line = std::move(shown.request_line);
    pending.call.returned_ms = now_ms();
    co_return;
  }
  auto rendered = wire::render_request(context_.profile, operation);
  if (!rendered) throw NotApplicable(rendered.error().reason);
  auto& request = *rendered;
  pending.reply.request_line = request_line_of(request);
  const bool is_harmless = is_harmless_twice(operation, context_.profile);
  const core::HttpResult result =
      co_await exchange(std::move(request), operation.name, is_harmless, pending);
  core::Answer& answer = pending.answer;
  co_await perform_on(context_, pending.body_bytes, [&] {
    answer = wire::read_answer(context_.profile, operation.name, result, operation.parameters);
  });
  if (form == nullptr || !core::is_taken(answer.acceptance)) co_return;
  co_await conclude(*form, result, operation.parameters, pending);
}

boost::asio::awaitable<void> Session::conclude(const core::OperationTemplate& form,
                                               const core::HttpResult& result, Object& parameters,
                                               Pending& pending) {
  core::Answer& answer = pending.answer;
  const auto& response = *result;
  std::string missing;
  const std::size_t captured_bytes = form.captures.empty() ? 0 : pending.body_bytes;
  co_await perform_on(context_, captured_bytes, [&] {
    missing = wire::take_captures(form.captures, response, form.answers, parameters);
  });
  if (!missing.empty()) {
    answer.acceptance = Acceptance::unexpected;
    answer.trouble =
        fmt::format("answered {} with nothing to capture as {}", response.status, missing);
    co_return;
  }
  if (!form.after.empty()) {
    co_await perform_on(context_, pending.body_bytes,
                        [&] { parameters.insert_or_assign("answer", answer.body); });
    const bool goes_on = co_await run_hooks_of(pending, form.after, parameters);
    if (!goes_on) co_return;
  }
  co_await perform_on(context_, pending.body_bytes, [&] {
    if (form.read && !form.after.empty()) {
      answer.mapped = wire::apply_mapping(*form.read, {answer.body, response.headers, parameters});
    }
    // What is long takes its time to go, too.
    if (!form.after.empty()) parameters.erase("answer");
    wire::narrow_items(form, parameters, answer.mapped);
    if (form.paging.style == core::Paging::Style::cursor || !answer.mapped.is_object()) return;
    answer.mapped.as_object().insert_or_assign("next",
                                               wire::next_page(form.paging, parameters, answer));
  });
}

boost::asio::awaitable<Reply> Session::send(core::HttpRequest request) {
  if (!context_.target.speaks_http()) {
    throw NotApplicable(
        "a request of the scenario's own needs HTTP, and the target has an adapter");
  }
  const std::string undeclared = undeclared_operation(context_.profile, request.target);
  if (!undeclared.empty()) throw NotApplicable(core::undeclared_reason({undeclared}));
  for (const core::Header& header : wire::own_headers(context_.profile, context_.ambient)) {
    const bool is_set = std::any_of(
        request.headers.begin(), request.headers.end(),
        [&header](const auto& own) { return same_without_case(own.name, header.name); });
    if (!is_set) request.headers.push_back(header);
  }
  Pending pending;
  pending.call.asked.name = core::raw_request;
  pending.reply.request_line = request_line_of(request);
  const bool is_harmless = is_harmless_twice(request.method);
  const core::HttpResult result =
      co_await exchange(std::move(request), core::raw_request, is_harmless, pending);
  co_await perform_on(context_, pending.body_bytes, [&] { pending.answer = raw_answer(result); });
  co_return keep(std::move(pending));
}

Verdict verdict_of(const core::TransportError& error) {
  switch (error.fault) {
    case TransportFault::request_timeout:
    case TransportFault::closed:
    case TransportFault::malformed:
    case TransportFault::header_limit:
    case TransportFault::body_limit:
    case TransportFault::adapter:
      return Verdict::inconclusive;
    default:
      return Verdict::error;
  }
}

std::optional<Silence> silence_of(const Reply& reply, const core::AnswerPattern* asked) {
  const core::Answer& answer = *reply.answer;
  if (answer.transport) return Silence{verdict_of(*answer.transport), trouble_text(reply)};
  if (answer.acceptance == Acceptance::no_answer) {
    return Silence{Verdict::inconclusive, trouble_text(reply)};
  }
  const bool is_of_an_intermediary =
      core::is_intermediary_status(answer.status) || is_redirect(answer.status);
  if (answer.acceptance != Acceptance::unexpected || !is_of_an_intermediary) return std::nullopt;
  const bool is_asked_for =
      asked != nullptr && std::find(asked->statuses.begin(), asked->statuses.end(),
                                    answer.status) != asked->statuses.end();
  if (is_asked_for) return std::nullopt;
  return Silence{Verdict::inconclusive,
                 fmt::format("{}: answered {}, which says nothing of the target",
                             reply.request_line, answer.status)};
}

std::string trouble_text(const Reply& reply) {
  const core::Answer& answer = *reply.answer;
  if (answer.acceptance == Acceptance::no_answer && !answer.trouble.empty()) {
    return fmt::format("{}: {}", reply.request_line, answer.trouble);
  }
  if (answer.transport) {
    const std::string_view fault = core::transport_fault_texts[answer.transport->fault];
    const std::string& detail = answer.transport->detail;
    return fmt::format("{}: {}{}{}", reply.request_line, fault, detail.empty() ? "" : ": ", detail);
  }
  if (!answer.trouble.empty()) {
    return fmt::format("{}: answered {}: {}", reply.request_line, answer.status, answer.trouble);
  }
  return fmt::format("{}: answered {}, which the profile does not name", reply.request_line,
                     answer.status);
}

void mask_secrets(core::CaseResult& result, const core::Secrets& of_run) {
  core::Secrets secrets{std::span<const core::CaseResult>(&result, 1)};
  secrets.add(of_run);
  for (core::Exchange& exchange : result.exchanges) mask_exchange(exchange, secrets);
  for (core::Check& check : result.checks) {
    check.expected = secrets.masked(std::move(check.expected));
    check.actual = secrets.masked(std::move(check.actual));
    check.reason = secrets.masked(std::move(check.reason));
  }
  result.reason = secrets.masked(std::move(result.reason));
  result.repro = secrets.masked(std::move(result.repro));
}

double consistency_window_ms(const core::Profile& profile) {
  if (!profile.consistency.eventual) return 0;
  return static_cast<double>(profile.consistency.window_ms) * profile.limits.wait_factor;
}

}  // namespace assay::run
