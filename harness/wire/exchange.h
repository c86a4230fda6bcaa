#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "harness/core/http.h"
#include "harness/core/operation.h"
#include "harness/core/profile.h"

namespace assay::wire {

/// The profile has no way to say this: no template for the operation, no name for the event, or a
/// parameter that the template needs and the operation lacks. What needs it is not applicable.
struct NotExpressible {
  std::string reason;
  /// Nothing that the operation lacks: a request of the profile's own names a member that the
  /// answer before it does not have. The reason begins with file:line:column.
  bool is_profile_fault = false;
};

/// The first parameter that the profile says the target cannot take, "reason", or cannot take with
/// this value, "to: running"; empty where there is none.
[[nodiscard]] std::string lacked_parameter(const core::OperationTemplate& form,
                                           const Object& parameters);

/// The operation's parameters by the profile's vocabulary, where the target has words for all that
/// is there; what is not there yet is no reason.
[[nodiscard]] Result<Object, NotExpressible> in_the_targets_words(const core::Profile& profile,
                                                                  const core::Operation& operation);

/// The operation as the target's HTTP request: names and spellings by the profile's vocabulary,
/// parameters percent-encoded in path and query, the profile's headers before the operation's, and
/// application/json as content type of a body unless a header says otherwise.
[[nodiscard]] Result<core::HttpRequest, NotExpressible> render_request(
    const core::Profile& profile, const core::Operation& operation);

/// A request of the profile's own; `parameters` are all that its templates may name.
[[nodiscard]] Result<core::HttpRequest, NotExpressible> render_hook(const core::Profile& profile,
                                                                    const core::Hook& hook,
                                                                    const Object& parameters);

/// Whether there is what the hook's `when` asks for.
[[nodiscard]] bool is_due(const core::Hook& hook, const Object& parameters);

/// What comes of a hook's answer: nothing where it has to be asked again, else accepted or why
/// not. What it captures is added to `parameters`.
[[nodiscard]] std::optional<core::Acceptance> take_hook(const core::Hook& hook,
                                                        const core::HttpResult& result,
                                                        Object& parameters);

/// Adds what an answer gives to `parameters`; the name of the first of which there is nothing, else
/// empty.
[[nodiscard]] std::string take_captures(const std::map<std::string, core::Mapping>& captures,
                                        const core::HttpResponse& response, core::AnswerForm form,
                                        Object& parameters);

/// The profile's headers of every request. One that names what setup has not captured yet is left
/// out; ${login.name} is put in where the request is sent.
[[nodiscard]] std::vector<core::Header> own_headers(const core::Profile& profile,
                                                    const Object& parameters);

/// The `after` of the page behind this one, null where it is the last; for listings that the
/// profile pages by number or offset.
[[nodiscard]] Value next_page(const core::Paging& paging, const Object& parameters,
                              const core::Answer& answer);

/// What the answer to that operation means. A listing's mapped answer is {items, next}. The mapping
/// reads accepted and duplicate answers; a refusal's mapped body is the body as it came. A body
/// that is no JSON where one is due, and a status that the profile does not name, are `unexpected`;
/// a body in a coding that nobody asked for, or a web page in place of JSON, is `no_answer`.
/// What `of` names, the mapping reads from `captured`.
[[nodiscard]] core::Answer read_answer(const core::Profile& profile, std::string_view operation,
                                       const core::HttpResult& result, const Object& captured = {});

/// Leaves out the items of a mapped listing that the parameters don't ask for, where the profile
/// says that the target itself does not filter by them.
void narrow_items(const core::OperationTemplate& form, const Object& parameters, Value& mapped);

}  // namespace assay::wire
