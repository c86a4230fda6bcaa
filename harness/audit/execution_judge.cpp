#include "harness/audit/execution_judge.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <iterator>
#include <memory_resource>
#include <set>
#include <utility>

#include "base/value.h"
#include "harness/check/log_auditor.h"
#include "harness/check/log_layers.h"
#include "reference_impl/model/events/taxonomy.h"
#include "reference_impl/model/status/layers.h"

namespace assay::audit {
namespace {

using check::EventField;
using check::LogRule;
using check::Violation;

/// A log that is longer is told by its place alone.
constexpr std::size_t limit_example_bytes = std::size_t{1} << 20U;

/// A payload that is nested deeper is judged as one that is absent.
constexpr std::size_t limit_payload_depth = 400;

Value payload_value(std::string_view json) {
  auto read = wire::parse_json(json, {.max_depth = limit_payload_depth});
  return read ? *std::move(read) : Value();
}

/// Both judges of one execution's log: the specifications by themselves, and the model's tables.
class Judges {
 public:
  Judges(std::string_view execution, check::LogPremises premises)
      : order_(premises),
        layers_(std::string(execution)),
        judges_layers_(premises.scope != check::LogScope::replay) {}

  void expect_events(std::size_t count) { order_.expect_events(count); }

  void add(std::string_view packed, std::size_t at) {
    unpack(packed, at, parsed_);
    Value payload;
    if (!parsed_.payload.empty()) {
      payload = payload_value(parsed_.payload);
      parsed_.event.payload = &payload;
    }
    order_.add(parsed_.event);
    if (judges_layers_) layers_.add(parsed_.event, order_.is_whole());
  }

  void finish() { order_.finish(); }

  [[nodiscard]] bool has_violations() const {
    return order_.has_violations() || layers_.has_violations();
  }
  [[nodiscard]] std::vector<Violation> take_violations() {
    std::vector<Violation> found = order_.take_violations();
    std::vector<Violation> more = layers_.take_violations();
    std::move(more.begin(), more.end(), std::back_inserter(found));
    return found;
  }
  [[nodiscard]] check::LogTally tally() const {
    check::LogTally both = order_.tally();
    both.add(layers_.tally());
    return both;
  }
  [[nodiscard]] const check::LogAuditor& order() const { return order_; }
  [[nodiscard]] const check::LogLayers& layers() const { return layers_; }

 private:
  check::LogAuditor order_;
  check::LogLayers layers_;
  bool judges_layers_;
  ParsedEvent parsed_;
};

/// An event of a packed log: its seq, and where it begins.
struct Numbered {
  std::int64_t seq;
  std::size_t at;
};
using Order = std::pmr::vector<Numbered>;

/// In the order of seq where every event has one, else as they stand.
void find_order(std::string_view packed, AuditResult& result, Order& events) {
  bool have_seq = true;
  bool rises = true;
  for (std::size_t at = 0; at < packed.size();) {
    const PackedHead head = head_at(packed, at);
    have_seq &= head.has_seq;
    rises &= events.empty() || events.back().seq <= head.seq;
    events.push_back({head.seq, at});
    at += head.size;
  }
  if (have_seq && !rises) {
    ++result.unordered;
    std::stable_sort(events.begin(), events.end(), [](const Numbered& left, const Numbered& right) {
      return left.seq < right.seq;
    });
  }
}

std::string type_for_cause(const check::LogEvent& event) {
  const auto type = event.string(EventField::event_type);
  return type && events::find_event_type(*type) != nullptr ? std::string(*type) : "an event";
}

/// Judges one execution and notes what it finds.
class ExecutionJudge {
 public:
  ExecutionJudge(std::optional<std::string_view> execution, std::string_view packed,
                 const AuditScope& scope, AuditResult& result)
      : execution_(execution.value_or("")),
        has_execution_(execution.has_value()),
        packed_(packed),
        scope_(scope),
        result_(result) {}

  void judge() {
    // Most logs are short, and need no more memory than this.
    std::array<std::byte, 2048> room;
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    Order order(&memory);
    find_order(packed_, result_, order);
    Judges judges(execution_, {.scope = scope_.scope, .judges_all = true});
    judges.expect_events(order.size());
    for (const Numbered& each : order) {
      judges.add(packed_, each.at);
      note(judges, order, each.at);
    }
    judges.finish();
    note(judges, order, order.back().at);
    if (!has_window()) count(judges.tally());
    sum_up(judges, order.size());
  }

 private:
  [[nodiscard]] bool has_window() const { return scope_.since || scope_.until; }

  [[nodiscard]] bool is_inside(const EventTime& time) const {
    return !(scope_.since && time < *scope_.since) && !(scope_.until && *scope_.until < time);
  }

  void count(const check::LogTally& tally) {
    for (std::size_t rule = 0; rule < check::log_rule_count; ++rule) {
      if (scope_.rules[rule]) result_.tally.judged[rule] += tally.judged[rule];
    }
  }

  void note(Judges& judges, const Order& order, std::size_t at) {
    if (has_window()) {
      const check::LogTally tally = judges.tally();
      check::LogTally since_last = tally;
      for (std::size_t rule = 0; rule < check::log_rule_count; ++rule) {
        since_last.judged[rule] -= counted_.judged[rule];
      }
      counted_ = tally;
      if (is_inside(time_of(unpack(packed_, at).event))) count(since_last);
    }
    if (!judges.has_violations()) return;
    for (Violation& violation : judges.take_violations()) {
      if (!scope_.rules[static_cast<std::size_t>(violation.rule)]) continue;
      note(judges, order, at, violation);
    }
  }

  void note(const Judges& judges, const Order& order, std::size_t at, Violation& violation) {
    const std::size_t broken_at = order[violation.index].at;
    const check::LogEvent event = unpack(packed_, broken_at).event;
    Example example;
    example.time = time_of(event);
    if (!is_inside(example.time)) return;
    example.execution = execution_;
    example.place = head_at(packed_, broken_at).place;
    const Cause cause = {violation.rule, type_for_cause(event)};
    Finding& finding = result_.findings[cause];
    finding.note_event(example.time);
    // The first of an execution stands for it.
    if (!told_.insert(cause).second) return;
    const bool is_first = finding.example.execution.empty() && finding.example.log.empty();
    if (has_execution_) finding.note_execution(execution_);
    if (!is_first && !is_earlier(example, finding.example)) return;
    keep_log(example, order, at);
    example.index = violation.index;
    example.what = std::move(violation.what);
    example.is_whole = judges.order().is_whole();
    finding.example = std::move(example);
  }

  /// All that was judged up to the event at `at`.
  void keep_log(Example& example, const Order& order, std::size_t at) const {
    for (const Numbered& each : order) {
      const std::size_t size = head_at(packed_, each.at).size;
      if (example.log.size() + size > limit_example_bytes) {
        example.log.clear();
        return;
      }
      example.log.append(packed_, each.at, size);
      if (each.at == at) return;
    }
  }

  void sum_up(const Judges& judges, std::size_t events) {
    result_.events += events;
    if (!has_execution_) return;
    ++result_.executions;
    ++result_.states[std::string(status::word_of(judges.layers().fold().state()))];
    if (scope_.scope != check::LogScope::foreign) return;
    if (judges.order().has_gap()) ++result_.gapped;
    if (!judges.order().has_beginning()) ++result_.headless;
  }

  std::string execution_;
  bool has_execution_;
  std::string_view packed_;
  const AuditScope& scope_;
  AuditResult& result_;
  check::LogTally counted_;
  std::set<Cause> told_;
};

}  // namespace

void expect_execution(std::string_view packed) {
  constexpr std::size_t line_bytes = 64;
  constexpr std::size_t limit_bytes = 16'384;
  const std::size_t size = std::min(packed.size(), limit_bytes);
  for (std::size_t at = 0; at < size; at += line_bytes) __builtin_prefetch(packed.data() + at);
}

void judge_execution(std::optional<std::string_view> execution, std::string_view packed,
                     const AuditScope& scope, AuditResult& result) {
  if (!packed.empty()) ExecutionJudge(execution, packed, scope, result).judge();
}

std::vector<Violation> violations_of(std::string_view packed, check::LogPremises premises) {
  Judges judges("", premises);
  for (std::size_t at = 0; at < packed.size(); at += head_at(packed, at).size) {
    judges.add(packed, at);
  }
  judges.finish();
  return judges.take_violations();
}

std::vector<std::size_t> offsets_of(std::string_view packed) {
  std::vector<std::size_t> offsets;
  for (std::size_t at = 0; at < packed.size(); at += head_at(packed, at).size) {
    offsets.push_back(at);
  }
  return offsets;
}

}  // namespace assay::audit
