#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "reference_impl/model/lifecycle/policy.h"
#include "reference_impl/model/routing/playbook.h"
#include "reference_impl/model/routing/policy.h"
#include "reference_impl/model/runs/run.h"
#include "reference_impl/model/status/fold.h"
#include "reference_impl/service/clock.h"
#include "reference_impl/service/ids.h"
#include "reference_impl/service/service.h"

namespace assay::service {

/// What is done with an event under a legacy name (specification 001 section 4).
enum class LegacyPolicy : std::uint8_t {
  /// Stored under its standard name.
  normalize,
  /// 422 LEGACY_EVENT.
  reject,
};

/// The largest bodies that are taken; one byte more is 413.
struct BodyLimits {
  std::size_t max_event_bytes = 1U << 20U;
  std::size_t max_batch_bytes = 8U << 20U;
  /// Of POST /executions: a playbook may be long. YAML has a limit of its own below this one.
  std::size_t max_execution_bytes = 16U << 20U;
  /// Of an event's payload as compact JSON; larger is 413 EXTERNALISE_RESULT.
  std::size_t max_payload_bytes = 262'144;
  /// Of payload.inputs and of payload.outcome as compact JSON; larger is 413 EXTERNALISE_RESULT.
  std::size_t max_inputs_or_outcome_bytes = 65'536;
  /// Of the args that a token carries as compact JSON; larger literal ones are 422, and rendered
  /// ones fail the execution.
  std::size_t max_args_bytes = 65'536;
};

/// What events are taken; the defaults are the contract's.
struct EventPolicy {
  /// Of an execution that has ended, whether a further end is stored, and any other event.
  bool takes_second_end = true;
  bool takes_late_events = true;
  /// Whether a well-formed type that the taxonomy does not have is stored.
  bool takes_unknown_types = true;
  /// Whether an ended execution may be cancelled again.
  bool takes_second_cancel = true;
};

/// What the reference service depends on and how it is set up.
struct ServiceOptions {
  /// Required.
  std::shared_ptr<Clock> clock;
  IdSource ids = uuid_source(0);
  BodyLimits limits;
  LegacyPolicy legacy = LegacyPolicy::normalize;
  /// How long a polled job may run by the server's clock before it fails.
  std::int64_t job_timeout_ms = 720'000;
  std::string name = "assay reference";
  std::string version = "0";

  // How the models settle what the specifications leave open; the defaults are theirs.
  routing::NetPolicy net_policy = {};
  /// Of what its playbooks leave out; its `args_bytes` is max_args_bytes.
  routing::PlaybookRules playbook_rules = {};
  status::FoldPolicy fold_policy = {};
  EventPolicy event_policy = {};
  runs::Policy run_policy = {};
  /// Its `stuck_after` is job_timeout_ms.
  lifecycle::Policy lifecycle_policy = {};
  /// What stands before the reference, closer to it than a fault or a liberty; empty: nothing.
  std::function<std::unique_ptr<Service>(std::unique_ptr<Service> reference)> around = {};
};

}  // namespace assay::service
