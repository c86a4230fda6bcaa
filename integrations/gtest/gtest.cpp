#include "integrations/gtest/gtest.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "base/testing/scratch_folder.h"
#include "reference_impl/server/http_server.h"

namespace assay::gtest {
namespace {

constexpr int conforms = 0;
constexpr int fails = 1;
constexpr int undecided = 4;

using Folder = base::testing::ScratchFolder;

/// Runs the program with its output in `folder`/out and /err; gives its exit code.
int run_program(const std::vector<std::string>& command, const Folder& folder) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  const std::string out = folder.path("out");
  const std::string err = folder.path("err");
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  ::posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, out.c_str(), flags, 0600);
  ::posix_spawn_file_actions_addopen(&files, STDERR_FILENO, err.c_str(), flags, 0600);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words[0], &files, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::runtime_error("cannot start " + command[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// The handler as the server calls it.
class HandlerService final : public service::Service {
 public:
  explicit HandlerService(std::function<Response(const Request&)> handler)
      : handler_(std::move(handler)) {}

  service::Reply handle(const service::Request& request) override {
    Request asked{request.method, request.target, {}, request.body};
    for (const service::Header& header : request.headers) {
      asked.headers.emplace_back(header.name, header.value);
    }
    try {
      Response response = handler_(asked);
      service::Reply reply{response.status, response.content_type, std::move(response.body), {}};
      for (auto& [name, value] : response.headers) reply.headers.push_back({name, value});
      return reply;
    } catch (const std::exception& error) {
      return {500, "text/plain", error.what(), {}};
    }
  }

 private:
  std::function<Response(const Request&)> handler_;
};

/// What the tests share: the cases that were chosen, and the verdicts once the first test asks for
/// them.
class Judgement {
 public:
  explicit Judgement(Options options) : options_(std::move(options)) {
    if (options_.program.empty()) options_.program = ASSAY_INSTALLED_PROGRAM;
    if (!options_.handler) return;
    server_ = std::make_unique<server::HttpServer>(
        std::make_shared<HandlerService>(options_.handler), server::ServerOptions());
    options_.target = "http://127.0.0.1:" + std::to_string(server_->port());
  }

  /// The ids of the chosen cases.
  [[nodiscard]] std::vector<std::string> list() const {
    const Folder folder;
    std::vector<std::string> command = base_command();
    command.insert(command.end(), options_.cases.begin(), options_.cases.end());
    command.emplace_back("--list");
    if (run_program(command, folder) != conforms) throw std::runtime_error(folder.read("err"));
    std::vector<std::string> ids;
    std::istringstream lines(folder.read("out"));
    for (std::string line; std::getline(lines, line);) {
      const std::size_t end = line.find("  ");
      if (end != std::string::npos) ids.push_back(line.substr(0, end));
    }
    return ids;
  }

  void add(const std::string& test, const std::string& id) { ids_[test] = id; }

  [[nodiscard]] const std::string& id_of(const std::string& test) const { return ids_.at(test); }

  /// The case's part of the record; nothing where the run came to no end that has one.
  const nlohmann::json* result_of(const std::string& id) {
    if (!is_judged_) judge();
    const auto found = results_.find(id);
    return found == results_.end() ? nullptr : &found->second;
  }

  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  [[nodiscard]] std::vector<std::string> base_command() const {
    std::vector<std::string> command = {options_.program, "run", "--profile", options_.profile};
    if (!options_.target.empty()) {
      command.emplace_back("--target");
      command.push_back(options_.target);
    }
    command.insert(command.end(), options_.arguments.begin(), options_.arguments.end());
    return command;
  }

  /// Judges what GoogleTest's filter has let through.
  void judge() {
    is_judged_ = true;
    const Folder folder;
    std::vector<std::string> command = base_command();
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
      const testing::TestSuite& tests = *all.GetTestSuite(suite);
      if (std::string_view(tests.name()) != "assay") continue;
      for (int index = 0; index < tests.total_test_count(); ++index) {
        const testing::TestInfo& test = *tests.GetTestInfo(index);
        if (!test.should_run()) continue;
        command.emplace_back("--case");
        command.push_back(ids_.at(test.name()));
      }
    }
    command.insert(command.end(), {"--quiet", "--record", folder.path("record")});
    const int code = run_program(command, folder);
    if (code != conforms && code != fails && code != undecided) trouble_ = folder.read("err");
    std::ifstream record(folder.path("record"));
    for (std::string line; std::getline(record, line);) {
      nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
      if (json.is_object() && json.value("type", "") == "case") {
        std::string id = json.value("id", "");
        results_.emplace(std::move(id), std::move(json));
      }
    }
  }

  Options options_;
  std::unique_ptr<server::HttpServer> server_;
  std::map<std::string, std::string> ids_;
  bool is_judged_ = false;
  std::map<std::string, nlohmann::json> results_;
  std::string trouble_;
};

/// What did not hold, a line each.
std::string failures_in(const nlohmann::json& result) {
  std::string text;
  for (const nlohmann::json& check : result.value("checks", nlohmann::json::array())) {
    if (check.value("verdict", "") == "pass") continue;
    text += "\n" + check.value("at", "") + ": " + check.value("reason", "");
    for (const nlohmann::json& clause : check.value("clauses", nlohmann::json::array())) {
      text += " " + clause.get<std::string>();
    }
    text += "\n  expected: " + check.value("expected", "");
    text += "\n  actual:   " + check.value("actual", "");
  }
  return text;
}

class CaseTest final : public testing::Test {
 public:
  CaseTest(std::shared_ptr<Judgement> judgement, std::string id)
      : judgement_(std::move(judgement)), id_(std::move(id)) {}

  void TestBody() override {
    const nlohmann::json* const result = judgement_->result_of(id_);
    if (result == nullptr) {
      FAIL() << id_ << " was not judged. " << judgement_->trouble();
    }
    const std::string verdict = result->value("verdict", "");
    const std::string reason = result->value("reason", "");
    if (verdict == "pass") return;
    if (verdict == "fail" || verdict == "error") {
      FAIL() << id_ << ": " << reason << failures_in(*result);
    }
    GTEST_SKIP() << id_ << ": " << verdict << ": " << reason;
  }

 private:
  std::shared_ptr<Judgement> judgement_;
  std::string id_;
};

/// A case's id as GoogleTest can filter it: '-', '*', '?' and ':' have a meaning there.
std::string test_name(const std::string& id, std::set<std::string>& taken) {
  std::string name;
  for (const char letter : id) {
    const bool is_kept = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                         (letter >= '0' && letter <= '9') || letter == '/';
    name += is_kept ? letter : '_';
  }
  while (!taken.insert(name).second) name += "_";
  return name;
}

}  // namespace

void register_cases(Options options) {
  const auto judgement = std::make_shared<Judgement>(std::move(options));
  std::set<std::string> taken;
  for (const std::string& id : judgement->list()) {
    const std::string name = test_name(id, taken);
    judgement->add(name, id);
    testing::RegisterTest(
        "assay", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [judgement, id]() -> testing::Test* { return new CaseTest(judgement, id); });
  }
}

}  // namespace assay::gtest
