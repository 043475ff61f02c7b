// Folding keeps what a body does and drops what only carries values around.
#include <gtest/gtest.h>

#include "program/reduce/fold.h"
#include "program/text/print.h"
#include "runs.h"

namespace tacit {
namespace {

std::string folded(const std::string& body) {
  Module module = module_from("component C\nexception E\nstate a : int = 0\nstate b : int = 0\n"
                              "extern f() writes a;\nmethod m(p : int) : int " +
                              body);
  Procedure& m = *module.find_procedure("m");
  fold(module, m);
  EXPECT_EQ(problems(module), "");
  return print_procedure(module, m);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Fold, CopiesOfStateGoAwayWhileTheStateIsUnchanged) {
  const std::string text = folded("{ var t : int; t := a; b := t + 1; return t; }");
  EXPECT_TRUE(has(text, "b := a + 1")) << text;
  EXPECT_TRUE(has(text, "return a")) << text;
  EXPECT_FALSE(has(text, "var t")) << text;
}

TEST(Fold, ACopyOutlivesAWriteToItsSource) {
  const std::string text = folded("{ var t : int; t := a; a := 5; return t; }");
  EXPECT_TRUE(has(text, "return t")) << text;
}

TEST(Fold, ACallMayChangeTheState) {
  const std::string text = folded("{ var t : int; t := a; call f(); return t; }");
  EXPECT_TRUE(has(text, "return t")) << text;
}

TEST(Fold, ALoopMayChangeTheSource) {
  const std::string text =
      folded("{ var i : int; var t : int; while (i < p) { t := i; i := i + 1; } return t; }");
  EXPECT_TRUE(has(text, "return t")) << text;
}

TEST(Fold, OnePathIsNotEnough) {
  const std::string text = folded("{ var t : int; if (p > 0) { t := a; } b := 1; return t; }");
  EXPECT_TRUE(has(text, "return t")) << text;
}

TEST(Fold, DeadChoicesGoAwayAndOthersStay) {
  const std::string text =
      folded("{ var t : int; var u : int; havoc t; havoc unknown u; return u; }");
  EXPECT_FALSE(has(text, "havoc t")) << text;
  EXPECT_TRUE(has(text, "havoc unknown u")) << text;
}

} // namespace
} // namespace tacit
