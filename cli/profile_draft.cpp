#include "cli/profile_draft.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "assay_embed/skeletons.h"
#include "base/visible.h"
#include "cli/draft_fields.h"
#include "harness/core/operation_shape.h"
#include "harness/wire/json.h"

namespace assay::cli {
namespace {

using core::OperationShape;
using wire::ApiCall;
using wire::ApiDocument;
using wire::ApiField;
using Names = std::vector<std::string>;

constexpr std::size_t shown_comment_bytes = 100;
constexpr std::size_t most_listed = 40;
constexpr int full_page = 100;

std::string comment(std::string_view text) { return visible(text, shown_comment_bytes); }

bool is_id(std::string_view ours) { return ours == "uuid" || ours.ends_with("_id"); }

class Draft {
 public:
  Draft(const ApiDocument& document, Surface surface, std::string_view source)
      : document_(document), surface_(surface), source_(source) {
    matched_ = match_calls(document, surface);
  }

  [[nodiscard]] std::string text() {
    learn_states();
    std::string operations;
    Names declared;
    for (const MatchedCall& each : matched_) {
      const auto written = operation(*core::operation_shape(each.operation), *each.call);
      if (!written) continue;
      declared.push_back(each.operation);
      operations += *written;
    }
    if (declared.empty()) return "";
    return head(declared) + operations + setup_hint() + unmatched();
  }

 private:
  /// The word of theirs that is the likeliest guess; of several for the first state the one that
  /// the document names first, because they are written in the order in which they come.
  [[nodiscard]] Names::const_iterator word_for(const Names& guesses, bool is_first,
                                               const std::set<std::string>& taken) const {
    const auto is_free = [&taken](const std::string& word) { return !taken.contains(word); };
    if (is_first) {
      return std::find_if(words_.begin(), words_.end(), [&](const std::string& word) {
        return is_free(word) &&
               std::find(guesses.begin(), guesses.end(), plain_name(word)) != guesses.end();
      });
    }
    for (const std::string& guess : guesses) {
      const auto word = std::find_if(words_.begin(), words_.end(), [&](const std::string& each) {
        return plain_name(each) == guess && is_free(each);
      });
      if (word != words_.end()) return word;
    }
    return words_.end();
  }

  /// Their words, from the first enum of a state that has any of which we know one.
  void learn_states() {
    for (const MatchedCall& each : matched_) {
      std::vector<const std::vector<ApiField>*> parts = {&each.call->answer};
      for (const wire::ApiList& list : each.call->lists) parts.push_back(&list.fields);
      for (const auto* fields : parts) {
        const ApiField* field = find_field(*fields, surface_ == Surface::runs ? "status" : "state");
        if (field != nullptr && field->words.size() > words_.size()) words_ = field->words;
      }
    }
    std::set<std::string> taken;
    for (const auto& [ours, guesses] : state_guesses(surface_)) {
      const auto word = word_for(guesses, ours == "created", taken);
      if (word == words_.end()) {
        missing_.emplace_back(ours);
        continue;
      }
      taken.insert(*word);
      states_.emplace_back(*word, ours);
    }
    for (const std::string& word : words_) {
      if (!taken.contains(word)) extra_.push_back(word);
    }
  }

  [[nodiscard]] std::string head(const Names& declared) const {
    std::string name = plain_name(document_.title);
    if (name.empty()) name = "mine";
    const bool is_url =
        (document_.base_url.starts_with("http://") || document_.base_url.starts_with("https://")) &&
        !has_template(document_.base_url);
    std::string out = fmt::format(
        "# Written by `assay init` from {}: {} {}.\n"
        "# Each line is a guess from names. Read it, mend it, and try it with `assay probe`; "
        "{} marks what the document does not say.\n"
        "name: {}\ntitle: {}\n",
        comment(source_), comment(document_.title), comment(document_.version), to_edit,
        yaml_text(name), yaml_text(document_.title));
    out += is_url ? fmt::format("base_url: {}\n", yaml_text(document_.base_url))
                  : "base_url: http://127.0.0.1:8080  # The document names no server.\n";
    if (document_.base_url.find('/', document_.base_url.find("://") + 3) == std::string::npos) {
      out +=
          "# Where every request is answered 404, the paths stand below one such as /api: add "
          "it.\n";
    }
    out += fmt::format("capabilities: [{}]\n", fmt::join(declared, ", "));
    if (surface_ == Surface::workflows) return out + "operations:\n";
    out += "vocabulary:\n";
    if (states_.empty()) {
      out += "  # The document lists no state that is known here. Theirs: ours.\n  states: {}\n";
      return out + "operations:\n";
    }
    out += "  # Theirs: ours. Do not fold what the specification tells apart.\n  states: {";
    for (const auto& [theirs, ours] : states_) {
      out += fmt::format("{}{}: {}", &theirs == &states_.front().first ? "" : ", ",
                         yaml_text(theirs), ours);
    }
    out += "}\n";
    if (!extra_.empty()) {
      out += fmt::format("  # Words of theirs that are none of ours: {}\n",
                         comment(fmt::format("{}", fmt::join(extra_, ", "))));
    }
    if (!missing_.empty()) {
      out += fmt::format("  missing_states: [{}]  # No word of theirs looks like these.\n",
                         fmt::join(missing_, ", "));
    }
    return out + "operations:\n";
  }

  /// A path with our parameter in the place of its last name, if the operation has a subject.
  [[nodiscard]] std::string path_of(const OperationShape& shape, const ApiCall& call) const {
    std::string path = call.path;
    const Names names = path_parameters(call.path);
    for (std::size_t index = 0; index < names.size(); ++index) {
      const bool is_last = index + 1 == names.size();
      std::string with = fmt::format("{}_{}", to_edit, plain_name(names[index]));
      if (is_last && !shape.subject.empty()) with = fmt::format("${{{}}}", shape.subject);
      if (is_last && shape.name == "workflow.by_state") with = "${state}";
      if (is_last && shape.name == "jobs.push") with = "${job_id}";
      const std::string braces = "{" + names[index] + "}";
      path.replace(path.find(braces), braces.size(), with);
    }
    return path;
  }

  /// The parameter of ours that a field of a request looks like, as a placeholder.
  [[nodiscard]] std::optional<std::string> placeholder(const OperationShape& shape,
                                                       const ApiField& field) const {
    const auto written = [this](std::string_view ours, std::string_view mark) {
      const bool is_spelled = is_state_member(ours) && !states_.empty();
      return fmt::format("\"${{{}{}{}}}\"", ours, mark, is_spelled ? "|target_state" : "");
    };
    for (const std::string_view ours : shape.required) {
      if (is_called(field.name, ours)) return written(ours, "");
    }
    for (const std::string_view ours : shape.optional) {
      if (!is_called(field.name, ours)) continue;
      // A diagnostic is an object.
      if (ours == "diagnostic" && field.type == "string") return "\"${diagnostic.message?}\"";
      return written(ours, "?");
    }
    return std::nullopt;
  }

  /// What stands for a state that is an object: {"type": "${to|target_state}"}.
  [[nodiscard]] std::optional<std::string> state_object(const OperationShape& shape,
                                                        const ApiField& field,
                                                        const ApiCall& call) const {
    if (field.type != "object" || !is_called(field.name, "to")) return std::nullopt;
    if (std::find(shape.required.begin(), shape.required.end(), "to") == shape.required.end()) {
      return std::nullopt;
    }
    const std::vector<const ApiField*> inner = fields_below(call.body, field.pointer);
    const auto is_word = [this](const ApiField* each) {
      return each->type != "object" && (plain_name(each->name) == "type" ||
                                        is_called(each->name, "to") || each->words == words_);
    };
    const auto word = std::find_if(inner.begin(), inner.end(), is_word);
    if (word == inner.end()) return std::nullopt;
    std::string members = fmt::format("{}: \"${{to{}}}\"", yaml_text((*word)->name),
                                      states_.empty() ? "" : "|target_state");
    for (const ApiField* each : inner) {
      if (each == *word) continue;
      std::optional<std::string> value = placeholder(shape, *each);
      if (!value && !each->is_required) continue;
      members += fmt::format(", {}: {}", yaml_text(each->name), value ? *value : filler(*each));
    }
    return fmt::format("{{{}}}", members);
  }

  [[nodiscard]] std::string body_of(const OperationShape& shape, const ApiCall& call) const {
    if (call.method == "GET" || call.method == "DELETE" || shape.listing) return "";
    std::string members;
    bool is_event = false;
    for (const ApiField& field : call.body) {
      if (std::count(field.pointer.begin(), field.pointer.end(), '/') != 1) continue;
      is_event = is_event || plain_name(field.name) == "eventtype";
      std::optional<std::string> value = state_object(shape, field, call);
      if (!value) value = placeholder(shape, field);
      if (!value && !field.is_required) continue;
      if (!value) value = filler(field);
      members +=
          fmt::format("{}{}: {}", members.empty() ? "" : ", ", yaml_text(field.name), *value);
    }
    if (shape.name == "events.post" && is_event) return "    body: \"${event}\"\n";
    if (members.empty() && call.body.empty()) return "";
    return fmt::format("    body: {{{}}}\n", members);
  }

  /// Query and paging of a listing, and what the document says of neither.
  [[nodiscard]] std::string query_of(const OperationShape& shape, const ApiCall& call,
                                     const wire::ApiList* list) const {
    std::string members;
    std::string paging;
    std::string narrow;
    const auto add = [&members](std::string_view name, const std::string& text) {
      members += fmt::format("{}{}: {}", members.empty() ? "" : ", ", yaml_text(name), text);
    };
    const ApiField* after = nullptr;
    const ApiField* limit = nullptr;
    std::set<std::string_view> asked;
    // A search that is posted has them in its body.
    const bool is_posted = shape.listing && call.method != "GET" && !call.body.empty();
    const std::vector<const ApiField*> fields =
        is_posted ? fields_below(call.body, "") : fields_below(call.query, "");
    for (const ApiField* each : fields) {
      const ApiField& field = *each;
      if (is_called(field.name, "after")) after = &field;
      if (is_called(field.name, "limit")) limit = &field;
      if (is_called(field.name, "after") || is_called(field.name, "limit")) continue;
      for (const std::string_view ours : shape.optional) {
        if (!is_called(field.name, ours)) continue;
        const bool is_spelled = is_state_member(ours) && !states_.empty();
        asked.insert(ours);
        add(field.name, fmt::format("\"${{{}?{}}}\"", ours, is_spelled ? "|target_state" : ""));
      }
      if (field.is_required && !placeholder(shape, field)) add(field.name, filler(field));
    }
    const std::string by = after ? plain_name(after->name) : "";
    const bool counts = by == "offset" || by == "start" || by == "page";
    if (shape.listing && counts && list != nullptr) {
      paging = fmt::format("    paging: {{by: {}, items: {}, size: {}}}\n",
                           by == "page" ? "page" : "offset", yaml_text(list->pointer), full_page);
      const std::string size = std::to_string(full_page);
      if (limit != nullptr) add(limit->name, is_posted ? size : yaml_text(size));
    } else if (limit != nullptr) {
      add(limit->name, "\"${limit?}\"");
    }
    if (after != nullptr) add(after->name, "\"${after?}\"");
    for (const std::string_view ours : shape.optional) {
      const bool is_filter = ours == "state" || ours == "status";
      if (!shape.listing || !is_filter || asked.contains(ours)) continue;
      narrow = fmt::format("    narrow: {{{}: /{}}}  # No parameter filters by it.\n", ours, ours);
    }
    const std::string_view key = is_posted ? "body" : "query";
    return (members.empty() && !is_posted ? "" : fmt::format("    {}: {{{}}}\n", key, members)) +
           paging + narrow;
  }

  /// One member of an object mapping.
  [[nodiscard]] std::string member_of(std::string_view ours, const ApiField& field) const {
    const bool is_spelled = is_state_member(ours) && !states_.empty();
    if (is_spelled)
      return fmt::format("{{pointer: {}, spelling: states}}", yaml_text(field.pointer));
    if (is_id(ours) && field.type == "integer") {
      return fmt::format("{{pointer: {}, as_text: true}}", yaml_text(field.pointer));
    }
    return yaml_text(field.pointer);
  }

  /// The members of `fields` that are ours; those that are not there go to `unobserved`.
  [[nodiscard]] std::string members_of(const OperationShape& shape,
                                       const std::vector<ApiField>& fields,
                                       const std::string& indent, Names& unobserved) const {
    std::string out;
    for (const std::string_view ours : shape.fields) {
      const ApiField* field = find_field(fields, ours, words_);
      if (field == nullptr) {
        unobserved.emplace_back(ours);
        continue;
      }
      out += fmt::format("{}{}: {}\n", indent, ours, member_of(ours, *field));
    }
    return out;
  }

  /// The list of an answer that has most of what we read of its elements.
  [[nodiscard]] static const wire::ApiList* best_list(const OperationShape& shape,
                                                      const ApiCall& call) {
    const wire::ApiList* best = nullptr;
    std::size_t most = 0;
    for (const wire::ApiList& list : call.lists) {
      std::size_t count = 0;
      for (const std::string_view ours : shape.fields) {
        if (find_field(list.fields, ours) != nullptr) ++count;
      }
      if (count > most) {
        most = count;
        best = &list;
      }
    }
    return best;
  }

  /// `read`, or nothing where the answer lacks what the harness cannot do without.
  [[nodiscard]] std::optional<std::string> read_of(const OperationShape& shape, const ApiCall& call,
                                                   const wire::ApiList* list) const {
    Names unobserved;
    std::string out;
    if (shape.listing) {
      if (list == nullptr) return std::nullopt;
      const ApiField* next = find_field(call.answer, "next");
      out = fmt::format(
          "    read:\n      object:\n        items:\n          items: {}\n"
          "          each:\n            object:\n",
          yaml_text(list->pointer));
      out += members_of(shape, list->fields, "              ", unobserved);
      out += fmt::format("        next: {}\n", next ? yaml_text(next->pointer)
                                                    : "{constant: null}  # The list is whole.");
    } else if (!shape.fields.empty()) {
      const std::string members = members_of(shape, call.answer, "        ", unobserved);
      const bool lacks_id = !shape.makes.empty() && find_field(call.answer, shape.makes) == nullptr;
      if (members.empty() || lacks_id) return std::nullopt;
      out = "    read:\n      object:\n" + members;
    }
    if (!unobserved.empty()) {
      out += fmt::format("    unobserved: [{}]  # Not in the document's answer.\n",
                         fmt::join(unobserved, ", "));
    }
    return out;
  }

  [[nodiscard]] static std::string statuses_of(const ApiCall& call) {
    std::string out;
    for (const int status : call.statuses) {
      const bool is_usual = status == 200 || status == 201 || status == 202 || status == 204;
      if (status > 299 || status < 200 || is_usual) continue;
      out += fmt::format("    accepted: [200, 201, 202, 204, {}]\n", status);
      break;
    }
    const bool says_400 =
        std::find(call.statuses.begin(), call.statuses.end(), 400) != call.statuses.end();
    if (says_400) out += "    refused: [400, 409, 422]\n";
    return out;
  }

  /// An operation's entry, or nothing, said in a comment, where its answer is of no use.
  [[nodiscard]] std::optional<std::string> operation(const OperationShape& shape,
                                                     const ApiCall& call) {
    const wire::ApiList* list = shape.listing ? best_list(shape, call) : nullptr;
    const std::optional<std::string> read = read_of(shape, call, list);
    if (!read) {
      useless_.push_back(fmt::format("{} {}: looks like {}, and its answer does not show {}",
                                     call.method, call.path, shape.name,
                                     shape.listing         ? std::string("a list of them")
                                     : shape.makes.empty() ? std::string("anything that is read")
                                                           : std::string(shape.makes)));
      return std::nullopt;
    }
    used_.insert(&call);
    return fmt::format("  {}:  # guess: {} {}\n    request: {} {}\n", shape.name, call.method,
                       comment(call.path), call.method, path_of(shape, call)) +
           query_of(shape, call, list) + body_of(shape, call) + statuses_of(call) +
           outcomes_of(call) + *read;
  }

  /// How an answer turns a request down whose HTTP status does not.
  [[nodiscard]] std::string outcomes_of(const ApiCall& call) const {
    const Refusals refusals = refusals_in(call, words_);
    if (call.method == "GET" || refusals.field == nullptr) return "";
    std::string rules;
    for (const std::string& word : refusals.words) {
      rules += fmt::format("{}{{at: {}, is: {}, means: refused}}", rules.empty() ? "" : ", ",
                           yaml_text(refusals.field->pointer), yaml_text(word));
    }
    return fmt::format("    # {} is one of: {}\n    outcomes: [{}]\n",
                       comment(refusals.field->name),
                       comment(fmt::format("{}", fmt::join(refusals.field->words, ", "))), rules);
  }

  /// What has to be made before the first case, as a comment: an id that a request needs and that
  /// is of something else.
  [[nodiscard]] std::string setup_hint() const {
    std::string out;
    std::set<std::string> told;
    for (const MatchedCall& each : matched_) {
      const OperationShape& shape = *core::operation_shape(each.operation);
      if (shape.makes.empty() || !used_.contains(each.call)) continue;
      for (const ApiField* field : fields_below(each.call->body, "")) {
        if (!field->is_required || placeholder(shape, *field)) continue;
        const wire::ApiCall* maker = maker_of(field->name, document_);
        if (maker == nullptr || has_template(field->name) || !told.insert(field->name).second) {
          continue;
        }
        const ApiField* id = find_field(maker->answer, "run_id");
        out += fmt::format(
            "# {} needs a {}. To make one before the first case, and write \"${{setup.{}}}\" "
            "there:\n"
            "# setup:\n#   - request: POST {}\n#     body: {{{}}}\n#     capture: {{{}: {}}}\n",
            each.operation, comment(field->name), comment(field->name), comment(maker->path),
            comment(required_members(*maker)), comment(field->name),
            comment(id == nullptr ? std::string(to_edit) : id->pointer));
      }
    }
    return out;
  }

  [[nodiscard]] std::string unmatched() const {
    std::string out;
    for (const std::string& each : useless_) out += fmt::format("# {}\n", comment(each));
    std::size_t count = 0;
    for (const ApiCall& call : document_.calls) {
      if (used_.contains(&call)) continue;
      if (count++ == 0) out += "# Not used:\n";
      if (count > most_listed) continue;
      out += fmt::format("#   {} {}\n", call.method, comment(call.path));
    }
    if (count > most_listed) out += fmt::format("#   and {} more\n", count - most_listed);
    return out;
  }

  const ApiDocument& document_;
  Surface surface_;
  std::string_view source_;
  std::vector<MatchedCall> matched_;
  Names words_;
  /// Theirs and ours.
  std::vector<std::pair<std::string, std::string_view>> states_;
  Names extra_;
  Names missing_;
  Names useless_;
  std::set<const ApiCall*> used_;
};

}  // namespace

std::string draft_profile(const ApiDocument& document, Surface surface, std::string_view source) {
  return Draft(document, surface, source).text();
}

std::string_view skeleton(Surface surface) {
  for (const embed::File& file : embed::skeletons()) {
    if (file.path == fmt::format("{}.yaml", surface_words[surface])) return file.content;
  }
  return "";
}

}  // namespace assay::cli
