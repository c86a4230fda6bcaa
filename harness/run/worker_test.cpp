#include "harness/run/worker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace assay::run::worker_test {
namespace {

using ::testing::ElementsAre;

/// The types of the events that a profile's own worker posts for a step run.
std::vector<std::string> types_of(const core::Play& play) {
  core::Profile profile;
  profile.worker = {
      Value(Object{{"type", "started"}}),
      Value(Object{{"type", "done"}, {"when", "done"}}),
      Value(Object{{"type", "error"}, {"when", "failed"}}),
  };
  std::vector<std::string> types;
  for (const Value& event : profile_play(profile, play, {}, "x")) {
    EXPECT_EQ(event.find("when"), nullptr);
    types.push_back(event.string_at("type").value_or(""));
  }
  return types;
}

core::Play played(std::string outcome) {
  core::Play play;
  play.step = "a";
  play.outcome = std::move(outcome);
  return play;
}

TEST(ProfilesWorker, PostsTheEventsOfTheOutcome) {
  EXPECT_THAT(types_of(played("done")), ElementsAre("started", "done"));
  EXPECT_THAT(types_of(played("failed")), ElementsAre("started", "error"));
  EXPECT_THAT(types_of(played("none")), ElementsAre("started"));
}

TEST(ProfilesWorker, PostsOnlyTheEndAndAsOftenAsItIsAskedTo) {
  core::Play play = played("done");
  play.times = 2;
  EXPECT_THAT(types_of(play), ElementsAre("started", "done", "done"));
  play.only_end = true;
  EXPECT_THAT(types_of(play), ElementsAre("done", "done"));
}

}  // namespace
}  // namespace assay::run::worker_test
