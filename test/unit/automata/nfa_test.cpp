#include "automata/nfa.h"

#include <set>

#include <gtest/gtest.h>

#include "automata/canonical.h"
#include "base/should.h"
#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

Nfa random_nfa(Random& random) {
  const std::size_t states = 1 + random.below(7), letters = 1 + random.below(3);
  Nfa nfa(letters);
  for (std::size_t i = 0; i < states; ++i) nfa.add_state(random.below(4));
  for (std::size_t i = random.below(3 * states); i > 0; --i)
    nfa.add_edge(random.below(states), random.below(letters), random.below(states));
  for (std::size_t i = random.below(4); i > 0; --i) {
    std::vector<State> entry;
    for (std::size_t j = random.below(3); j > 0; --j) entry.push_back(random.below(states));
    nfa.add_entry(entry);
  }
  nfa.freeze();
  return nfa;
}

// The set of states a word leads to, simulated with standard sets.
std::set<State> simulate(const Nfa& nfa, std::size_t entry, const Word& word) {
  std::set<State> now(nfa.entry(entry).begin(), nfa.entry(entry).end());
  for (Letter a : word) {
    std::set<State> then;
    for (State q : now) then.insert(nfa.next(q, a).begin(), nfa.next(q, a).end());
    now = std::move(then);
  }
  return now;
}

TEST(Nfa, FreezesIntoSortedEdgesWithoutRepetition) {
  Nfa nfa(3);
  for (int i = 0; i < 4; ++i) nfa.add_state();
  nfa.add_edge(2, 1, 3);
  nfa.add_edge(0, 2, 1);
  nfa.add_edge(2, 1, 0);
  nfa.add_edge(2, 1, 3);
  nfa.add_edge(2, 0, 2);
  nfa.freeze();
  auto list = [&](State q, Letter a) {
    return std::vector<State>(nfa.next(q, a).begin(), nfa.next(q, a).end());
  };
  EXPECT_EQ(list(2, 1), (std::vector<State>{0, 3}));
  EXPECT_EQ(list(2, 0), (std::vector<State>{2}));
  EXPECT_EQ(list(2, 2), (std::vector<State>{}));
  EXPECT_EQ(list(0, 2), (std::vector<State>{1}));
  EXPECT_EQ(list(3, 0), (std::vector<State>{}));
}

TEST(Nfa, GuardsItsProtocol) {
  Nfa nfa(1);
  nfa.add_state();
  EXPECT_THROW(nfa.next(0, 0), InternalError);
  EXPECT_THROW(determinise(nfa), InternalError);
  nfa.freeze();
  EXPECT_THROW(nfa.add_state(), InternalError);
  EXPECT_THROW(nfa.add_edge(0, 0, 0), InternalError);
  EXPECT_THROW(nfa.add_entry(0), InternalError);
  EXPECT_THROW(nfa.freeze(), InternalError);
}

TEST(Determinise, AgreesWithSimulation) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Nfa nfa = random_nfa(random);
    const Dfa by_max = determinise(nfa);
    const Dfa by_or = determinise(nfa, [](Colour a, Colour b) { return a | b; });
    EXPECT_EQ(canonical(by_max).dfa, by_max) << "numbered breadth first";
    ASSERT_EQ(by_max.entries().size(), nfa.entries());
    for (std::size_t i = 0; i < nfa.entries(); ++i)
      for (const Word& word : test::words_up_to(5, nfa.letters())) {
        const auto subset = simulate(nfa, i, word);
        const State state = by_max.run(by_max.entries()[i], word);
        ASSERT_EQ(state == no_state, subset.empty());
        Colour max = 0, all = 0;
        for (State q : subset) max = std::max(max, nfa.colour(q)), all |= nfa.colour(q);
        ASSERT_EQ(test::colour_of(by_max, i, word), max);
        ASSERT_EQ(test::colour_of(by_or, i, word), all);
      }
  }
}

// The n-th letter from the end is an a: the textbook case of 2^n subsets.
TEST(Determinise, FindsAllSubsetsOfTheTextbookCase) {
  const std::size_t n = 10;
  Nfa nfa(2);
  for (std::size_t i = 0; i <= n; ++i) nfa.add_state(i == n);
  nfa.add_edge(0, 0, 0);
  nfa.add_edge(0, 1, 0);
  nfa.add_edge(0, 0, 1);
  for (State i = 1; i < n; ++i) nfa.add_edge(i, 0, i + 1), nfa.add_edge(i, 1, i + 1);
  nfa.add_entry(0);
  nfa.freeze();
  EXPECT_EQ(determinise(nfa).states(), std::size_t{1} << n);
}

} // namespace
} // namespace tacit
