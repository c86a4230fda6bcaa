#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "harness/core/state_words.h"
#include "harness/wire/profile_parts.h"
#include "harness/wire/template.h"

namespace assay::wire {
namespace {

/// A word that is none of ours would never be met.
void check_state(const YamlNode& node, Problems& problems) {
  if (!node.is_text() || core::is_state_word(node.scalar.as_string())) return;
  problems.unknown_name(node, "state", node.scalar.as_string(), core::state_words());
}

/// Of the states that a client takes a run out of, those that lead to running.
void read_passing_states(const YamlNode& node, core::Profile& profile, Problems& problems) {
  static const std::vector<std::string> known = {"created", "waiting"};
  for (const YamlNode& item : items_of(node, "a list of statuses of runs", problems)) {
    const auto word = text_of(item, "a status of runs", problems);
    if (!word) continue;
    if (std::find(known.begin(), known.end(), *word) == known.end()) {
      problems.unknown_name(item, "status that a run leaves for running", *word, known);
    }
    profile.passing_states.insert(*word);
    profile.missing_states.insert(*word);
  }
}

/// Words of the target for states of a run that are none of ours and mean none.
void read_extra_states(const YamlNode& node, core::Profile& profile, Problems& problems) {
  const std::vector<std::string> ours = core::state_words_of("runs.");
  for (const YamlNode& item : items_of(node, "a list of the target's states", problems)) {
    const auto word = text_of(item, "a state of the target's", problems);
    if (!word) continue;
    profile.extra_states.insert(*word);
    if (!profile.state_names.contains(*word) && std::ranges::find(ours, *word) == ours.end()) {
      continue;
    }
    problems.report(item, fmt::format("{} is one of our states, or means one", *word));
  }
}

/// words: tables of our values, as text, to the target's words.
void read_word_tables(const YamlNode& node, core::Profile& profile, Problems& problems) {
  if (node.kind != YamlNode::Kind::map) problems.unexpected(node, "a mapping of names to tables");
  const std::vector<std::string> filters = filter_names();
  for (const auto& [name, table] : node.members) {
    const std::string& key = name.scalar.as_string();
    if (std::find(filters.begin(), filters.end(), key) != filters.end()) {
      problems.report(name, fmt::format("{} is a filter; a table needs another name", key));
    }
    if (!parse_path(key) || key.find('.') != std::string::npos) {
      problems.unexpected(name, "a name of letters, digits and _");
    }
    if (table.kind != YamlNode::Kind::map) {
      problems.unexpected(table, "a mapping of our values to the target's words");
    }
    auto& words = profile.words[key];
    for (const auto& [ours, theirs] : table.members) {
      if (theirs.kind != YamlNode::Kind::scalar) problems.unexpected(theirs, "a word or a number");
      words.insert_or_assign(text_of_value(ours.scalar), to_value(theirs));
    }
  }
}

}  // namespace

void read_words(const YamlNode& node, std::string_view what, bool null_is_none,
                std::map<std::string, std::string, std::less<>>& into, Problems& problems) {
  if (node.kind != YamlNode::Kind::map) problems.unexpected(node, what);
  for (const auto& [name, value] : node.members) {
    if (null_is_none && value.is_null()) {
      into.insert_or_assign(name.scalar.as_string(), "");
    } else if (const auto text = text_of(value, "text", problems)) {
      into.insert_or_assign(name.scalar.as_string(), *text);
    }
  }
}

void read_vocabulary(const YamlNode& node, core::Profile& profile, Problems& problems) {
  MapReader map(node, "vocabulary", problems);
  if (const YamlNode* events = map.optional("events")) {
    read_words(*events, "a mapping of our event types to the target's", true, profile.event_names,
               problems);
  }
  if (const YamlNode* states = map.optional("states")) {
    read_words(*states, "a mapping of the target's states to ours", false, profile.state_names,
               problems);
    for (const auto& [theirs, ours] : states->members) check_state(ours, problems);
  }
  if (const YamlNode* missing = map.optional("missing_states")) {
    for (const YamlNode& item : items_of(*missing, "a list of our states", problems)) {
      if (const auto word = text_of(item, "a state", problems)) {
        profile.missing_states.insert(*word);
        check_state(item, problems);
      }
    }
  }
  if (const YamlNode* passing = map.optional("passing_states")) {
    read_passing_states(*passing, profile, problems);
  }
  if (const YamlNode* extra = map.optional("extra_states")) {
    read_extra_states(*extra, profile, problems);
  }
  if (const YamlNode* words = map.optional("words")) read_word_tables(*words, profile, problems);
  map.finish();
}

}  // namespace assay::wire
