// Machine integers, and reads of maps: terms that stay small.
#include "program/reduce/wraps.h"

#include <gtest/gtest.h>

#include "logic/term/print.h"
#include "logic/term/reads.h"
#include "runs.h"

namespace tacit {
namespace {

TEST(Wraps, ConversionsStayWhereArithmeticIsTakenNotToOverflow) {
  Module module = module_from(R"(
component C
state x : int = 0
method add() { x := s32(x + 1); return; }
method narrow() { x := s8(x); return; }
method both() { x := u16(s32(x + 1)); return; }
)");
  EXPECT_TRUE(drop_wraps(module));
  const auto value = [&](const char* name) {
    return to_string(procedure(module, name).blocks[0].statements[0].value);
  };
  EXPECT_EQ(value("add"), "x + 1");
  EXPECT_EQ(value("narrow"), "s8(x)");
  EXPECT_EQ(value("both"), "u16(x + 1)");
}

TEST(Wraps, WhatIsReturnedFitsItsTypeAndIsNotAskedOtherwise) {
  Module module = module_from(R"(
component C
method size(len : int [0..18446744073709551615]) : int {
  var r : int;
  r := u32(len) >= 2147483648 ? u32(len) - 4294967296 : u32(len);
  return r;
}
method asked(len : int [0..18446744073709551615]) : int {
  var r : int;
  r := u32(len) >= 2147483648 ? u32(len) - 4294967296 : u32(len);
  if (r < 0) return -1;
  return r;
}
method count(most : int) : int {
  var n : int;
  n := 0;
  while (n < most) n := u64(n + 1);
  return n;
}
)");
  drop_wraps(module);
  const auto first = [&](const char* name) {
    return to_string(procedure(module, name).blocks[0].statements[0].value);
  };
  EXPECT_EQ(first("size"), "len");
  EXPECT_NE(first("asked"), "len");
  EXPECT_EQ(procedure(module, "count").find_local("n")->type.low, Integer{0});
}

TEST(Wraps, StayWhereOneStepPassesTheLimit) {
  Module module = module_from(R"(
component C
state x : int [0..4294967295] = 0
state far : int [0..4294967295] = 4294967295
state small : int [0..255] = 0
method product() { x := u32(x * 2); return; }
method count() { x := u32(x + 1); return; }
method at_the_limit() { x := u32(far + 1); return; }
method fits() { x := u32(small * 2 + 1); return; }
)");
  EXPECT_TRUE(drop_wraps(module));
  const auto value = [&](const char* name) {
    return to_string(procedure(module, name).blocks[0].statements[0].value);
  };
  EXPECT_EQ(value("product"), "u32(x * 2)");
  EXPECT_EQ(value("count"), "x + 1");
  EXPECT_EQ(value("at_the_limit"),
            "far + 1 < 0 ? far + 4294967297 : far + 1 > 4294967295 ? far - 4294967295 : far + 1");
  EXPECT_EQ(value("fits"), "small * 2 + 1");
}

TEST(Wraps, ConstantsAddUp) {
  TermArena arena;
  const Term x = arena.var("x", arena.int_sort());
  Term t = x;
  for (int i = 0; i < 5; ++i) t = arena.wrap(32, true, arena.add(t, arena.integer(1)));
  EXPECT_EQ(to_string(t), "s32(x + 5)");
  // A narrower one inside matters.
  EXPECT_EQ(to_string(arena.wrap(32, true, arena.add(arena.wrap(8, true, x), arena.integer(1)))),
            "s32(s8(x) + 1)");
}

TEST(Reads, SharedPartsOfConditionalMapsAreReadOnce) {
  TermArena arena;
  const Sort ref = arena.ref_sort(), number = arena.int_sort();
  Term map = arena.var("m", arena.map_sort(ref, number));
  for (int i = 0; i < 60; ++i) {
    const std::string at = std::to_string(i);
    const Term stored = arena.store(map, arena.var("k" + at, ref), arena.integer(i));
    map = arena.ite(arena.var("c" + at, arena.bool_sort()), stored, map);
  }
  // Without memory this has 2^60 reads.
  EXPECT_NE(push_reads(arena, arena.select(map, arena.var("k", ref))), nullptr);
}

} // namespace
} // namespace tacit
