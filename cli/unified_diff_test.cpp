#include "cli/unified_diff.h"

#include <gtest/gtest.h>

namespace assay::cli::unified_diff_test {
namespace {

TEST(UnifiedDiff, HasThreeLinesAroundEachChange) {
  EXPECT_EQ(unified_diff("f", "a\nb\nc\n", "a\nx\nc\nd\n"),
            "--- f\n+++ f\n@@ -1,3 +1,4 @@\n a\n-b\n+x\n c\n+d\n");
  EXPECT_EQ(unified_diff("f", "a\n", "a\n"), "");
}

TEST(UnifiedDiff, SplitsChangesThatAreFarApart) {
  EXPECT_EQ(unified_diff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "2\n3\n4\n5\n6\n7\n8\n9\n10\n"),
            "--- f\n+++ f\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -7,3 +6,4 @@\n 7\n 8\n 9\n+10\n");
}

TEST(UnifiedDiff, SaysWhereATextEndsWithoutANewline) {
  EXPECT_EQ(unified_diff("f", "a\nb", "a\nb\nc\n"),
            "--- f\n+++ f\n@@ -1,2 +1,3 @@\n a\n-b\n\\ No newline at end of file\n+b\n+c\n");
  EXPECT_EQ(unified_diff("f", "a", "a\n"),
            "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n");
}

TEST(UnifiedDiff, OfAnEmptyTextBeginsBeforeItsFirstLine) {
  EXPECT_EQ(unified_diff("f", "", "a\n"), "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
}

}  // namespace
}  // namespace assay::cli::unified_diff_test
