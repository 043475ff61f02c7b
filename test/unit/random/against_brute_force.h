// An engine over predicates against brute force on random components: the same allowed calls after
// every word that can happen, wherever it claims proof; and it must claim proof nearly always.
#pragma once

#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "check/check.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/same_calls.h"
#include "support/volume.h"
#include "synthesis/engines.h"

namespace tacit {

/// Every `step`-th of the seeds, from the one at `part`. About a fifth is left out: too large for
/// brute force, or for infinite words.
inline void expect_agreement(const std::string& engine, std::uint64_t part, std::uint64_t step,
                             Seeds seeds,
                             const std::function<SynthesisOptions(std::uint64_t seed)>& how) {
  std::size_t proved = 0, open = 0, withdrawn = 0, refused = 0;
  std::string notes;
  for (std::uint64_t seed = seeds.first + part; seed < seeds.end; seed += step) {
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
    auto result = find_engine(engine)->run(*component, how(seed), budget);
    const std::string label =
        fmt::format("{}, seed {}\n{}{}", engine, seed, random.options_text(), text);
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
    if (testing::Test::HasFailure()) return;
  }
  fmt::print("{}{} proved, {} open, {} not confirmed, {} refused\n", notes, proved, open, withdrawn,
             refused);
  EXPECT_EQ(withdrawn + refused, 0u);
  EXPECT_LE(open * 50, proved);
}

} // namespace tacit
