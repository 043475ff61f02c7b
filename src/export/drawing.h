// What every picture of a result shows, whoever draws it: a node per state, one edge per pair of
// states with all its letters, an arrow into each start state.
//
// Nothing here is deterministic by assumption: a letter may stand on several edges of a node, and a
// letter may carry marks. A drawer must write `DrawnLetter::text` and need not know the marks.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "interface/interface.h"

namespace tacit {

struct DrawnLetter {
  std::string text; // as people read it, marks included; `call:throws=*` for all
  std::vector<std::size_t> transitions; // indices into Interface::transitions that it stands for
  /// Its call is allowed in every state and leads back there; a picture says that once.
  bool everywhere = false;
};

struct DrawnNode {
  State state = 0;
  std::string label; // "" when there is none
};

struct DrawnEdge {
  State from = 0, to = 0;
  std::vector<DrawnLetter> letters;
};

struct DrawnStart {
  std::vector<std::string> constructors; // all that lead there, with their conditions
  State state = 0;
};

struct Drawing {
  std::string name;
  std::vector<DrawnStart> starts;
  std::vector<DrawnNode> nodes;             // nodes[q].state == q
  std::vector<DrawnEdge> edges;             // by `from`, then in the order of their first letters
  std::vector<std::string> legend = {};     // tracked values, what was set aside
  std::vector<std::string> everywhere = {}; // calls whose letters are no arrows
  std::size_t letter_width = 60;            // columns of a letter; conditions get more
};

Drawing drawing_of(const Interface& interface);

/// What is drawn as a picture and what is listed instead.
struct DrawingLimits {
  std::size_t states = 300;
  std::size_t edges = 800;
};
bool fits(const Drawing& drawing, const DrawingLimits& limits = {});

/// The lines of a node: its number and its label, of which at most three lines of `max_label`
/// columns are shown. 0: no label.
std::vector<std::string> node_lines(const DrawnNode& node, std::size_t max_label);

/// The constructors of a start, likewise.
std::vector<std::string> start_lines(const DrawnStart& start, std::size_t max_letters,
                                     std::size_t max_width);

/// The letters that are worth an arrow.
std::vector<std::string> arrow_lines(const DrawnEdge& edge, std::size_t max_letters);

/// The letters of an edge, each shortened, the rest beyond `max_letters` counted.
std::vector<std::string> edge_lines(const DrawnEdge& edge, std::size_t max_letters,
                                    std::size_t max_width);

} // namespace tacit
