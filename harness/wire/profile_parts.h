#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/profile.h"
#include "harness/wire/map_reader.h"
#include "harness/wire/profile_reader.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// What the parts of the profile reader share while they read one file.
struct ProfileScope {
  Problems& problems;
  const EnvironmentLookup& environment;
  /// Vocabulary that mappings refer to by `spelling: events` and `spelling: states`.
  const core::Profile& profile;
  /// What the environment gave so far.
  std::vector<std::string>& environment_values;
  /// What the profile's setup captures, and its login.
  std::vector<std::string> setup_names = {};
  std::vector<std::string> login_names = {};
  /// What `of` may name: captures of the operation that is read.
  std::vector<std::string> captured = {};
  /// The operation that is read goes through the adapter.
  bool is_adapted = false;
  /// A template names what is made for each call.
  bool makes_values = false;
};

/// A text with each ${env:NAME} replaced, by the value itself or as `written` gives it. Reports a
/// variable that is not set.
[[nodiscard]] std::string with_environment(
    const YamlNode& at, const std::string& text, ProfileScope& scope,
    std::string (*written)(std::string_view value) = nullptr);
[[nodiscard]] std::string with_environment(const YamlNode& node, ProfileScope& scope);

/// A mapping of texts; null counts as the empty text where `null_is_none`.
void read_words(const YamlNode& node, std::string_view what, bool null_is_none,
                std::map<std::string, std::string, std::less<>>& into, Problems& problems);

/// vocabulary: of a profile.
void read_vocabulary(const YamlNode& node, core::Profile& profile, Problems& problems);

/// A value that is no template, so that a template has it as it is.
[[nodiscard]] std::string literal(std::string_view value);

/// headers: of a profile or an operation; templates.
[[nodiscard]] std::vector<core::Header> read_headers(const YamlNode& node, ProfileScope& scope);

/// read: of an operation, or of what a request captures.
[[nodiscard]] core::Mapping read_mapping(const YamlNode& node, ProfileScope& scope);

[[nodiscard]] std::string read_pointer(const YamlNode& node, ProfileScope& scope);

/// The keys of a condition among those of a mapping: at with is, exists …; and, or, not.
[[nodiscard]] core::Condition read_condition(MapReader& map, const YamlNode& node,
                                             ProfileScope& scope);

/// A regular expression; reports one that is none.
[[nodiscard]] std::string read_text_pattern(const YamlNode& node, ProfileScope& scope);

/// What a template may name, and which of these may be absent.
struct TemplateNames {
  /// For messages: "executions.start".
  std::string of;
  std::vector<std::string> known;
  std::vector<std::string> optional;
  /// Under for_each: `item` is an event.
  bool item_is_event = false;
};

/// setup, mark, and what is made for each call.
[[nodiscard]] std::vector<std::string> names_of_every_template();

/// Checks the headers that a mapping has been read to; they may also name what login captured.
void check_header_templates(const YamlNode& node, const std::vector<core::Header>& headers,
                            TemplateNames names, ProfileScope& scope);

/// A parameter, or a member of one (name.member), as `when:` and `for_each:` have it.
[[nodiscard]] std::string read_path(const YamlNode& node, const TemplateNames& names,
                                    ProfileScope& scope);

/// request, query, headers, body (or text or form) and answers of an operation or a hook.
void read_request(MapReader& map, const YamlNode& node, core::RequestTemplate& form,
                  const TemplateNames& names, ProfileScope& scope);

/// answers: json, text or none.
void read_answer_form(const YamlNode& node, core::RequestTemplate& form, ProfileScope& scope);

/// body: of either.
void read_body(MapReader& map, core::RequestTemplate& form, const TemplateNames& names,
               ProfileScope& scope);

/// A list of hooks; what one captures, the next may name, and so may who comes after `names`.
[[nodiscard]] std::vector<core::Hook> read_hooks(const YamlNode& node, TemplateNames& names,
                                                 ProfileScope& scope);

/// cleanup: of a profile.
[[nodiscard]] std::map<std::string, core::Hook, std::less<>> read_cleanup(const YamlNode& node,
                                                                          ProfileScope& scope);

/// One entry of operations:, checked against the operation's shape.
[[nodiscard]] core::OperationTemplate read_operation(std::string_view name, const YamlNode& node,
                                                     ProfileScope& scope);

/// The events by which the harness plays a step run.
[[nodiscard]] std::vector<Value> read_worker(const YamlNode& node, ProfileScope& scope);

}  // namespace assay::wire
