#include "harness/target/replay_target.h"

#include <optional>
#include <utility>

#include "harness/core/adapter_line.h"

namespace assay::target {
namespace {

bool is_same(const core::HttpRequest& left, const core::HttpRequest& right) {
  return left.method == right.method && left.target == right.target && left.body == right.body;
}

core::HttpResult result_of(const core::Exchange& exchange) {
  if (exchange.response) return *exchange.response;
  return unexpected(exchange.error.value_or(core::TransportError{}));
}

core::HttpResult unrecorded(const core::HttpRequest& request) {
  return unexpected(
      core::TransportError{core::TransportFault::closed,
                           "nothing is recorded for " + request.method + " " + request.target});
}

}  // namespace

ReplayTarget::ReplayTarget(std::vector<core::Exchange> exchanges)
    : exchanges_(std::move(exchanges)), used_(exchanges_.size(), false) {}

boost::asio::awaitable<core::HttpResult> ReplayTarget::perform(core::HttpRequest request) {
  co_return core::only_reads(request) ? answer_read(request) : answer_write(request);
}

core::HttpResult ReplayTarget::answer_write(const core::HttpRequest& request) {
  for (std::size_t index = 0; index < exchanges_.size(); ++index) {
    if (used_[index] || !is_same(exchanges_[index].request, request)) continue;
    used_[index] = true;
    position_ = index + 1;
    return result_of(exchanges_[index]);
  }
  return unrecorded(request);
}

core::HttpResult ReplayTarget::answer_read(const core::HttpRequest& request) {
  std::optional<std::size_t> last;
  for (std::size_t index = position_; index < exchanges_.size(); ++index) {
    const core::HttpRequest& recorded = exchanges_[index].request;
    if (!core::only_reads(recorded)) break;
    if (!is_same(recorded, request)) continue;
    last = index;
    if (!used_[index]) break;
  }
  if (!last) return unrecorded(request);
  used_[*last] = true;
  return result_of(exchanges_[*last]);
}

}  // namespace assay::target
