#pragma once

#include <string>
#include <string_view>

#include "harness/wire/yaml.h"

namespace assay::wire {

/// The document as YAML for people, which read_yaml reads back to an equal one (but for places):
/// what fits stands on one line in flow style, the rest in blocks; of a list of mappings in the
/// root, such as the steps of a scenario, each mapping is a block. Text is quoted wherever it could
/// be read as something else; integers are exact, and so are doubles. Text that is no UTF-8 cannot
/// be YAML: a byte that is none becomes U+FFFD. Ends with a line break.
[[nodiscard]] std::string write_yaml(const YamlNode& root);

/// Lines of a comment, each begun by "# ", with control characters made visible.
[[nodiscard]] std::string yaml_comment(std::string_view text);

}  // namespace assay::wire
