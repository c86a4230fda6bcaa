#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace assay::core {

/// What each clause is about, as fixtures/spec/clause_members.tsv says it: members of answers and
/// events, operations, and the words `answer`, `scheduled`, `count` and `order`.
class ClauseMembers {
 public:
  /// Reads the tab-separated text; throws std::invalid_argument naming the line.
  explicit ClauseMembers(std::string_view text);

  /// Whether what was asked says anything of a clause: always, where the table does not list it.
  [[nodiscard]] bool is_about(std::string_view clause, const std::set<std::string>& asked) const;

  /// Clause, or glob over clauses, to what it is about.
  [[nodiscard]] const std::map<std::string, std::vector<std::string>, std::less<>>& entries()
      const {
    return entries_;
  }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> entries_;
};

/// The table that is compiled in.
[[nodiscard]] const ClauseMembers& clause_members();

}  // namespace assay::core
