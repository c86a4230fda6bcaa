#include "reference_impl/service/lagging.h"

#include <chrono>

#include "reference_impl/service/service_fixture.h"

namespace assay::service {
namespace {

using std::chrono::milliseconds;

class Lagging : public ServiceTest {
 protected:
  Lagging() {
    const MakeService make = [](std::shared_ptr<Clock> clock) {
      ServiceOptions options;
      options.clock = std::move(clock);
      return make_reference(std::move(options));
    };
    service_ = make_lagging(make, clock_, milliseconds(500));
  }

  void pass(milliseconds time) { clock_->move(std::chrono::nanoseconds(time).count()); }
};

TEST_F(Lagging, ShowsAChangeOnceItsLagIsOver) {
  create();
  EXPECT_EQ(get("/executions/x/status").status, 404);
  pass(milliseconds(499));
  EXPECT_EQ(get("/executions/x/status").status, 404);
  pass(milliseconds(1));
  EXPECT_EQ(get("/executions/x/status").status, 200);
}

TEST_F(Lagging, AnswersChangesByWhatIsTrue) {
  create();
  EXPECT_EQ(post("/executions", R"({"execution_id":"x"})").status, 409);
  const std::string same = event("task.started");
  EXPECT_EQ(post("/executions/x/events", same).status, 201);
  EXPECT_EQ(post("/executions/x/events", same).status, 200);
}

TEST_F(Lagging, ShowsEachChangeWithTheTimeAndTheIdThatItHad) {
  const Answer made = post("/runs", R"({"run_kind":"k"})");
  pass(milliseconds(700));
  const Answer shown = get("/runs/" + std::string(made.body.string_at("run_id").value_or("")));
  EXPECT_EQ(shown.status, 200);
  EXPECT_EQ(shown.at("/created_at"), made.at("/created_at"));
}

}  // namespace
}  // namespace assay::service
