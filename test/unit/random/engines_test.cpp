// Every engine against brute force on random components. The exact engines, explicit and symbolic,
// must find the very automaton that `direct` does; the permissive engine the same allowed calls
// after every word that can happen, as far as it claims proof.
#include <deque>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "check/check.h"
#include "program/read.h"
#include "support/brute_force.h"
#include "support/random_component.h"
#include "support/volume.h"
#include "synthesis/engine.h"

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

/// Calls allowed after words that can happen; the interface may list outcomes that cannot.
std::optional<std::string> same_calls(const BruteForce& expected, const Interface& found) {
  const Component& component = *expected.component;
  const bool safe = found.verdict.safe == Claim::Proved;
  const bool permissive = found.verdict.permissive == Claim::Proved;
  struct Pair {
    std::size_t belief;
    State state;
    std::string word;
  };
  std::deque<Pair> work;
  std::set<std::pair<std::size_t, State>> seen;
  for (std::size_t k = 0; k < expected.start.size(); ++k)
    for (const InitialState& i : found.initial)
      if (i.constructor == component.constructors()[k].name && expected.start[k] &&
          seen.insert({*expected.start[k], i.state}).second)
        work.push_back({*expected.start[k], i.state, i.constructor});
  while (!work.empty()) {
    const Pair at = work.front();
    work.pop_front();
    for (std::size_t c = 0; c < component.calls().size(); ++c) {
      const bool here = found.states[at.state].allows[c],
                 there = expected.beliefs[at.belief].allowed[c];
      const std::string word = at.word + " " + component.calls()[c].name;
      if (safe && here && !there) return word + ": allowed, but it may err";
      if (permissive && !here && there) return word + ": refused, but it cannot err";
      if (!here || !there) continue;
      for (const auto& [outcome, next] : expected.beliefs[at.belief].next[c]) {
        const std::string& name = component.calls()[c].outcomes[outcome];
        State to = no_state;
        for (const InterfaceTransition& t : found.transitions)
          if (t.from == at.state && t.call == c &&
              (found.calls[c].outcomes[t.outcome] == "any" ||
               found.calls[c].outcomes[t.outcome] == name))
            to = t.to;
        if (to == no_state) return word + ": no transition for " + name;
        if (seen.insert({next, to}).second) work.push_back({next, to, word + ":" + name});
      }
    }
  }
  return std::nullopt;
}

class Engines : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Engines, AgreeWithBruteForceAndEachOther) {
  const std::uint64_t count = full_volume() ? full_count : sample_count;
  std::size_t compared = 0, proved = 0, open = 0, withdrawn = 0, refused = 0;
  for (std::uint64_t seed = GetParam(); seed < count; seed += parts) {
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
    if (random.serial) continue;
    Budget budget(BudgetLimits{.seconds = 20});
    auto result = find_engine("permissive")->run(made->component, {}, budget);
    if (!result) {
      ++refused; // loops, angelic arguments
      continue;
    }
    const auto difference = same_calls(expected, result->interface);
    EXPECT_FALSE(difference.has_value()) << "seed " << seed << ", permissive\n"
                                         << random.options_text() << made->tir << *difference;
    // A claim that the checker does not confirm is withdrawn by `tacit synth`.
    if (!check_evidence(result->interface, made->component, {}).accepted())
      ++withdrawn;
    else
      ++(result->interface.verdict.permissive == Claim::Proved ? proved : open);
    if (HasFailure()) return;
  }
  fmt::print("{} results of exact engines agree; permissive: {} proved, {} open, {} not confirmed, "
             "{} refused\n",
             compared, proved, open, withdrawn, refused);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Engines, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
