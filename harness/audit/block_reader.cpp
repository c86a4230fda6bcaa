#include "harness/audit/block_reader.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "harness/audit/event_parser.h"

namespace assay::audit {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
constexpr std::array<char, parser_padding_bytes> padding_bytes = {};
constexpr std::string_view padding(padding_bytes.data(), padding_bytes.size());

bool is_blank(char byte) { return blanks.find(byte) != std::string_view::npos; }

std::string too_long_text(std::size_t limit_bytes) {
  return fmt::format("found an event of more than {} bytes, expected a shorter one", limit_bytes);
}

}  // namespace

BlockReader::BlockReader(ByteSource& source, std::uint32_t number, std::uint64_t first_ordinal,
                         ReadLimits limits, LineForm line_form)
    : source_(source),
      number_(number),
      limits_(limits),
      line_form_(line_form),
      form_(line_form == LineForm::numbered ? Form::lines : Form::unknown),
      ordinal_(first_ordinal) {}

bool BlockReader::next(Block& block) {
  while (true) {
    block.events.clear();
    block.bad.clear();
    if (!is_at_end_) refill();
    if (form_ == Form::unknown) find_form();
    if (form_ == Form::unknown && !is_at_end_) continue;
    const std::size_t cut = form_ == Form::array ? cut_elements(block) : cut_lines(block);
    const bool has_any = !block.events.empty() || !block.bad.empty();
    if (has_any) {
      block.text.resize(0);
      block.text.append(buffer_.view().substr(cut));
      std::swap(block.text, buffer_);
      block.text.resize(cut);
      block.text.append(padding);
    } else {
      buffer_.erase_front(cut);
    }
    if (form_ == Form::array) {
      at_ -= cut;
      line_begin_ -= static_cast<std::ptrdiff_t>(cut);
      if (element_) *element_ -= cut;
    }
    if (has_any) return true;
    if (is_at_end_) return false;
  }
}

void BlockReader::refill() {
  const std::size_t kept = buffer_.size();
  buffer_.resize(kept + limits_.block_bytes);
  std::size_t filled = kept;
  while (filled < buffer_.size()) {
    const std::size_t count = source_.read({buffer_.data() + filled, buffer_.size() - filled});
    filled += count;
    if (count == 0) {
      is_at_end_ = true;
      break;
    }
    // What a pipe has is judged when it is there.
    if (std::memchr(buffer_.data() + filled - count, '\n', count) != nullptr) break;
  }
  buffer_.resize(filled);
}

void BlockReader::find_form() {
  if (buffer_.size() < byte_order_mark.size() && !is_at_end_) return;
  if (buffer_.view().starts_with(byte_order_mark)) buffer_.erase_front(byte_order_mark.size());
  const std::size_t first = buffer_.view().find_first_not_of(blanks);
  if (first == std::string::npos) {
    if (buffer_.size() > limits_.line_bytes) form_ = Form::lines;
    return;
  }
  form_ = buffer_[first] == '[' ? Form::array : Form::lines;
  if (form_ == Form::lines) return;
  at_ = first + 1;
  for (std::size_t at = 0; at < first; ++at) {
    if (buffer_[at] != '\n') continue;
    ++line_;
    line_begin_ = static_cast<std::ptrdiff_t>(at) + 1;
  }
}

std::size_t BlockReader::cut_lines(Block& block) {
  std::size_t begin = 0;
  while (begin < buffer_.size()) {
    const void* found = std::memchr(buffer_.data() + begin, '\n', buffer_.size() - begin);
    if (found == nullptr) break;
    const auto end = static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data());
    add_line(block, begin, end);
    ++line_;
    begin = end + 1;
  }
  if (is_at_end_) {
    add_line(block, begin, buffer_.size());
    return buffer_.size();
  }
  if (buffer_.size() - begin > limits_.line_bytes) return skip_long_line(block);
  return begin;
}

/// Reads what stands before the event of a numbered line; where the event begins.
std::size_t BlockReader::take_number(std::size_t begin, std::size_t end) {
  const char* first = buffer_.data() + begin;
  const char* last = buffer_.data() + end;
  std::uint64_t number = 0;
  const auto [rest, error] = std::from_chars(first, last, number);
  if (error != std::errc() || rest == last || *rest != '\t' || number == 0) {
    throw ReadError(fmt::format(
        "line {} of the partition: found no number from 1 on and a tab in front of the event",
        line_));
  }
  ordinal_ = number;
  return static_cast<std::size_t>(rest - buffer_.data()) + 1;
}

void BlockReader::add_line(Block& block, std::size_t begin, std::size_t end) {
  const bool is_numbered = line_form_ == LineForm::numbered;
  if (is_numbered && begin < end) begin = take_number(begin, end);
  while (end > begin && is_blank(buffer_[end - 1])) --end;
  while (begin < end && is_blank(buffer_[begin])) ++begin;
  if (begin == end) return;
  const LogPlace place = {number_, 1, is_numbered ? ordinal_ : line_};
  if (end - begin > limits_.line_bytes) {
    note(block, place, too_long_text(limits_.line_bytes));
    return;
  }
  block.events.push_back({begin, end - begin, ordinal_, place});
  ++ordinal_;
}

/// Reads on to the line's end and keeps nothing of it.
std::size_t BlockReader::skip_long_line(Block& block) {
  const std::size_t last_break = buffer_.view().rfind('\n');
  const std::size_t begin = last_break == std::string::npos ? 0 : last_break + 1;
  LogPlace place = {number_, 1, line_};
  if (line_form_ == LineForm::numbered) {
    static_cast<void>(take_number(begin, buffer_.size()));
    place.line = ordinal_;
  }
  note(block, place, too_long_text(limits_.line_bytes));
  std::size_t end = std::string::npos;
  std::string rest;
  while (!is_at_end_ && end == std::string::npos) {
    rest.resize(limits_.block_bytes);
    rest.resize(source_.read(rest));
    is_at_end_ = rest.empty();
    end = rest.find('\n');
  }
  buffer_.resize(begin);
  if (end != std::string::npos) {
    ++line_;
    buffer_.append(std::string_view(rest).substr(end + 1));
  }
  return begin;
}

std::size_t BlockReader::cut_elements(Block& block) {
  for (; at_ < buffer_.size(); ++at_) {
    const char byte = buffer_[at_];
    if (!element_) {
      step_between(block, byte);
    } else if (step_inside(byte)) {
      end_element(block, at_);
      step_between(block, byte);
    }
    if (byte == '\n') {
      ++line_;
      line_begin_ = static_cast<std::ptrdiff_t>(at_) + 1;
    }
    if (element_ && at_ - *element_ > limits_.line_bytes) {
      throw ReadError(fmt::format("line {}, column {}: {}", element_place_.line,
                                  element_place_.column, too_long_text(limits_.line_bytes)));
    }
  }
  if (is_at_end_) end_array(block);
  return element_.value_or(at_);
}

/// Between elements: a comma, the array's end, or the first byte of an element.
void BlockReader::step_between(Block& block, char byte) {
  if (is_blank(byte) || due_ == Due::nothing) {
    if (!is_blank(byte) && !std::exchange(has_rest_, true)) {
      note(block, place_at(at_), "found more text, expected nothing behind the array");
    }
    return;
  }
  if (byte == ']' && due_ != Due::element) {
    due_ = Due::nothing;
  } else if (byte == ',' && due_ == Due::comma_or_end) {
    due_ = Due::element;
  } else if (byte == ',' || byte == ']') {
    note(block, place_at(at_), fmt::format("found {}, expected an event", byte));
    if (byte == ']') due_ = Due::nothing;
  } else {
    element_ = at_;
    element_place_ = place_at(at_);
    depth_ = 0;
    in_string_ = false;
    static_cast<void>(step_inside(byte));
  }
}

/// Whether the element ends before this byte.
bool BlockReader::step_inside(char byte) {
  if (in_string_) {
    if (is_escaped_) {
      is_escaped_ = false;
    } else if (byte == '\\') {
      is_escaped_ = true;
    } else if (byte == '"') {
      in_string_ = false;
    }
    return false;
  }
  if (depth_ == 0 && (byte == ',' || byte == ']')) return true;
  if (byte == '"') in_string_ = true;
  if (byte == '{' || byte == '[') ++depth_;
  if (byte == '}' || byte == ']') --depth_;
  return false;
}

void BlockReader::end_element(Block& block, std::size_t end) {
  while (end > *element_ && is_blank(buffer_[end - 1])) --end;
  block.events.push_back({*element_, end - *element_, ordinal_, element_place_});
  ++ordinal_;
  element_.reset();
  due_ = Due::comma_or_end;
}

void BlockReader::end_array(Block& block) {
  if (due_ == Due::nothing) return;
  if (element_) end_element(block, at_);
  note(block, place_at(at_), "found the end of the text, expected the array's ]");
  due_ = Due::nothing;
}

void BlockReader::note(Block& block, const LogPlace& place, std::string message) {
  block.bad.push_back({ordinal_, place, std::move(message)});
  ++ordinal_;
}

LogPlace BlockReader::place_at(std::size_t offset) const {
  const auto column = static_cast<std::ptrdiff_t>(offset) - line_begin_ + 1;
  return {number_, static_cast<std::uint32_t>(column), line_};
}

}  // namespace assay::audit
