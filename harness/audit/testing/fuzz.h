#pragma once

#include <string_view>

namespace assay::audit {

/// The bytes as one event of a log. They must be taken exactly where they are a JSON object that
/// has no member of the rules twice, alike by the fast and by the exact parser, and come back from
/// their packed form; throws std::logic_error where they do not. The tests call it over mutated
/// seeds; a fuzzer may over anything.
void fuzz_audit_line(std::string_view bytes);

}  // namespace assay::audit
