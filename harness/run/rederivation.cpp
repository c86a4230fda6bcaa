#include "harness/run/rederivation.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <map>
#include <optional>
#include <utility>

#include "base/encoding.h"
#include "harness/check/text.h"
#include "harness/core/adapter_line.h"
#include "harness/core/secrets.h"
#include "harness/run/case_runner.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/target.h"
#include "harness/wire/record.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;

/// Time that passes only when nothing is left to do: then it jumps to what is waited for next.
class RecordedTime final : public target::Clock, public Waiter {
 public:
  explicit RecordedTime(boost::asio::io_context& io) : io_(io) {}

  /// No two moments are the same: of two calls one after the other the second begins later.
  [[nodiscard]] double steady_ms() const override { return now_ms_ += 1e-6; }
  [[nodiscard]] Instant wall_time() const override { return {}; }

  awaitable<void> wait(double pause_ms) override { return wait_until(now_ms_ + pause_ms); }

  awaitable<void> wait_until(double moment_ms) {
    if (moment_ms <= now_ms_) co_return;
    boost::asio::steady_timer timer(io_, boost::asio::steady_timer::time_point::max());
    waits_.emplace(moment_ms, &timer);
    boost::system::error_code woken;
    co_await timer.async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, woken));
  }

  void pass_to(double moment_ms) { now_ms_ = std::max(now_ms_, moment_ms); }

  /// False where nobody waits.
  bool jump() {
    if (waits_.empty()) return false;
    const auto next = waits_.begin();
    pass_to(next->first);
    boost::asio::steady_timer* timer = next->second;
    waits_.erase(next);
    timer->cancel();
    return true;
  }

 private:
  boost::asio::io_context& io_;
  mutable double now_ms_ = 0;
  std::multimap<double, boost::asio::steady_timer*> waits_;
};

/// Where a secret stood in a path, its mask is percent-encoded when the request is made of the
/// mask.
std::string without_encoded_masks(std::string target) {
  static const std::string encoded = percent_encoded(core::mask);
  for (std::size_t at = target.find(encoded); at != std::string::npos; at = target.find(encoded)) {
    target.replace(at, encoded.size(), core::mask);
  }
  return target;
}

bool is_same(const core::HttpRequest& left, const core::HttpRequest& right) {
  return left.method == right.method && left.target == right.target && left.body == right.body;
}

std::string line_of_request(const core::HttpRequest& request) {
  return fmt::format("{} {}", request.method, request.target);
}

/// Answers each request by what is recorded of it, when that answer came.
class RecordedTarget final : public target::Target {
 public:
  RecordedTarget(const std::vector<core::Exchange>& exchanges, RecordedTime& time,
                 const RecordedRun& run)
      : secrets_(run.profile),
        exchanges_(exchanges),
        is_used_(exchanges.size(), false),
        time_(time),
        is_immediate_(run.is_immediate),
        speaks_http_(run.speaks_http),
        pairs_answers_(run.pairs_answers) {}

  awaitable<core::HttpResult> perform(core::HttpRequest request) override {
    core::HttpRequest asked = wire::as_recorded(kept(std::move(request)), secrets_);
    asked.target = without_encoded_masks(std::move(asked.target));
    const core::Exchange* found = find(asked);
    if (found == nullptr) {
      unrecorded_.push_back(line_of_request(asked));
      co_return unexpected(
          core::TransportError{core::TransportFault::closed, "nothing is recorded", true});
    }
    if (is_immediate_) {
      // A call without a socket was over before the next began.
      time_.pass_to(found->returned_ms);
    } else {
      co_await time_.wait_until(found->returned_ms);
    }
    if (found->response) co_return *found->response;
    co_return unexpected(found->error.value_or(core::TransportError{}));
  }

  awaitable<core::HttpResult> perform_with_delivery(core::HttpRequest request,
                                                    target::Delivery /*delivery*/) override {
    return perform(std::move(request));
  }

  awaitable<bool> pairs_answers(std::chrono::steady_clock::time_point /*since*/,
                                std::chrono::milliseconds /*longest_wait*/) override {
    co_return pairs_answers_;
  }
  [[nodiscard]] bool is_immediate() const override { return is_immediate_; }
  [[nodiscard]] bool speaks_http() const override { return speaks_http_; }
  [[nodiscard]] std::string location() const override { return "record"; }

  /// What was asked for and is not recorded.
  [[nodiscard]] std::vector<std::string> take_unrecorded() { return std::move(unrecorded_); }

  /// What is recorded and was not asked for.
  [[nodiscard]] std::vector<std::string> unasked() const {
    std::vector<std::string> lines;
    for (std::size_t index = 0; index < is_used_.size(); ++index) {
      if (!is_used_[index]) lines.push_back(line_of_request(exchanges_[index].request));
    }
    return lines;
  }

 private:
  /// The same request that was sent first of those not yet answered, unless it is a read that saw
  /// what is still to be written; of a read that was sent more often, the last.
  const core::Exchange* find(const core::HttpRequest& asked) {
    std::optional<std::size_t> next;
    std::optional<std::size_t> last;
    for (std::size_t index = 0; index < exchanges_.size(); ++index) {
      const core::Exchange& each = exchanges_[index];
      if (!is_same(each.request, asked)) continue;
      std::optional<std::size_t>& place = is_used_[index] ? last : next;
      const bool is_earlier = place && each.called_ms < exchanges_[*place].called_ms;
      if (!place || is_earlier != is_used_[index]) place = index;
    }
    if (next && !(core::only_reads(asked) && comes_after_a_write(exchanges_[*next]))) {
      is_used_[*next] = true;
      return &exchanges_[*next];
    }
    return last && core::only_reads(asked) ? &exchanges_[*last] : nullptr;
  }

  [[nodiscard]] bool comes_after_a_write(const core::Exchange& read) const {
    for (std::size_t index = 0; index < exchanges_.size(); ++index) {
      const core::Exchange& each = exchanges_[index];
      const bool is_before = each.returned_ms <= read.called_ms;
      if (is_before && !is_used_[index] && !core::only_reads(each.request)) return true;
    }
    return false;
  }

  core::Secrets secrets_;
  const std::vector<core::Exchange>& exchanges_;
  std::vector<bool> is_used_;
  RecordedTime& time_;
  bool is_immediate_;
  bool speaks_http_;
  bool pairs_answers_;
  std::vector<std::string> unrecorded_;
};

/// Whether a part of what the case was told is not in the record as it came.
bool has_gap(const core::Exchange& exchange) {
  if (!exchange.response) return false;
  const std::string& body = exchange.response->body;
  return check::is_cut_body(body) || body.find("\xEF\xBF\xBD") != std::string::npos;
}

}  // namespace

Rederivation derive_again(const RecordedRun& run, const core::Case& one,
                          const std::vector<core::Exchange>& exchanges) {
  boost::asio::io_context io(1);
  RecordedTime time(io);
  RecordedTarget target(exchanges, time, run);
  RunContext context{.target = target,
                     .profile = run.profile,
                     .clock = time,
                     .waiter = time,
                     .seed = run.seed,
                     .prefix = run.prefix};
  // What a case made is removed after its record was taken.
  context.cleans_up = false;
  context.ambient.insert_or_assign("mark", run.prefix);
  context.ambient.insert_or_assign("setup", run.setup);
  Rederivation derived;
  std::exception_ptr fault;
  bool has_ended = false;
  boost::asio::co_spawn(
      io,
      [&]() -> awaitable<void> {
        derived.result = co_await run_case(context, one);
        derived.unrecorded = target.take_unrecorded();
      },
      [&](std::exception_ptr thrown) {
        fault = std::move(thrown);
        has_ended = true;
      });
  while (!has_ended) {
    io.restart();
    while (io.poll() > 0) {
    }
    if (!has_ended && !time.jump()) break;
  }
  if (fault) std::rethrow_exception(fault);
  derived.unasked = target.unasked();
  derived.has_gaps = std::any_of(exchanges.begin(), exchanges.end(), has_gap);
  return derived;
}

}  // namespace assay::run
