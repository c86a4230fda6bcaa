#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/audit/audit.h"
#include "harness/audit/audit_record.h"
#include "harness/audit/testing/log_faults.h"
#include "harness/audit/testing/log_generator.h"
#include "harness/wire/json.h"
#include "harness/wire/record.h"

namespace assay::audit::testing {

inline AuditResult audited(const std::string& text, AuditOptions options = {}) {
  Audit audit(std::move(options));
  const auto source = text_source(text, "log");
  audit.read(*source);
  return audit.finish();
}

inline std::vector<std::string> broken_rules(const AuditResult& result) {
  std::vector<std::string> rules;
  for (const auto& [cause, finding] : result.findings) {
    const std::string id(check::text_of(cause.first).id);
    if (std::find(rules.begin(), rules.end(), id) == rules.end()) rules.push_back(id);
  }
  return rules;
}

/// The record's cases as text, places too.
inline std::string record_with_places(const AuditResult& result) {
  std::string text;
  for (const core::CaseResult& each :
       cases_of(result, std::bitset<check::log_rule_count>().set(), {"log"}, "assay audit")) {
    text += wire::record_line(each);
  }
  return text;
}

/// The same without the places, which differ with the files.
inline std::string record_of(const AuditResult& result) {
  std::string text;
  for (core::CaseResult& each :
       cases_of(result, std::bitset<check::log_rule_count>().set(), {"log"}, "assay audit")) {
    for (core::Check& check : each.checks) check.at.clear();
    text += wire::record_line(each);
  }
  return text;
}

inline std::vector<GeneratedLog> sound_logs(LogGenerator& generator, std::size_t count) {
  std::vector<GeneratedLog> logs;
  for (std::size_t log = 0; log < count; ++log) {
    logs.push_back(generator.log("x" + std::to_string(log)));
  }
  return logs;
}

inline std::vector<GeneratedLog> faulty_logs(LogGenerator& generator) {
  std::vector<GeneratedLog> logs = sound_logs(generator, 200);
  for (std::size_t log = 0; log < logs.size(); log += 2) {
    const Plant& plant = plants()[log / 2 % plants().size()];
    if (has(logs[log], plant.needs)) plant.plant(logs[log]);
  }
  return logs;
}

/// An event that breaks nothing by itself, with other members.
inline std::string event_line(Object more) {
  Object event = {{"event_id", "e"},
                  {"event_type", "x.y"},
                  {"execution_id", "x"},
                  {"timestamp", "2026-01-01T00:00:00Z"}};
  for (auto& [name, value] : more) event[name] = std::move(value);
  return wire::to_json(event) + "\n";
}

}  // namespace assay::audit::testing
