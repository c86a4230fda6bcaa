#include "reference_impl/service/lagging.h"

#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>

namespace assay::service {
namespace {

/// Stands still while a request is answered, so that the copy sees it at the time that it had.
class SteppedClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t now() override { return now_; }
  void set(std::int64_t now) { now_ = now; }

 private:
  std::int64_t now_ = 0;
};

class Lagging final : public Service {
 public:
  Lagging(const MakeService& make, std::shared_ptr<Clock> clock, std::chrono::nanoseconds lag)
      : clock_(std::move(clock)),
        lag_ns_(lag.count()),
        truth_(make(truth_clock_)),
        copy_(make(copy_clock_)) {}

  Reply handle(const Request& request) override {
    // One at a time: the copy has to learn of the changes in their order.
    const std::lock_guard lock(mutex_);
    const std::int64_t now = clock_->now();
    catch_up(now);
    if (request.method == "GET") {
      copy_clock_->set(now - lag_ns_);
      return copy_->handle(request);
    }
    truth_clock_->set(now);
    Reply reply = truth_->handle(request);
    changes_.push_back({now, request});
    return reply;
  }

  std::optional<Reply> refuse_head(const Request& head) override {
    return truth_->refuse_head(head);
  }

 private:
  struct Change {
    std::int64_t at = 0;
    Request request;
  };

  void catch_up(std::int64_t now) {
    while (!changes_.empty() && changes_.front().at + lag_ns_ <= now) {
      copy_clock_->set(changes_.front().at);
      static_cast<void>(copy_->handle(changes_.front().request));
      changes_.pop_front();
    }
  }

  std::mutex mutex_;
  std::shared_ptr<Clock> clock_;
  std::int64_t lag_ns_;
  std::shared_ptr<SteppedClock> truth_clock_ = std::make_shared<SteppedClock>();
  std::shared_ptr<SteppedClock> copy_clock_ = std::make_shared<SteppedClock>();
  std::unique_ptr<Service> truth_;
  std::unique_ptr<Service> copy_;
  /// What the copy has not learned yet, the oldest first.
  std::deque<Change> changes_;
};

}  // namespace

std::unique_ptr<Service> make_lagging(const MakeService& make, std::shared_ptr<Clock> clock,
                                      std::chrono::nanoseconds lag) {
  return std::make_unique<Lagging>(make, std::move(clock), lag);
}

}  // namespace assay::service
