#include "properties/projection.h"

#include <map>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/core/list_order.h"

namespace assay::properties {
namespace {

using core::Pattern;
using How = Pattern::How;

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
  if (auto* object = std::get_if<core::ObjectPattern>(&pattern.form)) object->exactly = true;
  for_each_part(pattern, make_exact);
}

/// What tells the items of a list apart.
constexpr const char* identities[] = {"seq",    "event_id", "step",         "command_id",
                                      "run_id", "job_id",   "execution_id", "uuid"};

/// How much of a pattern says nothing but a type, or not even that.
std::size_t looseness(const Pattern& pattern) {
  const bool is_any = std::holds_alternative<core::AnyPattern>(pattern.form);
  std::size_t sum = is_any || pattern.is(Pattern::By::type) ? 1 : 0;
  for_each_part(pattern, [&sum](const Pattern& part) { sum += looseness(part); });
  return sum;
}

std::size_t size_of(const Value& value) {
  std::size_t sum = 1;
  if (value.is_object()) {
    for (const auto& [name, member] : value.as_object()) sum += size_of(member);
  } else if (value.is_list()) {
    for (const Value& item : value.as_list()) sum += size_of(item);
  }
  return sum;
}

/// How much a pattern asks for: members that only one of two items has are not in it.
std::size_t extent(const Pattern& pattern) {
  if (const Value* literal = pattern.literal()) return size_of(*literal);
  std::size_t sum = 1;
  for_each_part(pattern, [&sum](const Pattern& part) { sum += extent(part); });
  return sum;
}

class Projector {
 public:
  Projector(const Projection& projection, const std::vector<KnownName>& names)
      : projection_(projection), names_(names) {}

  /// `member` is the answer's member that leads here; empty: the answer itself.
  [[nodiscard]] Pattern pattern_of(const Paths& paths, const Value& first, const Value& second,
                                   std::string_view member = "", bool is_whole = true) const {
    if (first.is_list() && second.is_list() && is_free(member, is_whole)) {
      return free_list_of(paths, first.as_list(), second.as_list());
    }
    if (paths.branches.empty() && is_whole && first.is_object()) {
      return object_of(branches_of(first), first, second, true);
    }
    if (paths.branches.empty()) return end_of(first, second);
    if (first.is_list() && second.is_list() && first.as_list().size() == second.as_list().size()) {
      return list_of(paths, first.as_list(), second.as_list());
    }
    if (first.is_object() && second.is_object()) return object_of(paths, first, second, is_whole);
    return literal_of(first, second, names_);
  }

 private:
  static Paths branches_of(const Value& object) {
    Paths paths;
    for (const auto& [name, value] : object.as_object()) paths.branches[name];
    return paths;
  }

  [[nodiscard]] bool is_free(std::string_view member, bool is_whole) const {
    if (projection_.only_item) return false;
    if (projection_.in_any_order || projection_.choice) return true;
    if (!is_whole && member.empty()) return false;
    return core::order_of(projection_.operation, member) != core::ListOrder::promised;
  }

  [[nodiscard]] Pattern end_of(const Value& first, const Value& second) const {
    Pattern pattern = literal_of(first, second, names_);
    if (projection_.exactly) make_exact(pattern);
    return pattern;
  }

  [[nodiscard]] Pattern list_of(const Paths& paths, const List& first, const List& second) const {
    core::ElementsPattern pattern{projection_.only_item ? How::contains : How::list, {}};
    for (std::size_t index = 0; index < first.size(); ++index) {
      if (projection_.only_item.value_or(index) != index) continue;
      pattern.elements.push_back(pattern_of(paths, first[index], second[index], "", false));
    }
    return {std::move(pattern)};
  }

  [[nodiscard]] bool is_chosen(const Value& item) const {
    if (!projection_.choice) return true;
    const ItemChoice& choice = *projection_.choice;
    return (item.string_at(choice.member) == choice.text) == choice.is_text;
  }

  [[nodiscard]] Pattern free_list_of(const Paths& paths, const List& first,
                                     const List& second) const {
    std::vector<bool> taken(second.size(), false);
    bool is_whole = first.size() == second.size();
    core::ElementsPattern pattern;
    for (const Value& item : first) {
      if (!is_chosen(item)) {
        is_whole = false;
        continue;
      }
      auto paired = paired_item(paths, item, second, taken);
      is_whole = is_whole && paired;
      if (paired) pattern.elements.push_back(*std::move(paired));
    }
    pattern.how = is_whole ? How::unordered : How::contains;
    return {std::move(pattern)};
  }

  /// The pattern of an item together with its likest of the other play, which is taken then.
  std::optional<Pattern> paired_item(const Paths& paths, const Value& item, const List& others,
                                     std::vector<bool>& taken) const {
    std::optional<Pattern> best;
    std::size_t best_looseness = 0;
    std::size_t best_index = 0;
    // Lists come in one order or in the other: the likest is met early.
    for (std::size_t place = others.size(); place-- > 0;) {
      if (taken[place] || !may_be_same(item, others[place])) continue;
      Pattern pattern = pattern_of(paths, item, others[place], "", false);
      const std::size_t loose = looseness(pattern) + left_out(paths, item, others[place], pattern);
      if (best && loose >= best_looseness) continue;
      best = std::move(pattern);
      best_looseness = loose;
      best_index = place;
      if (loose == 0) break;
    }
    if (best) taken[best_index] = true;
    return best;
  }

  /// Of all that the two could be asked for, how much is in neither or in one of them alone.
  [[nodiscard]] std::size_t left_out(const Paths& paths, const Value& item, const Value& other,
                                     const Pattern& pattern) const {
    const std::size_t both = extent(pattern_of(paths, item, item, "", false)) +
                             extent(pattern_of(paths, other, other, "", false));
    const std::size_t asked = 2 * extent(pattern);
    return asked < both ? both - asked : 0;
  }

  [[nodiscard]] bool may_be_same(const Value& item, const Value& other) const {
    if (!item.is_object() || !other.is_object()) return true;
    for (const char* identity : identities) {
      // In which order it came tells nothing where any order will do.
      if (projection_.in_any_order && identity == std::string_view("seq")) continue;
      const Value* one = item.find(identity);
      const Value* two = other.find(identity);
      if (one == nullptr || two == nullptr) continue;
      const bool is_same = literal_of(*one, *two, names_).literal() != nullptr;
      // An id that the server makes is another one in each play.
      const bool is_own = one->is_string() && two->is_string() && is_made(identity);
      if (!is_same && !is_own) return false;
    }
    return true;
  }

  static bool is_made(std::string_view identity) {
    return identity != "step" && identity != "command_id" && identity != "seq";
  }

  [[nodiscard]] Pattern object_of(const Paths& paths, const Value& first, const Value& second,
                                  bool is_whole) const {
    core::ObjectPattern pattern;
    for (const auto& [name, branch] : paths.branches) {
      const Value* one = first.find(name);
      const Value* other = second.find(name);
      if (one == nullptr || other == nullptr) continue;
      pattern.members.emplace(name, pattern_of(branch, *one, *other, is_whole ? name : "", false));
    }
    return {std::move(pattern)};
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
