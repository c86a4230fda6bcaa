#include "harness/wire/json_walk.h"

#include <nlohmann/json.hpp>
#include <string>

#include "harness/wire/fast_json.h"

namespace assay::wire {
namespace {

/// Passes the parser's events on.
class VisitorEvents {
 public:
  explicit VisitorEvents(JsonVisitor& visitor) : visitor_(visitor) {}

  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(nlohmann::json::number_integer_t value) { return scalar(value); }
  bool number_unsigned(nlohmann::json::number_unsigned_t value) { return scalar(value); }
  bool number_float(double value, const std::string& /*text*/) { return scalar(value); }
  bool string(const std::string& text) {
    visitor_.text(text);
    return true;
  }
  bool binary(const nlohmann::json::binary_t& /*value*/) { return false; }
  bool start_object(std::size_t /*elements*/) {
    visitor_.open_object();
    return true;
  }
  bool key(const std::string& name) {
    visitor_.key(name);
    return true;
  }
  bool end_object() { return close(); }
  bool start_array(std::size_t /*elements*/) {
    visitor_.open_list();
    return true;
  }
  bool end_array() { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::json::exception& /*error*/) {
    return false;
  }

 private:
  bool scalar(const Value& value) {
    visitor_.scalar(value);
    return true;
  }
  bool close() {
    visitor_.close();
    return true;
  }

  JsonVisitor& visitor_;
};

}  // namespace

bool walk_json(std::string_view text, JsonVisitor& visitor) {
  if (fast_walk(text, visitor)) return true;
  VisitorEvents events(visitor);
  return nlohmann::json::sax_parse(text, &events);
}

}  // namespace assay::wire
