#include "harness/wire/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <utility>

#include "harness/wire/json.h"
#include "harness/wire/yaml.h"

namespace assay::wire {
namespace {

/// Of members in one another, and of fields in one body: more than a profile reads.
constexpr int most_schema_levels = 4;
constexpr std::size_t most_fields = 400;
constexpr int most_references = 16;
constexpr std::size_t most_calls = 5'000;
/// Airflow's document has 700 KB, Conductor's 500.
constexpr YamlLimits document_limits = {std::size_t{16} * 1024 * 1024, 128, 1'000'000};

constexpr std::array<std::string_view, 6> call_methods = {"get",    "put",   "post",
                                                          "delete", "patch", "head"};

const Value no_member;

const Value& member(const Value& value, std::string_view key) {
  const Value* found = value.find(key);
  return found == nullptr ? no_member : *found;
}

std::string text_at(const Value& value, std::string_view key) {
  return value.string_at(key).value_or("");
}

/// The document while it is read.
class DocumentReader {
 public:
  explicit DocumentReader(const Value& root) : root_(root) {}

  [[nodiscard]] ApiDocument document() const {
    ApiDocument result;
    result.title = text_at(member(root_, "info"), "title");
    result.version = text_at(member(root_, "info"), "version");
    result.base_url = base_url();
    const Value& paths = member(root_, "paths");
    if (!paths.is_object()) return result;
    for (const auto& [path, item] : paths.as_object()) {
      // A path begins with a slash (OpenAPI 3, Paths Object), and no request line can have a blank;
      // "${" would ask a profile to fill something in.
      const bool has_blank = std::any_of(path.begin(), path.end(), [](unsigned char letter) {
        return letter <= ' ' || letter == 0x7F;
      });
      if (path.starts_with('/') && !has_blank && path.find("${") == std::string::npos)
        add_calls(path, resolved(item), result);
    }
    return result;
  }

 private:
  /// What a chain of references leads to.
  [[nodiscard]] const Value& resolved(const Value& value) const {
    const Value* at = &value;
    for (int count = 0; count < most_references; ++count) {
      const auto reference = at->string_at("$ref");
      if (!reference) return *at;
      if (!reference->starts_with("#/")) return no_member;
      const Value* next = root_.at_pointer(std::string_view(*reference).substr(1));
      if (next == nullptr) return no_member;
      at = next;
    }
    return no_member;
  }

  [[nodiscard]] std::string base_url() const {
    const Value* first = root_.at_pointer("/servers/0");
    std::string url = first == nullptr ? "" : text_at(*first, "url");
    const std::string host = text_at(root_, "host");
    if (url.empty() && !host.empty()) url = "http://" + host;
    url += text_at(root_, "basePath");
    while (url.ends_with('/')) url.pop_back();
    return url;
  }

  void add_calls(const std::string& path, const Value& item, ApiDocument& into) const {
    for (const std::string_view method : call_methods) {
      const Value& described = member(item, method);
      if (!described.is_object() || into.calls.size() == most_calls) continue;
      ApiCall call;
      call.method = method;
      std::transform(call.method.begin(), call.method.end(), call.method.begin(),
                     [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
      call.path = path;
      add_parameters(member(item, "parameters"), call);
      add_parameters(member(described, "parameters"), call);
      add_body(json_schema(resolved(member(described, "requestBody"))), call);
      add_answer(member(described, "responses"), call);
      into.calls.push_back(std::move(call));
    }
  }

  void add_parameters(const Value& parameters, ApiCall& call) const {
    if (!parameters.is_list()) return;
    for (const Value& each : parameters.as_list()) {
      const Value& parameter = resolved(each);
      const std::string where = text_at(parameter, "in");
      if (where == "body") add_body(member(parameter, "schema"), call);
      if (where != "query") continue;
      const Value& schema = resolved(member(parameter, "schema"));
      ApiField field =
          field_of(text_at(parameter, "name"), "", schema.is_null() ? parameter : schema);
      field.is_required = member(parameter, "required") == Value(true);
      call.query.push_back(std::move(field));
    }
  }

  void add_body(const Value& schema, ApiCall& call) const {
    std::vector<ApiList> lists;
    collect(schema, "", 0, call.body, lists);
  }

  void add_answer(const Value& responses, ApiCall& call) const {
    if (!responses.is_object()) return;
    bool is_found = false;
    for (const auto& [code, each] : responses.as_object()) {
      int status = 0;
      const auto end = code.data() + code.size();
      if (std::from_chars(code.data(), end, status).ptr != end) continue;
      call.statuses.push_back(status);
      if (status < 200 || status > 299 || is_found) continue;
      const Value& response = resolved(each);
      const Value& own = member(response, "schema");
      const Value& schema = own.is_null() ? json_schema(response) : own;
      is_found = !schema.is_null();
      collect(schema, "", 0, call.answer, call.lists);
    }
  }

  /// Of the first media type that is JSON.
  [[nodiscard]] static const Value& json_schema(const Value& holder) {
    const Value& content = member(holder, "content");
    if (!content.is_object()) return no_member;
    for (const auto& [type, media] : content.as_object()) {
      if (type.find("json") != std::string::npos || type == "*/*") return member(media, "schema");
    }
    return no_member;
  }

  [[nodiscard]] ApiField field_of(std::string name, std::string pointer,
                                  const Value& schema) const {
    ApiField field{std::move(name), std::move(pointer), {}, false, nullptr, ""};
    add_words(schema, 0, field);
    for (const char* key : {"example", "default"}) {
      if (field.example.is_null()) field.example = member(schema, key);
    }
    return field;
  }

  /// The words of an enum, also of one that stands under anyOf beside null.
  void add_words(const Value& schema, int level, ApiField& field) const {
    if (level > most_schema_levels) return;
    if (field.type.empty()) field.type = text_at(schema, "type");
    const Value& words = member(schema, "enum");
    if (words.is_list()) {
      for (const Value& word : words.as_list()) {
        if (word.is_string()) field.words.push_back(word.as_string());
      }
    }
    for (const char* key : {"allOf", "anyOf", "oneOf"}) {
      const Value& parts = member(schema, key);
      if (!parts.is_list()) continue;
      for (const Value& part : parts.as_list()) add_words(resolved(part), level + 1, field);
    }
  }

  void collect(const Value& unresolved, const std::string& pointer, int level,
               std::vector<ApiField>& fields, std::vector<ApiList>& lists) const {
    const Value& schema = resolved(unresolved);
    if (level > most_schema_levels || fields.size() > most_fields) return;
    for (const char* key : {"allOf", "anyOf", "oneOf"}) {
      const Value& parts = member(schema, key);
      if (!parts.is_list()) continue;
      for (const Value& part : parts.as_list()) collect(part, pointer, level + 1, fields, lists);
    }
    if (text_at(schema, "type") == "array") {
      ApiList list{pointer, {}};
      std::vector<ApiList> inner;
      collect(member(schema, "items"), "", level + 1, list.fields, inner);
      lists.push_back(std::move(list));
      return;
    }
    const Value& properties = member(schema, "properties");
    if (!properties.is_object()) return;
    const Value& required = member(schema, "required");
    for (const auto& [name, each] : properties.as_object()) {
      const Value& property = resolved(each);
      ApiField field = field_of(name, pointer + "/" + escape_pointer_token(name), property);
      field.is_required =
          required.is_list() && std::find(required.as_list().begin(), required.as_list().end(),
                                          Value(name)) != required.as_list().end();
      const std::string inner = field.pointer;
      fields.push_back(std::move(field));
      collect(property, inner, level + 1, fields, lists);
    }
  }

  const Value& root_;
};

}  // namespace

Result<ApiDocument, core::Diagnostic> read_openapi(std::string_view text,
                                                   const std::string& file_name) {
  Value root;
  auto json = parse_json(text);
  if (json) {
    root = *std::move(json);
  } else {
    auto yaml = read_yaml(text, file_name, document_limits);
    if (!yaml) return unexpected(std::move(yaml).error());
    root = to_value(*yaml);
  }
  const bool is_openapi = root.find("openapi") != nullptr || root.find("swagger") != nullptr;
  if (!is_openapi || !member(root, "paths").is_object()) {
    return unexpected(
        core::Diagnostic{{file_name, 1, 1},
                         "is not an OpenAPI document: it has no \"openapi\" (or \"swagger\") with "
                         "\"paths\""});
  }
  return DocumentReader(root).document();
}

}  // namespace assay::wire
