#include "interface/diff.h"

#include <functional>

#include <gtest/gtest.h>

#include "unit/interface/examples.h"

namespace tacit {
namespace {

using Words = std::vector<std::string>;

/// Calls and outcomes without the refusals, which only give reasons.
Interface make(std::vector<InterfaceCall> calls, std::size_t states,
               const std::vector<std::tuple<State, std::string, std::string, State>>& transitions) {
  Interface result;
  result.calls = std::move(calls);
  result.constructors = {"C"};
  result.initial = {{"C", 0}};
  result.states.resize(states, {std::vector<bool>(result.calls.size()), ""});
  for (const auto& [from, call, outcome, to] : transitions) {
    const std::size_t c = result.find_call(call).value();
    const auto& outcomes = result.calls[c].outcomes;
    const auto o = static_cast<std::size_t>(std::find(outcomes.begin(), outcomes.end(), outcome) -
                                            outcomes.begin());
    result.transitions.push_back({from, c, o, to, {}, {}});
    result.states[from].allows[c] = true;
  }
  return result;
}

TEST(Diff, OfEqualsIsEmpty) {
  const DiffReport report = diff(test::lock(), test::lock()).value();
  EXPECT_TRUE(report.empty());
  EXPECT_EQ(print_diff(report), "");
}

TEST(Diff, OfTheSameLanguageWithOtherStatesIsEmpty) {
  const Interface one = make({{"a", {"any"}}}, 1, {{0, "a", "any", 0}});
  const Interface two = make({{"a", {"any"}}}, 2, {{0, "a", "any", 1}, {1, "a", "any", 0}});
  EXPECT_TRUE(diff(one, two)->empty());
  const Interface split =
      make({{"a", {"returns", "throws=E"}}}, 1, {{0, "a", "returns", 0}, {0, "a", "throws=E", 0}});
  EXPECT_TRUE(diff(one, split)->empty());
  EXPECT_TRUE(diff(split, two)->empty());
}

TEST(Diff, TellsWhatBecameLegalOrIllegal) {
  const Interface before = test::lock();
  Interface after = test::lock();
  // Unlocking is idempotent now, and a held lock may not be queried.
  after.states[0].allows = {true, true, true};
  after.states[1].allows = {false, true, false};
  after.transitions = {{0, 0, 0, 1, {}, {}},
                       {0, 0, 1, 0, {}, {}},
                       {0, 2, 0, 0, {}, {}},
                       {0, 1, 0, 0, {}, {}},
                       {1, 1, 0, 0, {}, {}}};
  after.forbidden[1] = {State{1}, 2, "assert", "lock.tir:20", {}, {}};
  after.initial.pop_back();
  after.constructors.erase(after.constructors.begin() + 1);
  after.forbidden[0].call = 1;
  std::swap(after.forbidden[1], after.forbidden[2]);
  const DiffReport report = diff(before, after).value();
  EXPECT_EQ(report.constructors_removed, Words{"Lock(bool)"});
  ASSERT_EQ(report.calls.size(), 2u);
  EXPECT_EQ(report.calls[0].call, "query");
  EXPECT_FALSE(report.calls[0].allowed_now);
  EXPECT_EQ(report.calls[0].word, (Words{"lock:returns=true", "query"}));
  EXPECT_EQ(report.calls[1].call, "unlock");
  EXPECT_TRUE(report.calls[1].allowed_now);
  EXPECT_EQ(report.calls[1].word, Words{"unlock"});
  EXPECT_EQ(print_diff(report),
            "constructors removed: Lock(bool)\n"
            "no longer legal:\n"
            "  query: Lock · lock:returns=true · query (assert at lock.tir:20)\n"
            "newly legal:\n"
            "  unlock: Lock · unlock (assert at lock.tir:12)\n");
  // The other way round.
  EXPECT_EQ(print_diff(diff(after, before).value()),
            "constructors added: Lock(bool)\n"
            "no longer legal:\n"
            "  unlock: Lock · unlock (assert at lock.tir:12)\n"
            "newly legal:\n"
            "  query: Lock · lock:returns=true · query (assert at lock.tir:20)\n");
}

TEST(Diff, CallsAreMatchedByName) {
  const Interface before =
      make({{"a", {"any"}}, {"b", {"any"}}}, 1, {{0, "a", "any", 0}, {0, "b", "any", 0}});
  const Interface after = make({{"c", {"any"}}, {"a", {"any"}}}, 1, {{0, "c", "any", 0}});
  const DiffReport report = diff(before, after).value();
  EXPECT_EQ(report.calls_added, Words{"c"});
  EXPECT_EQ(report.calls_removed, Words{"b"});
  ASSERT_EQ(report.calls.size(), 1u);
  EXPECT_EQ(report.calls[0].word, Words{"a"});
  EXPECT_EQ(print_diff(report), "calls added: c\ncalls removed: b\nno longer legal:\n  a: C · a\n");
}

TEST(Diff, AnyMatchesAllOutcomesAndWordsNameTheSplitOnes) {
  const std::vector<InterfaceCall> merged{{"open", {"any"}}, {"read", {"any"}}};
  const std::vector<InterfaceCall> split{{"open", {"returns", "throws=E"}}, {"read", {"any"}}};
  const Interface before = make(merged, 2, {{0, "open", "any", 1}, {1, "read", "any", 1}});
  const Interface after = make(
      split, 3, {{0, "open", "returns", 1}, {0, "open", "throws=E", 2}, {1, "read", "any", 1}});
  const DiffReport report = diff(before, after).value();
  ASSERT_EQ(report.calls.size(), 1u);
  EXPECT_EQ(report.calls[0].word, (Words{"open:throws=E", "read"}));
  EXPECT_EQ(diff(after, before)->calls[0].word, (Words{"open:throws=E", "read"}));
}

TEST(Diff, OutcomesMayAppearAndDisappear) {
  const std::vector<InterfaceCall> calls{{"open", {"returns", "throws=E"}}, {"read", {"any"}}};
  const Interface before = make(calls, 2, {{0, "open", "returns", 1}, {1, "read", "any", 1}});
  const Interface after = make(
      calls, 2, {{0, "open", "returns", 1}, {0, "open", "throws=E", 0}, {1, "read", "any", 1}});
  EXPECT_EQ(print_diff(diff(before, after).value()),
            "newly possible outcomes:\n  open:throws=E: C · open:throws=E\n");
  EXPECT_EQ(print_diff(diff(after, before).value()),
            "outcomes that are gone:\n  open:throws=E: C · open:throws=E\n");
}

TEST(Diff, ConstructorsMayBecomeRefusedOrRenamed) {
  Interface after = test::lock();
  after.initial = {{"Lock", 0}, {"Lock(null)", 0}};
  after.forbidden[0] = {std::nullopt, 1, "assert", "lock.tir:4", {"Lock(bool)"}, {}};
  EXPECT_EQ(print_diff(diff(test::lock(), after).value()),
            "constructor Lock(bool): allowed before, now refused (assert at lock.tir:4)\n"
            "constructor Lock(null): refused before, now allowed (assert at lock.tir:3)\n");

  const Interface one = make({{"a", {"any"}}}, 1, {{0, "a", "any", 0}});
  Interface other = make({{"a", {"any"}}}, 1, {});
  other.constructors = {"D"};
  other.initial = {{"D", 0}};
  EXPECT_EQ(print_diff(diff(one, other).value()),
            "constructors added: D\nconstructors removed: C\nno longer legal:\n  a: D · a\n");
}

TEST(Diff, FindsShortestWordsInLongChains) {
  const Interface before = test::chain(1000);
  Interface after = test::chain(1000);
  after.states[700].allows[2] = true;
  after.transitions.insert(after.transitions.begin() + 703 * 3 - 6, {700, 2, 0, 700, {}, {}});
  std::erase_if(after.forbidden, [](const Refusal& r) { return r.state == 700u; });
  const DiffReport report = diff(before, after).value();
  ASSERT_EQ(report.calls.size(), 1u);
  EXPECT_EQ(report.calls[0].word.size(), 701u);
  EXPECT_EQ(report.calls[0].old_state, 700u);
}

TEST(Diff, OfAbstractionAndInterfaceIsNotOffered) {
  Interface epa = test::lock();
  epa.kind = "epa";
  EXPECT_EQ(diff(test::lock(), epa).error().message,
            "an interface and an enabledness abstraction cannot be compared: the old result is of "
            "kind 'interface', the new one of kind 'epa'");
}

TEST(Diff, OfAbstractionsComparesStatesByWhatTheyEnable) {
  Interface before = test::lock();
  before.kind = "epa";
  EXPECT_TRUE(diff(before, before).value().empty());
  Interface after = before;
  after.transitions.front().uncertain = true;
  EXPECT_EQ(diff(before, after).value().epa_changed.size(), 1u);
  const InterfaceTransition gone = after.transitions.back();
  after.transitions.pop_back();
  const DiffReport report = diff(before, after).value();
  ASSERT_EQ(report.epa_removed.size(), 1u);
  EXPECT_NE(report.epa_removed[0].find(after.calls[gone.call].name), std::string::npos);
  EXPECT_TRUE(report.epa_added.empty());
}

// ---- guarded interfaces

/// The player with one guard, cell, update or condition replaced.
std::string changed(const std::function<void(Interface&)>& change) {
  Interface after = test::player();
  change(after);
  std::string text = print_diff(diff(test::player(), after).value());
  const std::size_t note = text.find("compared on values");
  EXPECT_NE(note, std::string::npos);
  return text.substr(0, note);
}

TEST(GuardedDiff, EqualInterfacesDoNotDiffer) {
  const DiffReport report = diff(test::player(), test::player()).value();
  EXPECT_TRUE(report.empty());
  EXPECT_FALSE(report.bounded.empty());
  // A counter without bound is not compared to the end.
  EXPECT_NE(report.bounded.find("not to the end"), std::string::npos) << report.bounded;
}

TEST(GuardedDiff, AStrongerGuardBreaksAClient) {
  EXPECT_EQ(changed([](Interface& i) {
              for (ArgumentGuard& guard : i.guards)
                if (guard.call == 1) guard.condition = "0 <= ms && ms < d";
            }),
            "no longer legal:\n"
            "  seek: Player(1) · load(\"a\", 0) · seek(0) (Range at player.tir:9)\n");
  EXPECT_EQ(changed([](Interface& i) {
              for (ArgumentGuard& guard : i.guards)
                if (guard.call == 1) guard.condition = "0 <= ms && ms <= d + 1";
            }),
            "newly legal:\n"
            "  seek: Player(1) · load(\"a\", 0) · seek(1) (Range at player.tir:9)\n");
}

TEST(GuardedDiff, UpdatesShowInTheGuardsThatReadThem) {
  EXPECT_EQ(changed([](Interface& i) {
              for (InterfaceTransition& t : i.transitions)
                if (t.call == 2) t.set["n"] = "n + 2";
            }),
            "newly legal:\n"
            "  close: Player(1) · open · close · close\n");
  EXPECT_EQ(changed([](Interface& i) {
              for (InterfaceTransition& t : i.transitions)
                if (t.call == 4) t.set.clear();
            }),
            "no longer legal:\n"
            "  speed: Player(1) · speed(Fast) · speed(Slow)\n"
            "newly legal:\n"
            "  speed: Player(1) · speed(Fast) · speed(Fast)\n");
}

TEST(GuardedDiff, ConstructorsAreComparedByTheirConditions) {
  EXPECT_EQ(changed([](Interface& i) { i.initial[0].when = "2 <= limit"; }),
            "constructor Player(1): allowed before, now refused\n");
  EXPECT_EQ(changed([](Interface& i) { i.initial[0].when = ""; }),
            "constructor Player(0): refused before, now allowed\n");
}

TEST(GuardedDiff, CellsThatChangeShowAsOutcomes) {
  EXPECT_EQ(changed([](Interface& i) {
              for (InterfaceTransition& t : i.transitions)
                if (t.call == 1) t.when = t.outcome == 0 ? "ms <= d" : "d < ms";
            }),
            "outcomes that are gone:\n"
            "  seek:returns=false: Player(1) · load(\"a\", 0) · seek(0)=false\n"
            "newly possible outcomes:\n"
            "  seek:returns=true: Player(1) · load(\"a\", 0) · seek(0)=true\n");
}

TEST(GuardedDiff, AGuardWhereThereWasNone) {
  EXPECT_EQ(changed([](Interface& i) {
              std::erase_if(i.guards, [](const ArgumentGuard& g) { return g.call == 3; });
            }),
            "newly legal:\n"
            "  close: Player(1) · close\n");
  Interface open = test::player();
  open.tracked.clear();
  open.guards.clear();
  for (InterfaceTransition& t : open.transitions) t.when.clear(), t.set.clear();
  open.initial[0].when.clear();
  open.initial[0].set.clear();
  const std::string text = print_diff(diff(open, test::player()).value());
  EXPECT_NE(text.find("constructor Player(0): allowed before, now refused"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  close: Player(1) · close\n"), std::string::npos) << text;
}

TEST(GuardedDiff, WhatCannotBeEvaluatedIsNoDifference) {
  // The client may write `ready` between calls, and no word tells what it wrote.
  Interface client = test::player();
  client.tir += "client state ready : bool\n";
  for (InterfaceTransition& t : client.transitions)
    if (t.call == 2 && t.from == 0) t.when = "ready";
  InterfaceTransition other = client.transitions[2];
  other.when = "!ready";
  other.to = 1;
  client.transitions.insert(client.transitions.begin() + 3, other);
  client.guards.push_back({1, 2, "ready"});
  const DiffReport report = diff(client, client).value();
  EXPECT_TRUE(report.empty()) << print_diff(report);
  EXPECT_NE(report.bounded.find("could not be evaluated"), std::string::npos);
  // Nor is it where one side may take a cell and the other may not.
  Interface later = client;
  std::erase_if(client.transitions,
                [](const InterfaceTransition& t) { return t.when == "!ready"; });
  std::erase_if(later.transitions, [](const InterfaceTransition& t) { return t.when == "ready"; });
  EXPECT_TRUE(diff(client, later)->empty()) << print_diff(*diff(client, later));
}

} // namespace
} // namespace tacit
