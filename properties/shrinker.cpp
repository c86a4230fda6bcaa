#include "properties/shrinker.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace assay::properties {
namespace {

/// Whether a smaller draft will do; of one that does it leaves what the reference could follow.
using Accept = std::function<bool(Draft&)>;

/// Leaves ever smaller parts of a list out of `draft`, as long as what is left is accepted.
void thin_out(Draft& draft, std::vector<Move> Draft::* list, std::size_t least,
              const Accept& accept) {
  std::size_t part = std::max<std::size_t>((draft.*list).size() / 2, 1);
  while (true) {
    bool is_smaller = false;
    std::size_t begin = 0;
    while (begin < (draft.*list).size() && (draft.*list).size() > least) {
      Draft candidate = draft;
      auto& moves = candidate.*list;
      const std::size_t end = std::min(begin + part, moves.size());
      moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(begin),
                  moves.begin() + static_cast<std::ptrdiff_t>(end));
      if (moves.size() >= least && accept(candidate)) {
        draft = std::move(candidate);
        is_smaller = true;
      } else {
        begin += part;
      }
    }
    if (part == 1 && !is_smaller) return;
    part = std::max<std::size_t>(part / 2, 1);
  }
}

void simplify(Draft& draft, std::vector<Move> Draft::* list, const Accept& accept) {
  for (std::size_t index = 0; index < (draft.*list).size(); ++index) {
    bool is_simpler = true;
    while (is_simpler) {
      is_simpler = false;
      for (const Move& simpler_move : simpler((draft.*list)[index])) {
        Draft candidate = draft;
        (candidate.*list)[index] = simpler_move;
        if (!accept(candidate)) continue;
        draft = std::move(candidate);
        is_simpler = true;
        break;
      }
    }
  }
}

class Search {
 public:
  Search(const Recorder& recorder, const Family& family, Recording failing, const Cause& cause,
         const Try& attempt, const ShrinkBudget& budget)
      : recorder_(recorder),
        family_(family),
        cause_(cause),
        attempt_(attempt),
        budget_(budget),
        case_id_(failing.scenario.id),
        best_{std::move(failing.draft), std::move(failing.scenario)},
        lines_(std::move(failing.lines)) {}

  Shrunk run() {
    Draft draft = best_.draft;
    cut(draft, lines_, cause_.line);
    const Accept accept = [this](Draft& candidate) { return accepts(candidate); };
    if (!try_smallest_of_model(draft)) {
      try_one_check(draft);
      if (!is_one_check_) accepts(draft);
      try_ends(draft);
    }
    thin_out(draft, &Draft::moves, 0, accept);
    thin_out(draft, &Draft::construction, 1, accept);
    simplify(draft, &Draft::moves, accept);
    simplify(draft, &Draft::construction, accept);
    if (!is_one_check_) try_one_check(best_.draft);
    return std::move(best_);
  }

 private:
  /// Leaves out the moves whose steps come after a line.
  static void cut(Draft& draft, const std::vector<int>& lines, int line) {
    const auto after = std::upper_bound(lines.begin(), lines.end(), line);
    draft.moves.resize(static_cast<std::size_t>(after - lines.begin()));
  }

  /// The draft as it fails, if it can.
  struct Candidate {
    Draft draft;
    core::Scenario scenario;
    int line = 0;
  };

  /// Nothing where the sound reference never comes to a check that can fail for this cause.
  [[nodiscard]] std::optional<Candidate> candidate_of(const Draft& draft) const {
    Recording recording = recorder_.record(family_, draft, case_id_);
    const int line = last_check_for(recording.scenario, cause_);
    if (line == 0) return std::nullopt;
    cut(recording.draft, recording.lines, line);
    return Candidate{std::move(recording.draft), std::move(recording.scenario), line};
  }

  /// No candidate is larger than the best: it takes no more requests.
  [[nodiscard]] bool has_budget() const {
    return best_.runs < budget_.runs && best_.requests + requests_of_best_ <= budget_.requests;
  }

  bool fails(const Draft& draft, const core::Scenario& scenario) {
    if (!has_budget()) return false;
    ++best_.runs;
    const Attempt attempt = attempt_(scenario);
    best_.requests += attempt.requests;
    if (!attempt.fails) return false;
    requests_of_best_ = attempt.requests;
    best_.draft = draft;
    best_.scenario = scenario;
    return true;
  }

  /// Whether a draft is tried for the first time.
  bool is_new(const Draft& draft) {
    if (std::find(tried_.begin(), tried_.end(), draft) != tried_.end()) return false;
    tried_.push_back(draft);
    return true;
  }

  bool accepts(Draft& draft) {
    if (!has_budget() || !is_new(draft)) return false;
    std::optional<Candidate> candidate = candidate_of(draft);
    if (!candidate || (candidate->draft != draft && !is_new(candidate->draft))) return false;
    if (!fails(candidate->draft, is_one_check_
                                     ? with_one_check(candidate->scenario, candidate->line)
                                     : candidate->scenario)) {
      return false;
    }
    draft = std::move(candidate->draft);
    return true;
  }

  /// The least of a draft that comes to the check on the sound reference: no request is needed to
  /// find it. Replaces the draft where it fails.
  bool try_smallest_of_model(Draft& draft) {
    Draft smallest = draft;
    thin_out(smallest, &Draft::moves, 0, [this](Draft& smaller) {
      std::optional<Candidate> candidate = candidate_of(smaller);
      if (candidate) smaller = std::move(candidate->draft);
      return candidate.has_value();
    });
    is_one_check_ = true;
    if (smallest != draft && accepts(smallest)) {
      draft = std::move(smallest);
      return true;
    }
    is_one_check_ = false;
    return false;
  }

  /// The draft with the failing check alone: all that follows is cheaper where it fails so.
  void try_one_check(const Draft& draft) {
    const std::optional<Candidate> candidate = candidate_of(draft);
    if (!candidate) return;
    is_one_check_ = fails(candidate->draft, with_one_check(candidate->scenario, candidate->line));
  }

  /// The last few moves, or the last few more: what these cost together is little.
  void try_ends(Draft& draft) {
    for (std::size_t length = 4; 2 * length < draft.moves.size(); length *= 4) {
      Draft end = draft;
      end.moves.erase(end.moves.begin(), end.moves.end() - static_cast<std::ptrdiff_t>(length));
      if (!accepts(end)) continue;
      draft = std::move(end);
      return;
    }
  }

  const Recorder& recorder_;
  const Family& family_;
  const Cause& cause_;
  const Try& attempt_;
  const ShrinkBudget& budget_;
  std::string case_id_;
  Shrunk best_;
  /// Of the moves of the failing recording.
  std::vector<int> lines_;
  /// What the last failing run took; at first nobody knows.
  std::size_t requests_of_best_ = 0;
  bool is_one_check_ = false;
  std::vector<Draft> tried_;
};

}  // namespace

Shrunk shrink(const Recorder& recorder, const Family& family, Recording failing, const Cause& cause,
              const Try& attempt, const ShrinkBudget& budget) {
  return Search(recorder, family, std::move(failing), cause, attempt, budget).run();
}

}  // namespace assay::properties
