#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace assay::fuzzing {

/// Changes a text as a careless or a hostile writer would: bytes, pieces, doubled and lost parts,
/// and the characters that mean something to parsers of JSON, YAML and HTTP. Equal seeds make equal
/// changes.
class Mutator {
 public:
  explicit Mutator(std::uint32_t seed) : random_(seed) {}

  [[nodiscard]] std::string mutate(std::string text) {
    const std::size_t changes = 1 + below(4);
    for (std::size_t i = 0; i < changes; ++i) change(text);
    return text;
  }

  [[nodiscard]] std::size_t below(std::size_t bound) { return bound == 0 ? 0 : random_() % bound; }

 private:
  void change(std::string& text) {
    static const std::vector<std::string> pieces = {"[",
                                                    "]",
                                                    "{",
                                                    "}",
                                                    ": ",
                                                    "- ",
                                                    "&a ",
                                                    "*a",
                                                    "!not ",
                                                    "!x ",
                                                    "${",
                                                    "${id}",
                                                    "\"",
                                                    "'",
                                                    "|\n",
                                                    "# ",
                                                    "\t",
                                                    "\n",
                                                    "\r\n",
                                                    "\r\n\r\n",
                                                    "\xff",
                                                    "é",
                                                    "\\u0000",
                                                    ",",
                                                    "null",
                                                    "99999999999999999999",
                                                    "-1",
                                                    "1e999",
                                                    "\xe2\x80\xae",
                                                    "%",
                                                    "?",
                                                    "---\n",
                                                    "\\ud800",
                                                    ";",
                                                    "HTTP/1.1 200 OK\r\n",
                                                    "Content-Length: 3\r\n",
                                                    "Transfer-Encoding: chunked\r\n",
                                                    "ffffffffffffffff\r\n"};
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(text.size() - at, below(40));
    switch (below(6)) {
      case 0:
        text.insert(at, pieces[below(pieces.size())]);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(below(text.size() + 1), text.substr(at, length));
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(below(256));
        break;
      case 4:
        text.resize(at);
        break;
      default:
        text.replace(at, length, pieces[below(pieces.size())]);
    }
  }

  std::mt19937 random_;
};

/// The inputs of a fuzzer that together reach all that it found, as scripts/fuzz keeps them: one a
/// line, in hexadecimal.
[[nodiscard]] inline std::vector<std::string> kept_corpus(const std::string& name) {
  std::ifstream file(std::string(ASSAY_SOURCE_DIR "/fixtures/corpus/") + name + ".txt");
  std::vector<std::string> inputs;
  for (std::string line; std::getline(file, line);) {
    std::string& input = inputs.emplace_back();
    for (std::size_t at = 0; at + 1 < line.size(); at += 2) {
      input += static_cast<char>(std::stoi(line.substr(at, 2), nullptr, 16));
    }
  }
  return inputs;
}

/// Calls the target with each input that is kept of it.
inline void over_corpus(const std::string& name,
                        const std::function<void(std::string_view)>& target) {
  const std::vector<std::string> inputs = kept_corpus(name);
  ASSERT_FALSE(inputs.empty()) << name;
  for (const std::string& input : inputs)
    ASSERT_NO_THROW(target(input)) << ::testing::PrintToString(input);
}

/// Calls the target with so many mutated seeds; whatever it throws fails the test and shows the
/// input.
inline void over_mutations(const std::vector<std::string>& seeds, std::size_t times,
                           const std::function<void(std::string_view)>& target) {
  ASSERT_FALSE(seeds.empty());
  for (const std::string& seed : seeds)
    ASSERT_NO_THROW(target(seed)) << "seed: " << ::testing::PrintToString(seed);
  Mutator mutator(20260101);
  for (std::size_t i = 0; i < times; ++i) {
    const std::string text = mutator.mutate(seeds[mutator.below(seeds.size())]);
    ASSERT_NO_THROW(target(text)) << "input " << i << ": " << ::testing::PrintToString(text);
  }
}

}  // namespace assay::fuzzing
