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

/// `f & 1 << k` as the front end has it.
Module with_positions(const std::string& initial, const std::string& more) {
  const std::string at = "(k == 0 && f % 2 != 0 || k == 1 && f / 2 % 2 != 0)";
  return module_from(
      "component C\nstate f : int [0..3]" + initial + "\nmethod has(k : int) : bool { return " +
      at + "; }\nmethod put(k : int) { f := " + at +
      " ? f : f + (k == 0 ? 1 : k == 1 ? 2 : 0); return; }\nmethod drop(k : int) { f := " + at +
      " ? f - (k == 0 ? 1 : 2) : f; return; }\n" + more);
}

TEST(Flags, BitsByPositionAreASet) {
  const std::string more = "method none() : bool { return f == 0; }\n"
                           "method all() { f := 3; return; }\n"
                           "method low() { f := f + 1 - f % 2; return; }\n";
  Module module = with_positions(" = 2", more);
  split_flags(module, {});
  ASSERT_NE(module.find_state("f"), nullptr);
  EXPECT_EQ(to_string(module.find_state("f")->type), "map [int [0..1]] bool");
  EXPECT_EQ(to_string(module.find_state("f")->initial), "all(false)[1 := true]");
  const auto text = [&](const char* name) {
    const Block& b = procedure(module, name).blocks[0];
    return to_string(b.statements.empty() ? b.end.value : b.statements[0].value);
  };
  EXPECT_EQ(text("has"), "k >= 0 && k < 2 && f[k]");
  EXPECT_EQ(text("put"), "k >= 0 && k < 2 ? f[k := true] : f");
  EXPECT_EQ(text("drop"), "k >= 0 && k < 2 ? f[k := false] : f");
  EXPECT_EQ(text("none"), "f == all(false)");
  EXPECT_EQ(text("all"), "all(false)[0 := true][1 := true]");
  EXPECT_EQ(text("low"), "f[0 := true]");
}

TEST(Flags, SetsOfUnknownOriginAreComparedBitByBit) {
  for (const auto& [initial, more] :
       {std::pair{"", ""}, std::pair{" = 0", "method any() { havoc f; return; }\n"}}) {
    Module module =
        with_positions(initial, std::string(more) + "method none() : bool { return f == 0; }\n");
    split_flags(module, {});
    EXPECT_EQ(to_string(procedure(module, "none").blocks[0].end.value), "!f[0] && !f[1]");
  }
}

TEST(Flags, NumbersThatAreAddedAreNoSets) {
  for (const char* use :
       {"f := f + (k == 0 ? 1 : k == 1 ? 2 : 0);", "if (f > 1) return;", "f := k;"}) {
    Module module =
        with_positions(" = 0", "method m(k : int [0..1]) { " + std::string(use) + " return; }\n");
    split_flags(module, {});
    EXPECT_EQ(to_string(module.find_state("f")->type), "int [0..3]") << use;
  }
}

TEST(Flags, WhatIsNamedStays) {
  Module module = module_from(flags);
  split_flags(module, {"f"});
  EXPECT_NE(module.find_state("f"), nullptr);
}

} // namespace
} // namespace tacit
