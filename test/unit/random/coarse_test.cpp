// What is proved of a coarser component holds of the component itself, as brute force sees it.
#include <gtest/gtest.h>

#include "check/check.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/same_calls.h"
#include "support/volume.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 1200, sample_count = 60, parts = 2;

class Coarse : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Coarse, ClaimsHoldOfTheWhole) {
  std::size_t proved = 0, open = 0, refused = 0;
  const Seeds seeds = random_seeds(full_count, sample_count);
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += parts) {
    const RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 3 != 0, .bounded_state = true, .compare_maps = false});
    if (random.serial) continue;
    auto module = read_module(random.tir(), "random.tir");
    ASSERT_TRUE(module.has_value()) << "seed " << seed;
    ComponentOptions options = random.options;
    if (options.errors.empty()) options.errors = {"error:*"};
    auto component = build_component(*module, options);
    ASSERT_TRUE(component.has_value()) << "seed " << seed;
    const BruteForce expected = brute_force(*component, false, {.beliefs = 200, .states = 1500});
    if (expected.too_large) continue;
    module->conventions.reducible = true; // only such code is made coarser
    for (Detail detail : {Detail::Flags, Detail::Guards, Detail::Slice}) {
      options.detail = detail;
      auto view = build_component(*module, options);
      ASSERT_TRUE(view.has_value()) << "seed " << seed;
      Budget budget(BudgetLimits{.seconds = 10});
      auto result = find_engine("permissive")->run(*view, {}, budget);
      if (!result) {
        ++refused;
        continue;
      }
      const CheckReport report = check_evidence(result->interface, *view, {});
      Verdict& verdict = result->interface.verdict;
      if (report.safe != Claim::Proved) verdict.safe = Claim::Unknown;
      if (report.permissive != Claim::Proved) verdict.permissive = Claim::Unknown;
      const auto difference = same_calls(expected, result->interface);
      EXPECT_FALSE(difference.has_value())
          << "seed " << seed << ", detail " << static_cast<int>(detail) << "\n"
          << random.options_text() << random.tir() << *difference;
      ++(verdict.permissive == Claim::Proved ? proved : open);
      if (HasFailure()) return;
    }
  }
  fmt::print("{} proved, {} open, {} refused\n", proved, open, refused);
  EXPECT_GT(proved, 0u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Coarse, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
