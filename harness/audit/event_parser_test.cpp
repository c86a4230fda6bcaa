#include "harness/audit/event_parser.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::audit {
namespace {

using check::EventField;
using check::EventMember;

/// What is wrong with a text; empty: nothing.
std::string fault_of(const std::string& text) {
  EventParser parser;
  ParsedEvent parsed;
  const std::string padded = text + std::string(parser_padding_bytes, '}');
  const auto fault = parser.parse(std::string_view(padded).substr(0, text.size()), parsed);
  return fault ? fault->message : "";
}

/// The event as it comes back from its packed form.
std::string packed_and_back(const std::string& text) {
  EventParser parser;
  ParsedEvent parsed;
  const std::string padded = text + std::string(parser_padding_bytes, ' ');
  EXPECT_FALSE(parser.parse(std::string_view(padded).substr(0, text.size()), parsed));
  std::string packed = "before";
  pack(parsed, 3, {1, 1, 7}, packed);
  EXPECT_EQ(head_at(packed, 6).size, packed.size() - 6);
  EXPECT_EQ(execution_at(packed, 6), parsed.event.string(EventField::execution_id));
  return json_of(unpack(packed, 6));
}

TEST(EventParser, ReadsTheMembersThatTheRulesRead) {
  EXPECT_EQ(packed_and_back(R"({"seq": 3, "other": [1], "event_id": "e\n\u00e9", "attempt": 1.0,
                               "iteration": 1.5, "source": null, "status": {"a": [true]},
                               "execution_id": "x", "duration_ms": 18446744073709551615})"),
            R"({"attempt":1,"duration_ms":18446744073709551615,"event_id":"e\né",)"
            R"("execution_id":"x","iteration":1.5,"seq":3,"status":{"a":[true]}})");
}

TEST(EventParser, KeepsAMemberWholeHoweverLongItIs) {
  const std::string event =
      R"({"event_id":"e","status":{"a":")" + std::string(3'000, 'x') + R"(","b":[1,2]}})";
  EXPECT_EQ(packed_and_back(event), event);
}

TEST(EventParser, KeepsThePayloadOfARoutingEventOnly) {
  EXPECT_EQ(packed_and_back(R"({"event_type":"next.evaluated","payload":{"mode": 1}})"),
            R"({"event_type":"next.evaluated","payload":{"mode":1}})");
  EXPECT_EQ(packed_and_back(R"({"payload":{"mode":1.5},"event_type":"next.evaluated","seq":1.0})"),
            R"({"event_type":"next.evaluated","payload":{"mode":1.5},"seq":1})");
  EXPECT_EQ(packed_and_back(R"({"event_type":"task.done","payload":{"mode":1}})"),
            R"({"event_type":"task.done"})");
}

TEST(EventParser, TakesNumbersOfAnySizeAndOddMembersTwice) {
  const std::string huge(100, '9');
  EXPECT_EQ(fault_of(R"({"event_id":"e","payload":)" + huge + "}"), "");
  EXPECT_EQ(fault_of(R"({"event_id":"e","x":1,"x":2})"), "");
  EXPECT_EQ(fault_of(R"({"event_id":"e","seq":1.0,"payload":{"status":1,"status":2}})"), "");
}

TEST(EventParser, SaysWhatIsNoEvent) {
  for (const char* text : {"", "{", "[]", "7", "\"x\"", "{\"a\":tru}", "{\"a\":1}x", "{\"a\":01}",
                           "{\"a\":\"\xff\"}", "{\"a\":\"\\ud800\"}", "{'a':1}"}) {
    EXPECT_NE(fault_of(text), "") << text;
  }
  EXPECT_EQ(fault_of(R"({"event_id":"a","event_id":"b"})"),
            "found the member event_id twice, expected it once");
  EXPECT_EQ(fault_of(R"({"event_id":"a","seq":1.0,"event_id":"b"})"),
            "found the member event_id twice, expected it once");
  EXPECT_EQ(fault_of(R"({"event_id":"a","seq":1.0,"event\u005fid":"b"})"),
            "found the member event_id twice, expected it once");
  EXPECT_EQ(fault_of("[1]"), "found array, expected an event, which is an object");
  const std::string deep = "{\"a\":" + std::string(300, '[') + std::string(300, ']') + "}";
  EXPECT_NE(fault_of(deep), "");
  EXPECT_NE(fault_of(std::string(2'000'000, '[')), "");
}

/// One pass for all of them: a pass for each would take hours.
TEST(EventParser, TakesAnyNumberOfNamesThatStandTwiceFurtherIn) {
  std::string text = R"({"event_id":"e","seq":1.0,"payload":{)";
  for (int number = 0; number < 400'000; ++number) text += R"("seq":1,)";
  EXPECT_EQ(fault_of(text + R"("x":2}})"), "");
}

/// Bytes of any kind give an event or a fault, whatever the parser that reads them.
TEST(EventParser, ReadsAnyBytes) {
  const std::string seed =
      R"({"event_id":"e","event_type":"next.evaluated","payload":{"a":[1,2]}})";
  std::uint32_t state = 1;
  for (int round = 0; round < 5'000; ++round) {
    std::string text = seed;
    for (int change = 0; change < 3; ++change) {
      state = state * 1'664'525U + 1'013'904'223U;
      text[(state >> 8U) % text.size()] = static_cast<char>(state >> 24U);
    }
    static_cast<void>(fault_of(text));
  }
}

/// As a profile says: other names and words.
core::Mapping foreign_reading() {
  core::ObjectMapping reading;
  const auto add = [&reading](const char* name, const char* pointer, core::Conversion by) {
    reading.members[name].from = core::PointerMapping{pointer, "", std::move(by)};
  };
  add("event_id", "/id", {.as_text = true});
  add("execution_id", "/run/id", {});
  add("event_type", "/kind", {.spelling = {{"DONE", "playbook.completed"}}});
  return {std::move(reading)};
}

TEST(EventParser, ReadsForeignEventsAsTheirProfileSays) {
  const core::Mapping reading = foreign_reading();
  EventParser parser(&reading);
  ParsedEvent parsed;
  const auto read = [&](const std::string& text) {
    const std::string padded = text + std::string(parser_padding_bytes, ' ');
    const auto fault = parser.parse(std::string_view(padded).substr(0, text.size()), parsed);
    return fault ? fault->message + " at " + std::to_string(fault->offset) : json_of(parsed);
  };
  // What the profile does not read is not there, whatever it is called.
  EXPECT_EQ(read(R"({"id": 7, "run": {"id": "r"}, "kind": "DONE", "seq": 3})"),
            R"({"event_id":"7","event_type":"playbook.completed","execution_id":"r"})");
  EXPECT_EQ(read(R"({"id": 8, "kind": "other"})"), R"({"event_id":"8","event_type":"other"})");
  EXPECT_EQ(read(R"({"id": 7, "id": 8})"), "found the member id twice, expected it once at 0");
  EXPECT_EQ(read("[7]"), "found array, expected an event, which is an object at 0");
  EXPECT_NE(read(R"({"id": 7,})").find(" at 9"), std::string::npos) << read(R"({"id": 7,})");
}

}  // namespace
}  // namespace assay::audit
