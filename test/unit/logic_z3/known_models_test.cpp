// Models that answer later questions: never where they do not, and not about what they do not know.
#include <gtest/gtest.h>

#include "logic/solver/known_models.h"
#include "logic/solver/simplify.h"
#include "logic/z3/z3_solver.h"

namespace tacit {
namespace {

TEST(KnownModels, AnswerWhatTheyMakeTrueAndNothingElse) {
  TermArena arena;
  const Term a = arena.var("a", arena.int_sort()), b = arena.var("b", arena.int_sort());
  const auto number = [&](int n) { return arena.integer(n); };
  const auto solver = make_z3_solver({});
  ASSERT_EQ(solver->check({arena.eq(a, number(3))}), Truth::Sat);
  KnownModels known;
  EXPECT_FALSE(known.one_shows(std::vector{arena.eq(a, number(3))}));
  known.add(*solver, std::vector{a});
  EXPECT_TRUE(known.one_shows(std::vector{arena.eq(a, number(3)), arena.lt(number(0), a)}));
  EXPECT_FALSE(known.one_shows(std::vector{arena.eq(a, number(3)), arena.lt(a, number(0))}));
  EXPECT_FALSE(known.one_shows(std::vector{arena.le(b, number(0))}));
}

TEST(KnownModels, SpareQuestionsOfSimplify) {
  TermArena arena;
  std::vector<Term> cubes;
  for (int i = 0; i < 6; ++i) {
    std::vector<Term> literals;
    for (int j = 0; j < 6; ++j) {
      const Term v = arena.var("v" + std::to_string(j), arena.bool_sort());
      literals.push_back(i == j ? v : arena.negate(v));
    }
    cubes.push_back(arena.conj(literals));
  }
  const Term one_of_six = arena.disj(cubes);
  const auto solver = make_z3_solver({});
  const Term same = simplify(arena, *solver, arena.truth(), one_of_six);
  EXPECT_LE(solver->statistics().queries, 45u); // two for each of 43 parts without models
  EXPECT_EQ(solver->check({arena.ne(same, one_of_six)}), Truth::Unsat);
}

} // namespace
} // namespace tacit
