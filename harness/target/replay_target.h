#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/core/record.h"
#include "harness/target/target.h"

namespace assay::target {

/// Answers as a server once did: each request by a recorded exchange with the same method, target
/// and body. Writes move on through the recording; a read is answered by what was recorded between
/// the write before it and the one behind, each exchange once, and then by the last of them, so
/// that looking again shows the same. A request that was never made is not answered.
class ReplayTarget final : public Target {
 public:
  /// The exchanges in the order in which they were made.
  explicit ReplayTarget(std::vector<core::Exchange> exchanges);

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override;
  [[nodiscard]] bool is_immediate() const override { return true; }
  [[nodiscard]] std::string location() const override { return "recording"; }

 private:
  core::HttpResult answer_write(const core::HttpRequest& request);
  core::HttpResult answer_read(const core::HttpRequest& request);

  std::vector<core::Exchange> exchanges_;
  std::vector<bool> used_;
  /// Behind the last write that was answered.
  std::size_t position_ = 0;
};

}  // namespace assay::target
