#include "harness/core/clause_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <stdexcept>

namespace assay::core {
namespace {

constexpr std::array<std::string_view, 3> level_words = {"MUST", "SHOULD", "MAY"};

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

std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t substituted = diagonal + (left[i - 1] == right[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string_view level_word(Level level) { return level_words.at(static_cast<std::size_t>(level)); }

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
    const auto level = std::find(level_words.begin(), level_words.end(), fields[1]);
    if (level == level_words.end()) {
      throw std::invalid_argument(fmt::format(
          "clauses.tsv:{}:1: found level {}, expected MUST, SHOULD or MAY", number, fields[1]));
    }
    if (find(fields[0]) != nullptr) {
      throw std::invalid_argument(
          fmt::format("clauses.tsv:{}:1: {} stands twice", number, fields[0]));
    }
    clauses_.push_back(
        {fields[0], static_cast<Level>(level - level_words.begin()), fields[2], fields[3]});
  }
}

const Clause* ClauseTable::find(std::string_view id) const {
  const auto found = std::find_if(clauses_.begin(), clauses_.end(),
                                  [id](const Clause& clause) { return clause.id == id; });
  return found == clauses_.end() ? nullptr : &*found;
}

std::optional<std::string> nearest_name(std::string_view name,
                                        const std::vector<std::string>& candidates) {
  std::optional<std::string> nearest;
  // A third of the letters may differ; past that a suggestion only confuses.
  std::size_t best = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
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
