#include "reference_impl/model/routing/template.h"

#include <gtest/gtest.h>

namespace assay::routing {
namespace {

Value rendered(const Value& source) {
  const Value workload(Object{{"n", 1}, {"list", List{1, 2}}});
  Scope scope;
  scope.show_members_of(workload);
  const auto result = Template(source).render(scope);
  return result ? *result : Value("error: " + result.error().message);
}

TEST(Template, StringsThatAreOneExpressionBecomeItsValueAtAnyDepth) {
  EXPECT_EQ(rendered("{{ list }}"), Value(List{1, 2}));
  EXPECT_EQ(rendered(Object{{"a", List{"{{ n + 1 }}", Object{{"b", "{{ list[1] }}"}}}}}),
            Value(Object{{"a", List{2, Object{{"b", 2}}}}}));
  EXPECT_EQ(rendered("{{ n }}\n"), Value(1));
}

TEST(Template, OtherTextStaysText) {
  EXPECT_EQ(rendered("n"), Value("n"));
  EXPECT_EQ(rendered("id {{ n }}"), Value("id {{ n }}"));
  EXPECT_EQ(rendered("{{ n }}{{ n }}"), Value("{{ n }}{{ n }}"));
  EXPECT_EQ(rendered("{{ now() }}"), Value("{{ now() }}"));
  EXPECT_EQ(rendered("{{ n | unknown }}"), Value("{{ n | unknown }}"));
  EXPECT_EQ(rendered(List{1, true, nullptr}), Value(List{1, true, nullptr}));
}

TEST(Template, KeysAreNoExpressions) {
  EXPECT_EQ(rendered(Object{{"{{ n }}", "{{ n }}"}}), Value(Object{{"{{ n }}", 1}}));
}

TEST(Template, UndefinedBecomesNullAndFailuresAreReported) {
  EXPECT_EQ(rendered(List{"{{ missing.a }}"}), Value(List{nullptr}));
  EXPECT_EQ(rendered("{{ 1 / 0 }}"), Value("error: division by zero"));
}

TEST(Template, WorkIsBoundedOverAllItsExpressions) {
  List many(4000, Value("{{ 'x' * 1000000 }}"));
  EXPECT_EQ(rendered(many), Value("error: the expression needs too much work"));
}

TEST(Template, ConstantsAreKnownAsSuch) {
  EXPECT_NE(Template(List{1, "a"}).constant(), nullptr);
  EXPECT_EQ(Template(List{1, "{{ a }}"}).constant(), nullptr);
}

}  // namespace
}  // namespace assay::routing
