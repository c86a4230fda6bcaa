#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace assay::run {

/// The names under which one case makes things. Every execution, event and run that the harness
/// makes begins with the run's prefix, so that runs on one server never meet; the rest follows from
/// the case alone, so that a case by itself uses the names that it has in a whole run.
class Identity {
 public:
  /// `run_prefix` is at most 64 bytes of letters, digits, "-" and "_".
  Identity(std::string_view run_prefix, std::string_view case_id);

  /// A text that no other case of any run has, at most 128 bytes: ${unique}.
  [[nodiscard]] const std::string& unique() const { return unique_; }

  /// The identifier of the case's execution, run or workflow execution of that name.
  [[nodiscard]] std::string subject(std::string_view name) const;

  /// The id of the case's event of that number.
  [[nodiscard]] std::string event_id(std::int64_t number) const;

 private:
  std::string unique_;
};

/// The run id of a run that has a server to itself: the seed in hexadecimal.
[[nodiscard]] std::string run_id_of_seed(std::uint64_t seed);

/// "assay-" and the run id: what every name begins with that the run makes.
[[nodiscard]] std::string prefix_of_run(std::string_view run_id);

/// The same for the case's retry of that number, from 1: a target knows the names of the first
/// time.
[[nodiscard]] std::string prefix_of_retry(std::string_view prefix, std::size_t number);

/// The time of the event of that number: one second apart from 2026-01-01T00:00:00Z.
[[nodiscard]] std::string event_time(std::int64_t number);

}  // namespace assay::run
