#include "reference_impl/model/routing/playbook.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "reference_impl/model/events/envelope.h"

namespace assay::routing {
namespace {

constexpr std::size_t id_bytes_at_most = 256;

/// Whether events can carry a name as their entity_id.
bool is_entity_id(std::string_view name) {
  const bool printable = std::none_of(name.begin(), name.end(), [](char character) {
    const auto byte = static_cast<unsigned char>(character);
    return byte < 0x20 || byte == 0x7f;
  });
  return printable && !name.empty() && name.size() <= id_bytes_at_most;
}

/// Carries a PlaybookError out of the reading functions; `read_playbook` catches it.
struct PlaybookFailure {
  PlaybookError error;
};

/// A value of the document and where it stands.
struct Node {
  const Value* value = nullptr;  ///< nullptr where it is absent; null counts as absent
  std::string pointer;

  [[nodiscard]] bool present() const { return value != nullptr; }
};

[[noreturn]] void fail(const Node& node, std::string message) {
  throw PlaybookFailure{{node.pointer, std::move(message)}};
}

[[noreturn]] void fail_kind(const Node& node, std::string_view expected) {
  const std::string found(node.present() ? node.value->kind_name() : "nothing");
  fail(node, std::string(expected) + " expected, not " + found);
}

/// The member of an object; absent where the object is absent.
Node member(const Node& parent, std::string_view key) {
  Node node{.value = nullptr, .pointer = parent.pointer + "/" + escape_pointer_token(key)};
  if (!parent.present()) return node;
  if (!parent.value->is_object()) fail_kind(parent, "an object");
  const Value* value = parent.value->find(key);
  if (value != nullptr && !value->is_null()) node.value = value;
  return node;
}

/// The items of an array; none where it is absent.
std::vector<Node> items(const Node& parent) {
  std::vector<Node> nodes;
  if (!parent.present()) return nodes;
  if (!parent.value->is_list()) fail_kind(parent, "an array");
  for (const Value& item : parent.value->as_list()) {
    nodes.push_back({&item, parent.pointer + "/" + std::to_string(nodes.size())});
  }
  return nodes;
}

std::optional<std::string> text(const Node& node) {
  if (!node.present()) return std::nullopt;
  if (!node.value->is_string()) fail_kind(node, "a string");
  return node.value->as_string();
}

bool boolean(const Node& node, bool otherwise) {
  if (!node.present()) return otherwise;
  if (!node.value->is_bool()) fail_kind(node, "a boolean");
  return node.value->as_bool();
}

/// One of a few words.
template <typename Enum, std::size_t Count>
Enum word(const Node& node, const std::array<std::pair<std::string_view, Enum>, Count>& words,
          Enum otherwise) {
  const auto found = text(node);
  if (!found) return otherwise;
  std::string expected;
  for (const auto& [name, value] : words) {
    if (name == *found) return value;
    expected += (expected.empty() ? "" : ", ") + std::string(name);
  }
  fail(node, "one of " + expected + " expected, not '" + *found + "'");
}

/// A `when`: the text of a guard, or true or false themselves. None where it is absent.
std::optional<Guard> guard(const Node& node) {
  if (!node.present()) return std::nullopt;
  if (!node.value->is_string() && !node.value->is_bool()) fail_kind(node, "a guard");
  const std::string source = node.value->is_string() ? node.value->as_string()
                                                     : (node.value->as_bool() ? "true" : "false");
  auto parsed = parse_guard(source);
  if (!parsed) {
    fail(node, "the guard doesn't parse: " + parsed.error().message + " (at character " +
                   std::to_string(parsed.error().position) + ")");
  }
  return *std::move(parsed);
}

/// Reads one document. Steps are read in two passes, because arcs name later steps.
class Reader {
 public:
  Reader(const Value& document, const PlaybookRules& rules) : root_{&document, ""}, rules_(rules) {}

  Playbook run() {
    if (!root_.value->is_object()) fail_kind(root_, "an object");
    if (rules_.needs_root_sections) {
      for (const char* name : {"metadata", "workload"}) {
        const Node section = member(root_, name);
        if (!section.present()) fail(section, "a playbook needs " + std::string(name));
      }
    }
    playbook_.name = name_of_playbook();
    read_workload();
    const Node workflow = member(root_, "workflow");
    if (!workflow.present()) fail(workflow, "a playbook needs a workflow");
    const std::vector<Node> steps = items(workflow);
    if (steps.empty()) fail(workflow, "a workflow needs a step");
    for (const Node& step : steps) read_name(step);
    playbook_.upstream.resize(steps.size());
    for (std::size_t index = 0; index < steps.size(); ++index) read_step(steps[index], index);
    read_executor();
    return std::move(playbook_);
  }

 private:
  [[nodiscard]] std::optional<std::string> name_of_playbook() const {
    const Node metadata = member(root_, "metadata");
    if (!metadata.present() || !metadata.value->is_object()) return std::nullopt;
    const auto name = metadata.value->string_at("name");
    return name && is_entity_id(*name) ? name : std::nullopt;
  }

  void read_workload() {
    const Node workload = member(root_, "workload");
    if (!workload.present()) return;
    if (!workload.value->is_object()) fail_kind(workload, "an object");
    playbook_.workload = workload.value->as_object();
  }

  void read_name(const Node& step) {
    const Node node = member(step, "step");
    const auto name = text(node);
    if (!name) fail(node, "a step needs a name");
    if (!is_entity_id(*name)) {
      fail(node, "a step's name has 1 to 256 bytes and no control characters");
    }
    if (!index_by_name_.emplace(*name, playbook_.steps.size()).second) {
      fail(node, "two steps are named '" + *name + "'");
    }
    playbook_.steps.emplace_back().name = *name;
  }

  [[nodiscard]] std::optional<std::size_t> step_index(const Node& node) const {
    const auto name = text(node);
    if (!name) return std::nullopt;
    const auto found = index_by_name_.find(*name);
    if (found == index_by_name_.end()) fail(node, "no step is named '" + *name + "'");
    return found->second;
  }

  void read_step(const Node& node, std::size_t index) {
    Step& step = playbook_.steps[index];
    const Node policy = member(member(node, "spec"), "policy");
    step.admission = read_admission(member(policy, "admit"));
    step.loop = read_loop(member(node, "loop"));
    const Node next = member(node, "next");
    static constexpr auto modes = std::to_array<std::pair<std::string_view, RouterMode>>(
        {{"exclusive", RouterMode::exclusive}, {"inclusive", RouterMode::inclusive}});
    step.mode = word(member(member(next, "spec"), "mode"), modes, RouterMode::exclusive);
    for (const Node& arc : items(member(next, "arcs"))) {
      step.arcs.push_back(read_arc(arc));
      playbook_.upstream[step.arcs.back().target].push_back(index);
    }
  }

  [[nodiscard]] Arc read_arc(const Node& node) const {
    Arc arc;
    const Node target = member(node, "step");
    const auto target_index = step_index(target);
    if (!target_index) fail(target, "an arc needs a step");
    arc.target = *target_index;
    arc.when = guard(member(node, "when"));
    const Node args = member(node, "args");
    if (args.present()) {
      if (!args.value->is_object()) fail_kind(args, "an object");
      arc.args = Template(*args.value);
      // Section 4.4; with an expression in them their size is known when they are rendered.
      if (arc.args->constant() != nullptr &&
          events::compact_json_size(*args.value, rules_.args_bytes) > rules_.args_bytes) {
        fail(args, "args of more than " + std::to_string(rules_.args_bytes) +
                       " bytes: large payloads travel as references");
      }
    }
    return arc;
  }

  static std::optional<Admission> read_admission(const Node& node) {
    const std::vector<Node> rules = items(member(node, "rules"));
    // `admit` without rules allows, as no `admit` does.
    if (rules.empty()) return std::nullopt;
    Admission admission;
    for (std::size_t index = 0; index < rules.size(); ++index) {
      const Node& rule = rules[index];
      if (auto when = guard(member(rule, "when"))) {
        admission.rules.push_back({std::move(*when), read_allow(member(rule, "then"))});
      } else if (rule.value->is_object() && rule.value->find("else") != nullptr) {
        if (admission.otherwise) fail(rule, "a second else");
        // Both `- else: {then: …}` and `- else:` with `then` beside it are written.
        const Node nested = member(rule, "else");
        admission.otherwise =
            read_allow(nested.present() ? member(nested, "then") : member(rule, "then"));
        admission.otherwise_index = index;
      } else {
        fail(rule, "an admission rule needs a when or an else");
      }
    }
    return admission;
  }

  static bool read_allow(const Node& then) {
    const Node allow = member(then, "allow");
    if (!allow.present()) fail(allow, "an admission rule says allow: true or false");
    return boolean(allow, false);
  }

  static std::optional<Loop> read_loop(const Node& node) {
    if (!node.present()) return std::nullopt;
    Loop loop;
    const Node in = member(node, "in");
    if (!in.present()) fail(in, "a loop needs what it goes over");
    loop.in = Template(*in.value);
    const Value* constant = loop.in.constant();
    if (constant != nullptr && !constant->is_list()) {
      fail(in, "a loop goes over a list or an expression, not over " +
                   std::string(constant->kind_name()));
    }
    loop.iterator = text(member(node, "iterator")).value_or("item");
    const Node spec = member(node, "spec");
    static constexpr auto modes = std::to_array<std::pair<std::string_view, LoopMode>>(
        {{"sequential", LoopMode::sequential}, {"parallel", LoopMode::parallel}});
    loop.mode = word(member(spec, "mode"), modes, LoopMode::sequential);
    const Node bound = member(spec, "max_in_flight");
    if (bound.present()) {
      const auto number =
          bound.value->is_number() ? bound.value->to_int64() : std::optional<std::int64_t>();
      if (!number || *number < 1) fail(bound, "a whole number from 1 expected");
      loop.max_in_flight = static_cast<std::size_t>(*number);
    }
    return loop;
  }

  void read_executor() {
    const Node spec = member(member(root_, "executor"), "spec");
    ExecutorSpec& executor = playbook_.executor;
    executor = rules_.defaults;
    executor.entry_step = step_index(member(spec, "entry_step"));
    executor.final_step = step_index(member(spec, "final_step"));
    executor.no_next_is_error = boolean(member(spec, "no_next_is_error"), false);
    executor.gates_hold = boolean(member(spec, "gates_hold"), executor.gates_hold);
    static constexpr auto status_policies =
        std::to_array<std::pair<std::string_view, StatusPolicy>>(
            {{"fail_on_any_error", StatusPolicy::fail_on_any_error},
             {"fail_fast", StatusPolicy::fail_fast},
             {"allow_partial", StatusPolicy::allow_partial}});
    executor.status_policy =
        word(member(spec, "status_policy"), status_policies, executor.status_policy);
    static constexpr auto fan_ins = std::to_array<std::pair<std::string_view, FanInPolicy>>(
        {{"none", FanInPolicy::none}, {"wait_all", FanInPolicy::wait_all}});
    executor.fan_in = word(member(spec, "fan_in"), fan_ins, executor.fan_in);
    static constexpr auto denied = std::to_array<std::pair<std::string_view, DeniedToken>>(
        {{"pending", DeniedToken::pending}, {"discard", DeniedToken::discard}});
    executor.denied_token = word(member(spec, "denied_token"), denied, executor.denied_token);
    static constexpr auto final_failures = std::to_array<std::pair<std::string_view, FinalFailure>>(
        {{"fail", FinalFailure::fail}, {"partial", FinalFailure::partial}});
    executor.final_failure =
        word(member(spec, "final_failure"), final_failures, executor.final_failure);
  }

  Node root_;
  const PlaybookRules& rules_;
  Playbook playbook_;
  std::unordered_map<std::string, std::size_t> index_by_name_;
};

}  // namespace

std::size_t Loop::in_flight_at_most() const {
  if (mode == LoopMode::sequential) return 1;
  return max_in_flight.value_or(std::numeric_limits<std::size_t>::max());
}

Result<Playbook, PlaybookError> read_playbook(const Value& document, const PlaybookRules& rules) {
  try {
    return Reader(document, rules).run();
  } catch (const PlaybookFailure& failure) {
    return unexpected(failure.error);
  }
}

}  // namespace assay::routing
