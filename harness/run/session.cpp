#include "harness/run/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "base/encoding.h"
#include "base/visible.h"
#include "harness/check/answer.h"
#include "harness/check/text.h"
#include "harness/core/operation_shape.h"
#include "harness/core/secrets.h"
#include "harness/run/errands.h"
#include "harness/run/raw_path.h"
#include "harness/run/resending.h"
#include "harness/wire/answer_body.h"
#include "harness/wire/exchange.h"
#include "harness/wire/json.h"

namespace assay::run {
namespace {

using core::Acceptance;
using core::TransportFault;
using core::Verdict;

/// How much of a body the record keeps: enough to see what was wrong with it.
constexpr std::size_t kept_body_bytes = std::size_t{16} * 1024;

void cut_body(std::string& body) {
  const std::size_t size = body.size();
  if (size <= kept_body_bytes) return;
  body.resize(kept_body_bytes + 1);
  body = fmt::format("{} ({} bytes in all)", check::cut_text(body, kept_body_bytes), size);
}

core::HttpRequest kept(core::HttpRequest request) {
  if (request.body) cut_body(*request.body);
  return request;
}

/// A raw request is judged without a profile's mapping: the statuses that HTTP gives these
/// meanings.
Acceptance acceptance_of(int status) {
  if (status >= 200 && status < 300) return Acceptance::accepted;
  if (status == 404) return Acceptance::unknown;
  if (status == 409 || status == 422) return Acceptance::refused;
  return Acceptance::unexpected;
}

core::Answer raw_answer(const core::HttpResult& result) {
  core::Answer answer;
  if (const auto* error = std::get_if<core::TransportError>(&result)) {
    answer.transport = *error;
    return answer;
  }
  const auto& response = std::get<core::HttpResponse>(result);
  answer.status = response.status;
  answer.acceptance = acceptance_of(response.status);
  wire::AnswerBody read = wire::read_answer_body(response);
  answer.is_ambiguous = read.is_ambiguous;
  if (read.is_encoded) answer.acceptance = Acceptance::no_answer;
  if (read.value) {
    answer.mapped = *read.value;
    answer.body = *std::move(read.value);
  } else {
    answer.trouble = read.trouble.empty() ? "the body is no JSON: it is empty" : read.trouble;
  }
  return answer;
}

bool is_taken(const core::Answer& answer) {
  return answer.acceptance == Acceptance::accepted || answer.acceptance == Acceptance::duplicate;
}

/// An operation whose own requests were not accepted was not either.
void take_end(Reply& reply, const ErrandsEnd& end) {
  reply.answer.acceptance = end.acceptance;
  reply.answer.trouble = end.trouble;
  reply.answer.transport = end.transport;
  reply.is_profile_fault = end.is_profile_fault;
}

/// An operation that was never asked, because what has to be asked first was not answered as the
/// profile says, has no answer; where the profile says what the answer means, it means that.
void take_end_before(Reply& reply, const ErrandsEnd& end) {
  take_end(reply, end);
  if (end.acceptance == Acceptance::unexpected) reply.answer.acceptance = Acceptance::no_answer;
}

void keep_result(core::Exchange& record, const core::HttpResult& result, double returned_ms) {
  record.returned_ms = returned_ms;
  if (const auto* error = std::get_if<core::TransportError>(&result)) {
    record.error = *error;
  } else {
    record.response = std::get<core::HttpResponse>(result);
    cut_body(record.response->body);
  }
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

const Value* Reply::body() const {
  if (!answer.trouble.empty()) return nullptr;
  const bool is_mapped =
      answer.acceptance == Acceptance::accepted || answer.acceptance == Acceptance::duplicate;
  return is_mapped ? &answer.mapped : &answer.body;
}

const std::vector<core::Header>& Reply::headers() const {
  static const std::vector<core::Header> none;
  return exchange.response ? exchange.response->headers : none;
}

Session::Session(const RunContext& context)
    : context_(context), start_ms_(context.clock.steady_ms()) {}

double Session::now_ms() const { return context_.clock.steady_ms() - start_ms_; }

double Session::latest_ms() const { return scaled(context_.profile.limits.case_ms); }

double Session::scaled(std::int64_t wait_ms) const {
  return static_cast<double>(wait_ms) * context_.profile.limits.wait_factor;
}

std::size_t Session::record(core::Exchange exchange) {
  exchanges_.push_back(std::move(exchange));
  return exchanges_.size() - 1;
}

boost::asio::awaitable<void> Session::wait(double pause_ms) {
  if (pause_ms > 0) co_await context_.waiter.wait(pause_ms);
}

double Session::settled_ms() const {
  const double lag_ms = consistency_window_ms(context_.profile);
  return changed_ms_ && lag_ms > 0 ? *changed_ms_ + lag_ms : 0;
}

boost::asio::awaitable<void> Session::settle() { co_await wait(settled_ms() - now_ms()); }

boost::asio::awaitable<core::HttpResult> Session::send_once(core::HttpRequest request,
                                                            core::Delivery delivery) {
  target::Delivery how;
  how.fault = delivery;
  return context_.target.perform_with_delivery(std::move(request), how);
}

boost::asio::awaitable<core::HttpResult> Session::exchange(core::HttpRequest request,
                                                           core::Exchange& record,
                                                           bool is_harmless_twice) {
  record.request = kept(request);
  record.called_ms = now_ms();
  while (true) {
    core::HttpRequest asked = request;
    core::HttpResult result = co_await send_once(std::move(asked), core::Delivery::once);
    const auto pause_ms = pause_before_resending(result, is_harmless_twice, record.times_sent);
    const bool is_over =
        context_.target.is_immediate() || !pause_ms || now_ms() + *pause_ms > latest_ms();
    if (is_over) {
      keep_result(record, result, now_ms());
      co_return result;
    }
    ++record.times_sent;
    co_await wait(*pause_ms);
  }
}

boost::asio::awaitable<core::HttpResult> Session::exchange_own(core::HttpRequest request) {
  core::Exchange record;
  record.operation = "profile";
  const bool is_harmless = is_harmless_twice(request.method);
  core::HttpResult result = co_await exchange(std::move(request), record, is_harmless);
  exchanges_.push_back(std::move(record));
  co_return result;
}

const std::vector<std::string>& Session::states_seen(const std::string& uuid) const {
  static const std::vector<std::string> none;
  const auto found = states_seen_.find(uuid);
  return found == states_seen_.end() ? none : found->second;
}

void Session::note_state(const Value& workflow_execution) {
  const auto uuid = workflow_execution.string_at("uuid");
  const auto status = workflow_execution.string_at("status");
  if (!uuid || !status) return;
  std::vector<std::string>& seen = states_seen_[*uuid];
  if (seen.empty() || seen.back() != *status) seen.push_back(*status);
}

void Session::keep_call(core::Operation operation, core::Answer answer,
                        const core::Exchange& exchange) {
  if (!keeps_calls_) return;
  calls_.push_back(
      {std::move(operation), std::move(answer), exchange.called_ms, exchange.returned_ms});
}

boost::asio::awaitable<void> Session::perform_badly(core::Operation operation,
                                                    core::Delivery delivery) {
  core::Operation asked = operation;
  operation.parameters.insert(context_.ambient.begin(), context_.ambient.end());
  auto rendered = wire::render_request(context_.profile, operation);
  if (const auto* reason = std::get_if<wire::NotExpressible>(&rendered)) {
    throw NotApplicable(reason->reason);
  }
  auto& request = std::get<core::HttpRequest>(rendered);
  core::Exchange record;
  record.operation = operation.name;
  record.request = kept(request);
  record.called_ms = now_ms();
  const core::HttpResult result = co_await send_once(std::move(request), delivery);
  keep_result(record, result, now_ms());
  changed_ms_ = now_ms();
  // It may have arrived all the same: what is judged of the calls has to know of it.
  core::Answer answer = wire::read_answer(context_.profile, operation.name, result);
  keep_call(std::move(asked), std::move(answer), record);
  exchanges_.push_back(std::move(record));
}

boost::asio::awaitable<Reply> Session::perform(core::Operation operation) {
  if (!keeps_calls_) co_return co_await carry_out(std::move(operation));
  core::Operation asked = operation;
  Reply reply = co_await carry_out(std::move(operation));
  keep_call(std::move(asked), reply.answer, reply.exchange);
  co_return reply;
}

boost::asio::awaitable<Reply> Session::carry_out(core::Operation operation) {
  operation.parameters.insert(context_.ambient.begin(), context_.ambient.end());
  const auto found = context_.profile.operations.find(operation.name);
  const core::OperationTemplate* form =
      found == context_.profile.operations.end() ? nullptr : &found->second;
  Reply reply;
  if (form != nullptr && !form->before.empty()) {
    const ErrandsEnd end = co_await run_errands(*this, form->before, operation.parameters);
    if (end.acceptance != Acceptance::accepted) {
      take_end_before(reply, end);
      reply.request_line = operation.name;
      reply.exchange = exchanges_.back();
      co_return reply;
    }
  }
  auto rendered = wire::render_request(context_.profile, operation);
  if (const auto* reason = std::get_if<wire::NotExpressible>(&rendered)) {
    throw NotApplicable(reason->reason);
  }
  auto& request = std::get<core::HttpRequest>(rendered);
  reply.request_line = request_line_of(request);
  reply.exchange.operation = operation.name;
  const bool is_harmless = is_harmless_twice(operation, context_.profile);
  const core::HttpResult result =
      co_await exchange(std::move(request), reply.exchange, is_harmless);
  if (!core::only_reads(operation.name)) changed_ms_ = now_ms();
  reply.answer = wire::read_answer(context_.profile, operation.name, result);
  if (form == nullptr || !is_taken(reply.answer)) co_return reply;
  if (operation.name == "workflow.get") note_state(reply.answer.mapped);
  wire::narrow_items(*form, operation.parameters, reply.answer.mapped);
  if (form->paging.style != core::Paging::Style::cursor && reply.answer.mapped.is_object()) {
    reply.answer.mapped.as_object().insert_or_assign(
        "next", wire::next_page(form->paging, operation.parameters, reply.answer));
  }
  if (!form->after.empty()) {
    operation.parameters.insert_or_assign("answer", reply.answer.body);
    const ErrandsEnd end = co_await run_errands(*this, form->after, operation.parameters);
    if (end.acceptance != Acceptance::accepted) take_end(reply, end);
  }
  co_return reply;
}

boost::asio::awaitable<Reply> Session::send(core::HttpRequest request) {
  const std::string undeclared = undeclared_operation(context_.profile, request.target);
  if (!undeclared.empty()) throw NotApplicable(fmt::format("the profile has no {}", undeclared));
  for (const core::Header& header : context_.profile.headers) {
    const bool is_set = std::any_of(
        request.headers.begin(), request.headers.end(),
        [&header](const auto& own) { return same_without_case(own.name, header.name); });
    if (!is_set) request.headers.push_back(header);
  }
  Reply reply;
  reply.request_line = request_line_of(request);
  reply.exchange.operation = "request";
  const bool is_read = request.method == "GET";
  const bool is_harmless = is_harmless_twice(request.method);
  const core::HttpResult result =
      co_await exchange(std::move(request), reply.exchange, is_harmless);
  if (!is_read) changed_ms_ = now_ms();
  reply.answer = raw_answer(result);
  keep_call({"request", {}}, reply.answer, reply.exchange);
  co_return reply;
}

Verdict verdict_of(const core::TransportError& error) {
  switch (error.fault) {
    case TransportFault::request_timeout:
    case TransportFault::closed:
    case TransportFault::malformed:
    case TransportFault::header_limit:
    case TransportFault::body_limit:
      return Verdict::inconclusive;
    default:
      return Verdict::error;
  }
}

std::optional<Silence> silence_of(const Reply& reply, const core::AnswerPattern* asked) {
  const core::Answer& answer = reply.answer;
  if (answer.transport) return Silence{verdict_of(*answer.transport), trouble_text(reply)};
  if (answer.acceptance == Acceptance::no_answer) {
    return Silence{Verdict::inconclusive, trouble_text(reply)};
  }
  if (answer.acceptance != Acceptance::unexpected || !core::is_intermediary_status(answer.status)) {
    return std::nullopt;
  }
  const bool is_asked_for =
      asked != nullptr && std::find(asked->statuses.begin(), asked->statuses.end(),
                                    answer.status) != asked->statuses.end();
  if (is_asked_for) return std::nullopt;
  return Silence{Verdict::inconclusive,
                 fmt::format("{}: answered {}, which says nothing of the target",
                             reply.request_line, answer.status)};
}

std::string trouble_text(const Reply& reply) {
  const core::Answer& answer = reply.answer;
  if (answer.acceptance == Acceptance::no_answer && !answer.trouble.empty()) {
    return fmt::format("{}: {}", reply.request_line, answer.trouble);
  }
  if (answer.transport) {
    const std::string_view fault = core::transport_fault_text(answer.transport->fault);
    const std::string& detail = answer.transport->detail;
    return fmt::format("{}: {}{}{}", reply.request_line, fault, detail.empty() ? "" : ": ", detail);
  }
  if (!answer.trouble.empty()) {
    return fmt::format("{}: answered {}: {}", reply.request_line, answer.status, answer.trouble);
  }
  return fmt::format("{}: answered {}, which the profile does not name", reply.request_line,
                     answer.status);
}

void mask_secrets(core::CaseResult& result) {
  const core::Secrets secrets{std::span<const core::CaseResult>(&result, 1)};
  for (core::Exchange& exchange : result.exchanges) mask_exchange(exchange, secrets);
  for (core::Check& check : result.checks) {
    check.expected = secrets.masked(std::move(check.expected));
    check.actual = secrets.masked(std::move(check.actual));
    check.reason = secrets.masked(std::move(check.reason));
  }
  result.reason = secrets.masked(std::move(result.reason));
}

double consistency_window_ms(const core::Profile& profile) {
  if (!profile.consistency.eventual) return 0;
  return static_cast<double>(profile.consistency.window_ms) * profile.limits.wait_factor;
}

}  // namespace assay::run
