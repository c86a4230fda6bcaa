#pragma once

#include <functional>
#include <string>

#include "reference_impl/liberties/liberty.h"

namespace assay::liberties {

/// A change of the body of each answer 200 or 201 on the route.
[[nodiscard]] AnswerChange on_success(std::string route, std::function<void(Value& body)> change);

/// The same, where the change asks for the request or the log.
[[nodiscard]] AnswerChange on_taken(std::string route,
                                    std::function<void(Answering& answering)> change);

/// A change of each problem document.
[[nodiscard]] AnswerChange on_problem(std::function<void(Object& problem)> change);

/// A change of every item of a list member.
[[nodiscard]] AnswerChange on_items(std::string route, std::string list,
                                    std::function<void(Object& item)> change);

/// Whether the execution has a playbook: its log begins with the server's own event.
[[nodiscard]] bool is_driven(const List& log);

}  // namespace assay::liberties
