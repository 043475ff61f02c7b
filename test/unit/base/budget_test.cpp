#include "base/budget.h"

#include <thread>

#include <gtest/gtest.h>

#include "base/interrupt.h"
#include "base/timer.h"

namespace tacit {
namespace {

TEST(Budget, IsUnlimitedByDefault) {
  Budget budget;
  for (int i = 0; i < 100'000; ++i) ASSERT_FALSE(budget.exhausted());
  budget.count_query();
  budget.count_steps(1'000'000'000);
  EXPECT_FALSE(budget.exhausted_now());
  EXPECT_EQ(budget.reason(), "");
  EXPECT_EQ(budget.queries(), 1u);
  EXPECT_FALSE(budget.seconds_left().has_value());
}

TEST(Budget, EndsAtTheQueryLimitAndStaysEnded) {
  Budget budget(BudgetLimits{.queries = 3});
  budget.count_query();
  budget.count_query();
  EXPECT_FALSE(budget.exhausted());
  budget.count_query();
  EXPECT_TRUE(budget.exhausted());
  EXPECT_TRUE(budget.exhausted());
  EXPECT_EQ(budget.reason(), "limit of 3 solver queries");
}

TEST(Budget, EndsAtTheStepLimit) {
  Budget budget(BudgetLimits{.steps = 100});
  budget.count_steps(99);
  EXPECT_FALSE(budget.exhausted());
  budget.count_steps();
  EXPECT_TRUE(budget.exhausted());
  EXPECT_EQ(budget.steps(), 100u);
  EXPECT_EQ(budget.reason(), "limit of 100 steps");
}

TEST(Budget, EndsAtTheDeadlineThroughCheapPolls) {
  const Timer timer;
  Budget budget(BudgetLimits{.seconds = 0.02});
  while (!budget.exhausted()) ASSERT_LT(timer.seconds(), 60.0);
  EXPECT_GE(timer.seconds(), 0.02);
  EXPECT_EQ(budget.reason(), "time limit of 0.02 s");
  EXPECT_EQ(budget.seconds_left(), 0.0);
}

TEST(Budget, NoticesTheDeadlineAtTheNextQuery) {
  Budget budget(BudgetLimits{.seconds = 0.0});
  budget.count_query();
  EXPECT_EQ(budget.reason(), "time limit of 0 s");
}

TEST(Budget, EndsWhenTheProcessIsTooLarge) {
  EXPECT_GT(resident_memory(), 0u);
  Budget budget(BudgetLimits{.memory_bytes = 1024 * 1024});
  EXPECT_TRUE(budget.exhausted());
  EXPECT_EQ(budget.reason(), "memory limit of 1 MB");
}

TEST(Budget, CanBeCancelledFromAnotherThread) {
  Budget budget;
  std::thread other([&] { budget.cancel(); });
  const Timer timer;
  while (!budget.exhausted()) ASSERT_LT(timer.seconds(), 60.0);
  other.join();
  EXPECT_EQ(budget.reason(), "cancelled");
}

TEST(Budget, CountsTheTimeBeforeIt) {
  Budget budget(BudgetLimits{.seconds = 100}, 40);
  EXPECT_LE(*budget.seconds_left(), 60.0);
  EXPECT_FALSE(budget.exhausted_now());
  EXPECT_TRUE(Budget(BudgetLimits{.seconds = 100}, 100).exhausted_now());
}

TEST(Budget, SharesWhatIsLeft) {
  Budget budget(BudgetLimits{.seconds = 100, .memory_bytes = 7, .queries = 10}, 50);
  for (int i = 0; i < 4; ++i) budget.count_query();
  const BudgetLimits half = budget.share(0.5);
  EXPECT_LE(*half.seconds, 25.0);
  EXPECT_GE(*half.seconds, 20.0);
  EXPECT_EQ(half.memory_bytes, 7u);
  EXPECT_EQ(half.queries, 6u);
  EXPECT_EQ(budget.share(0.5, 3).seconds, 3.0);
  EXPECT_EQ(Budget().share(0.5, 3).seconds, 3.0);
  EXPECT_FALSE(Budget().share(0.5).seconds.has_value());
}

TEST(Budget, KeepsItsFirstReason) {
  Budget budget(BudgetLimits{.queries = 1, .steps = 1});
  budget.count_steps();
  budget.count_query();
  budget.cancel();
  EXPECT_EQ(budget.reason(), "limit of 1 steps");
}

TEST(Budget, AnInterruptEndsThoseThatExist) {
  Budget before, shared(before.share(0.5));
  EXPECT_FALSE(before.exhausted_now());
  interrupt_budgets();
  EXPECT_TRUE(before.exhausted());
  EXPECT_EQ(before.reason(), "interrupted");
  EXPECT_TRUE(shared.exhausted_now());
  // What is left of one that has ended is nothing.
  EXPECT_EQ(before.share(1).seconds, 0.0);
  Budget after;
  EXPECT_FALSE(after.exhausted_now());
}

} // namespace
} // namespace tacit
