#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/core/verdict.h"

namespace assay::run {

/// What one look at a target showed.
enum class ReadResult {
  matched,     ///< It is as expected.
  mismatched,  ///< It could be read, and is otherwise.
  missing,     ///< The target says definitely that there is nothing to read, or refuses to show it.
  undecided,   ///< The answer says nothing: a 503, a page of HTML, a timeout.
  fault,       ///< The network's or the harness's own trouble.
};

/// How long a check looks. All times in milliseconds, already multiplied by the wait factor.
struct Waiting {
  /// It must come true in this time; 0: at the first look.
  double within_ms = 0;
  /// As much of that as is only the reads' lag: where there is nothing else, what came true is
  /// true, however late it was looked at.
  double lag_ms = 0;
  /// Once true it must stay so for this time; without `hold` one look is enough.
  bool hold = false;
  /// It must not come true while it is looked for.
  bool never = false;
  /// For hold and never.
  double hold_ms = 0;
  /// A look before this moment may still show what was there before the last change: that it
  /// matches decides nothing. On the clock of the looks.
  double settled_ms = 0;
  /// Nothing changes between two requests: a wait is one look, a hold two, without a pause.
  bool immediate = false;
  /// When the case's own time is over, on the clock of the looks.
  double latest_ms = 0;
};

/// Decides by what a check's looks show when to look again and what it comes to. Pure: the times
/// are given to it. It never passes by accident: what was not read proves neither presence nor
/// absence.
class Patience {
 public:
  /// `start_ms` is when the check began.
  Patience(const Waiting& waiting, double start_ms);

  /// Takes a look that was called and returned at these times. The pause before the next one in
  /// milliseconds, or nothing: then it is decided.
  std::optional<double> after_look(ReadResult result, double called_ms, double returned_ms);

  [[nodiscard]] core::Verdict verdict() const { return verdict_; }
  /// Why, where the verdict needs it.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] std::int64_t looks() const { return looks_; }
  /// For hold and never: from the first look that counted to the last, in milliseconds.
  [[nodiscard]] std::int64_t looked_ms() const;

 private:
  std::optional<double> while_coming(ReadResult result, double called_ms, double returned_ms);
  std::optional<double> while_holding(ReadResult result, double called_ms, double returned_ms);
  std::optional<double> while_never(ReadResult result, double called_ms, double returned_ms);
  std::optional<double> look_again(double at_most_until_ms, double now_ms);
  std::optional<double> keep_looking(double called_ms, double returned_ms);
  std::optional<double> decide(core::Verdict verdict, std::string reason);
  std::optional<double> decide_untold();
  void open_window(double called_ms);

  Waiting waiting_;
  double start_ms_;
  double pause_ms_;
  std::int64_t looks_ = 0;

  /// The window of a hold or a never.
  bool is_in_window_ = false;
  double window_start_ms_ = 0;
  double window_last_ms_ = 0;
  std::int64_t window_looks_ = 0;
  /// The worst look of the window that said nothing.
  std::optional<ReadResult> trouble_;

  core::Verdict verdict_ = core::Verdict::inconclusive;
  std::string reason_;
};

}  // namespace assay::run
