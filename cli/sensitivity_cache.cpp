#include "cli/sensitivity_cache.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "harness/wire/json.h"

namespace assay::cli {
namespace {

constexpr CacheFile::Kind sensitivity_files{
    .prefix = "sensitivity-", .most_files = 32, .most_bytes = std::size_t{16} << 20U};

/// The names of cases are long and come often: a list of them, and indices into it.
class Names {
 public:
  std::uint64_t index_of(const std::string& name) {
    const auto [at, is_new] = index_.try_emplace(name, names_.size());
    if (is_new) names_.emplace_back(name);
    return at->second;
  }
  List take() { return std::move(names_); }

 private:
  std::map<std::string, std::uint64_t> index_;
  List names_;
};

List indices_of(const std::set<std::string>& names, Names& all) {
  List indices;
  for (const std::string& name : names) indices.emplace_back(all.index_of(name));
  return indices;
}

std::optional<std::set<std::string>> names_of(const Value* indices, const List& all) {
  if (indices == nullptr || !indices->is_list()) return std::nullopt;
  std::set<std::string> names;
  for (const Value& each : indices->as_list()) {
    const std::optional<std::int64_t> at = each.to_int64();
    if (!at || *at < 0 || static_cast<std::uint64_t>(*at) >= all.size()) return std::nullopt;
    const Value& name = all[static_cast<std::size_t>(*at)];
    if (!name.is_string()) return std::nullopt;
    names.insert(name.as_string());
  }
  return names;
}

Value json_of(const Noticed& noticed) {
  Names names;
  Object faults;
  for (const auto& [fault, cases] : noticed.faults) {
    faults.insert_or_assign(fault, Object{{"caught", indices_of(cases.caught, names)},
                                          {"missed", indices_of(cases.missed, names)}});
  }
  return Object{{"cases", names.take()}, {"faults", std::move(faults)}};
}

std::optional<Noticed> noticed_of(const Value& json) {
  const Value* names = json.find("cases");
  const Value* faults = json.find("faults");
  if (names == nullptr || !names->is_list() || faults == nullptr || !faults->is_object()) {
    return std::nullopt;
  }
  Noticed noticed;
  for (const auto& [fault, cases] : faults->as_object()) {
    auto caught = names_of(cases.find("caught"), names->as_list());
    auto missed = names_of(cases.find("missed"), names->as_list());
    if (!caught || !missed) return std::nullopt;
    noticed.faults[fault] = {*std::move(caught), *std::move(missed)};
  }
  return noticed;
}

}  // namespace

SensitivityCache::SensitivityCache(const Terminal& terminal, bool is_used,
                                   std::string_view suite_digest, std::string_view profile_digest) {
  if (!is_used) return;
  file_ =
      CacheFile(terminal, sensitivity_files, fmt::format("{}\n{}", suite_digest, profile_digest));
}

Noticed SensitivityCache::load() const {
  const std::optional<std::string> text = file_.load();
  if (!text) return {};
  const auto json = wire::parse_json(*text);
  return json ? noticed_of(*json).value_or(Noticed()) : Noticed();
}

void SensitivityCache::store(const Noticed& noticed) const {
  file_.store(wire::to_json(json_of(noticed)) + "\n");
}

}  // namespace assay::cli
