#pragma once

#include <string_view>

namespace assay::service {

/// For the parsers of what clients send: any bytes must be taken or refused, without a crash or a
/// hang. Each throws std::logic_error where a promise is not kept. The tests call them over mutated
/// seeds; a fuzzer may over anything.

/// The bytes as the body of POST /executions/{id}/events. An event that is refused must leave no
/// trace, one that is taken must be listed, and a second sending must be a duplicate.
void fuzz_event(std::string_view bytes);
/// The bytes as a JSON text: what is read must be written and read alike.
void fuzz_json(std::string_view bytes);
/// The bytes as a playbook of POST /executions.
void fuzz_playbook(std::string_view bytes);

}  // namespace assay::service
