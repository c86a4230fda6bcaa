// audit [EVENTS]: how fast a log is audited, beside simdjson reading the same lines and nothing
// else.
#include "harness/audit/audit.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "base/value.h"
#include "bench/measuring.h"
#include "harness/wire/json.h"

namespace assay::bench {
namespace {

/// Executions of 20 events of about 430 bytes, twelve of them mixed at a time.
class Log {
 public:
  explicit Log(std::int64_t events) {
    std::int64_t made = 0;
    std::int64_t execution = 0;
    while (made < events) {
      for (std::int64_t place = 0; place < std::ssize(types); ++place) {
        for (std::int64_t of_mix = 0; of_mix < mixed; ++of_mix) add(execution + of_mix, place);
      }
      made += mixed * static_cast<std::int64_t>(types.size());
      execution += mixed;
    }
  }
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::int64_t events() const { return events_; }

 private:
  static constexpr std::int64_t mixed = 12;
  static constexpr std::array<const char*, 20> types = {"playbook.execution.requested",
                                                        "playbook.request.evaluated",
                                                        "playbook.started",
                                                        "workflow.started",
                                                        "policy.admit.evaluated",
                                                        "step.scheduled",
                                                        "step.started",
                                                        "task.started",
                                                        "task.attempt.started",
                                                        "task.attempt.failed",
                                                        "task.attempt.started",
                                                        "task.attempt.done",
                                                        "task.done",
                                                        "step.done",
                                                        "policy.admit.evaluated",
                                                        "result.stored",
                                                        "next.evaluated",
                                                        "workflow.finished",
                                                        "playbook.finished",
                                                        "playbook.processed"};

  void add(std::int64_t execution, std::int64_t place) {
    const std::string type = types.at(static_cast<std::size_t>(place));
    const std::string id = "exec-" + std::to_string(execution);
    Object event = {{"event_id", id + "-01JH" + std::to_string(place)},
                    {"event_type", type},
                    {"timestamp", "2026-02-05T23:11:" + std::to_string(10 + place) + "Z"},
                    {"execution_id", id},
                    {"seq", place + 1},
                    {"entity_id", "fetch_all_endpoints"},
                    {"status", "success"},
                    {"workflow_run_id", "workflow:" + id},
                    {"payload", Object{{"meta", Object{{"worker", "worker-7"},
                                                       {"text", std::string(120, 'x')},
                                                       {"bytes", 52'480}}}}}};
    if (type.starts_with("step.")) event["step_run_id"] = id + ":run:1";
    if (type.starts_with("task.")) event["task_run_id"] = id + ":task:1";
    if (type.starts_with("task.attempt.")) event["attempt"] = place < 10 ? 1 : 2;
    if (type == "next.evaluated") {
      event["payload"] = Object{{"mode", "exclusive"},
                                {"matched", List{Object{{"step", "x"}}}},
                                {"selected", List{Object{{"step", "x"}}}}};
    }
    text_ += wire::to_json(event) + "\n";
    ++events_;
  }

  std::string text_;
  std::int64_t events_ = 0;
};

/// Every line read and checked by simdjson, and nothing done with it.
void parse(const std::string& text) {
  simdjson::dom::parser parser;
  const simdjson::padded_string padded(text);
  const char* at = padded.data();
  const char* end = at + padded.size();
  while (at < end) {
    const auto* next =
        static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
    if (parser.parse(at, static_cast<std::size_t>(next - at), false).error() != simdjson::SUCCESS) {
      throw std::runtime_error("the log is not JSON");
    }
    at = next + 1;
  }
}

/// The text itself, as a file in the page cache is.
class View : public audit::ByteSource {
 public:
  explicit View(std::string_view text) : rest_(text) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), rest_.size());
    std::copy_n(rest_.begin(), count, buffer.begin());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

void audit_with(const std::string& text, std::size_t jobs) {
  audit::AuditOptions options;
  options.jobs = jobs;
  audit::Audit audit(std::move(options));
  View source(text);
  audit.read(source);
  const audit::AuditResult result = audit.finish();
  if (!result.findings.empty() || result.bad > 0) throw std::runtime_error("the log is sound");
}

void measure(std::int64_t events, int rounds) {
  const Log log(events);
  const auto events_in = [&](double seconds) {
    return static_cast<double>(log.events()) / seconds;
  };
  const auto rate = [&](const std::function<void()>& work) {
    return events_in(least_of(rounds, [&work] { return seconds_of(work); }));
  };
  const auto rate_on_one_core = [&](const std::function<void()>& work) {
    return events_in(least_of(rounds, [&work] { return processor_seconds_of(work); }));
  };
  print_figure("bytes_per_event",
               static_cast<double>(log.text().size()) / static_cast<double>(log.events()));
  print_figure("simdjson_per_core_s", rate_on_one_core([&log] { parse(log.text()); }));
  print_figure("audit_per_core_s", rate_on_one_core([&log] { audit_with(log.text(), 1); }));
  print_figure("audit_1_per_s", rate([&log] { audit_with(log.text(), 1); }));
  print_figure("audit_2_per_s", rate([&log] { audit_with(log.text(), 2); }));
}

}  // namespace
}  // namespace assay::bench

int main(int count, char** arguments) {
  return assay::bench::guarded([&] {
    assay::bench::measure(assay::bench::number_argument(count, arguments, 1, 400'000),
                          static_cast<int>(assay::bench::number_argument(count, arguments, 2, 3)));
  });
}
