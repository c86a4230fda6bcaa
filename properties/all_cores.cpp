#include "properties/all_cores.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

namespace assay::properties {

void share_out(std::size_t count, const std::function<void(std::size_t number)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto take_some = [&] {
    for (std::size_t number = next++; number < count; number = next++) work(number);
  };
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::future<void>> workers;
  for (std::size_t worker = 1; worker < std::min(cores, count); ++worker) {
    workers.push_back(std::async(std::launch::async, take_some));
  }
  take_some();
  for (std::future<void>& worker : workers) worker.get();
}

}  // namespace assay::properties
