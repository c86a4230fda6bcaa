#pragma once

#include <cstdint>
#include <string_view>

namespace assay {

/// FNV-1a, 64 bits: equal for equal bytes on every machine, which std::hash does not promise. A
/// guard against chance, not malice.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) {
      value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    }
  }
  /// A number, byte by byte from its least.
  void add(std::uint64_t number) {
    for (int byte = 0; byte < 8; ++byte) {
      value_ = (value_ ^ ((number >> (8 * byte)) & 0xffU)) * 0x100000001b3U;
    }
  }
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// The digest of one text.
[[nodiscard]] inline std::uint64_t digest_of(std::string_view bytes) {
  Digest digest;
  digest.add(bytes);
  return digest.value();
}

}  // namespace assay
