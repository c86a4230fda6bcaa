#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// Every broken variant of the reference. They prove the suite: one that no scenario
/// catches shows a rule that nobody judges.
[[nodiscard]] std::span<const Fault> faults();

/// The fault of that id, or nullptr.
[[nodiscard]] const Fault* find_fault(std::string_view id);

/// The reference with one fault; `options` are otherwise kept. The fault outlives the service.
[[nodiscard]] std::unique_ptr<service::Service> make_broken(const Fault& fault,
                                                            service::ServiceOptions options);

}  // namespace assay::faults
