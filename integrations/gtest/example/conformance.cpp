// Judges a server within this process, or with a URL as first argument one elsewhere.

#include <assay/gtest.h>
#include <gtest/gtest.h>

int main(int argument_count, char** arguments) {
  testing::InitGoogleTest(&argument_count, arguments);
  assay::gtest::Options options;
  options.cases = {"status/*"};
  if (argument_count > 1) {
    options.target = arguments[1];
  } else {
    // An engine would call its own router here; this one knows nothing yet, and the tests say so.
    options.handler = [](const assay::gtest::Request&) {
      return assay::gtest::Response{404, "application/json", "{}", {}};
    };
  }
  assay::gtest::register_cases(options);
  return RUN_ALL_TESTS();
}
