#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "reference_impl/faults/fault.h"
#include "reference_impl/liberties/layer_reading.h"
#include "reference_impl/service/options.h"
#include "reference_impl/service/service.h"

namespace assay::liberties {

/// One answer with a JSON body, on its way out. What is changed in `reply` and `body` is sent.
struct Answering {
  /// The service below all changes, which may be asked as often as it is needed.
  service::Service& sound;
  const service::Request& request;
  service::Reply& reply;
  Value& body;

  /// The log of the execution that the path names, read once for all changes.
  [[nodiscard]] const List& log();
  /// 200 or 201.
  [[nodiscard]] bool is_taken() const { return reply.status == 200 || reply.status == 201; }

  std::optional<List> known_log = {};
};

/// Changes the answers on a route ("METHOD /path" as faults::is_on_route has it; "" is every
/// route), refusals too.
struct AnswerChange {
  std::string route;
  std::function<void(Answering& answering)> change;
};

/// One thing that a sound server may do otherwise than the reference: the twin of a fault.
struct Liberty {
  /// In kebab-case, unique.
  std::string_view id;
  /// What a server may do, in a sentence without its full stop.
  std::string_view title;
  /// The words of the contract or of a specification that allow it.
  std::string_view words;
  /// Changes of JSON answers.
  std::vector<AnswerChange> changes = {};
  /// Stands before the service; empty where nothing does.
  faults::Intercept intercept = {};
  /// Makes the intercept of one service, where it must remember earlier calls; else nullptr.
  faults::Intercept (*make)() = nullptr;
  /// Another reading of an execution's log; nullptr where there is none.
  bool LayerReading::* reading = nullptr;
  /// The last touch, once all else of an answer stands.
  void (*form)(service::Reply& reply) = nullptr;
  /// Sets the reference up otherwise; nullptr where nothing does.
  void (*configure)(service::ServiceOptions& options) = nullptr;
};

}  // namespace assay::liberties
