#include "harness/check/lens.h"

#include <gtest/gtest.h>

#include <memory>

namespace assay::check {
namespace {

using core::Mapping;
using core::OperationTemplate;
using core::Profile;

Mapping pointer_to(const std::string& pointer) { return {core::PointerMapping{pointer}}; }

Mapping object_with(std::map<std::string, Mapping> members) {
  return {core::ObjectMapping{std::move(members)}};
}

std::string pointer_in(const Mapping& object, const std::string& member) {
  return std::get<core::PointerMapping>(object.members().at(member).from).pointer;
}

Profile reference_with(const std::string& operation, OperationTemplate form = {}) {
  Profile profile;
  profile.name = "reference";
  profile.capabilities = {operation, "binding.reference"};
  form.path = "/ours";
  profile.operations.emplace(operation, std::move(form));
  return profile;
}

Profile target_with(const std::string& operation, OperationTemplate form = {}) {
  Profile profile;
  profile.name = "theirs";
  profile.capabilities = {operation};
  form.path = "/theirs";
  profile.operations.emplace(operation, std::move(form));
  return profile;
}

TEST(Lens, AsksTheReferenceByItsOwnRequests) {
  const Profile seen = lens(reference_with("runs.get"), target_with("runs.get"));
  EXPECT_EQ(seen.operations.at("runs.get").path, "/ours");
  EXPECT_EQ(seen.name, "theirs");
}

TEST(Lens, HasOnlyTheCapabilitiesAndOperationsThatBothHave) {
  Profile target = target_with("runs.get");
  target.capabilities.insert("legacy.reject");
  Profile reference = reference_with("runs.get");
  reference.operations.emplace("runs.audit", OperationTemplate());
  const Profile seen = lens(reference, target);
  EXPECT_EQ(seen.capabilities, (std::set<std::string, std::less<>>{"runs.get"}));
  EXPECT_FALSE(seen.operations.contains("runs.audit"));
}

TEST(Lens, TakesWhatTheTargetHasNoWordsFor) {
  OperationTemplate form;
  form.unobserved = {"error_code"};
  form.lacks = {"diagnostic"};
  form.lacks_values = {{"status", {"waiting"}}};
  Profile target = target_with("runs.get", form);
  target.missing_states = {"denied"};
  target.event_names = {{"step.done", ""}, {"step.started", "their.start"}};
  target.own_times = true;
  const Profile seen = lens(reference_with("runs.get"), target);
  EXPECT_TRUE(seen.operations.at("runs.get").unobserved.contains("error_code"));
  EXPECT_TRUE(seen.operations.at("runs.get").lacks.contains("diagnostic"));
  EXPECT_TRUE(seen.operations.at("runs.get").lacks_values.at("status").contains("waiting"));
  EXPECT_TRUE(seen.missing_states.contains("denied"));
  EXPECT_TRUE(seen.own_times);
  EXPECT_EQ(seen.event_names.at("step.done"), "");
  EXPECT_FALSE(seen.event_names.contains("step.started")) << "the reference has its own name";
}

TEST(Lens, PlaysAStepRunAsFarAsTheTargetsWorkerTellsIt) {
  Profile target = target_with("events.post");
  EXPECT_TRUE(lens(reference_with("events.post"), target).worker.empty());
  target.worker = {Value(Object{{"type", "call.done"}, {"payload", Object{{"r", "${result}"}}}})};
  const std::vector<Value> played = lens(reference_with("events.post"), target).worker;
  ASSERT_EQ(played.size(), 3U);
  EXPECT_EQ(played[0].string_at("event_type"), "step.started");
  EXPECT_EQ(played[1].string_at("event_type"), "step.done");
  EXPECT_EQ(*played[2].find("payload"), Value(Object{{"outcome", "${result}"}}));
}

TEST(Lens, ShowsAConstantWhereTheTargetsProfileDoes) {
  const Mapping constant{core::ConstantMapping(), "RUNNING"};
  OperationTemplate form;
  form.read = object_with({{"state", constant}, {"ended_at", pointer_to("/finished")}});
  const auto read = lens(reference_with("runs.get"), target_with("runs.get", form))
                        .operations.at("runs.get")
                        .read;
  ASSERT_TRUE(read);
  EXPECT_EQ(read->members().at("state").otherwise, Value("RUNNING"));
  EXPECT_TRUE(std::holds_alternative<core::ConstantMapping>(read->members().at("state").from));
  EXPECT_EQ(pointer_in(*read, "ended_at"), "/ended_at");
  EXPECT_FALSE(read->members().contains("started_at")) << "the target's profile does not read it";
}

/// Two booleans of the target give three words: PENDING is not among them, so that a reference that
/// is PENDING shows RUNNING through this lens.
TEST(Lens, KnowsNoWordThatTheTargetsProfileNeverGives) {
  const Mapping cases{
      core::CasesMapping{{{core::Condition::equal("/failed", true), "FAILED"},
                          {core::Condition::equal("/completed", true), "COMPLETED"}}},
      "RUNNING"};
  OperationTemplate form;
  form.read = object_with({{"state", cases}});
  const auto read = lens(reference_with("runs.get"), target_with("runs.get", form))
                        .operations.at("runs.get")
                        .read;
  ASSERT_TRUE(read);
  const Mapping& state = read->members().at("state");
  const auto& limited = std::get<core::CasesMapping>(state.from).cases;
  ASSERT_EQ(limited.size(), 2U);
  EXPECT_EQ(limited[0].when.pointer, "/state");
  EXPECT_EQ(limited[0].when.operand, Value("FAILED"));
  EXPECT_EQ(std::get<Value>(limited[0].gives), Value("FAILED"));
  EXPECT_EQ(state.otherwise, Value("RUNNING"));
}

TEST(Lens, ReadsTheItemsOfAListAsTheTargetsProfileDoes) {
  OperationTemplate own;
  own.read = object_with({{"items", {core::ItemsMapping{"/runs"}}}, {"next", pointer_to("/next")}});
  core::ItemsMapping their_items;
  their_items.each = std::make_shared<const Mapping>(object_with({{"run_id", pointer_to("/id")}}));
  OperationTemplate form;
  form.read = object_with({{"items", {their_items}}});
  const auto read = lens(reference_with("runs.list", own), target_with("runs.list", form))
                        .operations.at("runs.list")
                        .read;
  ASSERT_TRUE(read);
  const auto& items = std::get<core::ItemsMapping>(read->members().at("items").from);
  EXPECT_EQ(items.pointer, "/runs");
  ASSERT_TRUE(items.each);
  EXPECT_EQ(pointer_in(*items.each, "run_id"), "/run_id");
  EXPECT_FALSE(items.each->members().contains("status"));
  EXPECT_EQ(pointer_in(*read, "next"), "/next") << "its pages are the reference's";
}

TEST(Lens, TakesForTheSameWhatTheTargetsProfileDoes) {
  OperationTemplate own;
  own.accepted = {201};
  own.duplicate = {200};
  own.refused = {409, 422};
  OperationTemplate form;
  form.accepted = {200, 409};
  const OperationTemplate seen =
      lens(reference_with("events.post", own), target_with("events.post", form))
          .operations.at("events.post");
  EXPECT_EQ(seen.accepted, (std::set<int>{200, 201, 409}));
  EXPECT_TRUE(seen.duplicate.empty()) << "the target never says that it had it already";
  EXPECT_EQ(seen.refused, (std::set<int>{422}));
}

}  // namespace
}  // namespace assay::check
