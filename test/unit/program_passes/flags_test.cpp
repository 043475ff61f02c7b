// Numbers that are sets of flags become truths; all others stay what they are.
#include "program/reduce/flags.h"

#include <gtest/gtest.h>

#include "logic/term/print.h"
#include "runs.h"

namespace tacit {
namespace {

constexpr const char* flags = R"(
component C
state f : int [0..4294967295] = 2
method open() { f := f + 1 - f % 2; return; }
method clear() { f := f % 2 + f / 4 * 4; return; }
method set() { f := 5; return; }
method keep() { f := f / 2 % 2 * 2; return; }
method is_open() : bool { return f % 2 != 0; }
method is_two() : bool { return f / 2 % 2 * 2 != 0; }
)";

TEST(Flags, BitsAreSetClearedAndKept) {
  Module module = module_from(flags);
  split_flags(module, {});
  ASSERT_EQ(module.find_state("f"), nullptr);
  ASSERT_NE(module.find_state("f.bit0"), nullptr);
  EXPECT_EQ(to_string(module.find_state("f.bit0")->initial), "false");
  EXPECT_EQ(to_string(module.find_state("f.bit1")->initial), "true");
  const auto written = [&](const char* name) {
    std::string text;
    for (const Statement& s : procedure(module, name).blocks[0].statements)
      text += to_string(s.target) + " := " + to_string(s.value) + "; ";
    return text;
  };
  EXPECT_EQ(written("open"), "f.bit0 := true; ");
  EXPECT_EQ(written("clear"), "f.bit1 := false; ");
  EXPECT_EQ(written("set"), "f.bit0 := true; f.bit1 := false; ");
  EXPECT_EQ(written("keep"), "f.bit0 := false; ");
}

TEST(Flags, CountersAndWholeNumbersStay) {
  for (const char* use : {"f := f + 1;", "if (f > 2) return;", "f := g;", "f := f - 1;"}) {
    Module module = module_from("component C\nstate f : int [0..7] = 0\nstate g : int [0..7] = 0\n"
                                "method odd() : bool { return f % 2 != 0; }\nmethod m() { " +
                                std::string(use) + " return; }\n");
    split_flags(module, {});
    EXPECT_NE(module.find_state("f"), nullptr) << use;
  }
}

TEST(Flags, WhatIsNamedStays) {
  Module module = module_from(flags);
  split_flags(module, {"f"});
  EXPECT_NE(module.find_state("f"), nullptr);
}

} // namespace
} // namespace tacit
