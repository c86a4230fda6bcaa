#include "harness/core/case_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <set>

#include "base/digest.h"

namespace assay::core {
namespace {

/// Of a row's name: an id must fit on a line, and into a file's name.
constexpr std::size_t limit_name_bytes = 60;

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }

/// Letters, digits and signs stay as they are, but for those that mean something in a glob or in an
/// id; a byte beyond ASCII is written in hexadecimal, any other is "_".
std::string plain(std::string_view text) {
  constexpr std::string_view signs = "._-+:=,/@%{}()<>!~";
  std::string name;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
    if (is_letter || is_digit(letter) || signs.find(letter) != std::string_view::npos) {
      name += letter;
    } else if (byte >= 0x80) {
      name += fmt::format("{:02x}", byte);
    } else {
      name += '_';
    }
  }
  return name;
}

std::string cut(std::string name) {
  if (name.size() <= limit_name_bytes) return name;
  const auto whole = static_cast<std::uint32_t>(digest_of(name));
  return fmt::format("{}~{:08x}", name.substr(0, limit_name_bytes), whole);
}

std::string scalar_name(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  if (value.is_double()) return fmt::format("{}", value.as_double());
  if (const auto whole = value.to_int64()) return std::to_string(*whole);
  if (const auto large = value.large_unsigned()) return std::to_string(*large);
  return value.as_string().empty() ? "empty" : plain(value.as_string());
}

/// All of a value: "{node=a,type=step.enter}", "(a,b)".
std::string whole_name(const Value& value) {
  std::string inner;
  if (value.is_object()) {
    for (const auto& [key, member] : value.as_object()) {
      inner += fmt::format("{}{}={}", inner.empty() ? "" : ",", plain(key), whole_name(member));
    }
    return fmt::format("{{{}}}", inner);
  }
  if (value.is_list()) {
    bool is_first = true;
    for (const Value& element : value.as_list()) {
      inner += fmt::format("{}{}", is_first ? "" : ",", whole_name(element));
      is_first = false;
    }
    return fmt::format("({})", inner);
  }
  return scalar_name(value);
}

/// An event is known by its type.
std::string short_name(const Value& value) {
  const std::optional<std::string> type = value.string_at("type");
  return type && !type->empty() ? plain(*type) : whole_name(value);
}

template <typename NameOf>
std::string row_name(const std::vector<std::pair<std::string, std::vector<Value>>>& matrix,
                     std::size_t row, const NameOf& name_of) {
  std::string name;
  for (const auto& [column, values] : matrix) {
    name += fmt::format("{}{}", name.empty() ? "" : "-", name_of(values.at(row)));
  }
  if (std::all_of(name.begin(), name.end(), is_digit)) {
    name = fmt::format("{}={}", plain(matrix.front().first), name);
  }
  return cut(std::move(name));
}

}  // namespace

std::vector<std::string> row_names(
    const std::vector<std::pair<std::string, std::vector<Value>>>& matrix) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  const std::size_t rows = matrix.empty() ? 0 : matrix.front().second.size();
  for (std::size_t row = 0; row < rows; ++row) {
    std::string name = row_name(matrix, row, short_name);
    if (taken.contains(name)) name = row_name(matrix, row, whole_name);
    const std::string base = name;
    for (int number = 2; !taken.insert(name).second; ++number) {
      name = fmt::format("{}~{}", base, number);
    }
    names.push_back(std::move(name));
  }
  return names;
}

std::optional<std::string> id_of_index(std::string_view id, std::span<const std::string> ids) {
  const std::string_view scenario = scenario_of_id(id);
  if (scenario.size() == id.size()) return std::nullopt;
  const std::string_view digits = id.substr(scenario.size() + 1, id.size() - scenario.size() - 2);
  std::size_t row = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), row);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  const std::string* found = nullptr;
  for (const std::string& each : ids) {
    if (each == id) return std::nullopt;
    if (each.size() == scenario.size() || scenario_of_id(each) != scenario) continue;
    if (row-- == 0) found = &each;
  }
  if (found == nullptr) return std::nullopt;
  return *found;
}

std::string_view scenario_of_id(std::string_view case_id) {
  if (case_id.empty() || case_id.back() != ']') return case_id;
  return case_id.substr(0, case_id.find('['));
}

}  // namespace assay::core
