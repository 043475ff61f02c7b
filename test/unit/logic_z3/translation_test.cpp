// Z3's reading of every operator against the evaluator's.
#include "logic/z3/translation.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "logic/term/print.h"
#include "logic/z3/back.h"
#include "logic/z3/z3_solver.h"
#include "random_terms.h"

namespace tacit {
namespace {

/// `variable == value` for maps with finitely many keys too, whatever the value's `otherwise`.
std::vector<Term> fixed(TermArena& arena, const TermValues& values) {
  std::vector<Term> equations;
  for (const auto& [variable, value] : values)
    equations.push_back(arena.eq(variable, to_term(arena, value, variable->sort)));
  return equations;
}

TermValues relevant(const TermValues& values, Term term) {
  TermValues some;
  for (Term variable : variables(term)) some[variable] = values.at(variable);
  return some;
}

void agree_on_values(unsigned seed, int rounds, bool nonlinear) {
  TermArena arena;
  RandomTerms make(arena, seed);
  make.nonlinear = nonlinear;
  auto solver = make_z3_solver();
  for (int round = 0; round < rounds; ++round) {
    const Sort sort = make.vars[make.below(static_cast<unsigned>(make.vars.size()))]->sort;
    if (sort->kind == SortKind::Map) continue;
    const Term term = make.term(sort, 4);
    const TermValues values = relevant(make.values(), term);
    const Value expected = evaluated(term, values);
    std::vector<Term> given = fixed(arena, values);
    given.push_back(arena.ne(term, to_term(arena, expected, sort)));
    ASSERT_EQ(solver->check(given), Truth::Unsat)
        << to_string(term) << " should be " << to_string(expected, sort) << " in round " << round;
    given.back() = arena.eq(term, to_term(arena, expected, sort));
    ASSERT_EQ(solver->check(given), Truth::Sat) << to_string(term) << " in round " << round;
    ASSERT_EQ(solver->value(term).value(), expected);
    for (const auto& [variable, value] : values)
      for (Integer key = 0; variable->sort->kind == SortKind::Map && key < 2; ++key)
        ASSERT_EQ(select(solver->value(variable).value(), Value(key)), select(value, Value(key)));
  }
}

TEST(Translation, AgreesWithTheEvaluatorUnderGivenValues) { agree_on_values(1, 700, false); }
TEST(Translation, AgreesWithTheEvaluatorOnProductsOfVariables) { agree_on_values(2, 300, true); }

TEST(Translation, ModelsMakeTheFormulaTrueInTheEvaluator) {
  TermArena arena;
  RandomTerms make(arena, 3);
  auto solver = make_z3_solver({.rlimit = 200'000});
  int sat = 0, unsat = 0, unknown = 0;
  for (int round = 0; round < 600; ++round) {
    const std::vector<Term> formulas{make.boolean(4), make.boolean(3), make.boolean(2)};
    switch (solver->check(formulas)) {
    case Truth::Sat: {
      ++sat;
      TermValues values;
      for (Term variable : variables(formulas)) values[variable] = solver->value(variable).value();
      for (Term formula : formulas) {
        ASSERT_TRUE(evaluated(formula, values).truth()) << round << ": " << to_string(formula);
        ASSERT_TRUE(solver->value(formula)->truth()) << round;
      }
      break;
    }
    case Truth::Unsat:
      ++unsat;
      for (int i = 0; i < 50; ++i) {
        const TermValues values = make.values();
        ASSERT_FALSE(std::ranges::all_of(formulas, [&](Term formula) {
          return evaluated(formula, values).truth();
        })) << round;
      }
      break;
    case Truth::Unknown: ++unknown; break;
    }
  }
  EXPECT_GT(sat, 200);
  EXPECT_GT(unsat, 20);
  EXPECT_LT(unknown, 12);
}

TEST(Translation, EnumerationVariablesStayInRange) {
  TermArena arena;
  const Sort sort = arena.enum_sort({"E", {{"A", 0}, {"B", 1}}});
  const Term e = arena.var("e", sort), f = arena.var("f", sort), g = arena.var("g", sort);
  const Term m = arena.var("m", arena.map_sort(arena.int_sort(), sort));
  const Term x = arena.var("x", arena.int_sort());
  auto solver = make_z3_solver();
  const auto distinct = [&](Term a, Term b) { return arena.ne(a, b); };
  EXPECT_EQ(solver->check({distinct(e, f), distinct(f, g), distinct(e, g)}), Truth::Unsat);
  EXPECT_EQ(solver->check({distinct(e, f), distinct(f, g)}), Truth::Sat);
  const Term read = arena.select(m, x);
  EXPECT_EQ(solver->check({distinct(e, f), distinct(f, read), distinct(e, read)}), Truth::Unsat);
}

TEST(Translation, OneNameAtTwoSortsIsTwoVariables) {
  TermArena arena;
  const Sort sort = arena.enum_sort({"E", {{"A", 0}, {"B", 1}}});
  const Term as_enum = arena.var("v", sort), as_int = arena.var("v", arena.int_sort());
  auto solver = make_z3_solver();
  EXPECT_EQ(solver->check(
                {arena.eq(as_int, arena.integer(7)), arena.eq(as_enum, arena.enumerator(sort, 1))}),
            Truth::Sat);
  EXPECT_EQ(solver->value(as_int), Value(7));
  EXPECT_EQ(solver->value(as_enum), Value(1));
}

TEST(Translation, MapsOfEnumeratorsDifferWhereValuesExist) {
  TermArena arena;
  const Sort sort = arena.enum_sort({"E", {{"A", 0}, {"B", 1}}});
  const Sort map = arena.map_sort(arena.int_sort(), sort);
  const Term m = arena.var("m", map), n = arena.var("n", map);
  auto solver = make_z3_solver();
  ASSERT_EQ(solver->check({arena.ne(m, n)}), Truth::Sat);
  EXPECT_FALSE(*solver->value(m) == *solver->value(n));
}

TEST(Translation, MapsWithFinitelyManyKeysAreEqualWhenTheirEntriesAre) {
  TermArena arena;
  const Sort map = arena.map_sort(arena.bool_sort(), arena.int_sort());
  const Term one = arena.const_map(map, arena.integer(1));
  Term built = arena.const_map(map, arena.integer(0));
  for (const bool key : {false, true})
    built = arena.store(built, arena.boolean(key), arena.integer(1));
  auto solver = make_z3_solver();
  EXPECT_EQ(solver->check({arena.ne(one, built)}), Truth::Unsat);
  const Term m = arena.var("m", map);
  EXPECT_EQ(solver->check(
                {arena.ne(m, built), arena.eq(arena.select(m, arena.truth()), arena.integer(1))}),
            Truth::Sat);
  EXPECT_NE(select(*solver->value(m), Value(0)).number, 1);
}

TEST(Translation, LargeSharedTermsHaveValues) {
  TermArena arena;
  const Term x = arena.var("x", arena.int_sort());
  Term sum = x;
  for (int i = 0; i < 60; ++i) sum = arena.add(arena.sub(sum, arena.integer(1)), arena.sub(sum, x));
  auto solver = make_z3_solver();
  ASSERT_EQ(solver->check({arena.eq(x, arena.integer(0))}), Truth::Sat);
  EXPECT_EQ(solver->value(sum), Value(1 - (Integer{1} << 60)));
}

class Back : public testing::Test {
protected:
  Term back(Term term, bool simplified) {
    const z3::expr expr = translation.of(term).expr;
    return BackTranslation(arena, translation)
        .term(simplified ? expr.simplify() : expr, term->sort)
        .value();
  }

  z3::context context;
  Translation translation{context};
  TermArena arena;
};

TEST_F(Back, GivesTheSameTermForWhatPeopleWrite) {
  const Sort sort = arena.enum_sort({"E", {{"A", 0}, {"B", 1}, {"C", 2}}});
  const Term x = arena.var("x", arena.int_sort()), y = arena.var("y", arena.int_sort());
  const Term r = arena.var("r", arena.ref_sort()), s = arena.var("s", arena.ref_sort());
  const Term p = arena.var("p", arena.bool_sort()), e = arena.var("e", sort);
  const Term m = arena.var("m", arena.map_sort(arena.ref_sort(), sort));
  const auto n = [&](int i) { return arena.integer(i); };
  for (Term term : {
           arena.le(x, y),
           arena.lt(x, y),
           arena.eq(x, n(3)),
           arena.le(n(3), x),
           arena.le(arena.add(x, n(2)), y),
           arena.eq(r, arena.null()),
           arena.ne(r, s),
           arena.eq(e, arena.enumerator(sort, 1)),
           arena.ne(e, arena.enumerator(sort, 1)),
           arena.eq(e, arena.select(m, r)),
           arena.conj(p, arena.negate(arena.eq(x, y))),
           arena.eq(y, arena.div(x, n(3))),
           arena.eq(arena.mod(x, y), n(1)),
           arena.le(arena.wrap(8, true, arena.add(x, y)), n(3)),
           arena.eq(arena.store(m, r, e), m),
           arena.ite(p, arena.le(x, y), arena.lt(y, x)),
       })
    EXPECT_EQ(back(term, false), term)
        << to_string(term) << " became " << to_string(back(term, false));
  for (Term term : {arena.lt(x, y), arena.eq(x, n(3)), arena.ne(r, s), arena.eq(r, arena.null()),
                    arena.ne(e, arena.enumerator(sort, 1)), arena.eq(e, arena.select(m, r))})
    EXPECT_EQ(back(term, true), term)
        << to_string(term) << " became " << to_string(back(term, true));
}

TEST_F(Back, JoinsBounds) {
  const Term r = arena.var("r", arena.ref_sort()), x = arena.var("x", arena.int_sort());
  const Sort sort = arena.enum_sort({"E", {{"A", 0}, {"B", 1}, {"C", 2}, {"D", 3}}});
  const Term e = arena.var("e", sort);
  const z3::expr zr = translation.of(r).expr, zx = translation.of(x).expr,
                 ze = translation.of(e).expr;
  const auto text = [&](const z3::expr& expr) {
    const auto term = BackTranslation(arena, translation).term(expr, arena.bool_sort());
    return term ? to_string(*term) : "refused: " + term.error().message;
  };
  EXPECT_EQ(text(!(zr <= -1) && zr <= 0), "r == null");
  EXPECT_EQ(text(zr <= -1 || zr >= 1), "r != null");
  EXPECT_EQ(text(!(zx >= 6) && !(zx <= 4)), "x == 5");
  EXPECT_EQ(text(2 * zx - 7 <= 0), "x <= 3");
  EXPECT_EQ(text(2 * zx == 7), "false");
  EXPECT_EQ(text(ze >= 2 && ze <= 2), "e == C");
  EXPECT_EQ(text(!(ze <= 0)), "e != A");
  EXPECT_EQ(text(ze >= 2), "e == C || e == D");
  EXPECT_EQ(text(zr >= 1), "refused: references have no order and no arithmetic");
  EXPECT_EQ(text(z3::forall(zx, zx > 3)), "refused: a quantifier cannot be said as a term");
}

TEST_F(Back, MeansTheSameForRandomTerms) {
  RandomTerms make(arena, 5);
  auto solver = make_z3_solver({.rlimit = 200'000});
  int refused = 0, unknown = 0;
  for (int round = 0; round < 400; ++round) {
    const Term term = make.boolean(3);
    for (const bool simplified : {false, true}) {
      const z3::expr expr = translation.of(term).expr;
      const auto again = BackTranslation(arena, translation)
                             .term(simplified ? expr.simplify() : expr, arena.bool_sort());
      if (!again) {
        ++refused;
        continue;
      }
      const Truth differ = solver->check({arena.ne(term, *again)});
      ASSERT_NE(differ, Truth::Sat) << to_string(term) << "\nbecame\n" << to_string(*again);
      if (differ == Truth::Unknown) ++unknown;
    }
  }
  EXPECT_LT(refused, 8);
  EXPECT_LT(unknown, 20);
}

} // namespace
} // namespace tacit
