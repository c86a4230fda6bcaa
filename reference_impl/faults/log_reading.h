#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/value.h"
#include "reference_impl/faults/fault.h"

namespace assay::faults {

/// What the sound service answers to a GET; null where that is not 200.
[[nodiscard]] Value ask(service::Service& sound, const std::string& target);

/// The part of the path of "/executions/{id}/…" up to the id's end, as it was sent; "" elsewhere.
[[nodiscard]] std::string execution_path(const service::Request& request);

/// The log of the execution that the path names: its first thousand events, as they are listed.
[[nodiscard]] List log_of(service::Service& sound, const service::Request& request);

/// As alters_answers, for what follows from the execution's log.
using ChangeByLog = std::function<void(const List& events, Value& body)>;
[[nodiscard]] Intercept alters_by_log(std::string route, ChangeByLog change);

/// Something that a log may be like.
using LogCondition = std::function<bool(const List& events)>;

/// The status of an open execution shows an end in that state, at the newest event, while its log
/// is as `holds` says.
[[nodiscard]] Intercept infers_end(std::string state, LogCondition holds);

[[nodiscard]] bool is_type(const Value& event, std::string_view type);
[[nodiscard]] std::size_t count_type(const List& events, std::string_view type);
/// The newest event is of that type.
[[nodiscard]] bool ends_in(const List& events, std::string_view type);
/// The event's member of that name; empty where it has no such text.
[[nodiscard]] std::string text_of(const Value& event, std::string_view name);
/// The text with its letters A to Z in lower case.
[[nodiscard]] std::string lowered(std::string text);
/// The event's member in lower case.
[[nodiscard]] std::string lower_text_of(const Value& event, std::string_view name);
/// An event of that type about that command or node: `name` is command_id or node_name.
[[nodiscard]] bool has_event(const List& events, std::string_view type, std::string_view name,
                             std::string_view text);

}  // namespace assay::faults
