#include "harness/run/testing/scripted_target.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>

#include "harness/core/clause_table.h"
#include "harness/core/operation_shape.h"
#include "harness/wire/json.h"
#include "harness/wire/scenario_reader.h"

namespace assay::run::testing {
namespace {

core::OperationTemplate template_of(const char* method, const char* path,
                                    std::optional<Value> body = std::nullopt) {
  core::OperationTemplate result;
  result.method = method;
  result.path = path;
  result.body = std::move(body);
  result.duplicate = {208};
  return result;
}

}  // namespace

void ScriptedTarget::on(const std::string& method, const std::string& path, Handler handler) {
  handlers_.insert(handlers_.begin(), {method + " " + path, std::move(handler)});
}

boost::asio::awaitable<core::HttpResult> ScriptedTarget::perform(core::HttpRequest request) {
  requests_.push_back(fmt::format("{} {}{}{}", request.method, request.target,
                                  request.body ? " " : "", request.body.value_or("")));
  const auto body = wire::parse_json(request.body.value_or("null"));
  bodies_.push_back(body ? *body : Value());
  // An answer never comes before others have had their turn.
  const auto executor = co_await boost::asio::this_coro::executor;
  co_await boost::asio::post(executor, boost::asio::use_awaitable);
  const std::string key = request.method + " " + request.target.substr(0, request.target.find('?'));
  if (key == unanswered_) {
    when_unanswered_();
    boost::asio::steady_timer never(executor, boost::asio::steady_timer::time_point::max());
    co_await never.async_wait(boost::asio::use_awaitable);
  }
  for (const auto& [name, handler] : handlers_) {
    if (name == key) co_return handler(request);
  }
  co_return request.method == "POST" ? json(201, Object{}) : json(404, Object{});
}

boost::asio::awaitable<void> SteppingWaiter::wait(double pause_ms) {
  clock_.advance(pause_ms);
  const auto executor = co_await boost::asio::this_coro::executor;
  co_await boost::asio::post(executor, boost::asio::use_awaitable);
}

core::HttpResult json(int status, const Value& body) {
  return core::HttpResponse{status, {{"Content-Type", "application/json"}}, wire::to_json(body)};
}

core::HttpResult fault(core::TransportFault fault) {
  return unexpected(core::TransportError{fault, "", true});
}

core::Profile contract_profile() {
  core::Profile profile;
  profile.name = "contract";
  for (const core::OperationShape& shape : core::operation_shapes()) {
    profile.capabilities.emplace(shape.name);
  }
  for (const std::string_view name : core::semantic_capabilities()) {
    profile.capabilities.emplace(name);
  }
  auto& operations = profile.operations;
  operations["executions.start"] =
      template_of("POST", "/executions",
                  Object{{"execution_id", "${execution_id?}"}, {"playbook", "${playbook?}"}});
  operations["executions.status"] = template_of("GET", "/executions/${execution_id}/status");
  operations["executions.list"] = template_of("GET", "/executions");
  operations["events.post"] =
      template_of("POST", "/executions/${execution_id}/events", Value("${event}"));
  operations["events.post_batch"] = template_of("POST", "/executions/${execution_id}/events/batch",
                                                Object{{"events", "${events}"}});
  operations["events.list"] = template_of("GET", "/executions/${execution_id}/events");
  for (const char* name : {"executions.list", "events.list"}) {
    operations[name].query = {{"after", "${after?}"}};
  }
  operations["workflow.start"] =
      template_of("POST", "/workflow-execution", Object{{"workflow", "${workflow}"}});
  operations["workflow.get"] = template_of("GET", "/workflow-execution/id/${uuid}");
  operations["jobs.poll"] =
      template_of("POST", "/blackboard/jobs/poll", Object{{"worker", "${worker}"}});
  operations["jobs.push"] = template_of(
      "POST", "/blackboard/jobs/${job_id}/result",
      Object{{"success", "${success}"}, {"entities", "${entities?}"}, {"data", "${data?}"}});
  operations["runs.create"] = template_of("POST", "/runs", Object{{"run_id", "${run_id?}"}});
  operations["runs.transition"] =
      template_of("POST", "/runs/${run_id}/transitions", Object{{"to", "${to}"}});
  operations["server.health"] = template_of("GET", "/healthz");
  return profile;
}

core::Scenario scenario_of(const std::string& steps, const std::string& more) {
  static const core::ClauseTable clauses(
      "STM-CORE-1\tMUST\t000 x\ty\nSTM-CORE-2\tSHOULD\t000 x\ty\n");
  std::string text = "id: test/case\ntitle: A case\nclauses: [STM-CORE-1, STM-CORE-2]\n" + more +
                     "\nsteps:\n" + steps;
  auto read = wire::read_scenario(text, "case.yaml", clauses);
  if (!read) {
    for (const core::Diagnostic& problem : read.error()) {
      ADD_FAILURE() << core::diagnostic_text(problem);
    }
    return {};
  }
  return std::move(read).value();
}

core::CaseResult TestRunner::run(const core::Scenario& scenario, std::size_t row) {
  boost::asio::io_context io;
  auto future = boost::asio::co_spawn(io, run_case(context, core::cases_of(scenario).at(row)),
                                      boost::asio::use_future);
  io.run();
  return future.get();
}

}  // namespace assay::run::testing
