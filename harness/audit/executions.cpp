#include "harness/audit/executions.h"

#include <optional>
#include <utility>

namespace assay::audit {

void Executions::add(std::string_view packed) {
  const PackedHead head = head_at(packed, 0);
  let_go(head.ordinal);
  const auto execution = execution_at(packed, 0);
  packed = packed.substr(0, head.size);
  if (!execution) return judge_execution(std::nullopt, packed, scope_, result_);
  auto found = gathered_.find(*execution);
  if (found == gathered_.end()) {
    auto made = std::make_unique<Gathered>();
    made->id = *execution;
    const std::string_view id = made->id;
    found = gathered_.emplace(id, std::move(made)).first;
  }
  Gathered& gathered = *found->second;
  gathered.packed.append(packed);
  gathered.ordinal = head.ordinal;
  gathered.has_ended |= head.closes;
  if (gathered.has_ended && !gathered.is_queued) {
    gathered.is_queued = true;
    ended_.emplace(head.ordinal, &gathered);
  }
}

void Executions::let_go(std::uint64_t ordinal) {
  while (!ended_.empty() && ordinal - ended_.begin()->first > ended_lines_) {
    Gathered* gathered = ended_.begin()->second;
    ended_.erase(ended_.begin());
    if (ordinal - gathered->ordinal <= ended_lines_) {
      // Something came of it since it was queued.
      ended_.emplace(gathered->ordinal, gathered);
      continue;
    }
    judge_execution(gathered->id, gathered->packed, scope_, result_);
    gathered_.erase(gathered->id);
  }
}

void Executions::finish() {
  for (const auto& [id, gathered] : gathered_) {
    judge_execution(gathered->id, gathered->packed, scope_, result_);
  }
  gathered_.clear();
  ended_.clear();
}

}  // namespace assay::audit
