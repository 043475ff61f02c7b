// Hand-written guarded interfaces: the reference accepts the right ones and rejects every wrong
// variant, by the claim that the variant breaks.
#include <gtest/gtest.h>

#include "interface/json.h"
#include "support/guarded_cases.h"
#include "support/reference.h"

namespace tacit {
namespace {

class GuardedCases : public testing::TestWithParam<std::string> {};

const Judgement& judgement_of(const ReferenceReport& report, const std::string& claim) {
  if (claim == "safe") return report.safe;
  if (claim == "permissive") return report.permissive;
  if (claim == "full") return report.full;
  return claim == "minimal" ? report.minimal : report.aside;
}

TEST_P(GuardedCases, TheRightOneIsAccepted) {
  const GuardedCase test = read_guarded_case(GetParam());
  const auto component = component_of(test.right);
  ASSERT_TRUE(component.has_value()) << to_string(component.error());
  const ReferenceReport report = judge_interface(test.right, *component, test.reference);
  EXPECT_EQ(report.complaints(test.right.verdict), "");
  EXPECT_TRUE(report.finite || test.reference.depth < 20);
}

TEST_P(GuardedCases, TheWrongOnesAreRejected) {
  const GuardedCase test = read_guarded_case(GetParam());
  EXPECT_GE(test.wrong.size(), 5u);
  for (const WrongVariant& wrong : test.wrong) {
    const auto component = component_of(wrong.result);
    ASSERT_TRUE(component.has_value()) << wrong.name << ": " << to_string(component.error());
    const ReferenceReport report = judge_interface(wrong.result, *component, test.reference);
    EXPECT_FALSE(report.right(wrong.result.verdict)) << wrong.name;
    if (report.malformed) continue;
    EXPECT_FALSE(report.failure.has_value()) << wrong.name << ": " << *report.failure;
    EXPECT_FALSE(judgement_of(report, wrong.breaks).holds())
        << wrong.name << " should break " << wrong.breaks << ":\n"
        << report.complaints(wrong.result.verdict);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GuardedCases, testing::ValuesIn(guarded_case_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace tacit
