#include "harness/audit/testing/fuzz.h"

#include <gtest/gtest.h>

#include <string>

#include "reference_impl/model/testing/mutator.h"

namespace assay::audit {
namespace {

TEST(Fuzz, EventsOfALogAreTakenOrRefused) {
  fuzzing::over_mutations(
      {R"({"event_id":"e1","execution_id":"x","event_type":"step.enter","seq":3,"attempt":1.0,)"
       R"("timestamp":"2026-01-01T00:00:00Z","entity_type":"step","node_name":"a\\n\u00e9"})",
       R"({"event_type":"next.evaluated","payload":{"mode":"exclusive","arcs":[{"to":"b"}]}})",
       R"({"seq":18446744073709551615,"status":{"a":[true]},"iteration":1.5,"payload":null})"},
      4'000, fuzz_audit_line);
  fuzzing::over_corpus("audit_line", fuzz_audit_line);
}

TEST(Fuzz, RowsOfADatabaseAreReadOneByOne) {
  const std::string first =
      R"({"event_id":"e1","execution_id":"x","event_type":"step.enter","seq":3})";
  const std::string second = "{\"id\":7,\"type\":\"a\",\n \"data\":{\"b\":[1,\n2]}}";
  fuzzing::over_mutations({first, first + '\0' + second, second + '\0' + second + '\0' + first,
                           std::string("{}\0\0{\"a\":null}", 14)},
                          2'000, fuzz_postgres_row);
  fuzzing::over_corpus("postgres_row", fuzz_postgres_row);
}

}  // namespace
}  // namespace assay::audit
