#include "harness/target/in_process_target.h"

#include <optional>
#include <utility>

#include "harness/target/request_text.h"
#include "reference_impl/service/service.h"

namespace assay::target {

boost::asio::awaitable<core::HttpResult> InProcessTarget::perform(core::HttpRequest request) {
  if (std::optional<std::string> reason = request_objection(request)) {
    co_return unexpected(
        core::TransportError{core::TransportFault::unsendable, *std::move(reason), false});
  }
  service::Request asked;
  asked.method = std::move(request.method);
  asked.target = std::move(request.target);
  for (core::Header& header : request.headers) {
    asked.headers.push_back({std::move(header.name), std::move(header.value)});
  }
  asked.body = std::move(request.body).value_or(std::string());

  service::Reply reply = service_.handle(asked);
  core::HttpResponse response;
  response.status = reply.status;
  if (!reply.content_type.empty()) {
    response.headers.push_back({"Content-Type", std::move(reply.content_type), false});
  }
  for (service::Header& header : reply.headers) {
    response.headers.push_back({std::move(header.name), std::move(header.value), false});
  }
  response.body = std::move(reply.body);
  co_return response;
}

}  // namespace assay::target
