#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"

namespace assay::core {

enum class Level { must, should, may };

inline constexpr Words<Level::may> level_words = {"MUST", "SHOULD", "MAY"};

/// One normative sentence of the specifications.
struct Clause {
  std::string id;
  Level level = Level::must;
  /// The specification's number and section: "000 Core Rule".
  std::string source;
  std::string statement;
};

/// All clauses, in the order of fixtures/spec/clauses.tsv.
class ClauseTable {
 public:
  /// Reads the tab-separated text of clauses.tsv; throws std::invalid_argument naming the line.
  explicit ClauseTable(std::string_view text);

  [[nodiscard]] const std::vector<Clause>& clauses() const { return clauses_; }
  [[nodiscard]] const Clause* find(std::string_view id) const;

 private:
  std::vector<Clause> clauses_;
};

/// Whether `name` matches a glob in which * stands for any run of characters.
[[nodiscard]] bool matches_glob(std::string_view glob, std::string_view name);

}  // namespace assay::core
