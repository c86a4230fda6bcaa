#include "cli/interruption.h"

#include <csignal>
#include <ctime>

namespace assay::cli {
namespace {

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  // Whoever started this with nohup wants it to outlive the terminal.
  struct sigaction hang_up = {};
  sigaction(SIGHUP, nullptr, &hang_up);
  if (hang_up.sa_handler != SIG_IGN) sigaddset(&signals, SIGHUP);
  return signals;
}

/// How often the waiter looks whether it is wanted no more.
constexpr timespec look_interval = {0, 50'000'000};

}  // namespace

Interruption::Interruption() {
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  waiter_ = std::jthread([this, signals](const std::stop_token& ended) {
    while (!ended.stop_requested()) {
      if (sigtimedwait(&signals, nullptr, &look_interval) < 0) continue;
      source_.request_stop();
      pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
      return;
    }
  });
}

Interruption::~Interruption() {
  waiter_.request_stop();
  waiter_.join();
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
}

}  // namespace assay::cli
