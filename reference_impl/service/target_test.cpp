#include "reference_impl/service/target.h"

#include <gtest/gtest.h>

#include "reference_impl/service/problem.h"

namespace assay::service {
namespace {

using Segments = std::vector<std::string>;

TEST(Target, DecodesEachSegmentOnce) {
  EXPECT_EQ(*read_target("/executions/a%2Fb/status").segments,
            (Segments{"executions", "a/b", "status"}));
  EXPECT_EQ(*read_target("/e/%252F").segments, (Segments{"e", "%2F"}));
  EXPECT_EQ(*read_target("/e/100%25").segments, (Segments{"e", "100%"}));
  EXPECT_EQ(*read_target("/e/%F0%9F%98%80").segments, (Segments{"e", "😀"}));
  EXPECT_EQ(*read_target("/e/a+b").segments, (Segments{"e", "a+b"}));
}

TEST(Target, APathThatDoesNotDecodeNamesNothing) {
  for (const char* target : {"/e/%", "/e/%2", "/e/%zz", "/e/%ff", "/e/%C0%AF", "/e/%ED%A0%80", "",
                             "x", "*", "host:80"}) {
    EXPECT_FALSE(read_target(target).segments.has_value()) << target;
  }
}

TEST(Target, TakesTheAbsoluteForm) {
  EXPECT_EQ(*read_target("http://host:1/e/a%2Fb?x=1").segments, (Segments{"e", "a/b"}));
  EXPECT_EQ(read_target("http://host?x=1").query.get("x"), "1");
  EXPECT_EQ(*read_target("http://host").segments, (Segments{""}));
  EXPECT_EQ(*read_target("/e?u=http://host/").segments, (Segments{"e"}));
}

TEST(Target, KeepsEmptySegments) {
  EXPECT_EQ(*read_target("/e/").segments, (Segments{"e", ""}));
  EXPECT_EQ(*read_target("/").segments, (Segments{""}));
}

TEST(Target, ReadsTheQuery) {
  const Query query = read_target("/e?a=1&b=x%26y&a=2&c&d=a+b%2B&e%3D=5#f=1").query;
  EXPECT_EQ(query.get("a"), "1");
  EXPECT_EQ(query.get("b"), "x&y");
  EXPECT_EQ(query.get("c"), "");
  EXPECT_EQ(query.get("d"), "a b+");
  EXPECT_EQ(query.get("e="), "5");
  EXPECT_EQ(query.get("f"), std::nullopt);
}

TEST(Target, AMalformedParameterMattersOnlyWhereItIsAskedFor) {
  const Query query = read_target("/e?bad=%zz&good=1").query;
  EXPECT_EQ(query.get("good"), "1");
  EXPECT_THROW(static_cast<void>(query.get("bad")), Refusal);
}

}  // namespace
}  // namespace assay::service
