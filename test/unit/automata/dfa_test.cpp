#include "automata/dfa.h"

#include <gtest/gtest.h>

#include "automata/alphabet.h"
#include "unit/automata/examples.h"

namespace tacit {
namespace {

TEST(Alphabet, NumbersLettersInOrderOfAdditionAndOnlyOnce) {
  Alphabet alphabet;
  EXPECT_EQ(alphabet.add("push"), 0u);
  EXPECT_EQ(alphabet.add("pop"), 1u);
  EXPECT_EQ(alphabet.add("push"), 0u);
  EXPECT_EQ(alphabet.add(""), 2u);
  EXPECT_EQ(alphabet.size(), 3u);
  EXPECT_EQ(alphabet.name(1), "pop");
  EXPECT_EQ(alphabet.find("pop"), std::optional<Letter>(1));
  EXPECT_EQ(alphabet.find("po"), std::nullopt);
}

TEST(Alphabet, PrintsWordsWithOneSpace) {
  Alphabet alphabet;
  alphabet.add("push(int)");
  alphabet.add("pop");
  EXPECT_EQ(to_string(alphabet, {}), "");
  EXPECT_EQ(to_string(alphabet, {1}), "pop");
  EXPECT_EQ(to_string(alphabet, {0, 1, 0}), "push(int) pop push(int)");
}

TEST(Dfa, RunsUntilTheWordDies) {
  const Dfa dfa = test::dfa("letters: a b\nentries: p q\np: a>q\nq [0]: a>p b>q");
  EXPECT_EQ(dfa.run(0, {}), 0u);
  EXPECT_EQ(dfa.run(0, {0, 1, 0}), 0u);
  EXPECT_EQ(dfa.run(0, {1, 0}), no_state);
  EXPECT_EQ(dfa.run(no_state, {}), no_state);
  EXPECT_TRUE(dfa.accepts(0, {0, 0}));
  EXPECT_FALSE(dfa.accepts(0, {0}));
  EXPECT_FALSE(dfa.accepts(0, {1}));
}

TEST(Dfa, EqualityLooksAtTableColoursAndEntries) {
  const Dfa dfa = test::dfa("letters: a\nentries: p\np: a>q\nq: ");
  EXPECT_EQ(dfa, test::dfa("letters: a\nentries: x\nx: a>y\ny: "));
  EXPECT_NE(dfa, test::dfa("letters: a\nentries: q\np: a>q\nq: "));
  EXPECT_NE(dfa, test::dfa("letters: a\nentries: p\np: a>q\nq [2]: "));
  EXPECT_NE(dfa, test::dfa("letters: a\nentries: p\np: a>p\nq: "));
  EXPECT_NE(dfa, test::dfa("letters: a b\nentries: p\np: a>q\nq: "));
}

TEST(Dfa, WorksWithoutLetters) {
  Dfa dfa(0);
  EXPECT_EQ(dfa.add_state(3), 0u);
  EXPECT_EQ(dfa.add_state(), 1u);
  EXPECT_EQ(dfa.states(), 2u);
  EXPECT_TRUE(dfa.row(1).empty());
  EXPECT_EQ(dfa.colour(0), 3u);
}

} // namespace
} // namespace tacit
