#pragma once

#include <set>
#include <string>

namespace assay::cli {

/// The clauses of a list of fixtures/spec that is not compiled in ("binding_only.yaml"): its
/// entries are a clause and the reason why it is there. A fault of the list is a failure of the
/// test.
[[nodiscard]] std::set<std::string> clauses_listed_in(const std::string& file_name);

}  // namespace assay::cli
