// What a call or constructor does to sets of states, under the component's reading of arguments.
#pragma once

#include <optional>
#include <vector>

#include "component/component.h"
#include "finite/bdd/body.h"

namespace tacit {

/// The runs that end in one exit and count: from states that do not err, and in the angelic reading
/// for good arguments.
struct Move {
  const BodyExit* exit = nullptr;
  Bdd runs;                          // over current and choice bits
  Bdd relation;                      // over current bits and the next bits of what is written
  Bdd origins;                       // current bits
  Bdd written_current, written_next; // sets of variables
  Renaming to_next;                  // of what is written
};

class CallModel {
public:
  /// Throws BddGaveUp.
  CallModel(Encoding& encoding, const Call& call, Arguments arguments);

  const SymbolicBody& body() const { return body_; }
  const Bdd& errs() const { return errs_; }
  /// States with a run that cannot be followed.
  const Bdd& fails() const { return fails_; }
  const std::vector<Move>& moves(std::size_t outcome) const { return moves_[outcome]; }

  Bdd post(const Bdd& states, std::size_t outcome, const Renaming& to_current) const;
  /// States from which the outcome can happen and lead into a set.
  Bdd pre(std::size_t outcome, const Bdd& into) const;
  Bdd origins(std::size_t outcome) const;

  /// One run of the body, in values.
  struct Run {
    std::vector<Value> inputs;
    Encoding::Codes after; // unless it errs
    const Terminator* end = nullptr;
  };
  /// From a state to a state (anywhere when null) with an outcome.
  std::optional<Run> run(const Encoding& encoding, const Encoding::Codes& from, std::size_t outcome,
                         const Encoding::Codes* to) const;
  /// From a state to an error.
  std::optional<Run> erring_run(const Encoding& encoding, const Encoding::Codes& from) const;

private:
  Run run_of(const Encoding& encoding, const Encoding::Codes& from, const BodyExit& exit,
             const Bdd& choices) const;

  SymbolicBody body_;
  Bdd errs_, fails_;
  std::vector<std::vector<Move>> moves_; // per outcome
};

} // namespace tacit
