#include "reference_impl/service/testing/fuzz.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "reference_impl/model/testing/mutator.h"

namespace assay::service {
namespace {

const std::vector<std::string>& event_seeds() {
  static const std::vector<std::string> seeds = {
      R"({"event_id":"a","event_type":"playbook.completed","timestamp":"2026-03-01T10:00:00Z"})",
      R"({"event_id":"b","event_type":"command.completed","timestamp":"2026-03-01T11:30:00.12+01:30",)"
      R"("command_id":"c","node_name":"é","status":"COMPLETED","attempt":1,"payload":{"a":[1.5,null]}})",
      R"({"events":[{"event_id":"a","event_type":"step.enter","timestamp":"2026-03-01T10:00:00Z",)"
      R"("node_name":"s"},{"event_id":"b","event_type":"batch.completed","pending_count":0,)"
      R"("timestamp":"2026-03-01T10:00:01Z"}]})"};
  return seeds;
}

TEST(Fuzz, EventsAreTakenOrRefused) {
  fuzzing::over_mutations(event_seeds(), 400, fuzz_event);
  fuzzing::over_corpus("event", fuzz_event);
}

TEST(Fuzz, JsonIsTakenOrRefused) {
  fuzzing::over_mutations(event_seeds(), 2'000, fuzz_json);
  fuzzing::over_corpus("json", fuzz_json);
}

TEST(Fuzz, PlaybooksAreTakenOrRefused) {
  fuzzing::over_mutations(
      {"name: p\nworkflow:\n  - step: start\n    next:\n      arcs: [{step: end, when: "
       "\"{{ x > 1 }}\"}]\n"
       "  - step: end\n",
       "a: &a [1, 2]\nb: *a\n"},
      400, fuzz_playbook);
  fuzzing::over_corpus("playbook", fuzz_playbook);
}

}  // namespace
}  // namespace assay::service
