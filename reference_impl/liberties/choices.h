#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "reference_impl/faults/fault.h"
#include "reference_impl/service/options.h"

namespace assay::liberties {

/// A choice of fixtures/spec/interpretations.yaml that is not the reference's: how a server is set
/// up that makes it. It is a liberty where a profile declares it, and a fault where none does.
struct OtherChoice {
  std::string_view key;
  std::string_view choice;
  /// Sets the reference up so; nullptr where an intercept does it.
  void (*configure)(service::ServiceOptions& options) = nullptr;
  /// Makes what stands before one service; nullptr where nothing does.
  faults::MakeIntercept make = nullptr;
};

/// All of them, in the order of the keys.
[[nodiscard]] std::span<const OtherChoice> other_choices();

/// What a profile declares: choices by key.
using Choices = std::map<std::string, std::string, std::less<>>;

/// Sets the reference up as a profile declares its target. Choices that are the reference's own
/// need nothing.
void take_choices(const Choices& declared, service::ServiceOptions& options);

}  // namespace assay::liberties
