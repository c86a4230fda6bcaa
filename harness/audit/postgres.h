#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/audit/byte_source.h"

namespace assay::audit {

/// Adds a row to lines, as a line of its own: a json column keeps its line breaks, which a string
/// of JSON cannot have.
void append_row(std::string_view row, std::string& lines);

/// The rows of a query, each as a line of JSON with its columns for members, read by a cursor in a
/// transaction that changes nothing. `conninfo` is libpq's: "host=… dbname=…" or a postgresql URI.
/// Throws ReadError where libpq is not installed, the server cannot be reached or refuses.
[[nodiscard]] std::unique_ptr<ByteSource> postgres_source(const std::string& conninfo,
                                                          const std::string& query);

}  // namespace assay::audit
