// A finite space seen through an abstraction that keeps some variables: sets grow to cylinders
// after every step. What is proved of the view holds of the space, and its sets close quickly
// however large the hidden part is.
#pragma once

#include "oracle/oracle.h"

namespace tacit {

class HidingView : public SetOracle {
public:
  HidingView(HidingOracle& inside, HidingOracle::Kept kept)
      : inside_(inside), kept_(std::move(kept)) {}

  const Component& component() const override { return inside_.component(); }
  Precision precision() const override { return Precision::Over; }
  Region start(std::size_t constructor) override { return closed(inside_.start(constructor)); }
  bool constructor_errs(std::size_t constructor) override {
    return inside_.constructor_errs(constructor);
  }
  bool errs(Region region, std::size_t call) override { return inside_.errs(region, call); }
  Region post(Region region, std::size_t letter) override {
    return closed(inside_.post(region, letter));
  }

  // Runs are those of the space itself.
  std::optional<ConcreteRun> run_along(std::size_t constructor,
                                       const std::vector<std::size_t>& letters,
                                       std::optional<std::size_t> errs_on) override {
    return inside_.run_along(constructor, letters, errs_on);
  }
  std::optional<ConcreteRun> failing_constructor(std::size_t constructor) override {
    return inside_.failing_constructor(constructor);
  }
  std::optional<ErrorSite> error_site(Region region, std::size_t call) override {
    return inside_.error_site(region, call);
  }
  std::optional<Diagnostic> failure() const override { return inside_.failure(); }

  bool symbolic() const override { return inside_.symbolic(); }
  Region unite(const std::vector<Region>& regions) override { return inside_.unite(regions); }
  Region minus(Region a, Region b) override { return inside_.minus(a, b); }
  Region erring(Region region, std::size_t call) override { return inside_.erring(region, call); }
  Region able(Region region, std::size_t letter, std::optional<Region> into) override {
    return inside_.able(region, letter, into);
  }
  std::optional<Term> describe(Region region) override { return inside_.describe(region); }
  std::optional<LetterExample> example(Region region, std::size_t letter) override {
    return inside_.example(region, letter);
  }
  std::map<std::string, std::size_t> loop_bounds() const override { return inside_.loop_bounds(); }

private:
  Region closed(Region region) {
    return region == empty_region ? region : inside_.cylinder(region, kept_);
  }

  HidingOracle& inside_;
  HidingOracle::Kept kept_;
};

} // namespace tacit
