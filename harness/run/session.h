#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/history.h"
#include "harness/core/http.h"
#include "harness/core/operation.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/core/secrets.h"
#include "harness/core/verdict.h"
#include "harness/run/login.h"
#include "harness/run/side_thread.h"
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
  /// What no result may show: what the profile has, and what its setup captured.
  core::Secrets secrets = core::Secrets(profile);
  /// What the profile's login gave; renewed while the run goes on.
  std::shared_ptr<Login> login = std::make_shared<Login>();
  /// Once requested, nothing more is asked for the sake of a verdict.
  std::stop_token stop = {};
  /// Whether cases remove what they made, and make services work again that they took away.
  bool cleans_up = true;
  /// Where long work is done; nullptr: where it comes.
  SideThread* side_thread = nullptr;
};

/// Does work on so many bytes, beside the cases that wait where it is much (side_thread.h). What
/// the work refers to outlives the call.
boost::asio::awaitable<void> perform_on(const RunContext& context, std::size_t bytes,
                                        std::function<void()> work);

/// How many bytes of answers there are.
[[nodiscard]] std::size_t body_bytes_of(const std::vector<core::Exchange>& exchanges);

/// Somebody wants the run to end: the case that meets this is not judged.
class Interrupted : public std::exception {
 public:
  [[nodiscard]] const char* what() const noexcept override { return "interrupted"; }
};

/// The target has no words for what a case asks of it: the case does not apply.
class NotApplicable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What an operation, or a scenario's own request, came to.
struct Reply {
  /// Never nullptr.
  std::shared_ptr<const core::Answer> answer = std::make_shared<core::Answer>();
  /// The operation's name; "request" where a scenario wrote the request itself.
  std::string operation;
  /// "POST /executions", for messages.
  std::string request_line;
  std::vector<core::Header> headers;
  /// How long the answer's body is, with which the work on it grows.
  std::size_t body_bytes = 0;
  /// Where its exchanges are in the history: what a check that is judged by it gives as evidence.
  std::vector<std::size_t> exchanges;
  /// A request that the profile makes beside the operation names what no answer has: the trouble
  /// says where.
  bool is_profile_fault = false;

  /// What a body pattern is held against: the mapped body of what was accepted, else the body as it
  /// came; nullptr where it could not be read.
  [[nodiscard]] const Value* body() const;
};

/// How a call is noted in the history.
struct CallKind {
  bool is_look = false;
  bool is_later_page = false;
};

/// Asks the target for one case, and keeps the history of it. Once the context's stop is requested
/// whatever asks or waits throws Interrupted, until wind_up() is called.
class Session {
 public:
  /// `name` is what no other session of the run is called, and begins what it makes for each call.
  Session(const RunContext& context, std::string name);

  /// From here on only what the target has to be rid of is asked, whoever wants the run to end.
  void wind_up() { is_winding_up_ = true; }

  /// Sends an operation through the profile. Throws NotApplicable where the target has no words for
  /// it.
  boost::asio::awaitable<Reply> perform(core::Operation operation, CallKind kind = {});

  /// Sends an operation that something happens to on its way; its answer, where there is one, is
  /// nobody's. Throws NotApplicable likewise.
  boost::asio::awaitable<void> perform_unreliably(core::Operation operation,
                                                  core::Delivery delivery);

  /// Sends a request as it is (with the profile's headers, where it has none of that name). Throws
  /// NotApplicable where its path is that of an operation that the profile does not declare.
  boost::asio::awaitable<Reply> send(core::HttpRequest request);

  /// Sends a request of the profile's own; its exchange is the history's last.
  boost::asio::awaitable<core::HttpResult> exchange_for_hook(core::HttpRequest request);

  boost::asio::awaitable<void> wait(double pause_ms);

  /// Adds what templates call now, now_ms, count (of this session's calls, from 1) and unique.
  void add_made_values(Object& parameters);

  /// Waits until every read shows what this case has changed so far: at once where the target's
  /// consistency is immediate. False, at once, where the case's time is over before that.
  [[nodiscard]] boost::asio::awaitable<bool> settle();
  /// From when on that is so, in milliseconds since the start of the case.
  [[nodiscard]] double settled_ms() const;

  /// Milliseconds since the start of the case.
  [[nodiscard]] double now_ms() const;
  /// When the case's time is over.
  [[nodiscard]] double latest_ms() const;
  /// A wait that a scenario or profile names, times the profile's factor.
  [[nodiscard]] double scaled(std::int64_t wait_ms) const;
  [[nodiscard]] const RunContext& context() const { return context_; }

  [[nodiscard]] const core::History& history() const { return history_; }
  [[nodiscard]] core::History take_history() { return std::move(history_); }

 private:
  /// A call under way.
  struct Pending {
    core::Call call;
    core::Answer answer;
    Reply reply;
    std::size_t body_bytes = 0;
  };

  boost::asio::awaitable<void> carry_out(core::Operation operation, Pending& pending);
  /// What the answer that came says, once everything that follows it was accepted.
  boost::asio::awaitable<void> conclude(const core::OperationTemplate& form,
                                        const core::HttpResult& result, Object& parameters,
                                        Pending& pending);
  /// Sends a request, again where pause_before_resending says so and the case has time for it, and
  /// keeps what came of it as a part of the call.
  boost::asio::awaitable<core::HttpResult> exchange(core::HttpRequest request,
                                                    const std::string& operation,
                                                    bool is_harmless_twice, Pending& pending);
  boost::asio::awaitable<core::HttpResult> send_once(core::HttpRequest request,
                                                     core::Delivery delivery);
  /// The same, once more with a renewed login where it was answered 401: the request was not
  /// carried out (RFC 9110, 15.5.2).
  boost::asio::awaitable<core::HttpResult> send_logged_in(core::HttpRequest request);
  [[nodiscard]] core::Exchange begun(const core::HttpRequest& request,
                                     const std::string& operation) const;
  void keep_exchange(core::Exchange record, const core::HttpResult& result, Pending& pending);
  /// The playbook of a start, as every request of the operation says it.
  void name_events_in_guards(core::Operation& operation) const;
  /// Runs hooks as a part of the call; false where one was not accepted, and so neither is the
  /// call.
  boost::asio::awaitable<bool> run_hooks_of(Pending& pending, const std::vector<core::Hook>& hooks,
                                            Object& parameters);
  /// Adds a call that has returned to the history; gives what came of it.
  Reply keep(Pending pending);
  void let_go_of_old_looks();
  void end_if_interrupted() const;

  const RunContext& context_;
  std::string name_;
  std::int64_t made_count_ = 0;
  double start_ms_;
  core::History history_;
  /// The looks whose answers the history still has: which calls, and the bytes of their bodies.
  std::deque<std::pair<std::size_t, std::size_t>> whole_looks_;
  std::size_t whole_look_bytes_ = 0;
  bool is_winding_up_ = false;
};

/// A request as a case's history keeps it: cut where it is long, since the case says how to make it
/// again.
[[nodiscard]] core::HttpRequest kept(core::HttpRequest request);

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
/// is_intermediary_status, or a redirect) and the profile does not name says nothing, unless
/// `asked` (nullptr: nothing) asks for that status.
[[nodiscard]] std::optional<Silence> silence_of(const Reply& reply,
                                                const core::AnswerPattern* asked);

/// What the reference's binding says of every answer, for messages.
inline constexpr std::string_view unambiguous_text =
    "JSON without duplicate keys and without a byte order mark";

/// Why an answer shows nothing, for messages: "GET /x: answered 503, which the profile does not
/// name".
[[nodiscard]] std::string trouble_text(const Reply& reply);

/// Masks the secrets, and every credential that the case itself sent, wherever a result would show
/// them.
void mask_secrets(core::CaseResult& result, const core::Secrets& of_run);

/// The time that a read may lag behind, times the wait factor; 0 for an immediate consistency.
[[nodiscard]] double consistency_window_ms(const core::Profile& profile);

}  // namespace assay::run
