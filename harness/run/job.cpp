// Script::job: the harness as the worker of a workflow execution.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/check/text.h"
#include "harness/run/pauses.h"
#include "harness/run/script.h"

namespace assay::run {
namespace {

using boost::asio::awaitable;
using core::Verdict;

bool is_job_of(const Reply& reply, const std::string& uuid) {
  return reply.answer->mapped.string_at("uuid") == uuid;
}

/// Where the job is another than the script asks for: what is wrong with it.
std::string difference(const core::Job& wanted, const Value& job,
                       const check::Variables& variables) {
  for (const auto& [member, text] :
       {std::pair("type", &wanted.type), std::pair("label", &wanted.label)}) {
    if (text->empty()) continue;
    const std::string expected = check::substitute_text(*text, variables);
    const Value* actual = job.find(member);
    if (actual != nullptr && *actual == Value(expected)) continue;
    return fmt::format("a job whose {} is {}, expected \"{}\"", member, check::value_text(actual),
                       expected);
  }
  return "";
}

}  // namespace

/// Polls until a job of that execution is handed out. All workers share one queue: what is another
/// execution's of this case is kept for when it is asked for, what is another client's is passed
/// over.
awaitable<Reply> Script::take_job(const core::Step& step, std::string worker, std::string uuid,
                                  const Scope& scope) {
  const auto kept = std::find_if(jobs_.begin(), jobs_.end(),
                                 [&uuid](const Reply& reply) { return is_job_of(reply, uuid); });
  if (kept != jobs_.end()) {
    Reply reply = std::move(*kept);
    jobs_.erase(kept);
    co_return reply;
  }
  const core::Profile& profile = session_.context().profile;
  const double window_ms =
      session_.scaled(profile.limits.within_ms) + consistency_window_ms(profile);
  const double deadline_ms = std::min(session_.now_ms() + window_ms, session_.latest_ms());
  double pause_ms = first_pause_ms;
  while (true) {
    core::Operation operation{"jobs.poll", {{"worker", worker}}};
    Reply reply = co_await session_.perform(std::move(operation));
    require_accepted(step, reply);
    if (is_job_of(reply, uuid)) co_return reply;
    if (const auto other = reply.answer->mapped.string_at("uuid")) {
      if (scope.is_own(*other)) jobs_.push_back(reply);
      if (session_.now_ms() <= deadline_ms) continue;
    }
    const double left_ms = deadline_ms - session_.now_ms();
    if (session_.context().target.is_immediate() || left_ms <= 0) {
      stop(step, Verdict::inconclusive,
           fmt::format("set-up refused: no job of {} within {:.0f} ms", uuid, window_ms),
           reply.exchanges);
    }
    co_await session_.wait(std::min(pause_ms, left_ms));
    pause_ms = std::min(pause_ms * 2, longest_pause_ms);
  }
}

awaitable<void> Script::job(const core::Step& step, const core::Job& job, Scope& scope) {
  const std::string on = check::substitute_text(step.on, scope.variables());
  const Reply handed_out = co_await take_job(
      step, check::substitute_text(job.worker, scope.variables()), scope.subject(on), scope);
  const Value& handed = handed_out.answer->mapped;
  const std::string wrong = difference(job, handed, scope.variables());
  if (!wrong.empty()) {
    stop(step, Verdict::inconclusive, "set-up refused: was handed out " + wrong,
         handed_out.exchanges);
  }
  if (!step.capture.empty()) capture(step, handed_out, scope);
  if (!job.push) co_return;
  const Value* id = handed.find("job_id");
  core::Operation push{"jobs.push",
                       {{"job_id", id == nullptr ? Value() : *id},
                        {"success", check::substitute(job.success, scope.variables())}}};
  if (job.entities) {
    push.parameters.emplace("entities", check::substitute(*job.entities, scope.variables()));
  }
  if (job.data) push.parameters.emplace("data", check::substitute(*job.data, scope.variables()));
  const Reply pushed = co_await session_.perform(std::move(push));
  require_accepted(step, pushed);
}

}  // namespace assay::run
