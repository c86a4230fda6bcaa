#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::audit {

/// Packed events that no longer have room in memory, in buckets. The file has no name: whatever
/// becomes of the process, nothing is left of it.
class SpillFile {
 public:
  static constexpr std::size_t bucket_count = 32;

  /// A file in that folder. Throws ReadError where none can be made.
  explicit SpillFile(const std::filesystem::path& folder);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// Appends whole events to a bucket. Throws ReadError where the disk is full.
  void add(std::size_t bucket, std::string_view packed);
  /// Gives a bucket's events in the order in which they were added, some at a time.
  void read(std::size_t bucket, const std::function<void(std::string_view)>& take);

 private:
  struct Piece {
    std::uint64_t offset = 0;
    std::size_t size = 0;
  };
  struct Bucket {
    std::string unwritten;
    std::vector<Piece> pieces;
  };

  void write(Bucket& bucket);

  std::filesystem::path folder_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::array<Bucket, bucket_count> buckets_;
};

}  // namespace assay::audit
