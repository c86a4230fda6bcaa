#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace assay {

/// The name of `candidates` that is nearest to `name` by edit distance, if any is near.
[[nodiscard]] std::optional<std::string> nearest_name(std::string_view name,
                                                      const std::vector<std::string>& candidates);

/// How many values an enumeration has that counts from 0 to `last`.
template <auto last>
inline constexpr std::size_t count_of = static_cast<std::size_t>(last) + 1;

/// All values of an enumeration that counts from 0 to `last`, in order.
template <auto last>
inline constexpr std::array<decltype(last), count_of<last>> values_of = [] {
  std::array<decltype(last), count_of<last>> values = {};
  for (std::size_t index = 0; index < values.size(); ++index) {
    values[index] = static_cast<decltype(last)>(index);
  }
  return values;
}();

/// One part for each value of an enumeration that counts from 0 to `last`, in its order: all of
/// them given, or none.
///
///   constexpr EnumTable<Tone::quiet, int> codes = {1, 32, 31, 33, 2};
template <auto last, typename Part>
class EnumTable {
 public:
  using Enum = decltype(last);

  constexpr EnumTable() = default;
  template <typename... Parts>
    requires(sizeof...(Parts) == count_of<last> && (std::convertible_to<Parts, Part> && ...))
  constexpr EnumTable(Parts... parts) : parts_{Part(parts)...} {}

  constexpr Part& operator[](Enum value) { return parts_.at(static_cast<std::size_t>(value)); }
  constexpr const Part& operator[](Enum value) const {
    return parts_.at(static_cast<std::size_t>(value));
  }

  [[nodiscard]] constexpr auto begin() const { return parts_.begin(); }
  [[nodiscard]] constexpr auto end() const { return parts_.end(); }

 private:
  std::array<Part, count_of<last>> parts_ = {};
};

/// An enumeration that counts from 0 to `last` and the word for each of its values, both ways. That
/// there is one for each, and no two are the same, is seen when it is compiled.
///
///   inline constexpr Words<Level::may> level_words = {"MUST", "SHOULD", "MAY"};
///   level_words[Level::should];   // "SHOULD"
///   level_words.parse("MAY");     // Level::may
template <auto last>
class Words {
 public:
  using Enum = decltype(last);

  template <typename... Texts>
    requires(sizeof...(Texts) == count_of<last> &&
             (std::convertible_to<Texts, std::string_view> && ...))
  consteval Words(Texts... texts) : words_(std::string_view(texts)...) {
    for (const std::string_view word : words_) {
      if (std::count(words_.begin(), words_.end(), word) != 1) {
        throw std::invalid_argument("two values have one word");
      }
    }
  }

  /// All values, in order.
  [[nodiscard]] static constexpr const auto& values() { return values_of<last>; }

  constexpr std::string_view operator[](Enum value) const { return words_[value]; }

  /// The value whose word that is, or nothing. `is_same` says whether a text is a word, where not
  /// only the word itself is.
  template <typename Same = std::equal_to<>>
  [[nodiscard]] constexpr std::optional<Enum> parse(std::string_view text,
                                                    Same is_same = {}) const {
    for (const Enum value : values_of<last>) {
      if (is_same(text, words_[value])) return value;
    }
    return std::nullopt;
  }

  /// The words of the values from `first` to `final`, for who asks what there is.
  [[nodiscard]] std::vector<std::string> names(Enum first = {}, Enum final = last) const {
    std::vector<std::string> names;
    for (const Enum value : values_of<last>) {
      if (value >= first && value <= final) names.emplace_back(words_[value]);
    }
    return names;
  }

 private:
  EnumTable<last, std::string_view> words_;
};

}  // namespace assay
