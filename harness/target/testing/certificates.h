#pragma once

#include <filesystem>
#include <string>

namespace assay::target::testing {

/// A folder of its own, gone with this.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();

  [[nodiscard]] std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// An authority made for one test, and what it signed, as PEM files in a temporary folder.
class Certificates {
 public:
  Certificates();

  /// Of the authority.
  [[nodiscard]] std::string ca_file() const { return folder_.file("ca.pem"); }
  /// Certificate and key of a server named localhost and 127.0.0.1.
  [[nodiscard]] std::string server_file() const { return folder_.file("server.pem"); }
  /// The same for a server named elsewhere.test.
  [[nodiscard]] std::string other_server_file() const { return folder_.file("other.pem"); }
  /// Certificate and key of a client.
  [[nodiscard]] std::string client_file() const { return folder_.file("client.pem"); }

 private:
  TemporaryFolder folder_;
};

}  // namespace assay::target::testing
