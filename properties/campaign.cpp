#include "properties/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "base/digest.h"
#include "harness/run/scheduler.h"
#include "properties/all_cores.h"
#include "properties/cause.h"
#include "properties/draft.h"
#include "properties/shrinker.h"

namespace assay::properties {
namespace {

using core::Verdict;

/// Cases that are made, run and forgotten together: enough to keep every job busy.
constexpr std::uint64_t round_cases = 128;

bool is_uuid(std::string_view text) {
  if (text.size() < 36) return false;
  for (std::size_t index = 0; index < 36; ++index) {
    const bool is_dash = index == 8 || index == 13 || index == 18 || index == 23;
    const char byte = text[index];
    const bool is_digit = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'f');
    if (is_dash ? byte != '-' : !is_digit) return false;
  }
  return true;
}

/// A text without what no seed decides: the prefix of a run, which is another one each time on a
/// shared server, and the ids that the server makes, which depend on who came first.
std::string without(std::string_view text, std::string_view prefix) {
  std::string rest;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, prefix.size()) == prefix) {
      at += prefix.size();
    } else if (is_uuid(text.substr(at))) {
      at += 36;
    } else {
      rest += text[at++];
    }
  }
  return rest;
}

/// The requests that a case's steps made, in any order: branches answer as they like. How often is
/// looked depends on how fast the server is, and how many pages a list has on what else it holds:
/// each counts once, and of a listing the first page.
std::uint64_t requests_digest(const core::History& history, const std::string& prefix) {
  std::set<std::uint64_t> requests;
  for (const core::Call& call : history.calls) {
    if (call.is_look || call.is_later_page) continue;
    for (const std::size_t index : call.exchanges) {
      const core::HttpRequest& request = history.exchanges[index].request;
      Digest one;
      one.add(request.method);
      one.add(without(request.target, prefix));
      if (request.body) one.add(without(*request.body, prefix));
      requests.insert(one.value());
    }
  }
  return std::accumulate(requests.begin(), requests.end(), std::uint64_t{0});
}

/// One case of a round.
struct Entry {
  const Family* family = nullptr;
  std::uint64_t index = 0;
  Recording recording;
};

std::string undecided_reason(const core::CaseResult& result) {
  if (!result.reason.empty()) return result.reason;
  for (const core::Check& check : result.checks) {
    if (!check.reason.empty()) return check.reason;
  }
  return {};
}

/// Sorted, each once: what the scenario of a result has to name.
std::vector<std::string> clauses_checked(const core::CaseResult& result) {
  std::set<std::string> clauses;
  for (const core::Check& check : result.checks) {
    clauses.insert(check.clauses.begin(), check.clauses.end());
  }
  return {clauses.begin(), clauses.end()};
}

/// A step that is no check.
bool is_command(const core::Step& step) {
  return !std::holds_alternative<core::Expect>(step.action);
}

std::uint64_t commands_in(const std::vector<core::Step>& steps) {
  std::uint64_t commands = 0;
  for (const core::Step& step : steps) {
    if (const auto* together = std::get_if<core::Together>(&step.action)) {
      for (const auto& branch : together->branches) commands += commands_in(branch);
    } else if (is_command(step)) {
      ++commands;
    }
  }
  return commands;
}

}  // namespace

class Campaign {
 public:
  Campaign(boost::asio::io_context& io, const run::RunContext& context,
           const core::Profile& reference, std::span<const Family* const> families,
           const CampaignOptions& options)
      : io_(io),
        context_(context),
        recorder_(reference, context.profile),
        families_(families),
        options_(options) {
    for (const Family* family : families) outcome_.families.push_back({.family = family->id});
  }

  CampaignOutcome run() {
    std::uint64_t next = options_.first_case;
    const std::uint64_t end = options_.first_case + options_.cases;
    const std::uint64_t most = std::max<std::uint64_t>(round_cases / families_.size(), 1);
    // Rounds grow: a short time is not spent on making cases that nobody has the time to run.
    std::uint64_t step = 1;
    std::future<std::vector<Entry>> made;
    const auto make_next = [&] {
      const std::uint64_t last = std::min(next + step, end);
      made = std::async(std::launch::async, &Campaign::make_round, this, next, last);
      step = std::min(2 * step, most);
      return last;
    };
    std::uint64_t made_until = make_next();
    while (next < end && goes_on()) {
      const std::vector<Entry> entries = made.get();
      next = made_until;
      if (next < end) made_until = make_next();
      play_round(entries);
    }
    wants_more_ = false;
    outcome_.request_digest = requests_.value();
    outcome_.was_cut_short = next < end || options_.stop.stop_requested();
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] bool goes_on() const {
    return !options_.stop.stop_requested() && outcome_.unreachable.empty() &&
           outcome_.findings.size() < options_.most_causes;
  }

  [[nodiscard]] bool is_wanted() const { return wants_more_ && !options_.stop.stop_requested(); }

  /// Runs beside the round before it: making cases takes as long as running them, and needs nothing
  /// of what they come to.
  [[nodiscard]] std::vector<Entry> make_round(std::uint64_t first, std::uint64_t last) const {
    std::vector<Entry> entries;
    for (std::uint64_t index = first; index < last; ++index) {
      for (const Family* family : families_) entries.push_back({family, index, {}});
    }
    share_out(entries.size(), [&](std::size_t number) {
      if (!is_wanted()) return;
      Entry& entry = entries[number];
      const Draft draft = generate(*entry.family, options_.seed, entry.index, options_.most_moves);
      entry.recording =
          recorder_.record(*entry.family, draft, case_id_of(*entry.family, entry.index));
    });
    if (!is_wanted()) return {};
    return entries;
  }

  void play_round(const std::vector<Entry>& entries) {
    std::vector<core::Case> cases;
    for (const Entry& entry : entries) {
      cases.push_back({entry.recording.scenario.id, &entry.recording.scenario, {}});
    }
    std::map<std::string, std::uint64_t> digests;
    run::RunOptions options;
    options.checks_operations = ended_ == 0;
    options.on_case = [&](const core::CaseResult& result) {
      digests.emplace(result.id, requests_digest(result.history, context_.prefix));
      if (options_.on_case) options_.on_case(result);
    };
    const std::vector<core::CaseResult> results = play(context_.prefix, cases, options);
    std::map<std::string_view, const Entry*> by_id;
    for (const Entry& entry : entries) by_id.emplace(entry.recording.scenario.id, &entry);
    for (const core::CaseResult& result : results) {
      requests_.add(digests.at(result.id));
      take(*by_id.at(result.id), result);
    }
  }

  std::vector<core::CaseResult> play(const std::string& prefix, std::span<const core::Case> cases,
                                     run::RunOptions options) {
    run::RunContext context = context_;
    context.prefix = prefix;
    options.asks_for_control = true;
    options.jobs = options_.jobs;
    options.stop = options_.stop;
    options.counts_coverage = false;
    run::RunOutcome outcome = run::run_cases(io_, context, cases, options);
    if (!outcome.unreachable.empty()) outcome_.unreachable = outcome.unreachable;
    outcome_.is_profile_fault |= outcome.is_profile_fault;
    return std::move(outcome.record.cases);
  }

  /// Runs one scenario under identifiers of its own: a server keeps what an earlier try made.
  core::CaseResult try_again(const core::Scenario& scenario) {
    const core::Case one{scenario.id, &scenario, {}};
    const std::string prefix = fmt::format("{}-t{}", context_.prefix, ++tries_);
    run::RunOptions options;
    options.asks_first = false;
    std::vector<core::CaseResult> results = play(prefix, std::span(&one, 1), options);
    return results.empty() ? core::CaseResult{} : std::move(results.front());
  }

  void take(const Entry& entry, const core::CaseResult& result) {
    const auto place = std::find(families_.begin(), families_.end(), entry.family);
    FamilyTally& tally = outcome_.families[static_cast<std::size_t>(place - families_.begin())];
    ++tally.cases;
    tally.commands += commands_of(entry.recording.scenario);
    tally.requests += result.exchanges.size();
    if (options_.on_progress) options_.on_progress(++ended_);
    if (result.verdict == Verdict::fail) {
      ++tally.failed;
      take_failure(entry, result);
    } else if (result.verdict != Verdict::pass) {
      ++tally.undecided;
      tally.worst = core::merge(tally.worst, result.verdict);
      tally.reason = undecided_reason(result);
    }
  }

  void take_failure(const Entry& entry, const core::CaseResult& result) {
    const Cause cause = cause_of(result);
    for (Finding& known : outcome_.findings) {
      if (known.cause != cause.text) continue;
      ++known.count;
      return;
    }
    if (outcome_.findings.size() >= options_.most_causes) return;
    Finding finding;
    finding.cause = cause.text;
    finding.family = entry.family->id;
    finding.count = 1;
    finding.moves_found = finding.moves_left = entry.recording.draft.moves.size();
    finding.scenario = entry.recording.scenario;
    finding.result = result;
    for (int turn = 0; turn < 3; ++turn) {
      if (fails_so(entry.recording.scenario, cause)) ++finding.reproduced;
    }
    if (!finding.is_flaky()) make_small(finding, entry, cause);
    outcome_.findings.push_back(std::move(finding));
  }

  bool fails_so(const core::Scenario& scenario, const Cause& cause) {
    last_ = try_again(scenario);
    return last_.verdict == Verdict::fail && cause_of(last_).text == cause.text;
  }

  void make_small(Finding& finding, const Entry& entry, const Cause& cause) {
    const Try attempt = [&](const core::Scenario& scenario) {
      const bool fails = fails_so(scenario, cause);
      if (fails) finding.result = last_;
      return Attempt{fails, last_.exchanges.size()};
    };
    Shrunk shrunk = shrink(recorder_, *entry.family, entry.recording, cause, attempt,
                           {options_.shrink_runs, options_.shrink_requests});
    finding.shrink_runs = shrunk.runs;
    finding.shrink_requests = shrunk.requests;
    finding.moves_left = shrunk.draft.moves.size();
    finding.scenario = std::move(shrunk.scenario);
    finding.scenario.clauses = clauses_checked(finding.result);
  }

  boost::asio::io_context& io_;
  const run::RunContext& context_;
  Recorder recorder_;
  std::span<const Family* const> families_;
  const CampaignOptions& options_;
  /// Once false, what is still being made is no longer needed.
  std::atomic<bool> wants_more_ = true;
  CampaignOutcome outcome_;
  Digest requests_;
  core::CaseResult last_;
  std::uint64_t tries_ = 0;
  std::uint64_t ended_ = 0;
};

bool CampaignOutcome::has_cases() const {
  return std::any_of(families.begin(), families.end(),
                     [](const FamilyTally& tally) { return tally.cases > 0; });
}

CampaignOutcome run_campaign(boost::asio::io_context& io, const run::RunContext& context,
                             const core::Profile& reference,
                             std::span<const Family* const> families,
                             const CampaignOptions& options) {
  return Campaign(io, context, reference, families, options).run();
}

std::uint64_t commands_of(const core::Scenario& scenario) { return commands_in(scenario.steps); }

std::string case_id_of(const Family& family, std::uint64_t index) {
  return fmt::format("{}-{}", family.id, index);
}

}  // namespace assay::properties
