#include "harness/audit/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

namespace assay::audit {
namespace {

constexpr std::size_t compressed_bytes = std::size_t{256} * 1024;
constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view zstd_magic = "\x28\xb5\x2f\xfd";
/// What a frame may ask for (2^27 bytes): more is refused, as zstd itself does.
constexpr int limit_zstd_window_log = 27;

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : name_(path == "-" ? "standard input" : path) {
    descriptor_ = path == "-" ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw ReadError(fmt::format("{}: {}", name_, std::strerror(errno)));
    is_own_ = path != "-";
  }
  ~FileSource() override {
    if (is_own_) ::close(descriptor_);
  }

  std::size_t read(std::span<char> buffer) override {
    while (true) {
      const ssize_t count = ::read(descriptor_, buffer.data(), buffer.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) throw ReadError(fmt::format("{}: {}", name_, std::strerror(errno)));
    }
  }

 private:
  std::string name_;
  int descriptor_ = -1;
  bool is_own_ = false;
};

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), text_.size() - at_);
    std::copy_n(text_.begin() + static_cast<std::ptrdiff_t>(at_), count, buffer.begin());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

/// A source whose first bytes were looked at and put back.
class PeekedSource : public ByteSource {
 public:
  explicit PeekedSource(std::unique_ptr<ByteSource> source) : source_(std::move(source)) {
    std::array<char, zstd_magic.size()> front = {};
    while (front_.size() < front.size()) {
      const std::size_t count = source_->read({front.data(), front.size() - front_.size()});
      if (count == 0) break;
      front_.append(front.data(), count);
    }
  }

  [[nodiscard]] bool begins_with(std::string_view magic) const { return front_.starts_with(magic); }

  std::size_t read(std::span<char> buffer) override {
    if (front_.empty()) return source_->read(buffer);
    const std::size_t count = std::min(buffer.size(), front_.size());
    std::copy_n(front_.begin(), count, buffer.begin());
    front_.erase(0, count);
    return count;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string front_;
};

/// One or several members of gzip (RFC 1952), one behind another.
class GzipSource : public ByteSource {
 public:
  GzipSource(std::unique_ptr<ByteSource> source, std::string name)
      : source_(std::move(source)), name_(std::move(name)), input_(compressed_bytes) {
    constexpr int gzip_window_bits = 15 + 16;
    if (inflateInit2(&stream_, gzip_window_bits) != Z_OK) throw ReadError(name_ + ": no memory");
  }
  ~GzipSource() override { inflateEnd(&stream_); }

  std::size_t read(std::span<char> buffer) override {
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = static_cast<uInt>(buffer.size());
    while (stream_.avail_out == buffer.size()) {
      if (stream_.avail_in == 0 && !refill()) break;
      if (is_between_ && inflateReset(&stream_) != Z_OK) throw ReadError(name_ + ": no memory");
      is_between_ = false;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        is_between_ = true;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        throw ReadError(fmt::format("{}: broken gzip: {}", name_,
                                    stream_.msg == nullptr ? "cut short" : stream_.msg));
      }
    }
    return buffer.size() - stream_.avail_out;
  }

 private:
  bool refill() {
    const std::size_t count = source_->read(input_);
    if (count == 0 && !is_between_) throw ReadError(name_ + ": broken gzip: cut short");
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_ = {};
  /// The last member has ended, and another may begin.
  bool is_between_ = false;
};

/// One or several frames of Zstandard (RFC 8878).
class ZstdSource : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> source, std::string name)
      : source_(std::move(source)),
        name_(std::move(name)),
        input_(compressed_bytes),
        stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) throw ReadError(name_ + ": no memory");
    ZSTD_DCtx_setParameter(stream_, ZSTD_d_windowLogMax, limit_zstd_window_log);
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

  std::size_t read(std::span<char> buffer) override {
    ZSTD_outBuffer out = {buffer.data(), buffer.size(), 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !is_full_) {
        in_ = {input_.data(), source_->read(input_), 0};
        if (in_.size == 0 && is_between_) break;
        if (in_.size == 0) throw ReadError(name_ + ": broken Zstandard: cut short");
      }
      const std::size_t result = ZSTD_decompressStream(stream_, &out, &in_);
      if (ZSTD_isError(result) != 0) {
        throw ReadError(fmt::format("{}: broken Zstandard: {}", name_, ZSTD_getErrorName(result)));
      }
      is_between_ = result == 0;
      // More may be ready inside the decoder than the buffer had room for.
      is_full_ = out.pos == out.size;
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ByteSource> source_;
  std::string name_;
  std::vector<char> input_;
  ZSTD_DStream* stream_ = nullptr;
  ZSTD_inBuffer in_ = {nullptr, 0, 0};
  bool is_between_ = false;
  bool is_full_ = false;
};

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> source,
                                         const std::string& name) {
  auto peeked = std::make_unique<PeekedSource>(std::move(source));
  if (peeked->begins_with(gzip_magic)) {
    return std::make_unique<GzipSource>(std::move(peeked), name);
  }
  if (peeked->begins_with(zstd_magic)) {
    return std::make_unique<ZstdSource>(std::move(peeked), name);
  }
  return peeked;
}

}  // namespace

std::unique_ptr<ByteSource> open_source(const std::string& path) {
  return decompressed(std::make_unique<FileSource>(path), path == "-" ? "standard input" : path);
}

std::unique_ptr<ByteSource> text_source(std::string text, const std::string& name) {
  return decompressed(std::make_unique<TextSource>(std::move(text)), name);
}

}  // namespace assay::audit
