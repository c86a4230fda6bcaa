#include "harness/audit/batch_exchange.h"

#include <algorithm>
#include <utility>

namespace assay::audit {

BatchExchange::BatchExchange(std::size_t workers, std::size_t limit_blocks)
    : inboxes_(workers), limit_blocks_(limit_blocks) {
  for (Inbox& inbox : inboxes_) inbox.slots.resize(limit_blocks);
}

/// For the next block's batches in every inbox.
bool BatchExchange::has_room() const {
  return std::all_of(inboxes_.begin(), inboxes_.end(),
                     [this](const Inbox& inbox) { return blocks_ - inbox.due < limit_blocks_; });
}

BatchExchange::Turn BatchExchange::next(std::size_t worker, std::string& batch) {
  Inbox& inbox = inboxes_[worker];
  std::unique_lock lock(mutex_);
  while (!is_abandoned_) {
    Slot& slot = inbox.slots[inbox.due % limit_blocks_];
    if (slot.is_full) {
      std::swap(batch, slot.batch);
      slot.is_full = false;
      ++inbox.due;
      lock.unlock();
      changed_.notify_all();
      return Turn::take;
    }
    if (has_ended_ && inbox.due == blocks_) return Turn::leave;
    if (!has_ended_ && !is_being_read_ && has_room()) {
      is_being_read_ = true;
      return Turn::read;
    }
    changed_.wait(lock);
  }
  return Turn::leave;
}

std::size_t BatchExchange::end_reading() {
  std::unique_lock lock(mutex_);
  is_being_read_ = false;
  const std::size_t block = blocks_++;
  lock.unlock();
  changed_.notify_all();
  return block;
}

void BatchExchange::end() {
  {
    const std::lock_guard lock(mutex_);
    is_being_read_ = false;
    has_ended_ = true;
  }
  changed_.notify_all();
}

void BatchExchange::hand_over(std::size_t block, std::vector<std::string>& batches) {
  {
    const std::lock_guard lock(mutex_);
    for (std::size_t worker = 0; worker < inboxes_.size(); ++worker) {
      Slot& slot = inboxes_[worker].slots[block % limit_blocks_];
      std::swap(slot.batch, batches[worker]);
      slot.is_full = true;
    }
  }
  changed_.notify_all();
}

void BatchExchange::abandon() {
  {
    const std::lock_guard lock(mutex_);
    is_abandoned_ = true;
  }
  changed_.notify_all();
}

}  // namespace assay::audit
