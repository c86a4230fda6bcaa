#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <stop_token>
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

/// An uncompressed file that grows, or a pipe that is written to, until a stop is asked for; a pipe
/// also ends by itself. It gives whole lines only. `idle` is called whenever all that is there has
/// been given. Throws ReadError, also where the file becomes shorter.
[[nodiscard]] std::unique_ptr<ByteSource> follow_source(const std::string& path,
                                                        std::stop_token stop,
                                                        std::function<void()> idle);

/// Text that is there already.
[[nodiscard]] std::unique_ptr<ByteSource> text_source(std::string text, const std::string& name);

}  // namespace assay::audit
