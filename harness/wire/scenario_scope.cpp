#include "harness/wire/scenario_scope.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace assay::wire {
namespace {

constexpr std::array<std::string_view, 6> reserved = {"id", "unique",       "case",
                                                      "i",  "extra_states", "extra_state"};
constexpr std::size_t max_long_text = std::size_t{64} * 1024 * 1024;

bool is_name(std::string_view name) {
  constexpr std::string_view characters = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !name.empty() && name.find_first_not_of(characters) == std::string_view::npos &&
         (name.front() == '_' || (name.front() >= 'a' && name.front() <= 'z'));
}

}  // namespace

void ScenarioScope::declare_variable(const YamlNode& at, const std::string& name) {
  declare_capture(at, name);
}

void ScenarioScope::declare_capture(const YamlNode& at, const std::string& name) {
  if (!is_name(name)) {
    problems_.unexpected(at, "a variable's name: a letter, then a-z, 0-9 and _");
  } else if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) {
    problems_.report(at,
                     fmt::format("${{{}}} has a meaning of its own; choose another name", name));
  }
  variables_.insert(name);
}

void ScenarioScope::declare_subject(const std::string& name) {
  if (name.find("${") != std::string::npos) dynamic_subjects_ = true;
  subjects_.insert(name);
}

void ScenarioScope::check_subject(const YamlNode& at, const std::string& name) {
  if (dynamic_subjects_ || name.find("${") != std::string::npos || subjects_.contains(name)) return;
  problems_.unknown_name(at, "subject", name, {subjects_.begin(), subjects_.end()});
}

void ScenarioScope::check_placeholders(const YamlNode& at, std::string_view text) {
  std::size_t offset = 0;
  while ((offset = text.find("${", offset)) != std::string_view::npos) {
    const bool literal = offset > 0 && text[offset - 1] == '$';
    const std::size_t start = offset + 2;
    offset = start;
    if (literal) continue;
    const std::size_t end = text.find('}', start);
    if (end == std::string_view::npos) {
      problems_.report(at, "found ${ without its }, expected ${name} (a literal one is $${)");
      return;
    }
    check_placeholder(at, text.substr(start, end - start));
    offset = end + 1;
  }
}

void ScenarioScope::check_placeholder(const YamlNode& at, std::string_view name) {
  constexpr std::string_view subject = "id:";
  if (name.starts_with(subject)) {
    check_subject(at, std::string(name.substr(subject.size())));
    return;
  }
  constexpr std::string_view filler = "bytes:";
  if (name.starts_with(filler)) {
    check_filler(at, name.substr(filler.size()));
    return;
  }
  if ((name == "i" || name == "extra_state") && repeats_ == 0) {
    problems_.report(at, fmt::format("${{{}}} is known inside of repeat: only", name));
    return;
  }
  const bool known = std::find(reserved.begin(), reserved.end(), name) != reserved.end();
  if (known || variables_.contains(name)) return;
  problems_.unknown_name(at, "variable", name, known_names());
}

void ScenarioScope::check_filler(const YamlNode& at, std::string_view digits) {
  std::size_t count = 0;
  const auto [end, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = fault == std::errc() && end == digits.data() + digits.size();
  if (!whole || count > max_long_text) {
    problems_.report(at, fmt::format("${{bytes:N}} takes a number from 0 to {}", max_long_text));
  }
}

bool ScenarioScope::is_variable(const YamlNode& node) {
  if (!node.is_text() || !node.tag.empty()) return false;
  const std::string& text = node.scalar.as_string();
  const bool whole = text.starts_with("${") && text.find('}') == text.size() - 1;
  if (whole) check_placeholders(node, text);
  return whole;
}

std::vector<std::string> ScenarioScope::known_names() const {
  std::vector<std::string> names(variables_.begin(), variables_.end());
  names.insert(names.end(), {"id", "unique", "case", "extra_states"});
  if (repeats_ > 0) names.insert(names.end(), {"i", "extra_state"});
  return names;
}

std::string ScenarioScope::long_text(const YamlNode& node) {
  std::string text;
  if (node.tag == "join") {
    for (const YamlNode& item : node.items) {
      const Value part = literal(item);
      if (part.is_string()) {
        text += part.as_string();
      } else {
        problems_.unexpected(item, "a text to join");
      }
    }
  } else if (node.items.size() == 2) {
    const auto part = text_of(node.items[0], "the text to repeat", problems_);
    const auto times =
        integer_of(node.items[1], {0, std::numeric_limits<std::int64_t>::max()}, problems_);
    if (!part || !times) return text;
    check_placeholders(node.items[0], *part);
    const auto count = static_cast<std::size_t>(*times);
    if (!part->empty() && count > max_long_text / part->size()) {
      problems_.report(node, fmt::format("found more than {} bytes of text", max_long_text));
      return text;
    }
    long_text_bytes_ += count * part->size();
    if (long_text_bytes_ > max_long_text) {
      problems_.report(node, fmt::format("found more than {} bytes of text", max_long_text));
      return text;
    }
    if (part->size() == 1) return std::string(count, part->front());
    text.reserve(count * part->size());
    for (std::size_t i = 0; i < count; ++i) text += *part;
  } else {
    problems_.report(node, "!repeat takes a text and how often: [x, 100]");
  }
  return text;
}

Value ScenarioScope::literal(const YamlNode& node) {
  if (node.tag == "repeat" || node.tag == "join") return long_text(node);
  if (!node.tag.empty()) {
    problems_.unknown_name(node, "tag in a value", node.tag, {"repeat", "join"});
    return nullptr;
  }
  switch (node.kind) {
    case YamlNode::Kind::scalar:
      if (node.scalar.is_string()) check_placeholders(node, node.scalar.as_string());
      return node.scalar;
    case YamlNode::Kind::list: {
      List list;
      for (const YamlNode& item : node.items) list.push_back(literal(item));
      return list;
    }
    case YamlNode::Kind::map: {
      Object object;
      for (const auto& [key, member] : node.members) {
        check_placeholders(key, key.scalar.as_string());
        object.insert_or_assign(key.scalar.as_string(), literal(member));
      }
      return object;
    }
  }
  return nullptr;
}

void ScenarioScope::check_clause(const YamlNode& at, const std::string& id) {
  if (clauses_.find(id)) return;
  std::vector<std::string> ids;
  for (const core::Clause& clause : clauses_.clauses()) ids.push_back(clause.id);
  problems_.unknown_name(at, "clause", id, ids);
}

std::vector<std::string> ScenarioScope::read_clauses(MapReader& map) {
  std::vector<std::string> ids;
  const auto add = [this, &ids](const YamlNode& node) {
    const auto id = text_of(node, "a clause's id", problems_);
    if (!id) return;
    check_clause(node, *id);
    const bool listed = std::any_of(listed_.begin(), listed_.end(),
                                    [&id](const auto& entry) { return entry.first == *id; });
    if (!listed && clauses_.find(*id)) {
      problems_.report(node, fmt::format("{} is not among the scenario's clauses", *id));
    }
    ids.push_back(*id);
  };
  if (const YamlNode* one = map.optional("clause")) add(*one);
  if (const YamlNode* several = map.optional("clauses")) {
    for (const YamlNode& item : items_of(*several, "a list of clauses", problems_)) add(item);
  }
  return ids;
}

void ScenarioScope::prove(const std::vector<std::string>& clauses) {
  ++checks_;
  if (clauses.empty()) {
    for (const auto& [id, node] : listed_) proven_.insert(id);
  }
  proven_.insert(clauses.begin(), clauses.end());
}

void ScenarioScope::list_clauses(const YamlNode& node, std::vector<std::string>& into) {
  for (const YamlNode& item : items_of(node, "a list of clauses", problems_)) {
    const auto id = text_of(item, "a clause's id", problems_);
    if (!id) continue;
    check_clause(item, *id);
    if (std::find(into.begin(), into.end(), *id) != into.end()) {
      problems_.report(item, fmt::format("{} is listed twice", *id));
    }
    listed_.emplace_back(*id, &item);
    into.push_back(*id);
  }
  if (node.kind == YamlNode::Kind::list && into.empty()) {
    problems_.report(node, "a scenario needs the clauses that it proves");
  }
}

void ScenarioScope::check_proven(const YamlNode& root) {
  if (checks_ == 0) {
    problems_.report(root, "asserts nothing: expected an expect:, a never: or a response:");
    return;
  }
  for (const auto& [id, node] : listed_) {
    if (!proven_.contains(id)) {
      problems_.report(*node, fmt::format("no check proves {}", id));
    }
  }
}

}  // namespace assay::wire
