#include "cli/text_digest.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace assay::cli {

void TextDigest::Free::operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }

TextDigest::TextDigest() : context_(EVP_MD_CTX_new()) {
  EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr);
}

void TextDigest::add(std::string_view piece) {
  EVP_DigestUpdate(context_.get(), piece.data(), piece.size());
}

TextDigest TextDigest::copy() const {
  TextDigest other;
  EVP_MD_CTX_copy_ex(other.context_.get(), context_.get());
  return other;
}

std::string TextDigest::value() const {
  const TextDigest whole = copy();
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes = {};
  unsigned length = 0;
  EVP_DigestFinal_ex(whole.context_.get(), bytes.data(), &length);
  std::string digest = "sha256:";
  for (unsigned index = 0; index < length; ++index) {
    digest += fmt::format("{:02x}", bytes.at(index));
  }
  return digest;
}

}  // namespace assay::cli
