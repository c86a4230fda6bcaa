#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "base/value.h"
#include "harness/core/profile.h"
#include "reference_impl/liberties/choices.h"

namespace assay::cli {

/// What the suite makes of a choice that is not the reference's: a liberty where the profile
/// declares it, a fault where it does not.
struct ChoiceTrial {
  const liberties::OtherChoice* other = nullptr;
  /// Cases that were run on the server that makes the choice and declares it.
  std::size_t cases = 0;
  /// Those of them that do not pass, and of each the first check that does not.
  std::vector<std::string> accusing;
  /// Commands of generated cases on that server, and the causes that they accuse it for.
  std::uint64_t commands = 0;
  std::vector<std::string> causes;
  /// Cases that notice, under a clause of the key, the choice where it is not declared, and the
  /// reference's own where it is.
  std::vector<std::string> notice_choice;
  std::vector<std::string> notice_reference;

  [[nodiscard]] bool is_respected() const {
    return accusing.empty() && causes.empty() && !notice_choice.empty() &&
           !notice_reference.empty();
  }
  /// "key=choice".
  [[nodiscard]] std::string name() const;
};

/// The profile of the reference binding, declaring those choices.
[[nodiscard]] core::Profile declaring(std::span<const liberties::OtherChoice* const> others);

/// The cases of the whole suite that do not pass on the server that makes the choices which the
/// profile declares, and of each the first check that does not.
[[nodiscard]] std::vector<std::string> accusations(const core::Profile& declared);

/// How much of the suite the server that makes the choice, and declares it, is judged by.
enum class TrialScope : std::uint8_t { cases_of_its_clauses, whole_suite };

/// Judges both servers, in process. Generated cases, about `property_commands` commands of them,
/// only judge the one that declares its choice.
[[nodiscard]] ChoiceTrial try_choice(const liberties::OtherChoice& other, TrialScope scope,
                                     std::uint64_t property_commands, const std::stop_token& stop);

/// The table for a terminal, and as JSON.
[[nodiscard]] std::string trials_text(std::span<const ChoiceTrial> trials);
[[nodiscard]] Value trials_json(std::span<const ChoiceTrial> trials);

}  // namespace assay::cli
