#include "harness/audit/audit.h"

#include <algorithm>
#include <condition_variable>
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

/// Packs the block's events, each into the batch of the worker that has its execution.
void Audit::parse_into(const Block& block, Worker& worker, std::vector<std::string>& batches) {
  for (std::string& batch : batches) batch.clear();
  parse(block, worker,
        [&](const ParsedEvent& parsed, std::string_view execution, const TextSpan& span) {
          const std::size_t number = std::hash<std::string_view>{}(execution) % batches.size();
          pack(parsed, span.ordinal, span.place, batches[number]);
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

void Audit::read_together(BlockReader& reader) {
  // So that a worker finds another block to parse while the next batch of its own is being made.
  constexpr std::size_t blocks_each = 2;
  BatchExchange exchange(workers_.size(), blocks_each * workers_.size());
  team_->run([&](std::size_t number) {
    try {
      work(*workers_[number], number, reader, exchange);
    } catch (...) {
      exchange.abandon();
      throw;
    }
  });
}

/// Parses blocks for all workers, and gathers what is this worker's own as it comes.
void Audit::work(Worker& worker, std::size_t number, BlockReader& reader, BatchExchange& exchange) {
  Block block;
  std::vector<std::string> batches(workers_.size());
  std::string batch;
  while (true) {
    const BatchExchange::Turn turn = exchange.next(number, batch);
    if (turn == BatchExchange::Turn::leave) return;
    if (turn == BatchExchange::Turn::take) {
      for (std::string_view rest = batch; !rest.empty();) {
        worker.executions.add(rest);
        rest.remove_prefix(head_at(rest, 0).size);
      }
    } else if (reader.next(block) && !options_.stop.stop_requested()) {
      const std::size_t block_number = exchange.end_reading();
      parse_into(block, worker, batches);
      exchange.hand_over(block_number, batches);
    } else {
      exchange.end();
    }
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
