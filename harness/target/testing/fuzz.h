#pragma once

#include <string_view>

namespace assay::target {

/// The bytes as everything that a server sends on a connection. They must be read or refused within
/// the limits, alike in one piece and byte by byte; throws std::logic_error where they are not. The
/// tests call it over mutated seeds; a fuzzer may over anything.
void fuzz_http_answer(std::string_view bytes);

/// The bytes as a line that an adapter writes, the first or a later one. They must be taken or
/// refused with words that can be shown, and what is taken must be an answer that a profile can
/// read; throws std::logic_error where it is not.
void fuzz_adapter_line(std::string_view bytes);

}  // namespace assay::target
