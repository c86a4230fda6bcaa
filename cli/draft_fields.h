#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/openapi_match.h"
#include "harness/wire/openapi.h"

namespace assay::cli {

/// Of a document's fields the one that may be what we call `ours`, nullptr where none is: the one
/// nearest to the root, and our own name before any other. `state_words` are the target's words for
/// states, as far as they are known: what has other words is no state, and a type with these is
/// one.
[[nodiscard]] const wire::ApiField* find_field(const std::vector<wire::ApiField>& fields,
                                               std::string_view ours,
                                               const std::vector<std::string>& state_words = {});

/// Whether our member is a state or status.
[[nodiscard]] bool is_state_member(std::string_view ours);

/// The fields right below a pointer, "" for the body's own.
[[nodiscard]] std::vector<const wire::ApiField*> fields_below(
    const std::vector<wire::ApiField>& fields, std::string_view pointer);

/// A field of an answer by which a target may turn a request down although the HTTP status says
/// that it took it: an enum with words such as REJECT that are no states. Nothing: there is none.
struct Refusals {
  const wire::ApiField* field = nullptr;
  std::vector<std::string> words = {};
};
[[nodiscard]] Refusals refusals_in(const wire::ApiCall& call,
                                   const std::vector<std::string>& state_words);

/// The call that makes what a required id names: POST /flows/ of "flow_id"; nullptr: none looks so.
[[nodiscard]] const wire::ApiCall* maker_of(std::string_view id_name,
                                            const wire::ApiDocument& document);

/// Our states, each with what engines call it, without case and punctuation; a word of theirs is
/// taken once.
using StateGuesses = std::vector<std::pair<std::string_view, std::vector<std::string>>>;
[[nodiscard]] const StateGuesses& state_guesses(Surface surface);

/// A text as YAML writes it in quotes.
[[nodiscard]] std::string yaml_text(std::string_view text);

/// Whether a profile would fill something into it, such as what the environment has: a document of
/// somebody else's must not ask for that.
[[nodiscard]] bool has_template(std::string_view text);

/// What stands for a field that nobody knows a value of: its example, a word of its enum, or what
/// a person has to put right.
[[nodiscard]] std::string filler(const wire::ApiField& field);

/// The members that the body of a call has to have, with fillers.
[[nodiscard]] std::string required_members(const wire::ApiCall& call);

}  // namespace assay::cli
