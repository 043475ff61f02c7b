// Random guarded interfaces, most of them mutants of right ones: what the checker confirms holds by
// the reference, and it confirms nearly all that holds.
#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/json.h"
#include "program/text/read.h"
#include "support/guarded_evidence.h"
#include "support/random_guarded.h"
#include "support/reference.h"
#include "support/volume.h"

namespace tacit {
namespace {

struct Made {
  RandomGuarded random;
  Component component;
  Interface right;
};

std::optional<Made> make(std::uint64_t seed) {
  RandomGuarded random = random_guarded(seed);
  const auto module = read_module(random.tir, "random.tir");
  EXPECT_TRUE(module.has_value()) << random.tir << to_string(module.error());
  if (!module) return std::nullopt;
  auto component = build_component(*module, random.options);
  EXPECT_TRUE(component.has_value()) << random.tir << to_string(component.error());
  if (!component) return std::nullopt;
  auto right = right_interface(random, *component);
  if (!right) return std::nullopt;
  return Made{std::move(random), std::move(*component), std::move(*right)};
}

// The reference and the enumeration of right interfaces were written apart.
TEST(RandomGuardedInterfaces, RightOnesAreRight) {
  std::size_t judged = 0, open = 0;
  for (std::uint64_t seed = 0; seed < (full_volume() ? 3000 : 300); ++seed) {
    const auto made = make(seed);
    if (!made) continue;
    const ReferenceReport report = judge_interface(made->right, made->component);
    const std::string about = made->random.tir + to_json(made->right);
    ASSERT_FALSE(report.malformed.has_value()) << *report.malformed << "\n" << about;
    ASSERT_FALSE(report.failure.has_value()) << *report.failure << "\n" << about;
    EXPECT_TRUE(report.safe.holds()) << seed << ": " << to_string(report.safe) << "\n" << about;
    EXPECT_NE(report.permissive.answer, Judgement::Answer::Fails)
        << seed << ": " << to_string(report.permissive) << "\n"
        << about;
    ++judged;
    open += report.permissive.answer == Judgement::Answer::Open;
    if (testing::Test::HasFailure()) return;
  }
  fmt::print("{} judged, {} of them open by unknown values\n", judged, open);
  EXPECT_GE(judged, 100u);
}

struct Tally {
  std::size_t claims = 0, hold = 0, confirmed = 0;
};

void compare(Tally& tally, const char* claim, const Judgement& judged, bool confirmed,
             const std::string& about) {
  ++tally.claims;
  tally.hold += judged.holds();
  tally.confirmed += confirmed;
  EXPECT_TRUE(judged.holds() || !confirmed)
      << claim << " was confirmed, but " << to_string(judged) << "\n"
      << about;
}

/// All claims of one interface.
void compare_all(std::map<std::string, Tally>& tallies, std::string& notes, Interface result,
                 const Component& component, const std::string& about) {
  give_evidence(result, component);
  const ReferenceReport reference = judge_interface(result, component);
  ASSERT_FALSE(reference.malformed.has_value()) << *reference.malformed << "\n" << about;
  if (reference.failure) return;
  const CheckReport report = check_evidence(result, component, {.max_findings = 10'000});
  const std::string more = about + to_json(result);
  compare(tallies["safe"], "safe", reference.safe, report.safe == Claim::Proved, more);
  compare(tallies["permissive"], "permissive", reference.permissive,
          report.permissive == Claim::Proved, more);
  compare(tallies["full"], "full", reference.full, report.full == Claim::Proved, more);
  // The reference looks at legal words only, so of others it cannot say what they are good for.
  if (reference.safe.holds())
    compare(tallies["minimal"], "minimal", reference.minimal, report.minimal, more);
  const auto open = [&](const char* claim, const Judgement& judged, bool confirmed) {
    if (!judged.holds() || confirmed) return;
    notes +=
        fmt::format("{}: {} holds and was not confirmed", about.substr(0, about.find('\n')), claim);
    for (const auto* list : {&report.rejected, &report.unknown})
      if (!list->empty()) notes += ": " + to_string(list->front());
    notes += "\n";
  };
  open("safe", reference.safe, report.safe == Claim::Proved);
  open("permissive", reference.permissive, report.permissive == Claim::Proved);
  open("full", reference.full, report.full == Claim::Proved);
}

TEST(RandomGuardedInterfaces, TheCheckerAgreesWithTheReference) {
  const std::size_t wanted = full_volume() ? 3000 : 120;
  std::map<std::string, Tally> tallies;
  std::string notes;
  for (std::uint64_t seed = 5000; tallies["safe"].claims < wanted; ++seed) {
    const auto made = make(seed);
    if (!made) continue;
    // Most are too simple to go wrong in an interesting way.
    const ReferenceReport right = judge_interface(made->right, made->component);
    if (right.nodes < 3 && seed % 8 != 0) continue;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 4; ++i) {
      GuardedMutant mutant{made->right, "nothing"};
      if (i > 0) mutant = mutate_guarded(made->right, made->component, random);
      mutant.result.verdict.minimal = true;
      compare_all(tallies, notes, mutant.result, made->component,
                  fmt::format("seed {}, {}\n{}", seed, mutant.change, made->random.tir));
      if (testing::Test::HasFailure()) return;
    }
  }
  fmt::print("{}", notes);
  for (const auto& [claim, tally] : tallies)
    fmt::print("{}: {} claims, {} hold, {} confirmed\n", claim, tally.claims, tally.hold,
               tally.confirmed);
  // A claim is decided when it is confirmed, or when it does not hold and is not.
  for (const char* claim : {"safe", "permissive"}) {
    const Tally& tally = tallies[claim];
    EXPECT_LE((tally.hold - tally.confirmed) * 20, tally.claims) << claim;
  }
}

} // namespace
} // namespace tacit
