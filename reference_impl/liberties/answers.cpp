#include "reference_impl/liberties/answers.h"

#include <utility>

#include "reference_impl/faults/log_reading.h"
#include "reference_impl/faults/rewriting.h"

namespace assay::liberties {

const List& Answering::log() {
  if (!known_log) known_log = faults::log_of(sound, request);
  return *known_log;
}

AnswerChange on_success(std::string route, std::function<void(Value& body)> change) {
  return on_taken(std::move(route),
                  [change = std::move(change)](Answering& answering) { change(answering.body); });
}

AnswerChange on_taken(std::string route, std::function<void(Answering& answering)> change) {
  return {std::move(route), [change = std::move(change)](Answering& answering) {
            if (answering.is_taken()) change(answering);
          }};
}

AnswerChange on_problem(std::function<void(Object& problem)> change) {
  return {"", [change = std::move(change)](Answering& answering) {
            if (answering.reply.status >= 400 && answering.body.is_object()) {
              change(answering.body.as_object());
            }
          }};
}

AnswerChange on_items(std::string route, std::string list,
                      std::function<void(Object& item)> change) {
  return on_success(std::move(route),
                    [list = std::move(list), change = std::move(change)](Value& body) {
                      faults::each_item(body, list, [&change](Value& item) {
                        if (item.is_object()) change(item.as_object());
                      });
                    });
}

bool is_driven(const List& log) {
  return !log.empty() && faults::is_type(log.front(), "playbook.execution.requested") &&
         faults::has_text(log.front(), "source", "server");
}

}  // namespace assay::liberties
