#include "harness/wire/testing/scenario_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <variant>

#include "base/overloaded.h"
#include "harness/wire/json.h"

namespace assay::wire {
namespace {

/// Bytes of any kind as text that differs where they differ.
std::string exact(const std::string& bytes) { return fmt::format("<{}>{}", bytes.size(), bytes); }

class Fields {
 public:
  [[nodiscard]] std::vector<std::string> take() { return std::move(lines_); }

  void add(const std::string& path, const core::Scenario& scenario) {
    text(path + ".id", scenario.id);
    text(path + ".title", scenario.title);
    texts(path + ".clauses", scenario.clauses);
    texts(path + ".needs", scenario.needs);
    choices(path + ".under", scenario.under);
    texts(path + ".tags", scenario.tags);
    text(path + ".source", scenario.source);
    optional_json(path + ".playbook", scenario.playbook);
    for (const auto& [name, one] : scenario.variables) {
      json(fmt::format("{}.variables.{}", path, name), one);
    }
    each(path + ".matrix", scenario.matrix, [this](const std::string& at, const auto& column) {
      text(at + ".name", column.first);
      json(at + ".values", List(column.second.begin(), column.second.end()));
    });
    steps(path + ".steps", scenario.steps);
  }

 private:
  void line(const std::string& path, std::string_view what) {
    lines_.push_back(fmt::format("{} = {}", path, what));
  }
  void text(const std::string& path, const std::string& one) { line(path, exact(one)); }
  void texts(const std::string& path, const std::vector<std::string>& all) {
    each(path, all, [this](const std::string& at, const std::string& one) { text(at, one); });
  }
  void choices(const std::string& path, const core::Under& under) {
    for (const auto& [key, choices] : under) texts(fmt::format("{}.{}", path, key), choices);
  }
  void json(const std::string& path, const Value& one) {
    line(path, one.is_string() ? "text " + exact(one.as_string()) : to_json(one));
  }
  void optional_json(const std::string& path, const std::optional<Value>& one) {
    if (one) json(path, *one);
  }
  void number(const std::string& path, const std::optional<std::int64_t>& one) {
    if (one) line(path, std::to_string(*one));
  }
  void flag(const std::string& path, bool one) { line(path, one ? "true" : "false"); }

  template <typename All, typename Add>
  void each(const std::string& path, const All& all, const Add& add_one) {
    line(path + ".size", std::to_string(all.size()));
    std::size_t index = 0;
    for (const auto& one : all) add_one(fmt::format("{}[{}]", path, index++), one);
  }

  void pattern(const std::string& path, const core::Pattern& one) {
    line(path + ".form", std::to_string(one.form.index()));
    if (const auto* operand = std::get_if<core::OperandPattern>(&one.form)) {
      line(path + ".by", std::to_string(static_cast<int>(operand->by)));
      json(path + ".operand", operand->operand);
    } else if (const auto* object = std::get_if<core::ObjectPattern>(&one.form)) {
      flag(path + ".exactly", object->exactly);
    } else if (const auto* several = std::get_if<core::ElementsPattern>(&one.form)) {
      line(path + ".how", std::to_string(static_cast<int>(several->how)));
    }
    for (const auto& [name, member] : one.members()) pattern(path + "." + exact(name), member);
    patterns(path, one.elements());
  }
  void patterns(const std::string& path, const std::vector<core::Pattern>& all) {
    each(path, all, [this](const std::string& at, const core::Pattern& one) { pattern(at, one); });
  }

  void answer(const std::string& path, const std::optional<core::AnswerPattern>& one) {
    if (!one) return;
    line(path + ".statuses", fmt::format("{}", fmt::join(one->statuses, " ")));
    each(path + ".is", one->acceptances, [this](const std::string& at, core::Acceptance word) {
      line(at, core::acceptance_words[word]);
    });
    texts(path + ".status_variables", one->status_variables);
    texts(path + ".acceptance_variables", one->acceptance_variables);
    each(path + ".headers", one->headers, [this](const std::string& at, const auto& header) {
      text(at + ".name", header.first);
      pattern(at, header.second);
    });
    if (one->body) pattern(path + ".body", *one->body);
    texts(path + ".nowhere", one->nowhere);
  }

  void events(const std::string& path, const core::EventExpectation& one) {
    json(path + ".filter", Value(one.filter));
    if (one.exactly) patterns(path + ".exactly", *one.exactly);
    patterns(path + ".contains", one.contains);
    patterns(path + ".absent", one.absent);
    number(path + ".count", one.count);
    text(path + ".count_variable", one.count_variable);
    each(path + ".before", one.before, [this](const std::string& at, const auto& edge) {
      pattern(at + ".first", edge.first);
      pattern(at + ".second", edge.second);
    });
    texts(path + ".same", one.same);
    texts(path + ".distinct", one.distinct);
    text(path + ".keeps", one.keeps);
  }

  void reads(const std::string& path, const std::vector<core::ReadExpectation>& all) {
    each(path, all, [this](const std::string& at, const core::ReadExpectation& one) {
      text(at + ".operation", one.operation);
      json(at + ".parameters", Value(one.parameters));
      shown(fmt::format("{}.shows[{}]", at, one.shows.index()), one.shows);
      answer(at + ".response", one.response);
    });
  }

  void shown(const std::string& path, const decltype(core::ReadExpectation::shows)& one) {
    std::visit(
        Overloaded{[](std::monostate) {}, [&](const core::Pattern& known) { pattern(path, known); },
                   [&](const core::EventExpectation& known) { events(path, known); },
                   [&](const auto& known) { json(path, known.names); }},
        one);
  }

  void action(const std::string& path, const core::Operate& one) {
    text(path + ".operation", one.operation.name);
    json(path + ".parameters", Value(one.operation.parameters));
  }
  void action(const std::string& path, const core::Post& one) {
    flag(path + ".batch", one.batch);
    json(path + ".events", List(one.events));
    each(path + ".omit", one.omit,
         [this](const std::string& at, const auto& names) { texts(at, names); });
  }
  void action(const std::string& path, const core::Together& one) {
    each(path + ".together", one.branches,
         [this](const std::string& at, const auto& branch) { steps(at, branch); });
  }
  void action(const std::string& path, const core::Repeat& one) {
    json(path + ".times", one.times);
    steps(path + ".repeat", one.steps);
  }
  void action(const std::string& path, const core::RawRequest& one) {
    text(path + ".method", one.method);
    text(path + ".path", one.path);
    each(path + ".headers", one.headers, [this](const std::string& at, const core::Header& header) {
      text(at + ".name", header.name);
      text(at + ".value", header.value);
    });
    optional_json(path + ".json", one.json);
    if (one.text) text(path + ".text", *one.text);
  }
  void action(const std::string& path, const core::Play& one) {
    text(path + ".play", one.step);
    text(path + ".outcome", one.outcome);
    json(path + ".result", one.result);
    json(path + ".ctx", one.ctx);
    number(path + ".failed_attempts", one.failed_attempts);
    texts(path + ".iterations", one.iterations);
    number(path + ".times", one.times);
    flag(path + ".only_end", one.only_end);
    text(path + ".worker", one.worker);
  }
  void action(const std::string& path, const core::Job& one) {
    text(path + ".job", one.type);
    text(path + ".label", one.label);
    text(path + ".worker", one.worker);
    flag(path + ".push", one.push);
    json(path + ".success", one.success);
    optional_json(path + ".entities", one.entities);
    optional_json(path + ".data", one.data);
  }
  void action(const std::string& path, const core::Expect& one) {
    reads(path + ".reads", one.reads);
    texts(path + ".clauses", one.clauses);
    line(path + ".when", std::to_string(one.when.index()));
    std::visit(
        [&](const auto& known) {
          if constexpr (requires { known.within_ms; }) number(path + ".within_ms", known.within_ms);
          if constexpr (requires { known.hold_ms; }) number(path + ".hold_ms", known.hold_ms);
        },
        one.when);
    flag(path + ".same_look", one.same_look);
    each(path + ".also_allowed", one.also_allowed,
         [this](const std::string& at, const auto& all) { reads(at, all); });
    text(path + ".because", one.because);
  }

  void steps(const std::string& path, const std::vector<core::Step>& all) {
    each(path, all, [this](const std::string& at, const core::Step& one) {
      std::visit([&](const auto& known) { action(at, known); }, one.action);
      text(at + ".on", one.on);
      text(at + ".as", one.as);
      text(at + ".delivery", std::string(core::delivery_words[one.delivery]));
      answer(at + ".response", one.response);
      texts(at + ".clauses", one.clauses);
      choices(at + ".under", one.under);
      texts(at + ".needs", one.needs);
      for (const auto& [name, pointer] : one.capture) {
        text(fmt::format("{}.capture.{}", at, name), pointer);
      }
    });
  }

  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> scenario_fields(const core::Scenario& scenario) {
  Fields fields;
  fields.add("scenario", scenario);
  return fields.take();
}

}  // namespace assay::wire
