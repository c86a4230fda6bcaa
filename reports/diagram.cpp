#include "reports/diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/encoding.h"
#include "base/visible.h"

namespace assay::reports {
namespace {

constexpr double node_height = 26;
constexpr double node_letter_width = 6.8;
constexpr double column_gap = 46;
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
    rank_ends();
    place_nodes();
  }

  [[nodiscard]] std::string svg() const {
    std::string out;
    const auto put = std::back_inserter(out);
    // Ids of a page are shared by all of its drawings.
    const std::string id = fmt::format("arrow-{}", identifier(name_));
    fmt::format_to(put,
                   "<svg viewBox=\"0 0 {:.0f} {:.0f}\" style=\"width:{:.0f}px\" role=\"img\" "
                   "aria-label=\"States and transitions of {}\">\n",
                   width_, height_, width_, escape_markup(name_));
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

  /// A state that nothing leaves stands after all that lead to it.
  void rank_ends() {
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      const bool is_left = std::any_of(edges_.begin(), edges_.end(), [node](const Edge& edge) {
        return edge.from == node && edge.to != node;
      });
      if (is_left) continue;
      for (const Edge& edge : edges_) {
        if (edge.to == node && edge.from != node) {
          nodes_[node].rank = std::max(nodes_[node].rank, nodes_[edge.from].rank + 1);
        }
      }
    }
  }

  void place_nodes() {
    std::map<std::size_t, std::vector<std::size_t>> by_rank;
    std::size_t tallest = 1;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      nodes_[node].width = static_cast<double>(nodes_[node].name.size()) * node_letter_width + 18;
      std::vector<std::size_t>& column = by_rank[nodes_[node].rank];
      nodes_[node].row = column.size();
      column.push_back(node);
      tallest = std::max(tallest, column.size());
    }
    double above = margin;
    double below = margin;
    double beside = margin;
    for (const Edge& edge : edges_) {
      // A curve comes three quarters of the way to where it is pulled.
      if (is_over(edge)) above = std::max(above, pull(edge) * 0.75 + 4);
      if (is_under(edge)) below = std::max(below, pull(edge) * 0.75 + 4);
      if (is_beside(edge)) beside = margin + 24;
    }
    const double pitch = node_height + row_gap;
    const double tall = static_cast<double>(tallest) * pitch - row_gap;
    height_ = tall + above + below;
    double left = margin;
    for (const auto& [rank, column] : by_rank) {
      double widest = 0;
      for (const std::size_t node : column) widest = std::max(widest, nodes_[node].width);
      const double used = static_cast<double>(column.size()) * pitch - row_gap;
      for (const std::size_t node : column) {
        nodes_[node].x = left + widest / 2;
        nodes_[node].y = above + (tall - used) / 2 + static_cast<double>(nodes_[node].row) * pitch +
                         node_height / 2;
      }
      left += widest + column_gap;
    }
    width_ = std::max(left - column_gap + beside, 200.0);
  }

  /// Whether an edge skips columns, goes back over some, or stays in its column.
  [[nodiscard]] bool is_over(const Edge& edge) const {
    return nodes_[edge.to].rank > nodes_[edge.from].rank + 1;
  }
  [[nodiscard]] bool is_under(const Edge& edge) const {
    return nodes_[edge.to].rank + 1 < nodes_[edge.from].rank || edge.from == edge.to;
  }
  [[nodiscard]] bool is_beside(const Edge& edge) const {
    return nodes_[edge.to].rank == nodes_[edge.from].rank && edge.from != edge.to;
  }
  /// How far an arc is pulled out: the longer it is, the farther.
  [[nodiscard]] double pull(const Edge& edge) const {
    const double columns = std::abs(static_cast<double>(nodes_[edge.to].rank) -
                                    static_cast<double>(nodes_[edge.from].rank));
    return 18 + 6 * columns;
  }

  [[nodiscard]] std::string curve(const Edge& edge) const {
    const Node& from = nodes_[edge.from];
    const Node& to = nodes_[edge.to];
    const auto path = [](double start_x, double start_y, double first_x, double first_y,
                         double second_x, double second_y, double end_x, double end_y) {
      return fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", start_x,
                         start_y, first_x, first_y, second_x, second_y, end_x, end_y);
    };
    if (is_over(edge) || is_under(edge)) {
      const double side = is_under(edge) ? 1 : -1;
      const double start_y = from.y + side * node_height / 2;
      const double end_y = to.y + side * node_height / 2;
      const double turn = side * std::max(side * start_y, side * end_y) + side * pull(edge);
      const double apart = 8 * side;
      return path(from.x - apart, start_y, from.x - apart, turn, to.x + apart, turn, to.x + apart,
                  end_y);
    }
    if (is_beside(edge)) {
      const double start = from.x + from.width / 2;
      const double end = to.x + to.width / 2;
      const double out = std::max(start, end) + 26;
      return path(start, from.y, out, from.y, out, to.y, end, to.y);
    }
    const double side = to.rank > from.rank ? 1 : -1;
    // The way back runs a little below the way there.
    const double apart = side > 0 ? 0 : 7;
    const double start = from.x + side * from.width / 2;
    const double end = to.x - side * to.width / 2;
    const double middle = (start + end) / 2;
    return path(start, from.y + apart, middle, from.y + apart, middle, to.y + apart, end,
                to.y + apart);
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
