// Before a recorded server stands a liar, who tells one member otherwise. What was said to hold and
// is about that member no longer does: else it was said of something that nobody looked at.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "harness/check/asked.h"
#include "harness/check/observable.h"
#include "harness/core/clause_members.h"
#include "harness/run/expectation.h"
#include "harness/run/testing/recorded_server.h"
#include "harness/wire/exchange.h"
#include "harness/wire/json.h"

namespace assay::run::falsified_members_test {
namespace {

using testing::RecordedServer;

/// A member that is told in more ways is no word but an id or a time: one of its values will do.
constexpr std::size_t most_words = 16;

/// A member of a raw answer: the operation, and where it stands, with # for places in lists.
using Member = std::pair<std::string, std::string>;

/// Visits each text, number, boolean and null of an answer.
void visit_scalars(Value& value, const std::string& pointer,
                   const std::function<void(Value&, const std::string&)>& visit) {
  if (value.is_object()) {
    for (auto& [name, inner] : value.as_object()) {
      std::string below = pointer;
      visit_scalars(inner, below.append("/").append(name), visit);
    }
  } else if (value.is_list()) {
    for (Value& inner : value.as_list()) visit_scalars(inner, pointer + "/#", visit);
  } else {
    visit(value, pointer);
  }
}

std::optional<Value> body_of(const core::Exchange& exchange) {
  if (!exchange.response) return std::nullopt;
  auto body = wire::parse_json(exchange.response->body);
  return body ? std::optional(*std::move(body)) : std::nullopt;
}

/// The exchanges with one member told otherwise, wherever it is told.
std::vector<core::Exchange> falsified(std::vector<core::Exchange> exchanges, const Member& member,
                                      const Value& otherwise) {
  for (core::Exchange& exchange : exchanges) {
    if (exchange.operation != member.first) continue;
    std::optional<Value> body = body_of(exchange);
    if (!body) continue;
    visit_scalars(*body, "", [&](Value& value, const std::string& pointer) {
      if (pointer == member.second) value = value == otherwise ? Value("otherwise") : otherwise;
    });
    exchange.response->body = wire::to_json(*body);
  }
  return exchanges;
}

void add_names(const Value& before, const Value& after, const std::string& name,
               std::set<std::string>& names) {
  if (before == after) return;
  if (!name.empty()) names.insert(name);
  if (before.is_object() && after.is_object()) {
    for (const auto& [key, value] : before.as_object()) {
      const Value* other = after.find(key);
      add_names(value, other == nullptr ? Value() : *other, key, names);
    }
  } else if (before.is_list() && after.is_list()) {
    const std::size_t both = std::min(before.as_list().size(), after.as_list().size());
    for (std::size_t index = 0; index < both; ++index) {
      add_names(before.as_list()[index], after.as_list()[index], "", names);
    }
  }
}

/// The members of our own answers that the profile reads from what was told otherwise.
std::set<std::string> observed(const RecordedServer& server,
                               const std::vector<core::Exchange>& before,
                               const std::vector<core::Exchange>& after) {
  std::set<std::string> names;
  for (std::size_t index = 0; index < before.size(); ++index) {
    const auto mapped = [&](const core::Exchange& exchange) {
      return wire::read_answer(server.profile, exchange.operation, *exchange.response).mapped;
    };
    if (!before[index].response || !server.profile.operations.contains(before[index].operation)) {
      continue;
    }
    add_names(mapped(before[index]), mapped(after[index]), "", names);
  }
  return names;
}

/// What the check at that place asks for, without what the profile does not show.
std::set<std::string> asked_at(const std::string& at, const core::Scenario& scenario,
                               const core::Profile& profile) {
  for (const core::Step& step : scenario.steps) {
    const std::string place =
        step.at.file + ":" + std::to_string(step.at.line) + ":" + std::to_string(step.at.column);
    const auto* expect = std::get_if<core::Expect>(&step.action);
    if (place != at || expect == nullptr) continue;
    core::Expect left = *expect;
    return keep_observable(left, profile) ? check::asked_by(left) : std::set<std::string>();
  }
  return {};
}

/// A clause and a member that a check which passed asked for on its behalf.
using Claim = std::pair<std::string, std::string>;

struct RecordedCase {
  core::Scenario scenario;
  const core::CaseResult* recorded = nullptr;
  core::CaseResult judged;
};

std::set<Claim> claims_of(const RecordedCase& one, const core::Profile& profile) {
  std::set<Claim> claims;
  for (const core::Check& check : one.judged.checks) {
    if (check.verdict != core::Verdict::pass) continue;
    for (const std::string& member : asked_at(check.at, one.scenario, profile)) {
      for (const std::string& clause : check.clauses) {
        if (core::clause_members().is_about(clause, {member})) claims.emplace(clause, member);
      }
    }
  }
  return claims;
}

/// Whether all checks of the case say that the clause holds, and one does.
bool holds(const std::string& clause, const core::CaseResult& result) {
  bool is_said = false;
  for (const core::Check& check : result.checks) {
    const bool is_about_it =
        std::find(check.clauses.begin(), check.clauses.end(), clause) != check.clauses.end();
    if (!is_about_it || check.verdict == core::Verdict::not_applicable) continue;
    if (check.verdict != core::Verdict::pass) return false;
    is_said = true;
  }
  return is_said;
}

class FalsifiedMembers : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    for (const core::CaseResult& recorded : server_.record.cases) {
      RecordedCase& one = cases_.emplace_back();
      one.scenario = testing::recorded_scenario(recorded.id);
      one.recorded = &recorded;
      one.judged = judge(one, recorded.exchanges);
    }
  }

  core::CaseResult judge(const RecordedCase& one, const std::vector<core::Exchange>& exchanges) {
    return testing::judge_again(server_, testing::recorded_row(one.scenario, one.recorded->id),
                                exchanges);
  }

  /// All members that the server told, with what it told of each.
  std::map<Member, std::vector<Value>> members() {
    std::map<Member, std::vector<Value>> told;
    for (const RecordedCase& one : cases_) {
      for (const core::Exchange& exchange : one.recorded->exchanges) {
        std::optional<Value> body = body_of(exchange);
        if (!body || !server_.profile.operations.contains(exchange.operation)) continue;
        visit_scalars(*body, "", [&](Value& value, const std::string& pointer) {
          std::vector<Value>& values = told[{exchange.operation, pointer}];
          if (std::find(values.begin(), values.end(), value) == values.end()) {
            values.push_back(value);
          }
        });
      }
    }
    return told;
  }

  /// The claims of a case that rest on a member.
  std::set<Claim> claims_on(const RecordedCase& one, const Member& member) {
    const auto& exchanges = one.recorded->exchanges;
    const std::set<std::string> names =
        observed(server_, exchanges, falsified(exchanges, member, "otherwise"));
    std::set<Claim> claims;
    if (!names.empty()) claims = claims_of(one, server_.profile);
    std::erase_if(claims, [&](const Claim& claim) {
      return !names.contains(claim.second) || !holds(claim.first, one.judged);
    });
    return claims;
  }

  /// Tells lies about a member until no claim of the case that rests on it is left.
  void lie(const RecordedCase& one, const Member& member, const std::vector<Value>& lies,
           std::set<Claim>& made, std::set<Claim>& taken_away) {
    const std::set<Claim> claims = claims_on(one, member);
    made.insert(claims.begin(), claims.end());
    for (const Value& otherwise : lies) {
      if (std::includes(taken_away.begin(), taken_away.end(), claims.begin(), claims.end())) return;
      const core::CaseResult judged =
          judge(one, falsified(one.recorded->exchanges, member, otherwise));
      for (const Claim& claim : claims) {
        if (!holds(claim.first, judged)) taken_away.insert(claim);
      }
    }
  }

  RecordedServer server_ = testing::recorded_server(GetParam());
  std::vector<RecordedCase> cases_;
};

TEST_P(FalsifiedMembers, TakeAwayWhatWasSaidOfThem) {
  std::set<Claim> made;
  std::set<Claim> taken_away;
  for (auto& [member, values] : members()) {
    if (values.size() > most_words) values.resize(1);
    values.insert(values.end(), {Value("otherwise"), Value(), Value("playbook.failed"),
                                 Value("execution.cancelled")});
    for (const RecordedCase& one : cases_) lie(one, member, values, made, taken_away);
  }
  EXPECT_GE(made.size(), 3U);
  for (const auto& [clause, member] : made) {
    EXPECT_TRUE(taken_away.contains({clause, member}))
        << clause << " still holds whatever is told of " << member;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FalsifiedMembers,
                         ::testing::Values("mlflow", "noetl-py", "noetl-rs", "prefect", "temporal"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace assay::run::falsified_members_test
