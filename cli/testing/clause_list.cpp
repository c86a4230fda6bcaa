#include "cli/testing/clause_list.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "cli/specification.h"

namespace assay::cli {

std::set<std::string> clauses_listed_in(const std::string& file_name) {
  const std::string path = ASSAY_SOURCE_DIR "/fixtures/spec/" + file_name;
  std::ifstream file(path);
  EXPECT_TRUE(file.is_open()) << path;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<core::Diagnostic> wrong;
  std::set<std::string> clauses;
  for (const NotObservable& entry : read_not_observable(text, path, clause_table(), wrong)) {
    clauses.insert(entry.clause);
  }
  EXPECT_TRUE(wrong.empty()) << core::diagnostic_text(wrong.front());
  return clauses;
}

}  // namespace assay::cli
