#include "export/dot.h"

#include <algorithm>

#include <fmt/format.h>

#include "export/layout.h"
#include "export/moves.h"

namespace tacit {
namespace {

/// The lines of a label, centred, in quotes. A backslash would start an escape of DOT's own.
std::string quoted(const std::vector<std::string>& lines) {
  std::string text = "\"";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += "\\n";
    for (const char c : lines[i]) {
      if (c == '"' || c == '\\') text += '\\';
      text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return text + "\"";
}

} // namespace

std::string show_dot(const Interface& interface, const DotOptions& options) {
  std::string text = fmt::format("digraph {} {{\n", quoted({interface.component_name}));
  text += "  rankdir=LR;\n"
          "  node [shape=box style=rounded fontname=\"Helvetica\"];\n"
          "  edge [fontname=\"Helvetica\" fontsize=11];\n";
  for (std::size_t i = 0; i < interface.initial.size(); ++i) {
    const InitialState& start = interface.initial[i];
    text += fmt::format("  start{} [shape=point];\n", i);
    text +=
        fmt::format("  start{} -> s{} [label={}];\n", i, start.state, quoted({start.constructor}));
  }
  for (State q = 0; q < interface.states.size(); ++q) {
    std::vector<std::string> lines{std::to_string(q)};
    const std::string& label = interface.states[q].label;
    if (!label.empty() && options.max_label > 0) lines.push_back(shorten(label, options.max_label));
    text += fmt::format("  s{} [label={}];\n", q, quoted(lines));
  }
  for (State q = 0; q < interface.states.size(); ++q)
    for (MergedMove& move : moves_of(interface, q)) {
      if (move.letters.size() > options.max_letters) {
        const std::size_t rest = move.letters.size() - options.max_letters;
        move.letters.resize(options.max_letters);
        move.letters.push_back(fmt::format("… and {} more", rest));
      }
      text += fmt::format("  s{} -> s{} [label={}];\n", q, move.to, quoted(move.letters));
    }
  return text + "}\n";
}

} // namespace tacit
