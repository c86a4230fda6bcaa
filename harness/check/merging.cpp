#include "harness/check/merging.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace assay::check {
namespace {

using core::LayerCoverage;
using core::RecordHeader;
using core::RunRecord;

/// What follows `prefix` in one of the words; empty where none begins so.
std::string word_after(const std::vector<std::string>& words, std::string_view prefix) {
  for (const std::string& word : words) {
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  }
  return "";
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// The selection that the shards were made of.
std::vector<std::string> whole_selection(std::vector<std::string> words) {
  std::erase_if(words, [](const std::string& word) {
    return word.starts_with(shard_word) || word.starts_with(cases_word);
  });
  return words;
}

/// A server that was started for its shard is where it happened to be: what it says of itself
/// tells it from others.
std::string target_of(const RecordHeader& header) {
  return header.target_identity.empty() ? header.target : header.target_identity;
}

struct Part {
  std::string_view what;
  std::string first;
  std::string second;
};

std::string policy_of(const RecordHeader& header) {
  return header.flaky.empty() ? "no retries" : header.flaky;
}

std::vector<Part> parts_of(const RecordHeader& first, const RecordHeader& second) {
  return {{"version of assay", first.assay_version, second.assay_version},
          {"suite", first.suite_digest, second.suite_digest},
          {"profile", first.profile, second.profile},
          {"profile text", first.profile_digest, second.profile_digest},
          {"seed", std::to_string(first.seed), std::to_string(second.seed)},
          {"target", target_of(first), target_of(second)},
          {"--flaky policy", policy_of(first), policy_of(second)},
          {"number of cases", word_after(first.selection, cases_word),
           word_after(second.selection, cases_word)}};
}

void check_alike(const NamedRecord& first, const NamedRecord& second,
                 std::vector<std::string>& problems) {
  for (const Part& part : parts_of(first.record.header, second.record.header)) {
    if (part.first == part.second) continue;
    problems.push_back(fmt::format("{}: another {} than {}: {}, not {}", second.name, part.what,
                                   first.name, part.second, part.first));
  }
  if (whole_selection(first.record.header.selection) !=
      whole_selection(second.record.header.selection)) {
    problems.push_back(
        fmt::format("{}: another selection of cases than {}", second.name, first.name));
  }
}

void check_shards(std::span<const NamedRecord> shards, std::vector<std::string>& problems) {
  std::map<std::size_t, std::string> names;
  std::optional<std::size_t> count;
  for (const NamedRecord& each : shards) {
    const std::string word = word_after(each.record.header.selection, shard_word);
    if (!each.record.footer) {
      problems.push_back(
          fmt::format("{}: cut short after {} cases", each.name, each.record.cases.size()));
    }
    if (word.empty()) {
      problems.push_back(each.name + ": not the record of a shard (run with --shard I/N)");
      continue;
    }
    const std::size_t slash = word.find('/');
    const std::size_t number = number_in(word.substr(0, slash));
    const std::size_t of = number_in(word.substr(slash + 1));
    if (count && *count != of) {
      problems.push_back(
          fmt::format("{}: one of {} shards, others are of {}", each.name, of, *count));
      continue;
    }
    count = of;
    const auto [known, is_new] = names.emplace(number, each.name);
    if (!is_new) {
      problems.push_back(
          fmt::format("{}: shard {} comes twice, {} is it too", each.name, word, known->second));
    }
  }
  for (std::size_t number = 1; count && number <= *count; ++number) {
    if (!names.contains(number)) {
      problems.push_back(fmt::format("shard {}/{} is missing", number, *count));
    }
  }
}

void add_coverage(const std::vector<LayerCoverage>& from, std::vector<LayerCoverage>& into) {
  if (into.empty()) into = from;
  const auto add = [](const std::vector<std::string>& all, const std::vector<std::string>& seen,
                      std::vector<std::string>& known) {
    std::set<std::string> both(known.begin(), known.end());
    both.insert(seen.begin(), seen.end());
    known.clear();
    for (const std::string& name : all) {
      if (both.contains(name)) known.push_back(name);
    }
  };
  for (LayerCoverage& layer : into) {
    for (const LayerCoverage& other : from) {
      if (other.layer != layer.layer) continue;
      add(layer.states, other.states_seen, layer.states_seen);
      add(layer.transitions, other.transitions_seen, layer.transitions_seen);
      add(layer.attempts, other.attempts_seen, layer.attempts_seen);
    }
  }
}

/// The run ids of all shards, each once: run_ids_of takes them apart again.
std::string joined_run_ids(std::span<const NamedRecord> shards) {
  std::vector<std::string> ids;
  for (const NamedRecord& shard : shards) {
    const std::string& id = shard.record.header.run_id;
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
  }
  return fmt::format("{}", fmt::join(ids, "+"));
}

RunRecord join(std::span<const NamedRecord> shards, std::span<const std::string> ids,
               std::vector<std::string>& problems) {
  RunRecord whole;
  whole.header = shards.front().record.header;
  whole.header.selection = whole_selection(whole.header.selection);
  whole.header.run_id = joined_run_ids(shards);
  whole.header.baseline.clear();
  whole.header.baseline_digest.clear();
  core::RecordFooter footer;
  std::map<std::string, std::string> seen;
  for (const NamedRecord& shard : shards) {
    for (const auto& [run_id, captured] : shard.record.header.setup) {
      whole.header.setup.insert_or_assign(run_id, captured);
    }
    whole.header.started_at = std::min(whole.header.started_at, shard.record.header.started_at);
    for (core::CaseResult result : shard.record.cases) {
      const auto [known, is_new] = seen.emplace(result.id, shard.name);
      if (!is_new) {
        problems.push_back(
            fmt::format("{}: case {} is in {} too", shard.name, result.id, known->second));
      }
      result.expected_fail = false;
      result.unexpected_pass = false;
      result.baseline_reasons.clear();
      whole.cases.push_back(std::move(result));
    }
    if (!shard.record.footer) continue;
    for (const std::string& note : shard.record.footer->notes) {
      if (std::find(footer.notes.begin(), footer.notes.end(), note) == footer.notes.end()) {
        footer.notes.push_back(note);
      }
    }
    footer.duration_ms = std::max(footer.duration_ms, shard.record.footer->duration_ms);
    footer.required_coverage = shard.record.footer->required_coverage;
    add_coverage(shard.record.footer->coverage, footer.coverage);
  }
  std::map<std::string, std::size_t> order;
  for (const std::string& id : ids) order.emplace(id, order.size());
  const auto place = [&order, &ids](const core::CaseResult& result) {
    const auto found = order.find(result.id);
    return found == order.end() ? ids.size() : found->second;
  };
  std::stable_sort(
      whole.cases.begin(), whole.cases.end(),
      [&place](const auto& left, const auto& right) { return place(left) < place(right); });
  footer.cases = whole.cases.size();
  whole.footer = std::move(footer);
  return whole;
}

}  // namespace

std::vector<std::string> run_ids_of(const core::RecordHeader& header) {
  if (header.run_id.empty()) return {fmt::format("{:x}", header.seed)};
  std::vector<std::string> ids;
  std::string_view rest = header.run_id;
  for (std::size_t end = rest.find('+'); end != std::string_view::npos; end = rest.find('+')) {
    ids.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  ids.emplace_back(rest);
  return ids;
}

Merged merge_shards(std::span<const NamedRecord> shards, std::span<const std::string> ids) {
  if (shards.empty()) return RunRecord();
  std::vector<std::string> problems;
  for (const NamedRecord& each : shards.subspan(1)) check_alike(shards.front(), each, problems);
  check_shards(shards, problems);
  if (!problems.empty()) return unexpected(std::move(problems));
  RunRecord whole = join(shards, ids, problems);
  const std::string due = word_after(shards.front().record.header.selection, cases_word);
  if (problems.empty() && std::to_string(whole.cases.size()) != due) {
    problems.push_back(
        fmt::format("the shards have {} cases together, the run has {}", whole.cases.size(), due));
  }
  if (!problems.empty()) return unexpected(std::move(problems));
  return whole;
}

}  // namespace assay::check
