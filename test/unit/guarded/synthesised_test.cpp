// What is found for random components with parameters and results, as a whole: every claim that is
// made as proved holds by the reference, and nearly all that could be claimed is.
#include <algorithm>

#include <gtest/gtest.h>

#include "interface/json.h"
#include "pipeline/synthesise.h"
#include "program/text/read.h"
#include "support/random_guarded.h"
#include "support/reference.h"
#include "support/volume.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 2000, sample_count = 80, parts = 4;
constexpr double seconds_each = 20;

/// An engine claimed something and the second solver contradicted: nothing false is told, but
/// something is wrong. That it could not decide is no contradiction.
bool contradicted(const Verdict& verdict) {
  return std::ranges::any_of(verdict.details, [](const auto& detail) {
    return detail.second.contains("not confirmed by the second solver") &&
           !detail.second.contains("could not decide");
  });
}

class Synthesised : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Synthesised, ClaimsHoldByTheReference) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  std::size_t judged = 0, open = 0, proved = 0, guarded = 0, wrong = 0;
  std::string notes;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += parts) {
    const RandomGuarded random = random_guarded(20'000 + seed);
    const auto module = read_module(random.tir, "random.tir");
    ASSERT_TRUE(module.has_value()) << random.tir << to_string(module.error());
    SynthesisRequest request;
    request.component = random.options;
    request.needs = false;
    Budget budget(BudgetLimits{.seconds = seconds_each});
    const auto answer = synthesise(*module, request, budget);
    const std::string about = fmt::format("seed {}\n{}", 20'000 + seed, random.tir);
    if (!answer && answer.error().message.contains("nothing counts as an error")) continue;
    ASSERT_TRUE(answer.has_value()) << about << to_string(answer.error());
    const Interface& found = answer->interface;
    const ReferenceReport report = judge_interface(found, *answer->component);
    const std::string more = about + to_json(found);
    ASSERT_FALSE(report.malformed.has_value()) << *report.malformed << "\n" << more;
    if (report.failure) continue;
    EXPECT_EQ(report.complaints(found.verdict), "") << more;
    if (testing::Test::HasFailure()) return;
    ++judged;
    guarded += found.guarded();
    const bool all =
        found.verdict.safe == Claim::Proved && found.verdict.permissive == Claim::Proved;
    proved += all;
    wrong += contradicted(found.verdict);
    // What unknown values leave open cannot be claimed by anybody.
    const bool unknown = report.permissive.answer == Judgement::Answer::Open;
    open += unknown && !all;
    if (!all && !unknown) {
      notes += fmt::format("seed {}:", 20'000 + seed);
      for (const auto& [claim, why] : found.verdict.details) notes += " " + claim + ": " + why;
      notes += "\n" + random.tir;
    }
  }
  fmt::print(
      "{}{} judged, {} with conditions, {} proved, {} open by unknown values, {} contradicted\n",
      notes, judged, guarded, proved, open, wrong);
  EXPECT_LE(wrong * 10, judged);
  EXPECT_GE((proved + open) * 10, judged * 9);
}

INSTANTIATE_TEST_SUITE_P(Parts, Synthesised, testing::Range<std::uint64_t>(0, parts));

} // namespace
} // namespace tacit
