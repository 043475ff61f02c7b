// The must abstraction as an oracle: the regions of the may abstraction, in which a call errs only
// if all states of the region can err on it. Its interface is permissive for the component.
#pragma once

#include <set>

#include "abstraction/maymust/may_must.h"

namespace tacit {

class MustOracle : public Oracle {
public:
  /// Pairs of a region and a call that err although other runs of a word into the region do not.
  using Forced = std::set<std::pair<Region, std::size_t>>;

  /// The abstraction outlives the oracle.
  explicit MustOracle(MayMust& abstraction, Forced forced = {})
      : abstraction_(abstraction), may_(abstraction.may()), forced_(std::move(forced)) {}

  const Component& component() const override { return may_.component(); }
  Precision precision() const override { return Precision::Over; }
  Region start(std::size_t constructor) override { return may_.start(constructor); }
  bool constructor_errs(std::size_t constructor) override {
    return may_.constructor_errs(constructor);
  }
  bool errs(Region region, std::size_t call) override {
    return forced_.contains({region, call}) || abstraction_.must_err(region, call);
  }
  Region post(Region region, std::size_t letter) override { return may_.post(region, letter); }
  // There are no runs of an abstraction.
  std::optional<ConcreteRun> run_along(std::size_t, const std::vector<std::size_t>&,
                                       std::optional<std::size_t>) override {
    return std::nullopt;
  }
  std::optional<ConcreteRun> failing_constructor(std::size_t) override { return std::nullopt; }
  std::optional<ErrorSite> error_site(Region, std::size_t) override { return std::nullopt; }
  std::optional<Diagnostic> failure() const override { return may_.failure(); }

private:
  MayMust& abstraction_;
  MayOracle& may_;
  Forced forced_;
};

} // namespace tacit
