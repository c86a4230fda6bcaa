#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/value.h"
#include "reference_impl/service/target.h"

namespace assay::service {

/// Which part of a list is asked for. A list gives each item a position, 1, 2, 3 …, once and for
/// good, and is served in that order: so a page neither skips nor repeats what is appended
/// meanwhile.
struct Page {
  /// How many items at most, 1 to 1000.
  std::size_t limit = 100;
  /// The position of the last item that the client has; 0 before the first.
  std::uint64_t after = 0;
};

/// A page of large items ends before its limit: an answer must not grow to a gigabyte.
inline constexpr std::size_t max_page_bytes = 8U << 20U;

/// Reads ?limit= and ?after=. `scope` names the list and its filters
/// ("events/exec-1?event_type=x"): a cursor is good for the scope that it was given for, and throws
/// Refusal 422 INVALID_CURSOR elsewhere. A limit outside 1 to 1000 throws Refusal 422
/// INVALID_LIMIT.
[[nodiscard]] Page read_page(const Query& query, std::string_view scope);

/// The opaque cursor of the item at `position`, in characters that a query holds unescaped.
[[nodiscard]] std::string make_cursor(std::string_view scope, std::uint64_t position);

/// Collects the items of one page and its `next`. Offer the items after `page.after` in order until
/// `is_full`; the first item beyond the limit shows that there is a next page.
class PageBuilder {
 public:
  PageBuilder(Page page, std::string_view scope) : page_(page), scope_(scope) {}

  /// Whether more items would not change the page.
  [[nodiscard]] bool is_full() const { return has_more_; }
  /// Takes the item into the page, or notes that there are more.
  void offer(std::uint64_t position, Value item);
  /// `{<name>: [...], next}`.
  [[nodiscard]] Value finish(std::string_view name) &&;

 private:
  Page page_;
  std::string scope_;
  List items_;
  std::uint64_t last_position_ = 0;
  bool has_more_ = false;
};

}  // namespace assay::service
