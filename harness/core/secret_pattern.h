#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// One secret, found in every form in which an answer, a message or a report can carry it: as it
/// is, with any of its characters escaped as in JSON, a URL, a form or HTML, in base64 whatever
/// stands before it, and begun where a text was cut ("…").
class SecretPattern {
 public:
  /// Shorter ones are found only where no letter or digit stands beside them: inside of words they
  /// would hide ordinary text.
  static constexpr std::size_t shortest_anywhere_bytes = 6;
  static constexpr std::size_t shortest_bytes = 3;

  explicit SecretPattern(std::string value);

  [[nodiscard]] const std::string& value() const { return value_; }

  /// How many bytes of the text at `at` are the secret in one of its forms; 0: none.
  [[nodiscard]] std::size_t length_at(std::string_view text, std::size_t at) const;
  /// Whether one of its forms can begin with this byte.
  [[nodiscard]] bool may_begin_with(char byte) const {
    return first_bytes_[static_cast<unsigned char>(byte)];
  }

 private:
  [[nodiscard]] std::size_t escaped_length(std::string_view text, std::size_t at) const;

  std::string value_;
  /// What of it base64 writes whatever stands around it, in both alphabets.
  std::vector<std::string> base64_;
  std::array<bool, 256> first_bytes_ = {};
};

}  // namespace assay::core
