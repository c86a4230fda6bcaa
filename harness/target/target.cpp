#include "harness/target/target.h"

#include <utility>

namespace assay::target {

boost::asio::awaitable<core::HttpResult> Target::perform_with_delivery(core::HttpRequest request,
                                                                       Delivery delivery) {
  const bool arrives = delivery.fault != core::Delivery::cut_before_send &&
                       delivery.fault != core::Delivery::half_body;
  const bool is_sent = delivery.fault != core::Delivery::cut_before_send;
  core::HttpResult result =
      unexpected(core::TransportError{core::TransportFault::closed, "cut on purpose", is_sent});
  if (!arrives) co_return result;
  core::HttpResult answer = co_await perform(std::move(request));
  if (delivery.fault != core::Delivery::cut_after_send) result = std::move(answer);
  co_return result;
}

boost::asio::awaitable<bool> Target::pairs_answers(std::chrono::steady_clock::time_point /*since*/,
                                                   std::chrono::milliseconds /*longest_wait*/) {
  co_return true;
}

}  // namespace assay::target
