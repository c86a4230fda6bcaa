#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/secret_pattern.h"

namespace assay::core {

/// What stands where a secret stood.
inline constexpr std::string_view mask = "***";

/// The secrets of a run: what nothing that this program writes may show, wherever and in whatever
/// form a target may have echoed it.
class Secrets {
 public:
  Secrets() = default;
  /// Collects the credentials among the request headers, and those that are marked secret.
  explicit Secrets(std::span<const CaseResult> cases);
  explicit Secrets(const RunRecord& record) : Secrets(std::span(record.cases)) {}
  /// Collects what a profile has: every value from the environment, and what stands as it is in
  /// credential headers and under names such as `password` in bodies, queries and a launched
  /// server's environment.
  explicit Secrets(const Profile& profile);

  /// A value, each of its lines, and what follows the scheme in "Bearer TOKEN".
  void add(std::string_view value);
  /// What the profile's setup captured under this name, where a header of the profile names it or
  /// its name is that of a credential.
  void add_captured(std::string_view name, const Value& value, const Profile& profile);
  void add(const Secrets& others);

  [[nodiscard]] bool empty() const { return patterns_.empty(); }

  /// `text` with every secret masked.
  [[nodiscard]] std::string masked(std::string text) const;
  /// The value of a header as it may be shown. Credentials are masked by the header's name too.
  [[nodiscard]] std::string shown_value(const Header& header) const;

 private:
  void add_whole(std::string_view value);
  void add_header(const Header& header);

  /// The longer first, so that no rest of one is left where another is its part.
  std::vector<SecretPattern> patterns_;
};

}  // namespace assay::core
