// Unfolding recursion keeps behaviour, and settles recursion that arguments end.
#include "program/reduce/unfold.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "program/reduce/inline.h"
#include "program/text/print.h"
#include "random_module.h"
#include "runs.h"

namespace tacit {
namespace {

const char* const recursive = R"(
component C
state x : int = 0
procedure down(n : int) : int { var r : int; if (n <= 0) { return 0; } r := call down(n - 1); x := x + 1; return r + 1; }
procedure even(n : int) : bool { var r : bool; if (n <= 0) { return true; } r := call odd(n - 1); return r; }
procedure odd(n : int) : bool { var r : bool; if (n <= 0) { return false; } r := call even(n - 1); return r; }
method three() : int { var r : int; r := call down(3); return r; }
method any_depth(n : int [0..6]) : int { var r : int; r := call down(n); return r; }
method parity(n : int [0..6]) : bool { var r : bool; r := call even(n); return r; }
method itself(n : int [0..6]) { if (n > 0) { call itself(n - 1); } x := x * 2 + n; return; }
)";

TEST(Unfold, KeepsWhatMethodsDo) {
  const Module module = module_from(recursive);
  Module changed = clone(module);
  unfold_recursion(changed);
  EXPECT_EQ(problems(changed), "");
  EXPECT_GT(changed.procedures.size(), module.procedures.size());
  const Interpreter original(module, 5'000), unfolded(changed, 5'000);
  std::size_t runs = 0;
  for (std::size_t i = 0; i < module.procedures.size(); ++i) {
    const Procedure& method = module.procedures[i];
    if (method.kind != ProcedureKind::Method) continue;
    const ConcreteState start = *original.initial({});
    each_run(original, method, start,
             [&](const std::vector<Value>& inputs, const ProcedureRun& run) {
               const ProcedureRun other = unfolded.run(changed.procedures[i], start, inputs);
               EXPECT_EQ(describe(module, method, run), describe(changed, method, other));
               ++runs;
             });
  }
  EXPECT_EQ(runs, 22);
}

TEST(Unfold, WhatTheLastLevelDoesIsASummary) {
  Module module = module_from(recursive);
  unfold_recursion(module);
  inline_calls(module);
  const auto three = std::ranges::find(module.procedures, "three", &Procedure::name);
  const Interpreter interpreter(module, 5'000);
  // No choice of what the summary may do makes a difference: the fourth level is the last.
  const ProcedureRun run = interpreter.run(*three, *interpreter.initial({}), {});
  EXPECT_EQ(run.how, RunEnd::Returned);
  EXPECT_NE(describe(module, *three, run).find("3"), std::string::npos);
}

TEST(Unfold, LargeCyclesStayAsTheyAre) {
  Module module = module_from(recursive);
  const std::string before = print_module(module);
  unfold_recursion(module, {.levels = 4, .blocks = 1});
  EXPECT_EQ(print_module(module), before);
}

} // namespace
} // namespace tacit
