// The abstraction from above: regions are sets of valuations of predicates ("cubes"), posts are
// exact Boolean abstractions found by enumerating all satisfying valuations, cached per cube and
// letter; all calls of a cube are judged together, with a few queries. What may happen in the
// component may happen here; so a call that does not err in a region errs in no state a word into
// it reaches.
#pragma once

#include <map>

#include "abstraction/formula/cubes.h"
#include "abstraction/formula/formulas.h"
#include "abstraction/formula/path.h"
#include "abstraction/maymust/parts.h"
#include "logic/solver/solver.h"
#include "oracle/oracle.h"

namespace tacit {

/// Parts of cubes that were enough to refute something, and so refute it in every cube that has
/// such a part.
class CubeParts {
public:
  bool cover(const Cube& cube) const;
  /// The solver has just answered Unsat: which of the cube's literals it took.
  void learn(const Cube& cube, const std::vector<Term>& literals, Solver& solver);

private:
  std::vector<std::pair<Cube, Cube>> parts_; // which predicates, and how they hold
};

class MayOracle : public Oracle {
public:
  MayOracle(const ComponentFormulas& formulas, std::vector<Term> predicates, Solver& solver);

  const Component& component() const override { return formulas_.component(); }
  Precision precision() const override { return Precision::Over; }
  Region start(std::size_t constructor) override;
  bool constructor_errs(std::size_t constructor) override;
  bool errs(Region region, std::size_t call) override;
  Region post(Region region, std::size_t letter) override;
  std::optional<ConcreteRun> run_along(std::size_t constructor,
                                       const std::vector<std::size_t>& letters,
                                       std::optional<std::size_t> errs_on) override;
  std::optional<ConcreteRun> failing_constructor(std::size_t constructor) override;
  std::optional<ErrorSite> error_site(Region region, std::size_t call) override;
  std::optional<Diagnostic> failure() const override { return failure_; }

  /// What holds in every state.
  Term facts() const { return formulas_.facts(); }
  const std::vector<Term>& predicates() const { return predicates_; }
  const std::vector<Cube>& cubes(Region region) const { return regions_[region]; }
  const std::vector<Cube>& post_cubes(const Cube& cube, std::size_t letter);
  /// Per call: some state of the cube may err.
  const std::vector<bool>& erring(const Cube& cube);
  std::vector<Term> literals(const Cube& cube) const;
  /// The union of cubes as a formula.
  Term formula(const std::vector<Cube>& cubes) const;
  Region intern(std::vector<Cube> cubes);
  /// Where a call can err in the states of a formula.
  std::optional<ErrorSite> error_site_in(Term states, std::size_t call);

private:
  /// Where a call can err: what is known then, and the predicates that bear on it.
  struct ErringPart {
    Term known = nullptr;
    Cube literals;
  };

  std::vector<Term> literals(const Cube& cube, const Cube& of) const;
  const std::vector<StepPart>& parts(std::size_t letter);
  const ErringPart& erring_part(std::size_t call);
  std::vector<Cube> step(const Cube& cube, std::size_t letter);
  void fail(const char* what);

  const ComponentFormulas& formulas_;
  std::vector<Term> predicates_;
  Solver& solver_;
  std::vector<std::vector<Cube>> regions_;
  std::map<std::vector<Cube>, Region> numbers_;
  std::map<std::size_t, Region> starts_;
  std::map<std::pair<Cube, std::size_t>, std::vector<Cube>> posts_;
  std::map<Cube, std::vector<bool>> errs_;
  std::map<std::size_t, std::vector<StepPart>> parts_;    // by letter
  std::map<std::size_t, ErringPart> erring_parts_;        // by call
  std::map<std::size_t, CubeParts> no_step_, never_errs_; // by letter, by call
  std::optional<Diagnostic> failure_;
};

} // namespace tacit
