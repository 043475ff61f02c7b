// Components as formulas: steps, errors, words, and what can be learnt from a word.
#include "abstraction/formula/path.h"
#include "abstraction/formula/trace.h"
#include "abstraction/maymust/needed.h"
#include "subject.h"

namespace tacit::test {
namespace {

TEST(Formulas, StepsAndErrors) {
  Subject subject(counter);
  const StepFormula& down = subject.formulas->letter(subject.letter("down"), Side::Above);
  EXPECT_TRUE(subject.same(down.guard, subject.term("n != 0")));
  EXPECT_TRUE(subject.same(substitute(subject.arena(), subject.term("n == 0"), down.after),
                           subject.term("n == 1")));
  EXPECT_TRUE(subject.same(subject.formulas->surely_errs(subject.call("down")).value(),
                           subject.term("n == 0")));
  EXPECT_TRUE(subject.same(subject.formulas->surely_errs(subject.call("up")).value(),
                           subject.term("false")));
  EXPECT_FALSE(subject.formulas->has_cuts());
}

TEST(Formulas, TheEnvironmentIsChosenForWhatCanHappen) {
  Subject subject(counter);
  const auto into = subject.term("n == 1");
  EXPECT_TRUE(subject.same(
      subject.formulas->surely_leads(subject.letter("grab:returns=true"), into).value(),
      subject.term("n == 0")));
  EXPECT_TRUE(subject.same(
      subject.formulas->surely_leads(subject.letter("grab:returns=false"), into).value(), into));
}

TEST(Formulas, WhatIsHiddenShowsNothing) {
  Subject subject(hidden);
  const auto starts = subject.formulas->surely_starts(0, subject.term("m < 0"));
  ASSERT_TRUE(starts);
  EXPECT_EQ(subject.solver->check({*starts}), Truth::Unsat);
  const Path above(*subject.formulas, 0, Side::Above);
  auto conditions = above.conditions();
  conditions.push_back(above.at_end(subject.term("m < 0")));
  EXPECT_EQ(subject.solver->check(conditions), Truth::Sat);
}

TEST(Formulas, APathIsARun) {
  Subject subject(counter);
  Path path(*subject.formulas, 0, Side::Below);
  for (std::size_t l : subject.word({"up", "grab:returns=false", "down"})) path.extend(l);
  const CallFormulas& down = subject.formulas->call(subject.call("down"), Side::Below);
  auto conditions = path.conditions();
  conditions.push_back(path.at_end(down.errs, &down.body));
  ASSERT_EQ(subject.solver->check(conditions), Truth::Sat);
  const auto run = path.run(*subject.solver, subject.call("down"));
  ASSERT_TRUE(run);
  const auto results = replay(subject.component, *run);
  ASSERT_EQ(results.size(), 5u);
  EXPECT_EQ(results.back().how, RunEnd::Erred);
  EXPECT_EQ(results.back().error, "empty");
}

TEST(Formulas, AWordThatCannotHappen) {
  Subject subject(counter);
  Path path(*subject.formulas, 0, Side::Above);
  path.extend(subject.letter("down"));
  EXPECT_EQ(subject.solver->check(path.conditions()), Truth::Unsat);
}

TEST(Formulas, PreconditionsGoBackwards) {
  Subject subject(counter);
  const Trace trace{0, subject.word({"up", "down"}), subject.call("down")};
  EXPECT_EQ(to_text(subject.component, trace), "'up down ×2'");
  const auto found = preconditions(*subject.formulas, subject.eliminator, trace);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_TRUE(subject.same(found[0], subject.term("n == 0")));
  EXPECT_TRUE(subject.same(found[1], subject.term("n == 1")));
  EXPECT_TRUE(subject.same(found[2], subject.term("n == 0")));
}

TEST(Formulas, StepFormulasContradictEachOtherWhereTheAnswerIsNo) {
  Subject subject(counter);
  const auto legal =
      step_formulas(*subject.formulas, {0, subject.word({"up"}), subject.call("down")});
  EXPECT_EQ(legal.size(), 3u);
  EXPECT_EQ(subject.solver->check(legal), Truth::Unsat);
  const auto illegal = step_formulas(*subject.formulas, {0, {}, subject.call("down")});
  EXPECT_EQ(subject.solver->check(illegal), Truth::Sat);
  const Term copied = subject.arena().eq(subject.arena().var("n#1", subject.state[0]->sort),
                                         subject.arena().integer(0));
  EXPECT_EQ(without_copy(*subject.formulas, copied, 1), subject.term("n == 0"));
}

TEST(Formulas, OfManyPredicatesTheWordNeedsOne) {
  Subject subject(counter);
  const Trace trace{0, subject.word({"up"}), subject.call("down")};
  const Term errs = subject.formulas->call(subject.call("down"), Side::Above).errs;
  const auto few = needed(*subject.formulas, trace, errs, {},
                          subject.terms({"n <= 7", "n <= 0", "n == 3"}), *subject.solver);
  ASSERT_TRUE(few);
  EXPECT_EQ(*few, subject.terms({"n <= 0"}));
}

TEST(Formulas, LoopsAreCutAtAnInvariant) {
  Subject subject(R"(component Search
state keys : map [int] int
state count : int [0..] = 0
state found : int [-1..] = -1
method insert(key : int) { keys[count] := key; count := count + 1; return; }
method search(key : int) {
  var i : int [0..] = 0;
  while (i < count) {
    if (keys[i] == key) { found := i; return; }
    i := i + 1;
  }
  found := -1;
  return;
}
)");
  ASSERT_TRUE(subject.formulas->has_cuts());
  ASSERT_TRUE(subject.formulas->find_invariants(subject.terms({"found < count"})));
  // Whatever the loop does, the place that it leaves is within the table.
  const StepFormula& step = subject.formulas->letter(subject.letter("search"), Side::Above);
  const Term after = substitute(subject.arena(), subject.term("found < count"), step.after);
  EXPECT_EQ(
      subject.solver->check({subject.formulas->facts(), step.guard, subject.arena().negate(after)}),
      Truth::Unsat);
}

} // namespace
} // namespace tacit::test
