#include "harness/audit/partial_audit.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/value.h"
#include "harness/wire/json.h"

namespace assay::audit {
namespace {

using check::LogRule;

template <typename Texts>
Value list_of(const Texts& texts) {
  List list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

Value place_value(const LogPlace& place) {
  return Object{{"source", std::uint64_t{place.source}},
                {"line", place.line},
                {"column", std::uint64_t{place.column}}};
}

Value finding_value(const Cause& cause, const Finding& finding) {
  const Example& example = finding.example;
  return Object{{"rule", check::text_of(cause.first).id},
                {"event_type", cause.second},
                {"events", finding.events},
                {"executions", finding.executions},
                {"first", finding.first.text},
                {"last", finding.last.text},
                {"names", list_of(finding.names)},
                {"time", example.time.text},
                {"execution", example.execution},
                {"place", place_value(example.place)},
                {"what", example.what},
                {"index", std::uint64_t{example.index}},
                {"log_events", std::uint64_t{example.events}},
                {"log", list_of(example.lines)}};
}

/// What is no partial audit is told by what it lacks.
class Malformed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The members of an object, of which each has to be there.
class Members {
 public:
  explicit Members(const Value& value) : value_(value) {}

  [[nodiscard]] const Value& at(std::string_view name) const {
    const Value* found = value_.find(name);
    if (found == nullptr) throw Malformed(fmt::format("found no {}", name));
    return *found;
  }
  [[nodiscard]] std::string text(std::string_view name) const { return text_of(at(name), name); }
  [[nodiscard]] std::uint64_t count(std::string_view name) const {
    return count_of(at(name), name);
  }
  [[nodiscard]] const List& list(std::string_view name) const {
    if (!at(name).is_list()) throw wrong(at(name), name, "a list");
    return at(name).as_list();
  }
  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> texts;
    for (const Value& each : list(name)) texts.push_back(text_of(each, name));
    return texts;
  }
  [[nodiscard]] std::map<std::string, std::uint64_t> counts(std::string_view name) const {
    if (!at(name).is_object()) throw wrong(at(name), name, "an object");
    std::map<std::string, std::uint64_t> counts;
    for (const auto& [key, value] : at(name).as_object()) counts[key] = count_of(value, name);
    return counts;
  }

 private:
  static Malformed wrong(const Value& value, std::string_view name, std::string_view due) {
    return Malformed(fmt::format("{}: found {}, expected {}", name, value.kind_name(), due));
  }
  static std::string text_of(const Value& value, std::string_view name) {
    if (!value.is_string()) throw wrong(value, name, "a string");
    return value.as_string();
  }
  static std::uint64_t count_of(const Value& value, std::string_view name) {
    const auto number = value.to_int64();
    if (!number || *number < 0) throw wrong(value, name, "a whole number from 0 on");
    return static_cast<std::uint64_t>(*number);
  }

  const Value& value_;
};

LogRule rule_named(std::string_view id) {
  for (const check::LogRuleText& rule : check::log_rules()) {
    if (rule.id == id) return rule.rule;
  }
  throw Malformed(fmt::format("found the rule {}, which this version does not have", id));
}

LogPlace place_in(const Value& value) {
  const Members members(value);
  return {static_cast<std::uint32_t>(members.count("source")),
          static_cast<std::uint32_t>(members.count("column")), members.count("line")};
}

std::pair<Cause, Finding> finding_in(const Value& value) {
  const Members members(value);
  Finding finding;
  finding.events = members.count("events");
  finding.executions = members.count("executions");
  finding.first = time_named(members.text("first"));
  finding.last = time_named(members.text("last"));
  for (std::string& name : members.texts("names")) finding.names.insert(std::move(name));
  Example& example = finding.example;
  example.time = time_named(members.text("time"));
  example.execution = members.text("execution");
  example.place = place_in(members.at("place"));
  example.what = members.text("what");
  example.index = members.count("index");
  example.events = members.count("log_events");
  example.lines = members.texts("log");
  return std::pair(Cause(rule_named(members.text("rule")), members.text("event_type")),
                   std::move(finding));
}

PartialAudit partial_in(const Value& value) {
  const Members members(value);
  PartialAudit partial;
  partial.sources = members.texts("sources");
  partial.command = members.text("command");
  for (const std::string& id : members.texts("rules")) {
    partial.rules.set(static_cast<std::size_t>(rule_named(id)));
  }
  AuditResult& result = partial.result;
  for (const auto& [id, judged] : members.counts("judged")) {
    result.tally[rule_named(id)] = judged;
  }
  result.events = members.count("events");
  result.executions = members.count("executions");
  result.states = members.counts("states");
  result.unordered = members.count("unordered");
  result.gapped = members.count("gapped");
  result.headless = members.count("headless");
  result.bad = members.count("bad");
  for (const Value& each : members.list("first_bad")) {
    const Members bad(each);
    const std::uint64_t ordinal = bad.count("ordinal");
    result.first_bad.insert({ordinal, {ordinal, place_in(bad.at("place")), bad.text("message")}});
  }
  for (const Value& each : members.list("findings")) result.findings.insert(finding_in(each));
  return partial;
}

}  // namespace

std::string partial_line(const PartialAudit& partial) {
  const AuditResult& result = partial.result;
  List rules;
  Object judged;
  for (const check::LogRuleText& rule : check::log_rules()) {
    const auto index = static_cast<std::size_t>(rule.rule);
    if (partial.rules[index]) rules.emplace_back(rule.id);
    if (result.tally.judged[index] > 0) {
      judged.emplace(rule.id, result.tally.judged[index]);
    }
  }
  List findings;
  for (const auto& [cause, finding] : result.findings) {
    findings.push_back(finding_value(cause, finding));
  }
  List first_bad;
  for (const auto& [ordinal, bad] : result.first_bad) {
    first_bad.push_back(
        Object{{"ordinal", ordinal}, {"place", place_value(bad.place)}, {"message", bad.message}});
  }
  Object states;
  for (const auto& [state, count] : result.states) states.emplace(state, count);
  const Object line = {{"type", partial_line_type},         {"sources", list_of(partial.sources)},
                       {"command", partial.command},        {"rules", std::move(rules)},
                       {"judged", std::move(judged)},       {"events", result.events},
                       {"executions", result.executions},   {"states", std::move(states)},
                       {"unordered", result.unordered},     {"gapped", result.gapped},
                       {"headless", result.headless},       {"bad", result.bad},
                       {"first_bad", std::move(first_bad)}, {"findings", std::move(findings)}};
  return wire::to_json(line) + "\n";
}

Result<PartialAudit, core::Diagnostic> read_partial(std::string_view text,
                                                    const std::string& file_name) {
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto value = wire::parse_json(line);
    if (!value || value->string_at("type") != partial_line_type) continue;
    try {
      return partial_in(*value);
    } catch (const Malformed& fault) {
      return unexpected(core::Diagnostic{{file_name, number, 1}, fault.what()});
    }
  }
  return unexpected(core::Diagnostic{
      {file_name, std::max(number, 1), 1},
      "found no line of a partition, expected what `assay audit --partition` wrote"});
}

}  // namespace assay::audit
