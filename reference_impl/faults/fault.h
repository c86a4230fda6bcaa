#pragma once

#include <functional>
#include <string_view>

#include "reference_impl/service/options.h"
#include "reference_impl/service/service.h"

namespace assay::faults {

/// Answers one call in the place of a sound service, which it may ask as often as it likes.
using Intercept =
    std::function<service::Reply(service::Service& sound, const service::Request& request)>;

/// One way to break one rule.
struct Fault {
  /// In kebab-case, unique.
  std::string_view id;
  /// The one clause of fixtures/spec/clauses.tsv that it breaks.
  std::string_view clause;
  /// What the server does wrong, in a sentence without its full stop.
  std::string_view title;
  /// Sets the reference's own deviations; nullptr where it has none for this.
  void (*configure)(service::ServiceOptions&) = nullptr;
  /// Stands before the service; empty where nothing does.
  Intercept intercept = {};
  /// Makes the intercept of one service, where it must remember earlier calls; else nullptr.
  Intercept (*make)() = nullptr;
};

}  // namespace assay::faults
