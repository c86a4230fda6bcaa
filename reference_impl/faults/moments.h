#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/value.h"
#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// What a fault remembers from call to call, by id; for calls from many threads.
class Memory {
 public:
  void keep(const std::string& id, Value value = {});
  [[nodiscard]] std::optional<Value> find(const std::string& id) const;
  [[nodiscard]] bool has(const std::string& id) const { return find(id).has_value(); }
  void forget(const std::string& id);

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Value> kept_;
};

/// The intercept, but only for executions of which the live state was dropped before (POST
/// /control/evict). It remembers them, so each service needs one of its own: see MakeIntercept.
[[nodiscard]] Intercept after_evict(Intercept broken);

/// Refuses what was asked with 200 or 201 before: each further request with the same target, on
/// that route. It remembers, as after_evict does.
[[nodiscard]] Intercept refuses_second(const std::string& route, int status,
                                       const std::string& code);

}  // namespace assay::faults
