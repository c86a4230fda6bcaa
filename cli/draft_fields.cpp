#include "cli/draft_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "cli/profile_draft.h"
#include "harness/wire/json.h"

namespace assay::cli {
namespace {

using wire::ApiField;
using Names = std::vector<std::string>;

bool is_among(const std::string& word, const Names& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_word_of(const ApiField& field, const Names& words) {
  return std::any_of(field.words.begin(), field.words.end(),
                     [&words](const std::string& word) { return is_among(word, words); });
}

/// The name of the object that a field stands in: "state" of "/state/id"; empty at the root.
std::string_view parent_of(std::string_view pointer) {
  const std::string_view above = pointer.substr(0, pointer.rfind('/'));
  return above.empty() ? above : above.substr(above.rfind('/') + 1);
}

/// The id of an object within is that object's, unless it is a mere wrapper or called like ours.
bool is_id_of_another(const ApiField& field) {
  constexpr std::array own = {
      "data", "result", "item", "response",  "run",      "flowrun",  "dagrun",
      "job",  "build",  "task", "execution", "workflow", "instance", "workflowexecution"};
  const std::string name = plain_name(field.name);
  const std::string parent = plain_name(parent_of(field.pointer));
  return (name == "id" || name == "number") && !parent.empty() &&
         std::find(own.begin(), own.end(), parent) == own.end();
}

bool may_be_state(const ApiField& field, std::string_view ours, const Names& state_words) {
  const bool is_known = has_word_of(field, state_words);
  if (is_called(field.name, ours)) return is_known || field.words.empty() || state_words.empty();
  const std::string name = plain_name(field.name);
  return is_known && (name == "type" || name == "value") &&
         is_called(parent_of(field.pointer), ours);
}

bool may_be(const ApiField& field, std::string_view ours, const Names& state_words) {
  if (field.type == "object" || field.type == "array") return false;
  if (is_state_member(ours)) return may_be_state(field, ours, state_words);
  const bool is_id = ours == "uuid" || ours.ends_with("_id");
  return is_called(field.name, ours) && !(is_id && is_id_of_another(field));
}

}  // namespace

bool is_state_member(std::string_view ours) {
  return ours == "state" || ours == "status" || ours == "to" || ours == "before_state" ||
         ours == "after_state";
}

const ApiField* find_field(const std::vector<ApiField>& fields, std::string_view ours,
                           const Names& state_words) {
  const ApiField* best = nullptr;
  const auto rank = [&](const ApiField& field) {
    const auto levels = std::count(field.pointer.begin(), field.pointer.end(), '/');
    const bool is_unknown = is_state_member(ours) && !has_word_of(field, state_words);
    return std::tuple(is_unknown, levels, plain_name(field.name) != plain_name(ours));
  };
  for (const ApiField& field : fields) {
    if (!may_be(field, ours, state_words)) continue;
    if (best == nullptr || rank(field) < rank(*best)) best = &field;
  }
  return best;
}

std::vector<const ApiField*> fields_below(const std::vector<ApiField>& fields,
                                          std::string_view pointer) {
  std::vector<const ApiField*> below;
  for (const ApiField& field : fields) {
    const std::string_view own = field.pointer;
    if (own.substr(0, own.rfind('/')) == pointer) below.push_back(&field);
  }
  return below;
}

Refusals refusals_in(const wire::ApiCall& call, const Names& state_words) {
  constexpr std::array refusals = {"reject", "rejected", "abort",  "deny",
                                   "denied", "refuse",   "refused"};
  for (const ApiField* field : fields_below(call.answer, "")) {
    if (has_word_of(*field, state_words)) continue;
    Refusals found{field};
    for (const std::string& word : field->words) {
      const bool refuses =
          std::find(refusals.begin(), refusals.end(), plain_name(word)) != refusals.end();
      if (refuses) found.words.push_back(word);
    }
    if (!found.words.empty()) return found;
  }
  return {};
}

const wire::ApiCall* maker_of(std::string_view id_name, const wire::ApiDocument& document) {
  std::string noun = plain_name(id_name);
  if (!noun.ends_with("id") || noun.size() < 4) return nullptr;
  noun.resize(noun.size() - 2);
  for (const wire::ApiCall& call : document.calls) {
    std::string_view path = call.path;
    while (path.ends_with('/')) path.remove_suffix(1);
    const std::string last = plain_name(path.substr(path.rfind('/') + 1));
    const bool is_collection = last == noun || last == noun + "s";
    if (call.method == "POST" && is_collection && path.find('{') == std::string_view::npos) {
      return &call;
    }
  }
  return nullptr;
}

const StateGuesses& state_guesses(Surface surface) {
  static const StateGuesses runs = {
      {"created", {"created", "pending", "queued", "scheduled", "new", "submitted"}},
      {"running", {"running", "started", "inprogress", "active", "building", "executing"}},
      {"waiting", {"waiting", "paused", "suspended", "blocked", "deferred"}},
      {"success", {"success", "succeeded", "completed", "finished", "done", "ok", "passed"}},
      {"failed", {"failed", "failure", "error", "errored", "broken"}},
      {"denied", {"denied", "rejected"}},
      {"timeout", {"timeout", "timedout", "expired"}},
      {"canceled",
       {"canceled", "cancelled", "killed", "aborted", "terminated", "stopped", "revoked"}}};
  static const StateGuesses executions = {
      {"RUNNING", {"running", "started", "inprogress", "active", "executing"}},
      {"COMPLETED", {"completed", "success", "succeeded", "finished", "done"}},
      {"FAILED", {"failed", "failure", "error", "errored"}},
      {"CANCELLED",
       {"cancelled", "canceled", "terminated", "aborted", "killed", "stopped", "revoked"}}};
  static const StateGuesses none;
  if (surface == Surface::workflows) return none;
  return surface == Surface::runs ? runs : executions;
}

std::string yaml_text(std::string_view text) { return wire::to_json(Value(text)); }

bool has_template(std::string_view text) { return text.find("${") != std::string_view::npos; }

std::string filler(const ApiField& field) {
  std::string example = field.example.is_null() ? "" : wire::to_json(field.example);
  if (!example.empty() && !has_template(example)) return example;
  if (!field.words.empty() && !has_template(field.words.front())) {
    return yaml_text(field.words.front());
  }
  if (field.type == "integer" || field.type == "number") return "0";
  if (field.type == "boolean") return "false";
  if (field.type == "object") return "{}";
  if (field.type == "array") return "[]";
  return std::string(to_edit);
}

std::string required_members(const wire::ApiCall& call) {
  std::string members;
  for (const ApiField* field : fields_below(call.body, "")) {
    if (!field->is_required) continue;
    members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", yaml_text(field->name),
                           filler(*field));
  }
  return members;
}

}  // namespace assay::cli
