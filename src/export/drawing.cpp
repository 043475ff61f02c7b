#include "export/drawing.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "export/labels.h"
#include "export/layout.h"
#include "export/moves.h"
#include "export/picture_text.h"

namespace tacit {

namespace {

/// All outcomes of a call that begin alike become one letter, `call:throws=*`, when there are
/// several and all lead to the same state. Letters that stand for whole calls stay.
void condense(const Interface& interface, std::vector<DrawnLetter>& letters) {
  const auto outcome = [&](std::size_t t) -> const std::string& {
    const InterfaceTransition& transition = interface.transitions[t];
    return interface.calls[transition.call].outcomes[transition.outcome];
  };
  // Those with conditions or updates stand by themselves.
  const auto plain = [&](const DrawnLetter& letter) {
    if (letter.transitions.size() != 1) return false;
    const InterfaceTransition& t = interface.transitions[letter.transitions[0]];
    return t.when.empty() && t.set.empty() && !interface.find_guard(t.from, t.call);
  };
  for (const std::string_view kind : {"returns=", "throws="}) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      DrawnLetter& first = letters[i];
      if (!plain(first) || !outcome(first.transitions[0]).starts_with(kind)) continue;
      const std::size_t call = interface.transitions[first.transitions[0]].call;
      const auto alike = [&](const DrawnLetter& letter) {
        return plain(letter) && interface.transitions[letter.transitions[0]].call == call &&
               outcome(letter.transitions[0]).starts_with(kind);
      };
      const auto all =
          std::ranges::count_if(interface.calls[call].outcomes,
                                [&](const std::string& name) { return name.starts_with(kind); });
      if (all < 2 || std::ranges::count_if(letters, alike) != all) continue;
      DrawnLetter whole{fmt::format("{}:{}*", interface.calls[call].name, kind), {}};
      for (const DrawnLetter& letter : letters)
        if (alike(letter)) whole.transitions.push_back(letter.transitions[0]);
      std::erase_if(letters, alike);
      letters.insert(letters.begin() + static_cast<std::ptrdiff_t>(i), std::move(whole));
    }
  }
}

/// Calls that every state allows, whatever the arguments, and that change nothing.
std::vector<bool> calls_everywhere(const Interface& interface) {
  std::vector<bool> calls(interface.calls.size(), interface.states.size() > 1);
  for (const InterfaceState& state : interface.states)
    for (std::size_t call = 0; call < calls.size(); ++call)
      if (!state.allows[call]) calls[call] = false;
  for (const ArgumentGuard& guard : interface.guards) calls[guard.call] = false;
  for (const InterfaceTransition& t : interface.transitions)
    if (t.to != t.from || !t.when.empty() || !t.set.empty() || t.uncertain || t.may_break)
      calls[t.call] = false;
  if (interface.epa)
    for (const auto& [state, call] : interface.epa->open) calls[call] = false;
  return calls;
}

} // namespace

Drawing drawing_of(const Interface& interface) {
  Drawing drawing;
  drawing.name = interface.component_name;
  const GuardedText texts(interface);
  for (const InitialState& start : interface.initial) {
    auto found = std::ranges::find(drawing.starts, start.state, &DrawnStart::state);
    if (found == drawing.starts.end())
      found = drawing.starts.insert(found, DrawnStart{{}, start.state});
    found->constructors.push_back(texts.start(start));
  }
  const ShownLabels labels = shown_labels(interface);
  const std::vector<bool> everywhere = calls_everywhere(interface);
  for (std::size_t call = 0; call < everywhere.size(); ++call)
    if (everywhere[call]) drawing.everywhere.push_back(interface.calls[call].name);
  for (State q = 0; q < interface.states.size(); ++q) {
    drawing.nodes.push_back({q, labels.states[q]});
    for (MergedMove& move : moves_of(interface, q, texts)) {
      condense(interface, move.letters);
      for (DrawnLetter& letter : move.letters)
        letter.everywhere = everywhere[interface.transitions[letter.transitions[0]].call];
      drawing.edges.push_back({q, move.to, std::move(move.letters)});
    }
  }
  constexpr std::size_t guarded_width = 120;
  if (interface.guarded()) drawing.letter_width = guarded_width;
  for (const auto& lines : {tracked_lines(interface), aside_lines(interface)})
    drawing.legend.insert(drawing.legend.end(), lines.begin(), lines.end());
  if (interface.epa)
    for (const auto& [state, call] : interface.epa->open)
      drawing.legend.push_back(
          fmt::format("{} in {} → ? (not explored to the end)", interface.calls[call].name, state));
  return drawing;
}

bool fits(const Drawing& drawing, const DrawingLimits& limits) {
  return drawing.nodes.size() <= limits.states && drawing.edges.size() <= limits.edges;
}

std::vector<std::string> node_lines(const DrawnNode& node, std::size_t max_label) {
  constexpr std::size_t most = 3;
  std::vector<std::string> lines{std::to_string(node.state)};
  if (node.label.empty() || max_label == 0) return lines;
  for (std::string& line : condition_lines(node.label, max_label, most))
    lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> arrow_lines(const DrawnEdge& edge, std::size_t max_letters) {
  std::vector<std::string> lines;
  std::size_t left = 0;
  for (const DrawnLetter& letter : edge.letters) left += letter.everywhere ? 0 : 1;
  for (const DrawnLetter& letter : edge.letters) {
    if (letter.everywhere) continue;
    if (lines.size() >= max_letters) {
      lines.push_back(fmt::format("… and {} more", left));
      break;
    }
    --left;
    for (std::string& line : letter_lines(letter.text, arrow_width))
      lines.push_back(std::move(line));
  }
  return lines;
}

namespace {

std::vector<std::string> some_of(const std::vector<std::string>& texts, std::size_t most,
                                 std::size_t width) {
  std::vector<std::string> lines;
  const std::size_t shown = std::min(texts.size(), most);
  for (std::size_t i = 0; i < shown; ++i) lines.push_back(shorten(texts[i], width));
  if (shown < texts.size()) lines.push_back(fmt::format("… and {} more", texts.size() - shown));
  return lines;
}

} // namespace

std::vector<std::string> start_lines(const DrawnStart& start, std::size_t max_letters,
                                     std::size_t max_width) {
  return some_of(start.constructors, max_letters, max_width);
}

std::vector<std::string> edge_lines(const DrawnEdge& edge, std::size_t max_letters,
                                    std::size_t max_width) {
  std::vector<std::string> texts;
  for (const DrawnLetter& letter : edge.letters) texts.push_back(letter.text);
  return some_of(texts, max_letters, max_width);
}

} // namespace tacit
