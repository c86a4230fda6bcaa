#pragma once

#include <string_view>
#include <utility>
#include <vector>

namespace assay::core {

/// How much the contract says of the order of a list in an answer (CONTRACT.md: lists are in the
/// order that it promises, seq, sequence and history, else in any; anomalies is not a closed list).
enum class ListOrder {
  promised,
  /// Exactly these, in any order.
  any,
  /// These and perhaps others, in any order.
  open,
};

/// What scenarios, profiles and the runner agree on about one operation.
struct OperationShape {
  std::string_view name;
  /// Parameters that it always has; a profile's template must use each or it says less than asked.
  std::vector<std::string_view> required = {};
  /// Parameters that may be absent.
  std::vector<std::string_view> optional = {};
  /// Members that the mapped answer must have; of a listing, members of each item.
  std::vector<std::string_view> fields = {};
  /// The mapped answer is {items: […], next: cursor or null}.
  bool listing = false;
  /// Of a listing: the order of its items is promised.
  bool in_order = false;
  /// Lists in the mapped answer whose order is not promised.
  std::vector<std::pair<std::string_view, ListOrder>> free_lists = {};
  /// It shows what is there and changes nothing; so does every listing.
  bool shows = listing;
  /// The parameter that a step's `on` gives: execution_id, uuid or run_id; empty where none.
  std::string_view subject = {};
  /// Of an operation that makes something: the member of the mapped answer that identifies it.
  std::string_view makes = {};
  /// Optional parameters that a clause is about: a target whose requests never say one is not asked
  /// what needs it.
  std::vector<std::string_view> significant = {};
};

/// The shape of a known operation, or nullptr.
[[nodiscard]] const OperationShape* operation_shape(std::string_view operation);

/// Whether an operation shows what is there and changes nothing.
[[nodiscard]] bool only_reads(std::string_view operation);

/// All of them, in an order in which each can be tried: things are made before they are read, and
/// read before they are ended. operation_names() are theirs.
[[nodiscard]] const std::vector<OperationShape>& operation_shapes();

}  // namespace assay::core
