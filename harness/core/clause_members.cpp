#include "harness/core/clause_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "assay_embed/clause_members.h"
#include "harness/core/clause_table.h"

namespace assay::core {

ClauseMembers::ClauseMembers(std::string_view text) {
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::size_t tab = line.find('\t');
    std::istringstream words(tab == std::string::npos ? "" : line.substr(tab + 1));
    std::vector<std::string>& members = entries_[line.substr(0, tab)];
    if (!members.empty()) {
      throw std::invalid_argument(fmt::format("line {}: found the clause a second time", number));
    }
    for (std::string word; words >> word;) members.push_back(word);
    if (members.empty()) {
      throw std::invalid_argument(
          fmt::format("line {}: expected a clause, a tab and what it is about", number));
    }
  }
}

bool ClauseMembers::is_about(std::string_view clause, const std::set<std::string>& asked) const {
  auto entry = entries_.find(clause);
  if (entry == entries_.end()) {
    entry = std::find_if(entries_.begin(), entries_.end(),
                         [clause](const auto& each) { return matches_glob(each.first, clause); });
  }
  if (entry == entries_.end()) return true;
  return std::any_of(entry->second.begin(), entry->second.end(),
                     [&asked](const std::string& member) { return asked.contains(member); });
}

const ClauseMembers& clause_members() {
  static const ClauseMembers all(embed::clause_members().front().content);
  return all;
}

}  // namespace assay::core
