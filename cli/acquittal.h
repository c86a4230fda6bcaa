#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "cli/suite_bench.h"
#include "reference_impl/liberties/liberty.h"

namespace assay::cli {

/// What was made of a sound server that takes a liberty.
struct Acquittal {
  /// nullptr: all of them at once.
  const liberties::Liberty* liberty = nullptr;
  /// Cases of the suite, those that accuse it, and of each the first failed check.
  std::size_t cases = 0;
  std::vector<std::string> accusing;
  /// Commands of generated cases, and the causes that they accuse it for.
  std::uint64_t commands = 0;
  std::vector<std::string> causes;

  [[nodiscard]] bool acquitted() const { return accusing.empty() && causes.empty(); }
  /// The liberty's id; "all".
  [[nodiscard]] std::string_view name() const;
};

/// The reference as it takes the liberty; nullptr: all of them.
[[nodiscard]] std::unique_ptr<service::Service> make_with_liberty(
    const liberties::Liberty* liberty);

/// Judges a server that takes the liberty by the whole suite, and by generated cases of all
/// families, about `property_commands` commands of them.
[[nodiscard]] Acquittal acquit(const liberties::Liberty* liberty, SuiteBench& bench,
                               std::uint64_t property_commands);

/// The table for a terminal, as JSON, and as the Markdown page of docs/liberties.md.
[[nodiscard]] std::string acquittal_text(std::span<const Acquittal> acquittals);
[[nodiscard]] Value acquittal_json(std::span<const Acquittal> acquittals);
[[nodiscard]] std::string acquittal_markdown(std::span<const Acquittal> acquittals);

}  // namespace assay::cli
