#include "harness/wire/scenario_nodes.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/utf8.h"

namespace assay::wire {
namespace {

/// Shorter runs of one character are written as they are.
constexpr std::size_t shortest_run = 64;

YamlNode repeat_node(std::string_view text, std::size_t times) {
  YamlNode node = list_node({scalar_node(text), scalar_node(static_cast<std::int64_t>(times))});
  node.tag = "repeat";
  return node;
}

/// The bytes from `offset` on that repeat the character there.
std::size_t run_length(std::string_view text, std::size_t offset, std::size_t length) {
  if (length == 1) {
    return std::min(text.find_first_not_of(text[offset], offset), text.size()) - offset;
  }
  const std::string_view character = text.substr(offset, length);
  std::size_t end = offset + length;
  while (text.substr(end, length) == character) end += length;
  return end - offset;
}

YamlNode text_node(const std::string& text) {
  // What has ${name} stays whole.
  const bool may_have_runs = text.size() >= shortest_run;
  if (!may_have_runs || text.find("${") != std::string::npos) return scalar_node(text);
  std::vector<YamlNode> parts;
  std::string plain;
  const auto flush = [&] {
    if (!plain.empty()) parts.push_back(scalar_node(std::exchange(plain, {})));
  };
  for (std::size_t offset = 0; offset < text.size();) {
    const auto point = code_point_at(text, offset);
    const std::size_t length = point ? point->length : 1;
    const std::size_t run = run_length(text, offset, length);
    if (run / length >= shortest_run) {
      flush();
      parts.push_back(repeat_node(std::string_view(text).substr(offset, length), run / length));
    } else {
      plain.append(text, offset, run);
    }
    offset += run;
  }
  if (parts.empty()) return scalar_node(text);
  flush();
  if (parts.size() == 1) return std::move(parts.front());
  YamlNode joined = list_node(std::move(parts));
  joined.tag = "join";
  return joined;
}

}  // namespace

YamlNode scalar_node(Value scalar) {
  YamlNode node;
  node.scalar = std::move(scalar);
  return node;
}

YamlNode list_node(std::vector<YamlNode> items) {
  YamlNode node;
  node.kind = YamlNode::Kind::list;
  node.items = std::move(items);
  return node;
}

YamlNode value_node(const Value& value) {
  if (value.is_string()) return text_node(value.as_string());
  if (value.is_list()) {
    std::vector<YamlNode> items;
    for (const Value& item : value.as_list()) items.push_back(value_node(item));
    return list_node(std::move(items));
  }
  if (value.is_object()) {
    MapNode map;
    for (const auto& [key, member] : value.as_object()) map.add(key, value_node(member));
    return map.take();
  }
  return scalar_node(value);
}

YamlNode texts_node(const std::vector<std::string>& texts) {
  std::vector<YamlNode> items;
  for (const std::string& text : texts) items.push_back(scalar_node(text));
  return list_node(std::move(items));
}

MapNode& MapNode::add(std::string_view key, YamlNode value) {
  node_.members.push_back({scalar_node(key), std::move(value)});
  return *this;
}

MapNode& MapNode::add_text(std::string_view key, const std::string& text, std::string_view usual) {
  return text == usual ? *this : add(key, scalar_node(text));
}

MapNode& MapNode::add_texts(std::string_view key, const std::vector<std::string>& texts) {
  return texts.empty() ? *this : add(key, texts_node(texts));
}

MapNode& MapNode::add_flag(std::string_view key, bool flag, bool usual) {
  return flag == usual ? *this : add(key, scalar_node(flag));
}

MapNode& MapNode::add_integer(std::string_view key, const std::optional<std::int64_t>& number) {
  return number ? add(key, scalar_node(*number)) : *this;
}

MapNode& MapNode::add_value(std::string_view key, const std::optional<Value>& value) {
  return value ? add(key, value_node(*value)) : *this;
}

MapNode& MapNode::add_object(std::string_view key, const Object& object) {
  return object.empty() ? *this : add(key, value_node(object));
}

MapNode& MapNode::add_clauses(const std::vector<std::string>& clauses) {
  return clauses.size() == 1 ? add("clause", scalar_node(clauses.front()))
                             : add_texts("clauses", clauses);
}

bool is_one_variable(std::string_view text) {
  return text.starts_with("${") && text.find('}') == text.size() - 1;
}

}  // namespace assay::wire
