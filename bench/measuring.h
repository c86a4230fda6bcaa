#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace assay::bench {

/// Seconds that `work` takes.
[[nodiscard]] double seconds_of(const std::function<void()>& work);

/// Seconds of processor time that `work` takes in this process: what others do on the machine is
/// not among them.
[[nodiscard]] double processor_seconds_of(const std::function<void()>& work);

/// The least of `rounds` measurements: on a machine that others use too, what is above it is
/// theirs.
[[nodiscard]] double least_of(int rounds, const std::function<double()>& measurement);

/// Bytes of this process in memory, from /proc/self/status.
[[nodiscard]] std::int64_t resident_bytes();

/// Prints one figure as `name value`, as bench/run reads it.
void print_figure(std::string_view name, double value);

/// Runs `body`, and prints what it throws. The exit code of a program of this folder.
[[nodiscard]] int guarded(const std::function<void()>& body);

/// Argument `index` of a program as a number from 1; `otherwise` where it isn't given. Throws
/// std::runtime_error for anything else.
[[nodiscard]] std::int64_t number_argument(int count, char** arguments, int index,
                                           std::int64_t otherwise);

}  // namespace assay::bench
