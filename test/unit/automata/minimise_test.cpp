#include "automata/minimise.h"

#include <gtest/gtest.h>

#include "automata/canonical.h"
#include "automata/operations.h"
#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

// Which pairs of states can be told apart, by the definition in minimise.h read as a fixpoint.
// Cubic and independent of both minimisers.
std::vector<std::vector<bool>> distinguishable(const Dfa& dfa) {
  const std::size_t n = dfa.states();
  std::vector apart(n, std::vector<bool>(n, false));
  for (bool changed = true; changed;) {
    changed = false;
    for (State p = 0; p < n; ++p)
      for (State q = 0; q < n; ++q) {
        if (apart[p][q]) continue;
        bool differ = dfa.colour(p) != dfa.colour(q);
        for (Letter a = 0; a < dfa.letters(); ++a) {
          const State s = dfa.next(p, a), t = dfa.next(q, a);
          differ = differ || (s == no_state) != (t == no_state) ||
                   (s != no_state && t != no_state && apart[s][t]);
        }
        if (differ) apart[p][q] = changed = true;
      }
  }
  return apart;
}

// Checks a result against the definition, without the help of another minimiser.
void expect_minimised(const Dfa& dfa, const Minimised& result) {
  const auto apart = distinguishable(dfa);
  const auto reachable = trim(dfa).new_id;
  ASSERT_EQ(result.class_of.size(), dfa.states());
  std::vector<bool> used(result.dfa.states(), false);
  for (State p = 0; p < dfa.states(); ++p) {
    ASSERT_EQ(result.class_of[p] == no_state, reachable[p] == no_state) << p;
    if (result.class_of[p] == no_state) continue;
    used[result.class_of[p]] = true;
    EXPECT_EQ(result.dfa.colour(result.class_of[p]), dfa.colour(p));
    for (Letter a = 0; a < dfa.letters(); ++a) {
      const State to = dfa.next(p, a);
      EXPECT_EQ(result.dfa.next(result.class_of[p], a),
                to == no_state ? no_state : result.class_of[to]);
    }
    for (State q = 0; q < dfa.states(); ++q)
      if (result.class_of[q] != no_state) {
        EXPECT_EQ(result.class_of[p] != result.class_of[q], apart[p][q]) << p << " " << q;
      }
  }
  EXPECT_EQ(std::count(used.begin(), used.end(), false), 0) << "an unused class";
  ASSERT_EQ(result.dfa.entries().size(), dfa.entries().size());
  for (std::size_t i = 0; i < dfa.entries().size(); ++i) {
    const State entry = dfa.entries()[i];
    EXPECT_EQ(result.dfa.entries()[i], entry == no_state ? no_state : result.class_of[entry]);
  }
}

TEST(Minimise, MeetsTheDefinitionOnTheCatalogue) {
  for (const auto& example : test::catalogue) {
    SCOPED_TRACE(example.name);
    const Dfa dfa = test::dfa(example.text);
    expect_minimised(dfa, minimise(dfa));
    expect_minimised(dfa, minimise_moore(dfa));
  }
}

TEST(Minimise, MeetsTheDefinitionOnRandomAutomata) {
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Dfa base = test::random_dfa(random, {.states = 1 + random.below(9),
                                               .letters = 1 + random.below(3),
                                               .colours = 1 + random.below(3),
                                               .entries = random.below(4),
                                               .missing_one_in = 2 + random.below(5)});
    const Dfa dfa = test::shuffled(random, test::doubled(random, base));
    expect_minimised(dfa, minimise(dfa));
  }
}

TEST(Minimise, AgreesWithMooreOnLargerAutomata) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed + 1000);
    const Dfa base = test::random_dfa(random, {.states = 1 + random.below(200),
                                               .letters = 1 + random.below(4),
                                               .colours = 1 + random.below(2),
                                               .entries = 1 + random.below(3),
                                               .missing_one_in = 2 + random.below(60)});
    const Dfa dfa = test::shuffled(random, test::doubled(random, base));
    const Minimised fast = minimise_hopcroft(dfa), slow = minimise_moore(dfa);
    EXPECT_EQ(fast.dfa, slow.dfa);
    EXPECT_EQ(fast.class_of, slow.class_of);
    EXPECT_LE(fast.dfa.states(), base.states());
    EXPECT_EQ(minimise(fast.dfa).dfa, fast.dfa) << "idempotent, with the same numbering";
    EXPECT_FALSE(difference_by_colour(dfa, fast.dfa));
  }
}

TEST(Minimise, KeepsCanonicalNumbering) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Dfa base = test::random_dfa(random, {.states = 12, .letters = 3, .entries = 2});
    const Dfa least = minimise(canonical(test::doubled(random, base)).dfa).dfa;
    EXPECT_EQ(canonical(least).dfa, least) << seed;
  }
}

TEST(Minimise, TellsMissingFromExplicitRejection) {
  // On a, p dies and q goes on to a state that rejects all the same.
  const Dfa dfa = test::dfa("letters: a b\nentries: p\np: b>q\nq: a>t b>p\nt [0]: a>t b>t");
  EXPECT_EQ(minimise(dfa).dfa.states(), 3u);
  EXPECT_EQ(minimise(trim_coreachable(dfa).dfa).dfa.states(), 1u);
}

TEST(Minimise, MergesEntries) {
  const Dfa dfa = test::dfa("letters: a\nentries: p - q\np: a>q\nq: a>p");
  EXPECT_EQ(minimise(dfa).dfa, test::dfa("letters: a\nentries: p - p\np: a>p"));
}

TEST(Minimise, CopesWithNothing) {
  EXPECT_EQ(minimise(Dfa(3)).dfa, Dfa(3));
  EXPECT_EQ(minimise_moore(Dfa(3)).dfa, Dfa(3));
  EXPECT_EQ(minimise(test::dfa("letters:\nentries: p q\np:\nq:")).dfa.states(), 1u);
  EXPECT_EQ(minimise(test::dfa("letters:\nentries: p q\np:\nq [0]:")).dfa.states(), 2u);
}

// Long chains are where Moore takes quadratic time; here a slip back to that would take minutes.
TEST(Minimise, TakesLongCountersInItsStride) {
  const State n = 1 << 16;
  Dfa dfa(3);
  for (State q = 0; q < n; ++q) dfa.add_state();
  for (State q = 0; q < n; ++q) {
    if (q + 1 < n) dfa.set_next(q, 0, q + 1);
    if (q > 0) dfa.set_next(q, 1, q - 1), dfa.set_next(q, 2, q);
  }
  dfa.add_entry(0);
  EXPECT_EQ(minimise(dfa).dfa, dfa);
}

} // namespace
} // namespace tacit
