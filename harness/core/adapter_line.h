#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "harness/core/http.h"
#include "harness/core/operation.h"

namespace assay::core {

/// The version of the adapter protocol (docs/adapters.md) that this program speaks.
inline constexpr int adapter_protocol_version = 1;

/// The method of a request that is no HTTP but a line to the profile's adapter: its target is the
/// operation's name, its body the parameters. No profile can write it: an operation without
/// `request` has it.
inline constexpr std::string_view adapter_method = "ADAPTER";

/// What stands before the adapter's command where a record says which target was judged.
inline constexpr std::string_view adapter_location = "adapter: ";

[[nodiscard]] bool is_adapter_line(const HttpRequest& request);

/// Whether it changes nothing: a GET, or a line for an operation that only reads.
[[nodiscard]] bool only_reads(const HttpRequest& request);

/// The status that stands for an outcome in histories and records: 200 accepted, 208 duplicate, 409
/// refused, 404 unknown; nothing for another acceptance.
[[nodiscard]] std::optional<int> adapter_status(Acceptance outcome);
/// The outcome's word for such a status; empty for any other.
[[nodiscard]] std::string_view adapter_outcome(int status);

/// The first line that an adapter gets; `base_url` is empty where the target has none.
[[nodiscard]] std::string adapter_greeting(std::string_view base_url);

/// An operation as the adapter gets it, without the end of the line.
[[nodiscard]] std::string adapter_line(std::uint64_t id, const HttpRequest& request);

}  // namespace assay::core
