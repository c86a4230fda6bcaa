#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "reference_impl/liberties/liberty.h"

namespace assay::liberties {

/// Every liberty of a sound server, by what it is about. They prove the suite from the other side:
/// one that a check accuses shows an expectation that no specification has.
[[nodiscard]] std::span<const Liberty> liberties();

/// The liberty of that id, or nullptr.
[[nodiscard]] const Liberty* find_liberty(std::string_view id);

/// The reference as it takes these liberties, all at once; `options` are otherwise kept. The
/// liberties outlive the service.
[[nodiscard]] std::unique_ptr<service::Service> make_free(std::span<const Liberty* const> taken,
                                                          service::ServiceOptions options);

/// As above, with every liberty that there is.
[[nodiscard]] std::unique_ptr<service::Service> make_free(service::ServiceOptions options);

}  // namespace assay::liberties
