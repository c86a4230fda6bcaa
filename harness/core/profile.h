#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/value.h"
#include "harness/core/condition.h"
#include "harness/core/http.h"
#include "harness/core/operation.h"
#include "harness/core/source.h"

namespace assay::core {

/// Every bound of a run. A wait that a profile or scenario names is multiplied by wait_factor.
struct Limits {
  std::int64_t connect_ms = 2'000;
  /// From the first byte of a request to the last of its answer.
  std::int64_t request_ms = 5'000;
  /// How long a thing that must happen may take.
  std::int64_t within_ms = 2'000;
  /// How long a thing that must not happen is looked for.
  std::int64_t hold_ms = 100;
  /// The whole of one case.
  std::int64_t case_ms = 60'000;
  std::size_t max_header_bytes = std::size_t{64} * 1024;
  std::size_t max_body_bytes = std::size_t{8} * 1024 * 1024;
  /// Pages that one listing may take.
  std::size_t max_pages = 1'000;
  /// Cases that may run at the same moment, whatever a run is told.
  std::size_t jobs = 4'096;
  /// Requests a second over the whole run; 0 is no bound.
  double rate = 0;
  double wait_factor = 1;
};

/// Whether a read sees every write that was answered before it.
struct Consistency {
  bool eventual = false;
  /// How far behind a read may be.
  std::int64_t window_ms = 0;
};

struct Mapping;

/// What becomes of a value that is read.
struct Conversion {
  /// What a number means that stands for a time.
  enum class TimeUnit { none, seconds, milliseconds };

  /// Of a text: what the first group of this regular expression finds, or the whole match where it
  /// has no group; absent where it finds nothing.
  std::string part = {};
  /// A number of these since 1970 becomes an RFC 3339 time.
  TimeUnit as_time = TimeUnit::none;
  /// Numbers become their decimal text: identifiers are compared as strings.
  bool as_text = false;
  /// The target's words and ours; a word that is not listed stays as it is, so that it is judged.
  std::map<std::string, std::string> spelling = {};
};

/// The value at `pointer` of the answer to the operation, or of what was captured under the name
/// `of`; so it is with the other mappings that have them.
struct PointerMapping {
  std::string pointer = {};
  std::string of = {};
  Conversion conversion = {};
};

/// Where `when` holds of the value at `pointer`, the result is this value, or what is read so.
struct MappingCase {
  Condition when;
  std::variant<Value, std::shared_ptr<const Mapping>> gives = Value();
};

/// The first case that holds.
struct CasesMapping {
  std::vector<MappingCase> cases = {};
  std::string pointer = {};
  std::string of = {};
};

/// What is given otherwise, whatever came.
struct ConstantMapping {};

/// Each of `members`, read from the value at `pointer`.
struct ObjectMapping {
  std::map<std::string, Mapping> members;
  std::string pointer = {};
  std::string of = {};
};

/// A list: what is read of every element of the array at `pointer`.
struct ItemsMapping {
  std::string pointer = {};
  std::string of = {};
  /// Nothing: the element itself.
  std::shared_ptr<const Mapping> each = {};
  /// Elements for which one of these holds are left out: what the target keeps for itself among
  /// what it was given.
  std::vector<Condition> except = {};
  /// `pointer` leads to an object, each member of which is the element {key, value}.
  bool of_entries = false;
  /// Those whose value at this pointer is the same become one, in the place of the first, with the
  /// later one's members where they are not null.
  std::optional<std::string> joined_by = {};
  /// The result is an object, each item under the text at this pointer of its element.
  std::optional<std::string> keyed_by = {};
};

/// Several, put together.
struct PartsMapping {
  enum class How {
    merged,  ///< The first, with the members that only later ones have.
    list,    ///< What each gives, one after another: a list gives its elements, null none.
  };

  How how = How::merged;
  std::vector<Mapping> parts;
  std::string of = {};
};

/// What the head of the answer says.
struct HeadMapping {
  enum class Field {
    header,  ///< The value of the header `name`, several joined by ", ".
    cookie,  ///< The value of the cookie `name` that the answer sets.
    link,    ///< The target of the link (RFC 8288) whose relation is `name`.
  };

  Field field = Field::header;
  std::string name = {};
  Conversion conversion = {};
};

/// How one value is read out of an answer.
struct Mapping {
  std::variant<PointerMapping, CasesMapping, ConstantMapping, ObjectMapping, ItemsMapping,
               PartsMapping, HeadMapping>
      from = {};
  /// The value where there is none.
  Value otherwise = {};

  /// Those of an object; none where it is no such.
  [[nodiscard]] const std::map<std::string, Mapping>& members() const;
};

/// Where the body, not the status, says how the target took an operation.
struct OutcomeRule {
  Condition when;
  Acceptance means = Acceptance::accepted;
};

/// What the body of an answer is.
enum class AnswerForm {
  json,
  text,  ///< Read as one JSON string, whatever its content type.
  none,  ///< Not read: null.
};

/// How a request is written.
struct RequestTemplate {
  SourcePosition at;
  std::string method = "GET";
  /// With ${name} for parameters, percent-encoded on substitution; ${name?} where it may be absent.
  /// The whole syntax is in docs/writing-profiles.md.
  std::string path;
  /// Query parameters: name to text with ${name?}; one whose placeholder is absent is left out.
  std::vector<std::pair<std::string, std::string>> query;
  std::vector<Header> headers;
  /// A string that is one ${name} takes the parameter's value with its type; a member whose value
  /// is an absent ${name?} is left out. ${name.member} reaches into an object, ${name.0} into a
  /// list. {for_each: name.member, give: template} is a list: the template once for each element,
  /// which it calls ${item}. {when: name.member, give: template} is there where that is, {first_of:
  /// [template, …]} is the first that is there, {list_of: [template, …]} joins lists and elements
  /// to one, {json_of: template} is the template's JSON as text, {number_of: text} a positive
  /// number that is always the same for that text.
  std::optional<Value> body;
  /// In place of a JSON body: text/plain.
  std::optional<std::string> text;
  /// In place of a JSON body: application/x-www-form-urlencoded; as `query`.
  std::optional<std::vector<std::pair<std::string, std::string>>> form;
  AnswerForm answers = AnswerForm::json;
};

/// A request of the profile's own: what a target needs beyond the one request of an operation.
struct Hook {
  RequestTemplate request;
  /// A parameter or a member of one (name.member): where it is absent, nothing is asked.
  std::string when;
  /// Asked only where that parameter has one of these values, as text; empty: whatever it is.
  std::set<std::string, std::less<>> when_values = {};
  std::set<int> accepted = {200, 201, 202, 204};
  /// What later templates call ${name}, and how it is read from the answer.
  std::map<std::string, Mapping> captures;
  /// Asked again, within limits.within_ms, until one of these holds; empty: asked once.
  std::vector<OutcomeRule> until;
};

/// How a target that has no cursors pages its listings: ${after?} counts.
struct Paging {
  enum class Style {
    cursor,  ///< The answer says what comes next (`next`).
    page,    ///< ${after?} is the number of a page, from 1.
    offset,  ///< ${after?} is how many items came before.
  };

  Style style = Style::cursor;
  /// A boolean in the answer that says whether there is more.
  std::optional<std::string> more;
  /// Without `more`: the array in the answer, and how many elements it has on a full page.
  std::string items;
  std::int64_t size = 0;
};

/// How one operation goes over HTTP.
struct OperationTemplate : RequestTemplate {
  /// The parameter whose value decides which of `requests` is sent; empty: always the one above.
  std::string by;
  /// By that parameter's value as text. What has no entry goes by the request above, and cannot be
  /// said where that has no path.
  std::map<std::string, RequestTemplate, std::less<>> requests;
  /// What templates of `after` call ${name}, and how it is read from the operation's answer.
  std::map<std::string, Mapping> captures;
  std::set<int> accepted = {200, 201, 202, 204};
  std::set<int> duplicate;
  std::set<int> refused = {409, 422};
  std::set<int> unknown = {404};
  /// Asked in order before the statuses; the first that holds decides.
  std::vector<OutcomeRule> outcomes;
  /// Nothing: the body itself.
  std::optional<Mapping> read;
  /// What has to be asked first, and what once it was accepted, with ${answer} for its body.
  std::vector<Hook> before;
  std::vector<Hook> after;
  Paging paging;
  /// Of a listing: the target gives the newest first; the harness turns the whole around.
  bool newest_first = false;
  /// Parameters that the target cannot take: what needs one is not applicable.
  std::set<std::string, std::less<>> lacks;
  /// Significant parameters that no request of the operation says: what needs one is not applicable
  /// either, because it would be judged without having been asked.
  std::set<std::string, std::less<>> unsaid = {};
  /// Values of parameters that the target cannot take, by the parameter: to a status that no client
  /// may set, say.
  std::map<std::string, std::set<std::string, std::less<>>, std::less<>> lacks_values;
  /// Members of the mapped answer (of each item in a listing) that the target does not show:
  /// expectations are not held against them.
  std::set<std::string, std::less<>> unobserved;
  /// Of a listing: parameters that the target does not filter by, and the member of our items that
  /// each must equal; the harness leaves the others out.
  std::map<std::string, std::string, std::less<>> narrow;
};

/// How to start a server of one's own for the run.
struct Launch {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  /// A line of standard output that begins so, followed by the base URL; empty: health_path is
  /// asked.
  std::string ready_line;
  std::string health_path;
  std::int64_t ready_within_ms = 30'000;
  std::string stop_signal = "TERM";
};

/// A program through which operations go that no HTTP request can say (docs/adapters.md).
struct Adapter {
  std::vector<std::string> command;
  std::map<std::string, std::string> environment;
  /// How long it may take until it has greeted.
  std::int64_t ready_within_ms = 30'000;
};

struct Tls {
  std::string ca_file;
  std::string certificate_file;
  std::string key_file;
  bool verify = true;
};

/// How to speak to a target. All of it is data: no target has code of its own.
struct Profile {
  SourcePosition at;
  std::string name;
  std::string title;
  std::string base_url;
  std::vector<Header> headers;
  Tls tls;
  Limits limits;
  Consistency consistency;
  std::set<std::string, std::less<>> capabilities;
  /// How a gap of the specifications is settled: key of fixtures/spec/interpretations.yaml to
  /// choice.
  std::map<std::string, std::string, std::less<>> interpretations;
  /// Our event types and the target's; an empty one: the target has no such event.
  std::map<std::string, std::string, std::less<>> event_names;
  /// The target's spellings of states and ours, for reads.
  std::map<std::string, std::string, std::less<>> state_names;
  /// Our states that the target has no word for: what needs one is not applicable.
  std::set<std::string, std::less<>> missing_states;
  /// Statuses that a run of the target leaves for running by itself: no client takes it there, and
  /// no case finds it waiting. They are among missing_states too.
  std::set<std::string, std::less<>> passing_states = {};
  /// Words of the target for states that are none of ours, as it spells them: no client may set
  /// one where the specification lists all states, and none may be shown there.
  std::set<std::string, std::less<>> extra_states = {};
  /// Tables of words that templates refer to as filters: ${to|TABLE}. Our value, as text, to
  /// theirs.
  std::map<std::string, std::map<std::string, Value, std::less<>>, std::less<>> words = {};
  std::map<std::string, OperationTemplate, std::less<>> operations;
  /// Of operations that `without` took away: where they would be.
  std::map<std::string, std::string, std::less<>> withheld_paths;
  /// The target stamps what happens with its own clock, whatever time the harness says: an expected
  /// instant is any time.
  bool own_times = false;
  /// The target acknowledges outcomes on its own: where COMPLETED, FAILED_SAFE or FAILED_UNSAFE is
  /// expected of a workflow execution, the acknowledged form of the same outcome will do.
  bool own_acknowledgements = false;
  /// Before all else, and again where an answer is 401. What it captures, headers call
  /// ${login.name}.
  std::vector<Hook> login = {};
  /// Once before and after all cases. What setup captures, templates call ${setup.name}.
  std::vector<Hook> setup;
  std::vector<Hook> teardown;
  /// By what identifies a thing (execution_id, run_id, uuid): asked after a case for each one that
  /// it made.
  std::map<std::string, Hook, std::less<>> cleanup;
  /// The events that play one step run, in order; see docs/writing-profiles.md.
  std::vector<Value> worker;
  std::optional<Launch> launch;
  /// Operations without a request of their own go through it.
  std::optional<Adapter> adapter = {};
  /// What ${env:…} gave, anywhere in the profile: never shown.
  std::vector<std::string> environment_values = {};
  /// A template names what is made for each call: now, now_ms, count or unique.
  bool makes_values = false;
};

}  // namespace assay::core
