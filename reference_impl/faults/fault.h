#pragma once

#include <functional>
#include <string_view>
#include <variant>

#include "reference_impl/service/options.h"
#include "reference_impl/service/service.h"

namespace assay::faults {

/// Answers one call in the place of a sound service, which it may ask as often as it likes.
using Intercept =
    std::function<service::Reply(service::Service& sound, const service::Request& request)>;

/// Makes the intercept of one service, where it must remember earlier calls.
using MakeIntercept = Intercept (*)();

/// Sets the service up with another limit or policy than the specification's.
using Configure = void (*)(service::ServiceOptions& options);

/// A reading of the specifications that a server makes: "legacy_events", "reject". Empty: none but
/// the reference's own.
struct Choice {
  std::string_view key;
  std::string_view choice;
};

/// One way to break one rule.
struct Fault {
  /// In kebab-case, unique.
  std::string_view id;
  /// The one clause of fixtures/spec/clauses.tsv that it breaks.
  std::string_view clause;
  /// What the server does wrong, in a sentence without its full stop.
  std::string_view title;
  /// How a server is made that does so.
  std::variant<Intercept, MakeIntercept, Configure> means;
  /// It shows in a server that makes this choice.
  Choice under = {};
};

}  // namespace assay::faults
