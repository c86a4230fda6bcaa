#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace assay::audit {

/// Brings what workers made of a log's blocks to the workers that own it. Each of them reads blocks
/// one after another and hands over a batch for every worker of each, and each takes the batches
/// that are for it in the order of the blocks, whoever read them and whichever was done first.
///
/// A block is begun only while every inbox has room for what will come of it, so handing over never
/// waits. Somebody can always go on: the oldest block of which a worker lacks its batch either is
/// in that worker's inbox, or is being worked on, or may be begun.
class BatchExchange {
 public:
  /// Each inbox has room for the batches of that many blocks, at least one.
  BatchExchange(std::size_t workers, std::size_t limit_blocks);

  /// What a worker has to do next.
  enum class Turn : std::uint8_t {
    take,   ///< Work on the batch that it was given.
    read,   ///< Read the next block, alone, and say so by `end_reading`.
    leave,  ///< Nothing: there is no further block, and it has had all batches.
  };

  /// Waits until there is something to do for that worker. Where it is to take a batch, that is put
  /// into `batch`, and the memory of what was in it is used again.
  [[nodiscard]] Turn next(std::size_t worker, std::string& batch);

  /// The block has been read; returns its number. Another may be read from now on. `hand_over` has
  /// to follow.
  [[nodiscard]] std::size_t end_reading();
  /// There was no further block to read.
  void end();

  /// Gives each worker its batch of a block that was read; in `batches` is memory to use again.
  void hand_over(std::size_t block, std::vector<std::string>& batches);

  /// A worker has failed: everybody leaves, whatever is still there.
  void abandon();

 private:
  struct Slot {
    std::string batch;
    bool is_full = false;
  };
  struct Inbox {
    /// The batch of a block is in the slot of its number, counted round.
    std::vector<Slot> slots;
    /// The block whose batch is taken next.
    std::size_t due = 0;
  };

  [[nodiscard]] bool has_room() const;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Inbox> inboxes_;
  std::size_t limit_blocks_;
  /// How many blocks were read.
  std::size_t blocks_ = 0;
  bool is_being_read_ = false;
  bool has_ended_ = false;
  bool is_abandoned_ = false;
};

}  // namespace assay::audit
