// The words that profiles are linted by are those of the model that judges.
#include "harness/core/state_words.h"

#include <gtest/gtest.h>

#include "reference_impl/model/lifecycle/state.h"
#include "reference_impl/model/runs/status.h"

namespace assay::check {
namespace {

TEST(StateWords, OfWorkflowExecutionsAreTheModels) {
  std::vector<std::string> model;
  for (std::size_t state = 0; state < lifecycle::state_count; ++state) {
    model.emplace_back(to_string(static_cast<lifecycle::State>(state)));
  }
  EXPECT_EQ(core::state_words_of("workflow.get"), model);
}

TEST(StateWords, OfRunsAreTheModels) {
  std::vector<std::string> model;
  for (const runs::Status status : runs::all_statuses) model.emplace_back(to_string(status));
  EXPECT_EQ(core::state_words_of("runs.get"), model);
}

}  // namespace
}  // namespace assay::check
