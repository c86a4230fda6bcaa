#include "harness/core/undeclared.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace assay::core {
namespace {

constexpr std::string_view undeclared_prefix = "the profile does not declare ";
constexpr std::string_view name_separator = ", ";

using UndeclaredNames = std::set<std::string>;

UndeclaredNames undeclared_in(std::string_view list) {
  UndeclaredNames names;
  while (true) {
    const std::size_t end = list.find(name_separator);
    names.emplace(list.substr(0, end));
    if (end == std::string_view::npos) return names;
    list.remove_prefix(end + name_separator.size());
  }
}

/// Names of one kind are one thing to declare.
std::size_t kinds_of(const UndeclaredNames& names) {
  std::set<std::string> kinds;
  for (const std::string& name : names) kinds.insert(name.substr(0, name.find('.')));
  return kinds.size();
}

/// Names as they are, of a kind with many of them how many: "executions.* (7 of them)".
std::string named(const UndeclaredNames& names) {
  constexpr std::size_t most_of_a_kind = 4;
  std::map<std::string, std::vector<std::string>> kinds;
  for (const std::string& name : names) kinds[name.substr(0, name.find('.'))].push_back(name);
  std::vector<std::string> texts;
  for (const auto& [kind, members] : kinds) {
    texts.push_back(members.size() > most_of_a_kind
                        ? fmt::format("{}.* ({} of them)", kind, members.size())
                        : fmt::format("{}", fmt::join(members, name_separator)));
  }
  return fmt::format("{}", fmt::join(texts, name_separator));
}

/// Few before many, and what any server can declare before the reference's own binding.
bool is_sooner_declared(const UndeclaredNames& left, const UndeclaredNames& right) {
  const auto rank = [](const UndeclaredNames& names) {
    return std::tuple(names.contains("binding.reference"), kinds_of(names), names.size(), names);
  };
  return rank(left) < rank(right);
}

}  // namespace

std::string undeclared_reason(const std::vector<std::string>& names) {
  return fmt::format("{}{}", undeclared_prefix, fmt::join(names, name_separator));
}

std::string shortest_reasons(const std::set<std::string>& reasons) {
  std::vector<UndeclaredNames> undeclared;
  std::vector<std::string> texts;
  for (const std::string& reason : reasons) {
    if (reason.starts_with(undeclared_prefix)) {
      const std::string_view list = std::string_view(reason).substr(undeclared_prefix.size());
      undeclared.push_back(undeclared_in(list));
    } else {
      texts.push_back(reason);
    }
  }
  const auto least = std::min_element(undeclared.begin(), undeclared.end(), is_sooner_declared);
  if (least != undeclared.end()) {
    texts.insert(texts.begin(), fmt::format("{}{}", undeclared_prefix, named(*least)));
  }
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace assay::core
