#include "harness/wire/mapping.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/encoding.h"
#include "base/instant.h"
#include "base/overloaded.h"
#include "base/rfc3339.h"
#include "harness/wire/condition.h"
#include "harness/wire/json.h"
#include "harness/wire/template.h"
#include "harness/wire/text_pattern.h"

namespace assay::wire {
namespace {

using core::Conversion;
using core::Mapping;
using PartsHow = core::PartsMapping::How;

/// 9999-12-31T23:59:59.999Z, after which RFC 3339 has no dates.
constexpr double last_ms = 253'402'300'799'999;

std::optional<Value> found_in(const Mapping& mapping, const Value& base,
                              const MappedAnswer& answer);

Value mapped(const Mapping& mapping, const Value& base, const MappedAnswer& answer) {
  return found_in(mapping, base, answer).value_or(mapping.otherwise);
}

/// A number that counts from 1970 as RFC 3339; anything else as it is.
Value as_time(Value value, Conversion::TimeUnit unit) {
  if (unit == Conversion::TimeUnit::none || !value.is_number()) return value;
  const double factor = unit == Conversion::TimeUnit::seconds ? 1000 : 1;
  const double ms = std::floor(value.as_double() * factor + 0.5);
  if (!(std::abs(ms) <= last_ms)) return value;
  return rfc3339(Instant(std::chrono::milliseconds(static_cast<std::int64_t>(ms))));
}

std::optional<Value> converted(const Conversion& by, Value value) {
  if (!by.part.empty()) {
    if (!value.is_string()) return std::nullopt;
    const auto part = found_by(by.part, value.as_string());
    if (!part) return std::nullopt;
    value = *part;
  }
  value = as_time(std::move(value), by.as_time);
  if (by.as_text && value.is_number()) value = to_json(value);
  if (!value.is_string()) return value;
  const auto ours = by.spelling.find(value.as_string());
  return ours == by.spelling.end() ? std::move(value) : Value(ours->second);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return "";
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::optional<std::string> header_value(const MappedAnswer& answer, std::string_view name) {
  std::optional<std::string> value;
  for (const core::Header& header : answer.headers) {
    if (!same_without_case(header.name, name)) continue;
    value = value ? *value + ", " + header.value : header.value;
  }
  return value;
}

/// The value of a cookie that the answer sets; the last one that it sets counts.
std::optional<std::string> cookie_value(const MappedAnswer& answer, std::string_view name) {
  std::optional<std::string> value;
  for (const core::Header& header : answer.headers) {
    if (!same_without_case(header.name, "set-cookie")) continue;
    const std::string_view pair = std::string_view(header.value).substr(0, header.value.find(';'));
    const std::size_t equals = pair.find('=');
    if (equals == std::string_view::npos || trimmed(pair.substr(0, equals)) != name) continue;
    value = trimmed(pair.substr(equals + 1));
  }
  return value;
}

/// Whether the parameters of a link, ";"-separated, say that it has the relation.
bool has_relation(std::string_view parameters, std::string_view relation) {
  while (!parameters.empty()) {
    const std::size_t end = std::min(parameters.find(';'), parameters.size());
    const std::string_view one = trimmed(parameters.substr(0, end));
    parameters.remove_prefix(std::min(end + 1, parameters.size()));
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos) continue;
    if (!same_without_case(trimmed(one.substr(0, equals)), "rel")) continue;
    std::string_view words = trimmed(one.substr(equals + 1));
    if (words.size() >= 2 && words.starts_with('"') && words.ends_with('"')) {
      words = words.substr(1, words.size() - 2);
    }
    while (!words.empty()) {
      const std::size_t blank = std::min(words.find(' '), words.size());
      if (same_without_case(words.substr(0, blank), relation)) return true;
      words.remove_prefix(std::min(blank + 1, words.size()));
    }
  }
  return false;
}

/// Where the parameters of a link end: at the comma before the next one that is in no quotes.
std::size_t end_of_parameters(std::string_view text) {
  bool is_quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') is_quoted = !is_quoted;
    if (text[at] == ',' && !is_quoted) return at;
  }
  return text.size();
}

/// The target of the first link with that relation: Link: <target>; rel="next", …
std::optional<std::string> link_target(const MappedAnswer& answer, std::string_view relation) {
  const std::optional<std::string> value = header_value(answer, "link");
  std::string_view rest = value ? std::string_view(*value) : std::string_view();
  while (true) {
    const std::size_t open = rest.find('<');
    const std::size_t close = open == std::string_view::npos ? open : rest.find('>', open);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view target = rest.substr(open + 1, close - open - 1);
    rest.remove_prefix(close + 1);
    const std::size_t end = end_of_parameters(rest);
    if (has_relation(rest.substr(0, end), relation)) return std::string(target);
    rest.remove_prefix(end);
  }
}

std::optional<Value> read_from(const core::HeadMapping& head, const MappedAnswer& answer) {
  using Field = core::HeadMapping::Field;
  std::optional<std::string> text = head.field == Field::header   ? header_value(answer, head.name)
                                    : head.field == Field::cookie ? cookie_value(answer, head.name)
                                                                  : link_target(answer, head.name);
  if (!text) return std::nullopt;
  return converted(head.conversion, *std::move(text));
}

/// What a mapping begins at: the answer, or what was captured; nullptr where that is not there.
const Value* root_of(const std::string& of, const Value& base, const MappedAnswer& answer) {
  if (of.empty()) return &base;
  const auto captured = answer.captured.find(of);
  return captured == answer.captured.end() ? nullptr : &captured->second;
}

template <typename Place>
const Value* value_at(const Place& place, const Value& base, const MappedAnswer& answer) {
  const Value* root = root_of(place.of, base, answer);
  return root == nullptr ? nullptr : root->at_pointer(place.pointer);
}

std::optional<Value> read_from(const core::CasesMapping& mapping, const Value& base,
                               const MappedAnswer& answer) {
  const Value* value = value_at(mapping, base, answer);
  for (const core::MappingCase& one : mapping.cases) {
    if (value == nullptr || !holds(one.when, *value)) continue;
    if (const auto* given = std::get_if<Value>(&one.gives)) return *given;
    return mapped(*std::get<std::shared_ptr<const Mapping>>(one.gives), *value, answer);
  }
  return std::nullopt;
}

std::optional<Value> read_from(const core::ObjectMapping& mapping, const Value& base,
                               const MappedAnswer& answer) {
  const Value* value = value_at(mapping, base, answer);
  if (value == nullptr) return std::nullopt;
  Object object;
  for (const auto& [name, member] : mapping.members) {
    object.insert_or_assign(name, mapped(member, *value, answer));
  }
  return Value(std::move(object));
}

/// Nothing where the first part is no object: what completes it makes none.
std::optional<Value> merged_parts(const std::vector<Mapping>& parts, const Value& base,
                                  const MappedAnswer& answer) {
  Value whole;
  for (const Mapping& part : parts) {
    Value read = mapped(part, base, answer);
    if (&part == &parts.front()) {
      whole = std::move(read);
    } else if (whole.is_object() && read.is_object()) {
      for (auto& [name, member] : read.as_object()) whole.as_object().try_emplace(name, member);
    }
  }
  if (!whole.is_object()) return std::nullopt;
  return whole;
}

void append(List& list, Value value) {
  if (value.is_null()) return;
  if (!value.is_list()) {
    list.push_back(std::move(value));
    return;
  }
  for (Value& element : value.as_list()) list.push_back(std::move(element));
}

std::optional<Value> read_from(const core::PartsMapping& mapping, const Value& base,
                               const MappedAnswer& answer) {
  const Value* root = root_of(mapping.of, base, answer);
  if (root == nullptr) return std::nullopt;
  if (mapping.how == PartsHow::merged) return merged_parts(mapping.parts, *root, answer);
  List list;
  for (const Mapping& part : mapping.parts) append(list, mapped(part, *root, answer));
  return Value(std::move(list));
}

/// The elements of an array, or {key, value} for each member of an object, which are made in
/// `entries`; nullptr where it is neither.
const List* elements_of(const core::ItemsMapping& mapping, const Value* base, List& entries) {
  if (base == nullptr) return nullptr;
  if (!mapping.of_entries) return base->is_list() ? &base->as_list() : nullptr;
  if (!base->is_object()) return nullptr;
  for (const auto& [key, value] : base->as_object()) {
    entries.push_back(Object{{"key", key}, {"value", value}});
  }
  return &entries;
}

/// The items of a listing, those that stand for one thing joined.
class Items {
 public:
  explicit Items(const std::optional<std::string>& joined_by) : joined_by_(joined_by) {}

  void add(Value item) {
    const Value* identity = joined_by_ ? item.at_pointer(*joined_by_) : nullptr;
    if (identity != nullptr && item.is_object()) {
      const auto [place, is_new] = places_.try_emplace(to_json(*identity), items_.size());
      if (!is_new) {
        for (auto& [name, member] : item.as_object()) {
          if (!member.is_null()) items_[place->second].as_object().insert_or_assign(name, member);
        }
        return;
      }
    }
    items_.push_back(std::move(item));
  }

  [[nodiscard]] Value take() { return std::move(items_); }

 private:
  const std::optional<std::string>& joined_by_;
  List items_;
  std::map<std::string, std::size_t> places_;
};

bool gives_list(const Mapping& mapping) {
  const auto* parts = std::get_if<core::PartsMapping>(&mapping.from);
  return parts != nullptr && parts->how == PartsHow::list;
}

std::optional<Value> read_from(const core::ItemsMapping& mapping, const Value& base,
                               const MappedAnswer& answer) {
  List entries;
  const List* elements = elements_of(mapping, value_at(mapping, base, answer), entries);
  if (elements == nullptr) return std::nullopt;
  Items items(mapping.joined_by);
  Object keyed;
  const auto keep = [&](const Value& element, Value item) {
    if (!mapping.keyed_by) {
      items.add(std::move(item));
    } else if (const Value* key = element.at_pointer(*mapping.keyed_by)) {
      keyed.insert_or_assign(text_of_value(*key), std::move(item));
    }
  };
  for (const Value& element : *elements) {
    const auto is_excepted = [&element](const auto& when) { return holds(when, element); };
    if (std::ranges::any_of(mapping.except, is_excepted)) continue;
    Value item = mapping.each ? mapped(*mapping.each, element, answer) : element;
    // One element that stands for several of ours.
    if (mapping.each && gives_list(*mapping.each) && item.is_list()) {
      for (Value& part : item.as_list()) keep(element, std::move(part));
    } else {
      keep(element, std::move(item));
    }
  }
  if (mapping.keyed_by) return Value(std::move(keyed));
  return items.take();
}

std::optional<Value> found_in(const Mapping& mapping, const Value& base,
                              const MappedAnswer& answer) {
  const Value& otherwise = mapping.otherwise;
  return std::visit(
      Overloaded{[&](const core::PointerMapping& from) -> std::optional<Value> {
                   const Value* value = value_at(from, base, answer);
                   if (value == nullptr && otherwise.is_null()) return std::nullopt;
                   return converted(from.conversion, value != nullptr ? *value : otherwise);
                 },
                 [&](const core::ConstantMapping&) -> std::optional<Value> { return otherwise; },
                 [&](const core::HeadMapping& from) { return read_from(from, answer); },
                 [&](const auto& from) { return read_from(from, base, answer); }},
      mapping.from);
}

}  // namespace

Value apply_mapping(const Mapping& mapping, const MappedAnswer& answer) {
  return mapped(mapping, answer.body, answer);
}

Value apply_mapping(const Mapping& mapping, const Value& body) {
  static const std::vector<core::Header> no_headers;
  static const Object nothing;
  return mapped(mapping, body, {body, no_headers, nothing});
}

std::optional<Value> find_mapped(const Mapping& mapping, const MappedAnswer& answer) {
  std::optional<Value> found = found_in(mapping, answer.body, answer);
  if (!found && !mapping.otherwise.is_null()) return mapping.otherwise;
  return found;
}

}  // namespace assay::wire
