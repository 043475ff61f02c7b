// The abstraction from above: regions are sets of valuations of predicates ("cubes"), posts are
// exact Boolean abstractions found by enumerating all satisfying valuations, cached per cube and
// letter. What may happen in the component may happen here; so a call that does not err in a region
// errs in no state a word into it reaches.
#pragma once

#include <map>

#include "abstraction/formula/cubes.h"
#include "abstraction/formula/formulas.h"
#include "abstraction/formula/path.h"
#include "logic/solver/solver.h"
#include "oracle/oracle.h"

namespace tacit {

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
  const std::vector<Cube>& post_cubes(Cube cube, std::size_t letter);
  std::vector<Term> literals(Cube cube) const;
  /// The union of cubes as a formula.
  Term formula(const std::vector<Cube>& cubes) const;
  Region intern(std::vector<Cube> cubes);

private:
  /// Parts of cubes in which something cannot happen, and so in no cube with such a part.
  struct Refuted {
    std::vector<std::pair<Cube, Cube>> parts; // which predicates, and how they hold
    bool holds(Cube cube) const;
    void learn(Cube cube, const std::vector<Term>& literals, Solver& solver);
  };

  std::vector<Cube> enumerate(Cube cube, const std::vector<Term>& assumptions,
                              const Substitution& after);
  bool cube_errs(Cube cube, std::size_t call);

  const ComponentFormulas& formulas_;
  std::vector<Term> predicates_;
  Solver& solver_;
  std::vector<std::vector<Cube>> regions_;
  std::map<std::vector<Cube>, Region> numbers_;
  std::map<std::size_t, Region> starts_;
  std::map<std::pair<Cube, std::size_t>, std::vector<Cube>> posts_;
  std::map<std::pair<Cube, std::size_t>, bool> errs_;
  std::map<std::size_t, Refuted> no_step_, never_errs_; // by letter, by call
  std::optional<Diagnostic> failure_;
};

} // namespace tacit
