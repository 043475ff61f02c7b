// References become Boolean exactly when nothing but null is ever compared with them.
#include "program/reduce/nullness.h"

#include <gtest/gtest.h>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"
#include "program/ir/verify.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {
namespace {

Module abstracted(const char* text) {
  auto module = read_module(text, "test.tir");
  EXPECT_TRUE(module) << to_string(module.error());
  abstract_nullness(*module);
  EXPECT_TRUE(verify(*module).empty()) << print_module(*module);
  return std::move(*module);
}

TEST(Nullness, ComparedWithNullOnly) {
  const Module module = abstracted(R"(component C
record R { }
state impl : ref = null
method make(given : ref) { var x : ref; x := new R; impl := given == null ? x : given; return; }
method use() { if (impl == null) error Missing; return; }
)");
  const StateVariable* impl = module.find_state("impl != null");
  ASSERT_NE(impl, nullptr) << print_module(module);
  EXPECT_TRUE(is_false(impl->initial));
  EXPECT_EQ(module.state.size(), 1u);
}

TEST(Nullness, AnAddressThatMattersStays) {
  const Module module = abstracted(R"(component C
state a : ref = null
state b : ref = null
state c : ref = null
method set(x : ref) { a := x; return; }
method copy() { b := a; return; }
method use() { if (b == c) error Same; if (a == null) error Missing; return; }
)");
  EXPECT_NE(module.find_state("a"), nullptr);
  EXPECT_NE(module.find_state("b"), nullptr);
  EXPECT_NE(module.find_state("c"), nullptr);
}

TEST(Nullness, KeysOfMapsStay) {
  const Module module = abstracted(R"(component C
record Node { next : ref Node }
state head : ref Node = null
method pop() { if (head == null) error Empty; head := head.next; return; }
)");
  EXPECT_NE(module.find_state("head"), nullptr);
}

TEST(Nullness, ReadsAndPrintsAsTheComparison) {
  const Module module = abstracted(R"(component C
state impl : ref = null
state open : bool = false
method use() { if (impl == null || !open) error Missing; return; }
)");
  const Term impl = module.find_state("impl != null")->term;
  TermArena& arena = *module.arena;
  const Term open = module.find_state("open")->term;
  for (const auto& [term, text] : {std::pair<Term, std::string>{impl, "impl != null"},
                                   {arena.negate(impl), "impl == null"},
                                   {arena.conj(open, arena.negate(impl)), "open && impl == null"},
                                   {arena.eq(open, impl), to_string(arena.eq(open, impl))}}) {
    EXPECT_EQ(to_string(term), text);
    const auto read =
        parse_expression(text, "label", arena, ModuleScope(module), arena.bool_sort());
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(*read, term) << text;
  }
  // As a target it keeps its name, and the module reads back.
  const std::string text = print_module(module);
  auto again = read_module(text, "again.tir");
  ASSERT_TRUE(again) << to_string(again.error()) << text;
  EXPECT_EQ(print_module(*again), text);
}

} // namespace
} // namespace tacit
