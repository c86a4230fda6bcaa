#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "cli/suite_runner.h"
#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "reference_impl/liberties/liberty.h"

namespace assay::cli {

/// A sound server by the liberties that it takes.
struct SoundServer {
  /// The id of its one liberty, "all", or what stands for several.
  std::string name;
  std::vector<const liberties::Liberty*> taken;
};

/// The server that takes this liberty alone, the one that takes all, and `count` servers that share
/// all liberties out among them: as many accusations show as by one for each, in less time.
[[nodiscard]] SoundServer taking(const liberties::Liberty& liberty);
[[nodiscard]] SoundServer taking_all();
[[nodiscard]] std::vector<SoundServer> sharing_out(std::size_t count);

/// "CASE: CLAUSES at FILE:LINE: expected X, found Y" of a case that does not pass: its first failed
/// check, or the first that proves nothing.
[[nodiscard]] std::string accusation_of(const core::CaseResult& result);

/// What was made of a sound server that takes liberties.
struct Acquittal {
  SoundServer server;
  /// Cases of the suite, those that accuse it, and of each the first failed check.
  std::size_t cases = 0;
  std::vector<std::string> accusing;
  /// Commands of generated cases, and the causes that they accuse it for.
  std::uint64_t commands = 0;
  std::vector<std::string> causes;

  [[nodiscard]] bool acquitted() const { return accusing.empty() && causes.empty(); }
};

/// Judges such a server by the whole suite, and by generated cases of all
/// families, about `property_commands` commands of them.
[[nodiscard]] Acquittal acquit(const SoundServer& server, SuiteRunner& runner,
                               std::uint64_t property_commands, const std::stop_token& stop);

/// What generated cases of all families make of a sound server.
struct GeneratedOutcome {
  std::uint64_t commands = 0;
  std::vector<std::string> causes;
};

/// About `property_commands` commands of them, through that profile; fewer once a stop is
/// requested.
[[nodiscard]] GeneratedOutcome explore_sound(service::Service& service,
                                             const core::Profile& profile,
                                             std::uint64_t property_commands,
                                             const std::stop_token& stop);

/// The table for a terminal, as JSON, and as the Markdown page of docs/liberties.md.
[[nodiscard]] std::string acquittal_text(std::span<const Acquittal> acquittals);
[[nodiscard]] Value acquittal_json(std::span<const Acquittal> acquittals);
[[nodiscard]] std::string acquittal_markdown(std::span<const Acquittal> acquittals);

}  // namespace assay::cli
