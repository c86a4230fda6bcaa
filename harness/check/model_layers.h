#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/record.h"

namespace assay::check {

/// The names of the layers in a record's coverage.
namespace layer {
inline constexpr std::string_view execution = "execution";
inline constexpr std::string_view workflow = "workflow";
inline constexpr std::string_view step = "step";
inline constexpr std::string_view command = "command";
inline constexpr std::string_view tool = "tool";
inline constexpr std::string_view events = "events";
inline constexpr std::string_view routing = "routing";
inline constexpr std::string_view outcome = "outcome";
inline constexpr std::string_view lifecycle = "lifecycle";
inline constexpr std::string_view run = "run";
}  // namespace layer

/// What the model defines of every layer that a target with these capabilities has: specification
/// 000's five state layers, specification 001's event types, specification 003's choices and how
/// they end, specification 002's and specification 004's state machines. What no request of this
/// profile can bring about is left out: states that the target has no word for, what the
/// specification reserves for later, edges of calls that the target lacks. Nothing is seen yet.
[[nodiscard]] std::vector<core::LayerCoverage> model_layers(const core::Profile& profile);

/// Counts what is seen of one layer. What the layer does not define is passed over.
class LayerTally {
 public:
  LayerTally() = default;
  explicit LayerTally(core::LayerCoverage defined);

  void state(std::string_view name);
  /// A move, and with it both of its states.
  void move(std::string_view from, std::string_view to);
  void attempt(std::string_view state, std::string_view trigger);

  /// What was seen, in the order of what is defined.
  [[nodiscard]] core::LayerCoverage coverage() const;

 private:
  /// Of names "KEY: more", by their keys.
  struct Names {
    std::unordered_map<std::string, std::size_t> index;
    std::vector<bool> seen;
  };

  [[nodiscard]] static Names names_of(const std::vector<std::string>& defined);
  static void see(Names& names, const std::string& key);
  [[nodiscard]] static std::vector<std::string> seen_of(const std::vector<std::string>& defined,
                                                        const Names& names);

  core::LayerCoverage defined_;
  Names states_;
  Names moves_;
  Names attempts_;
};

}  // namespace assay::check
