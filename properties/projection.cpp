#include "properties/projection.h"

#include <map>
#include <string_view>
#include <utility>

namespace assay::properties {
namespace {

using core::Pattern;

/// Paths that begin alike, put together; one without branches ends here.
struct Paths {
  std::map<std::string, Paths, std::less<>> branches;
};

Paths paths_of(const std::vector<std::string>& members) {
  Paths root;
  for (const std::string& member : members) {
    Paths* at = &root;
    std::string_view rest = member;
    while (!rest.empty()) {
      const std::size_t dot = rest.find('.');
      at = &at->branches[std::string(rest.substr(0, dot))];
      rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
    }
  }
  return root;
}

void make_exact(Pattern& pattern) {
  if (pattern.kind == Pattern::Kind::object) pattern.kind = Pattern::Kind::exact_object;
  for (auto& [name, member] : pattern.members) make_exact(member);
  for (Pattern& element : pattern.elements) make_exact(element);
}

class Projector {
 public:
  Projector(const Projection& projection, const std::vector<KnownName>& names)
      : projection_(projection), names_(names) {}

  [[nodiscard]] Pattern pattern_of(const Paths& paths, const Value& first,
                                   const Value& second) const {
    if (paths.branches.empty()) return end_of(first, second);
    if (first.is_list() && second.is_list() && first.as_list().size() == second.as_list().size()) {
      return list_of(paths, first.as_list(), second.as_list());
    }
    if (first.is_object() && second.is_object()) return object_of(paths, first, second);
    return literal_of(first, second, names_);
  }

 private:
  [[nodiscard]] Pattern end_of(const Value& first, const Value& second) const {
    Pattern pattern = literal_of(first, second, names_);
    if (projection_.exactly) make_exact(pattern);
    return pattern;
  }

  [[nodiscard]] Pattern list_of(const Paths& paths, const List& first, const List& second) const {
    Pattern pattern;
    pattern.kind = projection_.in_any_order ? Pattern::Kind::unordered : Pattern::Kind::list;
    if (projection_.only_item) pattern.kind = Pattern::Kind::contains;
    for (std::size_t index = 0; index < first.size(); ++index) {
      if (projection_.only_item.value_or(index) != index) continue;
      pattern.elements.push_back(pattern_of(paths, first[index], second[index]));
    }
    return pattern;
  }

  [[nodiscard]] Pattern object_of(const Paths& paths, const Value& first,
                                  const Value& second) const {
    Pattern pattern;
    pattern.kind = Pattern::Kind::object;
    for (const auto& [name, branch] : paths.branches) {
      const Value* one = first.find(name);
      const Value* other = second.find(name);
      if (one == nullptr || other == nullptr) continue;
      pattern.members.emplace(name, pattern_of(branch, *one, *other));
    }
    return pattern;
  }

  const Projection& projection_;
  const std::vector<KnownName>& names_;
};

}  // namespace

Pattern projected(const Projection& projection, const Value& first, const Value& second,
                  const std::vector<KnownName>& names) {
  return Projector(projection, names).pattern_of(paths_of(projection.members), first, second);
}

}  // namespace assay::properties
