#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/profile.h"
#include "harness/core/record.h"
#include "harness/core/scenario.h"
#include "properties/recorder.h"

namespace assay::properties {

/// Makes a generated case again and again, so that a difference that is known hides no other.
///
/// Behind a difference nothing can be judged by what the sound server would do there. So the case
/// is made without the moves after which it came, until nothing of it fails. What those moves lead
/// to is judged last: in the whole case, where each member may also show what is known to come
/// instead of what is due.
class Remaking {
 public:
  /// The case as it is first made. Both profiles outlive it.
  Remaking(const core::Profile& reference, const core::Profile& target, const Family& family,
           Draft draft, std::string case_id);

  /// The case to go on with after one that came to `result`: it failed, as is known, or it passed.
  /// Nothing where all is judged. Its scenario lives until the next call.
  [[nodiscard]] std::optional<core::Case> after(const core::CaseResult& result);

 private:
  /// A member that is looked at no more.
  struct Hidden {
    std::string operation;
    std::string member;
  };

  /// What is known to come in a member instead of what is due.
  struct Known {
    std::string operation;
    std::string member;
    Value due;
    Value instead;
  };

  void note(const core::Check& failed, const core::Step& step);
  bool leave_out(const core::Check& failed, std::size_t number);
  bool hide(const core::Check& failed, core::Step step);
  std::optional<core::Case> record();
  std::optional<core::Case> whole_with_what_is_known();

  Recorder recorder_;
  const Family& family_;
  const Draft whole_;
  Draft draft_;
  std::string case_id_;
  Recording recording_;
  std::vector<Hidden> hidden_;
  /// The places of looks that are made no more.
  std::vector<std::string> dropped_;
  std::vector<Known> known_;
  bool is_whole_ = false;
};

}  // namespace assay::properties
