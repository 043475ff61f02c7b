// Symbolic state spaces: regions are decision diagrams over the bits of the state. Semantics are
// those of ExplicitOracle; what differs is what is large. A server id of 60 bits that nobody looks
// at costs nothing here, and a set of a million unrelated states costs everything.
//
// When an oracle is created, every body is executed symbolically (body.h) into one relation per
// exit, over the bits before and only those bits after that the exit changes. Variables can be
// hidden (HidingOracle): "Algorithms for Interface Synthesis", 3.3.
//
// A run that cannot be followed (an index outside of its map, a number beyond 64 bits, an endless
// loop) is a failure() as soon as it starts in a region that someone asks about, reachable or not.
//
// The component and the budget must outlive the oracle. Oracles share BuDDy's one table
// (diagram.h): all of them belong to one thread.
#pragma once

#include <memory>
#include <vector>

#include "base/budget.h"
#include "oracle/oracle.h"

namespace tacit {

class BddOracle : public HidingOracle {
public:
  /// Fails when the state or a choice is not finite (at most 2^60 values per scalar), and where
  /// ExplicitOracle does.
  static Result<std::unique_ptr<BddOracle>> create(const Component& component, Budget& budget);
  ~BddOracle() override;

  const Component& component() const override;
  Precision precision() const override { return Precision::Exact; }
  Region start(std::size_t constructor) override;
  bool constructor_errs(std::size_t constructor) override;
  bool errs(Region region, std::size_t call) override;
  Region post(Region region, std::size_t letter) override;
  std::optional<ConcreteRun> run_along(std::size_t constructor,
                                       const std::vector<std::size_t>& letters,
                                       std::optional<std::size_t> errs_on) override;
  std::optional<ConcreteRun> failing_constructor(std::size_t constructor) override;
  std::optional<ErrorSite> error_site(Region region, std::size_t call) override;
  std::optional<Diagnostic> failure() const override;

  bool symbolic() const override { return true; }
  Region unite(const std::vector<Region>& regions) override;
  Region minus(Region a, Region b) override;
  Region erring(Region region, std::size_t call) override;
  Region able(Region region, std::size_t letter, std::optional<Region> into) override;
  std::optional<Term> describe(Region region) override;
  std::optional<LetterExample> example(Region region, std::size_t letter) override;
  /// Rounds over all states within the types, so at least as many as ExplicitOracle has seen.
  std::map<std::string, std::size_t> loop_bounds() const override;

  void hide_bits() override;
  std::size_t variables() const override;
  std::string variable_name(std::size_t variable) const override;
  Region everything() override;
  Region cylinder(Region region, const Kept& kept) override;
  /// In ascending order of the kept variables' values, the first variable counting most.
  std::vector<Region> cubes(Region cylinder, const Kept& kept) override;
  /// The least, the first variable counting most.
  Region pick(Region region) override;
  Region agreeing(Region region, Region state, std::size_t variable) override;
  Region intersect(Region a, Region b) override;
  double count(Region region) override;

  /// Whether a state of the component's types lies in a region.
  bool contains(Region region, const ConcreteState& state);
  /// Nodes of a region's diagram.
  std::size_t nodes(Region region) const;

private:
  class Space;
  explicit BddOracle(std::unique_ptr<Space> space);
  std::unique_ptr<Space> space_;
};

} // namespace tacit
