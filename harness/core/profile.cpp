#include "harness/core/profile.h"

namespace assay::core {

const std::map<std::string, Mapping>& Mapping::members() const {
  static const std::map<std::string, Mapping> none;
  const auto* object = std::get_if<ObjectMapping>(&from);
  return object == nullptr ? none : object->members;
}

}  // namespace assay::core
