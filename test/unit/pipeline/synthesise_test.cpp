// The whole way: claims are confirmed or withdrawn, the component that comes back is the one that
// the evidence is about, and a run leaves nothing behind for the next.
#include "pipeline/synthesise.h"

#include <gmock/gmock.h>

#include <thread>

#include "interface/json.h"
#include "pipeline/recheck.h"
#include "unit/pipeline/subjects.h"

namespace tacit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SynthesisAnswer answer_of(const Module& module, const SynthesisRequest& request) {
  Budget budget(BudgetLimits{.seconds = 60});
  auto answer = synthesise(module, request, budget);
  EXPECT_TRUE(answer) << to_string(answer.error());
  return std::move(*answer);
}

std::string without_figures(Interface interface) {
  interface.stats = {};
  return to_json(interface);
}

TEST(Synthesise, ProvesAndChecks) {
  const Module lock = read(lock_text);
  std::vector<std::string> phases;
  SynthesisRequest request;
  request.sources = {"lock.tir"};
  request.phase = [&](const std::string& text) { phases.push_back(text); };
  const SynthesisAnswer answer = answer_of(lock, request);
  EXPECT_TRUE(answer.settled);
  ASSERT_TRUE(answer.check);
  EXPECT_TRUE(answer.check->accepted());
  EXPECT_EQ(answer.interface.verdict.full, Claim::Proved);
  EXPECT_EQ(answer.interface.states.size(), 2u);
  EXPECT_EQ(answer.interface.sources, request.sources);
  EXPECT_THAT(phases,
              ElementsAre("engine auto", HasSubstr("opaque callees"), HasSubstr("second solver")));
  // What is written down is enough to check it again.
  auto again = check_evidence(answer.interface, {});
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->accepted());
}

TEST(Synthesise, AllEnginesAgreeOnTheLock) {
  const Module lock = read(lock_text);
  for (const Engine& engine : engines()) {
    const SynthesisAnswer answer = answer_of(lock, {.engine = engine.name});
    EXPECT_TRUE(answer.settled) << engine.name;
    EXPECT_EQ(answer.interface.states.size(), 2u) << engine.name;
    EXPECT_EQ(answer.interface.verdict.permissive, Claim::Proved) << engine.name;
  }
}

TEST(Synthesise, RunsDoNotDependOnEachOther) {
  const SynthesisRequest request{.engine = "permissive"};
  const std::string first = without_figures(answer_of(read(two_text), request).interface);
  answer_of(read(lock_text), {});
  EXPECT_EQ(without_figures(answer_of(read(two_text), request).interface), first);
}

TEST(Synthesise, SeveralThreads) {
  const SynthesisRequest request{.engine = "permissive"};
  const std::string alone = without_figures(answer_of(read(two_text), request).interface);
  std::string found[2];
  {
    std::vector<std::jthread> threads;
    for (std::string& text : found)
      threads.emplace_back(
          [&] { text = without_figures(answer_of(read(two_text), request).interface); });
  }
  for (const std::string& text : found) EXPECT_EQ(text, alone);
}

TEST(Synthesise, NothingIsClaimedWithoutACheck) {
  SynthesisRequest request;
  request.check = false;
  request.parts = Decomposition::BySlices;
  const SynthesisAnswer answer = answer_of(read(two_text), request);
  EXPECT_FALSE(answer.settled);
  EXPECT_FALSE(answer.check);
  ASSERT_EQ(answer.interface.parts.size(), 2u);
  for (const Interface* each : {&answer.interface, &answer.interface.parts[0].interface,
                                &answer.interface.parts[1].interface}) {
    EXPECT_EQ(each->verdict.safe, Claim::Unknown);
    EXPECT_EQ(each->verdict.permissive, Claim::Unknown);
    EXPECT_EQ(each->verdict.full, Claim::Unknown);
    EXPECT_THAT(each->verdict.details.at("safe"), HasSubstr("not re-checked"));
  }
}

TEST(Synthesise, PartsAreCheckedAndCompared) {
  for (const Decomposition by : {Decomposition::ByErrors, Decomposition::BySlices}) {
    SynthesisRequest request;
    request.parts = by;
    const SynthesisAnswer answer = answer_of(read(two_text), request);
    EXPECT_EQ(answer.interface.states.size(), 4u);
    EXPECT_EQ(answer.interface.verdict.details.at("decomposition"),
              "the product of the parts allows the same calls");
    ASSERT_EQ(answer.interface.parts.size(), 2u);
    for (const InterfacePart& part : answer.interface.parts) {
      // By errors, the other one still is the end of a run: it tells states apart.
      EXPECT_EQ(part.interface.states.size(), by == Decomposition::BySlices ? 2u : 4u) << part.name;
      EXPECT_EQ(part.interface.verdict.permissive, Claim::Proved) << part.name;
      EXPECT_GT(part.interface.stats.count("check_obligations"), 0u) << part.name;
      EXPECT_EQ(part.interface.tir, answer.interface.tir);
    }
  }
}

/// As if a front end had written it, with much that no error depends on.
Module lowered_with_ballast() {
  constexpr int pieces = 5200; // too much to be looked at whole
  std::string ballast;
  for (int i = 0; i < pieces; ++i) ballast += "  havoc total;\n";
  Module module = read(("component Counting\n"
                        "state open : bool = false\n"
                        "state total : int = 0\n"
                        "method start() { if (open) error Twice; open := true; return; }\n"
                        "method add(n : int) : bool {\n  if (!open) error Closed;\n" +
                        ballast + "  return total > 5;\n}\n")
                           .c_str());
  module.language = "c";
  module.conventions.reducible = true;
  return module;
}

TEST(Synthesise, TheComponentIsTheViewThatWasProved) {
  const SynthesisAnswer answer =
      answer_of(lowered_with_ballast(), {.component = {.errors = {"error:*"}}});
  EXPECT_TRUE(answer.settled);
  EXPECT_EQ(answer.interface.states.size(), 2u);
  EXPECT_NE(answer.interface.options.detail, Detail::All);
  EXPECT_EQ(answer.component->options().detail, answer.interface.options.detail);
  EXPECT_TRUE(check_evidence(answer.interface, *answer.component, {}).accepted());
}

TEST(Synthesise, OnlyAnEngineWithViewsTakesThem) {
  Module lowered = read(counting_text);
  lowered.language = "c";
  const SynthesisAnswer answer = answer_of(lowered, {.engine = "permissive"});
  EXPECT_TRUE(answer.settled);
  EXPECT_EQ(answer.component->options().detail, Detail::All);
}

TEST(Synthesise, ABudgetThatRunsOutIsNoError) {
  Budget budget(BudgetLimits{.queries = 1});
  const Module module = read(counting_text);
  auto answer = synthesise(module, {.engine = "permissive"}, budget);
  ASSERT_TRUE(answer) << to_string(answer.error());
  EXPECT_FALSE(answer->settled);
  EXPECT_NE(answer->interface.verdict.permissive, Claim::Proved);
}

TEST(Synthesise, BadRequestsFailBeforeTheWork) {
  Budget budget;
  bool started = false;
  SynthesisRequest request{.engine = "direct", .predicates = {"nonsense &&"}};
  request.phase = [&](const std::string&) { started = true; };
  const Module lock = read(lock_text);
  auto answer = synthesise(lock, request, budget);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("--predicate"));
  EXPECT_FALSE(started);
}

TEST(Synthesise, InputPredicatesAreRead) {
  const Module module = read(counting_text);
  for (const char* engine : {"permissive", "game"}) {
    Budget budget;
    EXPECT_FALSE(synthesise(module, {.engine = engine, .predicates = {"nonsense &&"}}, budget));
    const SynthesisAnswer answer = answer_of(module, {.engine = engine, .predicates = {"open"}});
    EXPECT_EQ(answer.interface.verdict.permissive, Claim::Proved) << engine;
  }
}

TEST(Synthesise, ASeedSavesIterations) {
  const Module module = read(counting_text);
  for (const char* engine : {"permissive", "maymust"}) {
    const SynthesisAnswer plain = answer_of(module, {.engine = engine});
    SynthesisRequest request{.engine = engine};
    request.seed = std::make_shared<const Interface>(plain.interface);
    const SynthesisAnswer seeded = answer_of(module, request);
    EXPECT_TRUE(seeded.settled) << engine;
    EXPECT_LE(seeded.interface.stats.count("iterations"), plain.interface.stats.count("iterations"))
        << engine;
  }
}

TEST(Recheck, WhatIsNotConfirmedIsNotClaimed) {
  const Module lock = read(lock_text);
  SynthesisAnswer answer = answer_of(lock, {});
  Interface wrong = answer.interface;
  for (std::string& label : wrong.evidence.safe) label = "true";
  Budget budget;
  const auto report = recheck(wrong, *answer.component, budget);
  ASSERT_TRUE(report);
  EXPECT_FALSE(report->accepted());
  EXPECT_EQ(wrong.verdict.safe, Claim::Unknown);
  EXPECT_THAT(wrong.verdict.details.at("safe"), HasSubstr("not confirmed by the second solver"));
}

TEST(Recheck, AProofOfRefusalsThatDoesNotHoldTakesNothingFromSafety) {
  const Module coin = read(R"(
component Coin
state heads : bool = false
state n : int [0..3] = 0
method toss() { havoc heads; n := 0; return; }
method count() { if (n < 3) { n := n + 1; } return; }
method spend() { if (heads) error bad; return; }
)");
  SynthesisAnswer answer = answer_of(coin, {.engine = "permissive"});
  Interface& wrong = answer.interface;
  ASSERT_EQ(wrong.verdict.permissive, Claim::Proved);
  ASSERT_FALSE(wrong.evidence.must.empty());
  for (MustNode& node : wrong.evidence.must) node.predicate = "heads && n == 1";
  Budget budget;
  const auto report = recheck(wrong, *answer.component, budget);
  ASSERT_TRUE(report);
  EXPECT_EQ(wrong.verdict.safe, Claim::Proved);
  EXPECT_EQ(wrong.verdict.permissive, Claim::Unknown);
  EXPECT_THAT(wrong.verdict.details.at("permissive"), HasSubstr("must-node 0"));
  EXPECT_TRUE(wrong.evidence.must.empty());
}

TEST(Recheck, EvidenceThatWasLeftOutIsSaid) {
  const Module lock = read(lock_text);
  SynthesisAnswer answer = answer_of(lock, {});
  answer.interface.evidence = {.omitted = true};
  Budget budget;
  EXPECT_FALSE(recheck(answer.interface, *answer.component, budget));
  EXPECT_EQ(answer.interface.verdict.safe, Claim::Proved);
  EXPECT_THAT(answer.interface.verdict.details.at("evidence"), HasSubstr("left out for size"));
}

} // namespace
} // namespace tacit
