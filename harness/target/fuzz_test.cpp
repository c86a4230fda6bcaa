#include "harness/target/testing/fuzz.h"

#include <gtest/gtest.h>

#include "reference_impl/model/testing/mutator.h"

namespace assay::target {
namespace {

TEST(Fuzz, AnswersOfAServerAreReadOrRefused) {
  fuzzing::over_mutations(
      {"HTTP/1.1 201 Created\r\nX-A: 1\r\nContent-Length: 2\r\nX-B:  two \r\n\r\n{}",
       "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=1\r\nde\r\n0\r\n\r\n",
       "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n",
       "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\nuntil the end"},
      4'000, fuzz_http_answer);
  fuzzing::over_corpus("http_answer", fuzz_http_answer);
}

TEST(Fuzz, LinesOfAnAdapterAreTakenOrRefused) {
  fuzzing::over_mutations(
      {R"({"protocol":"assay-adapter","version":1,"capabilities":["runs.get","runs.create"],)"
       R"("target":{"name":"engine","version":"2"}})",
       R"({"id":7,"outcome":"accepted","answer":{"uuid":"r","status":"created","ok":[1.5,null]}})",
       R"({"id":8,"outcome":"refused"})", R"({"id":9,"error":"no connection \u00e9"})"},
      4'000, fuzz_adapter_line);
  fuzzing::over_corpus("adapter_line", fuzz_adapter_line);
}

}  // namespace
}  // namespace assay::target
