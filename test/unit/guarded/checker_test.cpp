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

TEST_P(CheckedCases, TheRightOneIsAccepted) {
  const GuardedCase test = read_guarded_case(GetParam());
  const auto report = check_evidence(test.right, {});
  ASSERT_TRUE(report.has_value()) << to_string(report.error());
  EXPECT_TRUE(report->accepted()) << text_of(*report);
}

TEST_P(CheckedCases, TheWrongOnesAreRejected) {
  const GuardedCase test = read_guarded_case(GetParam());
  for (const WrongVariant& wrong : test.wrong) {
    const auto report = check_evidence(wrong.result, {});
    if (!report) continue; // not even a component
    EXPECT_FALSE(report->rejected.empty())
        << wrong.name << " breaks " << wrong.breaks << "\n" << text_of(*report);
    if (wrong.breaks == "safe") EXPECT_NE(report->safe, Claim::Proved) << wrong.name;
    if (wrong.breaks == "permissive") EXPECT_NE(report->permissive, Claim::Proved) << wrong.name;
    if (wrong.breaks == "full") EXPECT_NE(report->full, Claim::Proved) << wrong.name;
    if (wrong.breaks == "minimal") EXPECT_FALSE(report->minimal) << wrong.name;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CheckedCases, testing::ValuesIn(guarded_case_names()),
                         [](const auto& one) { return one.param; });

} // namespace
} // namespace tacit
