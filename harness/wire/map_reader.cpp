#include "harness/wire/map_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/visible.h"
#include "base/words.h"
#include "harness/core/clause_table.h"
#include "harness/wire/json.h"

namespace assay::wire {
namespace {

constexpr std::size_t max_problems = 100;

}  // namespace

void Problems::report(const YamlNode& at, std::string message) {
  found_.push_back({position(at), std::move(message)});
}

void Problems::unexpected(const YamlNode& found, std::string_view expected) {
  report(found, fmt::format("found {}, expected {}", found.description(), expected));
}

void Problems::unknown_name(const YamlNode& at, std::string_view kind, std::string_view name,
                            const std::vector<std::string>& known) {
  std::string message = fmt::format("unknown {} \"{}\"", kind, visible(name, 80));
  if (const std::optional<std::string> nearest = nearest_name(name, known)) {
    message += fmt::format("; did you mean \"{}\"?", *nearest);
  }
  constexpr std::size_t few = 40;
  if (known.empty()) {
    message += "; none is expected here";
  } else if (known.size() <= few) {
    message += fmt::format(" (expected one of: {})", fmt::join(known, ", "));
  }
  report(at, std::move(message));
}

core::SourcePosition Problems::position(const YamlNode& node) const {
  return {file_name_, node.line, node.column};
}

std::vector<core::Diagnostic> Problems::take() {
  std::stable_sort(found_.begin(), found_.end(),
                   [](const core::Diagnostic& left, const core::Diagnostic& right) {
                     return std::pair(left.at.line, left.at.column) <
                            std::pair(right.at.line, right.at.column);
                   });
  if (found_.size() > max_problems) found_.resize(max_problems);
  return std::move(found_);
}

MapReader::MapReader(const YamlNode& node, std::string_view what, Problems& problems)
    : node_(node), what_(what), problems_(problems) {
  if (!node.tag.empty()) {
    problems.report(node, fmt::format("found the tag !{}, expected {} without one",
                                      visible(node.tag, 40), what));
  }
  if (node.kind != YamlNode::Kind::map && !node.is_null()) {
    problems.unexpected(node, fmt::format("{} (a mapping)", what));
  }
}

const YamlNode* MapReader::member(std::string_view key) {
  known_.emplace_back(key);
  return node_.find(key);
}

const YamlNode* MapReader::optional(std::string_view key) { return member(key); }

const YamlNode* MapReader::required(std::string_view key) {
  const YamlNode* found = member(key);
  const bool is_map = node_.kind == YamlNode::Kind::map || node_.is_null();
  if (!found && is_map) problems_.report(node_, fmt::format("{} needs \"{}\"", what_, key));
  return found;
}

void MapReader::text(std::string_view key, std::string& into) {
  const YamlNode* node = member(key);
  if (!node) return;
  if (auto text = text_of(*node, "text", problems_)) into = *std::move(text);
}

void MapReader::required_text(std::string_view key, std::string& into) {
  const YamlNode* node = required(key);
  if (!node) return;
  auto text = text_of(*node, "text", problems_);
  if (text && text->empty()) problems_.unexpected(*node, "text that is not empty");
  if (text) into = *std::move(text);
}

void MapReader::texts(std::string_view key, std::vector<std::string>& into) {
  const YamlNode* node = member(key);
  if (!node) return;
  for (const YamlNode& item : items_of(*node, "a list of texts", problems_)) {
    if (auto text = text_of(item, "text", problems_)) into.push_back(*std::move(text));
  }
}

void MapReader::flag(std::string_view key, bool& into) {
  const YamlNode* node = member(key);
  if (!node) return;
  if (node->kind == YamlNode::Kind::scalar && node->scalar.is_bool()) {
    into = node->scalar.as_bool();
  } else {
    problems_.unexpected(*node, "true or false");
  }
}

void MapReader::integer(std::string_view key, IntegerRange range, std::int64_t& into) {
  const YamlNode* node = member(key);
  if (!node) return;
  if (const auto number = integer_of(*node, range, problems_)) into = *number;
}

void MapReader::integer(std::string_view key, IntegerRange range,
                        std::optional<std::int64_t>& into) {
  const YamlNode* node = member(key);
  if (node) into = integer_of(*node, range, problems_);
}

void MapReader::number(std::string_view key, double least, double most, double& into) {
  const YamlNode* node = member(key);
  if (!node) return;
  const bool is_number = node->kind == YamlNode::Kind::scalar && node->scalar.is_number();
  const double number = is_number ? node->scalar.as_double() : -1;
  // Written so that nan fails.
  if (is_number && number >= least && number <= most) {
    into = number;
  } else {
    problems_.unexpected(*node, fmt::format("a number from {} to {}", least, most));
  }
}

void MapReader::finish() {
  for (const auto& [key, value] : node_.members) {
    const std::string& name = key.scalar.as_string();
    if (std::find(known_.begin(), known_.end(), name) == known_.end()) {
      problems_.unknown_name(key, fmt::format("key in {}", what_), name, known_);
    }
  }
}

std::optional<std::string> text_of(const YamlNode& node, std::string_view what,
                                   Problems& problems) {
  if (node.is_text() && node.tag.empty()) return node.scalar.as_string();
  problems.unexpected(node, what);
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(const YamlNode& node, IntegerRange range,
                                       Problems& problems) {
  if (node.kind == YamlNode::Kind::scalar && node.scalar.is_integer() && node.tag.empty()) {
    const std::optional<std::int64_t> number = node.scalar.to_int64();
    if (number && *number >= range.least && *number <= range.most) return number;
  }
  problems.unexpected(node, fmt::format("an integer from {} to {}", range.least, range.most));
  return std::nullopt;
}

const std::vector<YamlNode>& items_of(const YamlNode& node, std::string_view what,
                                      Problems& problems) {
  if (node.kind != YamlNode::Kind::list || !node.tag.empty()) problems.unexpected(node, what);
  return node.items;
}

bool check_pointer(const YamlNode& at, std::string_view pointer, Problems& problems) {
  if (pointer_tokens(pointer)) return true;
  problems.unexpected(at, "a JSON Pointer such as /data/id");
  return false;
}

}  // namespace assay::wire
