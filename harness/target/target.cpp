#include "harness/target/target.h"

#include <utility>

namespace assay::target {

boost::asio::awaitable<core::HttpResult> Target::perform_with_delivery(core::HttpRequest request,
                                                                       Delivery delivery) {
  const bool arrives = delivery.fault != DeliveryFault::cut_before_send &&
                       delivery.fault != DeliveryFault::half_body;
  core::HttpResult result = core::TransportError{core::TransportFault::closed, "cut", false};
  if (!arrives) co_return result;
  core::HttpResult answer = co_await perform(std::move(request));
  if (delivery.fault != DeliveryFault::cut_after_send) result = std::move(answer);
  co_return result;
}

}  // namespace assay::target
