// Hand-written guarded interfaces: the checker accepts the right ones, with their labels as
// evidence, and rejects every wrong variant.
#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/json.h"
#include "support/guarded_cases.h"

namespace tacit {
namespace {

class CheckedCases : public testing::TestWithParam<std::string> {};

std::string text_of(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.rejected) text += "rejected " + to_string(finding) + "\n";
  for (const Finding& finding : report.unknown) text += "unknown " + to_string(finding) + "\n";
  return text;
}

/// The assumptions of the component are no part of what is written by hand.
Result<CheckReport> checked(Interface result) {
  const auto component = component_of(result);
  if (!component) return std::unexpected(component.error());
  result.verdict.assumptions = component->assumptions();
  return check_evidence(result, *component, {});
}

TEST_P(CheckedCases, TheRightOneIsAccepted) {
  const GuardedCase test = read_guarded_case(GetParam());
  const auto report = checked(test.right);
  ASSERT_TRUE(report.has_value()) << to_string(report.error());
  EXPECT_TRUE(report->accepted()) << text_of(*report);
}

TEST_P(CheckedCases, TheWrongOnesAreRejected) {
  const GuardedCase test = read_guarded_case(GetParam());
  for (const WrongVariant& wrong : test.wrong) {
    const auto report = checked(wrong.result);
    if (!report) continue; // not even a component
    EXPECT_FALSE(report->rejected.empty()) << wrong.name << " breaks " << wrong.breaks << "\n"
                                           << text_of(*report);
    const bool still = wrong.breaks == "safe"         ? report->safe == Claim::Proved
                       : wrong.breaks == "permissive" ? report->permissive == Claim::Proved
                       : wrong.breaks == "full"       ? report->full == Claim::Proved
                                                : wrong.breaks == "minimal" && report->minimal;
    EXPECT_FALSE(still) << wrong.name << " breaks " << wrong.breaks << "\n" << text_of(*report);
  }
}

INSTANTIATE_TEST_SUITE_P(All, CheckedCases, testing::ValuesIn(guarded_case_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace tacit
