#include "cli/suite_cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "base/testing/scratch_folder.h"
#include "cli/generated.h"
#include "harness/wire/testing/scenario_fields.h"

namespace assay::cli {
namespace {

using ::testing::IsEmpty;

void add_places(const std::vector<core::Step>& steps, std::vector<std::string>& places) {
  for (const core::Step& step : steps) {
    places.push_back(core::diagnostic_text({step.at, ""}));
    if (const auto* together = std::get_if<core::Together>(&step.action)) {
      for (const auto& branch : together->branches) add_places(branch, places);
    } else if (const auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      add_places(repeat->steps, places);
    }
  }
}

/// Events by the names that are sent: short ones stand for them, and are not kept.
void expand_events(std::vector<core::Step>& steps) {
  for (core::Step& step : steps) {
    if (auto* post = std::get_if<core::Post>(&step.action)) {
      for (Value& event : post->events) {
        if (event.is_object()) event = core::expand_event_shorthands(event.as_object());
      }
    } else if (auto* together = std::get_if<core::Together>(&step.action)) {
      for (auto& branch : together->branches) expand_events(branch);
    } else if (auto* repeat = std::get_if<core::Repeat>(&step.action)) {
      expand_events(repeat->steps);
    }
  }
}

/// All that there is of a scenario, places included, in lines.
std::string all_of(core::Scenario scenario) {
  expand_events(scenario.steps);
  std::vector<std::string> all = wire::scenario_fields(scenario);
  all.push_back(core::diagnostic_text({scenario.at, ""}));
  add_places(scenario.steps, all);
  return fmt::format("{}", fmt::join(all, "\n"));
}

struct SuiteCacheTest : ::testing::Test {
  SuiteCacheTest() {
    terminal.environment = [this](std::string_view name) -> std::optional<std::string> {
      if (name == "XDG_CACHE_HOME") return scratch.path("cache");
      return std::nullopt;
    };
  }

  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal{out, err, false, false, {}};
  base::testing::ScratchFolder scratch;
};

TEST_F(SuiteCacheTest, GivesBackEveryScenarioOfTheSuiteAsItWasRecorded) {
  // One that has all words, and two that lack some or have others.
  for (const char* name : {"reference", "noetl-py", "prefect"}) {
    SCOPED_TRACE(name);
    const LoadedProfile target = load_profile(name, terminal);
    const SuiteCache cache(terminal, true, target);
    EXPECT_FALSE(cache.load()) << "nothing is there yet";
    const Suite recorded = whole_suite("", target.profile, {}, cache);
    const std::optional<Suite> kept = cache.load();
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->digest, recorded.digest);
    EXPECT_THAT(kept->unrecorded, IsEmpty());
    ASSERT_EQ(kept->scenarios.size(), recorded.scenarios.size());
    for (std::size_t place = 0; place < recorded.scenarios.size(); ++place) {
      ASSERT_EQ(all_of(kept->scenarios[place]), all_of(recorded.scenarios[place]));
    }
  }
}

TEST_F(SuiteCacheTest, IsReadByTheNextRunWhateverCasesItWants) {
  const LoadedProfile target = load_profile("reference", terminal);
  const SuiteCache cache(terminal, true, target);
  Suite suite{{}, "sha256:of-nothing", {}};
  suite.scenarios.push_back(load_suite("").scenarios.front());
  cache.store(suite);
  EXPECT_EQ(whole_suite("", target.profile, {}, cache).digest, suite.digest);
  EXPECT_EQ(whole_suite("", target.profile, {"status/*"}, cache).digest, suite.digest);
  EXPECT_NE(whole_suite("", target.profile, {"status/*"}).digest, suite.digest);
}

TEST_F(SuiteCacheTest, TakesNothingFromAFileThatIsNotWhatWasWritten) {
  const LoadedProfile target = load_profile("reference", terminal);
  const SuiteCache cache(terminal, true, target);
  Suite suite = load_suite("");
  suite.scenarios.resize(1);
  cache.store(suite);
  ASSERT_TRUE(cache.load());
  std::stringstream text;
  text << std::ifstream(cache.path()).rdbuf();
  std::string changed = text.str();
  const std::size_t state = changed.find("COMPLETED");
  ASSERT_NE(state, std::string::npos);
  // It would be a scenario still, and expect something else.
  changed.replace(state, 9, "CANCELLED");
  std::ofstream(cache.path(), std::ios::trunc) << changed;
  EXPECT_FALSE(cache.load());
  std::ofstream(cache.path(), std::ios::trunc) << text.str().substr(0, changed.size() / 2);
  EXPECT_FALSE(cache.load());
}

TEST_F(SuiteCacheTest, KeepsAnotherProfilesSuiteElsewhereAndNoneThatHasTheEnvironmentInIt) {
  LoadedProfile target = load_profile("reference", terminal);
  const std::string path = SuiteCache(terminal, true, target).path();
  EXPECT_TRUE(path.starts_with(scratch.path("cache"))) << path;
  EXPECT_NE(SuiteCache(terminal, true, load_profile("prefect", terminal)).path(), path);
  EXPECT_THAT(SuiteCache(terminal, false, target).path(), IsEmpty());
  target.profile.environment_values = {"of-the-environment"};
  EXPECT_THAT(SuiteCache(terminal, true, target).path(), IsEmpty());
}

}  // namespace
}  // namespace assay::cli
