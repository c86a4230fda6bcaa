// A pause, and how large the args of a token may be.

#include <gtest/gtest.h>

#include <string>

#include "reference_impl/model/routing/net_test_support.h"

namespace assay::routing {
namespace {

TEST(Pause, NothingIsScheduledUntilTheResumeAndThenEachTokenOnce) {
  Execution run({step("a", {arc("b"), arc("c")}, "inclusive"), step("b"), step("c")});
  run.apply(Pause{"lunch"});
  EXPECT_EQ(run.last("playbook.paused").payload, (Object{{"reason", "lunch"}}));
  EXPECT_EQ(run.last("playbook.paused").status, "paused");
  run.done("a");
  EXPECT_EQ(run.scheduled(), (Names{"a"}));
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.apply(Resume{});
  EXPECT_EQ(run.scheduled(), (Names{"a", "b", "c"}));
  EXPECT_TRUE(run.apply(Resume{}).events.empty());
  EXPECT_EQ(run.scheduled(), (Names{"a", "b", "c"}));
}

TEST(Pause, ASecondOneSaysNothing) {
  Execution run({step("a")});
  EXPECT_EQ(run.apply(Pause{}).events.size(), 1U);
  EXPECT_TRUE(run.apply(Pause{}).events.empty());
}

TEST(Pause, HoldsBackIterationsGatesAndTheFinalStep) {
  Execution loop({looping("a", List{1, 2})});
  const std::string run = loop.run_of("a");
  loop.apply(Pause{});
  loop.post("loop.iteration.done", run, {}, 0);
  EXPECT_EQ(loop.of_type("loop.iteration.scheduled").size(), 1U);
  loop.apply(Resume{});
  EXPECT_EQ(loop.of_type("loop.iteration.scheduled").size(), 2U);

  Execution gate({gated("g", "open")});
  gate.apply(Pause{});
  gate.patch({{"open", true}});
  EXPECT_EQ(gate.scheduled(), (Names{}));
  gate.apply(Resume{});
  EXPECT_EQ(gate.scheduled(), (Names{"g"}));

  Execution final({step("a"), step("z")}, {{"final_step", "z"}});
  final.apply(Pause{});
  final.done("a");
  EXPECT_EQ(final.scheduled(), (Names{"a"}));
  final.apply(Resume{});
  EXPECT_EQ(final.scheduled(), (Names{"a", "z"}));
}

TEST(Pause, ALoopThatAFailureCutShortEndsWithTheResume) {
  Execution run({step("s", {arc("l"), arc("f")}, "inclusive"), looping("l", List{1, 2}), step("f")},
                {{"status_policy", "fail_fast"}});
  run.done("s");
  const std::string loop = run.run_of("l");
  run.apply(Pause{});
  run.post("loop.iteration.done", loop, {}, 0);
  run.failed("f");
  EXPECT_EQ(run.net.outcome(), Outcome::none);
  run.apply(Resume{});
  EXPECT_EQ(run.net.outcome(), Outcome::failed);
  EXPECT_EQ(run.of_type("loop.iteration.scheduled").size(), 1U);
}

TEST(Pause, ACancelEndsItAndAnEndIsNotPaused) {
  Execution run({step("a")});
  run.apply(Pause{});
  run.apply(Cancel{});
  EXPECT_EQ(run.net.outcome(), Outcome::cancelled);
  Execution over({step("a")});
  over.done("a");
  EXPECT_TRUE(over.apply(Pause{}).events.empty());
}

/// As compact JSON {"w":"…"} has eight bytes more than its text.
std::string text_for(std::size_t args_bytes) { return std::string(args_bytes - 8, 'x'); }

TEST(ArgsCap, RenderedArgsThatAreTooLargeFailTheExecution) {
  for (const std::size_t size : {65'536U, 65'537U}) {
    Execution run({step("a", {arc("b", "", {{"w", "{{ workload.w }}"}})}), step("b")}, {},
                  {{"w", text_for(size)}});
    run.done("a");
    const bool fits = size == 65'536U;
    EXPECT_EQ(run.scheduled(), fits ? (Names{"a", "b"}) : (Names{"a"}));
    EXPECT_EQ(run.net.outcome(), fits ? Outcome::none : Outcome::failed);
    EXPECT_EQ(run.net.reason().find("pass a reference") == std::string::npos, fits);
  }
}

TEST(ArgsCap, LiteralArgsThatAreTooLargeAreNoPlaybook) {
  const auto document = [](std::size_t size) {
    return playbook_of({step("a", {arc("b", "", {{"w", text_for(size)}})}), step("b")});
  };
  EXPECT_TRUE(read_playbook(document(65'536)));
  const auto read = read_playbook(document(65'537));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().pointer, "/workflow/0/next/arcs/0/args");
}

TEST(ArgsCap, APolicyCanBindOrDropWhatIsTooLarge) {
  const auto args_under = [](OversizedArgs policy) {
    Execution run({step("a", {arc("b", "", {{"w", "{{ workload.w }}"}})}), step("b")}, {},
                  {{"w", text_for(65'537)}}, {.oversized_args = policy});
    run.done("a");
    return run.last("step.scheduled").payload.at("args").as_object();
  };
  EXPECT_EQ(args_under(OversizedArgs::are_bound).size(), 1U);
  EXPECT_EQ(args_under(OversizedArgs::are_dropped).size(), 0U);
}

TEST(ArgsCap, TheSummaryOfALongRunIsShortened) {
  Execution run({step("a"), step("z")}, {{"final_step", "z"}}, {}, {}, {.args_bytes = 200});
  run.failed("a", Object{{"error", std::string(300, 'x')}});
  const Object args = run.last("step.scheduled").payload.at("args").as_object();
  EXPECT_EQ(args.at("failures"), Value(List{}));
  EXPECT_EQ(*args.at("counts").find("steps_failed"), Value(1));
}

}  // namespace
}  // namespace assay::routing
