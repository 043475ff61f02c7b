// May and must over one list of predicates ("Learning Component Interfaces with May and Must
// Abstractions", section 3).
//
//   may   a cube leads to another by a letter if some state of it does (may_oracle.h)
//   must  a cube leads into a set of cubes by a letter if every state of it has a run into the set
//
// The paper's must transitions are those into a single cube. Into sets, fewer predicates suffice
// and nondeterministic components need no special treatment: a word surely errs if, backwards, its
// letters surely lead from a start cube into cubes that surely err. Neither abstract graph is ever
// built; cubes and letters are looked at when a word or an automaton gets there, and all calls of a
// cube that are asked about are judged together, with a few queries.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "abstraction/formula/trace.h"
#include "abstraction/maymust/may_oracle.h"

namespace tacit {

/// The states in which calls surely err, as formulas; kept while abstractions come and go.
class ErrorGoals {
public:
  ErrorGoals(ComponentFormulas& formulas, Solver& solver) : formulas_(formulas), solver_(solver) {}

  /// No value when the choices could not be eliminated.
  std::optional<Term> errs(std::size_t call);
  /// The same where hidden values may leave no run: enough of a whole label, not of a must-node.
  std::optional<Term> errs_if_at_all(std::size_t call);
  /// After loop invariants have changed.
  void forget() {
    goals_.clear();
    if_at_all_.clear();
  }

private:
  ComponentFormulas& formulas_;
  Solver& solver_;
  using Goals = std::map<std::size_t, std::optional<Term>>;
  std::optional<Term> known(Goals& goals, std::size_t call,
                            Result<Term> (ComponentFormulas::*)(std::size_t));

  Goals goals_, if_at_all_;
};

class MayMust {
public:
  MayMust(ComponentFormulas& formulas, ErrorGoals& goals, std::vector<Term> predicates,
          Solver& solver);

  MayOracle& may() { return may_; }
  const std::vector<Term>& predicates() const { return may_.predicates(); }

  // Per call: some state of the cube may err; every state of the cube can err.
  const std::vector<bool>& may_err(Cube cube) { return may_.erring(cube); }
  const std::vector<bool>& must_err(Cube cube) { return must_err(cube, may_err(cube)); }
  /// The latter for the calls that are asked about; of others it may say no.
  const std::vector<bool>& must_err(Cube cube, const std::vector<bool>& asked);
  bool may_err(Region region, std::size_t call);
  /// In all cubes of the region, which has some.
  bool must_err(Region region, std::size_t call);

  /// The most cubes that a region asked about has had.
  std::size_t widest() const { return widest_; }

  /// From every state of the cube the letter can happen.
  bool must_happen(Cube cube, std::size_t letter);

  /// Where the word may lead.
  Region region(std::size_t constructor, const std::vector<std::size_t>& letters);
  /// The word can happen and, when the trace has a call, that one can err behind it.
  bool must(const Trace& trace);

private:
  bool must_lead(Cube cube, std::size_t letter, const std::vector<Cube>& into);
  bool must_start(std::size_t constructor, Cube cube);
  /// For every state of the cube there are choices in `body` that make the goal true.
  bool always_possible(Cube cube, Term goal, std::size_t call);

  ComponentFormulas& formulas_;
  ErrorGoals& goals_;
  Solver& solver_;
  MayOracle may_;
  struct Judged {
    std::vector<bool> known, errs; // per call
  };
  std::map<Cube, Judged> must_errs_;
  std::map<std::size_t, CubeParts> always_errs_; // by call
  std::map<std::pair<Cube, std::size_t>, bool> happens_;
  std::map<std::pair<std::size_t, Cube>, bool> starts_;
  std::size_t widest_ = 0;
};

} // namespace tacit
