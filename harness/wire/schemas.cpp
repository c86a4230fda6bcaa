#include "harness/wire/schemas.h"

#include <algorithm>

#include "assay_embed/schemas.h"

namespace assay::wire {
namespace {

constexpr std::string_view extension = ".json";

std::string_view kind_of(std::string_view path) {
  return path.substr(0, path.size() - extension.size());
}

}  // namespace

std::optional<std::string_view> schema_text(std::string_view kind) {
  for (const embed::File& file : embed::schemas()) {
    if (kind_of(file.path) == kind) return file.content;
  }
  return std::nullopt;
}

std::vector<std::string> schema_kinds() {
  std::vector<std::string> kinds;
  for (const embed::File& file : embed::schemas()) kinds.emplace_back(kind_of(file.path));
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

}  // namespace assay::wire
