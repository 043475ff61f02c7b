#include "export/drawing.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "export/layout.h"
#include "export/moves.h"

namespace tacit {

Drawing drawing_of(const Interface& interface) {
  Drawing drawing;
  drawing.name = interface.component_name;
  for (const InitialState& start : interface.initial)
    drawing.starts.push_back({start.constructor, start.state});
  for (State q = 0; q < interface.states.size(); ++q) {
    drawing.nodes.push_back({q, interface.states[q].label});
    for (MergedMove& move : moves_of(interface, q))
      drawing.edges.push_back({q, move.to, std::move(move.letters)});
  }
  return drawing;
}

bool fits(const Drawing& drawing, const DrawingLimits& limits) {
  return drawing.nodes.size() <= limits.states && drawing.edges.size() <= limits.edges;
}

std::vector<std::string> node_lines(const DrawnNode& node, std::size_t max_label) {
  constexpr std::size_t most = 3;
  std::vector<std::string> lines{std::to_string(node.state)};
  if (node.label.empty() || max_label == 0) return lines;
  // Enough of it for the lines there are, and a word that does not fit is cut.
  const std::string text = wrap(shorten(node.label, most * max_label), max_label, "", 0);
  for (std::size_t at = 0; at < text.size() && lines.size() <= most;) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const bool last = lines.size() == most && end + 1 < text.size();
    lines.push_back(shorten(text.substr(at, end - at) + (last ? " …" : ""), max_label));
    at = end + 1;
  }
  return lines;
}

std::vector<std::string> edge_lines(const DrawnEdge& edge, std::size_t max_letters,
                                    std::size_t max_width) {
  std::vector<std::string> lines;
  const std::size_t shown = std::min(edge.letters.size(), max_letters);
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(shorten(edge.letters[i].text, max_width));
  if (shown < edge.letters.size())
    lines.push_back(fmt::format("… and {} more", edge.letters.size() - shown));
  return lines;
}

} // namespace tacit
