#pragma once

namespace assay {

/// One callable of several, for std::visit: a lambda for each alternative.
template <typename... Each>
struct Overloaded : Each... {
  using Each::operator()...;
};

}  // namespace assay
