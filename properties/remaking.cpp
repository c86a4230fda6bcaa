#include "properties/remaking.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/check/cause.h"
#include "harness/core/operation_shape.h"
#include "harness/wire/json.h"

namespace assay::properties {
namespace {

using core::Pattern;
using How = Pattern::How;

/// The step at which a check stands, from 1: "family: what was done: what was looked at:STEP:1".
std::size_t step_number(std::string_view at) {
  const std::size_t last = at.rfind(':');
  if (last == std::string_view::npos || last == 0) return 0;
  const std::size_t before = at.rfind(':', last - 1);
  if (before == std::string_view::npos) return 0;
  std::size_t number = 0;
  std::from_chars(at.data() + before + 1, at.data() + last, number);
  return number;
}

/// "family: call.done in RUNNING" of a step's place.
std::string_view done_at(const core::Step& step) {
  const std::string_view place = step.at.file;
  return place.substr(0, place.rfind(": "));
}

/// The member that a failed look is about: the last name of "GET /x /items/3/state: …"; empty:
/// none.
std::string member_of(const std::string& expected) {
  const std::size_t slash = expected.find(" /");
  const std::size_t colon = slash == std::string::npos ? slash : expected.find(": ", slash);
  if (colon == std::string::npos) return "";
  std::string_view pointer = std::string_view(expected).substr(slash + 1, colon - slash - 1);
  while (!pointer.empty()) {
    const std::size_t cut = pointer.rfind('/');
    const std::string_view token = pointer.substr(cut + 1);
    if (token.find_first_not_of("0123456789") != std::string_view::npos) return std::string(token);
    pointer = pointer.substr(0, cut);
  }
  return "";
}

/// A text, a number, true, false or null that a message shows; nothing of what is more, or cut.
std::optional<Value> scalar_of(std::string_view text) {
  auto value = wire::parse_json(text);
  if (!value || value->is_object() || value->is_list()) return std::nullopt;
  return *std::move(value);
}

/// Whether a look may show things that are none of its step's subject.
bool shows_others(const core::Step& step) {
  const auto* expect = std::get_if<core::Expect>(&step.action);
  return expect != nullptr &&
         std::any_of(expect->reads.begin(), expect->reads.end(), [](const auto& read) {
           const core::OperationShape* shape = core::operation_shape(read.operation);
           return shape != nullptr && shape->subject.empty();
         });
}

/// Does nothing in the step's place, so that the steps behind it keep their numbers.
void do_nothing(core::Step& step) { step.action = core::Repeat{Value(0), {}}; }

template <typename Change>
void change_patterns(core::Step& step, const std::string& operation, const Change& change) {
  auto* expect = std::get_if<core::Expect>(&step.action);
  if (expect == nullptr) return;
  for (core::ReadExpectation& read : expect->reads) {
    auto* pattern = std::get_if<Pattern>(&read.shows);
    if (read.operation == operation && pattern != nullptr) change(*pattern);
  }
}

/// Takes a member out of a pattern, at whatever depth; false where it has none.
bool erase_member(Pattern& pattern, const std::string& member) {
  auto* object = std::get_if<core::ObjectPattern>(&pattern.form);
  bool is_erased = object != nullptr && object->members.erase(member) > 0;
  for_each_part(pattern, [&](Pattern& part) { is_erased |= erase_member(part, member); });
  return is_erased;
}

/// Lets a member also be `instead` where it is to be `due`. Whether it is.
bool allow_here(Pattern& member, const Value& due, const Value& instead) {
  const bool is_choice = member.is(How::one_of) && !member.elements().empty();
  const Value* first = (is_choice ? member.elements().front() : member).literal();
  if (first == nullptr || *first != due) return false;
  if (!is_choice) member = {core::ElementsPattern{How::one_of, {std::move(member)}}};
  std::get<core::ElementsPattern>(member.form)
      .elements.push_back({core::OperandPattern{Pattern::By::literal, instead}});
  return true;
}

/// The same at whatever depth; not where alternatives ask whether it is: what is judged only then
/// is not judged where it is not. Whether there is such a member.
bool allow(Pattern& pattern, const std::string& member, const Value& due, const Value& instead) {
  if (pattern.is(How::one_of) || pattern.is(How::none_of)) return false;
  bool is_allowed = false;
  for_each_part(pattern, [&](Pattern& part) { is_allowed |= allow(part, member, due, instead); });
  auto* object = std::get_if<core::ObjectPattern>(&pattern.form);
  if (object == nullptr) return is_allowed;
  const auto found = object->members.find(member);
  if (found != object->members.end()) is_allowed |= allow_here(found->second, due, instead);
  return is_allowed;
}

/// Whether the sound server refuses the request of a step.
bool is_refused(const core::Step& step) {
  return step.response && step.response->acceptances.size() == 1 &&
         step.response->acceptances.front() == core::Acceptance::refused;
}

/// Whether what an operation of a client comes to depends on the state of its subject: each move of
/// a run (004, Transitions), and what is refused.
bool depends_on_state(const core::Step& step) {
  const auto* operate = std::get_if<core::Operate>(&step.action);
  return operate != nullptr && (is_refused(step) || operate->operation.name.starts_with("runs."));
}

/// The subjects that may be in another state than is due, as the steps come.
class Estranged {
 public:
  /// Where a subject may be in another state than is due, the answer to what depends on its state
  /// proves nothing, and neither does what is shown of the subject behind it. An event is taken in
  /// any state.
  void pass(core::Step& step, bool may_differ) {
    const bool is_look = std::holds_alternative<core::Expect>(step.action);
    if (is_look && may_differ) differing_.insert(step.on);
    if (depends_on_state(step) && differing_.contains(step.on)) {
      unknown_.insert(step.on);
      if (!step.as.empty()) unknown_.insert(step.as);
    }
    const bool is_unknown = unknown_.contains(step.on) || (!unknown_.empty() && shows_others(step));
    if (!is_unknown) return;
    if (is_look) return do_nothing(step);
    step.response.emplace();
    step.clauses.clear();
  }

 private:
  std::set<std::string, std::less<>> differing_;
  std::set<std::string, std::less<>> unknown_;
};

}  // namespace

Remaking::Remaking(const core::Profile& reference, const core::Profile& target,
                   const Family& family, Draft draft, std::string case_id)
    : recorder_(reference, target),
      family_(family),
      whole_(std::move(draft)),
      draft_(whole_),
      case_id_(std::move(case_id)) {
  (void)record();
}

std::optional<core::Case> Remaking::after(const core::CaseResult& result) {
  // What clients did at the same moment is judged together: none of their moves is what failed.
  if (family_.clients != nullptr) return std::nullopt;
  const core::Check* failed = check::deciding_check(result);
  if (failed == nullptr) return std::nullopt;
  if (failed->verdict != core::Verdict::fail) return whole_with_what_is_known();
  const std::size_t number = step_number(failed->at);
  if (number == 0 || number > recording_.scenario.steps.size()) return std::nullopt;
  const std::size_t was_known = known_.size();
  note(*failed, recording_.scenario.steps[number - 1]);
  if (is_whole_) return known_.size() > was_known ? record() : std::nullopt;
  if (leave_out(*failed, number)) {
    if (auto rest = record()) return rest;
  }
  return whole_with_what_is_known();
}

/// Keeps what came instead of what was due.
void Remaking::note(const core::Check& failed, const core::Step& step) {
  const auto* expect = std::get_if<core::Expect>(&step.action);
  const std::string member = member_of(failed.expected);
  if (expect == nullptr || expect->reads.empty() || member.empty()) return;
  std::string due = failed.expected.substr(failed.expected.find(": ") + 2);
  // In the whole case what may be instead is told behind what is due.
  constexpr std::string_view choice = "!one_of [";
  if (due.starts_with(choice)) due = due.substr(choice.size(), due.find(',') - choice.size());
  const auto expected = scalar_of(due);
  const auto actual = scalar_of(failed.actual);
  if (!expected || !actual) return;
  const std::string& operation = expect->reads.front().operation;
  const bool is_known = std::any_of(known_.begin(), known_.end(), [&](const Known& each) {
    return each.operation == operation && each.member == member && each.due == *expected &&
           each.instead == *actual;
  });
  if (!is_known) known_.push_back({operation, member, *expected, *actual});
}

/// Leaves out the move after which it failed and all that did the same in the same state, or what
/// was looked at where there was no such move.
bool Remaking::leave_out(const core::Check& failed, std::size_t number) {
  const std::vector<core::Step>& steps = recording_.scenario.steps;
  const core::Step& step = steps[number - 1];
  const auto stands_before = [number](int line) {
    return static_cast<std::size_t>(line) <= number;
  };
  const bool has_move =
      std::any_of(recording_.lines.begin(), recording_.lines.end(), stands_before);
  if (!has_move || step.at.file.find(": the end") != std::string::npos) return hide(failed, step);
  const std::string done(done_at(step));
  std::vector<Move> left;
  for (std::size_t index = 0; index < recording_.lines.size(); ++index) {
    const auto line = static_cast<std::size_t>(recording_.lines[index]);
    if (done_at(steps[line - 1]) != done) left.push_back(draft_.moves[index]);
  }
  const bool is_less = left.size() < draft_.moves.size();
  draft_.moves = std::move(left);
  return is_less;
}

bool Remaking::hide(const core::Check& failed, core::Step step) {
  const auto* expect = std::get_if<core::Expect>(&step.action);
  if (expect == nullptr || expect->reads.empty()) return false;
  const std::string operation = expect->reads.front().operation;
  const std::string member = member_of(failed.expected);
  bool is_erased = false;
  change_patterns(step, operation, [&](Pattern& pattern) {
    is_erased = !member.empty() && erase_member(pattern, member);
  });
  if (is_erased) {
    hidden_.push_back({operation, member});
  } else {
    dropped_.push_back(step.at.file);
  }
  return true;
}

/// The case that is left, if anything is.
std::optional<core::Case> Remaking::record() {
  recording_ = recorder_.record(family_, draft_, case_id_);
  // From here on the draft has the moves that the recording has lines of.
  draft_ = recording_.draft;
  Estranged estranged;
  for (core::Step& step : recording_.scenario.steps) {
    for (const auto& [operation, member] : hidden_) {
      change_patterns(step, operation,
                      [&member](Pattern& pattern) { erase_member(pattern, member); });
    }
    bool may_differ = false;
    for (const Known& each : known_) {
      if (!is_whole_) break;
      change_patterns(step, each.operation, [&each, &may_differ](Pattern& pattern) {
        may_differ |= allow(pattern, each.member, each.due, each.instead);
      });
    }
    estranged.pass(step, may_differ);
    const bool is_dropped =
        std::find(dropped_.begin(), dropped_.end(), step.at.file) != dropped_.end();
    if (is_dropped) do_nothing(step);
  }
  if (recording_.scenario.clauses.empty()) return std::nullopt;
  return core::Case{case_id_, &recording_.scenario, {}};
}

std::optional<core::Case> Remaking::whole_with_what_is_known() {
  if (is_whole_ || known_.empty()) return std::nullopt;
  is_whole_ = true;
  draft_ = whole_;
  // What is known to come in a member tells more than that nobody looks at it.
  std::erase_if(hidden_, [this](const Hidden& hidden) {
    return std::any_of(known_.begin(), known_.end(), [&hidden](const Known& known) {
      return known.operation == hidden.operation && known.member == hidden.member;
    });
  });
  return record();
}

}  // namespace assay::properties
