#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/history.h"
#include "harness/core/secrets.h"
#include "harness/core/source.h"

namespace assay::wire {

/// A history as NDJSON: a line for each exchange, then one for each call with the places of its
/// exchanges among them. The secrets are masked wherever they are; answers are whole.
[[nodiscard]] std::string history_lines(const core::History& history, const core::Secrets& secrets);

/// Reads a history back, or says what is wrong with which line. Members and kinds of line that this
/// version does not know are passed over. Never throws for anything that the text contains.
[[nodiscard]] Result<core::History, std::vector<core::Diagnostic>> read_history(
    std::string_view text, const std::string& file_name);

}  // namespace assay::wire
