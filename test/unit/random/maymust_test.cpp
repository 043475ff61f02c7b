// The may-must engine against brute force on random components: the same allowed calls after every
// word that can happen, wherever it claims proof; and it must claim proof nearly always. All ways
// to refine take turns, and both learners.
#include <gtest/gtest.h>

#include "check/check.h"
#include "program/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/same_calls.h"
#include "support/volume.h"
#include "synthesis/engine.h"

namespace tacit {
namespace {

// About a fifth is left out: too large for brute force, or for infinite words.
constexpr std::uint64_t full_count = 1300, sample_count = 60, parts = 4;

class MayMustRandom : public testing::TestWithParam<std::uint64_t> {};

TEST_P(MayMustRandom, AgreesWithBruteForce) {
  const std::uint64_t count = full_volume() ? full_count : sample_count;
  std::size_t proved = 0, open = 0, withdrawn = 0, refused = 0;
  std::string notes;
  for (std::uint64_t seed = GetParam(); seed < count; seed += parts) {
    const RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 3 != 0, .bounded_state = true, .compare_maps = false});
    if (random.serial) continue;
    const std::string text = random.tir();
    auto module = read_module(text, "random.tir");
    ASSERT_TRUE(module.has_value()) << "seed " << seed;
    auto component = build_component(*module, random.options);
    ASSERT_TRUE(component.has_value()) << "seed " << seed;
    const BruteForce expected = brute_force(*component, false, {.beliefs = 200, .states = 1500});
    if (expected.too_large) continue;
    Budget budget(BudgetLimits{.seconds = 20});
    const auto& [refinement, name] = refinements[seed % 7 < 4 ? 3 : seed % 3];
    const SynthesisOptions how{.learner = seed % 5 ? LearnerKind::Tree : LearnerKind::Table,
                               .refinement = refinement};
    auto result = find_engine("maymust")->run(*component, how, budget);
    const std::string label =
        fmt::format("seed {} {}\n{}{}", seed, name, random.options_text(), text);
    if (!result) {
      ++refused;
      notes += fmt::format("seed {} refused: {}\n", seed, to_string(result.error()));
      continue;
    }
    const auto difference = same_calls(expected, result->interface);
    EXPECT_FALSE(difference.has_value()) << label << *difference;
    // A claim that the checker does not confirm is withdrawn by `tacit synth`.
    const CheckReport report = check_evidence(result->interface, *component, {});
    if (!report.accepted()) {
      ++withdrawn;
      notes +=
          fmt::format("seed {} not confirmed: {}\n", seed,
                      to_string(report.rejected.empty() ? report.unknown[0] : report.rejected[0]));
    } else if (result->interface.verdict.permissive == Claim::Proved) {
      ++proved;
    } else {
      ++open;
      notes +=
          fmt::format("seed {} open: {}\n", seed, result->interface.verdict.details["permissive"]);
    }
    if (HasFailure()) return;
  }
  fmt::print("{}{} proved, {} open, {} not confirmed, {} refused\n", notes, proved, open, withdrawn,
             refused);
  EXPECT_EQ(withdrawn + refused, 0u);
  EXPECT_LE(open * 50, proved);
}

INSTANTIATE_TEST_SUITE_P(Seeds, MayMustRandom, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
