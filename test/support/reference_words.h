// Legality of concrete words, straight from the definition (docs/semantics.md, sections 2.2 to 2.4,
// 2.8, 2.11 and 2.13) and from nothing but the interpreter. Slow and plain on purpose: it is what
// everything else is compared with.
//
// A concrete word is a constructor with its arguments and a sequence of calls with arguments,
// outcome, result and what is left in client-owned state. All of these are observed; nobody chooses
// them. What is not observed is chosen:
//
//   by the environment   any value. A word errs if some behaviour of the environment makes it err.
//   unknown              some value, and nobody can say which. A *resolution* says for every
//                        history what it is. A word is judged in every resolution in which it can
//                        happen at all.
//
// A *belief* is the set of component states that one resolution leaves possible after the observed
// word; the beliefs of all resolutions are the *worlds*. A component without unknowns has one
// world. Which of two histories into the same state is meant makes no difference: a resolution that
// answers differently in them only adds beliefs that are unions of others, and a union errs if one
// of its parts does.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "component/component.h"
#include "interface/interface.h"
#include "program/ir/interpreter.h"

namespace tacit {

/// What is tried of types that have no end, and how much is too much.
struct ReferenceLimits {
  Integer low = -2, high = 4; // of integers that are handed in or chosen, where their type ends not
  Integer objects = 2;        // addresses that are handed in or chosen, beside null
  std::size_t steps = 2000;   // of one run
  std::size_t inputs = 30;    // of one run
  std::size_t resolutions = 5000; // of one call, and of one step of all worlds
};

/// What the client sees of a call that came back.
struct Observation {
  std::size_t outcome = 0; // of the component
  std::optional<Value> result;
  std::vector<Value> left; // client-owned state after the call

  friend bool operator<(const Observation& a, const Observation& b);
  friend bool operator==(const Observation& a, const Observation& b);
};

/// How a run of one call ends. Runs that are blocked do not exist; those that would err at a site
/// that the component's options set aside are blocked.
struct Ending {
  bool errs = false;
  std::string error, at; // of one that errs
  bool returned = false; // by return, not by an exception
  Observation seen;      // of one that does not
  ConcreteState after;   // likewise

  friend bool operator<(const Ending& a, const Ending& b);
};

using Endings = std::set<Ending>;            // of all runs, in one resolution
using Resolutions = std::set<Endings>;       // of all ways to resolve what is unknown
using StateBelief = std::set<ConcreteState>; // never empty
using Worlds = std::set<StateBelief>;        // empty: the word cannot happen

struct ConcreteLetter {
  std::size_t call = 0;         // of the component
  std::vector<Value> arguments; // the client's inputs: parameters, then client-owned state
  Observation seen;
};

/// A constructor, letters and, when it ends in a call that is judged, that call.
struct ConcreteWord {
  std::size_t constructor = 0;
  std::vector<Value> arguments;
  Observation made; // of the constructor
  std::vector<ConcreteLetter> letters;
  std::optional<std::size_t> last;
  std::vector<Value> last_arguments;
};

/// `Deque(2) push(1) pop()=1 pop()`.
std::string to_string(const Component& component, const ConcreteWord& word);

enum class Legality {
  Legal,     // no run errs, whatever unknown values are
  Illegal,   // in every resolution some behaviour of the environment makes it err
  Undecided, // that depends on unknown values
  NoRun,     // the call never comes back and never errs: it cannot happen
};
std::string to_string(Legality legality);

class ConcreteSemantics {
public:
  explicit ConcreteSemantics(const Component& component, const ReferenceLimits& limits = {});

  const Component& component() const { return component_; }
  /// Something was too large or had no end; no answer since then means anything.
  const std::optional<std::string>& failure() const { return failure_; }
  /// Whether all values of all types could be tried.
  bool sampled() const { return sampled_; }

  /// Every choice of arguments: the parameters and what the client may have written.
  const std::vector<std::vector<Value>>& arguments(const Call& call);
  /// Every value of a type, or a sample.
  std::vector<Value> values(const Type& type);

  /// The ways on of all worlds for one call: the endings in each resolution in which the call has
  /// any run.
  Resolutions ways(const Worlds& worlds, std::size_t call, const std::vector<Value>& arguments);
  Resolutions constructor_ways(std::size_t constructor, const std::vector<Value>& arguments);

  /// Judged by its endings, as the enumeration says.
  static Legality legality(const Resolutions& ways);
  /// A constructor that errs, or makes no object whatever the environment does, is illegal. One
  /// that makes none in some resolutions only is undecided.
  static Legality constructor_legality(const Resolutions& ways);

  /// After the call came back with this. Words that have erred are illegal for good, so worlds in
  /// which this one may have are no more. Of a constructor: after it made an object.
  static Worlds after(const Resolutions& ways, const Observation& seen, bool returned = false);
  /// What can be seen in legal worlds; of constructors, by those that made an object.
  static std::set<Observation> seen(const Resolutions& ways, bool returned = false);

  /// The whole word, its last call included: the first call that is not legal decides.
  Legality judge(const ConcreteWord& word);

private:
  const Resolutions& runs(const Call& call, const ConcreteState& before,
                          const std::vector<Value>& arguments);
  Resolutions extend(const Call& call, const ConcreteState& before, std::vector<Value>& inputs);
  Ending ending(const Call& call, const ProcedureRun& run) const;
  std::vector<ConcreteState> initial_states();
  Resolutions together(const Resolutions& some, const Resolutions& others);
  void fail_with(std::string reason) {
    if (!failure_) failure_ = std::move(reason);
  }

  const Component& component_;
  ReferenceLimits limits_;
  Interpreter interpreter_;
  bool sampled_ = false;
  std::optional<std::string> failure_;
  std::map<const Call*, std::vector<std::vector<Value>>> arguments_;
  std::map<std::tuple<const Call*, ConcreteState, std::vector<Value>>, Resolutions> known_;
};

} // namespace tacit
