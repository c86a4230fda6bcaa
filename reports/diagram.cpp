#include "reports/diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/visible.h"

namespace assay::reports {
namespace {

constexpr double node_height = 26;
constexpr double letter_width = 6.8;
constexpr double column_gap = 64;
constexpr double row_gap = 22;
constexpr double margin = 10;

struct Node {
  std::string name;
  bool seen = false;
  std::size_t rank = 0;
  std::size_t row = 0;
  double x = 0;
  double y = 0;
  double width = 0;
};

struct Edge {
  std::size_t from = 0;
  std::size_t to = 0;
  bool seen = false;
  /// What moves along it, one trigger a line.
  std::string triggers;
};

struct Transition {
  std::string from;
  std::string to;
  std::string trigger;
};

std::optional<Transition> read_transition(std::string_view text) {
  constexpr std::string_view arrow = " -> ";
  const std::size_t arrow_at = text.find(arrow);
  if (arrow_at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = text.substr(arrow_at + arrow.size());
  const std::size_t colon = rest.find(": ");
  return Transition{std::string(text.substr(0, arrow_at)), std::string(rest.substr(0, colon)),
                    colon == std::string_view::npos ? "" : std::string(rest.substr(colon + 2))};
}

/// Letters, digits and dashes of a name, fit for an id.
std::string identifier(std::string_view name) {
  std::string id;
  for (const char letter : name) {
    id += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '-';
  }
  return id;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A drawing in layers: a state stands in the column that is its distance from a beginning.
class Drawing {
 public:
  explicit Drawing(const core::LayerCoverage& layer) : name_(layer.layer) {
    for (const std::string& state : layer.states) {
      index_.emplace(state, nodes_.size());
      nodes_.push_back({.name = state, .seen = contains(layer.states_seen, state)});
    }
    for (const std::string& text : layer.transitions) {
      const std::optional<Transition> transition = read_transition(text);
      if (transition) add_edge(*transition, contains(layer.transitions_seen, text));
    }
    rank_nodes();
    place_nodes();
  }

  [[nodiscard]] std::string svg() const {
    std::string out;
    const auto put = std::back_inserter(out);
    // Ids of a page are shared by all of its drawings.
    const std::string id = fmt::format("arrow-{}", identifier(name_));
    fmt::format_to(put,
                   "<svg viewBox=\"0 0 {:.0f} {:.0f}\" style=\"max-width:{:.0f}px\" role=\"img\" "
                   "aria-label=\"States and transitions of {}\">\n",
                   width_, height_, width_ * 1.25, escape_markup(name_));
    for (const std::string_view kind : {"seen", "unseen"}) {
      fmt::format_to(put,
                     "<marker id=\"{0}-{1}\" class=\"{1}\" viewBox=\"0 0 8 8\" refX=\"7\" "
                     "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">"
                     "<path d=\"M0 0L8 4L0 8z\"/></marker>\n",
                     id, kind);
    }
    for (const Edge& edge : edges_) {
      const std::string_view kind = edge.seen ? "seen" : "unseen";
      fmt::format_to(put,
                     "<path class=\"{0}\" marker-end=\"url(#{1}-{0})\" d=\"{2}\"><title>{3} to "
                     "{4}{5}{6}</title></path>\n",
                     kind, id, curve(edge), escape_markup(nodes_[edge.from].name),
                     escape_markup(nodes_[edge.to].name), edge.triggers.empty() ? "" : ": ",
                     escape_markup(edge.triggers));
    }
    for (const Node& node : nodes_) {
      fmt::format_to(put,
                     "<g class=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" "
                     "height=\"{:.0f}\" rx=\"6\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
                     node.seen ? "seen" : "unseen", node.x - node.width / 2,
                     node.y - node_height / 2, node.width, node_height, node.x, node.y + 4,
                     escape_markup(node.name));
    }
    return out + "</svg>\n";
  }

 private:
  void add_edge(const Transition& transition, bool seen) {
    const auto from = index_.find(transition.from);
    const auto to = index_.find(transition.to);
    if (from == index_.end() || to == index_.end()) return;
    const auto same = std::find_if(edges_.begin(), edges_.end(), [&](const Edge& edge) {
      return edge.from == from->second && edge.to == to->second;
    });
    Edge& edge = same == edges_.end()
                     ? edges_.emplace_back(Edge{from->second, to->second, false, ""})
                     : *same;
    edge.seen = edge.seen || seen;
    if (!edge.triggers.empty() && !transition.trigger.empty()) edge.triggers += ", ";
    edge.triggers += transition.trigger;
  }

  /// Breadth first from the states that nothing leads to (the first state where there is none).
  void rank_nodes() {
    std::vector<bool> reached(nodes_.size(), false);
    std::vector<std::size_t> queue;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      const bool is_entered = std::any_of(edges_.begin(), edges_.end(), [node](const Edge& edge) {
        return edge.to == node && edge.from != node;
      });
      if (!is_entered || node == 0) {
        reached[node] = true;
        queue.push_back(node);
      }
    }
    for (std::size_t at = 0; at < queue.size(); ++at) {
      for (const Edge& edge : edges_) {
        if (edge.from != queue[at] || reached[edge.to]) continue;
        reached[edge.to] = true;
        nodes_[edge.to].rank = nodes_[edge.from].rank + 1;
        queue.push_back(edge.to);
      }
    }
  }

  void place_nodes() {
    std::map<std::size_t, std::vector<std::size_t>> by_rank;
    std::size_t tallest = 0;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      nodes_[node].width = static_cast<double>(nodes_[node].name.size()) * letter_width + 18;
      std::vector<std::size_t>& column = by_rank[nodes_[node].rank];
      nodes_[node].row = column.size();
      column.push_back(node);
      tallest = std::max(tallest, column.size());
    }
    // Room above and below for the arcs that do not go to the next column.
    const double arcs = 34;
    const double pitch = node_height + row_gap;
    height_ = static_cast<double>(std::max<std::size_t>(tallest, 1)) * pitch - row_gap + 2 * arcs;
    double left = margin;
    for (const auto& [rank, column] : by_rank) {
      double widest = 0;
      for (const std::size_t node : column) widest = std::max(widest, nodes_[node].width);
      const double used = static_cast<double>(column.size()) * pitch - row_gap;
      for (const std::size_t node : column) {
        nodes_[node].x = left + widest / 2;
        nodes_[node].y =
            (height_ - used) / 2 + static_cast<double>(nodes_[node].row) * pitch + node_height / 2;
      }
      left += widest + column_gap;
    }
    width_ = std::max(left - column_gap + margin, 200.0);
  }

  [[nodiscard]] std::string curve(const Edge& edge) const {
    const Node& from = nodes_[edge.from];
    const Node& to = nodes_[edge.to];
    if (to.rank == from.rank + 1) {
      const double start = from.x + from.width / 2;
      const double end = to.x - to.width / 2;
      const double middle = (start + end) / 2;
      return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", start, from.y,
                         middle, from.y, middle, to.y, end, to.y);
    }
    if (to.rank == from.rank && edge.from != edge.to) {
      const double start = from.x + from.width / 2;
      const double end = to.x + to.width / 2;
      const double out = std::max(start, end) + 26;
      return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", start, from.y,
                         out, from.y, out, to.y, end, to.y);
    }
    // Over the top where it skips columns, under the bottom where it goes back.
    const bool is_back = to.rank <= from.rank;
    const double side = is_back ? 1 : -1;
    const double shift = is_back ? 8 : -8;
    const double start_y = from.y + side * node_height / 2;
    const double end_y = to.y + side * node_height / 2;
    const double turn = is_back ? std::max(start_y, end_y) + 28 : std::min(start_y, end_y) - 28;
    return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", from.x - shift,
                       start_y, from.x - shift, turn, to.x + shift, turn, to.x + shift, end_y);
  }

  std::string name_;
  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::map<std::string, std::size_t> index_;
  double width_ = 0;
  double height_ = 0;
};

}  // namespace

std::string state_diagram(const core::LayerCoverage& layer) { return Drawing(layer).svg(); }

}  // namespace assay::reports
