#pragma once

#include "cli/judging.h"

namespace CLI {
class App;
}  // namespace CLI

namespace assay::cli {

/// The options that `run` and `replay` share.
void add_judging_options(CLI::App& verb, JudgingOptions& options);

}  // namespace assay::cli
