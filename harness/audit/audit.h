#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "harness/audit/block_reader.h"
#include "harness/audit/byte_source.h"
#include "harness/audit/execution_judge.h"
#include "harness/audit/finding.h"

namespace assay::audit {

struct AuditOptions {
  AuditScope scope;
  /// Threads that parse and judge. What comes out is the same with any number.
  std::size_t jobs = 1;
  /// Behind how many events of all executions one that has ended is judged and let go: what comes
  /// of it later is taken for an execution of its own.
  std::uint64_t ended_lines = 100'000;
  ReadLimits limits;
  /// The only executions that are judged; empty: all.
  std::set<std::string, std::less<>> executions;
};

/// Reads logs, in which the events of executions may be mixed, and judges each execution.
class Audit {
 public:
  explicit Audit(AuditOptions options);
  ~Audit();
  Audit(const Audit&) = delete;
  Audit& operator=(const Audit&) = delete;

  /// Reads all of the next source. Throws ReadError.
  void read(ByteSource& source);
  /// Judges what is left, and makes the examples as small as they go.
  [[nodiscard]] AuditResult finish();

 private:
  struct Worker;
  class Team;

  void parse(Block& block, Worker& worker, std::vector<std::string>& buckets);
  void read_alone(BlockReader& reader);
  void read_together(BlockReader& reader);

  AuditOptions options_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Team> team_;
  std::uint32_t sources_ = 0;
  std::uint64_t ordinal_ = 0;
};

}  // namespace assay::audit
