#include "learning/wrappers.h"

#include <gtest/gtest.h>

#include "base/should.h"
#include "learning/counterexample.h"
#include "unit/learning/teacher.h"

namespace tacit {
namespace {

// Letters 0 and 1 are two outcomes of one call, letter 2 is another call. The first call is
// legal twice; its outcome 1 can happen only the first time.
Hypothesis twice() {
  Hypothesis machine;
  machine.letters = 3;
  machine.entry = 0;
  for (State q = 0; q < 3; ++q) machine.add_state({});
  machine.set_target(0, 0, 1);
  machine.set_target(0, 1, 1);
  machine.set_target(1, 0, 2);
  machine.set_target(1, 1, cannot_happen_sink);
  machine.set_target(2, 2, 0);
  return machine;
}

const LetterGroups twice_groups = {0, 0, 1};

TEST(AnswerTrie, ConcludesFromWhatItWasTold) {
  AnswerTrie trie(twice_groups);
  EXPECT_FALSE(trie.find(Word{}).has_value());
  trie.insert(Word{0, 0}, Answer::Legal);
  EXPECT_EQ(trie.find(Word{}), Answer::Legal);
  EXPECT_EQ(trie.find(Word{0}), Answer::Legal);
  EXPECT_FALSE(trie.find(Word{0, 0, 0}).has_value());
  trie.insert(Word{0, 0, 0}, Answer::Illegal);
  EXPECT_EQ(trie.find(Word{0, 0, 1}), Answer::Illegal) << "the other letter of the call";
  EXPECT_FALSE(trie.find(Word{0, 0, 2}).has_value()) << "another call";
  EXPECT_EQ(trie.find(Word{0, 0, 1, 2, 2}), Answer::Illegal);
  trie.insert(Word{0, 1}, Answer::CannotHappen);
  EXPECT_EQ(trie.find(Word{0, 1, 2}), Answer::CannotHappen);
  EXPECT_EQ(trie.find(Word{0, 0}), Answer::Legal);
  EXPECT_EQ(trie.find(trie.legal_node(Word{0}), Word{1, 0}), Answer::CannotHappen);
}

TEST(AnswerTrie, KnowsAnIllegalWordWithoutKnowingItsPrefix) {
  AnswerTrie trie;
  trie.insert(Word{0, 1, 2}, Answer::Illegal);
  EXPECT_FALSE(trie.find(Word{0, 1}).has_value());
  EXPECT_EQ(trie.find(Word{0, 1, 2, 0}), Answer::Illegal);
  trie.insert(Word{0}, Answer::Illegal);
  EXPECT_EQ(trie.find(Word{0, 1}), Answer::Illegal);
}

TEST(AnswerTrie, RejectsContradictions) {
  AnswerTrie trie(twice_groups);
  trie.insert(Word{0}, Answer::Legal);
  trie.insert(Word{2}, Answer::Illegal);
  EXPECT_THROW(trie.insert(Word{0}, Answer::Illegal), InternalError);
  EXPECT_THROW(trie.insert(Word{}, Answer::CannotHappen), InternalError);
  EXPECT_THROW(trie.insert(Word{2, 0}, Answer::Legal), InternalError);
  EXPECT_THROW(trie.insert(Word{1}, Answer::Illegal), InternalError) << "letter 0 is legal";
  EXPECT_THROW(trie.legal_node(Word{2}), InternalError);
  EXPECT_THROW(trie.legal_node(Word{0, 0}), InternalError);
}

TEST(CachingOracle, AsksOnlyWhatDoesNotFollow) {
  const Hypothesis machine = twice();
  test::ExactOracle exact(machine);
  CountingOracle counting(exact);
  CachingOracle cache(counting, twice_groups);
  EXPECT_EQ(cache.ask({0, 0, 2}), Answer::Legal);
  EXPECT_EQ(cache.ask({0, 0}), Answer::Legal);
  EXPECT_EQ(counting.queries(), 1u);
  EXPECT_EQ(cache.ask({0, 0, 1}), Answer::Illegal);
  EXPECT_EQ(cache.ask({0, 0, 0}), Answer::Illegal);
  EXPECT_EQ(cache.ask({0, 0, 0, 2}), Answer::Illegal);
  EXPECT_EQ(counting.queries(), 2u);
  EXPECT_EQ(counting.letters(), 6u);
  const std::vector<Word> words{{0, 0, 0, 1}, {0, 1}, {0}, {2}};
  EXPECT_EQ(cache.ask_all(words), (std::vector<Answer>{Answer::Illegal, Answer::CannotHappen,
                                                       Answer::Legal, Answer::Illegal}));
  EXPECT_EQ(counting.queries(), 4u);
  EXPECT_EQ(counting.batches(), 1u);
}

TEST(CachingOracle, AgreesWithTheOracleInside) {
  LetterGroups groups;
  const Hypothesis machine = test::grouped_language(3, groups);
  test::ExactOracle exact(machine);
  CachingOracle cache(exact, groups);
  test::Dice dice(5);
  for (int i = 0; i < 5'000; ++i) {
    Word word(dice.between(0, 8));
    for (Letter& letter : word)
      letter = dice.between(0, static_cast<std::uint32_t>(machine.letters - 1));
    ASSERT_EQ(cache.ask(word), machine.classify(word));
  }
}

TEST(CachingOracle, DoesNotKeepAnswersFromAfterTheEndOfTheBudget) {
  const Hypothesis machine = twice();
  test::ExactOracle exact(machine);
  Budget budget;
  BudgetOracle limited(exact, budget);
  CachingOracle cache(limited, twice_groups, &budget);
  EXPECT_EQ(cache.ask({0}), Answer::Legal);
  budget.cancel();
  cache.ask({0, 0});
  cache.ask_all(std::vector<Word>{{2}});
  EXPECT_EQ(cache.ask({0}), Answer::Legal);
  EXPECT_FALSE(cache.trie().find(Word{0, 0}).has_value());
  EXPECT_FALSE(cache.trie().find(Word{2}).has_value());
}

TEST(BudgetOracle, CountsAndThenPassesNothingOn) {
  const Hypothesis machine = twice();
  test::ExactOracle exact(machine);
  CountingOracle counting(exact);
  BudgetLimits limits;
  limits.queries = 3;
  Budget budget(limits);
  BudgetOracle limited(counting, budget);
  limited.ask({0});
  EXPECT_EQ(limited.ask_all(std::vector<Word>{{0, 0}, {2}}).size(), 2u);
  EXPECT_EQ(budget.queries(), 3u);
  EXPECT_TRUE(budget.exhausted());
  limited.ask({1});
  EXPECT_EQ(limited.ask_all(std::vector<Word>{{0, 2}}).size(), 1u);
  EXPECT_EQ(counting.queries(), 3u);
}

// The hypothesis that the call is legal for ever, and a counterexample that goes on after
// its error.
TEST(Breakpoint, BlamesATransitionAndProvesIt) {
  const Hypothesis machine = twice();
  test::ExactOracle exact(machine);
  Knowledge knowledge(3, exact, {}, nullptr);
  Hypothesis hypothesis;
  hypothesis.letters = 3;
  hypothesis.entry = hypothesis.add_state({});
  hypothesis.set_target(0, 0, 0);
  hypothesis.set_target(0, 1, 0);
  ASSERT_TRUE(knowledge.ask_extensions({}));
  EXPECT_EQ(knowledge.queries(), 3u);
  const auto found = find_breakpoint(hypothesis, {0, 0, 0, 0, 1}, knowledge);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(hypothesis.target(found->from, found->letter), found->to);
  Word through = hypothesis.access[found->from];
  through.push_back(found->letter);
  through.insert(through.end(), found->suffix.begin(), found->suffix.end());
  Word directly = hypothesis.access[found->to];
  directly.insert(directly.end(), found->suffix.begin(), found->suffix.end());
  EXPECT_NE(machine.classify(through), machine.classify(directly));
  EXPECT_TRUE(knowledge.known(through) && knowledge.known(directly));
  EXPECT_THROW(find_breakpoint(hypothesis, {0}, knowledge), InternalError);
}

TEST(Answers, HaveNames) {
  EXPECT_EQ(to_string(Answer::Legal), "legal");
  EXPECT_EQ(to_string(Answer::Illegal), "illegal");
  EXPECT_EQ(to_string(Answer::CannotHappen), "cannot happen");
}

} // namespace
} // namespace tacit
