#include "bench/measuring.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>

namespace assay::bench {

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double processor_seconds_of(const std::function<void()>& work) {
  const auto now = [] {
    timespec time = {};
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) {
      throw std::runtime_error("the process has no clock of its processor time");
    }
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

double least_of(int rounds, const std::function<double()>& measurement) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) least = std::min(least, measurement());
  return least;
}

std::int64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kibibytes = 0;
    if (word == "VmRSS:" && status >> kibibytes) return kibibytes * 1024;
  }
  throw std::runtime_error("/proc/self/status names no VmRSS");
}

void print_figure(std::string_view name, double value) { fmt::print("{} {:.3f}\n", name, value); }

int guarded(const std::function<void()>& body) {
  try {
    body();
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}

std::int64_t number_argument(int count, char** arguments, int index, std::int64_t otherwise) {
  if (index >= count) return otherwise;
  const std::string_view text = arguments[index];
  std::int64_t number = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (fault != std::errc() || end != text.data() + text.size() || number < 1) {
    throw std::runtime_error(fmt::format("not a number from 1: {}", text));
  }
  return number;
}

}  // namespace assay::bench
