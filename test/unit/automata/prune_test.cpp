#include "automata/prune.h"

#include <gtest/gtest.h>

#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

TEST(Prune, RemovesBackwardsFromDeadEnds) {
  // r is a dead end, q leads only there, p can still loop.
  const Dfa dfa = test::dfa("letters: a b\nentries: p q\np: a>q b>p\nq: a>r b>r\nr:");
  const Pruned result = prune(dfa);
  EXPECT_EQ(result.dfa, test::dfa("letters: a b\nentries: p -\np: b>p"));
  EXPECT_EQ(result.kept, (std::vector<bool>{true, false, false}));
  EXPECT_EQ(result.new_id, (std::vector<State>{0, no_state, no_state}));
}

TEST(Prune, KeepsCyclesAndIgnoresColours) {
  const Dfa dfa = test::dfa("letters: a b\nentries: p\np [0]: a>q\nq: a>p\nr [2]: b>r");
  EXPECT_EQ(prune(dfa).dfa, dfa);
}

TEST(Prune, CanRemoveEverything) {
  const Dfa dfa = test::dfa("letters: a\nentries: p\np: a>q\nq: a>r\nr:");
  EXPECT_EQ(prune(dfa).dfa, test::dfa("letters: a\nentries: -"));
}

// A state is kept exactly if it has a word longer than there are states, hence a cycle ahead.
TEST(Prune, KeepsTheStatesWithEndlessRuns) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Dfa dfa = test::random_dfa(random, {.states = 1 + random.below(12),
                                              .letters = 1 + random.below(2),
                                              .entries = 2,
                                              .missing_one_in = 2});
    std::vector<bool> goes_on(dfa.states(), true);
    for (std::size_t round = 0; round < dfa.states(); ++round) {
      std::vector<bool> longer(dfa.states(), false);
      for (State q = 0; q < dfa.states(); ++q)
        for (State to : dfa.row(q))
          if (to != no_state && goes_on[to]) longer[q] = true;
      goes_on = longer;
    }
    const Pruned result = prune(dfa);
    EXPECT_EQ(result.kept, goes_on);
    for (State q = 0; q < result.dfa.states(); ++q) {
      const auto row = result.dfa.row(q);
      EXPECT_TRUE(std::ranges::any_of(row, [](State to) { return to != no_state; }));
    }
    EXPECT_EQ(prune(result.dfa).dfa, result.dfa);
  }
}

} // namespace
} // namespace tacit
