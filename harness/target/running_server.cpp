#include "harness/target/running_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <chrono>
#include <condition_variable>
#include <future>
#include <mutex>
#include <string_view>
#include <utility>

#include "harness/target/configuration_error.h"
#include "harness/target/http_target.h"
#include "harness/wire/exchange.h"

namespace assay::target {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds stop_grace{5'000};
/// How often a process that says nothing is looked at.
constexpr milliseconds look_interval{20};
constexpr milliseconds max_poll_interval{500};

milliseconds time_left(SteadyClock::time_point deadline) {
  return std::chrono::ceil<milliseconds>(deadline - SteadyClock::now());
}

/// The first word after the ready line's own.
std::string first_word(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
  return std::string(text.substr(begin, end - begin));
}

}  // namespace

/// What the thread that reads the output tells the one that waits.
struct RunningServer::Readiness {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<std::string> url;
};

RunningServer::RunningServer(const core::Profile& profile)
    : base_url_(profile.base_url),
      stop_signal_(signal_number(profile.launch.value().stop_signal)),
      readiness_(std::make_shared<Readiness>()) {
  const core::Launch& launch = *profile.launch;
  if (launch.ready_line.empty() && launch.health_path.empty()) {
    throw ConfigurationError("launch: it needs a ready line or a health path");
  }
  process_ = std::make_unique<ChildProcess>(
      launch.command, launch.environment,
      [readiness = readiness_, start = launch.ready_line](std::string_view line) {
        if (!start.empty() && line.starts_with(start)) {
          const std::lock_guard lock(readiness->mutex);
          if (!readiness->url) {
            readiness->url = first_word(line.substr(start.size()));
            readiness->changed.notify_all();
          }
        }
      });
  if (launch.ready_line.empty()) {
    await_health(profile);
  } else {
    await_ready_line(launch);
  }
}

RunningServer::~RunningServer() { stop(); }

ProcessEnd RunningServer::stop() { return process_->stop(stop_signal_, stop_grace); }

void RunningServer::await_ready_line(const core::Launch& launch) {
  const auto deadline = SteadyClock::now() + milliseconds(launch.ready_within_ms);
  while (time_left(deadline) > milliseconds(0)) {
    // All of its output is read by the time that its end is known.
    const std::optional<ProcessEnd> end = process_->end();
    {
      std::unique_lock lock(readiness_->mutex);
      const auto has_url = [this] { return readiness_->url.has_value(); };
      if (readiness_->changed.wait_for(lock, end ? milliseconds(0) : look_interval, has_url)) {
        if (!readiness_->url->empty()) {
          base_url_ = *readiness_->url;
        }
        return;
      }
    }
    if (end) {
      give_up(process_end_text(*end));
    }
  }
  give_up(fmt::format("no line of its standard output began with '{}' within {} ms",
                      launch.ready_line, launch.ready_within_ms));
}

void RunningServer::await_health(const core::Profile& profile) {
  const core::Launch& launch = *profile.launch;
  const auto deadline = SteadyClock::now() + milliseconds(launch.ready_within_ms);
  boost::asio::io_context io;
  HttpTargetSettings settings{profile.base_url, profile.tls, profile.limits};
  settings.limits.rate = 0;
  HttpTarget target(io, std::move(settings));
  // What setup and login give is not there yet.
  std::vector<core::Header> headers = wire::own_headers(profile, {});
  std::erase_if(headers, [](const core::Header& header) {
    return header.value.find("${login.") != std::string::npos;
  });
  const core::HttpRequest request{"GET", launch.health_path, headers, std::nullopt};
  std::string last = "it was not asked";
  milliseconds interval = look_interval;
  while (time_left(deadline) > milliseconds(0)) {
    auto call = boost::asio::co_spawn(io, target.perform(request), boost::asio::use_future);
    io.restart();
    io.run_until(deadline);
    if (call.wait_for(milliseconds(0)) != std::future_status::ready) {
      break;
    }
    const core::HttpResult result = call.get();
    // An answer says nothing where the process is gone: then another one has its port.
    if (const std::optional<ProcessEnd> end = process_->wait_for(milliseconds(0))) {
      give_up(process_end_text(*end));
    }
    if (result) {
      if (result->status >= 200 && result->status < 300) {
        return;
      }
      last = fmt::format("status {}", result->status);
    } else {
      const auto& error = result.error();
      last = fmt::format("{} ({})", core::transport_fault_texts[error.fault], error.detail);
    }
    process_->wait_for(std::min(interval, time_left(deadline)));
    interval = std::min(interval * 3 / 2, max_poll_interval);
  }
  give_up(fmt::format("{} gave no success within {} ms; the last answer: {}", launch.health_path,
                      launch.ready_within_ms, last));
}

void RunningServer::give_up(const std::string& why) const {
  // Stopped first, so that what it says on its way out is shown too.
  process_->stop(stop_signal_, stop_grace);
  const std::string output = process_->output();
  throw StartError(fmt::format("the server did not start: {}\n{}", why,
                               output.empty() ? "it wrote nothing" : "its output:\n" + output));
}

}  // namespace assay::target
