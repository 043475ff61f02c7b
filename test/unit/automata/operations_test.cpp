#include "automata/operations.h"

#include <gtest/gtest.h>

#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::colour_of;
using test::Random;

// Pairs of random automata of one shape, small enough to compare on all short words.
struct TwoAutomata {
  explicit TwoAutomata(std::uint32_t seed) : random(seed) {
    const test::Shape shape{.states = 1 + random.below(6),
                            .letters = 1 + random.below(2),
                            .colours = 2 + random.below(2),
                            .entries = 1 + random.below(3),
                            .missing_one_in = 2 + random.below(4)};
    a = test::random_dfa(random, shape);
    // Often a chain that ends, and a small change only, for differences that lie deep.
    if (!random.one_in(3)) {
      const State last = static_cast<State>(a.states() - 1);
      for (State q = 0; q <= last; ++q) {
        a.set_colour(q, 1);
        for (Letter letter = 0; letter < a.letters(); ++letter)
          a.set_next(q, letter, q == last ? no_state : q);
        if (q < last) a.set_next(q, random.below(a.letters()), q + 1);
      }
      for (std::size_t i = 0; i < a.entries().size(); ++i) a.set_entry(i, 0);
    }
    b = random.one_in(3) ? test::random_dfa(random, shape) : test::doubled(random, a);
    if (random.one_in(2))
      b.set_next(random.below(b.states()), random.below(b.letters()), random.below(b.states()));
  }
  Random random;
  Dfa a{0}, b{0};
};

TEST(Operations, AgreeWithTheirDefinitionOnAllShortWords) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const TwoAutomata two(seed);
    const Dfa both = intersect(two.a, two.b), either = unite(two.a, two.b);
    const Dfa total = complete(two.a), none = complement(two.a);
    const Dfa reachable = trim(two.a).dfa, live = trim_coreachable(two.a).dfa;
    for (std::size_t i = 0; i < two.a.entries().size(); ++i)
      for (const Word& word : test::words_up_to(6, two.a.letters())) {
        const Colour a = colour_of(two.a, i, word), b = colour_of(two.b, i, word);
        ASSERT_EQ(colour_of(both, i, word), b == 0 ? 0 : a);
        ASSERT_EQ(colour_of(either, i, word), a == 0 ? b : a);
        ASSERT_EQ(colour_of(total, i, word), a);
        ASSERT_NE(total.run(total.entries()[i], word), no_state);
        ASSERT_EQ(colour_of(none, i, word), a == 0 ? 1u : 0u);
        ASSERT_EQ(colour_of(reachable, i, word), a);
        ASSERT_EQ(colour_of(live, i, word), a);
      }
  }
}

TEST(Operations, ProductsHoldReachablePairsOnly) {
  // Two counters modulo three and modulo two that move in step: 6 of 9 × 2 pairs.
  const Dfa three = test::dfa("letters: a\nentries: p\np: a>q\nq: a>r\nr: a>p\ns: a>s\nt:");
  const Dfa two = test::dfa("letters: a\nentries: p\np: a>q\nq: a>p\nr: a>q");
  EXPECT_EQ(intersect(three, two).states(), 6u);
  EXPECT_EQ(unite(three, two).states(), 6u);
}

TEST(Operations, CompleteAddsASinkOnlyIfSomethingIsMissing) {
  const Dfa whole = test::dfa("letters: a\nentries: p\np: a>p");
  EXPECT_EQ(complete(whole), whole);
  EXPECT_EQ(complete(test::dfa("letters: a b\nentries: p -\np: a>p")),
            test::dfa("letters: a b\nentries: p s\np: a>p b>s\ns [0]: a>s b>s"));
}

TEST(Operations, ComplementTwiceIsTheSameLanguage) {
  for (const auto& example : test::catalogue) {
    const Dfa dfa = test::dfa(example.text);
    EXPECT_FALSE(difference(complement(complement(dfa)), dfa)) << example.name;
    EXPECT_TRUE(difference(complement(dfa), dfa)) << example.name;
  }
}

TEST(Operations, TrimKeepsOrderAndReportsIt) {
  const Dfa dfa = test::dfa("letters: a\nentries: c\nx: a>c\nb: a>b\nc: a>b\n");
  EXPECT_EQ(trim(dfa).dfa, test::dfa("letters: a\nentries: c\nb: a>b\nc: a>b"));
  EXPECT_EQ(trim(dfa).new_id, (std::vector<State>{no_state, 0, 1}));
}

TEST(Operations, TrimCoreachableDropsWhatCannotAccept) {
  const Dfa dfa = test::dfa("letters: a b\nentries: p t\n"
                            "p [0]: a>q b>t\nq [0]: b>r\nr: a>t\nt [0]: a>t\nu: a>p");
  const Renumbered result = trim_coreachable(dfa);
  EXPECT_EQ(result.dfa,
            test::dfa("letters: a b\nentries: p -\np [0]: a>q\nq [0]: b>r\nr:\nu: a>p"));
  EXPECT_EQ(result.new_id, (std::vector<State>{0, 1, 2, no_state, 3}));
}

// The least difference by definition: the first of all words, with the first entry.
template <class Differ>
std::optional<Difference> by_enumeration(const Dfa& a, const Dfa& b, std::size_t length,
                                         Differ differ) {
  for (const Word& word : test::words_up_to(length, a.letters()))
    for (std::size_t i = 0; i < a.entries().size(); ++i) {
      const Colour first = colour_of(a, i, word), second = colour_of(b, i, word);
      if (differ(first, second)) return Difference{word, first != 0, i, first, second};
    }
  return std::nullopt;
}

void expect_same(const std::optional<Difference>& found, const std::optional<Difference>& wanted,
                 std::size_t length) {
  if (!wanted) {
    // Enumeration gave up; a longer difference is possible.
    if (found) {
      EXPECT_GT(found->word.size(), length);
    }
    return;
  }
  ASSERT_TRUE(found);
  EXPECT_EQ(found->word, wanted->word);
  EXPECT_EQ(found->entry, wanted->entry);
  EXPECT_EQ(found->in_first, wanted->in_first);
  EXPECT_EQ(found->first_colour, wanted->first_colour);
  EXPECT_EQ(found->second_colour, wanted->second_colour);
}

TEST(Difference, IsTheLeastByEnumeration) {
  const std::size_t length = 8;
  std::size_t found = 0, deep = 0, none = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    const TwoAutomata two(seed);
    const auto wanted = by_enumeration(two.a, two.b, length,
                                       [](Colour x, Colour y) { return (x != 0) != (y != 0); });
    expect_same(difference(two.a, two.b), wanted, length);
    expect_same(
        included(two.a, two.b),
        by_enumeration(two.a, two.b, length, [](Colour x, Colour y) { return x != 0 && y == 0; }),
        length);
    expect_same(difference_by_colour(two.a, two.b),
                by_enumeration(two.a, two.b, length, [](Colour x, Colour y) { return x != y; }),
                length);
    (wanted ? (wanted->word.size() > 2 ? deep : found) : none) += 1;
  }
  // The sample has to show something.
  EXPECT_GT(found, 50u);
  EXPECT_GT(deep, 20u);
  EXPECT_GT(none, 50u);
}

TEST(Difference, PrefersTheWordToTheEntry) {
  // Entry 0 differs on b, entry 1 on a.
  const Dfa a = test::dfa("letters: a b\nentries: p q\np: b>e\nq: a>e\ne:");
  const Dfa b = test::dfa("letters: a b\nentries: p p\np:");
  const auto found = difference(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->word, Word{0});
  EXPECT_EQ(found->entry, 1u);
  EXPECT_TRUE(found->in_first);
  EXPECT_FALSE(included(b, a));
}

TEST(Difference, SeesAbsentEntries) {
  const Dfa a = test::dfa("letters: a\nentries: p -\np:");
  const Dfa b = test::dfa("letters: a\nentries: p p\np:");
  const auto found = difference(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->word, Word{});
  EXPECT_EQ(found->entry, 1u);
  EXPECT_FALSE(found->in_first);
  EXPECT_FALSE(included(a, b));
  EXPECT_TRUE(included(b, a));
}

TEST(Difference, ByColourTellsKindsOfAcceptanceApart) {
  const Dfa a = test::dfa("letters: a\nentries: p\np: a>q\nq [2]:");
  const Dfa b = test::dfa("letters: a\nentries: p\np: a>q\nq [3]: a>r\nr [0]:");
  EXPECT_FALSE(difference(a, b));
  const auto found = difference_by_colour(a, b);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->word, Word{0});
  EXPECT_EQ(found->first_colour, 2u);
  EXPECT_EQ(found->second_colour, 3u);
}

} // namespace
} // namespace tacit
