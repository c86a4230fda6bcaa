#pragma once

#include <openssl/types.h>

#include <memory>
#include <string>
#include <string_view>

namespace assay::cli {

/// The SHA-256 of a text that comes in pieces.
class TextDigest {
 public:
  TextDigest();

  void add(std::string_view piece);
  [[nodiscard]] TextDigest copy() const;
  /// "sha256:" and the digest in hexadecimal, of what came so far.
  [[nodiscard]] std::string value() const;

 private:
  struct Free {
    void operator()(EVP_MD_CTX* context) const;
  };
  std::unique_ptr<EVP_MD_CTX, Free> context_;
};

}  // namespace assay::cli
