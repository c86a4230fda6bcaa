#pragma once

#include <string_view>

namespace assay::target {

/// The bytes as everything that a server sends on a connection. They must be read or refused within
/// the limits, alike in one piece and byte by byte; throws std::logic_error where they are not. The
/// tests call it over mutated seeds; a fuzzer may over anything.
void fuzz_http_answer(std::string_view bytes);

}  // namespace assay::target
