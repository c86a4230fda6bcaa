#pragma once

#include <string_view>

namespace assay::cli {

/// The bytes as an assay.yaml. They must be taken or refused, without a crash or a hang, and a
/// refusal must be fit to be shown; throws std::logic_error where it is not. The tests call it over
/// mutated seeds; a fuzzer may over anything.
void fuzz_settings(std::string_view bytes);

/// The bytes as an OpenAPI document, from which `assay init` drafts a profile of each surface. They
/// must be taken or refused likewise, and a draft must be a profile that `assay lint` passes.
void fuzz_openapi(std::string_view bytes);

}  // namespace assay::cli
