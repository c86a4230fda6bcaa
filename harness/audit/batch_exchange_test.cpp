#include "harness/audit/batch_exchange.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace assay::audit {
namespace {

using Turn = BatchExchange::Turn;

std::vector<std::string> batches_of(std::size_t block, std::size_t workers) {
  std::vector<std::string> batches;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    batches.push_back(std::to_string(block) + " for " + std::to_string(worker));
  }
  return batches;
}

/// Lets a worker read the next block.
std::size_t begin_block(BatchExchange& exchange, std::size_t worker) {
  std::string batch;
  EXPECT_EQ(exchange.next(worker, batch), Turn::read);
  return exchange.end_reading();
}

void hand_over(BatchExchange& exchange, std::size_t block, std::size_t workers) {
  std::vector<std::string> batches = batches_of(block, workers);
  exchange.hand_over(block, batches);
}

TEST(BatchExchange, GivesTheBatchesInTheOrderOfTheBlocksWhicheverIsDoneFirst) {
  BatchExchange exchange(2, 4);
  EXPECT_EQ(begin_block(exchange, 0), 0U);
  EXPECT_EQ(begin_block(exchange, 1), 1U);
  hand_over(exchange, 1, 2);
  std::string batch;
  // What came of the second block has to wait for the first.
  EXPECT_EQ(exchange.next(0, batch), Turn::read);
  exchange.end();
  hand_over(exchange, 0, 2);
  for (const std::size_t worker : {0U, 1U}) {
    for (const std::size_t block : {0U, 1U}) {
      EXPECT_EQ(exchange.next(worker, batch), Turn::take);
      EXPECT_EQ(batch, batches_of(block, 2)[worker]);
    }
    EXPECT_EQ(exchange.next(worker, batch), Turn::leave);
  }
}

TEST(BatchExchange, HasNoBlockBegunForWhichAnInboxHasNoRoom) {
  BatchExchange exchange(2, 2);
  EXPECT_EQ(begin_block(exchange, 0), 0U);
  EXPECT_EQ(begin_block(exchange, 0), 1U);
  hand_over(exchange, 0, 2);
  hand_over(exchange, 1, 2);
  std::string batch;
  EXPECT_EQ(exchange.next(0, batch), Turn::take);
  EXPECT_EQ(exchange.next(0, batch), Turn::take);
  // The other has taken nothing yet.
  std::atomic<bool> is_waiting = true;
  std::thread waiting([&] {
    std::string own;
    EXPECT_EQ(exchange.next(0, own), Turn::read);
    is_waiting = false;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(is_waiting);
  EXPECT_EQ(exchange.next(1, batch), Turn::take);
  waiting.join();
}

TEST(BatchExchange, EndsForAllThatWaitWhereOneFails) {
  BatchExchange exchange(3, 1);
  EXPECT_EQ(begin_block(exchange, 0), 0U);
  std::vector<std::thread> others;
  for (const std::size_t worker : {1U, 2U}) {
    others.emplace_back([&exchange, worker] {
      std::string batch;
      EXPECT_EQ(exchange.next(worker, batch), Turn::leave);
    });
  }
  exchange.abandon();
  for (std::thread& other : others) other.join();
}

/// Reads blocks until there are `blocks`; the batches that it took. Some of its turns take a while.
std::vector<std::string> worked(BatchExchange& exchange, std::size_t worker, std::size_t workers,
                                std::size_t blocks, std::atomic<std::size_t>& read) {
  std::vector<std::string> taken;
  std::string batch;
  std::size_t turns = 0;
  while (true) {
    const Turn turn = exchange.next(worker, batch);
    if (turn == Turn::leave) return taken;
    if ((++turns + worker) % 7 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    if (turn == Turn::take) {
      taken.push_back(batch);
    } else if (read == blocks) {
      exchange.end();
    } else {
      ++read;
      hand_over(exchange, exchange.end_reading(), workers);
    }
  }
}

/// Every inbox is full after each block: whoever hands over next must not wait for one who waits.
TEST(BatchExchange, GoesOnWhereEveryInboxIsFull) {
  constexpr std::size_t blocks = 500;
  for (const std::size_t workers : {2U, 8U}) {
    for (const std::size_t limit_blocks : {1U, 3U}) {
      BatchExchange exchange(workers, limit_blocks);
      std::atomic<std::size_t> read = 0;
      std::vector<std::vector<std::string>> taken(workers);
      std::vector<std::thread> threads;
      for (std::size_t worker = 0; worker < workers; ++worker) {
        threads.emplace_back(
            [&, worker] { taken[worker] = worked(exchange, worker, workers, blocks, read); });
      }
      for (std::thread& thread : threads) thread.join();
      for (std::size_t worker = 0; worker < workers; ++worker) {
        std::vector<std::string> expected;
        for (std::size_t block = 0; block < blocks; ++block) {
          expected.push_back(batches_of(block, workers)[worker]);
        }
        EXPECT_EQ(taken[worker], expected) << workers << " " << limit_blocks;
      }
    }
  }
}

}  // namespace
}  // namespace assay::audit
