#include "cli/partial_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cli/audit_options.h"
#include "cli/suite.h"
#include "cli/usage_error.h"
#include "harness/audit/audit_record.h"
#include "harness/run/shard.h"
#include "harness/wire/record.h"

namespace assay::cli {
namespace {

/// What the header of a partial record says among its selection: "partition=2/3".
constexpr std::string_view partition_word = "partition=";

/// "2/3"; empty where it is no partial record.
std::string partition_of(const core::RunRecord& record) {
  for (const std::string& word : record.header.selection) {
    if (word.starts_with(partition_word)) return word.substr(partition_word.size());
  }
  return "";
}

std::vector<std::string> whole_selection(const core::RunRecord& record) {
  std::vector<std::string> words = record.header.selection;
  std::erase_if(words, [](const std::string& word) { return word.starts_with(partition_word); });
  return words;
}

audit::PartialAudit load_partial(const std::string& path) {
  auto read = audit::read_partial(read_file(path, most_record_bytes), path);
  if (!read) throw UsageError(std::vector{read.error()});
  return *std::move(read);
}

/// Why the second is no partition of the log of the first; empty: it is one.
std::string partition_mismatch(const core::RunRecord& first, const core::RunRecord& second) {
  const auto tell = [](std::string_view what, const std::string& left, const std::string& right) {
    return left == right ? "" : fmt::format("another {}: {}, not {}", what, right, left);
  };
  if (!is_partial(second)) return "no record of a partition, as the first is";
  if (!second.footer) return "cut short";
  const core::RecordHeader& left = first.header;
  const core::RecordHeader& right = second.header;
  for (const std::string& text :
       {tell("version of assay", left.assay_version, right.assay_version),
        tell("set of rules", left.suite_digest, right.suite_digest),
        tell("profile", left.profile, right.profile),
        tell("profile text", left.profile_digest, right.profile_digest),
        tell("log", left.target, right.target), tell("label", left.label, right.label)}) {
    if (!text.empty()) return text;
  }
  return whole_selection(first) == whole_selection(second)
             ? ""
             : "another selection of events or clauses";
}

/// What a partition that is missing, or is there twice, would have shown is not known.
void check_partitions(std::span<const check::NamedRecord> partials,
                      std::vector<std::string>& problems) {
  std::map<std::size_t, std::string> names;
  std::optional<run::Shard> first;
  for (const check::NamedRecord& each : partials) {
    const std::string word = partition_of(each.record);
    if (word.empty()) continue;
    const auto partition = run::shard_from_text(word);
    if (!partition || (first && partition->count != first->count)) {
      problems.push_back(fmt::format("{}: partition {}, expected one of {}", each.name, word,
                                     first ? first->count : 0));
      continue;
    }
    if (!first) first = partition;
    const auto [known, is_new] = names.emplace(partition->number, each.name);
    if (!is_new) {
      problems.push_back(fmt::format("{}: partition {} comes twice, {} is it too", each.name, word,
                                     known->second));
    }
  }
  for (std::size_t number = 1; first && number <= first->count; ++number) {
    if (names.contains(number)) continue;
    problems.push_back(fmt::format("partition {}/{} is missing", number, first->count));
  }
}

}  // namespace

std::string partial_record_text(core::RunRecord record, const std::string& partition,
                                const audit::PartialAudit& partial) {
  record.header.selection.push_back(std::string(partition_word) + partition);
  return wire::record_line(record.header) + audit::partial_line(partial) +
         wire::record_line(*record.footer);
}

bool is_partial(const core::RunRecord& record) { return !partition_of(record).empty(); }

check::Merged merge_partitions(std::span<const check::NamedRecord> partials, Terminal& terminal) {
  std::vector<std::string> problems;
  core::RunRecord whole;
  whole.header = partials.front().record.header;
  whole.header.selection = whole_selection(partials.front().record);
  core::RecordFooter& footer = whole.footer.emplace();
  audit::PartialAudit sum;
  check_partitions(partials, problems);
  for (const check::NamedRecord& each : partials) {
    const std::string problem = partition_mismatch(partials.front().record, each.record);
    if (!problem.empty()) {
      problems.push_back(fmt::format("{}: {}", each.name, problem));
      continue;
    }
    audit::PartialAudit partial = load_partial(each.name);
    sum.result.add(partial.result);
    sum.rules = partial.rules;
    sum.sources = std::move(partial.sources);
    sum.command = std::move(partial.command);
    whole.header.started_at = std::min(whole.header.started_at, each.record.header.started_at);
    footer.duration_ms = std::max(footer.duration_ms, each.record.footer->duration_ms);
  }
  whole.cases = audit::cases_of(sum.result, sum.rules, sum.sources, sum.command);
  footer.cases = whole.cases.size();
  if (!problems.empty()) return unexpected(std::move(problems));
  say_what_was_read(sum.result, terminal);
  return whole;
}

}  // namespace assay::cli
