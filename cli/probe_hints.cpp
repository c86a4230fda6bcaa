#include "cli/probe_hints.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <utility>

#include "base/visible.h"
#include "base/words.h"
#include "cli/openapi_match.h"
#include "harness/core/clause_table.h"
#include "harness/core/operation_shape.h"
#include "harness/core/state_words.h"
#include "harness/wire/json.h"

namespace assay::cli {
namespace {

using core::Mapping;
using Names = std::vector<std::string>;

constexpr int most_answer_levels = 4;
constexpr std::size_t most_pointers = 300;
constexpr std::size_t shown_word_bytes = 60;

/// Each value of an answer that is no object or list, by its pointer.
void collect(const Value& value, const std::string& pointer, int level, Names& into) {
  if (into.size() > most_pointers || level > most_answer_levels) return;
  if (!value.is_object()) {
    if (!value.is_list()) into.push_back(pointer);
    return;
  }
  for (const auto& [name, member] : value.as_object()) {
    collect(member, pointer + "/" + escape_pointer_token(name), level + 1, into);
  }
}

/// Whether something in that state has come to its end, or can do no more than be acknowledged.
bool has_ended(std::string_view state) {
  constexpr std::array words = {
      "COMPLETED",     "FAILED",          "CANCELLED",         "FAILED_SAFE", "FAILED_UNSAFE",
      "COMPLETED_ACK", "FAILED_SAFE_ACK", "FAILED_UNSAFE_ACK", "success",     "failed",
      "denied",        "timeout",         "canceled"};
  return std::find(words.begin(), words.end(), state) != words.end();
}

/// Members that a target need not show of what has not ended.
bool comes_with_the_end(std::string_view member) {
  constexpr std::array members = {"ended_at",   "terminal_event", "outcome",   "reason",
                                  "error_code", "retryable",      "diagnostic"};
  return std::find(members.begin(), members.end(), member) != members.end();
}

class MappingReader {
 public:
  MappingReader(const core::Profile& profile, const std::string& operation)
      : profile_(profile), operation_(operation) {}

  void read(const Mapping& mapping, const Value& body) {
    std::visit(
        [&](const auto& from) {
          if constexpr (requires { from.of; }) {
            // What another request captured is not in this answer.
            if (from.of.empty()) read_from(from, body);
          }
        },
        mapping.from);
  }

  [[nodiscard]] Reading take() {
    Names later;
    if (!has_ended_) {
      const auto from = std::stable_partition(absent_.begin(), absent_.end(), [](const auto& name) {
        return !comes_with_the_end(name);
      });
      later.assign(from, absent_.end());
      absent_.erase(from, absent_.end());
    }
    const auto hint = [this](std::string_view where, const Names& names) {
      if (names.empty()) return;
      reading_.hints.push_back(
          fmt::format("{}, write: unobserved: [{}]", where, fmt::join(names, ", ")));
    };
    hint("where the target does not show them", absent_);
    hint("this one has not ended; where one that has shows them neither", later);
    return std::move(reading_);
  }

 private:
  void read_from(const core::PointerMapping& /*from*/, const Value& /*body*/) {}
  void read_from(const core::CasesMapping& /*from*/, const Value& /*body*/) {}

  void read_from(const core::PartsMapping& from, const Value& body) {
    if (from.how != core::PartsMapping::How::merged) return;
    for (const Mapping& part : from.parts) read(part, body);
  }

  void read_from(const core::ObjectMapping& from, const Value& body) {
    const Value* base = body.at_pointer(from.pointer);
    if (base == nullptr) {
      reading_.hints.push_back(
          fmt::format("nothing at {}, of which the members are read", from.pointer));
      return;
    }
    for (const auto& [name, member] : from.members) read_member(name, member, *base);
  }

  void read_from(const core::ItemsMapping& from, const Value& body) {
    const Value* base = body.at_pointer(from.pointer);
    if (from.of_entries) {
      read_entries(from, base);
    } else if (base == nullptr || !base->is_list()) {
      reading_.hints.push_back(fmt::format("no list at \"{}\"", from.pointer));
    } else if (from.each && !base->as_list().empty()) {
      read(*from.each, base->as_list().front());
    }
  }

  void read_entries(const core::ItemsMapping& mapping, const Value* base) {
    if (base == nullptr || !base->is_object()) {
      reading_.hints.push_back(fmt::format("no object at \"{}\"", mapping.pointer));
    } else if (mapping.each && !base->as_object().empty()) {
      const auto& [key, value] = *base->as_object().begin();
      read(*mapping.each, Object{{"key", key}, {"value", value}});
    }
  }

  void read_member(const std::string& name, const Mapping& mapping, const Value& base) {
    const auto* from = std::get_if<core::PointerMapping>(&mapping.from);
    if (from == nullptr) {
      read(mapping, base);
      return;
    }
    const core::PointerMapping& member = *from;
    if (!member.of.empty()) {
      reading_.found.push_back(fmt::format("{} {}{}", name, member.of, member.pointer));
      return;
    }
    const Value* found = base.at_pointer(member.pointer);
    if (found == nullptr) {
      miss(name, member, base);
      return;
    }
    reading_.found.push_back(fmt::format("{} {}", name, member.pointer));
    const bool is_state = name == "state" || name == "status";
    if (!is_state || !found->is_string()) return;
    const std::string& word = found->as_string();
    reading_.words.insert(word);
    const auto& spelling = member.conversion.spelling;
    const auto spelled = spelling.find(word);
    const std::string& ours = spelled == spelling.end() ? word : spelled->second;
    has_ended_ = has_ended(ours);
    if (core::is_state_word(ours)) return;
    reading_.hints.push_back(fmt::format(
        "{} \"{}\" is not a known state; in vocabulary.states write: {}: {}{}", name,
        visible(word, shown_word_bytes), visible(word, shown_word_bytes), likely_state(word),
        spelling.empty() ? ", and with this pointer: spelling: states" : ""));
  }

  [[nodiscard]] std::string likely_state(const std::string& word) const {
    const Names known = core::state_words_of(operation_);
    for (const std::string& ours : known) {
      if (plain_name(ours) == plain_name(word)) return ours;
    }
    return fmt::format("… (one of {})", fmt::join(known, ", "));
  }

  void miss(const std::string& name, const core::PointerMapping& member, const Value& base) {
    const auto form = profile_.operations.find(operation_);
    if (form != profile_.operations.end() && form->second.unobserved.contains(name)) return;
    Names pointers;
    collect(base, "", 0, pointers);
    const std::string last = member.pointer.substr(member.pointer.rfind('/') + 1);
    std::optional<std::string> nearest;
    for (const std::string& pointer : pointers) {
      const std::string end = pointer.substr(pointer.rfind('/') + 1);
      if (!nearest && (is_called(end, name) || plain_name(end) == plain_name(last))) {
        nearest = pointer;
      }
    }
    if (!nearest) nearest = nearest_name(member.pointer, pointers);
    reading_.hints.push_back(fmt::format(
        "{}: nothing at {}{}", name, member.pointer,
        nearest ? fmt::format("; is it {}?", visible(*nearest, shown_word_bytes)) : ""));
    if (!nearest) absent_.push_back(name);
  }

  const core::Profile& profile_;
  const std::string& operation_;
  Reading reading_;
  Names absent_;
  /// Of what the answer shows.
  bool has_ended_ = false;
};

}  // namespace

namespace {

constexpr std::size_t most_complaints = 3;
constexpr std::size_t shown_complaint_bytes = 120;
constexpr int most_complaint_levels = 6;

/// The first of these members that is text.
std::optional<std::string> text_member(const Value& value,
                                       std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (auto text = value.string_at(name)) return text;
  }
  return std::nullopt;
}

/// "body/state" of {"loc": ["body", "state"]}, or of a member that names the place as text.
/// The path beside an error of the whole answer is mostly that of the request.
std::optional<std::string> place_of(const Value& complaint, bool is_whole_answer) {
  const Value* path = complaint.find("loc");
  if (path == nullptr || !path->is_list()) {
    auto place = text_member(complaint, {"loc", "instancePath", "pointer", "field"});
    if (place || is_whole_answer) return place;
    return text_member(complaint, {"property", "path"});
  }
  Names parts;
  for (const Value& part : path->as_list()) {
    parts.push_back(part.is_string() ? part.as_string() : wire::to_json(part));
  }
  return fmt::format("{}", fmt::join(parts, "/"));
}

/// What a check of a schema complains of: places in the request, each with what is wrong there.
void collect_complaints(const Value& value, int level, Names& into) {
  if (level > most_complaint_levels || into.size() == most_complaints) return;
  if (value.is_list()) {
    for (const Value& item : value.as_list()) collect_complaints(item, level + 1, into);
  }
  if (!value.is_object()) return;
  const auto place = place_of(value, level == 0);
  const auto text = text_member(value, {"msg", "message", "description", "detail", "error"});
  if (place && text) {
    into.push_back(visible(fmt::format("{}: {}", *place, *text), shown_complaint_bytes));
    return;
  }
  for (const auto& [name, member] : value.as_object()) {
    collect_complaints(member, level + 1, into);
  }
}

/// Whether what the probe asks by it is legal whatever the target's state.
bool is_always_legal(std::string_view operation) {
  constexpr std::array makers = {"executions.start", "events.post",          "events.post_batch",
                                 "blocks.register",  "definitions.register", "workflow.start",
                                 "runs.create",      "runs.transition",      "jobs.poll"};
  return core::only_reads(operation) ||
         std::find(makers.begin(), makers.end(), operation) != makers.end();
}

}  // namespace

std::string malformed_request(const std::string& operation, const core::Answer& answer) {
  const bool says_malformed = answer.status == 400 || answer.status == 415 || answer.status == 422;
  if (!says_malformed || core::is_taken(answer.acceptance)) return "";
  Names complaints;
  collect_complaints(answer.body, 0, complaints);
  if (complaints.empty() && !is_always_legal(operation)) return "";
  return fmt::format(
      "the target refuses this request as malformed{}{}; in operations.{} write path, query and "
      "body as the target asks for them",
      complaints.empty() ? "" : ": ", fmt::join(complaints, "; "), operation);
}

Reading reading_of(const core::Profile& profile, const std::string& operation,
                   const core::Answer& answer) {
  MappingReader reader(profile, operation);
  const auto form = profile.operations.find(operation);
  if (form != profile.operations.end() && form->second.read && core::is_taken(answer.acceptance)) {
    reader.read(*form->second.read, answer.body);
  }
  Reading reading = reader.take();
  if (answer.acceptance == core::Acceptance::unexpected && answer.status != 0 &&
      answer.trouble.starts_with("the profile does not say what status")) {
    reading.hints.push_back(fmt::format("in operations.{} write what {} means: {}: [{}]", operation,
                                        answer.status,
                                        answer.status < 300    ? "accepted"
                                        : answer.status == 404 ? "unknown"
                                                               : "refused",
                                        answer.status));
  }
  return reading;
}

}  // namespace assay::cli
