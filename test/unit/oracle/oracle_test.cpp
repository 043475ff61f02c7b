// What every oracle over sets is given for nothing, and views that hide variables.
#include <gtest/gtest.h>

#include "finite/explicit.h"
#include "logic/term/print.h"
#include "oracle/hiding_view.h"
#include "program/text/read.h"

namespace tacit {
namespace {

/// Two switches, of which the second matters to no error.
const char* const switches = R"(component Switches
state on : bool = false
state lamp : bool = false
method turn() { on := !on; return; }
method light() { lamp := !lamp; return; }
method use() { if (!on) error off; return; }
)";

class Oracles : public testing::Test {
protected:
  Oracles()
      : component_(build_component(read_module(switches, "switches.tir").value(), {}).value()),
        oracle_(ExplicitOracle::create(component_).value()) {}

  Letter letter(std::string_view call) const {
    return static_cast<Letter>(component_.letter_of(*component_.find_call(call), 0));
  }
  std::string text(Region region) { return to_string(oracle_->describe(region).value()); }

  const Component component_;
  std::unique_ptr<ExplicitOracle> oracle_;
};

/// Two states, on and off; `use` in the second only.
Dfa on_and_off(const Component& component, Letter turn, Letter light, Letter use) {
  Dfa dfa(component.letters());
  const State off = dfa.add_state(), on = dfa.add_state();
  dfa.set_next(off, turn, on);
  dfa.set_next(on, turn, off);
  dfa.set_next(off, light, off);
  dfa.set_next(on, light, on);
  dfa.set_next(on, use, on);
  dfa.add_entry(off);
  return dfa;
}

/// 65,536 states that are one region, each of them with 65,536 arguments.
TEST(ManyArguments, AreGivenUpWhenTheBudgetIsWatched) {
  const Component component = build_component(read_module(R"(component Chars
state c : int [0..65535] = 0
method up(x : int [0..65535]) { c := x; return; }
method check() { if (c == 7) error seven; return; }
)",
                                                          "chars.tir")
                                                  .value(),
                                              {})
                                  .value();
  auto oracle = ExplicitOracle::create(component).value();
  Budget budget;
  oracle->watch(&budget);
  const Region all = oracle->post(oracle->start(0), component.letter_of(0, 0));
  ASSERT_FALSE(oracle->failure());
  oracle->errs(all, 0);
  ASSERT_TRUE(oracle->failure());
  EXPECT_EQ(oracle->failure()->message, "there are too many states and arguments");
}

TEST_F(Oracles, RegionsAreSets) {
  const Region start = oracle_->start(0);
  const Region lit = oracle_->post(start, letter("light"));
  EXPECT_EQ(oracle_->post(lit, letter("light")), start);
  EXPECT_EQ(oracle_->unite({start, lit}), oracle_->unite({lit, start, start}));
  EXPECT_EQ(oracle_->minus(oracle_->unite({start, lit}), lit), start);
  EXPECT_EQ(oracle_->minus(start, start), empty_region);
  EXPECT_TRUE(oracle_->errs(start, *component_.find_call("use")));
  EXPECT_FALSE(oracle_->errs(oracle_->post(start, letter("turn")), *component_.find_call("use")));
}

TEST_F(Oracles, ReachableAlongAnAutomaton) {
  const Dfa dfa = on_and_off(component_, letter("turn"), letter("light"), letter("use"));
  // The form that every oracle inherits and the one that this oracle has of its own.
  const auto inherited = oracle_->SetOracle::reachable(dfa);
  const auto own = oracle_->reachable(dfa);
  ASSERT_EQ(inherited.size(), 2u);
  EXPECT_EQ(inherited, own);
  EXPECT_EQ(text(inherited[0]), "!on");
  EXPECT_EQ(text(inherited[1]), "on");
}

TEST_F(Oracles, AStateThatNoWordReaches) {
  Dfa dfa = on_and_off(component_, letter("turn"), letter("light"), letter("use"));
  dfa.add_state();
  EXPECT_EQ(oracle_->SetOracle::reachable(dfa)[2], empty_region);
}

TEST_F(Oracles, AViewGrowsToCylinders) {
  HidingOracle::Kept kept(oracle_->variables(), true);
  for (std::size_t v = 0; v < kept.size(); ++v) kept[v] = oracle_->variable_name(v) != "lamp";
  HidingView view(*oracle_, kept);
  EXPECT_EQ(view.precision(), Precision::Over);
  const Region start = view.start(0);
  EXPECT_EQ(oracle_->count(start), 2);
  EXPECT_EQ(text(start), "!on");
  // What is hidden makes no difference any more, and what is kept does.
  EXPECT_EQ(view.post(start, letter("light")), start);
  EXPECT_NE(view.post(start, letter("turn")), start);
  EXPECT_TRUE(view.errs(start, *component_.find_call("use")));
  EXPECT_EQ(view.post(start, letter("use")), empty_region);
}

TEST_F(Oracles, RunsOfAViewAreThoseOfTheSpace) {
  HidingView view(*oracle_, HidingOracle::Kept(oracle_->variables(), false));
  const std::size_t use = *component_.find_call("use");
  EXPECT_TRUE(view.errs(view.post(view.start(0), letter("turn")), use));
  EXPECT_FALSE(view.run_along(0, {letter("turn")}, use));
  EXPECT_TRUE(view.run_along(0, {}, use));
}

TEST_F(Oracles, PartsOfARegion) {
  const Region all = oracle_->everything();
  EXPECT_EQ(oracle_->count(all), 4);
  EXPECT_EQ(text(oracle_->erring(all, *component_.find_call("use"))), "!on");
  EXPECT_EQ(text(oracle_->able(all, letter("use"), std::nullopt)), "on");
  EXPECT_EQ(oracle_->able(all, letter("turn"), oracle_->start(0)),
            oracle_->post(oracle_->start(0), letter("turn")));
}

} // namespace
} // namespace tacit
