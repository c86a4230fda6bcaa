#include "properties/shrinker.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace assay::properties {
namespace {

class Search {
 public:
  Search(const Recorder& recorder, const Family& family, Recording failing,
         const StillFails& still_fails, const ShrinkBudget& budget)
      : recorder_(recorder),
        family_(family),
        best_{std::move(failing), 0},
        still_fails_(still_fails),
        budget_(budget) {
    tried_.push_back(best_.recording.draft);
  }

  [[nodiscard]] const Draft& draft() const { return best_.recording.draft; }
  [[nodiscard]] bool has_budget() const { return best_.runs < budget_.runs; }
  [[nodiscard]] Shrunk take() { return std::move(best_); }

  /// Whether the draft is smaller and fails all the same: then it is the best.
  bool accept(const Draft& candidate) {
    if (!has_budget()) return false;
    Recording recording = recorder_.record(family_, candidate, best_.recording.scenario.id);
    if (std::find(tried_.begin(), tried_.end(), recording.draft) != tried_.end()) return false;
    tried_.push_back(recording.draft);
    ++best_.runs;
    if (!still_fails_(recording)) return false;
    best_.recording = std::move(recording);
    return true;
  }

  /// Leaves out ever smaller parts of a list of the draft.
  void thin_out(std::vector<Move> Draft::* list, std::size_t least) {
    std::size_t part = std::max<std::size_t>((draft().*list).size() / 2, 1);
    while (has_budget()) {
      bool is_smaller = false;
      std::size_t begin = 0;
      while (begin < (draft().*list).size() && (draft().*list).size() > least && has_budget()) {
        Draft candidate = draft();
        auto& moves = candidate.*list;
        const std::size_t end = std::min(begin + part, moves.size());
        moves.erase(moves.begin() + static_cast<std::ptrdiff_t>(begin),
                    moves.begin() + static_cast<std::ptrdiff_t>(end));
        if (moves.size() >= least && accept(candidate)) {
          is_smaller = true;
        } else {
          begin += part;
        }
      }
      if (part == 1 && !is_smaller) return;
      part = std::max<std::size_t>(part / 2, 1);
    }
  }

  void simplify(std::vector<Move> Draft::* list) {
    for (std::size_t index = 0; index < (draft().*list).size(); ++index) {
      bool is_simpler = true;
      while (is_simpler && has_budget() && index < (draft().*list).size()) {
        is_simpler = false;
        for (const Move& simpler_move : simpler((draft().*list)[index])) {
          Draft candidate = draft();
          (candidate.*list)[index] = simpler_move;
          if (accept(candidate)) {
            is_simpler = true;
            break;
          }
        }
      }
    }
  }

 private:
  const Recorder& recorder_;
  const Family& family_;
  Shrunk best_;
  const StillFails& still_fails_;
  const ShrinkBudget& budget_;
  std::vector<Draft> tried_;
};

}  // namespace

Shrunk shrink(const Recorder& recorder, const Family& family, Recording failing, int failing_line,
              const StillFails& still_fails, const ShrinkBudget& budget) {
  Draft cut = failing.draft;
  const std::vector<int>& lines = failing.lines;
  const auto after = std::upper_bound(lines.begin(), lines.end(), failing_line);
  cut.moves.resize(static_cast<std::size_t>(after - lines.begin()));
  Search search(recorder, family, std::move(failing), still_fails, budget);
  if (cut != search.draft()) search.accept(cut);
  search.thin_out(&Draft::moves, 0);
  search.thin_out(&Draft::construction, 1);
  search.simplify(&Draft::moves);
  search.simplify(&Draft::construction);
  return search.take();
}

}  // namespace assay::properties
