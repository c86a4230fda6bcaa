#include "reference_impl/service/paging.h"

#include <gtest/gtest.h>

#include "reference_impl/service/problem.h"
#include "reference_impl/service/words.h"

namespace assay::service {
namespace {

std::string refusal_code(std::string_view query) {
  try {
    static_cast<void>(read_page(Query(query), "list"));
  } catch (const Refusal& refusal) {
    EXPECT_EQ(refusal.problem().status, 422);
    return refusal.problem().code;
  }
  return "";
}

TEST(Paging, TheLimitIsAHundredUnlessAsked) {
  EXPECT_EQ(read_page(Query(""), "list").limit, 100U);
  EXPECT_EQ(read_page(Query("limit=1"), "list").limit, 1U);
  EXPECT_EQ(read_page(Query("limit=1000"), "list").limit, 1000U);
}

TEST(Paging, ALimitOutsideOneToAThousandIsRefused) {
  for (const char* query : {"limit=0", "limit=1001", "limit=-1", "limit=", "limit=ten", "limit=1.0",
                            "limit=1e2", "limit=%2B5", "limit=+5", "limit=99999999999999999999"}) {
    EXPECT_EQ(refusal_code(query), "INVALID_LIMIT") << query;
  }
}

TEST(Paging, ACursorLeadsBackToItsPosition) {
  const Page page = read_page(Query("after=" + make_cursor("list", 42)), "list");
  EXPECT_EQ(page.after, 42U);
}

TEST(Paging, AForeignCursorIsRefused) {
  EXPECT_EQ(refusal_code("after=" + make_cursor("other list", 42)), "INVALID_CURSOR");
  EXPECT_EQ(refusal_code("after=42"), "INVALID_CURSOR");
  EXPECT_EQ(refusal_code("after="), "INVALID_CURSOR");
  EXPECT_EQ(refusal_code("after=-"), "INVALID_CURSOR");
  EXPECT_EQ(refusal_code("after=" + make_cursor("list", 42) + "0"), "INVALID_CURSOR");
}

TEST(Paging, NextIsNullAtTheEnd) {
  PageBuilder builder({2, 0}, "list");
  builder.offer(1, "a");
  builder.offer(2, "b");
  EXPECT_FALSE(builder.is_full());
  EXPECT_EQ(std::move(builder).finish("items"),
            Value(Object{{"items", List{"a", "b"}}, {"next", nullptr}}));
}

TEST(Paging, NextLeadsBehindTheLastItemOfThePage) {
  PageBuilder builder({2, 0}, "list");
  for (const int position : {3, 5, 9})
    builder.offer(static_cast<std::uint64_t>(position), position);
  EXPECT_TRUE(builder.is_full());
  const Value page = std::move(builder).finish("items");
  EXPECT_EQ(*page.find("items"), Value(List{3, 5}));
  EXPECT_EQ(*page.find("next"), Value(make_cursor("list", 5)));
}

TEST(WordFilter, TakesAnyCase) {
  EXPECT_EQ(word_filter(Query("state=rUnNing"), "state", {"PENDING", "RUNNING"}), "RUNNING");
  EXPECT_EQ(word_filter(Query("status=CREATED"), "status", {"created"}), "created");
  EXPECT_EQ(word_filter(Query(""), "state", {"PENDING"}), std::nullopt);
}

TEST(WordFilter, RefusesAnUnknownWord) {
  for (const char* query : {"state=BOGUS", "state=", "state=PENDING,RUNNING"}) {
    EXPECT_THROW(static_cast<void>(word_filter(Query(query), "state", {"PENDING", "RUNNING"})),
                 Refusal);
  }
}

}  // namespace
}  // namespace assay::service
