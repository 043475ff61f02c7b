// Explicit state spaces: concrete states packed into words, expanded on demand; regions are sets of
// them.
//
// While a component is deterministic under its outcomes every region is a single state and costs
// nothing beyond it; other sets are interned. Memory per state: its packed bits, four bytes of hash
// table, eight bytes per letter that can happen.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "finite/compiled.h"
#include "finite/packed.h"
#include "oracle/oracle.h"

namespace tacit {

using StateId = std::uint32_t;

class ExplicitOracle : public HidingOracle {
public:
  static Result<std::unique_ptr<ExplicitOracle>> create(const Component& component,
                                                        Budget* budget = nullptr);

  const Component& component() const override { return compiled_->component(); }
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
  std::optional<Diagnostic> failure() const override { return failure_; }
  void watch(Budget* budget) override { budget_ = budget; }

  bool symbolic() const override { return false; }
  Region unite(const std::vector<Region>& regions) override;
  Region minus(Region a, Region b) override;
  std::vector<Region> reachable(const Dfa& dfa) override;
  Region erring(Region region, std::size_t call) override;
  Region able(Region region, std::size_t letter, std::optional<Region> into) override;
  std::optional<Term> describe(Region region) override;
  std::optional<LetterExample> example(Region region, std::size_t letter) override;
  std::map<std::string, std::size_t> loop_bounds() const override;

  void hide_bits() override;
  std::size_t variables() const override { return units_.size(); }
  std::string variable_name(std::size_t variable) const override;
  Region everything() override;
  Region cylinder(Region region, const Kept& kept) override;
  std::vector<Region> cubes(Region cylinder, const Kept& kept) override;
  Region pick(Region region) override;
  Region agreeing(Region region, Region state, std::size_t variable) override;
  Region intersect(Region a, Region b) override;
  double count(Region region) override { return static_cast<double>(states(region).size()); }

  std::size_t state_count() const { return store_.size(); }

private:
  struct Edge {
    std::uint32_t letter = 0;
    StateId to = 0;
    auto operator<=>(const Edge&) const = default;
  };
  struct StartInfo {
    bool errs = false;
    std::vector<StateId> states;
  };
  /// What one call does in one state under the component's reading of arguments.
  struct CallEffect {
    bool errs = false;
    std::vector<Edge> edges; // by outcome in `letter`
  };

  explicit ExplicitOracle(std::unique_ptr<CompiledComponent> compiled);
  std::vector<StateId> states(Region region) const;
  bool state_errs(StateId state, std::size_t call);
  std::vector<StateId> successors(StateId state, std::size_t letter);
  ConcreteState concrete(StateId state) const;
  void start_up();
  void expand(StateId state);
  std::span<const Edge> edges(StateId state);
  bool go_on();
  CallEffect effect(const Call& call, const Frame& state,
                    const std::function<void(const RunExit&, StateId)>& seen);
  Region intern(std::vector<StateId> states);
  /// What is hidden or kept: a slot, or a bit of it.
  struct Unit {
    std::size_t slot = 0;
    std::optional<unsigned> bit;
  };
  std::int64_t value(const Frame& frame, const Unit& unit) const;
  /// The values of the kept variables, as a key.
  Frame projection(StateId state, const Kept& kept) const;
  std::vector<StateId> post_states(std::span<const StateId> from, std::size_t letter);

  std::unique_ptr<CompiledComponent> compiled_;
  std::vector<Unit> units_;
  PackedStates store_;
  std::vector<std::uint64_t> first_edge_; // per state; unexpanded states have none
  std::vector<std::uint32_t> edge_count_;
  std::vector<Edge> edges_;
  std::vector<bool> errs_; // state * calls + call
  std::vector<StartInfo> starts_;
  SetStore sets_;
  std::vector<StateId> everything_; // filled on demand
  std::optional<Diagnostic> failure_;
  Budget* budget_ = nullptr;
  std::size_t arguments_ = 0; // looked at for the question that is being answered
};

} // namespace tacit
