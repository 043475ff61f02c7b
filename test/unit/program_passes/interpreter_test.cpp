// The reference semantics: each kind of statement and each way to end.
#include "program/ir/interpreter.h"

#include <gtest/gtest.h>

#include "runs.h"

namespace tacit {
namespace {

TEST(Interpreter, RunsAssignmentsBranchesAndLoops) {
  const Module module = module_from(R"(
component C
state x : int = 0
method sum(n : int) : int { var i : int; while (i < n) { i := i + 1; x := x + i; } return x; }
)");
  EXPECT_EQ(run_of(module, "sum", {4}), "returned 10; x=10");
  EXPECT_EQ(run_of(module, "sum", {-4}), "returned 0; x=0");
}

TEST(Interpreter, NamesTheInputThatIsMissing) {
  const Module module = module_from(R"(
component C
state x : int [0..3] = 0
method m(p : bool) { havoc x; var u : int; havoc unknown u; return; }
)");
  const Interpreter interpreter(module);
  const Procedure& m = procedure(module, "m");
  const ConcreteState start = *interpreter.initial({});
  const std::vector<Value> inputs{1, 2};

  auto run = interpreter.run(m, start, {});
  EXPECT_EQ(run.how, RunEnd::NeedsInput);
  EXPECT_EQ(run.needs->name(), "p");
  EXPECT_EQ(run.chooser, Chooser::Client);

  run = interpreter.run(m, start, std::span(inputs).first(1));
  EXPECT_EQ(run.needs->name(), "x");
  EXPECT_EQ(run.chooser, Chooser::Environment);
  EXPECT_EQ(run.used, 1u);

  run = interpreter.run(m, start, inputs);
  EXPECT_EQ(run.needs->name(), "u");
  EXPECT_EQ(run.chooser, Chooser::Unknown);
}

TEST(Interpreter, ValuesOutsideARangeBlock) {
  const Module module = module_from(R"(
component C
state x : int [0..3] = 0
state t : map [int [0..1]] int [0..1] = all(0)
procedure p(a : int [0..1]) : int { return a + 5; }
method set(v : int) { x := v; return; }
method given(v : int [0..1]) { return; }
method pass(v : int) { call p(v); return; }
method take() { x := call p(0); return; }
method put(v : int) { t[0] := v; return; }
method any() { havoc x; return; }
)");
  EXPECT_EQ(run_of(module, "set", {3}), "returned; x=3, t={otherwise: 0}");
  EXPECT_EQ(run_of(module, "set", {4}), "blocked");
  EXPECT_EQ(run_of(module, "given", {2}), "blocked");
  EXPECT_EQ(run_of(module, "pass", {2}), "blocked");
  EXPECT_EQ(run_of(module, "take"), "blocked");
  EXPECT_EQ(run_of(module, "put", {1}), "returned; x=0, t={otherwise: 0, 0: 1}");
  EXPECT_EQ(run_of(module, "put", {2}), "blocked");
  EXPECT_EQ(run_of(module, "any", {4}), "blocked");
}

TEST(Interpreter, LocalsStartAsTheDefaultOfTheirType) {
  const Module module = module_from(R"(
component C
enum E { A, B }
state s : int = 0
method m() : int { var a : int; var b : int [3..9]; var c : int [..-2]; var d : E; var e : ref; var f : bool;
  assume d == A && e == null && !f; return a + 10 * b + 100 * c; }
)");
  EXPECT_EQ(run_of(module, "m"), "returned -170; s=0");
}

TEST(Interpreter, FollowsCallsAndHandlers) {
  const Module module = module_from(R"(
component C
exception Base
exception Sub : Base
exception Other
state x : int = 0
procedure fail(k : int) : int { x := x + 1; if (k == 0) throw Sub; if (k == 1) throw Other; return k; }
procedure middle(k : int) : int { var r : int; try { r := call fail(k); } catch (Other) { throw Base; } return r; }
method m(k : int) : int {
  var r : int; var e : exception;
  try { r := call middle(k); } catch (Base e) { if (e == Sub) return -1; return -2; }
  return r;
}
method leaves(k : int) { call fail(k); return; }
method asserts(k : int) { assert k > 0; error Named; }
)");
  EXPECT_EQ(run_of(module, "m", {0}), "returned -1; x=1");
  EXPECT_EQ(run_of(module, "m", {1}), "returned -2; x=1");
  EXPECT_EQ(run_of(module, "m", {7}), "returned 7; x=1");
  EXPECT_EQ(run_of(module, "leaves", {1}), "threw Other; x=1");
  EXPECT_EQ(run_of(module, "leaves", {2}), "returned; x=1");
  EXPECT_EQ(run_of(module, "asserts", {0}), "error assert; x=0");
  EXPECT_EQ(run_of(module, "asserts", {1}), "error Named; x=0");
}

TEST(Interpreter, AllocatesFreshAddresses) {
  const Module module = module_from(R"(
component C
record Node { next : ref Node, item : int }
state head : ref Node = null
method push(v : int) { var n : ref Node; n := new Node; n.next := head; n.item := v; head := n; return; }
method top() : int { return head.item; }
)");
  const Interpreter interpreter(module);
  const Value maps[] = {const_map(Value(0)), const_map(Value(0))};
  ConcreteState state = *interpreter.initial(maps);
  EXPECT_EQ(interpreter.uninitialised().size(), 2u);
  EXPECT_FALSE(interpreter.initial({}).has_value());
  for (const int v : {5, 8}) {
    const Value input = v;
    const auto run = interpreter.run(procedure(module, "push"), state, {&input, 1});
    ASSERT_EQ(run.how, RunEnd::Returned);
    EXPECT_EQ(run.after.next_reference, state.next_reference + 1);
    state = run.after;
  }
  EXPECT_EQ(interpreter.run(procedure(module, "top"), state, {}).value, Value(8));
}

TEST(Interpreter, GivesUpAtTheStepLimitAndOnHugeNumbers) {
  const Module module = module_from(R"(
component C
state x : int = 2
method forever() { while (true) { x := x; } return; }
method deep() { call deep(); return; }
method square() { while (true) { x := x * x; } return; }
)");
  EXPECT_EQ(run_of(module, "forever"), "gave up: step limit of 100000");
  EXPECT_EQ(run_of(module, "deep"), "gave up: step limit of 100000");
  EXPECT_TRUE(run_of(module, "square").starts_with("gave up: a number"));
}

TEST(Interpreter, RunsAProcedureThatIsNotInTheModule) {
  const Module module =
      module_from("component C\nstate x : int = 1\nmethod m() : int { return x; }");
  const Procedure copy = procedure(module, "m");
  const Interpreter interpreter(module);
  EXPECT_EQ(interpreter.run(copy, *interpreter.initial({}), {}).value, Value(1));
}

TEST(Interpreter, WhatIsHandedInIsNotFresh) {
  const Module module = module_from(R"(
component C
record Node { item : int }
state kept : ref Node = null
method same(given : ref Node) : bool { var made : ref Node; made := new Node; return made == given; }
method later() : bool { var some : ref Node; var made : ref Node; havoc some; made := new Node; return made == some; }
)");
  const Interpreter interpreter(module);
  const Value map = const_map(Value(0));
  const ConcreteState state = *interpreter.initial({&map, 1});
  for (const char* name : {"same", "later"}) {
    const Value given = state.next_reference;
    EXPECT_EQ(interpreter.run(procedure(module, name), state, {&given, 1}).value, Value(0)) << name;
  }
}

} // namespace
} // namespace tacit
