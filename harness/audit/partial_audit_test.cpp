#include "harness/audit/partial_audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "harness/audit/testing/audited.h"
#include "harness/audit/testing/log_generator.h"
#include "harness/core/source.h"
#include "harness/wire/json.h"

namespace assay::audit {
namespace {

using testing::audited;
using testing::event_line;
using testing::faulty_logs;
using testing::LogGenerator;
using testing::mixed;
using testing::record_with_places;

/// A text's lines as partitions have them: by execution, in any order, each with its number.
std::vector<std::string> partitions_of(const std::string& text, std::size_t count,
                                       std::uint32_t seed) {
  std::vector<std::vector<std::string>> lines(count);
  std::size_t number = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    ++number;
    const std::string line = text.substr(at, text.find('\n', at) - at);
    const auto value = wire::parse_json(line);
    const std::string execution = value ? value->string_at("execution_id").value_or("") : "";
    lines.at(std::hash<std::string>{}(execution) % count)
        .push_back(std::to_string(number) + "\t" + line + "\n");
  }
  std::vector<std::string> partitions;
  std::mt19937 random(seed);
  for (std::vector<std::string>& some : lines) {
    std::shuffle(some.begin(), some.end(), random);
    std::string& partition = partitions.emplace_back();
    for (const std::string& line : some) partition += line;
  }
  return partitions;
}

PartialAudit written_and_read(const AuditResult& result) {
  PartialAudit partial;
  partial.result = result;
  partial.rules.set();
  partial.sources = {"log"};
  partial.command = "assay audit log";
  auto read = read_partial("{\"type\":\"header\"}\n" + partial_line(partial), "partial");
  EXPECT_TRUE(read);
  return std::move(read).value();
}

AuditResult merged(const std::string& text, std::size_t count, AuditOptions options) {
  options.line_form = LineForm::numbered;
  AuditResult sum;
  for (const std::string& partition : partitions_of(text, count, 5)) {
    sum.add(written_and_read(audited(partition, options)).result);
  }
  return sum;
}

TEST(PartialAudit, PartitionsGiveTheRecordOfTheWholeWithItsPlaces) {
  LogGenerator generator(11);
  const std::string text = "{]\n" + mixed(faulty_logs(generator), generator) + "\"x\"\n" +
                           event_line({{"execution_id", nullptr}});
  for (const std::uint64_t ended_lines : {100'000U, 100U}) {
    AuditOptions options;
    options.gathering.ended_lines = ended_lines;
    const AuditResult whole = audited(text, options);
    EXPECT_NE(record_with_places(whole).find("log:1:2"), std::string::npos);
    for (const std::size_t count : {1U, 7U}) {
      for (const std::size_t memory_bytes : {std::size_t{1} << 30U, std::size_t{5'000}}) {
        options.gathering.memory_bytes = memory_bytes;
        options.jobs = count == 1 ? 2 : 1;
        const AuditResult sum = merged(text, count, options);
        EXPECT_EQ(record_with_places(sum), record_with_places(whole)) << count;
        EXPECT_EQ(notes_of(sum), notes_of(whole));
        EXPECT_EQ(sum.events, whole.events);
        EXPECT_EQ(sum.executions, whole.executions);
        EXPECT_EQ(sum.states, whole.states);
      }
    }
  }
}

TEST(PartialAudit, ALineWithoutItsNumberEndsTheAudit) {
  AuditOptions options;
  options.line_form = LineForm::numbered;
  for (const char* line : {"{}\n", "x\t{}\n", "0\t{}\n", "7 {}\n", "\t{}\n", "7"}) {
    EXPECT_THROW(static_cast<void>(audited(line, options)), ReadError) << line;
  }
  EXPECT_EQ(audited("7\t" + event_line({}), options).events, 1U);
  EXPECT_EQ(audited("7\t\n", options).events, 0U);
}

TEST(PartialAudit, SaysWhatIsWrongWithARecord) {
  const auto fault = [](const std::string& text) {
    const auto read = read_partial(text, "partial");
    return read ? "" : core::diagnostic_text(read.error());
  };
  PartialAudit partial;
  partial.sources = {"log"};
  const std::string line = partial_line(partial);
  EXPECT_EQ(fault(line), "");
  EXPECT_EQ(fault("{\"type\":\"header\"}\n"),
            "partial:1:1: found no line of a partition, expected what `assay audit --partition` "
            "wrote");
  const auto changed = [&line](const std::string& from, const std::string& to) {
    std::string other = line;
    return other.replace(other.find(from), from.size(), to);
  };
  EXPECT_EQ(fault("{}\n" + changed("\"bad\":0", "\"bad\":-1")),
            "partial:2:1: bad: found integer, expected a whole number from 0 on");
  EXPECT_EQ(fault(changed("\"bad\":0,", "")), "partial:1:1: found no bad");
  EXPECT_EQ(fault(changed("\"judged\":{}", R"("judged":{"gone":1})")),
            "partial:1:1: found the rule gone, which this version does not have");
}

}  // namespace
}  // namespace assay::audit
