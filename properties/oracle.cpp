#include "properties/oracle.h"

#include <atomic>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <map>
#include <utility>
#include <vector>

#include "harness/check/substitute.h"
#include "harness/core/operation_shape.h"
#include "harness/run/identity.h"
#include "harness/run/reading.h"
#include "harness/run/scope.h"
#include "harness/run/script.h"
#include "harness/run/session.h"
#include "harness/run/waiter.h"
#include "harness/target/clock.h"
#include "harness/target/in_process_target.h"
#include "harness/wire/json.h"
#include "reference_impl/liberties/catalogue.h"
#include "reference_impl/liberties/choices.h"
#include "reference_impl/service/reference.h"

namespace assay::properties {
namespace {

/// One millisecond passes with each look at the clock: times are told apart, and a case takes the
/// same times whenever it is made.
class TickingClock final : public service::Clock {
 public:
  explicit TickingClock(std::int64_t start_ns) : now_ns_(start_ns) {}
  [[nodiscard]] std::int64_t now() override { return now_ns_ += 1'000'000; }

 private:
  std::atomic<std::int64_t> now_ns_;
};

/// In process everything has happened before anybody could wait for it.
class NoWaiter final : public run::Waiter {
 public:
  boost::asio::awaitable<void> wait(double /*pause_ms*/) override { co_return; }
};

service::ServiceOptions options_of(const core::Profile& profile, const OracleSetup& setup) {
  service::ServiceOptions options;
  liberties::take_choices(profile.interpretations, options);
  options.clock = std::make_shared<TickingClock>(setup.now_ns);
  options.ids = service::uuid_source(setup.seed);
  return options;
}

/// The liberties that change what is said. Only the form of an answer, such as blanks in its JSON,
/// is lost with reading it.
const std::vector<const liberties::Liberty*>& liberties_of_meaning() {
  static const std::vector<const liberties::Liberty*> all = [] {
    std::vector<const liberties::Liberty*> found;
    for (const liberties::Liberty& liberty : liberties::liberties()) {
      if (liberty.form == nullptr) found.push_back(&liberty);
    }
    return found;
  }();
  return all;
}

std::unique_ptr<service::Service> sound_service(const core::Profile& profile,
                                                const OracleSetup& setup) {
  return setup.takes_liberties
             ? liberties::make_free(liberties_of_meaning(), options_of(profile, setup))
             : service::make_reference(options_of(profile, setup));
}

}  // namespace

struct Oracle::State {
  State(const core::Profile& profile, const core::Scenario& scenario, const OracleSetup& setup)
      : service(sound_service(profile, setup)),
        target(*service),
        context{.target = target,
                .profile = profile,
                .clock = clock,
                .waiter = waiter,
                .seed = setup.seed,
                .prefix = setup.prefix,
                .secrets = core::Secrets()},
        one{scenario.id, &scenario, scenario.variables},
        identity(setup.prefix, scenario.id),
        session(context, identity.unique()),
        script(session, one, identity),
        scope(one, identity) {}

  /// Runs to the end at once: in process nothing waits.
  template <typename Result>
  Result run(boost::asio::awaitable<Result> work) {
    std::optional<Result> result;
    std::exception_ptr fault;
    boost::asio::co_spawn(io, std::move(work), [&](std::exception_ptr thrown, Result value) {
      fault = std::move(thrown);
      result = std::move(value);
    });
    io.restart();
    io.run();
    if (fault) std::rethrow_exception(fault);
    return std::move(*result);
  }

  boost::asio::io_context io{1};
  std::unique_ptr<service::Service> service;
  target::InProcessTarget target;
  target::ManualClock clock;
  NoWaiter waiter;
  run::RunContext context;
  core::Case one;
  run::Identity identity;
  run::Session session;
  run::Script script;
  run::Scope scope;
  /// What was read since the last step, by the question.
  std::map<std::string, std::shared_ptr<const Value>> reads;
};

Oracle::Oracle(const core::Profile& profile, const core::Scenario& scenario,
               const OracleSetup& setup)
    : state_(std::make_unique<State>(profile, scenario, setup)) {}

Oracle::~Oracle() = default;

bool Oracle::play(const core::Step& step) {
  state_->reads.clear();
  return state_->run(state_->script.attempt(step, state_->scope));
}

const core::Answer* Oracle::answer() const { return state_->script.last_answer(); }

const Value& Oracle::read(std::string_view operation, std::string_view on,
                          const Object& parameters) {
  const std::string key =
      std::string(operation) + " " + std::string(on) + " " + wire::to_json(Value(parameters));
  const auto known = state_->reads.find(key);
  if (known != state_->reads.end()) return *known->second;
  const Value substituted = check::substitute(Value(parameters), state_->scope.variables());
  core::Operation asked{std::string(operation), substituted.as_object()};
  const core::OperationShape* shape = core::operation_shape(operation);
  if (shape != nullptr && !shape->subject.empty()) {
    asked.parameters.emplace(shape->subject, state_->scope.subject(on));
  }
  std::shared_ptr<const Value>& answer = state_->reads[key];
  answer = std::make_shared<const Value>();
  if (shape != nullptr && shape->listing) {
    run::Listing listing = state_->run(run::read_listing(state_->session, std::move(asked)));
    if (listing.result == run::ReadResult::matched) {
      answer = std::make_shared<const Value>(Object{{"items", std::move(listing.items)}});
    }
  } else {
    const run::Reply reply = state_->run(state_->session.perform(std::move(asked)));
    if (reply.answer->acceptance == core::Acceptance::accepted) {
      answer = {reply.answer, &reply.answer->mapped};
    }
  }
  return *answer;
}

std::string Oracle::subject(std::string_view name) const { return state_->scope.subject(name); }

const std::string& Oracle::unique() const { return state_->identity.unique(); }

}  // namespace assay::properties
