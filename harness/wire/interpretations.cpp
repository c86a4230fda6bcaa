#include "harness/wire/interpretations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "assay_embed/interpretations.h"
#include "harness/wire/yaml.h"

namespace assay::wire {
namespace {

void read_choices_of(const YamlNode& node, Interpretation& into, Problems& problems) {
  for (const auto& [key, meaning] : node.members) {
    const std::optional<std::string> text = text_of(meaning, "what the choice means", problems);
    into.choices.push_back({key.scalar.as_string(), text.value_or("")});
  }
  const auto same = [&into](const auto& choice) { return choice.name == into.chosen; };
  if (std::none_of(into.choices.begin(), into.choices.end(), same)) {
    problems.report(node, fmt::format("the choice \"{}\" is not among the choices", into.chosen));
  }
}

Interpretation read_entry(const YamlNode& node, Problems& problems) {
  Interpretation entry;
  entry.at = problems.position(node);
  MapReader map(node, "an interpretation", problems);
  map.required_text("key", entry.key);
  map.required_text("question", entry.question);
  map.texts("clauses", entry.clauses);
  map.required_text("chosen", entry.chosen);
  map.required_text("because", entry.because);
  if (const YamlNode* choices = map.required("choices")) read_choices_of(*choices, entry, problems);
  map.finish();
  return entry;
}

const Interpretation* find(std::string_view key) {
  const std::vector<Interpretation>& all = interpretations();
  const auto found =
      std::find_if(all.begin(), all.end(), [key](const auto& entry) { return entry.key == key; });
  return found == all.end() ? nullptr : &*found;
}

/// The entry of that key, or nullptr after a report.
const Interpretation* known(const YamlNode& key, Problems& problems) {
  const std::string& name = key.scalar.as_string();
  if (const Interpretation* entry = find(name)) return entry;
  std::vector<std::string> keys;
  for (const Interpretation& entry : interpretations()) keys.push_back(entry.key);
  problems.unknown_name(key, "interpretation", name, keys);
  return nullptr;
}

/// The choice of that entry, or nothing after a report.
std::optional<std::string> choice_of(const Interpretation& entry, const YamlNode& node,
                                     Problems& problems) {
  std::optional<std::string> choice = text_of(node, "a choice", problems);
  if (!choice) return std::nullopt;
  std::vector<std::string> names;
  for (const Interpretation::Choice& each : entry.choices) names.push_back(each.name);
  if (std::find(names.begin(), names.end(), *choice) != names.end()) return choice;
  problems.unknown_name(node, fmt::format("choice of {}", entry.key), *choice, names);
  return std::nullopt;
}

}  // namespace

std::vector<Interpretation> read_interpretations(std::string_view text, const std::string& file,
                                                 std::vector<core::Diagnostic>& faults) {
  const auto document = read_yaml(text, file);
  if (!document) {
    faults.push_back(document.error());
    return {};
  }
  Problems problems(file);
  std::vector<Interpretation> all;
  std::set<std::string> keys;
  for (const YamlNode& node : items_of(*document, "a list of entries", problems)) {
    Interpretation entry = read_entry(node, problems);
    if (!keys.insert(entry.key).second) {
      problems.report(node, fmt::format("the key \"{}\" stands twice", entry.key));
    }
    all.push_back(std::move(entry));
  }
  const std::vector<core::Diagnostic> found = problems.take();
  faults.insert(faults.end(), found.begin(), found.end());
  return all;
}

const std::vector<Interpretation>& interpretations() {
  static const std::vector<Interpretation> all = [] {
    const embed::File& file = embed::interpretations().front();
    std::vector<core::Diagnostic> faults;
    return read_interpretations(file.content, std::string(file.path), faults);
  }();
  return all;
}

void read_choices(const YamlNode& node, Choices& into, Problems& problems) {
  if (node.kind != YamlNode::Kind::map) {
    problems.unexpected(node, "a mapping of interpretations to choices");
  }
  for (const auto& [key, value] : node.members) {
    const Interpretation* entry = known(key, problems);
    if (entry == nullptr) continue;
    if (const auto choice = choice_of(*entry, value, problems)) {
      into.insert_or_assign(entry->key, *choice);
    }
  }
}

core::Under read_under(const YamlNode& node, Problems& problems) {
  core::Under under;
  if (node.kind != YamlNode::Kind::map || node.members.empty()) {
    problems.unexpected(node, "a mapping of interpretations to choices");
  }
  for (const auto& [key, value] : node.members) {
    const Interpretation* entry = known(key, problems);
    if (entry == nullptr) continue;
    std::vector<std::string>& choices = under[entry->key];
    if (value.kind == YamlNode::Kind::list) {
      for (const YamlNode& item : value.items) {
        if (const auto choice = choice_of(*entry, item, problems)) choices.push_back(*choice);
      }
    } else if (const auto choice = choice_of(*entry, value, problems)) {
      choices.push_back(*choice);
    }
  }
  return under;
}

std::vector<std::string> unmet(const core::Under& under, const Choices& choices) {
  std::vector<std::string> all;
  for (const auto& [key, permitted] : under) {
    const auto declared = choices.find(key);
    const Interpretation* entry = find(key);
    const std::string choice = declared != choices.end() ? declared->second
                               : entry != nullptr        ? entry->chosen
                                                         : std::string();
    if (std::find(permitted.begin(), permitted.end(), choice) == permitted.end()) {
      all.push_back(fmt::format("{}: {}", key, fmt::join(permitted, " or ")));
    }
  }
  return all;
}

}  // namespace assay::wire
