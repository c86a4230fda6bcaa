#include "harness/audit/byte_source.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <string>

namespace assay::audit {
namespace {

std::string gzip(const std::string& text) {
  z_stream stream = {};
  constexpr int gzip_window_bits = 15 + 16;
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window_bits, 8, Z_DEFAULT_STRATEGY);
  std::string out(compressBound(text.size()) + 64, '\0');
  std::string in = text;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstandard(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string all_of(const std::string& bytes, std::size_t at_once) {
  const auto source = text_source(bytes, "log");
  std::string text;
  std::string buffer(at_once, '\0');
  while (const std::size_t count = source->read(buffer)) text.append(buffer, 0, count);
  return text;
}

std::string long_text() {
  std::string text;
  for (int line = 0; line < 20'000; ++line) text += std::to_string(line * 7'919) + "\n";
  return text;
}

TEST(ByteSource, ReadsWhatIsCompressedByItsContent) {
  const std::string text = long_text();
  for (const std::size_t at_once : {1'000U, 1'000'000U}) {
    EXPECT_EQ(all_of(text, at_once), text);
    EXPECT_EQ(all_of(gzip(text), at_once), text);
    EXPECT_EQ(all_of(zstandard(text), at_once), text);
    // One member or frame behind another, as concatenated files have them.
    EXPECT_EQ(all_of(gzip(text) + gzip("x\n"), at_once), text + "x\n");
    EXPECT_EQ(all_of(zstandard(text) + zstandard("x\n"), at_once), text + "x\n");
  }
  EXPECT_EQ(all_of("", 10), "");
  EXPECT_EQ(all_of("{", 10), "{");
}

TEST(ByteSource, SaysThatACompressedLogIsBroken) {
  for (const std::string& whole : {gzip(long_text()), zstandard(long_text())}) {
    EXPECT_THROW(all_of(whole.substr(0, whole.size() / 2), 1'000), ReadError);
    std::string changed = whole;
    for (std::size_t at = changed.size() / 2; at < changed.size() / 2 + 100; ++at) {
      changed[at] = static_cast<char>(~changed[at]);
    }
    EXPECT_THROW(all_of(changed, 1'000), ReadError);
  }
  EXPECT_THROW(static_cast<void>(open_source("/nowhere/log.ndjson")), ReadError);
}

}  // namespace
}  // namespace assay::audit
