#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace assay::audit {

/// Text to read into: unlike a string's, its memory is not filled before it is read over.
class TextBuffer {
 public:
  [[nodiscard]] char* data() { return bytes_.get(); }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] char operator[](std::size_t at) const { return bytes_[at]; }
  [[nodiscard]] std::string_view view() const { return {bytes_.get(), size_}; }

  /// What is new has any value.
  void resize(std::size_t size) {
    if (size > capacity_) grow(size);
    size_ = size;
  }
  void append(std::string_view text) {
    const std::size_t before = size_;
    resize(before + text.size());
    std::copy(text.begin(), text.end(), data() + before);
  }
  void erase_front(std::size_t count) {
    size_ -= count;
    if (count > 0) std::memmove(data(), data() + count, size_);
  }

 private:
  void grow(std::size_t size) {
    capacity_ = std::max(size, 2 * capacity_);
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity_);
    std::copy_n(bytes_.get(), size_, bytes.get());
    bytes_ = std::move(bytes);
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace assay::audit
