#include "reference_impl/model/routing/playbook.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "reference_impl/model/routing/net_test_support.h"

namespace assay::routing {
namespace {

Playbook read(const Value& document) {
  auto result = read_playbook(document);
  if (!result) {
    ADD_FAILURE() << result.error().pointer << ": " << result.error().message;
    return {};
  }
  return *std::move(result);
}

/// The pointer and the message of the error.
std::pair<std::string, std::string> error_of(const Value& document) {
  const auto result = read_playbook(document);
  if (result) {
    ADD_FAILURE() << "the playbook was read";
    return {};
  }
  return {result.error().pointer, result.error().message};
}

Value with_step(Object extra) {
  extra.emplace("step", "a");
  return Object{{"workflow", List{extra}}};
}

TEST(Playbook, DefaultsAreTheSpecifications) {
  const Playbook playbook = read(Object{{"workflow", List{step("a"), step("b")}}});
  ASSERT_EQ(playbook.steps.size(), 2U);
  EXPECT_EQ(playbook.steps[0].name, "a");
  EXPECT_EQ(playbook.steps[0].mode, RouterMode::exclusive);
  EXPECT_TRUE(playbook.steps[0].arcs.empty());
  EXPECT_FALSE(playbook.steps[0].admission.has_value());
  EXPECT_FALSE(playbook.executor.entry_step.has_value());
  EXPECT_FALSE(playbook.executor.final_step.has_value());
  EXPECT_FALSE(playbook.executor.no_next_is_error);
  EXPECT_EQ(playbook.executor.status_policy, StatusPolicy::fail_on_any_error);
  EXPECT_EQ(playbook.executor.fan_in, FanInPolicy::none);
  EXPECT_EQ(playbook.executor.denied_token, DeniedToken::pending);
  EXPECT_TRUE(playbook.executor.gates_hold);
  EXPECT_EQ(playbook.executor.final_failure, FinalFailure::fail);
  EXPECT_TRUE(playbook.workload.empty());
}

TEST(Playbook, OtherKeysArePassedOver) {
  const Playbook playbook = read(Object{
      {"apiVersion", "noetl.io/v2"},
      {"kind", "Playbook"},
      {"metadata", Object{{"name", "demo"}}},
      {"keychain", 7},
      {"workbook", List{}},
      {"workload", Object{{"n", 1}}},
      {"workflow", List{step("a", {}, "", {{"tool", Object{{"kind", "noop"}}}, {"desc", "x"}})}}});
  EXPECT_EQ(playbook.name, "demo");
  EXPECT_EQ(playbook.workload, (Object{{"n", 1}}));
}

TEST(Playbook, ArcsNameStepsInAnyOrderOfTheList) {
  const Playbook playbook = read(
      Object{{"workflow", List{step("a", {arc("b", "{{ x }}"), arc("a"), arc("b")}, "inclusive"),
                               step("b", {arc("a", "", {{"n", 1}})})}}});
  EXPECT_EQ(playbook.steps[0].mode, RouterMode::inclusive);
  EXPECT_EQ(playbook.steps[0].arcs[0].target, 1U);
  EXPECT_EQ(playbook.steps[0].arcs[0].when->text(), "{{ x }}");
  EXPECT_FALSE(playbook.steps[0].arcs[1].when.has_value());
  EXPECT_TRUE(playbook.steps[1].arcs[0].args.has_value());
  EXPECT_EQ(playbook.upstream[0], (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(playbook.upstream[1], (std::vector<std::size_t>{0, 0}));
}

TEST(Playbook, ExecutorSpecIsRead) {
  const Playbook playbook =
      read(playbook_of({step("a"), step("b")}, {{"entry_step", "b"},
                                                {"final_step", "a"},
                                                {"no_next_is_error", true},
                                                {"status_policy", "fail_fast"},
                                                {"fan_in", "wait_all"},
                                                {"denied_token", "discard"},
                                                {"gates_hold", false},
                                                {"final_failure", "partial"}}));
  EXPECT_EQ(playbook.executor.entry_step, 1U);
  EXPECT_EQ(playbook.executor.final_step, 0U);
  EXPECT_TRUE(playbook.executor.no_next_is_error);
  EXPECT_EQ(playbook.executor.status_policy, StatusPolicy::fail_fast);
  EXPECT_EQ(playbook.executor.fan_in, FanInPolicy::wait_all);
  EXPECT_EQ(playbook.executor.denied_token, DeniedToken::discard);
  EXPECT_FALSE(playbook.executor.gates_hold);
  EXPECT_EQ(playbook.executor.final_failure, FinalFailure::partial);
}

TEST(Playbook, BothSpellingsOfElseAreRead) {
  const Object allow{{"allow", true}};
  for (const Value& rule : {Value(Object{{"else", Object{{"then", allow}}}}),
                            Value(Object{{"else", nullptr}, {"then", allow}})}) {
    const Object admit{{"rules", List{rule}}};
    const Playbook playbook =
        read(with_step({{"spec", Object{{"policy", Object{{"admit", admit}}}}}}));
    ASSERT_TRUE(playbook.steps[0].admission.has_value());
    EXPECT_EQ(playbook.steps[0].admission->otherwise, true);
  }
}

TEST(Playbook, LoopsAreRead) {
  const Playbook playbook = read(
      Object{{"workflow", List{looping("a", "{{ workload.items }}"),
                               looping("b", List{1, 2}, {{"mode", "parallel"}}),
                               looping("c", List{}, {{"mode", "parallel"}, {"max_in_flight", 3}}),
                               looping("d", List{}, {{"max_in_flight", 3}})}}});
  EXPECT_EQ(playbook.steps[0].loop->in_flight_at_most(), 1U);
  EXPECT_EQ(playbook.steps[0].loop->iterator, "it");
  EXPECT_GT(playbook.steps[1].loop->in_flight_at_most(), 1000000U);
  EXPECT_EQ(playbook.steps[2].loop->in_flight_at_most(), 3U);
  EXPECT_EQ(playbook.steps[3].loop->in_flight_at_most(), 1U) << "sequential is one at a time";
}

TEST(Playbook, NullIsAbsent) {
  const Playbook playbook = read(
      Object{{"workload", nullptr},
             {"executor", nullptr},
             {"workflow", List{Object{{"step", "a"},
                                      {"next", Object{{"spec", nullptr}, {"arcs", nullptr}}},
                                      {"loop", nullptr},
                                      {"spec", Object{{"policy", Object{{"admit", nullptr}}}}}}}}});
  EXPECT_EQ(playbook.steps.size(), 1U);
}

struct BadPlaybook {
  Value document;
  std::string_view pointer;
};

void expect_refused_with_their_pointers(const std::vector<BadPlaybook>& cases) {
  for (std::size_t index = 0; index < cases.size(); ++index) {
    const auto [pointer, message] = error_of(cases[index].document);
    EXPECT_EQ(pointer, cases[index].pointer) << "case " << index << ": " << message;
    EXPECT_FALSE(message.empty());
  }
}

TEST(Playbook, FaultsAreRefusedWithTheirPointer) {
  const auto guarded = [](std::string_view when) {
    return Value(Object{{"workflow", List{step("a", {arc("a", when)})}}});
  };
  const std::vector<BadPlaybook> cases = {
      {List{}, ""},
      {Object{}, "/workflow"},
      {Object{{"workflow", nullptr}}, "/workflow"},
      {Object{{"workflow", List{}}}, "/workflow"},
      {Object{{"workflow", Object{{"step", "a"}}}}, "/workflow"},
      {Object{{"workflow", List{"a"}}}, "/workflow/0"},
      {Object{{"workflow", List{Object{}}}}, "/workflow/0/step"},
      {Object{{"workflow", List{Object{{"step", 7}}}}}, "/workflow/0/step"},
      {Object{{"workflow", List{step("")}}}, "/workflow/0/step"},
      {Object{{"workflow", List{step("a\n")}}}, "/workflow/0/step"},
      {Object{{"workflow", List{step(std::string(257, 'a'))}}}, "/workflow/0/step"},
      {Object{{"workflow", List{step("a"), step("b"), step("a")}}}, "/workflow/2/step"},
      {Object{{"workflow", List{step("a")}}, {"workload", List{}}}, "/workload"},
      {Object{{"workflow", List{step("a", {arc("b")})}}}, "/workflow/0/next/arcs/0/step"},
      {Object{{"workflow", List{step("a", {Object{}})}}}, "/workflow/0/next/arcs/0/step"},
      {Object{{"workflow", List{step("a", {arc("a")}, "both")}}}, "/workflow/0/next/spec/mode"},
      {with_step({{"next", "b"}}), "/workflow/0/next"},
      {with_step({{"next", Object{{"arcs", Object{}}}}}), "/workflow/0/next/arcs"},
      {with_step({{"next", Object{{"arcs", List{Object{{"step", "a"}, {"args", List{}}}}}}}}),
       "/workflow/0/next/arcs/0/args"},
      {guarded("{{ 1 + }}"), "/workflow/0/next/arcs/0/when"},
      {guarded("{{ f(1) }}"), "/workflow/0/next/arcs/0/when"},
      {guarded("{{ x | sort }}"), "/workflow/0/next/arcs/0/when"},
      {guarded("{{ x is odd }}"), "/workflow/0/next/arcs/0/when"},
      {guarded("text {{ x }}"), "/workflow/0/next/arcs/0/when"},
      {guarded("{{ x }}{{ y }}"), "/workflow/0/next/arcs/0/when"},
      {guarded(""), "/workflow/0/next/arcs/0/when"},
      {with_step({{"next", Object{{"arcs", List{Object{{"step", "a"}, {"when", 1}}}}}}}),
       "/workflow/0/next/arcs/0/when"},
  };
  expect_refused_with_their_pointers(cases);
}

TEST(Playbook, FaultsOfSettingsAreRefusedWithTheirPointer) {
  const auto executor = [](std::string_view key, Value value) {
    return playbook_of({step("a")}, {{std::string(key), std::move(value)}});
  };
  const auto admit = [](Value rules) {
    const Object policy{{"admit", Object{{"rules", std::move(rules)}}}};
    return with_step({{"spec", Object{{"policy", policy}}}});
  };
  const auto loop = [](Value in, Object spec) {
    return Value(Object{{"workflow", List{looping("a", std::move(in), std::move(spec))}}});
  };
  const std::vector<BadPlaybook> cases = {
      {executor("entry_step", "b"), "/executor/spec/entry_step"},
      {executor("final_step", "b"), "/executor/spec/final_step"},
      {executor("entry_step", 0), "/executor/spec/entry_step"},
      {executor("no_next_is_error", "yes"), "/executor/spec/no_next_is_error"},
      {executor("status_policy", "strict"), "/executor/spec/status_policy"},
      {executor("fan_in", "some"), "/executor/spec/fan_in"},
      {executor("denied_token", "lost"), "/executor/spec/denied_token"},
      {executor("gates_hold", 1), "/executor/spec/gates_hold"},
      {executor("final_failure", "ignore"), "/executor/spec/final_failure"},
      {admit(Object{}), "/workflow/0/spec/policy/admit/rules"},
      {admit(List{Object{}}), "/workflow/0/spec/policy/admit/rules/0"},
      {admit(List{Object{{"when", "x"}}}), "/workflow/0/spec/policy/admit/rules/0/then/allow"},
      {admit(List{Object{{"when", "x"}, {"then", Object{{"allow", "yes"}}}}}),
       "/workflow/0/spec/policy/admit/rules/0/then/allow"},
      {admit(List{Object{{"else", nullptr}, {"then", Object{{"allow", true}}}},
                  Object{{"else", nullptr}, {"then", Object{{"allow", true}}}}}),
       "/workflow/0/spec/policy/admit/rules/1"},
      {loop(7, {}), "/workflow/0/loop/in"},
      {loop("items", {}), "/workflow/0/loop/in"},
      {loop("{{ f() }}", {}), "/workflow/0/loop/in"},
      {loop(nullptr, {}), "/workflow/0/loop/in"},
      {loop(List{}, {{"mode", "cursor"}}), "/workflow/0/loop/spec/mode"},
      {loop(List{}, {{"max_in_flight", 0}}), "/workflow/0/loop/spec/max_in_flight"},
      {loop(List{}, {{"max_in_flight", 1.5}}), "/workflow/0/loop/spec/max_in_flight"},
      {loop(List{}, {{"max_in_flight", "2"}}), "/workflow/0/loop/spec/max_in_flight"},
  };
  expect_refused_with_their_pointers(cases);
}

TEST(Playbook, GuardErrorsSayWhere) {
  const auto [pointer, message] =
      error_of(Object{{"workflow", List{step("a", {arc("a", "{{ now() }}")})}}});
  EXPECT_EQ(message, "the guard doesn't parse: functions can't be called here (at character 6)");
}

TEST(Playbook, KeysAreEscapedInPointers) {
  EXPECT_EQ(error_of(Object{{"workflow", List{step("x/y"), step("x/y")}}}).second,
            "two steps are named 'x/y'");
}

TEST(Playbook, BooleansAreGuards) {
  const Playbook playbook =
      read(with_step({{"next", Object{{"arcs", List{Object{{"step", "a"}, {"when", true}}}}}}}));
  EXPECT_EQ(playbook.steps[0].arcs[0].when->text(), "true");
}

}  // namespace
}  // namespace assay::routing
