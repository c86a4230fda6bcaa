#include <algorithm>
#include <string>

#include "reference_impl/faults/rewriting.h"
#include "reference_impl/liberties/kinds.h"

namespace assay::liberties {
namespace {

/// The block's entities in one order.
void sort_acquires(Value& block) {
  List* entities = faults::list_at(block, "acquires");
  if (entities == nullptr) return;
  const bool are_texts = std::all_of(entities->begin(), entities->end(),
                                     [](const Value& entity) { return entity.is_string(); });
  if (!are_texts) return;
  std::sort(entities->begin(), entities->end(), [](const Value& left, const Value& right) {
    return left.as_string() < right.as_string();
  });
}

}  // namespace

std::vector<Liberty> workflow_liberties() {
  return {
      {"acquires-is-a-set",
       "A block with its acquires in another order is the same block",
       "\"same again → 200\"; entities are a set of locks",
       {},
       faults::alters_requests("POST /function-blocks", sort_acquires)},
  };
}

}  // namespace assay::liberties
