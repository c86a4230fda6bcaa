#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/suite.h"
#include "harness/target/target.h"

namespace CLI {
class App;
}  // namespace CLI

namespace boost::asio {
class io_context;
}  // namespace boost::asio

namespace assay::cli {

/// Which server is spoken to, as the command line says it.
struct TargetChoice {
  std::string profile = "reference";
  /// Empty: what the profile launches; of the built-in reference, a server that is started here;
  /// else the profile's base URL.
  std::string url;
  /// The reference itself, called without a socket.
  bool in_process = false;
  /// How far a read may lag behind, in milliseconds (0: not at all), instead of the profile's word.
  std::optional<std::int64_t> consistency_ms;
};

/// --profile, --target, --in-process and --consistency-ms.
void add_target_options(CLI::App& verb, TargetChoice& choice);

/// A target that can be spoken to, with whatever had to be started for it; stopped at the end of
/// its life. Blocking calls in construction and destruction: to be made outside the I/O context's
/// run.
class ReadyTarget {
 public:
  /// Sets the profile's base URL to where the target is. Throws ConfigurationError and StartError.
  ReadyTarget(boost::asio::io_context& io, LoadedProfile& profile, const TargetChoice& choice,
              std::uint64_t seed);
  ReadyTarget(const ReadyTarget&) = delete;
  ReadyTarget& operator=(const ReadyTarget&) = delete;
  ~ReadyTarget();

  [[nodiscard]] target::Target& target();
  /// Whether the server was started for this, and has met nobody else's names.
  [[nodiscard]] bool is_fresh() const;
  /// A word of core::target_source.
  [[nodiscard]] std::string_view source() const;
  /// What a server that was started for this wrote last, for when something went wrong.
  [[nodiscard]] std::string server_output() const;
  /// What the record has to say of how it was spoken to (core::RecordFooter::notes): where it is
  /// slower than it need be, or verdicts are missing, this is why.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The run id that was asked for; without one that of the seed for a server that was started for
/// this run, and one that no other run has for a server that others may have met.
[[nodiscard]] std::string run_id_for(const std::string& asked, const ReadyTarget& target,
                                     std::uint64_t seed);

}  // namespace assay::cli
