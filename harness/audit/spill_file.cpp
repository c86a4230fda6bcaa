#include "harness/audit/spill_file.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "harness/audit/byte_source.h"

namespace assay::audit {
namespace {

constexpr std::size_t piece_bytes = std::size_t{64} * 1024;

ReadError spill_error(const std::filesystem::path& folder, int error) {
  return ReadError(fmt::format("{}: no room for what does not fit into memory: {}", folder.string(),
                               std::strerror(error)));
}

}  // namespace

SpillFile::SpillFile(const std::filesystem::path& folder) : folder_(folder) {
  std::string name = (folder / "assay-audit-XXXXXX").string();
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0) throw spill_error(folder_, errno);
  ::unlink(name.c_str());
}

SpillFile::~SpillFile() { ::close(descriptor_); }

void SpillFile::add(std::size_t bucket, std::string_view packed) {
  Bucket& into = buckets_.at(bucket);
  into.unwritten.append(packed);
  if (into.unwritten.size() >= piece_bytes) write(into);
}

void SpillFile::write(Bucket& bucket) {
  std::string_view rest = bucket.unwritten;
  bucket.pieces.push_back({size_, rest.size()});
  while (!rest.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(size_));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw spill_error(folder_, count == 0 ? ENOSPC : errno);
    size_ += static_cast<std::uint64_t>(count);
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  bucket.unwritten.clear();
}

void SpillFile::read(std::size_t bucket, const std::function<void(std::string_view)>& take) {
  const Bucket& from = buckets_.at(bucket);
  for (const Piece& piece : from.pieces) {
    std::string text(piece.size, '\0');
    for (std::size_t filled = 0; filled < text.size();) {
      const ssize_t count = ::pread(descriptor_, text.data() + filled, text.size() - filled,
                                    static_cast<off_t>(piece.offset + filled));
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) throw spill_error(folder_, count == 0 ? EIO : errno);
      filled += static_cast<std::size_t>(count);
    }
    take(text);
  }
  if (!from.unwritten.empty()) take(from.unwritten);
}

}  // namespace assay::audit
