#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"

namespace assay::routing {

/// Random guard expressions and the contexts that they are evaluated in, for the comparison with
/// the real Jinja2. The same seed gives the same sequence on every platform.
///
/// It leaves out, on purpose, what CONTRACT's subset or JSON leaves out: Python's own attributes
/// (`items`, `real`, …), Jinja2's globals (`range`, …), formats with %, and tuples, dictionaries,
/// slices and calls. Nor does it write 'inf' or 'nan', which Jinja2 can't compile once it has
/// folded them to a float; contexts have them.
class ExpressionGenerator {
 public:
  explicit ExpressionGenerator(std::uint64_t seed) : engine_(seed) {}

  /// An expression, now and then with a token too many, too few or out of place.
  [[nodiscard]] std::string expression();
  /// Values for the names that expressions use, some of them left out.
  [[nodiscard]] Value context();

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(engine_() % bound); }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename Choices>
  auto pick(const Choices& choices) {
    return choices[below(std::size(choices))];
  }

  void token(std::string text) { tokens_.push_back(std::move(text)); }
  void any(int depth);
  void operand(int depth);
  void number(int depth);
  void literal();
  void list(int depth);
  void chain(int depth);
  void filter(int depth);
  void filter_arguments(std::string_view filter, int depth);
  void binary(int depth);
  void mutate();

  Value scalar();
  Value nested(int depth);

  std::mt19937_64 engine_;
  std::vector<std::string> tokens_;
};

}  // namespace assay::routing
