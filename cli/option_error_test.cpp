#include "cli/option_error.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::cli {
namespace {

TEST(OptionError, SaysWhatWasExpectedAndWhatCame) {
  EXPECT_EQ(plain_option_error("--jobs: Value 0 not in range 1 to 4096"),
            "--jobs: expected 1 to 4096, got 0");
  EXPECT_EQ(plain_option_error("--require-coverage: Value 101 not in range 0.000000 to 100.000000"),
            "--require-coverage: expected 0 to 100, got 101");
  EXPECT_EQ(plain_option_error("--time: Value -1 not in range 0.000000 to " +
                               std::string(309, '1') + ".000000"),
            "--time: expected 0 or more, got -1");
  EXPECT_EQ(plain_option_error("Could not convert: --port = x"), "--port: \"x\" is not a number");
  EXPECT_EQ(plain_option_error("--legacy: x not in {normalize,reject}"),
            "--legacy: expected normalize or reject, got \"x\"");
  EXPECT_EQ(plain_option_error("--report: 1 required TEXT missing"), "--report needs a value");
}

TEST(OptionError, LeavesOtherWordsAsTheyAre) {
  EXPECT_EQ(plain_option_error("record is required"), "record is required");
}

}  // namespace
}  // namespace assay::cli
