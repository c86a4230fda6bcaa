#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/clause_table.h"
#include "harness/core/pattern.h"
#include "harness/core/scenario.h"
#include "harness/wire/map_reader.h"
#include "harness/wire/yaml.h"

namespace assay::wire {

/// What the parts of the scenario reader share while they read one file: the names that are known
/// at this point of the script, and what has been proven so far.
class ScenarioScope {
 public:
  ScenarioScope(Problems& problems, const core::ClauseTable& clauses)
      : problems_(problems), clauses_(clauses) {}

  [[nodiscard]] Problems& problems() { return problems_; }

  /// Makes ${name} known; reports a name that is malformed, reserved or taken.
  void declare_variable(const YamlNode& at, const std::string& name);
  /// Makes ${name} known from here on; the same name may be captured again.
  void declare_capture(const YamlNode& at, const std::string& name);
  /// Makes ${id:NAME} and `on: NAME` known.
  void declare_subject(const std::string& name);
  /// Reports a subject that nothing has named so far.
  void check_subject(const YamlNode& at, const std::string& name);

  /// Reports each ${…} of the text that is malformed or names nothing.
  void check_placeholders(const YamlNode& at, std::string_view text);

  /// Whether the node is a text that is one ${name}; the name is checked.
  [[nodiscard]] bool is_variable(const YamlNode& node);

  /// The JSON value of a node whose texts may have ${…}. Two tags make long texts:
  /// !repeat [text, times] and !join [text, …].
  [[nodiscard]] Value literal(const YamlNode& node);

  /// clause: and clauses: of a step or check; reports unknown ones and ones that the scenario does
  /// not list.
  [[nodiscard]] std::vector<std::string> read_clauses(MapReader& map);
  /// Notes that a check proves these; none: all of the scenario's.
  void prove(const std::vector<std::string>& clauses);
  /// The scenario's own list.
  void list_clauses(const YamlNode& node, std::vector<std::string>& into);
  /// Reports a scenario without a check, and listed clauses that no check proves.
  void check_proven(const YamlNode& root);

  /// ${i} is known while the returned guard lives.
  class Repeating {
   public:
    explicit Repeating(ScenarioScope& scope) : scope_(scope) { ++scope_.repeats_; }
    Repeating(const Repeating&) = delete;
    Repeating& operator=(const Repeating&) = delete;
    ~Repeating() { --scope_.repeats_; }

   private:
    ScenarioScope& scope_;
  };

 private:
  void check_placeholder(const YamlNode& at, std::string_view name);
  void check_filler(const YamlNode& at, std::string_view digits);
  void check_clause(const YamlNode& at, const std::string& id);
  [[nodiscard]] std::string long_text(const YamlNode& node);
  [[nodiscard]] std::vector<std::string> known_names() const;

  Problems& problems_;
  const core::ClauseTable& clauses_;
  std::set<std::string, std::less<>> variables_;
  std::set<std::string, std::less<>> subjects_ = {"main"};
  /// A subject was named by a text with ${…}: then any name may be one.
  bool dynamic_subjects_ = false;
  int repeats_ = 0;
  std::size_t checks_ = 0;
  std::size_t long_text_bytes_ = 0;
  std::vector<std::pair<std::string, const YamlNode*>> listed_;
  std::set<std::string, std::less<>> proven_;
};

/// What a scenario expects of a value.
[[nodiscard]] core::Pattern read_pattern(const YamlNode& node, ScenarioScope& scope);
[[nodiscard]] std::vector<core::Pattern> read_patterns(const YamlNode& node, ScenarioScope& scope);

/// response: of a step or read.
[[nodiscard]] core::AnswerPattern read_answer_pattern(const YamlNode& node, ScenarioScope& scope);

/// expect: (or never:) of a step.
[[nodiscard]] core::Expect read_expect(const YamlNode& node, bool never, ScenarioScope& scope);

/// post: of a step.
[[nodiscard]] core::Post read_post(const YamlNode& node, ScenarioScope& scope);

/// The parameters of an operation, checked against its shape. `subject_given`: the step's `on`
/// names the subject, so that its parameter is not expected here.
[[nodiscard]] Object read_parameters(const YamlNode& node, std::string_view operation,
                                     bool subject_given, ScenarioScope& scope);

/// needs: of a scenario or a step.
[[nodiscard]] std::vector<std::string> read_needs(MapReader& map, Problems& problems);

[[nodiscard]] std::vector<core::Step> read_steps(const YamlNode& node, ScenarioScope& scope);

}  // namespace assay::wire
