// What lines of a written interface program mean: the front ends keep them as places of what they
// lower, and whoever explains a run finds its way back.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "automata/dfa.h"
#include "base/diagnostic.h"

namespace tacit {

/// One line of the program.
struct ProgramEvent {
  enum class Kind {
    Start,   // a constructor made the object
    Step,    // a call was allowed and took a transition
    Refused, // a call, or a constructor, was refused
    Unmade,  // a call on what no constructor has made, or what is gone
    Left     // an object ended in a state in which more is wanted
  };
  Kind kind = Kind::Step;
  std::string call;          // or constructor
  std::string outcome;       // Step
  std::optional<State> from; // Step, Refused, Left
  std::optional<State> to;   // Start, Step
  std::string guard;         // Refused: the condition that failed; empty: refused whatever it gets
};

/// What an object of the component is when a function is handed it.
struct Entered {
  enum class Kind { InState, Null, Same };
  Kind kind = Kind::InState;
  State state = 0;    // InState, Same
  std::size_t as = 0; // Same: which of the objects before it
};

/// A function of the client in one of the ways in which it can be entered (entering.h).
struct EntryPoint {
  std::string call;             // its name in the lowered program
  std::vector<Entered> entered; // the objects that it is handed, in order
  /// The state of all objects that it finds in memory or gets from callees; nothing: not known.
  std::optional<State> found = {};
};

struct ClientFunction {
  std::string shown; // `copy(int)`, `Player::play`
  Location where;
  std::vector<std::string> objects; // parameters that are objects of the component, by name
  std::vector<EntryPoint> entries;  // at least one
  std::string in_class = {};        // a method of objects of this class
};

/// A written interface program, ready to be lowered together with a client.
struct WrittenProgram {
  std::string text;
  std::map<int, ProgramEvent> events; // by line
  std::vector<ClientFunction> functions;
  /// The procedures that one could run, where calls have been inlined since.
  std::map<std::string, std::set<std::string>> ran = {};
  std::map<std::string, std::string> open = {}; // entries that cannot be judged, and why
  std::set<std::string> named_by_others = {};   // globals, as the source calls them
};

} // namespace tacit
