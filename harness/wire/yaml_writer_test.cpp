#include "harness/wire/yaml_writer.h"

#include <gtest/gtest.h>

namespace assay::wire::yaml_writer_test {
namespace {

YamlNode read(std::string_view text) {
  auto parsed = read_yaml(text, "x.yaml");
  if (!parsed) {
    ADD_FAILURE() << core::diagnostic_text(parsed.error()) << "\n" << text;
    return {};
  }
  return std::move(parsed).value();
}

TEST(YamlWriter, WritesWhatFitsOnOneLineAndTheRestInBlocks) {
  const std::string text =
      "short: {a: 1, b: [x, z]}\n"
      "long:\n"
      "  - - [\"0123456789 0123456789 0123456789 0123456789\", \"0123456789 0123456789 "
      "0123456789\"]\n"
      "    - [\"0123456789 0123456789 0123456789 0123456789\", \"0123456789 0123456789 "
      "0123456789\"]\n"
      "  - {}\n";
  EXPECT_EQ(write_yaml(read(text)), text);
}

TEST(YamlWriter, KeepsTagsInBothStyles) {
  const std::string text =
      "a: !one_of [1, !type string]\n"
      "b: !contains\n"
      "  - \"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\"\n"
      "  - !exactly\n"
      "    first: \"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\"\n"
      "    second: \"0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\"\n";
  EXPECT_EQ(write_yaml(read(text)), text);
}

TEST(YamlWriter, WritesARootOfAnyKind) {
  EXPECT_EQ(write_yaml(read("3")), "3\n");
  EXPECT_EQ(write_yaml(read("[1, a]")), "[1, a]\n");
  EXPECT_EQ(write_yaml(read("{}")), "{}\n");
}

TEST(YamlWriter, ShowsEmptyLinesOfACommentAndNothingForNone) {
  EXPECT_EQ(yaml_comment("a\n\nb"), "# a\n#\n# b\n");
  EXPECT_EQ(yaml_comment(""), "");
}

}  // namespace
}  // namespace assay::wire::yaml_writer_test
