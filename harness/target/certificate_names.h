#pragma once

#include <openssl/types.h>

#include <string>

namespace assay::target {

/// The hosts that a certificate is for, "a.test, b.test": its subject alternative names, or its
/// common name where it has none; "no host" where it has neither. Safe to show, and bounded.
[[nodiscard]] std::string certificate_names(const X509* certificate);

}  // namespace assay::target
