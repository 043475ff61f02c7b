#include "automata/shortest.h"

#include <gtest/gtest.h>

#include "automata/canonical.h"
#include "base/should.h"
#include "unit/automata/examples.h"

namespace tacit {
namespace {

using test::Random;

TEST(ShortestWords, AreTheFirstWordsOfAnEnumeration) {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Dfa dfa = test::random_dfa(random, {.states = 1 + random.below(7),
                                              .letters = 1 + random.below(3),
                                              .entries = random.below(4),
                                              .missing_one_in = 2 + random.below(3)});
    const ShortestWords shortest(dfa);
    const auto reachable = canonical(dfa).new_id;
    // Words of one length: first those from entry 0, then those from entry 1, and so on.
    const auto words = test::words_up_to(6, dfa.letters());
    for (State q = 0; q < dfa.states(); ++q) {
      ASSERT_EQ(shortest.reachable(q), reachable[q] != no_state);
      if (!shortest.reachable(q)) continue;
      const Word* least = nullptr;
      std::size_t entry = 0;
      for (std::size_t i = 0; i < dfa.entries().size(); ++i)
        for (const Word& word : words)
          if (dfa.run(dfa.entries()[i], word) == q) {
            if (!least || word.size() < least->size()) least = &word, entry = i;
            break;
          }
      ASSERT_TRUE(least);
      EXPECT_EQ(shortest.to(q), *least);
      EXPECT_EQ(shortest.length(q), least->size());
      EXPECT_EQ(shortest.entry(q), entry);
    }
  }
}

TEST(ShortestWords, FollowTheGivenOrder) {
  const Dfa dfa = test::dfa("letters: a b\nentries: p\np: a>q b>q\nq:\nr:");
  const std::vector<Letter> order{1, 0};
  const ShortestWords shortest(dfa, order);
  EXPECT_EQ(shortest.to(1), Word{1});
  EXPECT_EQ(ShortestWords(dfa).to(1), Word{0});
  EXPECT_FALSE(shortest.reachable(2));
  EXPECT_THROW(shortest.to(2), InternalError);
}

} // namespace
} // namespace tacit
