#pragma once

#include <string_view>

#include "base/value.h"

namespace assay::wire {

/// Is told what a JSON text has, in the text's order, members that stand twice included.
class JsonVisitor {
 public:
  JsonVisitor() = default;
  JsonVisitor(const JsonVisitor&) = delete;
  JsonVisitor& operator=(const JsonVisitor&) = delete;
  virtual ~JsonVisitor() = default;

  /// null, true, false or a number.
  virtual void scalar(const Value& value) = 0;
  virtual void text(std::string_view text) = 0;
  virtual void open_list() = 0;
  virtual void open_object() = 0;
  /// The name of the member whose value comes next.
  virtual void key(std::string_view name) = 0;
  /// Ends the list or the object that was opened last.
  virtual void close() = 0;
};

/// Whether the text is JSON; where it is not, some of it may have been told. A NUL byte ends it.
[[nodiscard]] bool walk_json(std::string_view text, JsonVisitor& visitor);

}  // namespace assay::wire
