// Loops that only count: without the loop they do the same, for all inputs.
#include "program/reduce/count.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "program/graph/call_graph.h"
#include "random_module.h"
#include "runs.h"

namespace tacit {
namespace {

bool has_loop(const Procedure& procedure) {
  return std::ranges::count(blocks_in_cycles(procedure), true) > 0;
}

/// Compares all runs; those that do not end should be blocked.
std::size_t compare(const Module& before, const Module& after) {
  const Interpreter original(before, 3'000), changed(after, 3'000);
  std::size_t runs = 0;
  for (std::size_t i = 0; i < before.procedures.size(); ++i) {
    const Procedure& method = before.procedures[i];
    const ConcreteState start = *original.initial({});
    each_run(
        original, method, start, [&](const std::vector<Value>& inputs, const ProcedureRun& run) {
          const ProcedureRun other = changed.run(after.procedures[i], start, inputs);
          if (run.how == RunEnd::GaveUp)
            EXPECT_EQ(other.how, RunEnd::Blocked) << method.name;
          else
            EXPECT_EQ(describe(before, method, run), describe(after, method, other)) << method.name;
          ++runs;
        });
  }
  return runs;
}

TEST(CountingLoops, DoTheSameWithoutTheLoop) {
  const Module module = module_from(R"(
component C
state i : int = 0
state k : int = 3
state b : int [-128..127] = 5
method up(n : int [-2..4]) { i := 0; while (i < n) { i := i + 1; k := k + 2; } return; }
method up_to(n : int [-2..4]) { i := 1; while (i <= n) { k := k - 1; i := i + 1; } return; }
method down(n : int [-2..4]) { i := n; while (i > 0) { i := i - 1; k := 1 + k; } return; }
method down_to(n : int [-2..4]) { i := n; while (0 <= i) { i := i - 1; } return; }
method meets(n : int [-2..4]) { i := n; while (i != 2) { i := i + 1; k := k - 3; } return; }
method back(n : int [-2..4]) { i := n; while (!(i == 0)) { i := i - 1; } return; }
method narrow(n : int [120..127]) { b := 119; while (b < n) { b := s8(b + 1); k := k + 1; } return; }
method full(n : int [126..129]) { b := 119; while (b < n) { b := s8(b + 1); } return; }
method around(n : int [250..255]) { var u : int; u := n; while (u != 3) { u := u8(u + 1); k := k + 1; } i := u; return; }
method other_wraps(n : int [0..4]) { i := 0; b := 125; while (i < n) { i := i + 1; b := s8(b + 1); } return; }
)");
  Module changed = clone(module);
  close_counting_loops(changed);
  EXPECT_EQ(problems(changed), "");
  for (const Procedure& p : changed.procedures) EXPECT_FALSE(has_loop(p)) << p.name;
  EXPECT_GT(compare(module, changed), 60);
}

TEST(CountingLoops, OthersAreLeft) {
  const Module module = module_from(R"(
component C
state i : int = 0
state k : int = 3
state has : map [int] bool
method by_two(n : int [0..4]) { i := 0; while (i < n) { i := i + 2; } return; }
method bound_moves() { i := 0; while (i < k) { i := i + 1; k := k - 1; } return; }
method feeds(n : int [0..4]) { i := 0; while (i < n) { i := i + 1; k := k + i; } return; }
method writes(n : int [0..4]) { i := 0; while (i < n) { has[i] := true; i := i + 1; } return; }
method twice(n : int [0..4]) { i := 0; while (i < n) { i := i + 1; i := i + 1; } return; }
method any() { var go : bool; go := true; while (go) { i := i + 1; havoc go; } return; }
method away(n : int [0..4]) { i := 0; while (i < n) { i := i - 1; } return; }
)");
  Module changed = clone(module);
  close_counting_loops(changed);
  for (const Procedure& p : changed.procedures) EXPECT_TRUE(has_loop(p)) << p.name;
}

} // namespace
} // namespace tacit
