#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace assay {

/// Names and ids are a few bytes long, and reading a log compares and copies many for each event:
/// here that is done by one or two words that may overlap, without a call.
namespace short_text {

template <typename Word>
[[nodiscard]] inline bool have_same_ends(const char* left, const char* right, std::size_t size) {
  Word ends[4];
  const std::size_t last = size - sizeof(Word);
  std::memcpy(&ends[0], left, sizeof(Word));
  std::memcpy(&ends[1], right, sizeof(Word));
  std::memcpy(&ends[2], left + last, sizeof(Word));
  std::memcpy(&ends[3], right + last, sizeof(Word));
  return ((ends[0] ^ ends[1]) | (ends[2] ^ ends[3])) == 0;
}

template <typename Word>
inline void copy_ends(const char* from, char* to, std::size_t size) {
  Word first;
  Word last;
  std::memcpy(&first, from, sizeof(Word));
  std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
  std::memcpy(to, &first, sizeof(Word));
  std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
}

struct Sixteen {
  std::uint64_t words[2];
};

}  // namespace short_text

/// Whether two texts are the same.
[[nodiscard]] inline bool is_same_text(std::string_view left, std::string_view right) {
  const std::size_t size = left.size();
  if (size != right.size()) return false;
  if (size > 2 * sizeof(std::uint64_t)) return std::memcmp(left.begin(), right.begin(), size) == 0;
  if (size >= sizeof(std::uint64_t)) {
    return short_text::have_same_ends<std::uint64_t>(left.begin(), right.begin(), size);
  }
  if (size >= sizeof(std::uint32_t)) {
    return short_text::have_same_ends<std::uint32_t>(left.begin(), right.begin(), size);
  }
  if (size >= 2)
    return short_text::have_same_ends<std::uint16_t>(left.begin(), right.begin(), size);
  return size == 0 || left.front() == right.front();
}

/// Whether a text begins with a literal.
template <std::size_t size>
[[nodiscard]] inline bool has_prefix(std::string_view text, const char (&prefix)[size]) {
  return text.size() >= size - 1 && std::memcmp(text.begin(), prefix, size - 1) == 0;
}

/// Copies a text to where there is room for it; what is behind it there.
inline char* copy_text(std::string_view text, char* to) {
  const std::size_t size = text.size();
  if (size > 2 * sizeof(short_text::Sixteen)) {
    std::memcpy(to, text.begin(), size);
  } else if (size >= sizeof(short_text::Sixteen)) {
    short_text::copy_ends<short_text::Sixteen>(text.begin(), to, size);
  } else if (size >= sizeof(std::uint64_t)) {
    short_text::copy_ends<std::uint64_t>(text.begin(), to, size);
  } else if (size >= sizeof(std::uint32_t)) {
    short_text::copy_ends<std::uint32_t>(text.begin(), to, size);
  } else {
    for (std::size_t at = 0; at < size; ++at) to[at] = text[at];
  }
  return to + size;
}

}  // namespace assay
