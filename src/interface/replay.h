// Where does this call sequence go, and where does it die: a word walked along the automaton of a
// result (walk.h). Nothing of the component is executed.
//
// A letter is `call`, `call:outcome`, or a call with arguments and perhaps what came of it:
// `seek(-1)`, `read()=-1`, `get(3):throws=Range`. Without an outcome it stands for all outcomes,
// without arguments for all that its guard admits, and without a constructor every one is tried, so
// the walk carries a set of places. A place leaves the set when it refuses the call, or when the
// wanted outcome cannot happen there; the walk goes on with the others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interface/interface.h"
#include "interface/walk.h"

namespace tacit {

/// Why the walk ends in one of its states, or goes on there without knowing that it may.
struct ReplayStop {
  enum class Reason { Refused, CannotHappen, Unknown };
  Reason reason = Reason::Refused;
  std::optional<State> state; // nullopt: at the constructor
  // When it is refused, from the result's entry; empty when that is missing.
  std::string error, at;
  std::vector<std::string> word; // the shortest
  std::string guard = {};        // the condition that is false or unknown, for people
  std::string tracked = {};      // the tracked values there
};

struct ReplayStep {
  std::string letter;        // as given
  std::vector<State> states; // after it, ascending
  std::vector<ReplayStop> stops;
  std::vector<std::string> tracked = {}; // the tracked values after it, one text per place
};

/// Legal: refused nowhere. MayBeRefused: refused for some outcomes or constructors only. Refused:
/// no state is left, and the last one refused the call. CannotHappen: no state is left, and no run
/// of the component has these outcomes. Unknown: a guard could not be evaluated.
enum class ReplayEnd { Legal, MayBeRefused, Refused, CannotHappen, Unknown };

struct ReplayReport {
  std::vector<std::string> constructors; // that were tried
  std::vector<State> start;              // ascending
  std::vector<ReplayStop>
      refused_starts;            // constructors that are refused, or not known to be allowed
  std::vector<ReplayStep> steps; // up to the first after which no state is left
  std::size_t letters = 0;       // of the word
  std::vector<std::string> unreadable = {}; // conditions that are unknown for that reason

  ReplayEnd end() const;
};

/// The constructor, perhaps with arguments, may also be the first letter, if no call has that name.
/// Unknown names are complaints that suggest near ones; the whole word is read before the first
/// step is taken.
Result<ReplayReport> replay_word(const Interface& interface,
                                 const std::vector<std::string>& letters,
                                 std::optional<std::string> constructor = std::nullopt);

/// For a terminal: a line per step, reasons below, and a last line that says how it ended.
std::string print_replay(const Interface& interface, const ReplayReport& report);

} // namespace tacit
