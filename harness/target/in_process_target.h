#pragma once

#include <string>

#include "harness/target/target.h"

namespace assay::service {
class Service;
}  // namespace assay::service

namespace assay::target {

/// A service called directly, without a connection; every request is answered before perform() is
/// resumed.
class InProcessTarget final : public Target {
 public:
  /// The service outlives the target.
  explicit InProcessTarget(service::Service& service) : service_(service) {}

  boost::asio::awaitable<core::HttpResult> perform(core::HttpRequest request) override;
  [[nodiscard]] bool is_immediate() const override { return true; }
  [[nodiscard]] std::string location() const override { return "in-process"; }

 private:
  service::Service& service_;
};

}  // namespace assay::target
