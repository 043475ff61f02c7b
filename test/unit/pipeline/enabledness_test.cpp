// Enabledness abstractions come out checked, with the program that they are about.
#include "pipeline/enabledness.h"

#include <gmock/gmock.h>

#include "check/check.h"
#include "program/text/print.h"
#include "unit/pipeline/subjects.h"

namespace tacit {
namespace {

using testing::HasSubstr;

TEST(Enabledness, CheckedAndAnnotated) {
  const Module lock = read(lock_text);
  const std::string before = print_module(lock);
  for (int again = 0; again < 2; ++again) {
    Budget budget;
    auto answer = abstract_enabledness(lock, {.sources = {"lock.tir"}}, budget);
    ASSERT_TRUE(answer) << to_string(answer.error());
    EXPECT_TRUE(answer->settled);
    EXPECT_EQ(answer->interface.states.size(), 2u);
    EXPECT_GT(answer->interface.stats.count("check_obligations"), 0u);
    EXPECT_TRUE(check_evidence(answer->interface, *answer->component, {}).accepted());
    EXPECT_THAT(print_module(answer->annotated), HasSubstr("requires"));
  }
  EXPECT_EQ(print_module(lock), before);
}

TEST(Enabledness, WithoutACheckItIsSaid) {
  Budget budget;
  const Module lock = read(lock_text);
  auto answer = abstract_enabledness(lock, {.check = false}, budget);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_THAT(answer->interface.verdict.details.at("check"), HasSubstr("not re-checked"));
}

} // namespace
} // namespace tacit
