#pragma once

#include <stdexcept>

namespace assay::target {

/// What a person configured cannot work: a base URL that is none, a certificate file that cannot be
/// read, a command that does not exist. The message says what, and is meant to be shown.
class ConfigurationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace assay::target
