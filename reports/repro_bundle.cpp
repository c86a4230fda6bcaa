#include "reports/repro_bundle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "base/visible.h"
#include "harness/check/merging.h"
#include "harness/core/adapter_line.h"
#include "harness/core/secrets.h"

namespace assay::reports {
namespace {

using Json = nlohmann::ordered_json;
using core::Exchange;

/// Shorter words are not what a server calls something.
constexpr std::size_t least_id_bytes = 6;

/// A text that each play of the script has anew: what it was, and the variable that it is.
struct Renamed {
  std::string recorded;
  std::string variable;
};

/// `text` as one word of a POSIX shell, the recorded names in it replaced by their variables.
std::string word_of(std::string_view text, const std::vector<Renamed>& names) {
  std::string word = "'";
  while (!text.empty()) {
    const auto name = std::find_if(names.begin(), names.end(), [text](const Renamed& each) {
      return text.starts_with(each.recorded);
    });
    if (name != names.end()) {
      word += fmt::format("'\"${{{}}}\"'", name->variable);
      text.remove_prefix(name->recorded.size());
      continue;
    }
    word += text.front() == '\'' ? std::string("'\\''") : std::string(1, text.front());
    text.remove_prefix(1);
  }
  return word + "'";
}

bool is_id_letter(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
}

/// The words of a text that may be what a server called something: with a digit, not too short.
std::vector<std::string> id_words(std::string_view text) {
  std::vector<std::string> words;
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t end = at;
    while (end < text.size() && is_id_letter(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool has_digit = word.find_first_of("0123456789") != std::string_view::npos;
    if (word.size() >= least_id_bytes && has_digit) words.emplace_back(word);
    at = std::max(end, at + 1);
  }
  return words;
}

/// The member of a JSON text whose value begins with `value`: "uuid" of {"uuid":"1f…"}.
std::optional<std::string> member_of(std::string_view json, std::string_view value) {
  for (std::size_t at = json.find(value); at != std::string_view::npos;
       at = json.find(value, at + 1)) {
    std::size_t end = at;
    while (end > 0 && (json[end - 1] == '"' || json[end - 1] == ' ')) --end;
    if (end == 0 || json[end - 1] != ':') continue;
    --end;
    while (end > 0 && json[end - 1] == ' ') --end;
    if (end == 0 || json[end - 1] != '"') continue;
    const std::size_t begin = json.rfind('"', end - 2);
    if (begin == std::string_view::npos) continue;
    std::string name(json.substr(begin + 1, end - begin - 2));
    if (!name.empty() && std::all_of(name.begin(), name.end(), is_id_letter)) return name;
  }
  return std::nullopt;
}

/// The value, as it is written, of a member that a JSON text without blanks has once; nothing where
/// it has it more often or where it is no plain value.
std::optional<std::string> only_value_of(std::string_view json, std::string_view member) {
  const std::string key = fmt::format("\"{}\":", member);
  const std::size_t at = json.find(key);
  if (at == std::string_view::npos || json.find(key, at + 1) != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view rest = json.substr(at + key.size());
  if (rest.empty() || rest.front() == '{' || rest.front() == '[') return std::nullopt;
  const std::size_t end = rest.front() == '"' ? rest.find('"', 1) : rest.find_first_of(",}]");
  if (end == std::string_view::npos) return std::nullopt;
  return std::string(rest.substr(0, rest.front() == '"' ? end + 1 : end));
}

std::string sent_text(const Exchange& exchange) {
  return exchange.request.target + "\n" + exchange.request.body.value_or("");
}

/// Writes the script of one case.
class ReproScript {
 public:
  ReproScript(const core::RunRecord& record, const core::CaseResult& result)
      : record_(record), result_(result), secrets_(record) {
    for (const core::Check& check : result.checks) {
      if (check.verdict == core::Verdict::fail) {
        failed_ = &check;
        break;
      }
    }
    const bool has_evidence = failed_ != nullptr && !failed_->evidence.empty();
    last_ = has_evidence ? failed_->evidence.back() : result.exchanges.size() - 1;
    for (const std::string& run_id : check::run_ids_of(record.header)) {
      names_.push_back({"assay-" + run_id, "fresh"});
    }
  }

  [[nodiscard]] std::string text() {
    add_head();
    for (std::size_t index = 0; index <= last_; ++index) add_request(index);
    add_verdict();
    return std::move(out_);
  }

 private:
  void add_comment(const std::string& text) {
    out_ += fmt::format("# {}\n", visible(secrets_.masked(text), 400, Lines::one));
  }

  /// Whether any of the requests is a line to the profile's adapter.
  [[nodiscard]] bool has_adapter_lines() const {
    return std::any_of(result_.exchanges.begin(), result_.exchanges.end(),
                       [](const auto& each) { return core::is_adapter_line(each.request); });
  }

  /// Starts the adapter and shakes hands with it.
  void add_adapter() {
    const std::string& target = record_.header.target;
    const std::string command = target.starts_with(core::adapter_location)
                                    ? target.substr(core::adapter_location.size())
                                    : "";
    out_ += fmt::format(
        "# These are lines to the profile's adapter, no HTTP; ADAPTER is the command that starts "
        "it.\n"
        "adapter=${{ADAPTER:-{}}}\n[ -n \"$adapter\" ] || {{ echo 'set ADAPTER' >&2; exit 2; }}\n"
        "mkfifo \"$answers/in\" \"$answers/out\" || exit 2\ntrap 'exit 2' PIPE\n"
        "sh -c \"exec $adapter\" <\"$answers/in\" >\"$answers/out\" &\n"
        "exec 3>\"$answers/in\" 4<\"$answers/out\"\n"
        "printf '%s\\n' {} >&3\nIFS= read -r greeting <&4 || exit 2\n\n"
        "tell() {{\n  number=$1\n"
        "  printf '{{\"id\":%s,\"operation\":\"%s\",\"parameters\":%s}}\\n' \"$((number + 1))\" "
        "\"$2\" \"$3\" >&3\n"
        "  IFS= read -r line <&4 || exit 2\n  printf '%s\\n' \"$line\" >\"$answers/$number\"\n"
        "  status=$(sed -n 's/.*\"outcome\" *: *\"\\([a-z]*\\)\".*/\\1/p' \"$answers/$number\")\n"
        "  printf '%s %s\\n' \"$number\" \"$line\" >&2\n}}\n\n",
        word_of(command, {}), word_of(core::adapter_greeting(""), {}));
  }

  void add_head() {
    out_ = "#!/bin/sh\n";
    add_comment(fmt::format("{}: {}", result_.id, result_.title));
    if (failed_ != nullptr) {
      add_comment(fmt::format("Clauses: {}", fmt::join(failed_->clauses, ", ")));
      add_comment("Expected: " + failed_->expected);
      add_comment("Actual:   " + failed_->actual);
    }
    add_setup();
    out_ +=
        "# Exits with 1 where the fault is there, 0 where it is not, 2 where the steps that lead "
        "to it "
        "are\n# answered otherwise than they were, or not at all.\n";
    out_ += fmt::format(
        "set -u\nbase=${{1:-${{TARGET:-{}}}}}\nfresh=assay-repro-$(date +%s)-$$\n"
        "answers=$(mktemp -d) || exit 2\ntrap 'rm -rf \"$answers\"' EXIT\n\n"
        "call() {{\n  number=$1\n  shift\n"
        "  status=$(curl -sS --globoff --path-as-is --max-time 60 -o \"$answers/$number\" "
        "-w '%{{http_code}}' \"$@\") || exit 2\n"
        "  touch \"$answers/$number\"\n"
        "  printf '%s %s ' \"$number\" \"$status\" >&2\n  head -c 400 \"$answers/$number\" >&2\n"
        "  echo >&2\n}}\n\n"
        "was() {{\n  [ \"$status\" = \"$1\" ] && return\n"
        "  echo \"request $number was answered $1 then and $status now: this shows nothing\" >&2\n"
        "  exit 2\n}}\n\n",
        record_.header.target.starts_with("http") ? record_.header.target : "http://127.0.0.1");
    if (has_adapter_lines()) add_adapter();
  }

  /// What the profile's setup had captured, which the script cannot make anew.
  void add_setup() {
    for (const auto& [run_id, captured] : record_.header.setup) {
      if (!captured.is_object()) continue;
      for (const auto& [name, value] : captured.as_object()) {
        add_comment(
            fmt::format("The profile's setup gave {} = {}: where it is gone, put another here.",
                        name, value.is_string() ? value.as_string() : "(no text)"));
      }
    }
  }

  /// The steps before the last one must go as they went, or the last one shows nothing; and a read
  /// must be answered.
  void add_expected_status(std::size_t index) {
    const Exchange& exchange = result_.exchanges[index];
    if (!exchange.response) return;
    const bool is_judged_by_status = index == last_ && !wrong_member();
    if (is_judged_by_status) return;
    if (core::is_adapter_line(exchange.request)) {
      out_ += fmt::format("was {}\n", core::adapter_outcome(exchange.response->status));
    } else {
      out_ += fmt::format("was {}\n", exchange.response->status);
    }
  }

  /// Takes what the server named, and later requests use, from the answer in which it first was.
  void add_captures(std::size_t index) {
    for (const std::string& word : id_words(sent_text(result_.exchanges[index]))) {
      const bool is_known = std::any_of(names_.begin(), names_.end(), [&word](const Renamed& each) {
        return word.find(each.recorded) != std::string::npos;
      });
      if (is_known) continue;
      for (std::size_t earlier = 0; earlier < index; ++earlier) {
        const Exchange& exchange = result_.exchanges[earlier];
        // What was sent first is no name that the server gave.
        if (sent_text(exchange).find(word) != std::string::npos) break;
        if (!exchange.response) continue;
        const auto member = member_of(exchange.response->body, word);
        if (!member) continue;
        const std::string variable = fmt::format("id{}", names_.size());
        out_ += fmt::format(
            "{}=$(sed -n 's/.*\"{}\"[ ]*:[ ]*\"\\{{0,1\\}}\\([A-Za-z0-9_-]*\\).*/\\1/p' "
            "\"$answers/{}\" | head -n 1)\n",
            variable, *member, earlier);
        names_.push_back({word, variable});
        break;
      }
    }
  }

  void add_request(std::size_t index) {
    const Exchange& exchange = result_.exchanges[index];
    if (exchange.error && !exchange.error->request_sent) return;
    add_captures(index);
    if (core::is_adapter_line(exchange.request)) {
      out_ += fmt::format("tell {} {} {}\n", index, word_of(exchange.request.target, {}),
                          word_of(secrets_.masked(exchange.request.body.value_or("{}")), names_));
      add_expected_status(index);
      return;
    }
    out_ += fmt::format("call {} -X {} \"$base\"{}", index, word_of(exchange.request.method, {}),
                        word_of(exchange.request.target, names_));
    for (const core::Header& header : exchange.request.headers) {
      out_ += fmt::format(
          " \\\n  -H {}",
          word_of(fmt::format("{}: {}", header.name, secrets_.shown_value(header)), names_));
    }
    if (exchange.request.body) {
      out_ += fmt::format(" \\\n  --data-binary {}",
                          word_of(secrets_.masked(*exchange.request.body), names_));
    }
    out_ += "\n";
    add_expected_status(index);
  }

  /// The member that the failing check is about and what it was: "state" and "\"RUNNING\"".
  [[nodiscard]] std::optional<std::pair<std::string, std::string>> wrong_member() const {
    if (failed_ == nullptr || last_ >= result_.exchanges.size()) return std::nullopt;
    const std::size_t pointer = failed_->expected.find(" /");
    const std::size_t end = failed_->expected.find(": ", pointer);
    if (pointer == std::string::npos || end == std::string::npos) return std::nullopt;
    const std::string whole = failed_->expected.substr(pointer + 1, end - pointer - 1);
    std::string member = whole.substr(whole.rfind('/') + 1);
    if (member.empty() || !std::all_of(member.begin(), member.end(), is_id_letter)) {
      return std::nullopt;
    }
    std::string body =
        result_.exchanges[last_].response ? result_.exchanges[last_].response->body : std::string();
    std::erase_if(body, [](char letter) { return letter == ' ' || letter == '\n'; });
    if (failed_->actual == "absent") {
      const bool is_absent = body.find(fmt::format("\"{}\":", member)) == std::string::npos;
      return is_absent ? std::optional(std::pair(member, std::string())) : std::nullopt;
    }
    std::string shown = fmt::format("\"{}\":{}", member, failed_->actual);
    std::erase_if(shown, [](char letter) { return letter == ' ' || letter == '\n'; });
    if (body.find(shown) != std::string::npos) return std::pair(member, failed_->actual);
    // The profile may spell what the target says in another way.
    const auto said = only_value_of(body, member);
    return said ? std::optional(std::pair(member, *said)) : std::nullopt;
  }

  void add_verdict() {
    out_ += "\n";
    if (const auto member = wrong_member()) {
      std::string shown = fmt::format("\"{}\":{}", member->first, member->second);
      std::erase_if(shown, [](char letter) { return letter == ' ' || letter == '\n'; });
      out_ += fmt::format(
          "if tr -d ' \\n' <\"$answers/{}\" | grep -Fq -e {}; then shows=1; else shows=0; fi\n",
          last_, word_of(shown, names_));
      if (member->second.empty()) out_ += "shows=$((1 - shows))\n";
    } else {
      add_comparison();
    }
    out_ +=
        "if [ \"$shows\" = 1 ]; then echo 'the fault is there'; exit 1; fi\n"
        "echo 'the fault is not there'\n";
  }

  /// Where no single member tells: the fault is there where the answer is the recorded one, but for
  /// names and times.
  void add_comparison() {
    const Exchange& exchange = result_.exchanges[last_];
    const std::string body = exchange.response ? exchange.response->body : "";
    const int status = exchange.response ? exchange.response->status : 0;
    if (core::is_adapter_line(exchange.request)) {
      // The line has its members in any order: the outcome alone is compared.
      out_ += fmt::format("shows=0\nif [ \"$status\" = '{}' ]; then shows=1; fi\n",
                          core::adapter_outcome(status));
      return;
    }
    out_ += fmt::format(
        "plain() {{\n  sed -E \"s/(assay-repro-[0-9]+-[0-9]+|{})/ID/g\" | sed -E "
        "'s/[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}T[0-9:.]+(Z|[+-][0-9:]+)?/TIME/g; "
        "s/[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}|[0-9a-f]{{32}}/ID/g; "
        "s/[0-9]{{6,}}/NUMBER/g'\n}}\n"
        "printf '%s' {} | plain >\"$answers/recorded\"\n"
        "plain <\"$answers/{}\" >\"$answers/seen\"\nshows=0\n"
        "if [ \"$status\" = {} ] && cmp -s \"$answers/recorded\" \"$answers/seen\"; then shows=1; "
        "fi\n",
        names_.front().recorded, word_of(secrets_.masked(body), names_), last_, status);
  }

  const core::RunRecord& record_;
  const core::CaseResult& result_;
  core::Secrets secrets_;
  const core::Check* failed_ = nullptr;
  std::size_t last_ = 0;
  std::vector<Renamed> names_;
  std::string out_;
};

Json headers_of(const std::vector<core::Header>& headers, const core::Secrets& secrets) {
  Json list = Json::array();
  for (const core::Header& header : headers) {
    list.push_back({{"name", header.name}, {"value", secrets.shown_value(header)}});
  }
  return list;
}

Json entry_of(const Exchange& exchange, const core::RunRecord& record,
              const core::Secrets& secrets) {
  Json request = {{"method", exchange.request.method},
                  {"url", record.header.target + exchange.request.target},
                  {"httpVersion", "HTTP/1.1"},
                  {"cookies", Json::array()},
                  {"headers", headers_of(exchange.request.headers, secrets)},
                  {"queryString", Json::array()},
                  {"headersSize", -1},
                  {"bodySize", exchange.request.body ? exchange.request.body->size() : 0}};
  if (exchange.request.body) {
    request["postData"] = {{"mimeType", "application/json"},
                           {"text", secrets.masked(*exchange.request.body)}};
  }
  Json response = {{"status", 0},
                   {"statusText", ""},
                   {"httpVersion", "HTTP/1.1"},
                   {"cookies", Json::array()},
                   {"headers", Json::array()},
                   {"content", {{"size", 0}, {"mimeType", ""}, {"text", ""}}},
                   {"redirectURL", ""},
                   {"headersSize", -1},
                   {"bodySize", -1}};
  if (exchange.response) {
    response["status"] = exchange.response->status;
    response["headers"] = headers_of(exchange.response->headers, secrets);
    response["content"] = {{"size", exchange.response->body.size()},
                           {"mimeType", "application/json"},
                           {"text", secrets.masked(exchange.response->body)}};
  } else if (exchange.error) {
    response["comment"] = core::transport_fault_texts[exchange.error->fault];
  }
  const double time_ms = exchange.returned_ms - exchange.called_ms;
  if (core::is_adapter_line(exchange.request)) {
    request["comment"] = "no HTTP: a line to the profile's adapter";
  }
  return {{"startedDateTime", record.header.started_at},
          {"time", time_ms},
          {"request", std::move(request)},
          {"response", std::move(response)},
          {"cache", Json::object()},
          {"timings", {{"send", 0}, {"wait", time_ms}, {"receive", 0}}}};
}

}  // namespace

std::string har_of(const core::RunRecord& record, const core::CaseResult& result) {
  const core::Secrets secrets(record);
  Json entries = Json::array();
  for (const Exchange& exchange : result.exchanges) {
    entries.push_back(entry_of(exchange, record, secrets));
  }
  const Json har = {{"log",
                     {{"version", "1.2"},
                      {"creator", {{"name", "assay"}, {"version", record.header.assay_version}}},
                      {"comment", result.id},
                      {"entries", std::move(entries)}}}};
  return har.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string repro_script(const core::RunRecord& record, const core::CaseResult& result) {
  return ReproScript(record, result).text();
}

}  // namespace assay::reports
