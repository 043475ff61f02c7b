// The passes that make a library's code small: what is irrelevant goes away, what is known is put
// in, loops are peeled, and the one object behind a handle becomes plain variables.
#include <gtest/gtest.h>

#include "program/graph/unroll.h"
#include "program/reduce/focus.h"
#include "program/reduce/peel.h"
#include "program/reduce/propagate.h"
#include "program/reduce/relevance.h"
#include "program/text/print.h"
#include "runs.h"

namespace tacit {
namespace {

bool mentions(const Module& module, const std::string& text) {
  return print_module(module).find(text) != std::string::npos;
}

std::size_t loops_in(const Module& module, const std::string& name) {
  const auto flat =
      unroll(procedure(module, name), [](BlockId) { return std::size_t{0}; }, SIZE_MAX);
  EXPECT_TRUE(flat.has_value());
  return flat ? flat->loops.size() : 0;
}

// Relevance.

constexpr const char* adler = R"(component C
state mode : int [0..2] = 0
state sum : int = 0
method put(n : int [0..9]) : int [0..1] {
  var i : int;
  if (mode != 1) return 1;
  while (i < n) { sum := sum + i; i := i + 1; }
  return 0;
}
method open() { mode := 1; return; }
)";

TEST(Relevance, DropsDataAndTheLoopsOverThem) {
  Module module = module_from(adler);
  EXPECT_TRUE(keep_relevant(module, {}));
  EXPECT_EQ(problems(module), "") << print_module(module);
  EXPECT_FALSE(mentions(module, "sum :=")) << print_module(module);
  EXPECT_EQ(loops_in(module, "put"), 0U);
  EXPECT_EQ(run_of(module, "put", {3}), "returned 1; mode=0, sum=0");
}

TEST(Relevance, KeepsWhatMattersInItself) {
  Module module = module_from(adler);
  keep_relevant(module, {.state = {"sum"}});
  EXPECT_TRUE(mentions(module, "sum :=")) << print_module(module);
  EXPECT_EQ(loops_in(module, "put"), 1U);
}

TEST(Relevance, KeepsALoopThatDecidesAnOutcome) {
  Module module = module_from(R"(component C
state left : int [0..9] = 0
method drain(n : int [0..9]) : int [0..1] {
  while (left < n) { left := left + 1; }
  if (left == 9) return 1;
  return 0;
}
)");
  keep_relevant(module, {});
  EXPECT_EQ(loops_in(module, "drain"), 1U) << print_module(module);
  EXPECT_EQ(run_of(module, "drain", {9}), "returned 1; left=9");
}

TEST(Relevance, ChecksOfOwnErrorsCountOnlyWhereAsked) {
  constexpr const char* text = R"(component C
state data : int [0..9] = 0
method put(n : int [0..9]) { data := n; if (data == 5) error Five; return; }
)";
  Module counted = module_from(text), dropped = module_from(text);
  keep_relevant(counted, {.errors = true});
  EXPECT_EQ(run_of(counted, "put", {5}), "error Five; data=5");
  EXPECT_TRUE(keep_relevant(dropped, {.errors = false}));
  EXPECT_FALSE(mentions(dropped, "Five")) << print_module(dropped);
}

// What is known.

TEST(Propagate, ABranchThatIsDecidedGoesAway) {
  Module module = module_from(R"(component C
state a : int [0..9] = 0
method m(n : int [0..9]) {
  if (n == 3) { if (n == 3) a := 1; else error Never; }
  assume n != 4;
  if (n == 4) error Never;
  return;
}
)");
  propagate(module);
  EXPECT_EQ(problems(module), "");
  EXPECT_FALSE(mentions(module, "Never")) << print_module(module);
  EXPECT_EQ(run_of(module, "m", {3}), "returned; a=1");
}

TEST(Propagate, WhatIsWrittenIsNoLongerKnown) {
  Module module = module_from(R"(component C
state a : int [0..9] = 0
method m() { if (a == 0) { a := a + 1; if (a == 0) error Never; if (a == 1) error Always; } return; }
)");
  propagate(module);
  EXPECT_EQ(run_of(module, "m", {}), "error Always; a=1");
}

TEST(Propagate, DoesNotEnterALoopInTheMiddle) {
  // On both ways to the head it is known which half comes first.
  Module module = module_from(R"(component C
state a : int [0..9] = 0
method m(n : int [0..9]) {
  var second : bool;
  var i : int [0..9];
  second := n == 1;
  if (n == 1) second := true; else second := false;
L:
  if (second) { if (i >= 5) return; i := i + 1; second := false; goto L; }
  a := 1;
  second := true;
  goto L;
}
)");
  propagate(module);
  EXPECT_EQ(loops_in(module, "m"), 1U) << print_module(module);
  EXPECT_EQ(run_of(module, "m", {0}), "returned; a=1");
}

// Peeling.

TEST(Peel, ALoopThatRunsOnceIsGone) {
  Module module = module_from(R"(component C
state a : int [0..9] = 0
method m(n : int [0..9]) {
  var again : bool;
  again := true;
  while (again) { again := false; if (n > 5) a := 1; }
  return;
}
)");
  ASSERT_EQ(loops_in(module, "m"), 1U);
  peel_loops(module, false, 100);
  EXPECT_EQ(problems(module), "");
  EXPECT_EQ(loops_in(module, "m"), 0U) << print_module(module);
  EXPECT_EQ(run_of(module, "m", {6}), "returned; a=1");
  EXPECT_EQ(run_of(module, "m", {5}), "returned; a=0");
}

TEST(Peel, OtherLoopsStayAsTheyAre) {
  constexpr const char* text = R"(component C
state a : int [0..9] = 0
method m(n : int [0..9]) { while (a < n) a := a + 1; return; }
)";
  Module module = module_from(text);
  const std::string before = print_module(module);
  peel_loops(module, false, 100);
  EXPECT_EQ(print_module(module), before);
}

TEST(Peel, LoopsRememberWhatWasBeforeThem) {
  Module module = module_from(R"(component C
state a : int [0..9] = 3
method m(n : int [0..9]) { while (a < n) a := a + 1; return; }
)");
  remember_before_loops(module);
  EXPECT_EQ(problems(module), "");
  EXPECT_TRUE(mentions(module, "before.a := a")) << print_module(module);
  EXPECT_EQ(run_of(module, "m", {5}), "returned; a=5");
}

// The one object behind a handle.

TEST(Focus, TheObjectBehindAHandleBecomesVariables) {
  Module module = module_from(R"(component C
record S { mode : int [0..9] }
state s : ref S = null
method init() { var x : ref S; x := new S; S.mode[x] := 1; s := x; return; }
method step() { assume s != null; if (S.mode[s] != 1) error Mode; S.mode[s] := 2; return; }
method done() { s := null; return; }
)");
  EXPECT_EQ(focus(module), 1U);
  EXPECT_NE(module.find_state("s.mode"), nullptr) << print_module(module);
  EXPECT_EQ(module.find_state("S.mode"), nullptr);
}

TEST(Focus, TwoObjectsStayApart) {
  Module module = module_from(R"(component C
record S { mode : int [0..9] }
state s : ref S = null
state t : ref S = null
method step() { assume s != null; S.mode[s] := 2; return; }
method other() { assume t != null; if (S.mode[t] == 2) error Mode; return; }
)");
  EXPECT_EQ(focus(module), 0U);
  EXPECT_NE(module.find_state("S.mode"), nullptr);
}

TEST(Focus, WhoeverLeavesBeforeMakingAnObjectLeavesTheOneBefore) {
  Module module = module_from(R"(component C
record S { mode : int [0..9] }
state s : ref S = null
method init(n : int [0..9]) { var x : ref S; if (n == 0) return; x := new S; S.mode[x] := n; s := x; return; }
method step() { assume s != null; if (S.mode[s] != 1) error Mode; S.mode[s] := 2; return; }
method done() { s := null; return; }
)");
  EXPECT_EQ(focus(module), 1U);
  EXPECT_NE(module.find_state("s.mode"), nullptr) << print_module(module);
  // Nobody reads the fields of no object: clients may know what they hold.
  EXPECT_TRUE(mentions(module, "s.mode := 0")) << print_module(module);
}

TEST(Focus, AnObjectThatIsMadeAndThrownAwayIsAnother) {
  Module module = module_from(R"(component C
record S { mode : int [0..9] }
state s : ref S = null
method init(n : int [0..9]) { var x : ref S; x := new S; S.mode[x] := n; if (n == 0) return; s := x; return; }
method step() { assume s != null; if (S.mode[s] != 1) error Mode; S.mode[s] := 2; return; }
)");
  EXPECT_EQ(focus(module), 0U);
  EXPECT_NE(module.find_state("S.mode"), nullptr);
}

} // namespace
} // namespace tacit
