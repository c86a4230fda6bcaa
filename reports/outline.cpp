#include "reports/outline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/value.h"
#include "harness/core/adapter_line.h"
#include "harness/wire/json.h"
#include "harness/wire/json_walk.h"

namespace assay::reports {
namespace {

/// Of a body that is read for its outline.
constexpr std::size_t limit_body_bytes = 8'192;
constexpr std::size_t limit_members = 4;
constexpr std::size_t limit_elements = 6;
constexpr std::size_t limit_value_bytes = 40;

/// What tells most about a body, in this order; other members follow.
constexpr std::array<std::string_view, 8> telling_members = {
    "event_type", "type", "name", "state", "status", "action", "outcome", "title"};

/// "assay-7-status-some-case-3dc58839-main" as "{main}"; other text as it is.
std::string short_name(std::string_view word) {
  constexpr std::size_t hash_digits = 8;
  if (!word.starts_with("assay-")) return std::string(word);
  for (std::size_t dash = word.rfind('-'); dash != std::string_view::npos && dash > hash_digits;
       dash = word.rfind('-', dash - 1)) {
    const std::string_view hash = word.substr(dash - hash_digits, hash_digits);
    const bool is_hash = word[dash - hash_digits - 1] == '-' &&
                         hash.find_first_not_of("0123456789abcdef") == std::string_view::npos;
    if (is_hash) return fmt::format("{{{}}}", word.substr(dash + 1));
  }
  return std::string(word);
}

std::string short_target(std::string_view target) {
  std::string out;
  while (!target.empty()) {
    const std::size_t end = std::min(target.find_first_of("/?&="), target.size());
    out += short_name(target.substr(0, end));
    if (end < target.size()) out += target[end];
    target.remove_prefix(std::min(end + 1, target.size()));
  }
  return out;
}

/// Whether a text is a time: those are many and tell little.
bool is_time(std::string_view text) {
  return text.size() >= 19 && text[4] == '-' && text[10] == 'T' && text[13] == ':';
}

/// Whether a text is an identifier that a server made, a UUID or a long number: those are many and
/// tell a person nothing, and the request's path has the one that counts.
bool is_made_id(std::string_view text) {
  constexpr std::size_t uuid_bytes = 36;
  constexpr std::size_t fewest_digits = 15;
  if (text.size() == uuid_bytes && text[8] == '-' && text[13] == '-' && text[18] == '-' &&
      text[23] == '-') {
    return text.find_first_not_of("0123456789abcdefABCDEF-") == std::string_view::npos;
  }
  return text.size() >= fewest_digits &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// A JSON value as far as an outline needs it, no deeper than limit_body_bytes allow.
struct Node {
  enum class Kind { scalar, list, object };

  Kind kind = Kind::scalar;
  /// Of a member.
  std::string name = {};
  /// A scalar in a word or two; empty where it tells nothing.
  std::string word = {};
  /// Of an object or a list, in the order of the text.
  std::vector<Node> parts = {};
};

/// Makes a node of what a text has. A member that stands twice is where it stood first, with the
/// value that it had last.
class NodeBuilder final : public wire::JsonVisitor {
 public:
  void scalar(const Value& value) override {
    if (value.is_null() || (value.is_bool() && !value.as_bool())) {
      next();
    } else if (value.is_bool()) {
      next().word = "true";
    } else {
      std::string digits =
          value.is_double() ? nlohmann::json(value.as_double()).dump() : wire::to_json(value);
      next().word = is_made_id(digits) ? "" : std::move(digits);
    }
  }
  void text(std::string_view text) override {
    const bool tells_nothing = text.size() > limit_value_bytes || is_time(text) ||
                               is_made_id(text) || text.starts_with("assay-");
    next().word = tells_nothing ? "" : text;
  }
  void open_list() override { open(Node::Kind::list); }
  void open_object() override { open(Node::Kind::object); }
  void key(std::string_view name) override {
    std::vector<Node>& members = open_.back()->parts;
    const auto same = std::find_if(members.begin(), members.end(),
                                   [name](const Node& each) { return each.name == name; });
    member_ = same == members.end() ? &members.emplace_back() : &*same;
    *member_ = {.name = std::string(name)};
  }
  void close() override { open_.pop_back(); }

  [[nodiscard]] const Node& whole() const { return whole_; }

 private:
  Node& next() {
    if (open_.empty()) return whole_;
    Node& around = *open_.back();
    return around.kind == Node::Kind::list ? around.parts.emplace_back() : *member_;
  }

  void open(Node::Kind kind) {
    constexpr std::size_t usual_parts = 8;
    Node& opened = next();
    opened.kind = kind;
    opened.parts.reserve(usual_parts);
    open_.push_back(&opened);
  }

  Node whole_;
  /// What is inside of one gets no siblings meanwhile, so that these stay where they are.
  std::vector<Node*> open_;
  Node* member_ = nullptr;
};

std::string outline_object(const Node& object);

const Node* find_member(const Node& object, std::string_view name) {
  const auto found = std::find_if(object.parts.begin(), object.parts.end(),
                                  [name](const Node& each) { return each.name == name; });
  return found == object.parts.end() ? nullptr : &*found;
}

/// What an element of a list is about.
std::string element_word(const Node& element) {
  if (element.kind != Node::Kind::object) return element.word;
  for (const std::string_view name : telling_members) {
    const Node* member = find_member(element, name);
    if (member != nullptr && !member->word.empty()) return member->word;
  }
  return "";
}

std::string outline_list(const Node& list) {
  std::vector<std::string> words;
  for (const Node& element : list.parts) {
    if (words.size() == limit_elements) break;
    std::string word = element_word(element);
    if (!word.empty()) words.push_back(std::move(word));
  }
  const std::size_t size = list.parts.size();
  if (words.empty()) return fmt::format("[{}]", size);
  return fmt::format("[{}{}]", fmt::join(words, ", "),
                     size > words.size() ? fmt::format(", … {}", size) : "");
}

std::string outline_member(const Node& member) {
  if (member.kind == Node::Kind::list) {
    return fmt::format("{} {}", member.name, outline_list(member));
  }
  const bool speaks_for_itself =
      member.name == "event_type" || member.name == "type" || member.name == "title";
  if (member.word.empty() || speaks_for_itself) return member.word;
  return fmt::format("{} {}", member.name, member.word);
}

/// Of an envelope, {"run": {"info": {"status": …}}}: the first that tells something inside.
std::string outline_inside(const Node& envelope) {
  for (const Node& member : envelope.parts) {
    if (member.kind != Node::Kind::object) continue;
    std::string inner = outline_object(member);
    if (!inner.empty()) return inner;
  }
  return "";
}

std::string outline_object(const Node& object) {
  std::vector<std::string> words;
  const auto add = [&words](const Node& member) {
    if (words.size() == limit_members) return;
    std::string word = outline_member(member);
    if (!word.empty()) words.push_back(std::move(word));
  };
  for (const std::string_view name : telling_members) {
    if (const Node* found = find_member(object, name)) add(*found);
  }
  for (const Node& member : object.parts) {
    if (std::find(telling_members.begin(), telling_members.end(), member.name) ==
        telling_members.end()) {
      add(member);
    }
  }
  if (words.empty()) return outline_inside(object);
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string outline_body(std::string_view body) {
  if (body.empty() || body.size() > limit_body_bytes) return "";
  NodeBuilder builder;
  if (!wire::walk_json(body, builder)) return "";
  const Node& whole = builder.whole();
  if (whole.kind == Node::Kind::object) return outline_object(whole);
  return whole.kind == Node::Kind::list ? outline_list(whole) : "";
}

}  // namespace

std::string answer_word(const core::Exchange& exchange) {
  const int status = exchange.response.value().status;
  return core::is_adapter_line(exchange.request) ? std::string(core::adapter_outcome(status))
                                                 : std::to_string(status);
}

Outline outline_of(const core::Exchange& exchange) {
  Outline outline;
  outline.request =
      fmt::format("{} {}", exchange.request.method, short_target(exchange.request.target));
  if (exchange.request.body) outline.sent = outline_body(*exchange.request.body);
  if (exchange.response) {
    const std::string body = outline_body(exchange.response->body);
    outline.answer = fmt::format("{}{}{}", answer_word(exchange), body.empty() ? "" : " ", body);
  } else if (exchange.error) {
    outline.answer =
        fmt::format("no answer: {}", core::transport_fault_texts[exchange.error->fault]);
  } else {
    outline.answer = "no answer";
  }
  return outline;
}

}  // namespace assay::reports
