#include "harness/audit/audit.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>

namespace assay::audit {

/// Threads that do the same for numbers from 0 on; the caller is the first of them.
class Audit::Team {
 public:
  explicit Team(std::size_t size) {
    for (std::size_t number = 1; number < size; ++number) {
      threads_.emplace_back([this, number] { work(number); });
    }
  }
  ~Team() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Calls `task` with each number below the team's size, and returns when all have come back.
  void run(const std::function<void(std::size_t)>& task) {
    {
      const std::lock_guard lock(mutex_);
      task_ = &task;
      busy_ = threads_.size();
      ++round_;
    }
    changed_.notify_all();
    attempt(0, task);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return busy_ == 0; });
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  void work(std::size_t number) {
    std::size_t seen = 0;
    while (true) {
      const std::function<void(std::size_t)>* task = nullptr;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this, seen] { return is_over_ || round_ != seen; });
        if (is_over_) return;
        seen = round_;
        task = task_;
      }
      attempt(number, *task);
      {
        const std::lock_guard lock(mutex_);
        --busy_;
      }
      changed_.notify_all();
    }
  }

  void attempt(std::size_t number, const std::function<void(std::size_t)>& task) {
    try {
      task(number);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t round_ = 0;
  std::size_t busy_ = 0;
  bool is_over_ = false;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

namespace {

/// Reads blocks ahead in a thread of its own.
class ReadAhead {
 public:
  ReadAhead(BlockReader& reader, std::size_t limit_blocks)
      : limit_blocks_(limit_blocks), thread_([this, &reader] { read(reader); }) {}
  ~ReadAhead() {
    {
      const std::lock_guard lock(mutex_);
      is_unwanted_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  ReadAhead(const ReadAhead&) = delete;
  ReadAhead& operator=(const ReadAhead&) = delete;

  /// Puts the next block into `block`, and takes what was in it to be used again; false at the end.
  /// Throws what the reader threw.
  bool next(Block& block) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_over_ || !blocks_.empty(); });
    if (blocks_.empty()) {
      if (failure_) std::rethrow_exception(failure_);
      return false;
    }
    spare_.push_back(std::exchange(block, std::move(blocks_.front())));
    blocks_.pop_front();
    lock.unlock();
    changed_.notify_all();
    return true;
  }

 private:
  void read(BlockReader& reader) {
    try {
      Block block;
      while (reader.next(block)) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_unwanted_ || blocks_.size() < limit_blocks_; });
        if (is_unwanted_) return;
        blocks_.push_back(std::exchange(block, take_spare()));
        lock.unlock();
        changed_.notify_all();
      }
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }

  Block take_spare() {
    if (spare_.empty()) return {};
    Block block = std::move(spare_.back());
    spare_.pop_back();
    return block;
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> blocks_;
  /// Blocks that were judged, for their memory.
  std::vector<Block> spare_;
  std::size_t limit_blocks_;
  bool is_over_ = false;
  bool is_unwanted_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace

struct Audit::Worker {
  explicit Worker(const AuditOptions& options)
      : parser(options.reading ? &*options.reading : nullptr),
        executions(options.scope, options.gathering) {}

  EventParser parser;
  Executions executions;
};

Audit::Audit(AuditOptions options) : options_(std::move(options)) {
  GatheringOptions& gathering = options_.gathering;
  gathering.is_in_order = options_.line_form == LineForm::event;
  gathering.memory_bytes /= options_.jobs;
  if (gathering.spill_folder.empty()) {
    gathering.spill_folder = std::filesystem::temp_directory_path();
  }
  for (std::size_t number = 0; number < options_.jobs; ++number) {
    workers_.push_back(std::make_unique<Worker>(options_));
  }
  if (options_.jobs > 1) {
    team_ = std::make_unique<Team>(options_.jobs);
  } else {
    // A block stays in the core's own cache from being read to being judged. Several threads wait
    // for each other at the end of each block, and want larger ones.
    constexpr std::size_t cached_bytes = std::size_t{1} << 18U;
    options_.limits.block_bytes = std::min(options_.limits.block_bytes, cached_bytes);
  }
}

Audit::~Audit() = default;

void Audit::read(ByteSource& source) {
  BlockReader reader(source, sources_++, ordinal_, options_.limits, options_.line_form);
  if (team_) {
    read_together(reader);
  } else {
    read_alone(reader);
  }
  ordinal_ = reader.ordinal();
}

/// Calls `take` with each of the block's events that are judged, its execution, and its span.
template <typename Take>
void Audit::parse(const Block& block, Worker& worker, const Take& take) {
  AuditResult& result = worker.executions.result();
  for (const BadText& bad : block.bad) result.add_bad(bad);
  const std::string_view text = block.text.view();
  ParsedEvent parsed;
  for (const TextSpan& span : block.events) {
    if (const auto fault = worker.parser.parse(text.substr(span.offset, span.size), parsed)) {
      LogPlace place = span.place;
      place.column += static_cast<std::uint32_t>(fault->offset);
      result.add_bad({span.ordinal, place, fault->message});
      continue;
    }
    const auto execution = parsed.event.string(check::EventField::execution_id);
    if (!options_.executions.empty() && !(execution && options_.executions.contains(*execution))) {
      continue;
    }
    take(parsed, execution.value_or(""), span);
  }
}

/// Packs the block's events, each into the bucket of the worker that has its execution.
void Audit::parse_into(const Block& block, Worker& worker, std::vector<std::string>& buckets) {
  for (std::string& bucket : buckets) bucket.clear();
  parse(block, worker,
        [&](const ParsedEvent& parsed, std::string_view execution, const TextSpan& span) {
          const std::size_t number = std::hash<std::string_view>{}(execution) % buckets.size();
          pack(parsed, span.ordinal, span.place, buckets[number]);
        });
}

void Audit::read_alone(BlockReader& reader) {
  Worker& worker = *workers_.front();
  Block block;
  while (reader.next(block)) {
    // Its last line may be half.
    if (options_.stop.stop_requested()) return;
    parse(block, worker,
          [&](const ParsedEvent& parsed, std::string_view /*execution*/, const TextSpan& span) {
            worker.executions.add(parsed, span.ordinal, span.place);
          });
  }
}

/// As many blocks at a time as there are workers: each parses one, then each takes what is its own
/// out of all of them, in their order.
void Audit::read_together(BlockReader& reader) {
  const std::size_t jobs = workers_.size();
  ReadAhead ahead(reader, 2 * jobs);
  std::vector<std::vector<std::string>> buckets(jobs, std::vector<std::string>(jobs));
  std::vector<Block> blocks(jobs);
  while (true) {
    std::size_t read = 0;
    while (read < jobs && ahead.next(blocks[read])) ++read;
    if (read == 0 || options_.stop.stop_requested()) return;
    team_->run([&](std::size_t number) {
      if (number < read) {
        parse_into(blocks[number], *workers_[number], buckets[number]);
      } else {
        for (std::string& bucket : buckets[number]) bucket.clear();
      }
    });
    team_->run([&](std::size_t number) {
      for (const std::vector<std::string>& of_block : buckets) {
        for (std::string_view rest = of_block[number]; !rest.empty();) {
          workers_[number]->executions.add(rest);
          rest.remove_prefix(head_at(rest, 0).size);
        }
      }
    });
  }
}

std::map<Cause, Finding> Audit::take_news() { return workers_.front()->executions.take_news(); }

AuditResult Audit::finish() {
  if (team_) {
    team_->run([this](std::size_t number) { workers_[number]->executions.finish(); });
  } else {
    workers_.front()->executions.finish();
  }
  AuditResult whole;
  for (const auto& worker : workers_) whole.add(worker->executions.result());
  for (auto& [cause, finding] : whole.findings) {
    finding.example = shrunk(std::move(finding.example), options_.scope.scope, cause.first);
  }
  return whole;
}

}  // namespace assay::audit
