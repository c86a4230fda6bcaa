#pragma once

#include <string_view>

namespace assay::wire {

/// One function for each parser of other people's text: any bytes must be taken or refused, without
/// a crash or a hang, and what is taken must keep its promises; throws std::logic_error where one
/// is broken. The tests call them over mutated seeds; a fuzzer may over anything.
void fuzz_scenario(std::string_view bytes);
void fuzz_profile(std::string_view bytes);
void fuzz_baseline(std::string_view bytes);
void fuzz_record(std::string_view bytes);
/// The bytes as the body of an answer, read through every operation of the reference profile.
void fuzz_answer(std::string_view bytes);
/// The bytes as what a profile says is read of an answer (`read:`), and behind a NUL an answer's
/// body, and behind another the value of its headers: what was read must be what a record can have.
void fuzz_mapping(std::string_view bytes);

}  // namespace assay::wire
