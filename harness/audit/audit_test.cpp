#include "harness/audit/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "harness/audit/audit_record.h"
#include "harness/audit/testing/audited.h"
#include "harness/audit/testing/log_faults.h"
#include "harness/audit/testing/log_generator.h"
#include "harness/check/log_invariants.h"
#include "harness/wire/record.h"

namespace assay::audit {
namespace {

using check::LogRule;
using testing::audited;
using testing::broken_rules;
using testing::copy_to;
using testing::event_line;
using testing::faulty_logs;
using testing::GeneratedLog;
using testing::has;
using testing::LogGenerator;
using testing::place_of;
using testing::Plant;
using testing::plants;
using testing::record_of;
using testing::record_with_places;
using testing::sound_logs;

TEST(Audit, ASoundLogIsAccusedOfNothing) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    LogGenerator generator(seed);
    const AuditResult result = audited(mixed(sound_logs(generator, 40), generator));
    EXPECT_EQ(broken_rules(result), std::vector<std::string>{}) << seed << record_of(result);
    EXPECT_EQ(result.executions, 40U);
    EXPECT_EQ(result.bad, 0U);
  }
}

/// Whatever is cut off a sound log's front, back or middle, nothing in it is broken by that.
TEST(Audit, APartOfASoundLogIsAccusedOfNothing) {
  LogGenerator generator(5);
  for (int round = 0; round < 150; ++round) {
    GeneratedLog log = generator.log("x");
    const bool has_seq = log.events.front().contains("seq");
    const std::size_t first = generator.number(log.events.size());
    const std::size_t count = 1 + generator.number(log.events.size() - first);
    // Without seq a hole cannot be told, so there only the ends are cut off.
    const bool keeps_ends = has_seq && round % 2 == 0;
    std::string text;
    for (std::size_t at = 0; at < log.events.size(); ++at) {
      const bool is_inside = at >= first && at < first + count;
      const bool is_kept = keeps_ends ? !is_inside : is_inside;
      if (is_kept) text += wire::to_json(log.events[at]) + "\n";
    }
    const AuditResult result = audited(text);
    EXPECT_EQ(broken_rules(result), std::vector<std::string>{}) << text;
  }
}

TEST(Audit, EveryPlantedFaultIsFoundUnderItsRuleAndInItsExecution) {
  std::uint32_t seed = 100;
  for (const Plant& plant : plants()) {
    int planted = 0;
    for (; planted < 3; ++seed) {
      LogGenerator generator(seed);
      std::vector<GeneratedLog> logs = sound_logs(generator, 5);
      if (!has(logs[3], plant.needs)) continue;
      ++planted;
      plant.plant(logs[3]);
      const AuditResult result = audited(mixed(logs, generator));
      std::vector<std::string> broken = broken_rules(result);
      // With fewer attempts than it names, a command that lacks its start may also end as failed.
      if (broken == std::vector<std::string>{"command-failed"}) broken = {"command-completed"};
      EXPECT_EQ(broken, plant.broken) << "seed " << seed << record_of(result);
      for (const auto& [cause, finding] : result.findings) {
        EXPECT_EQ(finding.names, std::set<std::string>{"x3"});
      }
    }
  }
}

TEST(Audit, EveryRuleOfAForeignLogHasAPlant) {
  std::set<std::string> planted;
  for (const Plant& plant : plants()) planted.insert(plant.broken.begin(), plant.broken.end());
  // Told by tests of their own: what needs another scope, or another order of lines.
  const std::set<std::string> elsewhere = {
      "execution-id",   "seq-rises",           "seq-whole",        "emitter-loop",
      "one-start",      "route-after-outcome", "step-run-named",   "command-started",
      "command-failed", "command-cancelled",   "command-ends-once"};
  for (const check::LogRuleText& rule : check::log_rules()) {
    EXPECT_NE(planted.contains(std::string(rule.id)), elsewhere.contains(std::string(rule.id)))
        << rule.id;
  }
}

std::string command_log(const std::vector<std::string>& types) {
  std::string text;
  std::int64_t seq = 0;
  for (const std::string& type : types) {
    ++seq;
    text += event_line({{"event_id", std::to_string(seq)},
                        {"event_type", type},
                        {"command_id", "c"},
                        {"seq", seq}});
  }
  return text;
}

using Rules = std::vector<std::string>;

TEST(Audit, ACommandMovesByItsTable) {
  const auto broken = [](const std::vector<std::string>& types) {
    return broken_rules(audited(command_log(types)));
  };
  EXPECT_EQ(broken({"command.issued", "command.started"}), Rules{"command-started"});
  EXPECT_EQ(broken({"command.issued", "command.failed"}), Rules{"command-failed"});
  EXPECT_EQ(broken({"command.issued", "command.claimed", "command.started", "command.cancelled"}),
            Rules{"command-cancelled"});
  const std::vector<std::string> done = {"command.issued", "command.claimed", "command.started",
                                         "command.completed"};
  EXPECT_EQ(broken(done), Rules{});
  for (const char* again : {"command.failed", "command.completed", "command.started"}) {
    std::vector<std::string> twice = done;
    twice.emplace_back(again);
    EXPECT_EQ(broken(twice), Rules{"command-ends-once"});
  }
}

TEST(Audit, AnEventWithoutAnExecutionIsToldAlone) {
  const AuditResult result = audited(event_line({{"execution_id", nullptr}}) +
                                     event_line({{"execution_id", 7}}) + event_line({}));
  EXPECT_EQ(broken_rules(result), Rules{"execution-id"});
  EXPECT_EQ(result.findings.begin()->second.events, 2U);
  EXPECT_EQ(result.findings.begin()->second.executions, 0U);
  EXPECT_EQ(result.executions, 1U);
  EXPECT_EQ(result.events, 3U);
}

TEST(Audit, EventsAreJudgedInTheOrderOfSeqAndThatIsSaid) {
  const std::string text = command_log({"command.issued", "command.claimed", "command.started"});
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  const AuditResult result = audited(lines[2] + lines[0] + lines[1]);
  EXPECT_EQ(broken_rules(result), Rules{});
  EXPECT_EQ(result.unordered, 1U);
  ASSERT_EQ(notes_of(result).size(), 1U);
  EXPECT_EQ(notes_of(result)[0],
            "the events of 1 execution do not stand in the order of their seq; they were judged in "
            "that order");
  // Two events of one number: whatever their order, one of them has a number that is taken.
  EXPECT_EQ(broken_rules(audited(lines[0] + event_line({{"seq", 1}}))), Rules{"seq-rises"});
  EXPECT_EQ(broken_rules(audited(event_line({{"seq", "1"}}))), Rules{"seq-rises"});
}

TEST(Audit, BehindAGapOnlyThatIsToldWhichNoMissingEventExplains) {
  const std::string started =
      event_line({{"event_type", "step.started"}, {"step_run_id", "r"}, {"seq", 1}});
  EXPECT_EQ(broken_rules(audited(started)), Rules{"step-run-scheduled"});
  const AuditResult gapped =
      audited(event_line({{"event_id", "a"}, {"seq", 1}}) +
              event_line({{"event_type", "step.started"}, {"step_run_id", "r"}, {"seq", 3}}));
  EXPECT_EQ(broken_rules(gapped), Rules{});
  EXPECT_EQ(gapped.gapped, 1U);
  const AuditResult headless =
      audited(event_line({{"event_type", "step.started"}, {"step_run_id", "r"}, {"seq", 2}}));
  EXPECT_EQ(broken_rules(headless), Rules{});
  EXPECT_EQ(headless.headless, 1U);
  const std::string ends =
      event_line({{"event_id", "a"}, {"event_type", "playbook.completed"}, {"seq", 5}}) +
      event_line({{"event_type", "playbook.failed"}, {"seq", 9}});
  EXPECT_EQ(broken_rules(audited(ends)), Rules{"one-end"});
}

TEST(Audit, ScopesAskForMoreAndForLess) {
  const auto broken = [](const std::string& text, check::LogScope scope) {
    AuditOptions options;
    options.scope.scope = scope;
    return broken_rules(audited(text, std::move(options)));
  };
  const std::string late = event_line({{"seq", 2}});
  EXPECT_EQ(broken(late, check::LogScope::driven), Rules{"seq-whole"});
  EXPECT_EQ(broken(late, check::LogScope::foreign), Rules{});
  const std::string ends = event_line({{"event_id", "a"}, {"event_type", "playbook.completed"}}) +
                           event_line({{"event_type", "playbook.failed"}});
  EXPECT_EQ(broken(ends, check::LogScope::foreign), Rules{"one-end"});
  EXPECT_EQ(broken(ends, check::LogScope::replay), Rules{});
}

/// The judge of runs and the audit ask the same of the same events.
TEST(Audit, ALogIsJudgedAsTheRunThatRecordedItJudgesIt) {
  std::uint32_t seed = 500;
  for (const Plant& plant : plants()) {
    GeneratedLog log;
    while (!has(log, plant.needs)) log = LogGenerator(++seed).log("x");
    plant.plant(log);
    List events;
    std::string text;
    for (const Object& event : log.events) {
      events.emplace_back(event);
      text += wire::to_json(event) + "\n";
    }
    std::map<std::string, std::uint64_t> by_run;
    for (const check::Violation& violation : check::check_log(events)) {
      ++by_run[std::string(check::text_of(violation.rule).id)];
    }
    AuditOptions options;
    options.scope.scope = check::LogScope::driven;
    std::map<std::string, std::uint64_t> by_audit;
    for (const auto& [cause, finding] : audited(text, std::move(options)).findings) {
      by_audit[std::string(check::text_of(cause.first).id)] += finding.events;
    }
    // What only an audit asks.
    for (const char* rule :
         {"status", "alias", "legacy-tool", "legacy-retry", "legacy-sink", "legacy-case",
          "no-command-after-success", "command-issued", "command-claimed", "command-completed",
          "command-failed", "command-cancelled", "workflow-initialized", "workflow-completed",
          "workflow-failed"}) {
      by_audit.erase(rule);
    }
    EXPECT_EQ(by_audit, by_run) << text;
  }
}

TEST(Audit, TheResultDoesNotDependOnThreadsOrBlocks) {
  LogGenerator generator(9);
  const std::string text = "{]\n" + mixed(faulty_logs(generator), generator) + "\"x\"\n";
  const auto record = [&text](std::size_t jobs, std::size_t block_bytes, std::uint64_t ended) {
    AuditOptions options;
    options.jobs = jobs;
    options.limits.block_bytes = block_bytes;
    options.gathering.ended_lines = ended;
    return record_of(audited(text, std::move(options)));
  };
  const std::string alone = record(1, 1U << 20U, 100'000);
  EXPECT_NE(alone.find("command-completed"), std::string::npos);
  for (const std::size_t jobs : {2U, 8U}) {
    EXPECT_EQ(record(jobs, 1'000, 100'000), alone) << jobs;
    EXPECT_EQ(record(jobs, 777, 300), record(1, 1U << 20U, 300)) << jobs;
  }
}

/// The first block of the log takes much longer to parse than all others, which have to wait.
TEST(Audit, EventsStayInTheOrderOfTheLogWhicheverBlockIsParsedFirst) {
  const List numbers(200'000, Value(7));
  std::string text = event_line({{"event_id", "0"},
                                 {"event_type", "playbook.completed"},
                                 {"seq", 1},
                                 {"iteration", 0.0},
                                 {"more", numbers}});
  for (std::int64_t number = 2; number <= 2'000; ++number) {
    text += event_line({{"event_id", std::to_string(number)}, {"seq", number}});
    text += event_line({{"event_id", std::to_string(number)}, {"execution_id", "other"}});
  }
  AuditOptions options;
  options.limits.block_bytes = 500;
  const std::string alone = record_with_places(audited(text, options));
  for (const std::size_t jobs : {2U, 8U}) {
    options.jobs = jobs;
    const AuditResult result = audited(text, options);
    EXPECT_EQ(result.unordered, 0U) << jobs;
    EXPECT_EQ(record_with_places(result), alone) << jobs;
  }
}

/// A log that has no end, or one that breaks off.
class GrowingSource : public ByteSource {
 public:
  /// `look` is told how often was read, before each time.
  explicit GrowingSource(std::function<void(int)> look) : look_(std::move(look)) {}

  std::size_t read(std::span<char> buffer) override {
    look_(++times_);
    const std::string id = std::to_string(times_);
    const std::string line = event_line({{"event_id", id}, {"execution_id", "x" + id}});
    std::copy(line.begin(), line.end(), buffer.begin());
    return line.size();
  }

 private:
  std::function<void(int)> look_;
  int times_ = 0;
};

TEST(Audit, AStopEndsAllThreadsAndWhatCameIsJudged) {
  for (const std::size_t jobs : {1U, 2U, 8U}) {
    std::stop_source stop;
    AuditOptions options;
    options.jobs = jobs;
    options.stop = stop.get_token();
    Audit audit(options);
    GrowingSource source([&stop](int times) {
      if (times > 100) stop.request_stop();
    });
    audit.read(source);
    EXPECT_EQ(audit.finish().executions, 100U) << jobs;
  }
}

TEST(Audit, AFailureEndsAllThreads) {
  for (const std::size_t jobs : {1U, 2U, 8U}) {
    AuditOptions options;
    options.jobs = jobs;
    Audit broken_off(options);
    GrowingSource source([](int times) {
      if (times > 100) throw ReadError("broken off");
    });
    EXPECT_THROW(broken_off.read(source), ReadError) << jobs;
    // One of those that judge: it has no room, and whoever reads would read for ever.
    options.gathering.memory_bytes = 10'000;
    options.gathering.spill_folder = "/missing";
    Audit full(options);
    GrowingSource endless([](int) {});
    EXPECT_THROW(full.read(endless), ReadError) << jobs;
  }
}

TEST(Audit, TheResultDoesNotDependOnHowTheLogIsParted) {
  LogGenerator generator(9);
  const std::vector<GeneratedLog> logs = faulty_logs(generator);
  const std::string whole = record_of(audited(mixed(logs, generator)));
  for (const std::size_t parts : {2U, 5U}) {
    AuditResult sum;
    for (std::size_t part = 0; part < parts; ++part) {
      std::vector<GeneratedLog> some;
      for (std::size_t log = part; log < logs.size(); log += parts) some.push_back(logs[log]);
      sum.add(audited(mixed(some, generator)));
    }
    EXPECT_EQ(record_of(sum), whole) << parts;
  }
}

TEST(Audit, AnEndedExecutionIsLetGoAfterAWhile) {
  std::string text = event_line({{"event_id", "a"}, {"event_type", "playbook.completed"}});
  for (int filler = 0; filler < 20; ++filler) {
    text += event_line({{"execution_id", "other"}, {"event_id", std::to_string(filler)}});
  }
  text += event_line({{"event_id", "b"}, {"event_type", "playbook.failed"}});
  AuditOptions options;
  options.gathering.ended_lines = 30;
  EXPECT_EQ(broken_rules(audited(text, options)), Rules{"one-end"});
  options.gathering.ended_lines = 10;
  const AuditResult result = audited(text, options);
  EXPECT_EQ(broken_rules(result), Rules{});
  EXPECT_EQ(result.executions, 3U);
}

TEST(Audit, TheSmallestLogIsShown) {
  LogGenerator generator(3);
  GeneratedLog log;
  while (!has(log, "task.done")) log = generator.log("x");
  const std::size_t at = place_of(log, "task.done");
  copy_to(log, at, log.events.size() - 1);
  std::string text;
  for (const Object& event : log.events) text += wire::to_json(event) + "\n";
  const AuditResult result = audited(text);
  ASSERT_EQ(result.findings.size(), 1U);
  const auto& [cause, finding] = *result.findings.begin();
  EXPECT_EQ(cause, Cause(LogRule::task_outcome_last, "task.done"));
  EXPECT_EQ(finding.example.events, 2U);
  EXPECT_EQ(finding.example.lines.size(), 2U);
  EXPECT_EQ(finding.example.index, 1U);
  EXPECT_EQ(finding.example.place.line, log.events.size() - 1);
}

TEST(Audit, ATimeWindowHidesWhatIsOutsideAndKeepsWhatCameBefore) {
  const std::string text = event_line({{"event_id", "a"}, {"event_type", "playbook.completed"}}) +
                           event_line({{"event_id", "b"},
                                       {"event_type", "playbook.failed"},
                                       {"timestamp", "2026-01-02T00:00:00Z"}});
  const auto time = [](std::int64_t seconds) {
    EventTime made;
    made.seconds = seconds;
    return made;
  };
  constexpr std::int64_t noon = 1'767'268'800;  // 2026-01-01T12:00:00Z
  AuditOptions options;
  options.scope.since = time(noon);
  EXPECT_EQ(broken_rules(audited(text, options)), Rules{"one-end"});
  options.scope.since.reset();
  options.scope.until = time(noon);
  const AuditResult before = audited(text, options);
  EXPECT_EQ(broken_rules(before), Rules{});
  EXPECT_EQ(before.tally.judged[static_cast<std::size_t>(LogRule::one_end)], 1U);
}

TEST(Audit, OnlyTheRulesThatAreAskedAreJudged) {
  const std::string text = event_line({{"event_id", "a"}, {"event_type", "playbook.completed"}}) +
                           event_line({{"event_id", "a"}, {"event_type", "playbook.failed"}});
  EXPECT_EQ(broken_rules(audited(text)), (Rules{"event-id-once", "one-end"}));
  AuditOptions options;
  options.scope.rules.reset().set(static_cast<std::size_t>(LogRule::one_end));
  const AuditResult result = audited(text, options);
  EXPECT_EQ(broken_rules(result), Rules{"one-end"});
  EXPECT_EQ(result.tally.judged[static_cast<std::size_t>(LogRule::one_end)], 2U);
  EXPECT_EQ(result.tally.judged[static_cast<std::size_t>(LogRule::event_id_once)], 0U);
}

TEST(Audit, OnlyTheExecutionsThatAreNamedAreJudged) {
  std::string text;
  for (const char* execution : {"a", "b", "c"}) {
    text += event_line({{"execution_id", execution}, {"event_type", "playbook.completed"}});
    text += event_line({{"execution_id", execution}, {"event_type", "playbook.completed"}});
  }
  text += event_line({{"execution_id", nullptr}});
  AuditOptions options;
  options.executions = {"a", "c"};
  for (const std::size_t jobs : {1U, 2U}) {
    options.jobs = jobs;
    const AuditResult result = audited(text, options);
    EXPECT_EQ(result.executions, 2U);
    EXPECT_EQ(result.events, 4U);
    EXPECT_EQ(broken_rules(result), (Rules{"event-id-once", "one-end"}));
    EXPECT_EQ(result.findings.begin()->second.names, (std::set<std::string>{"a", "c"}));
  }
}

TEST(Audit, ARecordSaysWhatTheLogShowsAndWhatItDoesNot) {
  const auto cases =
      cases_of(audited(event_line({})), std::bitset<check::log_rule_count>().set(), {"log"}, "x");
  const auto verdict_of = [&cases](const std::string& id) {
    const auto found =
        std::find_if(cases.begin(), cases.end(), [&id](const auto& each) { return each.id == id; });
    return found == cases.end() ? core::Verdict::error : found->verdict;
  };
  EXPECT_EQ(verdict_of("log/lines"), core::Verdict::pass);
  EXPECT_EQ(verdict_of("log/event-id"), core::Verdict::pass);
  EXPECT_EQ(verdict_of("log/event-id-once"), core::Verdict::not_applicable);
  EXPECT_EQ(verdict_of("log/loop-waits"), core::Verdict::not_applicable);
  EXPECT_EQ(cases.size(), audit_case_ids().size());
  const auto unread = cases_of(audited("{\n"), {}, {"log"}, "x");
  EXPECT_EQ(unread.at(0).verdict, core::Verdict::inconclusive);
  const auto empty = cases_of(audited(""), {}, {"log"}, "x");
  EXPECT_EQ(empty.at(0).verdict, core::Verdict::not_applicable);
}

}  // namespace
}  // namespace assay::audit
