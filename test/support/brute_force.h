// The answer by definition, from nothing but the interpreter: what docs/semantics.md says,
// written down as slowly and plainly as possible. Shares no code with the engines (src/finite,
// src/oracle, src/synthesis).
//
// Runs are enumerated by extending inputs whenever the interpreter asks for one. What a word may
// have reached is a set of concrete states (a belief); words with the same belief have the same
// future.
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

/// What one call does in one state, for all arguments and choices of the environment.
struct CallBehaviour {
  bool errs = false; // by the component's reading of arguments
  /// States after each outcome, over the runs that count: all of them (demonic), or those of
  /// arguments that neither err nor are rejected (angelic).
  std::map<std::size_t, std::set<ConcreteState>> after;
  std::set<ConcreteState> returned; // those that ended in a normal return
};

/// Answers are remembered.
class CallSemantics {
public:
  /// Runs of more than `steps` steps, and calls with more than `choices` inputs in a run, are
  /// failures.
  explicit CallSemantics(const Component& component, std::size_t steps = 2000,
                         std::size_t choices = 60)
      : component_(component), interpreter_(component.module(), steps), max_choices_(choices) {}

  const CallBehaviour& call(std::size_t call, const ConcreteState& before);
  /// From one state before the constructor.
  CallBehaviour constructor(std::size_t constructor, const ConcreteState& before);
  /// Every state before the constructors: initial values, and all values of variables that have
  /// none.
  std::vector<ConcreteState> initial_states() const;

  const Component& component() const { return component_; }
  /// A run that the interpreter could not finish, or a choice that is not finite.
  const std::optional<std::string>& failure() const { return failure_; }

private:
  struct ArgumentRuns {
    bool errs = false, accepted = false;
    std::vector<ProcedureRun> ended;
  };

  CallBehaviour behaviour(const Call& call, const ConcreteState& before);
  void arguments(const Procedure& body, const ConcreteState& before, std::vector<Value>& inputs,
                 std::vector<ArgumentRuns>& found);
  void runs(const Procedure& body, const ConcreteState& before, std::vector<Value>& inputs,
            ArgumentRuns& found);
  std::optional<std::vector<Value>> values(const Variable& variable);

  const Component& component_;
  Interpreter interpreter_;
  std::size_t max_choices_;
  std::map<std::pair<std::size_t, ConcreteState>, CallBehaviour> calls_;
  std::optional<std::string> failure_;
};

struct Belief {
  std::set<ConcreteState> states;
  std::vector<bool> allowed; // per call
  std::vector<std::map<std::size_t, std::size_t>>
      next; // per call: outcome that can happen -> belief
};

struct BruteForce {
  const Component* component = nullptr;
  std::vector<Belief> beliefs;
  std::vector<std::optional<std::size_t>>
      start; // per constructor; none: it errs, or never returns, or was pruned
  std::vector<bool> constructor_errs;
  std::vector<bool> pruned_start;       // per constructor: only pruning took its start away
  std::optional<std::string> too_large; // nothing else holds then
};

struct BruteForceLimits {
  std::size_t beliefs = 3000;
  std::size_t states = 5000;
};

BruteForce brute_force(const Component& component, bool serial,
                       const BruteForceLimits& limits = {});

/// Walks both by letters and describes the first (shortest) difference: in the calls allowed, the
/// outcomes that can happen, or the constructors.
std::optional<std::string> compare(const BruteForce& expected, const Interface& found);

/// The fewest states of an interface for this answer, by naive partition refinement.
std::size_t fewest_states(const BruteForce& answer);

/// A value as results write it; nullopt when it cannot be read.
std::optional<Value> read_value(const Component& component, const std::string& text, Sort sort);

/// Whether the run of every refusal follows its word and ends in the named error; the first that
/// does not is described. Refusals that stem from pruning alone have no run.
std::optional<std::string> replay_refusals(const Component& component, const Interface& found);

} // namespace tacit
