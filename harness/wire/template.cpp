#include "harness/wire/template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/digest.h"
#include "base/encoding.h"
#include "harness/wire/construct.h"
#include "harness/wire/json.h"

namespace assay::wire {
namespace {

constexpr std::string_view name_characters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";

struct FilterWord {
  std::string_view word;
  Placeholder::Filter filter;
};

constexpr std::array<FilterWord, 5> filter_words = {
    {{"lower", Placeholder::Filter::lower},
     {"upper", Placeholder::Filter::upper},
     {"number", Placeholder::Filter::number},
     {"target_state", Placeholder::Filter::target_state},
     {"digest", Placeholder::Filter::digest}}};

/// A word that is none of ours names a table of the profile's.
bool read_filter(std::string_view word, Placeholder& placeholder) {
  if (word.empty() || word.find_first_not_of(name_characters) != std::string_view::npos) {
    return false;
  }
  const auto found = std::ranges::find(filter_words, word, &FilterWord::word);
  placeholder.filter = found == filter_words.end() ? Placeholder::Filter::words : found->filter;
  if (found == filter_words.end()) placeholder.table = word;
  return true;
}

std::optional<Placeholder> parse_placeholder(std::string_view text) {
  Placeholder placeholder;
  const std::size_t bar = text.find('|');
  if (bar != std::string_view::npos) {
    if (!read_filter(text.substr(bar + 1), placeholder)) return std::nullopt;
    text = text.substr(0, bar);
  }
  if (text.ends_with('?')) {
    placeholder.may_be_absent = true;
    text.remove_suffix(1);
  }
  auto path = parse_path(text);
  if (!path) return std::nullopt;
  placeholder.path = std::move(path->path);
  return placeholder;
}

std::string with_case(std::string text, char first, char last, int shift) {
  for (char& character : text) {
    if (character >= first && character <= last) character = static_cast<char>(character + shift);
  }
  return text;
}

Value filtered(const Value& value, Placeholder::Filter filter, const TemplateContext& context) {
  if (filter == Placeholder::Filter::digest) {
    return fmt::format("{:016x}", digest_of(text_of_value(value)));
  }
  if (!value.is_string()) return value;
  const std::string& text = value.as_string();
  switch (filter) {
    case Placeholder::Filter::none:
    case Placeholder::Filter::digest:
    case Placeholder::Filter::words:
      return value;
    case Placeholder::Filter::lower:
      return with_case(text, 'A', 'Z', 'a' - 'A');
    case Placeholder::Filter::upper:
      return with_case(text, 'a', 'z', 'A' - 'a');
    case Placeholder::Filter::number: {
      std::int64_t number = 0;
      const char* end = text.data() + text.size();
      const auto [stop, fault] = std::from_chars(text.data(), end, number);
      return fault == std::errc() && stop == end ? Value(number) : value;
    }
    case Placeholder::Filter::target_state: {
      const auto found = context.state_spelling.find(text);
      return found == context.state_spelling.end() ? value : Value(found->second);
    }
  }
  return value;
}

/// The element at an index in decimal digits, or nullptr where there is none.
const Value* element_at(const List& list, std::string_view index) {
  std::size_t at = 0;
  const auto [end, error] = std::from_chars(index.data(), index.data() + index.size(), at);
  if (error != std::errc() || end != index.data() + index.size()) return nullptr;
  return at < list.size() ? &list[at] : nullptr;
}

/// What the rest of the path leads to.
const Value* member_of(const Value* value, const Placeholder& placeholder) {
  for (std::size_t i = 1; value && i < placeholder.path.size(); ++i) {
    const std::string& name = placeholder.path[i];
    value = value->is_list() ? element_at(value->as_list(), name) : value->find(name);
  }
  return value;
}

std::string name_of(const Placeholder& placeholder) {
  std::string name;
  for (const std::string& part : placeholder.path) name += (name.empty() ? "" : ".") + part;
  return name;
}

using RenderedValue = Result<std::optional<Value>, MissingParameter>;

/// What a table of the profile has for a value.
RenderedValue word_for(const Value& value, const std::string& table,
                       const TemplateContext& context) {
  const std::string key = text_of_value(value);
  const auto words = context.words.find(table);
  if (words != context.words.end()) {
    const auto word = words->second.find(key);
    if (word != words->second.end()) return std::optional<Value>(word->second);
  }
  return unexpected(
      MissingParameter{fmt::format("a word for {} in vocabulary.words.{}", key, table)});
}

/// The value that a placeholder names, or nothing where some part of its path is absent and may be.
RenderedValue lookup(const Placeholder& placeholder, const TemplateContext& context) {
  const bool of_item = placeholder.path.front() == "item" && context.item;
  const Value* value = of_item ? member_of(context.item, placeholder)
                               : find_parameter(context.parameters, placeholder);
  if (!value && !placeholder.may_be_absent)
    return unexpected(MissingParameter{name_of(placeholder)});
  if (!value) return std::optional<Value>();
  if (placeholder.filter == Placeholder::Filter::words) {
    return word_for(*value, placeholder.table, context);
  }
  return std::optional<Value>(filtered(*value, placeholder.filter, context));
}

RenderedValue render_string(const std::string& text, const TemplateContext& context) {
  const std::optional<TemplateText> parts = parse_template(text);
  const bool whole =
      parts && parts->size() == 1 && std::holds_alternative<Placeholder>(parts->front());
  if (whole) return lookup(std::get<Placeholder>(parts->front()), context);
  auto rendered = render_text(text, context, Encoding::plain);
  if (!rendered.has_value()) return unexpected(std::move(rendered).error());
  auto& result = *rendered;
  if (!result) return std::optional<Value>();
  return std::optional<Value>(*std::move(result));
}

RenderedValue render_list(const List& list, const TemplateContext& context) {
  List result;
  for (const Value& element : list) {
    RenderedValue rendered = render_value(element, context);
    if (!rendered.has_value()) return rendered;
    auto& value = *rendered;
    if (value) result.push_back(*std::move(value));
  }
  return std::optional<Value>(std::move(result));
}

/// What for_each and when name.
std::optional<Value> named(const Value& name, const TemplateContext& context) {
  auto path = parse_path(name.as_string());
  if (!path) return std::nullopt;
  path->may_be_absent = true;
  return lookup(*path, context).value();
}

RenderedValue render_for_each(const Value& name, const Value& give,
                              const TemplateContext& context) {
  const std::optional<Value> list = named(name, context);
  if (!list || !list->is_list()) return unexpected(MissingParameter{name.as_string()});
  List result;
  for (const Value& item : list->as_list()) {
    const TemplateContext inner{context.parameters, &item, context.state_spelling, context.words};
    RenderedValue rendered = render_value(give, inner);
    if (!rendered.has_value()) return rendered;
    auto& value = *rendered;
    if (value) result.push_back(*std::move(value));
  }
  return std::optional<Value>(std::move(result));
}

/// Positive and beyond 2^53: a number as targets give to things.
std::int64_t number_of(std::string_view text) {
  return static_cast<std::int64_t>((digest_of(text) >> 2U) | (std::uint64_t{1} << 61U));
}

RenderedValue render_first(const List& choices, const TemplateContext& context) {
  for (const Value& choice : choices) {
    RenderedValue rendered = render_value(choice, context);
    if (!rendered.has_value()) return rendered;
    if (rendered->has_value()) return rendered;
  }
  return std::optional<Value>();
}

RenderedValue render_joined(const List& parts, const TemplateContext& context) {
  List result;
  for (const Value& part : parts) {
    RenderedValue rendered = render_value(part, context);
    if (!rendered.has_value()) return rendered;
    auto& value = *rendered;
    if (!value) continue;
    if (!value->is_list()) {
      result.push_back(*std::move(value));
      continue;
    }
    for (const Value& element : value->as_list()) result.push_back(element);
  }
  return std::optional<Value>(std::move(result));
}

RenderedValue render_made(bool as_number, const Value& inner, const TemplateContext& context) {
  RenderedValue rendered = render_value(inner, context);
  if (!rendered.has_value()) return rendered;
  const auto& value = *rendered;
  if (!value) return std::optional<Value>();
  if (!as_number) return std::optional<Value>(to_json(*value));
  return std::optional<Value>(number_of(text_of_value(*value)));
}

RenderedValue render_construct(const ConstructIn<Value>& part, const TemplateContext& context) {
  switch (part.construct) {
    case Construct::for_each:
      return render_for_each(*part.name, *part.given, context);
    case Construct::when:
      if (!named(*part.name, context)) return std::optional<Value>();
      return render_value(*part.given, context);
    case Construct::first_of:
      return render_first(part.given->as_list(), context);
    case Construct::list_of:
      return render_joined(part.given->as_list(), context);
    case Construct::json_of:
    case Construct::number_of:
      break;
  }
  return render_made(part.construct == Construct::number_of, *part.given, context);
}

RenderedValue render_object(const Value& object, const TemplateContext& context) {
  const auto construct = construct_of(object);
  const bool is_named = construct && (construct->name == nullptr || construct->name->is_string());
  if (is_named) return render_construct(*construct, context);
  Object result;
  for (const auto& [name, member] : object.as_object()) {
    RenderedValue rendered = render_value(member, context);
    if (!rendered.has_value()) return rendered;
    auto& value = *rendered;
    if (value) result.insert_or_assign(name, *std::move(value));
  }
  return std::optional<Value>(std::move(result));
}

}  // namespace

std::vector<std::string> filter_names() {
  std::vector<std::string> names;
  for (const FilterWord& each : filter_words) names.emplace_back(each.word);
  return names;
}

std::string text_of_value(const Value& value) {
  return value.is_string() ? value.as_string() : to_json(value);
}

std::optional<Placeholder> parse_path(std::string_view text) {
  Placeholder placeholder;
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view name = text.substr(0, dot);
    if (name.empty() || name.find_first_not_of(name_characters) != std::string_view::npos) {
      return std::nullopt;
    }
    placeholder.path.emplace_back(name);
    if (dot == std::string_view::npos) return placeholder;
    text.remove_prefix(dot + 1);
  }
}

const Value* find_parameter(const Object& parameters, const Placeholder& path) {
  const auto found = parameters.find(path.path.front());
  return found == parameters.end() ? nullptr : member_of(&found->second, path);
}

std::optional<TemplateText> parse_template(std::string_view text) {
  TemplateText parts;
  std::string literal;
  while (true) {
    const std::size_t open = text.find("${");
    if (open == std::string_view::npos) break;
    if (open > 0 && text[open - 1] == '$') {
      literal.append(text.substr(0, open - 1)).append("${");
      text.remove_prefix(open + 2);
      continue;
    }
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return std::nullopt;
    auto placeholder = parse_placeholder(text.substr(open + 2, close - open - 2));
    if (!placeholder) return std::nullopt;
    literal.append(text.substr(0, open));
    if (!literal.empty()) parts.emplace_back(std::exchange(literal, {}));
    parts.emplace_back(*std::move(placeholder));
    text.remove_prefix(close + 1);
  }
  literal.append(text);
  if (!literal.empty()) parts.emplace_back(std::move(literal));
  return parts;
}

Result<std::optional<std::string>, MissingParameter> render_text(std::string_view text,
                                                                 const TemplateContext& context,
                                                                 Encoding encoding) {
  const std::optional<TemplateText> parts = parse_template(text);
  if (!parts) return std::optional<std::string>(text);
  std::string result;
  for (const auto& part : *parts) {
    if (const auto* literal = std::get_if<std::string>(&part)) {
      result += *literal;
      continue;
    }
    RenderedValue found = lookup(std::get<Placeholder>(part), context);
    if (!found.has_value()) return unexpected(std::move(found).error());
    const auto& value = *found;
    if (!value) return std::optional<std::string>();
    const std::string shown = text_of_value(*value);
    result += encoding == Encoding::percent ? percent_encoded(shown) : shown;
  }
  return std::optional<std::string>(std::move(result));
}

Result<std::optional<Value>, MissingParameter> render_value(const Value& value,
                                                            const TemplateContext& context) {
  if (value.is_string()) return render_string(value.as_string(), context);
  if (value.is_list()) return render_list(value.as_list(), context);
  if (value.is_object()) return render_object(value, context);
  return std::optional<Value>(value);
}

}  // namespace assay::wire
