// Every learner on every subject, with every kind of counterexample: the result is the
// minimal machine that the automata layer computes, and no question is superfluous.

#include "learning/learner.h"

#include <algorithm>
#include <iostream>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/should.h"
#include "learning/wrappers.h"
#include "unit/learning/teacher.h"

namespace tacit {
namespace {

using namespace test;

constexpr LearnerKind both_kinds[] = {LearnerKind::Table, LearnerKind::Tree};

const char* name_of(LearnerKind kind) { return kind == LearnerKind::Table ? "table" : "tree"; }

// Learns with all checks on.
LearnResult checked_run(LearnerKind kind, const Hypothesis& language,
                        Counterexamples counterexamples = Counterexamples::Shortest,
                        const LetterGroups& groups = {}, std::vector<Word>* asked = nullptr) {
  ExactOracle oracle(language);
  CheckingOracle checking(oracle, groups);
  ExactTeacher teacher(language, counterexamples);
  Budget budget;
  const auto learner = make_learner(kind, language.letters, checking, {groups, &budget});
  LearnResult result = learn(*learner, teacher, budget);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.hypothesis, language);
  EXPECT_EQ(result.statistics.membership_queries, checking.asked().size());
  EXPECT_EQ(result.statistics.counterexample_lengths.size() + 1,
            result.statistics.equivalence_queries);
  EXPECT_LE(result.statistics.equivalence_queries, std::max<std::size_t>(1, language.states()));
  if (asked != nullptr) *asked = checking.asked();
  return result;
}

// Without the checks, which take longer than the learning.
LearnResult fast_run(LearnerKind kind, const Hypothesis& language,
                     Counterexamples counterexamples = Counterexamples::Shortest) {
  ExactOracle oracle(language);
  ExactTeacher teacher(language, counterexamples);
  Budget budget;
  const auto learner = make_learner(kind, language.letters, oracle);
  LearnResult result = learn(*learner, teacher, budget);
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.hypothesis, language);
  return result;
}

BudgetLimits query_limit(std::uint64_t limit) {
  BudgetLimits limits;
  limits.queries = limit;
  return limits;
}

struct Distribution {
  std::vector<double> ratios;

  void add(const LearnResult& run) {
    const auto& machine = run.hypothesis;
    ratios.push_back(static_cast<double>(run.statistics.membership_queries) /
                     static_cast<double>(machine.states() * machine.letters));
  }
  double quantile(double part) {
    std::ranges::sort(ratios);
    return ratios[static_cast<std::size_t>(part * static_cast<double>(ratios.size() - 1))];
  }
  std::string text() {
    return fmt::format("least {:.2f}, quartiles {:.2f} {:.2f} {:.2f}, 90 % {:.2f}, most {:.2f}",
                       quantile(0), quantile(0.25), quantile(0.5), quantile(0.75), quantile(0.9),
                       quantile(1));
  }
};

class EveryLearner : public testing::TestWithParam<std::tuple<LearnerKind, Counterexamples>> {};

TEST_P(EveryLearner, LearnsTheCatalogueExactly) {
  const auto [kind, counterexamples] = GetParam();
  for (const auto& [name, language] : catalogue()) {
    SCOPED_TRACE(name);
    checked_run(kind, language, counterexamples);
  }
}

TEST_P(EveryLearner, LearnsThreeValuedLanguagesWithGroups) {
  const auto [kind, counterexamples] = GetParam();
  std::uint64_t with = 0, without = 0;
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    LetterGroups groups;
    const Hypothesis language = grouped_language(seed, groups);
    with += checked_run(kind, language, counterexamples, groups).statistics.membership_queries;
    without += checked_run(kind, language, counterexamples).statistics.membership_queries;
  }
  EXPECT_LT(with, without);
}

TEST_P(EveryLearner, LearnsRandomLanguagesExactly) {
  const auto [kind, counterexamples] = GetParam();
  for (std::uint32_t seed = 1000; seed < 1005; ++seed) {
    SCOPED_TRACE(seed);
    fast_run(kind, sparse_language(seed), counterexamples);
    fast_run(kind, field_language(seed), counterexamples);
  }
}

std::string run_name(const testing::TestParamInfo<EveryLearner::ParamType>& run) {
  const char* counterexamples[] = {"shortest", "long", "repeated"};
  return fmt::format("{}_{}", name_of(std::get<0>(run.param)),
                     counterexamples[static_cast<int>(std::get<1>(run.param))]);
}

INSTANTIATE_TEST_SUITE_P(Learning, EveryLearner,
                         testing::Combine(testing::ValuesIn(both_kinds),
                                          testing::Values(Counterexamples::Shortest,
                                                          Counterexamples::Long,
                                                          Counterexamples::Repeated)),
                         run_name);

TEST(Questions, AreFewOnNasaCev) {
  const Hypothesis language = nasa_cev();
  ASSERT_EQ(language.states(), 31u);
  ASSERT_EQ(minimal(language), language);
  std::cout << "nasa_cev: 31 states, 26 letters, 31 * 26 = 806\n"
               "learner  counterexamples  membership  letters  equivalence\n";
  for (LearnerKind kind : both_kinds)
    for (const auto counterexamples : {Counterexamples::Shortest, Counterexamples::Long}) {
      const auto run = checked_run(kind, language, counterexamples);
      const auto& statistics = run.statistics;
      std::cout << fmt::format("{:<7}  {:<15}  {:>10}  {:>7}  {:>11}\n", name_of(kind),
                               counterexamples == Counterexamples::Shortest ? "shortest" : "long",
                               statistics.membership_queries, statistics.letters_in_queries,
                               statistics.equivalence_queries);
      EXPECT_LE(statistics.membership_queries, kind == LearnerKind::Tree ? 950u : 1400u);
      EXPECT_GE(statistics.membership_queries, 806u);
    }
}

TEST(Questions, AreFewOnSparseRandomLanguages) {
  Distribution table, tree;
  for (std::uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Hypothesis language = sparse_language(seed);
    table.add(fast_run(LearnerKind::Table, language));
    tree.add(fast_run(LearnerKind::Tree, language));
  }
  std::cout << "membership queries / (states * letters) on 200 sparse languages\n"
            << "  table: " << table.text() << "\n  tree:  " << tree.text() << "\n";
  EXPECT_LE(tree.quantile(0.5), 1.6);
  EXPECT_LT(tree.quantile(0.5), table.quantile(0.5));
}

// Where most calls are legal, a transition costs the logarithm of the number of states, and
// no learner can stay near states * letters.
TEST(Questions, AreFewerThanTheTablesOnFieldLanguages) {
  Distribution table, tree;
  for (std::uint32_t seed = 0; seed < 25; ++seed) {
    SCOPED_TRACE(seed);
    const Hypothesis language = field_language(seed);
    table.add(fast_run(LearnerKind::Table, language));
    tree.add(fast_run(LearnerKind::Tree, language));
  }
  std::cout << "membership queries / (states * letters) on 25 field languages\n"
            << "  table: " << table.text() << "\n  tree:  " << tree.text() << "\n";
  EXPECT_LT(tree.quantile(0.5), table.quantile(0.5));
}

TEST(Learning, IsTheSameInEveryRun) {
  for (LearnerKind kind : both_kinds)
    for (const auto counterexamples : {Counterexamples::Shortest, Counterexamples::Long}) {
      LetterGroups groups;
      const Hypothesis language = grouped_language(7, groups);
      std::vector<Word> first, second;
      const auto one = checked_run(kind, language, counterexamples, groups, &first);
      const auto two = checked_run(kind, language, counterexamples, groups, &second);
      EXPECT_EQ(first, second);
      EXPECT_EQ(one.statistics.counterexample_lengths, two.statistics.counterexample_lengths);
    }
}

TEST(Learning, AsksExtensionsInBatches) {
  class Batches : public ExactOracle {
  public:
    using ExactOracle::ExactOracle;
    std::vector<Answer> ask_all(std::span<const Word> words) override {
      most = std::max(most, words.size());
      return ExactOracle::ask_all(words);
    }
    std::size_t most = 0;
  };
  const Hypothesis language = nasa_cev();
  for (LearnerKind kind : both_kinds) {
    Batches oracle(language);
    ExactTeacher teacher(language, Counterexamples::Shortest);
    Budget budget;
    EXPECT_TRUE(learn(*make_learner(kind, language.letters, oracle), teacher, budget).complete);
    EXPECT_EQ(oracle.most, 26u);
  }
}

TEST(Learning, StopsWhenTheBudgetIsExhausted) {
  const Hypothesis language = nasa_cev();
  for (LearnerKind kind : both_kinds) {
    std::size_t most_states = 0;
    for (std::uint64_t limit : {1, 2, 20, 40, 100, 300, 600, 800}) {
      SCOPED_TRACE(limit);
      ExactOracle oracle(language);
      CountingOracle counting(oracle);
      Budget budget(query_limit(limit));
      BudgetOracle limited(counting, budget);
      ExactTeacher teacher(language, Counterexamples::Shortest);
      const auto learner = make_learner(kind, language.letters, limited, {{}, &budget});
      const LearnResult result = learn(*learner, teacher, budget);
      EXPECT_FALSE(result.complete);
      EXPECT_TRUE(learner->stopped());
      EXPECT_FALSE(budget.reason().empty());
      EXPECT_EQ(result.hypothesis, canonical(result.hypothesis));
      EXPECT_EQ(result.hypothesis, learner->hypothesis());
      EXPECT_LT(counting.queries(), limit + language.letters); // the last may be a batch
      most_states = std::max(most_states, result.hypothesis.states());
      if (result.hypothesis.states() > 0) {
        // What was finished is right about everything it asked, such as single letters.
        for (Letter a = 0; a < language.letters; ++a)
          EXPECT_EQ(result.hypothesis.classify(Word{a}), language.classify(Word{a}));
      }
      learner->refine({0}); // harmless
    }
    EXPECT_GT(most_states, 5u);
  }
}

TEST(Learning, IsIncompleteWhenTheEquivalenceOracleRunsOut) {
  class Tired : public EquivalenceOracle {
  public:
    explicit Tired(Budget& budget) : budget_(budget) {}
    std::optional<Word> counterexample(const Hypothesis&) override {
      budget_.cancel();
      return std::nullopt;
    }

  private:
    Budget& budget_;
  };
  const Hypothesis language = nasa_cev();
  for (LearnerKind kind : both_kinds) {
    ExactOracle oracle(language);
    Budget budget;
    Tired tired(budget);
    const auto learner = make_learner(kind, language.letters, oracle, {{}, &budget});
    const LearnResult result = learn(*learner, tired, budget);
    EXPECT_FALSE(result.complete);
    EXPECT_GE(result.hypothesis.states(), 1u);
  }
}

TEST(Learning, RejectsMisuse) {
  const Hypothesis language = nasa_cev();
  for (LearnerKind kind : both_kinds) {
    ExactOracle oracle(language);
    const auto early = make_learner(kind, language.letters, oracle);
    EXPECT_THROW(early->refine({0}), InternalError);
    const auto learner = make_learner(kind, language.letters, oracle);
    learner->hypothesis();
    EXPECT_THROW(learner->refine({0}), InternalError); // no counterexample
    EXPECT_THROW(make_learner(kind, 3, oracle, {{0, 1}, nullptr}), InternalError);
  }
}

} // namespace
} // namespace tacit
