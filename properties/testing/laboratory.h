#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "harness/core/profile.h"
#include "properties/campaign.h"
#include "reference_impl/service/service.h"

namespace assay::properties::testing {

/// The reference in process, sound or with one fault of the zoo, for campaigns.
class Laboratory {
 public:
  explicit Laboratory(std::string_view fault = "");

  [[nodiscard]] const core::Profile& profile() const { return profile_; }

  /// Runs all families, or the one of that id.
  CampaignOutcome run(const CampaignOptions& options, std::string_view family = "");

 private:
  core::Profile profile_;
  std::unique_ptr<service::Service> service_;
};

}  // namespace assay::properties::testing
