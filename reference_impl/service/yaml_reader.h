#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/value.h"

namespace assay::service {

/// Why a text is no YAML that the server reads, and where. Lines and columns begin with 1.
struct YamlError {
  std::string message;
  std::size_t line = 0;
  std::size_t column = 0;
};

/// The longest YAML text that is read.
inline constexpr std::size_t max_yaml_bytes = 2U << 20U;

/// Reads one YAML document as JSON values. Plain scalars are those of YAML 1.2's core schema: null,
/// true and false, integers, floats, else strings; keys are strings as written. Refused are several
/// documents, other tags than the core schema's, keys that are not scalars, a key twice in one
/// mapping, merge keys, .inf and .nan, nesting deeper than 100 levels, and aliases that expand to
/// more than a playbook could need.
[[nodiscard]] Result<Value, YamlError> read_yaml(std::string_view text);

/// The line of the node that a JSON Pointer names, in a text that read_yaml has read.
[[nodiscard]] std::optional<std::size_t> yaml_line_of(std::string_view text,
                                                      std::string_view pointer);

}  // namespace assay::service
