#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/value.h"
#include "reference_impl/service/service.h"

namespace assay::bench {

/// A client of a reference server in the same process: what is measured is the service, from the
/// request's bytes to the answer's, without sockets.
class Client {
 public:
  Client();

  /// The body of the answer. Throws std::runtime_error for any status but 2xx: a measurement of
  /// refusals would mean nothing.
  [[nodiscard]] std::string get(const std::string& target);
  std::string post(const std::string& target, std::string body);
  /// The same, parsed.
  [[nodiscard]] Value get_json(const std::string& target);

  /// Creates the replay execution `id` and stores `events` events of a run of many commands in it,
  /// in batches.
  void replay(const std::string& id, std::int64_t events);

 private:
  std::string send(const service::Request& request);

  std::unique_ptr<service::Service> service_;
};

}  // namespace assay::bench
