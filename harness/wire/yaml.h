#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/value.h"
#include "harness/core/source.h"

namespace assay::wire {

struct YamlMember;

/// One node of a YAML document, with its place in the text.
struct YamlNode {
  enum class Kind { scalar, list, map };

  Kind kind = Kind::scalar;
  /// Lines and columns count from 1.
  int line = 0;
  int column = 0;
  /// A local tag without its exclamation mark ("one_of"), empty where there is none.
  std::string tag;
  /// Of a scalar: its value by the core schema of YAML 1.2 (quoted text is a string; yes and no
  /// are).
  Value scalar;
  /// Of a list, its elements.
  std::vector<YamlNode> items;
  /// Of a map, its members in the order of the text; keys are unique strings.
  std::vector<YamlMember> members;
  /// How many nodes this one holds, itself included.
  std::size_t size = 1;

  [[nodiscard]] bool is_null() const { return kind == Kind::scalar && scalar.is_null(); }
  [[nodiscard]] bool is_text() const { return kind == Kind::scalar && scalar.is_string(); }
  /// The member of that name, or nullptr.
  [[nodiscard]] const YamlNode* find(std::string_view key) const;
  /// "a mapping", "a list", "null", "the text \"x\"", "the integer 3": what was found, for
  /// messages.
  [[nodiscard]] std::string description() const;
};

/// One member of a map.
struct YamlMember {
  YamlNode key;
  YamlNode value;
};

struct YamlLimits {
  std::size_t max_bytes = std::size_t{4} * 1024 * 1024;
  std::size_t max_depth = 64;
  /// Nodes after every alias is replaced by what it stands for.
  std::size_t max_nodes = 200'000;
};

/// Reads one YAML document. Anchors and aliases are resolved; a duplicate key, a key that is no
/// string, a second document, invalid UTF-8, an integer over 64 bits and whatever goes over a limit
/// is an error with its place. Never throws for anything that the text contains.
[[nodiscard]] Result<YamlNode, core::Diagnostic> read_yaml(std::string_view text,
                                                           const std::string& file_name,
                                                           const YamlLimits& limits = {});

/// The JSON value that the node stands for; tags are ignored.
[[nodiscard]] Value to_value(const YamlNode& node);

/// The JSON value of a document, nothing where the text is none.
[[nodiscard]] std::optional<Value> value_of_yaml(std::string_view text);

}  // namespace assay::wire
