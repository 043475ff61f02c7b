// Exits that a collaborator's answer decides, and returns where the source has them.
#include "program/observe/answered.h"

#include <gtest/gtest.h>

#include "program/reduce/inline.h"
#include "program/reduce/returns.h"
#include "program/text/externs.h"
#include "program/text/print.h"
#include "runs.h"

namespace tacit {
namespace {

/// What each run of the method `m` returns by its inputs, `!` behind what an answer decided.
std::string returns_of(const std::string& body, const std::vector<std::vector<int>>& inputs) {
  Module module = module_from("component C\nstate kept : int = 7\n"
                              "extern f() : int;\n"
                              "extern hidden() : int origin unknown;\n"
                              "method m(c : bool) : int { var r : int; var t : bool; " +
                              body + " }\n");
  expand_externs(module);
  inline_calls(module);
  Procedure& m = *module.find_procedure("m");
  return_in_place(m);
  mark_answered(m);
  tidy(m);
  EXPECT_EQ(problems(module), "") << print_module(module);
  const Interpreter interpreter(module);
  std::string text;
  for (const auto& chosen : inputs) {
    const std::vector<Value> values(chosen.begin(), chosen.end());
    const ProcedureRun run = interpreter.run(m, *interpreter.initial({}), values);
    EXPECT_EQ(run.how, RunEnd::Returned);
    text += (text.empty() ? "" : " ") + to_string(run.value, module.arena->int_sort());
    if (run.end && run.end->environment) text += "!";
  }
  return text;
}

TEST(Answered, ABranchOnAnAnswerDecides) {
  EXPECT_EQ(
      returns_of("r := call f(); if (r < 0) return -1; kept := 1; return 0;", {{0, -5}, {0, 5}}),
      "-1! 0!");
  EXPECT_EQ(returns_of("r := call f(); t := r < 0; if (t) { return -1; } return 0;", {{0, -5}}),
            "-1!");
}

TEST(Answered, OtherBranchesDoNot) {
  EXPECT_EQ(returns_of("r := call f(); if (c) return -1; return 0;", {{1, -5}}), "-1");
  EXPECT_EQ(
      returns_of("r := call f(); if (r < 0) { if (c) return -1; return -2; } return 0;", {{1, -5}}),
      "-1");
  EXPECT_EQ(returns_of("r := call f(); r := 3; if (r < 4) return -1; return 0;", {{0, -5}}), "-1");
}

TEST(Answered, WhatIsUnknownAnswersNothing) {
  EXPECT_EQ(returns_of("r := call hidden(); if (r < 0) return -1; return 0;", {{0, -5}}), "-1");
}

TEST(Answered, WaysToOneExitAreToldApart) {
  const std::string body =
      "if (c) goto bad; r := call f(); if (r < 0) goto bad; return 0; bad: return -1;";
  EXPECT_EQ(returns_of(body, {{1}, {0, -5}}), "-1 -1!");
}

TEST(Returns, StandWhereTheyWereAssigned) {
  Module module =
      module_from("component C\n"
                  "method m(c : bool) : int { var r : int;\n"
                  "if (c) { r := -1 @x.c:3; } else { r := 0 @x.c:4; } return r @x.c:5; }\n");
  Procedure& m = *module.find_procedure("m");
  return_in_place(m);
  std::string text;
  for (const Block& block : m.blocks)
    if (block.end.kind == TerminatorKind::Return)
      text += to_string(block.end.value->number) + "@" + std::to_string(block.end.where.line) + " ";
  EXPECT_EQ(text, "-1@3 0@4 ");
}

} // namespace
} // namespace tacit
