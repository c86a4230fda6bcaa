#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/value.h"

namespace assay::routing {

/// An event that the control plane emits (specification 001 section 5.1), without what its log
/// adds: id, time, seq. Its source is `server`.
struct ServerEvent {
  std::string event_type;
  std::string entity_type;
  std::string entity_id;
  std::string parent_id{};    ///< "" for the playbook, which has none
  std::string step_run_id{};  ///< "" where it is about no step run
  std::optional<std::int64_t> iteration{};
  std::string status{};  ///< one of specification 001's five words
  Object payload{};
};

/// A count as a payload holds it.
[[nodiscard]] inline Value count_value(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

/// Whether only the control plane emits events of that type in a driven execution: specification
/// 001 section 5.1, and specification 000's lifecycle events.
[[nodiscard]] bool is_server_event(std::string_view event_type);

}  // namespace assay::routing
