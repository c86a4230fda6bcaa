#pragma once

#include <string_view>

namespace assay::audit {

/// The bytes as one event of a log. They must be taken exactly where they are a JSON object that
/// has no member of the rules twice, alike by the fast and by the exact parser, and come back from
/// their packed form; throws std::logic_error where they do not. The tests call it over mutated
/// seeds; a fuzzer may over anything.
void fuzz_audit_line(std::string_view bytes);

/// The bytes as rows of a query, with NULs between. Each must be a line of its own; where all are
/// objects, they must be read one by one as they are, by an event's own names and by a mapping too.
void fuzz_postgres_row(std::string_view bytes);

}  // namespace assay::audit
