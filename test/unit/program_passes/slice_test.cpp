// Slicing keeps what conditions depend on and nothing else.
#include "program/reduce/slice.h"

#include <gtest/gtest.h>

#include "program/ir/verify.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {
namespace {

Module sliced(const char* text) {
  auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  slice(*module);
  EXPECT_TRUE(verify(*module).empty()) << print_module(*module);
  return std::move(*module);
}

TEST(Slice, DropsStateThatNoConditionReads) {
  const Module module = sliced(R"(component C
state open : bool = false
state count : int = 0
state last : int = 0
method use() { count := count + 1; last := count; if (!open) error Closed; return; }
method start() { open := true; last := 3; return; }
)");
  EXPECT_NE(module.find_state("open"), nullptr);
  EXPECT_EQ(module.find_state("count"), nullptr);
  EXPECT_EQ(module.find_state("last"), nullptr);
}

TEST(Slice, FollowsAssignments) {
  const Module module = sliced(R"(component C
state a : int = 0
state b : int = 0
state c : int = 0
method use() { if (a > 0) error Bad; a := b; return; }
method set() { b := c; c := 1; return; }
)");
  EXPECT_EQ(module.state.size(), 3u);
}

TEST(Slice, KeepsInvariantsAndAssumptions) {
  const Module module = sliced(R"(component C
state a : int = 0
state b : int = 0
invariant a >= 0
method use() { assume b > 0; b := 1; a := 2; return; }
)");
  EXPECT_EQ(module.state.size(), 2u);
}

TEST(Slice, BranchesThatDecideNothingGo) {
  const Module module = sliced(R"(component C
state a : int = 0
state x : int = 0
method use() { if (a > 0) x := 1; else x := 2; return; }
)");
  EXPECT_TRUE(module.state.empty());
  EXPECT_EQ(module.procedures[0].blocks.size(), 1u);
}

TEST(Slice, AChoiceThatMustSucceedIsNone) {
  const Module module = sliced(R"(component C
state a : int = 0
method use() { var fails : bool; havoc fails; if (fails) assume false; if (a > 0) error Bad; return; }
)");
  EXPECT_TRUE(module.procedures[0].locals.empty()) << print_module(module);
  EXPECT_EQ(module.state.size(), 1u);
}

} // namespace
} // namespace tacit
