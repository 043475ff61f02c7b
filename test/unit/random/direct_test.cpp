// The direct engine against brute force on random components: the same calls and outcomes after
// every word, the fewest states, a result file that reads back, evidence that the checker accepts,
// runs that replay. A disagreement is shrunk and printed as `.tir` with its options.
#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/json.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/volume.h"
#include "synthesis/finite/direct.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 2000, sample_count = 150, parts = 5;

/// What went wrong, and the kind of it, which shrinking keeps.
struct Disagreement {
  std::string kind, message;
};

struct Tally {
  std::size_t agreed = 0, too_large = 0, states = 0, refusals = 0, with_must = 0;
};

std::optional<Disagreement> checked(const RandomComponent& random, Tally* tally) {
  const std::string text = random.tir();
  const auto module = read_module(text, "random.tir");
  if (!module) return Disagreement{"read", to_string(module.error())};
  const auto component = build_component(*module, random.options);
  if (!component) return Disagreement{"build", to_string(component.error())};
  const BruteForce expected =
      brute_force(*component, random.serial, {.beliefs = 400, .states = 3000});
  if (expected.too_large) {
    if (tally) ++tally->too_large;
    return std::nullopt;
  }
  Budget budget;
  auto synthesis = synthesise_direct(*component, {.serial = random.serial}, budget);
  if (!synthesis) return Disagreement{"engine", to_string(synthesis.error())};
  Interface& found = synthesis->interface;
  found.tir = text;

  if (auto difference = compare(expected, found)) return Disagreement{"compare", *difference};
  if (const std::size_t fewest = fewest_states(expected); fewest != found.states.size())
    return Disagreement{"fewest",
                        fmt::format("{} states, but {} suffice", found.states.size(), fewest)};
  if (auto wrong = replay_refusals(*component, found)) return Disagreement{"replay", *wrong};

  const std::string json = to_json(found);
  const auto again = read_interface(json, "result.json");
  if (!again) return Disagreement{"json", to_string(again.error())};
  if (to_json(*again) != json)
    return Disagreement{"round trip", "what is read back is written differently"};

  const CheckReport report = check_evidence(found, *component, {});
  if (!report.rejected.empty()) return Disagreement{"rejected", to_string(report.rejected[0])};
  if (!report.unknown.empty()) return Disagreement{"unknown", to_string(report.unknown[0])};
  if (tally) {
    ++tally->agreed;
    tally->states += found.states.size();
    tally->refusals += found.forbidden.size();
    if (!found.evidence.must.empty()) ++tally->with_must;
  }
  return std::nullopt;
}

/// A broken invariant is a disagreement too.
std::optional<Disagreement> disagreement(const RandomComponent& random, Tally* tally = nullptr) {
  try {
    return checked(random, tally);
  } catch (const std::exception& e) {
    return Disagreement{"exception", e.what()};
  }
}

/// A failure with the smallest component that still fails in the same way.
void report(const RandomComponent& random, const Disagreement& wrong) {
  const RandomComponent small = shrink(random, [&](const RandomComponent& c) {
    const auto still = disagreement(c);
    return still && still->kind == wrong.kind;
  });
  ADD_FAILURE() << "seed " << random.seed << ", " << wrong.kind << ": " << wrong.message
                << "\nshrunk: " << disagreement(small)->message
                << "\noptions: " << small.options_text() << "\n"
                << small.tir();
}

class DirectAgainstBruteForce : public testing::TestWithParam<std::uint64_t> {};

TEST_P(DirectAgainstBruteForce, AgreeOnRandomComponents) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  Tally tally;
  int shown = 0;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end && shown < 3;
       seed += parts) {
    const RandomComponent random = random_component(seed);
    const auto wrong = disagreement(random, &tally);
    if (!wrong) continue;
    ++shown;
    report(random, *wrong);
  }
  fmt::print("{} components agree ({} with must-nodes; {} states, {} refusals), {} too large\n",
             tally.agreed, tally.with_must, tally.states, tally.refusals, tally.too_large);
  EXPECT_LE(tally.too_large * 20, seeds.count() / parts + 20)
      << "too many components are too large to compare";
}

INSTANTIATE_TEST_SUITE_P(Seeds, DirectAgainstBruteForce, testing::Range(std::uint64_t{0}, parts));

/// Two maps are equal when they agree on every key, whatever was written to them in which order.
TEST(MapsThatAreCompared, AgreeOnRandomComponents) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  Tally tally;
  int shown = 0;
  for (std::uint64_t seed = seeds.first; seed < seeds.end && shown < 3; ++seed) {
    const RandomComponent random =
        random_component(seed, {.nondeterministic = seed % 3 != 0, .compare_maps = true});
    if (!random.tir().contains("== all(")) continue;
    const auto wrong = disagreement(random, &tally);
    if (!wrong) continue;
    ++shown;
    report(random, *wrong);
  }
  fmt::print("{} components that compare maps agree\n", tally.agreed);
}

} // namespace
} // namespace tacit
