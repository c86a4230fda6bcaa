#pragma once

#include <string_view>

namespace assay::cli {

/// The bytes as an assay.yaml. They must be taken or refused, without a crash or a hang, and a
/// refusal must be fit to be shown; throws std::logic_error where it is not. The tests call it over
/// mutated seeds; a fuzzer may over anything.
void fuzz_settings(std::string_view bytes);

}  // namespace assay::cli
