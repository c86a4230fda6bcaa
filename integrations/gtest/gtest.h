#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Every case of assay as a GoogleTest test of its own, with its name, its filter and its place in
/// GoogleTest's XML. A CMake project says find_package(assay) and links assay::gtest.
namespace assay::gtest {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// One HTTP request, as the server under test gets it.
struct Request {
  std::string method;
  /// Path and query as sent, percent-encoded.
  std::string target;
  Headers headers;
  std::string body;
};

/// One HTTP response.
struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  Headers headers;
};

/// What is judged, and by which cases.
struct Options {
  /// Where the server is: http://HOST:PORT/PATH. Empty where `handler` is set, or where the profile
  /// has its own base_url or launch.
  std::string target;
  /// A server within this process. It is called from several threads at once, through a free port
  /// of the loopback.
  std::function<Response(const Request&)> handler;
  /// A built-in profile's name, or a profile file.
  std::string profile = "reference";
  /// Ids or globs of scenarios or cases, as for `assay run`; without any, all.
  std::vector<std::string> cases;
  /// More options of `assay run`, such as {"--seed", "5"}.
  std::vector<std::string> arguments;
  /// The program; empty for the one that this library was installed with.
  std::string program;
};

/// Registers the chosen cases as tests `assay.SCENARIO` or `assay.SCENARIO[ROW]`, letters, digits
/// and `/` of the id kept and all else turned into `_`. Call it between InitGoogleTest and
/// RUN_ALL_TESTS. The tests that GoogleTest's filter lets through are judged in one run of assay,
/// side by side, when the first of them starts. A case that does not apply, or of which nothing
/// could be said, is skipped with the reason. Throws std::runtime_error where the program does not
/// start or refuses the options.
void register_cases(Options options);

}  // namespace assay::gtest
