#pragma once

#include <optional>
#include <vector>

#include "harness/check/match.h"
#include "harness/check/substitute.h"
#include "harness/core/http.h"
#include "harness/core/operation.h"
#include "harness/core/scenario.h"

namespace assay::check {

/// Whether an answer is what a step's `response` (substituted already) demands. `body` is what its
/// body pattern is held against, nullptr where the answer had no body that could be read; members
/// that must be nowhere are looked for in the body as it came. Call it only for an answer that
/// came.
[[nodiscard]] std::optional<Mismatch> match_answer(const core::AnswerPattern& expected,
                                                   const core::Answer& answer,
                                                   const std::vector<core::Header>& headers,
                                                   const Value* body);

/// `expected` with its variables set. Throws SubstitutionError.
[[nodiscard]] core::AnswerPattern substitute_answer(const core::AnswerPattern& expected,
                                                    const Variables& variables);

/// The JSON Pointer of the first member of that name at any depth, or nothing.
[[nodiscard]] std::optional<std::string> find_member(const Value& value, std::string_view name);

}  // namespace assay::check
