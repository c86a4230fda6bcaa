#include "harness/core/clause_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace assay::core {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  while (true) {
    const std::size_t end = text.find(separator, start);
    if (end == std::string_view::npos) break;
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  parts.emplace_back(text.substr(start));
  return parts;
}

}  // namespace

ClauseTable::ClauseTable(std::string_view text) {
  std::size_t number = 0;
  for (const std::string& line : split(text, '\n')) {
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> fields = split(line, '\t');
    if (fields.size() != 4) {
      throw std::invalid_argument(
          fmt::format("clauses.tsv:{}:1: found {} fields, expected id, level, source, statement",
                      number, fields.size()));
    }
    const std::optional<Level> level = level_words.parse(fields[1]);
    if (!level) {
      throw std::invalid_argument(fmt::format(
          "clauses.tsv:{}:1: found level {}, expected MUST, SHOULD or MAY", number, fields[1]));
    }
    if (find(fields[0]) != nullptr) {
      throw std::invalid_argument(
          fmt::format("clauses.tsv:{}:1: {} stands twice", number, fields[0]));
    }
    clauses_.push_back({fields[0], *level, fields[2], fields[3]});
  }
}

const Clause* ClauseTable::find(std::string_view id) const {
  const auto found = std::find_if(clauses_.begin(), clauses_.end(),
                                  [id](const Clause& clause) { return clause.id == id; });
  return found == clauses_.end() ? nullptr : &*found;
}

bool matches_glob(std::string_view glob, std::string_view name) {
  std::size_t glob_at = 0;
  std::size_t name_at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (name_at < name.size()) {
    if (glob_at < glob.size() && glob[glob_at] == '*') {
      star = glob_at++;
      resume = name_at;
    } else if (glob_at < glob.size() && glob[glob_at] == name[name_at]) {
      ++glob_at;
      ++name_at;
    } else if (star != std::string_view::npos) {
      glob_at = star + 1;
      name_at = ++resume;
    } else {
      return false;
    }
  }
  while (glob_at < glob.size() && glob[glob_at] == '*') ++glob_at;
  return glob_at == glob.size();
}

}  // namespace assay::core
