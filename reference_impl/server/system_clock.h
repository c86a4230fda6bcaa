#pragma once

#include "reference_impl/service/clock.h"

namespace assay::server {

/// The machine's time.
class SystemClock final : public service::Clock {
 public:
  [[nodiscard]] std::int64_t now() override;
};

}  // namespace assay::server
