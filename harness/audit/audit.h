#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "harness/audit/batch_exchange.h"
#include "harness/audit/block_reader.h"
#include "harness/audit/byte_source.h"
#include "harness/audit/event_parser.h"
#include "harness/audit/execution_judge.h"
#include "harness/audit/executions.h"
#include "harness/audit/finding.h"

namespace assay::audit {

struct AuditOptions {
  AuditScope scope;
  /// Threads that parse and judge. What comes out is the same with any number.
  std::size_t jobs = 1;
  /// Of all threads together.
  GatheringOptions gathering;
  ReadLimits limits;
  LineForm line_form = LineForm::event;
  /// How foreign events are read.
  std::optional<core::Mapping> reading;
  /// The only executions that are judged; empty: all.
  std::set<std::string, std::less<>> executions;
  /// Once requested, nothing more is read: what came so far is judged.
  std::stop_token stop = {};
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
  /// What is new since the last call, where there is one thread and news are kept; the events that
  /// a source has just given are judged.
  [[nodiscard]] std::map<Cause, Finding> take_news();

 private:
  struct Worker;
  class Team;

  template <typename Take>
  void parse(const Block& block, Worker& worker, const Take& take);
  void parse_into(const Block& block, Worker& worker, std::vector<std::string>& batches);
  void read_alone(BlockReader& reader);
  void read_together(BlockReader& reader);
  void work(Worker& worker, std::size_t number, BlockReader& reader, BatchExchange& exchange);

  AuditOptions options_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Team> team_;
  std::uint32_t sources_ = 0;
  std::uint64_t ordinal_ = 0;
};

}  // namespace assay::audit
