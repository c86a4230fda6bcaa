#pragma once

#include <optional>
#include <string>

#include "base/value.h"
#include "harness/core/http.h"
#include "harness/core/profile.h"

namespace assay::wire {

/// An answer's body as JSON, or why it is none.
struct AnswerBody {
  std::optional<Value> value;
  /// Why there is no value; empty for a body of no bytes too.
  std::string trouble;
  /// The trouble is that two readers may read two values: a key that an object has twice, or a byte
  /// order mark (CONTRACT.md: "Answers have no duplicate keys and no byte order mark").
  bool is_ambiguous = false;
  /// The trouble is a Content-Encoding, which no request of ours asks for, that the body goes over
  /// a bound of ours (more levels or values than are read), or that it is a web page where a status
  /// says that all is well: that of a portal, and not of the target.
  bool says_nothing = false;
};

/// An answer that is text gives its body as a string; one of no body gives null, whatever came.
[[nodiscard]] AnswerBody read_answer_body(const core::HttpResponse& response,
                                          core::AnswerForm form = core::AnswerForm::json);

}  // namespace assay::wire
