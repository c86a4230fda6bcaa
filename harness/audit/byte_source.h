#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace assay::audit {

/// What could not be read of a source, in a sentence that names it.
class ReadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Bytes in their order.
class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  /// Fills the front of `buffer`; how many bytes there were, 0 at the end. Throws ReadError.
  [[nodiscard]] virtual std::size_t read(std::span<char> buffer) = 0;
};

/// The file of that path, or standard input for "-". What begins as gzip or Zstandard is
/// decompressed, whatever it is called. Throws ReadError where it cannot be opened.
[[nodiscard]] std::unique_ptr<ByteSource> open_source(const std::string& path);

/// Text that is there already.
[[nodiscard]] std::unique_ptr<ByteSource> text_source(std::string text, const std::string& name);

}  // namespace assay::audit
