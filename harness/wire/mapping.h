#pragma once

#include <optional>
#include <vector>

#include "base/value.h"
#include "harness/core/http.h"
#include "harness/core/profile.h"

namespace assay::wire {

/// What a mapping reads from. The references outlive it.
struct MappedAnswer {
  const Value& body;
  const std::vector<core::Header>& headers;
  /// What requests before captured, by its name.
  const Object& captured;
};

/// What a mapping reads out of an answer; its `otherwise` where it finds nothing.
[[nodiscard]] Value apply_mapping(const core::Mapping& mapping, const MappedAnswer& answer);

/// The same of a value that came without an answer: an event of a log.
[[nodiscard]] Value apply_mapping(const core::Mapping& mapping, const Value& body);

/// The same as of an answer, and nothing where it finds nothing and says nothing else.
[[nodiscard]] std::optional<Value> find_mapped(const core::Mapping& mapping,
                                               const MappedAnswer& answer);

}  // namespace assay::wire
