#include "harness/audit/executions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "base/digest.h"

namespace assay::audit {
namespace {

/// What an execution takes besides its events.
constexpr std::size_t gathered_bytes = 256;

/// What does not fit after that many rounds is one execution, which is judged in memory.
constexpr std::uint64_t limit_levels = 3;

/// The log of one execution whose events came in any order: in the order of their ordinals, and cut
/// where an execution that has ended would have been let go.
std::vector<std::string> pieces_of(std::string_view packed, std::uint64_t ended_lines) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t at = 0; at < packed.size(); at += head_at(packed, at).size) {
    order.emplace_back(head_at(packed, at).ordinal, at);
  }
  std::sort(order.begin(), order.end());
  std::vector<std::string> pieces;
  bool has_ended = false;
  std::uint64_t last = 0;
  for (const auto& [ordinal, at] : order) {
    const PackedHead head = head_at(packed, at);
    if (pieces.empty() || (has_ended && ordinal - last > ended_lines)) {
      pieces.emplace_back();
      has_ended = false;
    }
    pieces.back().append(packed, at, head.size);
    has_ended |= head.closes;
    last = ordinal;
  }
  return pieces;
}

}  // namespace

void Executions::add(std::string_view packed) {
  const PackedHead head = head_at(packed, 0);
  if (is_in_order_) let_go(head.ordinal);
  const auto execution = execution_at(packed, 0);
  packed = packed.substr(0, head.size);
  if (!execution) return judge_execution(std::nullopt, packed, scope_, result_);
  if (spilled_) {
    const std::size_t bucket = bucket_of(*execution);
    if (is_spilled_[bucket]) return spilled_->add(bucket, packed);
  }
  Gathered& gathered = gathered_of(*execution);
  const std::size_t bytes_before = gathered.packed.capacity();
  gathered.packed.append(packed);
  note_added(gathered, head, bytes_before);
}

void Executions::add(const ParsedEvent& parsed, std::uint64_t ordinal, const LogPlace& place) {
  const auto execution = parsed.event.string(check::EventField::execution_id);
  if (!execution || spilled_) {
    std::string packed;
    pack(parsed, ordinal, place, packed);
    return add(packed);
  }
  if (is_in_order_) let_go(ordinal);
  Gathered& gathered = gathered_of(*execution);
  const std::size_t bytes_before = gathered.packed.capacity();
  note_added(gathered, pack(parsed, ordinal, place, gathered.packed), bytes_before);
}

/// An event with that head was added to what took `bytes_before`.
void Executions::note_added(Gathered& gathered, const PackedHead& head, std::size_t bytes_before) {
  bytes_ += gathered.packed.capacity() - bytes_before;
  gathered.ordinal = head.ordinal;
  gathered.has_changed = true;
  gathered.has_ended |= head.closes;
  if (is_in_order_ && gathered.has_ended && !gathered.is_queued) {
    gathered.is_queued = true;
    ended_.emplace(head.ordinal, &gathered);
  }
  while (bytes_ > options_.memory_bytes && gathered_.size() > 1 && level_ < limit_levels) spill();
}

Executions::Gathered& Executions::gathered_of(std::string_view execution) {
  const auto found = gathered_.find(execution);
  if (found != gathered_.end()) return *found->second;
  Gathered* made = nullptr;
  if (spare_.empty()) {
    auto fresh = std::make_unique<Gathered>();
    made = fresh.get();
    made->id = execution;
    gathered_.emplace(made->id, std::move(fresh));
  } else {
    ById::node_type node = std::move(spare_.back());
    spare_.pop_back();
    made = node.mapped().get();
    made->id = execution;
    node.key() = made->id;
    gathered_.insert(std::move(node));
  }
  bytes_ += gathered_bytes + made->packed.capacity();
  return *made;
}

/// Nothing of what was judged is left in it but memory, of which not much is kept.
void Executions::keep_spare(ById::node_type node) {
  constexpr std::size_t limit_spare = 64;
  constexpr std::size_t limit_spare_bytes = std::size_t{1} << 16U;
  Gathered& gathered = *node.mapped();
  if (spare_.size() >= limit_spare || gathered.packed.capacity() > limit_spare_bytes) return;
  std::string packed = std::move(gathered.packed);
  packed.clear();
  gathered = {};
  gathered.packed = std::move(packed);
  spare_.push_back(std::move(node));
}

void Executions::let_go(std::uint64_t ordinal) {
  while (!ended_.empty() && ordinal - ended_.begin()->first > options_.ended_lines) {
    Gathered* gathered = ended_.begin()->second;
    ended_.erase(ended_.begin());
    if (ordinal - gathered->ordinal <= options_.ended_lines) {
      // Something came of it since it was queued.
      ended_.emplace(gathered->ordinal, gathered);
      continue;
    }
    if (!ended_.empty()) expect_execution(ended_.begin()->second->packed);
    judge(*gathered);
    bytes_ -= gathered_bytes + gathered->packed.capacity();
    keep_spare(gathered_.extract(gathered->id));
  }
}

void Executions::judge(Gathered& gathered) {
  if (!options_.keeps_news) return judge_into(gathered, result_);
  AuditResult result;
  judge_into(gathered, result);
  note_news(gathered, result);
  result_.add(result);
}

void Executions::judge_into(const Gathered& gathered, AuditResult& result) const {
  if (is_in_order_) return judge_execution(gathered.id, gathered.packed, scope_, result);
  for (const std::string& piece : pieces_of(gathered.packed, options_.ended_lines)) {
    judge_execution(gathered.id, piece, scope_, result);
  }
}

void Executions::note_news(Gathered& gathered, const AuditResult& result) {
  for (const auto& [cause, finding] : result.findings) {
    if (gathered.told.insert(cause).second) news_[cause].add(finding);
  }
}

std::map<Cause, Finding> Executions::take_news() {
  for (const auto& [id, gathered] : gathered_) {
    if (!std::exchange(gathered->has_changed, false)) continue;
    AuditResult result;
    judge_into(*gathered, result);
    note_news(*gathered, result);
  }
  return std::exchange(news_, {});
}

/// Another one at every level, so that what shared a bucket is parted.
std::size_t Executions::bucket_of(std::string_view execution) const {
  Digest digest;
  digest.add(level_);
  digest.add(execution);
  const std::uint64_t value = digest.value();
  return (value ^ (value >> 32U)) % SpillFile::bucket_count;
}

/// Puts the bucket that takes most memory on disk.
void Executions::spill() {
  if (!spilled_) spilled_ = std::make_unique<SpillFile>(options_.spill_folder);
  std::array<std::size_t, SpillFile::bucket_count> bytes = {};
  for (const auto& [id, gathered] : gathered_) {
    bytes.at(bucket_of(id)) += gathered_bytes + gathered->packed.capacity();
  }
  const auto largest = std::max_element(bytes.begin(), bytes.end());
  const auto bucket = static_cast<std::size_t>(std::distance(bytes.begin(), largest));
  is_spilled_.set(bucket);
  bytes_ -= *largest;
  std::erase_if(ended_, [&](const auto& each) { return bucket_of(each.second->id) == bucket; });
  std::erase_if(gathered_, [&](const auto& each) {
    if (bucket_of(each.first) != bucket) return false;
    spilled_->add(bucket, each.second->packed);
    return true;
  });
}

void Executions::finish() {
  for (auto each = gathered_.begin(); each != gathered_.end();) {
    Gathered& gathered = *each->second;
    if (++each != gathered_.end()) expect_execution(each->second->packed);
    judge(gathered);
  }
  ended_.clear();
  gathered_.clear();
  bytes_ = 0;
  for (std::size_t bucket = 0; bucket < is_spilled_.size(); ++bucket) {
    if (!is_spilled_[bucket]) continue;
    Executions part(scope_, options_, level_ + 1);
    spilled_->read(bucket, [&part](std::string_view events) {
      for (; !events.empty(); events.remove_prefix(head_at(events, 0).size)) part.add(events);
    });
    part.finish();
    result_.add(part.result());
  }
  spilled_.reset();
  is_spilled_.reset();
}

}  // namespace assay::audit
