#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/source.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// Collects what is wrong with one file, so that a person sees all of it at once.
class Problems {
 public:
  explicit Problems(std::string file_name) : file_name_(std::move(file_name)) {}

  void report(const YamlNode& at, std::string message);
  /// "found X, expected Y".
  void unexpected(const YamlNode& found, std::string_view expected);
  /// "unknown KIND "name"; did you mean "…"?", or the known names where none is near.
  void unknown_name(const YamlNode& at, std::string_view kind, std::string_view name,
                    const std::vector<std::string>& known);

  [[nodiscard]] core::SourcePosition position(const YamlNode& node) const;
  [[nodiscard]] bool empty() const { return found_.empty(); }
  /// In the order of the text; at most the first hundred.
  [[nodiscard]] std::vector<core::Diagnostic> take();

 private:
  std::string file_name_;
  std::vector<core::Diagnostic> found_;
};

/// What an integer may be, both ends included.
struct IntegerRange {
  std::int64_t least = 0;
  std::int64_t most = 0;
};

inline constexpr IntegerRange http_statuses = {100, 599};
/// The longest wait that anything may ask for: an hour, in milliseconds.
inline constexpr std::int64_t longest_wait_ms = 3'600'000;
/// The highest count of anything.
inline constexpr std::int64_t highest_count = 1'000'000;

/// Reads the members of one mapping by name. The names that were asked for are the names that are
/// accepted: finish() reports every other one, with the nearest of them.
class MapReader {
 public:
  /// `what` names the mapping in messages: "a step". Null counts as an empty mapping; what is
  /// neither is reported here, and then has no members.
  MapReader(const YamlNode& node, std::string_view what, Problems& problems);

  [[nodiscard]] const YamlNode* optional(std::string_view key);
  /// Reports the absence.
  [[nodiscard]] const YamlNode* required(std::string_view key);

  /// Typed members: absent ones leave `into` as it is, ones of another type are reported.
  void text(std::string_view key, std::string& into);
  void required_text(std::string_view key, std::string& into);
  void texts(std::string_view key, std::vector<std::string>& into);
  void flag(std::string_view key, bool& into);
  void integer(std::string_view key, IntegerRange range, std::int64_t& into);
  void integer(std::string_view key, IntegerRange range, std::optional<std::int64_t>& into);
  void number(std::string_view key, double least, double most, double& into);

  void finish();

 private:
  [[nodiscard]] const YamlNode* member(std::string_view key);

  const YamlNode& node_;
  std::string what_;
  Problems& problems_;
  std::vector<std::string> known_;
};

/// The node's text, or nothing after a report that `what` was expected.
[[nodiscard]] std::optional<std::string> text_of(const YamlNode& node, std::string_view what,
                                                 Problems& problems);
/// The integer, if it is in the range, or nothing after a report.
[[nodiscard]] std::optional<std::int64_t> integer_of(const YamlNode& node, IntegerRange range,
                                                     Problems& problems);
/// The elements of a list; a node that is no list is reported as not `what`, and empty.
[[nodiscard]] const std::vector<YamlNode>& items_of(const YamlNode& node, std::string_view what,
                                                    Problems& problems);

/// Whether it is a JSON Pointer; reports the node where it is not.
[[nodiscard]] bool check_pointer(const YamlNode& at, std::string_view pointer, Problems& problems);

}  // namespace assay::wire
