#pragma once

#include <span>
#include <string>
#include <string_view>

namespace assay::properties {

/// A type of specification 001, sections 3.1 to 3.6, and the clause that has it.
struct EventType {
  std::string_view name;
  std::string_view clause;
};

/// The simplest first.
[[nodiscard]] std::span<const EventType> event_types();

/// The clause of a type; empty where it is none of the taxonomy.
[[nodiscard]] std::string clause_of_type(std::string_view name);

}  // namespace assay::properties
