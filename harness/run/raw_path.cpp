#include "harness/run/raw_path.h"

namespace assay::run {
namespace {

std::string_view without_query(std::string_view target) {
  return target.substr(0, target.find('?'));
}

/// Takes the first segment off a path.
std::string_view take_segment(std::string_view& path) {
  const std::size_t slash = path.find('/');
  const std::string_view segment = path.substr(0, slash);
  path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
  return segment;
}

/// Whether a path is as a template has it, with anything for a placeholder.
bool fits(std::string_view form, std::string_view path) {
  while (!form.empty() && !path.empty()) {
    const std::string_view expected = take_segment(form);
    const std::string_view actual = take_segment(path);
    if (expected.find("${") == std::string_view::npos && expected != actual) return false;
  }
  return form.empty() && path.empty();
}

}  // namespace

std::string undeclared_operation(const core::Profile& profile, std::string_view target) {
  const std::string_view path = without_query(target);
  for (const auto& [name, form] : profile.operations) {
    if (fits(without_query(form.path), path)) return "";
  }
  for (const auto& [name, form] : profile.withheld_paths) {
    if (fits(without_query(form), path)) return name;
  }
  return "";
}

}  // namespace assay::run
