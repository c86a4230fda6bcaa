#include "cli/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <set>
#include <stdexcept>

#include "assay_embed/specification.h"
#include "cli/usage_error.h"
#include "harness/wire/map_reader.h"
#include "harness/wire/yaml.h"

namespace assay::cli {
namespace {

using wire::MapReader;
using wire::Problems;
using wire::YamlNode;

std::string_view embedded_text(std::string_view name) {
  for (const embed::File& file : embed::specification()) {
    if (file.path == name) return file.content;
  }
  throw std::logic_error(fmt::format("{} is not compiled in", name));
}

std::vector<std::string> clause_ids(const core::ClauseTable& clauses) {
  std::vector<std::string> ids;
  for (const core::Clause& clause : clauses.clauses()) ids.push_back(clause.id);
  return ids;
}

void check_clause(const YamlNode& at, const std::string& id, const core::ClauseTable& clauses,
                  Problems& problems) {
  if (clauses.find(id) == nullptr) problems.unknown_name(at, "clause", id, clause_ids(clauses));
}

/// Reads a document that is a list of mappings.
void read_entries(std::string_view text, const std::string& file,
                  std::vector<core::Diagnostic>& faults,
                  const std::function<void(const YamlNode&, Problems&)>& read_entry) {
  const auto document = wire::read_yaml(text, file);
  if (!document) {
    faults.push_back(document.error());
    return;
  }
  Problems problems(file);
  const auto& root = *document;
  if (!root.is_null()) {
    for (const YamlNode& entry : wire::items_of(root, "a list of entries", problems)) {
      read_entry(entry, problems);
    }
  }
  const std::vector<core::Diagnostic> found = problems.take();
  faults.insert(faults.end(), found.begin(), found.end());
}

}  // namespace

std::string as_clause_id(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

const core::ClauseTable& clause_table() {
  static const core::ClauseTable table(embedded_text("clauses.tsv"));
  return table;
}

std::vector<Interpretation> read_interpretations(std::string_view text, const std::string& file,
                                                 const core::ClauseTable& clauses,
                                                 std::vector<core::Diagnostic>& faults) {
  std::vector<Interpretation> all = wire::read_interpretations(text, file, faults);
  for (const Interpretation& entry : all) {
    for (const std::string& id : entry.clauses) {
      if (clauses.find(id) != nullptr) continue;
      faults.push_back({entry.at, unknown_name_text("clause", id, clause_ids(clauses))});
    }
  }
  return all;
}

std::vector<NotObservable> read_not_observable(std::string_view text, const std::string& file,
                                               const core::ClauseTable& clauses,
                                               std::vector<core::Diagnostic>& faults) {
  std::vector<NotObservable> all;
  read_entries(text, file, faults, [&](const YamlNode& node, Problems& problems) {
    NotObservable entry;
    entry.at = problems.position(node);
    MapReader map(node, "an entry", problems);
    map.required_text("clause", entry.clause);
    map.required_text("reason", entry.reason);
    map.text("part", entry.part);
    map.finish();
    check_clause(node, entry.clause, clauses, problems);
    all.push_back(std::move(entry));
  });
  return all;
}

std::vector<NotYetCovered> read_not_yet_covered(std::string_view text, const std::string& file,
                                                const core::ClauseTable& clauses,
                                                std::vector<core::Diagnostic>& faults) {
  std::vector<NotYetCovered> all;
  int number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++number;
    if (line.empty() || line.front() == '#') continue;
    const core::SourcePosition at{file, number, 1};
    if (clauses.find(line) == nullptr) {
      faults.push_back({at, fmt::format("unknown clause \"{}\"", line)});
    }
    all.push_back({at, line});
  }
  return all;
}

Specification embedded_specification() {
  const core::ClauseTable& clauses = clause_table();
  Specification all;
  const auto text = [](const char* name) { return embedded_text(name); };
  const auto file = [](const char* name) { return fmt::format("fixtures/spec/{}", name); };
  all.interpretations = read_interpretations(text("interpretations.yaml"),
                                             file("interpretations.yaml"), clauses, all.faults);
  all.not_observable = read_not_observable(text("not_observable.yaml"), file("not_observable.yaml"),
                                           clauses, all.faults);
  all.not_yet_covered = read_not_yet_covered(text("not_yet_covered.txt"),
                                             file("not_yet_covered.txt"), clauses, all.faults);
  return all;
}

}  // namespace assay::cli
