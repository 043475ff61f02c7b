// Claims of engines over predicates do not outlive their labels.
#include <gtest/gtest.h>

#include "synthesis/predicate/predicate_labels.h"

namespace tacit {
namespace {

Synthesis claiming_all() {
  Synthesis result;
  Verdict& verdict = result.interface.verdict;
  verdict.safe = verdict.permissive = verdict.full = Claim::Proved;
  return result;
}

void expect_claims(const Synthesis& result, Claim claim) {
  const Verdict& verdict = result.interface.verdict;
  EXPECT_EQ(verdict.safe, claim);
  EXPECT_EQ(verdict.permissive, claim);
  EXPECT_EQ(verdict.full, claim);
  EXPECT_EQ(result.settled, claim == Claim::Proved);
}

TEST(Withdraw, NothingWhileLabelsAreThere) {
  Synthesis result = claiming_all();
  withdraw_unlabelled(result);
  expect_claims(result, Claim::Proved);
}

TEST(Withdraw, AllWithoutLabels) {
  Synthesis result = claiming_all();
  result.interface.evidence.omitted = true;
  withdraw_unlabelled(result);
  expect_claims(result, Claim::Unknown);
}

TEST(Withdraw, AllWithoutLabelsBeforePruning) {
  Synthesis result = claiming_all();
  auto before = std::make_shared<Interface>();
  before->evidence.omitted = true;
  result.interface.before_pruning = before;
  withdraw_unlabelled(result);
  expect_claims(result, Claim::Unknown);
}

} // namespace
} // namespace tacit
