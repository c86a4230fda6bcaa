#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/terminal.h"
#include "harness/audit/audit.h"
#include "harness/audit/partial_audit.h"
#include "harness/core/record.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay::cli {

/// What the command line of `assay audit` says.
struct AuditVerbOptions {
  std::vector<std::string> files;
  /// How a database is found, and the query or the name of a shipped one.
  std::string postgres;
  std::string query;
  /// How foreign events are read; empty: they are the specifications'.
  std::string profile;
  std::string scope = "specification";
  std::vector<std::string> clauses;
  std::vector<std::string> executions;
  std::string since;
  std::string until;
  /// 0: as many as the machine has processors.
  std::size_t jobs = 0;
  std::uint64_t memory_bytes = std::uint64_t{1} << 30U;
  /// "2/3": which partition of a log standard input is; empty: it is a whole one.
  std::string partition;
  /// What the log is called of which it is a partition.
  std::string log_name = "log";
  bool follows = false;
  std::string baseline;
  std::string label;
  std::string record;
  std::vector<std::string> reports;
  bool quiet = false;
  bool verbose = false;
};

void add_audit_options(CLI::App& verb, AuditVerbOptions& options);

/// Puts in what was left out; throws UsageError where options exclude each other.
void settle(AuditVerbOptions& options);

/// What is asked of the log; throws UsageError for names that there are not. `header` gets the
/// profile's.
[[nodiscard]] audit::AuditOptions audit_options(const AuditVerbOptions& options,
                                                const Terminal& terminal,
                                                core::RecordHeader& header);

/// What the log is called in places and reports.
[[nodiscard]] std::vector<std::string> source_names(const AuditVerbOptions& options);

/// What audits the same again.
[[nodiscard]] std::string audit_command(const AuditVerbOptions& options);

/// All of a record's header but its time.
[[nodiscard]] core::RecordHeader audit_header(const AuditVerbOptions& options);

/// The query itself: of a shipped one its text, else what the option says; throws UsageError where
/// it is a name that no shipped query has.
[[nodiscard]] std::string query_text(const std::string& query);

/// Says on standard error what was read, and what of it can't be judged as it stands.
void say_what_was_read(const audit::AuditResult& result, Terminal& terminal);

}  // namespace assay::cli
