// Hand-written guarded interfaces: reference and checker accept the right ones and reject every
// wrong variant, by the claim that the variant breaks.
#include <gtest/gtest.h>

#include "check/check.h"
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

std::string findings(const CheckReport& report) {
  std::string text;
  for (const auto* list : {&report.rejected, &report.unknown})
    for (const Finding& finding : *list) text += to_string(finding) + "\n";
  return text;
}

TEST_P(GuardedCases, TheCheckerAcceptsTheRightOne) {
  const GuardedCase test = read_guarded_case(GetParam());
  const auto report = check_evidence(test.right, {});
  ASSERT_TRUE(report.has_value()) << to_string(report.error());
  EXPECT_TRUE(report->accepted()) << findings(*report);
}

bool confirmed(const CheckReport& report, const std::string& claim) {
  if (claim == "safe") return report.safe == Claim::Proved;
  if (claim == "permissive") return report.permissive == Claim::Proved;
  if (claim == "full") return report.full == Claim::Proved;
  return claim == "minimal" ? report.minimal : report.accepted();
}

TEST_P(GuardedCases, TheCheckerRejectsTheWrongOnes) {
  const GuardedCase test = read_guarded_case(GetParam());
  for (const WrongVariant& wrong : test.wrong) {
    const auto report = check_evidence(wrong.result, {});
    if (!report) continue;
    EXPECT_FALSE(report->accepted()) << wrong.name;
    EXPECT_FALSE(confirmed(*report, wrong.breaks)) << wrong.name << "\n" << findings(*report);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GuardedCases, testing::ValuesIn(guarded_case_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace tacit
