#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/check/histories.h"
#include "harness/core/http.h"
#include "harness/core/operation.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/core/verdict.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/target.h"

namespace assay::run {

/// What all cases of a run share. The references outlive every case.
struct RunContext {
  target::Target& target;
  const core::Profile& profile;
  target::Clock& clock;
  Waiter& waiter;
  std::uint64_t seed = 0;
  /// What every identifier begins with that the run makes; unique to it where a server is shared.
  std::string prefix;
  /// How the run was called, up to the choice of its cases: "assay run --profile mine.yaml". What
  /// shows a case again begins so; empty: it is made of the profile and the target.
  std::string command = {};
  /// What every template of the profile may name: mark (the prefix), and what its setup captured.
  Object ambient = {};
};

/// The target has no words for what a case asks of it: the case does not apply.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One request and what came of it.
struct Reply {
  core::Answer answer;
  /// For the record: bodies cut, times from the start of the case.
  core::Exchange exchange;
  /// "POST /executions", for messages.
  std::string request_line;
  /// A request that the profile makes beside the operation names what no answer has: the trouble
  /// says where.
  bool is_profile_fault = false;

  /// What a body pattern is held against: the mapped body of what was accepted, else the body as it
  /// came; nullptr where it could not be read.
  [[nodiscard]] const Value* body() const;
  [[nodiscard]] const std::vector<core::Header>& headers() const;
};

/// The exchanges of one case.
class Session {
 public:
  explicit Session(const RunContext& context);

  /// Sends an operation through the profile. Throws NotApplicable where the target has no words for
  /// it.
  boost::asio::awaitable<Reply> perform(core::Operation operation);

  /// Sends an operation that something happens to on its way; its answer, where there is one, is
  /// nobody's. Throws NotApplicable likewise.
  boost::asio::awaitable<void> perform_badly(core::Operation operation, core::Delivery delivery);

  /// Sends a request as it is (with the profile's headers, where it has none of that name). Throws
  /// NotApplicable where its path is that of an operation that the profile does not declare.
  boost::asio::awaitable<Reply> send(core::HttpRequest request);

  /// Sends a request of the profile's own, and keeps the exchange for the record.
  boost::asio::awaitable<core::HttpResult> exchange_own(core::HttpRequest request);

  /// From here on keeps every call with its answer, to judge those that overlap.
  void keep_calls() { keeps_calls_ = true; }
  [[nodiscard]] const std::vector<check::PerformedCall>& calls() const { return calls_; }

  boost::asio::awaitable<void> wait(double pause_ms);

  /// Waits until every read shows what this case has changed so far: at once where the target's
  /// consistency is immediate.
  boost::asio::awaitable<void> settle();
  /// From when on that is so, in milliseconds since the start of the case.
  [[nodiscard]] double settled_ms() const;

  /// Milliseconds since the start of the case.
  [[nodiscard]] double now_ms() const;
  /// When the case's time is over.
  [[nodiscard]] double latest_ms() const;
  /// A wait that a scenario or profile names, times the profile's factor.
  [[nodiscard]] double scaled(std::int64_t wait_ms) const;
  [[nodiscard]] const RunContext& context() const { return context_; }

  /// Notes a thing that the case made: execution_id, run_id or uuid, and its value.
  void note_made(std::string kind, Value id) { made_.emplace_back(std::move(kind), std::move(id)); }
  [[nodiscard]] const std::vector<std::pair<std::string, Value>>& made() const { return made_; }

  /// The states in which this case's reads have shown a workflow execution, in the order of the
  /// reads; one that stays is there once.
  [[nodiscard]] const std::vector<std::string>& states_seen(const std::string& uuid) const;

  /// Keeps an exchange for the record; gives its index.
  std::size_t record(core::Exchange exchange);
  [[nodiscard]] const core::Exchange& exchange_at(std::size_t index) const {
    return exchanges_.at(index);
  }
  [[nodiscard]] std::vector<core::Exchange> take_exchanges() { return std::move(exchanges_); }

 private:
  boost::asio::awaitable<Reply> carry_out(core::Operation operation);
  void note_state(const Value& workflow_execution);
  void keep_call(core::Operation operation, core::Answer answer, const core::Exchange& exchange);
  /// Sends a request, again where pause_before_resending says so and the case has time for it.
  boost::asio::awaitable<core::HttpResult> exchange(core::HttpRequest request,
                                                    core::Exchange& record, bool is_harmless_twice);
  boost::asio::awaitable<core::HttpResult> send_once(core::HttpRequest request,
                                                     core::Delivery delivery);

  const RunContext& context_;
  double start_ms_;
  /// When the answer to the last request came that may have changed something.
  std::optional<double> changed_ms_;
  std::vector<core::Exchange> exchanges_;
  std::vector<std::pair<std::string, Value>> made_;
  std::map<std::string, std::vector<std::string>> states_seen_;
  bool keeps_calls_ = false;
  std::vector<check::PerformedCall> calls_;
};

/// What a request that had no answer makes of a check: error where the network or the harness is at
/// fault (refused, unresolved, TLS), inconclusive where the connection was lost, or the target let
/// it hang or sent what is over a limit or no HTTP: nothing was decided.
[[nodiscard]] core::Verdict verdict_of(const core::TransportError& error);

/// Why an answer says nothing of what the target makes of a request, and what that makes of a
/// check.
struct Silence {
  core::Verdict verdict = core::Verdict::inconclusive;
  std::string reason;
};

/// Nothing where the answer says something. What an intermediary answers (core::
/// is_intermediary_status) and the profile does not name says nothing, unless `asked` (nullptr:
/// nothing) asks for that status.
[[nodiscard]] std::optional<Silence> silence_of(const Reply& reply,
                                                const core::AnswerPattern* asked);

/// What the reference's binding says of every answer, for messages.
inline constexpr std::string_view unambiguous_text =
    "JSON without duplicate keys and without a byte order mark";

/// Why an answer shows nothing, for messages: "GET /x: answered 503, which the profile does not
/// name".
[[nodiscard]] std::string trouble_text(const Reply& reply);

/// Masks every secret header value wherever a result would show it.
void mask_secrets(core::CaseResult& result);

/// The time that a read may lag behind, times the wait factor; 0 for an immediate consistency.
[[nodiscard]] double consistency_window_ms(const core::Profile& profile);

}  // namespace assay::run
