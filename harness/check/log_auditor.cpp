#include "harness/check/log_auditor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/short_text.h"
#include "harness/check/instant.h"
#include "harness/check/text.h"
#include "reference_impl/model/events/taxonomy.h"

namespace assay::check {
namespace {

constexpr std::size_t subject_bytes = 160;

enum class Plane : std::uint8_t { either, server, worker };

/// Specification 001 3 and 5: what only the server emits, and what only workers do.
constexpr EventNameTable<Plane> make_planes() {
  using enum EventName;
  EventNameTable<Plane> planes;
  for (const EventName name :
       {playbook_execution_requested, playbook_request_evaluated, playbook_started, playbook_paused,
        playbook_finished, playbook_processed, workflow_started, workflow_finished, step_scheduled,
        policy_admit_evaluated, next_evaluated}) {
    planes[name] = Plane::server;
  }
  for (const EventName name :
       {step_started, step_done, step_failed, task_started, task_attempt_started, task_attempt_done,
        task_attempt_failed, task_done, task_failed, policy_task_evaluated, loop_iteration_started,
        loop_iteration_done, loop_iteration_failed}) {
    planes[name] = Plane::worker;
  }
  return planes;
}

constexpr EventNameTable<Plane> planes = make_planes();

/// The rule of the taxonomy's section for an event type of that plane.
LogRule emitter_rule(std::string_view type) {
  const std::string_view entity = type.substr(0, type.find('.'));
  if (entity == "playbook") return LogRule::emitter_playbook;
  if (entity == "workflow") return LogRule::emitter_workflow;
  if (entity == "step") return LogRule::emitter_step;
  if (entity == "task") return LogRule::emitter_task;
  return entity == "loop" ? LogRule::emitter_loop : LogRule::emitter_policy;
}

/// Specification 001 1.1: segments of a-z, 0-9 and _, each begun by a letter.
bool is_segment(std::string_view segment) {
  const auto is_letter = [](char byte) { return byte >= 'a' && byte <= 'z'; };
  return !segment.empty() && is_letter(segment.front()) &&
         std::all_of(segment.begin(), segment.end(), [is_letter](char byte) {
           return is_letter(byte) || (byte >= '0' && byte <= '9') || byte == '_';
         });
}

bool is_standard_name(std::string_view name) {
  std::size_t segments = 0;
  while (true) {
    const std::size_t dot = name.find('.');
    if (!is_segment(name.substr(0, dot))) return false;
    ++segments;
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  return segments == 2 || segments == 3;
}

bool has_upper_case(std::string_view name) {
  return std::any_of(name.begin(), name.end(),
                     [](char byte) { return byte >= 'A' && byte <= 'Z'; });
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [word](std::string_view each) { return is_same_text(each, word); });
}

/// Whether a text is "12:34:56Z" or "12:34:56.789Z", with at least one digit behind the point.
bool is_utc_clock(std::string_view text) {
  constexpr std::string_view shape = "00:00:00";
  if (text.size() <= shape.size() || text.back() != 'Z') return false;
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  const auto is_below_sixty = [&](std::size_t at) {
    return text[at] >= '0' && text[at] <= '5' && is_digit(text[at + 1]);
  };
  const bool is_hour = (text[0] == '2' && text[1] >= '0' && text[1] <= '3') ||
                       ((text[0] == '0' || text[0] == '1') && is_digit(text[1]));
  if (!is_hour || text[2] != ':' || !is_below_sixty(3) || text[5] != ':' || !is_below_sixty(6)) {
    return false;
  }
  const std::string_view rest = text.substr(shape.size(), text.size() - shape.size() - 1);
  return rest.empty() || (rest.size() > 1 && rest.front() == '.' &&
                          std::all_of(rest.begin() + 1, rest.end(), is_digit));
}

/// The words of specification 001 2 as written; those of 000 for steps and commands in any case.
bool is_status(std::string_view word) {
  constexpr std::array<std::string_view, 5> event_words = {"in_progress", "success", "error",
                                                           "skipped", "paused"};
  constexpr std::array<std::string_view, 8> layer_words = {"pending", "running",      "completed",
                                                           "failed",  "case_handled", "issued",
                                                           "claimed", "cancelled"};
  if (is_one_of(word, event_words)) return true;
  std::string lowered(word.substr(0, std::size_t{16}));
  for (char& letter : lowered) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return word.size() <= lowered.size() && is_one_of(lowered, layer_words);
}

std::string subject_of(const LogEvent& event, std::size_t index) {
  const std::string type(event.string(EventField::event_type).value_or("no event_type"));
  auto subject = event.string(EventField::entity_id);
  if (!subject) subject = event.string(EventField::node_name);
  if (!subject) return fmt::format("event {} ({})", index + 1, cut_text(type, subject_bytes));
  return fmt::format("event {} ({} of {})", index + 1, cut_text(type, subject_bytes),
                     cut_text(std::string(*subject), subject_bytes));
}

/// Specification 001 4: the rule of a legacy name's row; nothing for a current name.
std::optional<LogRule> legacy_rule(std::string_view type) {
  if (type == "tool.started" || type == "tool.processed") return LogRule::legacy_tool;
  if (type == "retry.started" || type == "retry.processed") return LogRule::legacy_retry;
  if (type.starts_with("sink.")) return LogRule::legacy_sink;
  if (type.starts_with("case.")) return LogRule::legacy_case;
  return std::nullopt;
}

}  // namespace

void LogAuditor::add(const LogEvent& event) {
  event_ = &event;
  const std::string_view type = event.string(EventField::event_type).value_or("");
  name_ = event_name_of(type);
  check_identity();
  check_type();
  check_words();
  check_sequence();
  if (index_ == 0) note_beginning();
  if (premises_.scope != LogScope::replay) check_order(type);
  ++index_;
}

void LogAuditor::report(LogRule rule, std::string_view message) {
  report_at(index_, subject_of(*event_, index_), rule, message);
}

void LogAuditor::report_at(std::size_t index, const std::string& subject, LogRule rule,
                           std::string_view message) {
  violations_.push_back({.clause = std::string(text_of(rule).clause),
                         .message = fmt::format("{} {}", subject, message),
                         .index = index,
                         .rule = rule,
                         .what = std::string(message)});
}

void LogAuditor::check_identity() {
  const auto id = event_->string(EventField::event_id);
  ++tally_[LogRule::event_id];
  if (!id || id->empty()) {
    report(LogRule::event_id, "has no event_id");
  } else {
    if (!ids_.empty()) ++tally_[LogRule::event_id_once];
    const std::size_t first = ids_.first_index(*id, index_);
    if (first != index_) {
      report(LogRule::event_id_once, fmt::format("has the event_id of event {}", first + 1));
    }
  }
  const auto execution = event_->string(EventField::execution_id);
  ++tally_[LogRule::execution_id];
  if (!execution) {
    report(LogRule::execution_id, "has no execution_id");
  } else if (!execution_) {
    execution_ = execution;
  } else if (!is_same_text(*execution_, *execution)) {
    report(LogRule::execution_id, "belongs to another execution than the events before it");
  }
}

void LogAuditor::check_type() {
  const auto type = event_->string(EventField::event_type);
  ++tally_[LogRule::event_type];
  if (!type) return report(LogRule::event_type, "has no event_type");
  ++tally_[LogRule::name_lower];
  const bool is_known = name_ != EventName::other;
  if (!is_known && has_upper_case(*type))
    return report(LogRule::name_lower, "has upper case in its type");
  ++tally_[LogRule::name_shape];
  if (!is_known && !is_standard_name(*type))
    return report(LogRule::name_shape, "has no standard dot name");
  if (premises_.judges_all && !is_known) check_legacy(*type);
  if (premises_.scope != LogScope::replay) check_plane(*type);
}

void LogAuditor::check_plane(std::string_view type) {
  const auto source = event_->string(EventField::source);
  if (!source || (*source != "worker" && *source != "server")) return;
  const Plane plane = planes[name_];
  if (plane == Plane::either) return;
  const LogRule rule = emitter_rule(type);
  // Specification 001 3.5: loops from both; 5.2: iterations of workers only where they run bodies.
  if (rule == LogRule::emitter_loop && is_foreign()) return;
  ++tally_[rule];
  if ((plane == Plane::server) != (*source == "server"))
    report(rule, fmt::format("comes from the {}", *source));
}

void LogAuditor::check_legacy(std::string_view type) {
  const auto rule = legacy_rule(type);
  if (!rule) return;
  ++tally_[*rule];
  report(*rule, "has a legacy name");
}

void LogAuditor::check_words() {
  static constexpr std::array<std::string_view, 2> sources = {"server", "worker"};
  static constexpr std::array<std::string_view, 8> entity_types = {
      "playbook", "workflow", "step", "task", "loop", "next", "policy", "result"};
  check_word(EventField::source, sources, LogRule::source);
  check_word(EventField::entity_type, entity_types, LogRule::entity_type);
  check_whole_number(EventField::attempt, 1, LogRule::attempt);
  check_whole_number(EventField::iteration, 0, LogRule::iteration);
  check_whole_number(EventField::duration_ms, 0, LogRule::duration);
  ++tally_[LogRule::timestamp];
  if (!is_utc_time()) report(LogRule::timestamp, "has no RFC 3339 timestamp in UTC");
  if (!premises_.judges_all) return;
  if (event_->has(EventField::status)) {
    ++tally_[LogRule::status];
    const auto word = event_->string(EventField::status);
    if (!word || !is_status(*word)) {
      report(LogRule::status, fmt::format("has status {}", event_->shown(EventField::status)));
    }
  }
  const auto type = event_->string(EventField::event_type);
  if (!event_->has(EventField::event_alias) || !type || !events::is_event_name(*type)) return;
  ++tally_[LogRule::alias];
  if (event_->string(EventField::event_alias) != events::alias_of(*type)) {
    report(LogRule::alias,
           fmt::format("has event_alias {}", event_->shown(EventField::event_alias)));
  }
}

/// A day that was found to be one is not looked up again: the events of an execution share few.
bool LogAuditor::is_utc_time() {
  constexpr std::size_t day_bytes = 11;
  const std::string_view text = event_->string(EventField::timestamp).value_or("");
  const std::string_view day = text.substr(0, day_bytes);
  if (!day.empty() && is_same_text(day, known_day_) && is_utc_clock(text.substr(day_bytes)))
    return true;
  const auto instant = parse_instant(text);
  if (!instant || !instant->utc) return false;
  known_day_ = day;
  return true;
}

void LogAuditor::check_word(EventField field, std::span<const std::string_view> words,
                            LogRule rule) {
  if (!event_->has(field)) return;
  ++tally_[rule];
  const auto word = event_->string(field);
  if (word && is_one_of(*word, words)) return;
  report(rule, fmt::format("has {} {}", event_field_names[field], event_->shown(field)));
}

void LogAuditor::check_whole_number(EventField field, std::int64_t least, LogRule rule) {
  if (!event_->has(field)) return;
  ++tally_[rule];
  const auto number = event_->integer(field);
  if (number && *number >= least) return;
  report(rule, fmt::format("has {} {}", event_field_names[field], event_->shown(field)));
}

/// The first gap is told, not every number behind it.
void LogAuditor::check_sequence() {
  if (!event_->has(EventField::seq)) {
    // Of a foreign log it is not known whether something is missing behind this.
    if (is_foreign()) last_seq_.reset();
    return;
  }
  const auto number = event_->integer(EventField::seq);
  const std::int64_t last = last_seq_.value_or(0);
  ++tally_[LogRule::seq_rises];
  if (!is_foreign()) ++tally_[LogRule::seq_whole];
  const bool begins = is_foreign() && !last_seq_;
  if (!number || (!begins && *number <= last)) {
    report(LogRule::seq_rises,
           fmt::format("has seq {} after {}", event_->shown(EventField::seq), last));
  } else if (*number != last + 1) {
    if (!is_foreign()) {
      report(LogRule::seq_whole, fmt::format("has seq {} after {}", *number, last));
    } else if (!begins) {
      has_gap_ = true;
    }
  }
  if (number) last_seq_ = begins ? *number : std::max(last, *number);
}

/// Specification 001 5.1 and specification 000: what stands first in the log of a whole execution.
void LogAuditor::note_beginning() {
  const auto seq = event_->integer(EventField::seq);
  begins_ = (seq && (*seq == 0 || *seq == 1)) || name_ == EventName::playbook_execution_requested ||
            name_ == EventName::playbook_initialized;
}

}  // namespace assay::check
