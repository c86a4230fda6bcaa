#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/check/match.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/identity.h"
#include "harness/run/reading.h"
#include "harness/run/scope.h"
#include "harness/run/session.h"

namespace assay::run {

/// Runs the steps of one case and makes its checks. A step that was to set something up and did not
/// ends the case, inconclusive; a check that fails does not: the later ones are judged too, so that
/// one broken clause hides no other. With the tag first-fail it does, because all that comes after
/// it presupposes it.
class Script {
 public:
  Script(Session& session, const core::Case& one, const Identity& identity)
      : session_(session),
        case_(one),
        identity_(identity),
        ends_at_first_fail_(core::has_tag(*one.scenario, "first-fail")) {}

  /// Throws NotApplicable where the target has no words for a step.
  boost::asio::awaitable<void> run();

  /// Runs one step in a scope of the caller's, for who makes a script while it runs; false where
  /// the step would have ended the case. Throws check::SubstitutionError too.
  boost::asio::awaitable<bool> attempt(const core::Step& step, Scope& scope);

  /// What the last step's own request brought, nullptr where it made none.
  [[nodiscard]] const core::Answer* last_answer() const { return last_answer_.get(); }

  /// Whether a check that failed ended the case, so that what came after it was not judged.
  [[nodiscard]] bool ended_at_fail() const { return ends_at_first_fail_ && has_failed(); }

  /// The checks, and one more that does not apply for the clauses of those that passed without
  /// asking for anything that the clauses are about.
  [[nodiscard]] std::vector<core::Check> take_checks();

  /// The evidence of checks that passed and spoke for no clause: without it nobody could come to
  /// the same end again.
  [[nodiscard]] const std::set<std::size_t>& uncredited_evidence() const {
    return uncredited_evidence_;
  }

 private:
  /// Thrown once a check says why the case cannot go on.
  struct Stopped {};

  boost::asio::awaitable<void> run_steps(const std::vector<core::Step>& steps, Scope& scope);
  boost::asio::awaitable<void> run_step(const core::Step& step, Scope& scope, SharedReads& shared);
  boost::asio::awaitable<void> operate(const core::Step& step, const core::Operate& operate,
                                       Scope& scope);
  /// Waits until reads show what the case changed; stops where its time is over before that.
  boost::asio::awaitable<void> settle(const core::Step& step);
  boost::asio::awaitable<Reply> poll_own_job(core::Operation operation, const Scope& scope);
  boost::asio::awaitable<void> post(const core::Step& step, const core::Post& post, Scope& scope);
  boost::asio::awaitable<void> together(const core::Together& together, Scope& scope);
  boost::asio::awaitable<void> repeat(const core::Repeat& repeat, Scope& scope);
  boost::asio::awaitable<void> request(const core::Step& step, const core::RawRequest& raw,
                                       Scope& scope);
  boost::asio::awaitable<void> play(const core::Step& step, const core::Play& play, Scope& scope);
  boost::asio::awaitable<void> job(const core::Step& step, const core::Job& job, Scope& scope);
  boost::asio::awaitable<Reply> take_job(const core::Step& step, std::string worker,
                                         std::string uuid, const Scope& scope);
  boost::asio::awaitable<void> expect(const core::Step& step, const core::Expect& expect,
                                      Scope& scope, SharedReads& shared);

  [[nodiscard]] bool has_failed() const;
  [[nodiscard]] core::Operation operation_of(const core::Step& step, const core::Operate& operate,
                                             const Scope& scope) const;
  /// Ends the case where a request had no answer: whether the target took it is not known, and what
  /// would be judged from there on is not either. Within branches their history may still be
  /// explained; what comes after them ends the case.
  void note_lost_answer(const core::Step& step, const Silence& silence, const Reply& reply);
  /// An answer that can be read in two ways fails where the binding forbids it, and says nothing
  /// elsewhere.
  void judge_ambiguous(const core::Step& step, const Reply& reply);
  /// Judges what a step's request brought, and captures from it.
  boost::asio::awaitable<void> take_reply(const core::Step& step, const Reply& reply, Scope& scope);
  boost::asio::awaitable<void> judge_response(const core::Step& step, const Reply& reply,
                                              const Scope& scope);
  void require_accepted(const core::Step& step, const Reply& reply);
  /// Whether the profile says that the answer does not show the member that the pointer leads to.
  [[nodiscard]] bool is_unobserved(std::string_view pointer, const Reply& reply) const;
  void capture(const core::Step& step, const Reply& reply, Scope& scope);
  /// Leaves to the last check, where it passed, only the clauses that what it asked is about.
  void credit(const std::set<std::string>& asked);
  core::Check& add_check(const core::Step& step, const std::vector<std::string>& clauses);
  [[noreturn]] void stop(const core::Step& step, core::Verdict verdict, std::string reason,
                         std::vector<std::size_t> evidence = {});

  Session& session_;
  const core::Case& case_;
  const Identity& identity_;
  bool ends_at_first_fail_;
  std::vector<core::Check> checks_;
  /// Clauses that a check which passed did not speak for, and where the last of these stands.
  std::set<std::string> uncredited_;
  std::string uncredited_at_;
  std::set<std::size_t> uncredited_evidence_;
  std::shared_ptr<const core::Answer> last_answer_;
  /// Whether the steps under way are those of branches, and whether an answer to one was lost.
  bool is_in_branches_ = false;
  bool has_lost_answer_ = false;
  /// Handed out while a job of another of the case's executions was asked for: theirs when they
  /// ask.
  std::vector<Reply> jobs_;
};

}  // namespace assay::run
