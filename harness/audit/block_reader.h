#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/audit/byte_source.h"
#include "harness/audit/packed_event.h"
#include "harness/audit/text_buffer.h"

namespace assay::audit {

/// How much is read at once, and how long one event may be.
struct ReadLimits {
  /// So few that a block stays in the core's own cache until it has been judged.
  std::size_t block_bytes = std::size_t{1} << 17U;
  std::size_t line_bytes = std::size_t{16} << 20U;
};

/// What stands in a line.
enum class LineForm : std::uint8_t {
  event,     ///< An event; or all lines together are one JSON array of events.
  numbered,  ///< The number that its line has in the whole log, a tab, and an event.
};

/// A text that should be an event.
struct TextSpan {
  std::size_t offset = 0;
  std::size_t size = 0;
  /// How many of all sources came before it.
  std::uint64_t ordinal = 0;
  LogPlace place;
};

/// What was found where an event was due, and what is wrong with it.
struct BadText {
  std::uint64_t ordinal = 0;
  LogPlace place;
  std::string message;
};

/// Some events of a source, cut where one ends. Behind the text are parser_padding_bytes more.
struct Block {
  TextBuffer text;
  std::vector<TextSpan> events;
  std::vector<BadText> bad;
};

/// Cuts a source into blocks: events one a line (NDJSON), or one JSON array of events. Empty lines
/// are passed over. Where lines are numbered, an event has its line's number for an ordinal.
class BlockReader {
 public:
  /// The source, which of all it is, and how many events came before it.
  BlockReader(ByteSource& source, std::uint32_t number, std::uint64_t first_ordinal,
              ReadLimits limits = {}, LineForm line_form = LineForm::event);

  /// Reads the next block into `block`, whose memory is used again; false at the end. Throws
  /// ReadError.
  [[nodiscard]] bool next(Block& block);

  /// How many events of all sources there were so far.
  [[nodiscard]] std::uint64_t ordinal() const { return ordinal_; }

 private:
  enum class Form : std::uint8_t { unknown, lines, array };
  /// What an array needs next.
  enum class Due : std::uint8_t { element_or_end, element, comma_or_end, nothing };

  void refill();
  void find_form();
  std::size_t cut_lines(Block& block);
  void add_line(Block& block, std::size_t begin, std::size_t end);
  std::size_t take_number(std::size_t begin, std::size_t end);
  std::size_t skip_long_line(Block& block);
  std::size_t cut_elements(Block& block);
  void step_between(Block& block, char byte);
  bool step_inside(char byte);
  void end_element(Block& block, std::size_t end);
  void end_array(Block& block);
  void note(Block& block, const LogPlace& place, std::string message);
  [[nodiscard]] LogPlace place_at(std::size_t offset) const;

  ByteSource& source_;
  std::uint32_t number_;
  ReadLimits limits_;
  LineForm line_form_;
  Form form_ = Form::unknown;
  TextBuffer buffer_;
  bool is_at_end_ = false;
  std::uint64_t ordinal_;
  std::uint64_t line_ = 1;

  /// Of an array: the offset in the buffer that is read next, and where its line begins there
  /// (before the buffer where that is negative).
  std::size_t at_ = 0;
  std::ptrdiff_t line_begin_ = 0;
  Due due_ = Due::element_or_end;
  /// The element that is being read: where it begins, and how deep the reading is in it.
  std::optional<std::size_t> element_;
  LogPlace element_place_;
  int depth_ = 0;
  bool in_string_ = false;
  bool is_escaped_ = false;
  /// Text behind the array was told of.
  bool has_rest_ = false;
};

}  // namespace assay::audit
