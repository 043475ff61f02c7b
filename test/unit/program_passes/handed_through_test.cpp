// Returns of what an opaque callee has returned are told from own ones.
#include "program/observe/handed_through.h"

#include <gtest/gtest.h>

#include "program/reduce/inline.h"
#include "program/text/externs.h"
#include "program/text/print.h"
#include "runs.h"

namespace tacit {
namespace {

/// The value of each run of the method `m` by its inputs, `!` behind those of callees.
std::string returns_of(const std::string& body, const std::vector<std::vector<int>>& inputs) {
  Module module =
      module_from("component C\nstate kept : int = 7\n"
                  "extern f() : int;\n"
                  "extern fixed() : int ensures result == kept;\n"
                  "extern maybe() : int { if (*) return -1; return 0; }\n"
                  "procedure own() : int { var r : int; r := call f(); return r; }\n"
                  "procedure first(a : int) : int { if (a == 0) return -1; return a; }\n"
                  "method m(c : bool) : int { var r : int; var q : int; " +
                  body + " }\n");
  expand_externs(module);
  inline_calls(module);
  Procedure& m = *module.find_procedure("m");
  mark_handed_through(module, m);
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

TEST(HandedThrough, CopiesAreTheCallees) {
  EXPECT_EQ(returns_of("r := call f(); return r;", {{0, 5}}), "5!");
  EXPECT_EQ(returns_of("r := call own(); q := r; return q;", {{0, 5}}), "5!");
  EXPECT_EQ(returns_of("r := call f(); kept := r; return kept;", {{0, 5}}), "5!");
  EXPECT_EQ(returns_of("r := call maybe(); return r;", {{0, 1}, {0, 0}}), "-1! 0!");
}

TEST(HandedThrough, WhatIsComputedIsOwn) {
  EXPECT_EQ(returns_of("r := call f(); return r + 1;", {{0, 5}}), "6");
  EXPECT_EQ(returns_of("r := call f(); if (r == 5) return -1; return r;", {{0, 5}, {0, 4}}),
            "-1 4!");
  EXPECT_EQ(returns_of("return kept;", {{0}}), "7");
  EXPECT_EQ(returns_of("r := call f(); r := call first(r); return r;", {{0, 0}, {0, 3}}), "-1 3!");
}

TEST(HandedThrough, AValueThatAContractFixesIsNot) {
  EXPECT_EQ(returns_of("r := call fixed(); return r;", {{0, 7}}), "7");
}

TEST(HandedThrough, PathsAreToldApart) {
  EXPECT_EQ(returns_of("if (c) r := call f(); else r := -1; return r;", {{1, 5}, {0}}), "5! -1");
  EXPECT_EQ(returns_of("q := call f(); r := c ? q : -1; return r;", {{1, 5}, {0, 5}}), "5! -1");
  EXPECT_EQ(returns_of("r := call f(); if (c) r := 3; return r;", {{1, 5}, {0, 5}}), "3 5!");
}

} // namespace
} // namespace tacit
