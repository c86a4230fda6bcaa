#include "reference_impl/service/words.h"

#include <algorithm>

#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

char lower(char character) {
  return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a')
                                              : character;
}

std::string upper_case(std::string_view text) {
  std::string result(text);
  for (char& character : result) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  }
  return result;
}

}  // namespace

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

std::optional<std::string> word_filter(const Query& query, std::string_view name,
                                       const std::vector<std::string_view>& words) {
  const auto given = query.get(name);
  if (!given) return std::nullopt;
  for (const std::string_view word : words) {
    if (lower_case(word) == lower_case(*given)) return std::string(word);
  }
  throw invalid("UNKNOWN_" + upper_case(name), "no such " + std::string(name) + ": " + *given);
}

}  // namespace assay::service
