#pragma once

#include <set>
#include <string>

#include "harness/core/scenario.h"

namespace assay::check {

/// What an expectation asks for, in the words of fixtures/spec/clause_members.tsv.
[[nodiscard]] std::set<std::string> asked_by(const core::Expect& expect);

/// What a demanded answer to an operation (empty: to a raw request) asks for.
[[nodiscard]] std::set<std::string> asked_by(const core::AnswerPattern& answer,
                                             const std::string& operation);

}  // namespace assay::check
