#include "harness/check/refused_requests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace assay::check::refused_requests_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

core::CaseResult case_of(core::Verdict verdict, int status, std::string operation) {
  core::CaseResult result;
  result.verdict = verdict;
  core::Exchange& exchange = result.exchanges.emplace_back();
  exchange.operation = std::move(operation);
  exchange.response = core::HttpResponse{};
  exchange.response->status = status;
  exchange.response->body = R"({"detail":"no dictionary"})";
  return result;
}

std::vector<core::CaseResult> cases_of(core::Verdict verdict, int status,
                                       const std::string& operation = "runs.transition") {
  return std::vector<core::CaseResult>(3, case_of(verdict, status, operation));
}

TEST(RefusedRequests, AreSaidWhereEveryRequestOfAnOperationIsMalformed) {
  EXPECT_THAT(notes_on_refused_requests(cases_of(core::Verdict::fail, 422)),
              ElementsAre("The target refused each of the 3 runs.transition requests as malformed "
                          "(422: {\"detail\":\"no dictionary\"}): is operations.runs.transition of "
                          "the profile right? assay probe says more"));
}

TEST(RefusedRequests, AreNoneWhereOneIsTakenOrDeclinedOrNobodyFeelsIt) {
  std::vector<core::CaseResult> cases = cases_of(core::Verdict::fail, 422);
  cases.push_back(case_of(core::Verdict::pass, 200, "runs.transition"));
  EXPECT_THAT(notes_on_refused_requests(cases), IsEmpty());
  EXPECT_THAT(notes_on_refused_requests(cases_of(core::Verdict::fail, 409)), IsEmpty());
  EXPECT_THAT(notes_on_refused_requests(cases_of(core::Verdict::pass, 422)), IsEmpty());
  EXPECT_THAT(notes_on_refused_requests(cases_of(core::Verdict::fail, 422, "raw_request")),
              IsEmpty());
}

}  // namespace
}  // namespace assay::check::refused_requests_test
