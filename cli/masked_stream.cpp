#include "cli/masked_stream.h"

namespace assay::cli {

bool MaskedStream::Buffer::pass_on(std::size_t size) {
  out_ << secrets_.masked(pending_.substr(0, size));
  pending_.erase(0, size);
  return static_cast<bool>(out_);
}

std::streambuf::int_type MaskedStream::Buffer::overflow(int_type letter) {
  if (traits_type::eq_int_type(letter, traits_type::eof())) return traits_type::not_eof(letter);
  const char byte = traits_type::to_char_type(letter);
  return xsputn(&byte, 1) == 1 ? letter : traits_type::eof();
}

std::streamsize MaskedStream::Buffer::xsputn(const char* text, std::streamsize size) {
  pending_.append(text, static_cast<std::size_t>(size));
  const std::size_t end = pending_.rfind('\n');
  return end == std::string::npos || pass_on(end + 1) ? size : 0;
}

int MaskedStream::Buffer::sync() {
  const bool is_written = pass_on(pending_.size());
  return is_written && out_.flush() ? 0 : -1;
}

}  // namespace assay::cli
