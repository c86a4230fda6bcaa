#include "harness/target/adapter_answer.h"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

#include "base/value.h"
#include "base/visible.h"
#include "base/words.h"
#include "harness/core/adapter_line.h"
#include "harness/core/clause_table.h"
#include "harness/core/operation.h"
#include "harness/wire/answer_body.h"
#include "harness/wire/json.h"

namespace assay::target {
namespace {

constexpr std::size_t shown_text_bytes = 200;

/// The capabilities that a greeting names, or what is wrong with them.
Result<std::vector<std::string>, std::string> capabilities_of(const Value& greeting) {
  const Value* list = greeting.find("capabilities");
  if (list == nullptr || !list->is_list())
    return unexpected(std::string("it names no \"capabilities\""));
  std::vector<std::string> names;
  for (const Value& each : list->as_list()) {
    if (!each.is_string()) return unexpected(std::string("one of its capabilities is not text"));
    const std::string& name = each.as_string();
    if (!core::is_known_capability(name)) {
      std::vector<std::string> known(core::operation_names().begin(),
                                     core::operation_names().end());
      const auto nearest = nearest_name(name, known);
      return unexpected(fmt::format(
          "it has a capability \"{}\", which there is none of{}", visible(name, shown_text_bytes),
          nearest ? fmt::format("; did you mean \"{}\"?", *nearest) : ""));
    }
    names.push_back(name);
  }
  return names;
}

core::HttpResult adapter_fault(std::string why) {
  return unexpected(core::TransportError{core::TransportFault::adapter, std::move(why), true});
}

/// The answer that a line gives, or why it gives none.
core::HttpResult result_of(const Value& line) {
  if (const auto error = line.string_at("error")) {
    return adapter_fault(visible(*error, shown_text_bytes));
  }
  const auto word = line.string_at("outcome");
  if (!word) return adapter_fault("a line without \"outcome\" and without \"error\"");
  const auto outcome = core::acceptance_words.parse(*word);
  const auto status = outcome ? core::adapter_status(*outcome) : std::nullopt;
  if (!status) {
    const auto nearest = nearest_name(*word, core::said_acceptances());
    return adapter_fault(fmt::format("the outcome \"{}\"; {}", visible(*word, shown_text_bytes),
                                     nearest ? fmt::format("did you mean \"{}\"?", *nearest)
                                             : "it is accepted, duplicate, refused or unknown"));
  }
  const Value* answer = line.find("answer");
  if (answer == nullptr && core::is_taken(*outcome)) {
    return adapter_fault(fmt::format("\"outcome\": \"{}\" without \"answer\"", *word));
  }
  return core::HttpResponse{*status, {}, answer == nullptr ? "" : wire::to_json(*answer)};
}

}  // namespace

Result<AdapterGreeting, std::string> read_adapter_greeting(std::string_view line) {
  const wire::AnswerBody read = wire::read_answer_body({200, {}, std::string(line)});
  if (!read.value) {
    return unexpected(std::string(read.trouble.empty() ? "it is empty" : "it is not JSON"));
  }
  const Value& greeting = *read.value;
  if (greeting.string_at("protocol") != "assay-adapter") {
    return unexpected(std::string(R"("protocol" is not "assay-adapter")"));
  }
  const Value* version = greeting.find("version");
  if (version == nullptr || *version != Value(core::adapter_protocol_version)) {
    return unexpected(fmt::format("\"version\" is not {}", core::adapter_protocol_version));
  }
  auto capabilities = capabilities_of(greeting);
  if (!capabilities) return unexpected(std::move(capabilities).error());
  const Value* target = greeting.find("target");
  const std::string name = target ? target->string_at("name").value_or("") : "";
  const std::string own_version = target ? target->string_at("version").value_or("") : "";
  const std::string between = name.empty() || own_version.empty() ? "" : " ";
  return AdapterGreeting{*std::move(capabilities), name + between + own_version};
}

Result<AdapterAnswer, std::string> read_adapter_answer(std::string_view line) {
  const wire::AnswerBody read = wire::read_answer_body({200, {}, std::string(line)});
  if (!read.value && (read.is_ambiguous || read.says_nothing)) return unexpected(read.trouble);
  if (!read.value || !read.value->is_object()) {
    return unexpected(visible(line, shown_text_bytes));
  }
  const Value* number = read.value->find("id");
  return AdapterAnswer{
      number == nullptr ? std::nullopt : number->to_int64(),
      number == nullptr ? "null" : visible(wire::to_json(*number), shown_text_bytes),
      result_of(*read.value)};
}

}  // namespace assay::target
