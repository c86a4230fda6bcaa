#include "reference_impl/faults/intercepted.h"

#include <utility>

namespace assay::faults {
namespace {

class Intercepted final : public service::Service {
 public:
  Intercepted(std::unique_ptr<service::Service> below, Intercept intercept)
      : below_(std::move(below)), intercept_(std::move(intercept)) {}

  service::Reply handle(const service::Request& request) override {
    return intercept_(*below_, request);
  }

 private:
  std::unique_ptr<service::Service> below_;
  const Intercept intercept_;
};

}  // namespace

std::unique_ptr<service::Service> intercepted(std::unique_ptr<service::Service> below,
                                              Intercept intercept) {
  return std::make_unique<Intercepted>(std::move(below), std::move(intercept));
}

}  // namespace assay::faults
