// Pictures. Graphviz places nodes and edges (svg.cpp alone knows it); the SVG is written here, so
// that its elements have ids and classes a page can work with:
//
//   <g class="edge" id="e0">   path.hit (wide, unseen), path.line, path.head, text…
//   <g class="node" id="s0">   rect, text.number, text.label
//   <g class="start" id="i0">  circle, path.line, path.head, text
//
// Node s<q> is state q, edge e<i> is edge i of the drawing, i<k> its start k. Colours come from a
// style sheet: its own (light and dark) in a file by itself, that of the page in a page.
//
// One picture at a time: Graphviz is not thread-safe.
#pragma once

#include <optional>
#include <string>

#include "export/drawing.h"

namespace tacit {

struct SvgOptions {
  bool standalone = true;       // an XML file with a style sheet of its own
  std::string prefix;           // before every id
  std::size_t max_label = 30;   // columns of a line of a label; 0: no labels
  std::size_t max_letters = 12; // lines of an edge; the rest is counted
  DrawingLimits limits = {};
};

/// None when the drawing is beyond the limits.
std::optional<std::string> draw_svg(const Drawing& drawing, const SvgOptions& options = {});

/// Always a picture: beyond the limits one that says so.
std::string show_svg(const Interface& interface, const SvgOptions& options = {});

} // namespace tacit
