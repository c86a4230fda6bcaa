#pragma once

#include <boost/asio/awaitable.hpp>

#include "harness/check/observable.h"
#include "harness/check/substitute.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "harness/run/reading.h"
#include "harness/run/session.h"

namespace assay::run {

/// Looks at the target as an expectation (substituted already) says, until it is decided
/// (docs/verdicts.md), and keeps the exchanges of the look that decided it. The check has no
/// clauses and no place yet. With `same_look` its first look is at what is in `shared`, where the
/// expectations before it left what they read.
boost::asio::awaitable<core::Check> judge_expectation(Session& session, core::Expect expect,
                                                      SharedReads& shared);

/// `expect` with its variables set; each read whose operation has a subject gets `subject` where it
/// names none itself. Throws check::SubstitutionError.
[[nodiscard]] core::Expect substitute_expectation(const core::Expect& expect,
                                                  const check::Variables& variables,
                                                  const std::string& subject);

/// Leaves out of an expectation what the profile's target does not show; false where nothing is
/// left to judge.
[[nodiscard]] bool keep_observable(core::Expect& expect, const core::Profile& profile);

/// What a profile's target shows in its answers to an operation.
[[nodiscard]] check::Observability observability(const core::Profile& profile,
                                                 std::string_view operation);

}  // namespace assay::run
