// Fields of references that nothing tells apart become variables; all others stay.
#include "program/reduce/attach_fields.h"

#include <gtest/gtest.h>

#include "program/text/print.h"
#include "runs.h"

namespace tacit {
namespace {

Module attached(const char* text) {
  Module module = module_from(text);
  attach_fields(module);
  EXPECT_EQ(problems(module), "") << print_module(module);
  return module;
}

TEST(AttachFields, LengthOfAnArgumentIsAChoiceOfTheClient) {
  const Module module = attached(R"(component C
record array { length : int [0..9] }
state room : int [0..9] = 5
method put(b : ref) {
  if (b == null) throw Null;
  if (array.length[b] > room) error Full;
  room := room - array.length[b];
  return;
}
exception Null
)");
  EXPECT_EQ(module.find_state("array.length"), nullptr) << print_module(module);
  const Procedure& put = procedure(module, "put");
  ASSERT_EQ(put.parameters.size(), 2u);
  EXPECT_EQ(put.parameters[1].name(), "array.length[b]");
  EXPECT_EQ(run_of(module, "put", {1, 5}), "returned; room=0");
  EXPECT_EQ(run_of(module, "put", {1, 6}), "error Full; room=5");
}

TEST(AttachFields, WhatIsStoredKeepsItsField) {
  const Module module = attached(R"(component C
record array { length : int [0..9] }
state buffer : ref = null
method set(b : ref, other : ref) { var x : ref; x := other == null ? b : other; buffer := x; return; }
method use() { if (buffer == null) error Missing; if (array.length[buffer] == 0) error Empty; return; }
method clear() { buffer := null; return; }
)");
  EXPECT_EQ(module.find_state("array.length"), nullptr);
  ASSERT_NE(module.find_state("array.length[buffer]"), nullptr) << print_module(module);
  const Interpreter interpreter(module);
  auto after = [&](std::vector<Value> inputs) {
    const ConcreteState start = *interpreter.initial({});
    const ProcedureRun set = interpreter.run(procedure(module, "set"), start, inputs);
    EXPECT_EQ(set.how, RunEnd::Returned);
    return interpreter.run(procedure(module, "use"), set.after, {}).how;
  };
  // b, other, and the lengths of both.
  EXPECT_EQ(after({Value(1), Value(0), Value(0), Value(3)}), RunEnd::Erred);
  EXPECT_EQ(after({Value(1), Value(0), Value(3), Value(0)}), RunEnd::Returned);
  EXPECT_EQ(after({Value(1), Value(2), Value(0), Value(3)}), RunEnd::Returned);
  EXPECT_EQ(after({Value(1), Value(2), Value(3), Value(0)}), RunEnd::Erred);
}

TEST(AttachFields, ComparedReferencesAndWrittenFieldsStay) {
  const Module compared = attached(R"(component C
record array { length : int [0..9] }
state mine : ref = null
method set(b : ref) { if (b == mine) error Again; if (array.length[b] == 0) error Empty; mine := b; return; }
)");
  EXPECT_NE(compared.find_state("array.length"), nullptr);
  const Module written = attached(R"(component C
record array { length : int [0..9] }
method set(b : ref) { if (array.length[b] == 0) error Empty; array.length[b] := 0; return; }
)");
  EXPECT_NE(written.find_state("array.length"), nullptr);
  const Module linked = attached(R"(component C
record Node { next : ref Node, size : int }
state head : ref Node = null
method pop() { if (head == null) error Empty; if (head.size == 0) error Small; head := head.next; return; }
)");
  EXPECT_NE(linked.find_state("Node.size"), nullptr);
}

} // namespace
} // namespace tacit
