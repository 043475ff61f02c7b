#include "automata/canonical.h"

#include <gtest/gtest.h>

#include "automata/operations.h"
#include "automata/restrict.h"
#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

TEST(Canonical, NumbersBreadthFirstFromTheEntries) {
  const Dfa dfa = test::dfa("letters: a b\nentries: y - x\n"
                            "u: a>x\nv: \nw: b>v\nx: \ny: a>w b>v");
  const Renumbered result = canonical(dfa);
  EXPECT_EQ(result.dfa, test::dfa("letters: a b\nentries: y - x\ny: a>w b>v\nx:\nw: b>v\nv:"));
  EXPECT_EQ(result.new_id, (std::vector<State>{no_state, 3, 2, 1, 0}));
}

TEST(Canonical, FollowsTheGivenOrderOfLetters) {
  const Dfa dfa = test::dfa("letters: a b c\nentries: p\np: a>q b>r c>s\nq:\nr [2]:\ns [3]:");
  const std::vector<Letter> order{2, 0, 1};
  EXPECT_EQ(canonical(dfa, order).dfa,
            test::dfa("letters: a b c\nentries: p\np: c>s a>q b>r\ns [3]:\nq:\nr [2]:"));
}

TEST(Canonical, DoesNotDependOnTheNumberingBefore) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Dfa dfa = test::random_dfa(random, {.states = 1 + random.below(30),
                                              .letters = 1 + random.below(4),
                                              .colours = 3,
                                              .entries = random.below(4)});
    std::vector<Letter> order(dfa.letters());
    std::iota(order.begin(), order.end(), Letter{0});
    EXPECT_EQ(canonical(dfa, order).dfa, canonical(dfa).dfa);
    random.shuffle(order);
    const Dfa other = test::shuffled(random, dfa);
    EXPECT_EQ(canonical(dfa, order).dfa, canonical(other, order).dfa);
    EXPECT_EQ(canonical(canonical(dfa).dfa).dfa, canonical(dfa).dfa);
    EXPECT_FALSE(difference_by_colour(dfa, canonical(dfa, order).dfa));
    EXPECT_EQ(canonical(dfa).dfa.states(), trim(dfa).dfa.states());
  }
}

TEST(Restrict, DropsTransitionsAndEntriesIntoTheOthers) {
  const Dfa dfa = test::dfa("letters: a b\nentries: q p r\np: a>q\nq: a>r b>q\nr [2]: a>q b>p");
  const Renumbered result = restrict_to(dfa, {true, false, true});
  EXPECT_EQ(result.dfa, test::dfa("letters: a b\nentries: - p r\np:\nr [2]: b>p"));
  EXPECT_EQ(result.new_id, (std::vector<State>{0, no_state, 1}));
}

} // namespace
} // namespace tacit
