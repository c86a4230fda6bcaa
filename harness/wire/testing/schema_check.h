#pragma once

#include <optional>
#include <string>

#include "base/value.h"

namespace assay::wire {

/// For tests: what of `value` does not fit the schema, with its place; nothing where all of it
/// fits. Knows the keywords that fixtures/schemas use (type, const, enum, properties, required,
/// additionalProperties, items, minItems, maxItems, minimum, maximum, anyOf, $ref into $defs) and
/// passes over annotations and pattern.
[[nodiscard]] std::optional<std::string> schema_fault(const Value& value, const Value& schema);

}  // namespace assay::wire
