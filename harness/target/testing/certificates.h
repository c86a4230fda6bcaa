#pragma once

#include <string>

#include "base/testing/scratch_folder.h"

namespace assay::target::testing {

/// An authority made for one test, and what it signed, as PEM files in a temporary folder.
class Certificates {
 public:
  Certificates();

  /// Of the authority.
  [[nodiscard]] std::string ca_file() const { return folder_.path("ca.pem"); }
  /// Certificate and key of a server named localhost and 127.0.0.1.
  [[nodiscard]] std::string server_file() const { return folder_.path("server.pem"); }
  /// The same for a server named elsewhere.test.
  [[nodiscard]] std::string other_server_file() const { return folder_.path("other.pem"); }
  /// Certificate and key of a client.
  [[nodiscard]] std::string client_file() const { return folder_.path("client.pem"); }

 private:
  base::testing::ScratchFolder folder_;
};

}  // namespace assay::target::testing
