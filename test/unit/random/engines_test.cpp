// The exact engines against brute force on random components: explicit and symbolic, they must find
// the very automaton that `direct` does.

#include <gtest/gtest.h>

#include "check/check.h"
#include "program/text/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/volume.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 2000, sample_count = 60, parts = 4;

struct Prepared {
  std::string tir;
  Component component;
  BruteForce expected;
};

std::optional<Prepared> prepared(const RandomComponent& random) {
  const std::string text = random.tir();
  auto module = read_module(text, "random.tir");
  if (!module) return std::nullopt;
  auto component = build_component(*module, random.options);
  if (!component) return std::nullopt;
  Prepared made{text, std::move(*component), {}};
  return made;
}

/// The automaton without labels and runs, nor which error is shown where a call may err in several
/// ways.
std::string automaton_text(const Interface& found) {
  std::string text;
  for (const InitialState& i : found.initial) text += fmt::format("{}>{};", i.constructor, i.state);
  for (const InterfaceTransition& t : found.transitions)
    text += fmt::format("{} {}:{} {};", t.from, found.calls[t.call].name,
                        found.calls[t.call].outcomes[t.outcome], t.to);
  for (const Refusal& r : found.forbidden)
    text += fmt::format("{}!{} {};", r.state ? static_cast<int>(*r.state) : -1, r.call,
                        fmt::join(r.word, " "));
  return text;
}

class Engines : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Engines, AgreeWithBruteForceAndEachOther) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  std::size_t compared = 0;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += parts) {
    // Integers without bounds are beyond the symbolic representation.
    const RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 3 != 0, .bounded_state = true, .compare_maps = false});
    auto made = prepared(random);
    ASSERT_TRUE(made.has_value()) << "seed " << seed;
    const BruteForce expected =
        brute_force(made->component, random.serial, {.beliefs = 200, .states = 1500});
    if (expected.too_large) continue;
    std::optional<std::string> reference;
    for (const char* engine : {"direct", "learn", "cegar"})
      for (Representation representation : {Representation::Explicit, Representation::Bdd}) {
        Budget budget;
        auto result = find_engine(engine)->run(
            made->component, {.serial = random.serial, .representation = representation}, budget);
        const std::string label =
            fmt::format("seed {}, {} on {}\n{}{}", seed, engine,
                        representation == Representation::Bdd ? "bdd" : "explicit",
                        random.options_text(), made->tir);
        if (!result && result.error().message.contains("too many valuations")) continue;
        ASSERT_TRUE(result.has_value()) << label << to_string(result.error());
        const auto difference = compare(expected, result->interface);
        EXPECT_FALSE(difference.has_value()) << label << *difference;
        if (!reference) reference = automaton_text(result->interface);
        EXPECT_EQ(*reference, automaton_text(result->interface)) << label;
        const CheckReport report = check_evidence(result->interface, made->component, {});
        EXPECT_TRUE(report.rejected.empty()) << label << to_string(report.rejected[0]);
        ++compared;
        if (HasFailure()) return;
      }
  }
  fmt::print("{} results of exact engines agree\n", compared);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Engines, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
