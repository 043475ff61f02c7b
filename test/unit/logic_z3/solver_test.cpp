#include "logic/solver/solver.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <z3++.h>

#include "base/timer.h"
#include "logic/solver/simplify.h"
#include "logic/term/print.h"
#include "logic/z3/z3_solver.h"
#include "random_terms.h"

namespace tacit {
namespace {

using testing::ElementsAre;

/// More pigeons than holes: contradictory, and no solver of this kind proves it in a short time.
std::vector<Term> pigeons(TermArena& arena, int holes, int count) {
  std::vector<Term> clauses;
  const auto in = [&](int pigeon, int hole) {
    return arena.var("in" + std::to_string(pigeon) + "_" + std::to_string(hole), arena.bool_sort());
  };
  for (int pigeon = 0; pigeon < count; ++pigeon) {
    std::vector<Term> somewhere;
    for (int hole = 0; hole < holes; ++hole) {
      somewhere.push_back(in(pigeon, hole));
      for (int other = 0; other < pigeon; ++other)
        clauses.push_back(
            arena.disj(arena.negate(in(pigeon, hole)), arena.negate(in(other, hole))));
    }
    clauses.push_back(arena.disj(somewhere));
  }
  return clauses;
}

class SolverTest : public testing::Test {
protected:
  Term n(Integer number) { return arena.integer(number); }

  TermArena arena;
  Term x = arena.var("x", arena.int_sort());
  Term y = arena.var("y", arena.int_sort());
  Term z = arena.var("z", arena.int_sort());
  Term p = arena.var("p", arena.bool_sort());
  Sort mode = arena.enum_sort({"Mode", {{"IDLE", 0}, {"SIGN", 1}, {"VERIFY", 2}}});
  Term state = arena.var("state", mode);
  Term map = arena.var("map", arena.map_sort(arena.int_sort(), arena.int_sort()));
  std::unique_ptr<Solver> solver = make_z3_solver();
};

TEST_F(SolverTest, ScopesNest) {
  solver->add(arena.le(n(0), x));
  solver->push();
  solver->add(arena.lt(x, n(5)));
  EXPECT_EQ(solver->check({arena.le(n(5), x)}), Truth::Unsat);
  solver->push();
  EXPECT_EQ(solver->check({arena.le(n(3), x)}), Truth::Sat);
  solver->add(arena.eq(x, n(2)));
  EXPECT_EQ(solver->check({arena.le(n(3), x)}), Truth::Unsat);
  solver->pop();
  EXPECT_EQ(solver->check({arena.le(n(3), x)}), Truth::Sat);
  solver->pop();
  EXPECT_EQ(solver->check({arena.le(n(5), x)}), Truth::Sat);
  EXPECT_EQ(solver->check({arena.lt(x, n(0))}), Truth::Unsat);
}

TEST_F(SolverTest, MapsMayEnterLate) {
  solver->add(arena.lt(x, y));
  solver->push();
  solver->add(arena.eq(y, n(3)));
  EXPECT_EQ(solver->check({arena.eq(x, n(3))}), Truth::Unsat);
  const Term read = arena.select(arena.store(map, x, n(7)), z);
  EXPECT_EQ(solver->check({arena.ne(read, n(7)), arena.eq(x, z)}), Truth::Unsat);
  EXPECT_EQ(solver->check({arena.eq(x, n(3))}), Truth::Unsat);
  EXPECT_EQ(solver->check({arena.ne(read, n(7))}), Truth::Sat);
  solver->pop();
  EXPECT_EQ(solver->check({arena.eq(x, n(3))}), Truth::Sat);
  EXPECT_EQ(solver->check({arena.le(y, x)}), Truth::Unsat);
}

TEST_F(SolverTest, CoresAreSubsetsInOrder) {
  const Term low = arena.lt(x, n(3)), high = arena.lt(n(5), x), other = arena.lt(y, n(1));
  EXPECT_EQ(solver->check({other, high, p, low}), Truth::Unsat);
  EXPECT_THAT(minimise_core(*solver, solver->core()), ElementsAre(high, low));
  EXPECT_EQ(solver->check({arena.negate(p), other, p}), Truth::Unsat);
  EXPECT_THAT(solver->core(), ElementsAre(arena.negate(p), p));
  EXPECT_EQ(solver->check({other, arena.falsehood()}), Truth::Unsat);
  EXPECT_THAT(solver->core(), ElementsAre(arena.falsehood()));
  solver->add(high);
  EXPECT_EQ(solver->check({other, low, low}), Truth::Unsat);
  EXPECT_THAT(minimise_core(*solver, solver->core()), ElementsAre(low));
  solver->add(low);
  EXPECT_EQ(solver->check({other}), Truth::Unsat);
  EXPECT_THAT(minimise_core(*solver, solver->core()), ElementsAre());
}

TEST_F(SolverTest, RandomCoresAreContradictoryAndMinimal) {
  RandomTerms make(arena, 11);
  int found = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<Term> all;
    for (int i = 0; i < 12; ++i) all.push_back(make.boolean(2));
    if (solver->check(all) != Truth::Unsat) continue;
    ++found;
    const std::vector<Term> core = minimise_core(*solver, solver->core());
    auto fresh = make_z3_solver();
    ASSERT_EQ(fresh->check(core), Truth::Unsat);
    for (Term left_out : core) {
      std::vector<Term> fewer = core;
      std::erase(fewer, left_out);
      ASSERT_NE(fresh->check(fewer), Truth::Unsat);
    }
  }
  EXPECT_GT(found, 30);
}

TEST_F(SolverTest, ReusedSolverAgreesWithFreshOnes) {
  RandomTerms make(arena, 12);
  std::vector<Term> pool;
  for (int i = 0; i < 60; ++i) pool.push_back(make.boolean(3));
  for (int round = 0; round < 400; ++round) {
    std::vector<Term> some;
    for (unsigned i = make.below(5); i > 0; --i) some.push_back(pool[make.below(60)]);
    const unsigned action = make.below(20);
    if (action == 0) solver->push(), solver->add(pool[make.below(60)]), solver->pop();
    const Truth reused = solver->check(some);
    if (round % 4 == 0) {
      auto fresh = make_z3_solver();
      ASSERT_EQ(reused, fresh->check(some)) << round;
    }
  }
  EXPECT_GT(solver->statistics().flushes, 0u);
}

TEST_F(SolverTest, AllSatShowsEachValuationOnce) {
  RandomTerms make(arena, 13);
  for (int round = 0; round < 40; ++round) {
    const Term c = arena.var("c", make.colour);
    std::vector<Term> assumptions{arena.le(n(0), x), arena.lt(x, n(4)), arena.le(n(0), y),
                                  arena.lt(y, n(4))};
    std::vector<Term> predicates;
    while (predicates.size() < 5) {
      const Term candidate = make.boolean(2);
      const auto used = variables(candidate);
      if (std::ranges::all_of(used, [&](Term v) { return v == x || v == y || v == c || v == p; }))
        predicates.push_back(candidate);
    }
    std::set<std::vector<bool>> expected, shown;
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int colour = 0; colour < 3; ++colour)
          for (int truth = 0; truth < 2; ++truth) {
            std::vector<bool> valuation;
            for (Term predicate : predicates)
              valuation.push_back(
                  evaluated(predicate, {{x, i}, {y, j}, {c, colour}, {p, truth}}).truth());
            expected.insert(valuation);
          }
    const auto end = solver->all_sat(assumptions, predicates, [&](const std::vector<bool>& row) {
      EXPECT_TRUE(shown.insert(row).second);
      for (std::size_t i = 0; i < row.size(); ++i)
        EXPECT_EQ(solver->value(predicates[i])->truth(), row[i]);
      return true;
    });
    ASSERT_EQ(end, Enumeration::Complete);
    ASSERT_EQ(shown, expected) << round;
    ASSERT_EQ(solver->check(assumptions), Truth::Sat); // nothing stays blocked
  }
}

TEST_F(SolverTest, AllSatStopsWhenAskedTo) {
  int shown = 0;
  const std::vector<Term> predicates{arena.lt(x, n(0)), arena.lt(x, n(1)), arena.lt(x, n(2))};
  EXPECT_EQ(solver->all_sat({}, predicates, [&](const auto&) { return ++shown < 2; }),
            Enumeration::Stopped);
  EXPECT_EQ(shown, 2);
  shown = 0;
  EXPECT_EQ(solver->all_sat({}, predicates, [&](const auto&) { return ++shown > 0; }),
            Enumeration::Complete);
  EXPECT_EQ(shown, 4);
  shown = 0;
  EXPECT_EQ(solver->all_sat({}, {}, [&](const auto&) { return ++shown > 0; }),
            Enumeration::Complete);
  EXPECT_EQ(shown, 1);
}

TEST_F(SolverTest, ForallExistsAgreesWithEnumeration) {
  RandomTerms make(arena, 14);
  const Term c = arena.var("c", make.colour), q = arena.var("q", arena.bool_sort());
  const auto range = [&](Term variable) {
    return arena.conj(arena.le(n(0), variable), arena.lt(variable, n(4)));
  };
  int proved = 0, refuted = 0;
  std::vector<Term> goals;
  for (int round = 0; round < 150; ++round) {
    const auto over = [&](const std::vector<Term>& allowed) {
      for (;;) {
        const Term candidate = make.boolean(3);
        const auto used = variables(candidate);
        if (std::ranges::all_of(used, [&](Term v) { return std::ranges::count(allowed, v) > 0; }))
          return candidate;
      }
    };
    const Term left = over({x, p});
    // Now and then a goal comes back, so that what was learnt about it is used.
    if (goals.empty() || make.below(3) > 0) goals.push_back(over({x, p, y, c, q}));
    const Term goal = goals.back();
    const std::vector<Term> bound{y, c, q};
    bool counterexample = false;
    for (int i = 0; i < 4; ++i)
      for (int truth = 0; truth < 2; ++truth) {
        bool exists = false;
        for (int j = 0; j < 4; ++j)
          for (int colour = 0; colour < 3; ++colour)
            for (int choice = 0; choice < 2; ++choice)
              exists |=
                  evaluated(goal, {{x, i}, {p, truth}, {y, j}, {c, colour}, {q, choice}}).truth();
        counterexample |= evaluated(left, {{x, i}, {p, truth}}).truth() && !exists;
      }
    const std::vector<Term> assumptions{left, range(x)};
    const Term bounded = arena.conj(goal, range(y));
    const Truth truth = solver->refute_forall_exists(assumptions, bounded, bound);
    ASSERT_EQ(truth, counterexample ? Truth::Sat : Truth::Unsat) << round << to_string(bounded);
    if (truth == Truth::Sat) {
      ++refuted;
      TermValues at{{x, solver->value(x).value()}, {p, solver->value(p).value()}};
      EXPECT_TRUE(evaluated(left, at).truth());
      for (int j = 0; j < 4; ++j)
        for (int colour = 0; colour < 3; ++colour)
          for (int choice = 0; choice < 2; ++choice) {
            at[y] = j, at[c] = colour, at[q] = choice;
            EXPECT_FALSE(evaluated(goal, at).truth());
          }
    } else {
      ++proved;
      const auto rows = solver->choices(arena);
      if (!rows) continue;
      std::vector<Term> none = assumptions;
      for (const std::vector<Term>& row : *rows) {
        Substitution by;
        for (std::size_t i = 0; i < bound.size(); ++i) by[bound[i]] = row[i];
        none.push_back(arena.negate(substitute(arena, bounded, by)));
      }
      EXPECT_EQ(make_z3_solver()->check(none), Truth::Unsat) << round;
    }
  }
  EXPECT_GT(proved, 20);
  EXPECT_GT(refuted, 20);
}

TEST_F(SolverTest, ForallExistsFindsTermsForInfinitelyManyCases) {
  // Between any x and a larger y with room there is something; without room there need not be.
  const Term between = arena.conj(arena.lt(x, z), arena.lt(z, y));
  const std::vector<Term> bound{z};
  const std::vector<Term> room{arena.lt(arena.add(x, n(1)), y)};
  ASSERT_EQ(solver->refute_forall_exists(room, between, bound), Truth::Unsat);
  const std::vector<Term> tight{arena.lt(x, y)};
  ASSERT_EQ(solver->refute_forall_exists(tight, between, bound), Truth::Sat);
  EXPECT_EQ(solver->value(y)->number, solver->value(x)->number + 1);
  // The choice is a function of x.
  ASSERT_EQ(solver->refute_forall_exists({}, arena.eq(z, arena.add(x, n(1))), bound), Truth::Unsat);
  EXPECT_THAT(solver->choices(arena).value(), testing::Contains(ElementsAre(arena.add(x, n(1)))));
  // Multiples: every number is within one of an even one, not every number is even.
  const Term twice = arena.mul(z, n(2));
  EXPECT_EQ(solver->refute_forall_exists(
                {}, arena.conj(arena.le(twice, x), arena.le(x, arena.add(twice, n(1)))), bound),
            Truth::Unsat);
  EXPECT_EQ(solver->refute_forall_exists({}, arena.eq(twice, x), bound), Truth::Sat);
  // Maps.
  const std::vector<Term> bound_map{map};
  EXPECT_EQ(solver->refute_forall_exists({}, arena.eq(arena.select(map, x), y), bound_map),
            Truth::Unsat);
  EXPECT_EQ(solver->refute_forall_exists({}, arena.eq(arena.select(map, z), y), bound), Truth::Sat);
  const std::vector<Term> there{arena.eq(arena.select(map, x), y)};
  EXPECT_EQ(solver->refute_forall_exists(there, arena.eq(arena.select(map, z), y), bound),
            Truth::Unsat);
}

TEST_F(SolverTest, LimitsGiveUnknownAndTheSolverStaysUsable) {
  solver = make_z3_solver({.rlimit = 20'000});
  const Timer timer;
  const std::vector<Term> hard = pigeons(arena, 12, 13);
  ASSERT_EQ(solver->check(hard), Truth::Unknown);
  EXPECT_THAT(solver->reason_unknown(), testing::HasSubstr("resource limit of 20000"));
  EXPECT_EQ(solver->check({arena.lt(x, y), arena.lt(y, x)}), Truth::Unsat);
  EXPECT_EQ(solver->check({arena.lt(x, y)}), Truth::Sat);
  EXPECT_EQ(solver->all_sat(hard, {{p}}, [](const auto&) { return true; }), Enumeration::Unknown);
  const Term cubes =
      arena.add(arena.add(arena.mul(arena.mul(x, x), x), arena.mul(arena.mul(y, y), y)),
                arena.mul(arena.mul(z, z), z));
  ASSERT_EQ(solver->check({arena.eq(cubes, n(42))}), Truth::Unknown);
  EXPECT_EQ(solver->check({arena.lt(x, y), arena.lt(y, x)}), Truth::Unsat);
  EXPECT_LT(timer.seconds(), 30);
  // Being stopped leaves nothing behind: one pigeon fewer fits.
  for (int round = 0; round < 3; ++round) {
    solver->check(hard);
    ASSERT_NE(solver->check(pigeons(arena, 12, 12)), Truth::Unsat);
  }
  // The same question ends in the same way.
  EXPECT_EQ(make_z3_solver({.rlimit = 20'000})->check(hard), Truth::Unknown);
}

TEST_F(SolverTest, BudgetsCountQueriesAndEndThem) {
  Budget budget(BudgetLimits{.queries = 3});
  solver = make_z3_solver({.budget = &budget});
  EXPECT_EQ(solver->check({p}), Truth::Sat);
  int shown = 0;
  EXPECT_EQ(solver->all_sat({}, {{p}}, [&](const auto&) { return ++shown > 0; }),
            Enumeration::Unknown);
  EXPECT_EQ(shown, 2);
  EXPECT_EQ(solver->check({p}), Truth::Unknown);
  EXPECT_EQ(solver->reason_unknown(), budget.reason());
  EXPECT_EQ(budget.queries(), 3u);
  EXPECT_EQ(solver->statistics().queries, 3u);
  EXPECT_EQ(solver->statistics().sat, 3u);
}

TEST_F(SolverTest, WhatCannotBeTranslatedIsUnknownWithAReason) {
  const Sort inner = arena.map_sort(arena.bool_sort(), arena.int_sort());
  const Sort outer = arena.map_sort(arena.int_sort(), inner);
  const Term strange = arena.eq(arena.var("a", outer), arena.var("b", outer));
  EXPECT_EQ(solver->check({strange}), Truth::Unknown);
  EXPECT_NE(solver->reason_unknown(), "");
  solver->push();
  solver->add(strange);
  EXPECT_EQ(solver->check({p}), Truth::Unknown);
  solver->pop();
  EXPECT_EQ(solver->check({p}), Truth::Sat);
}

TEST_F(SolverTest, HugeNumbersAreRefusedNotCut) {
  Term huge = x;
  for (int i = 0; i < 5; ++i) huge = arena.mul(huge, n(Integer{1} << 30));
  ASSERT_EQ(solver->check({arena.lt(huge, y), arena.lt(n(0), x)}), Truth::Sat);
  EXPECT_FALSE(solver->value(y).has_value());
  EXPECT_TRUE(solver->value(x).has_value());
}

TEST_F(SolverTest, SimplifiesInTheSameVocabulary) {
  const auto short_form = [&](Term under, Term what) {
    return to_string(simplify(arena, *solver, under, what));
  };
  const Term idle = arena.eq(state, arena.enumerator(mode, 0)),
             sign = arena.eq(state, arena.enumerator(mode, 1)),
             verify = arena.eq(state, arena.enumerator(mode, 2));
  const Term top = arena.truth();
  EXPECT_EQ(short_form(top, arena.conj(arena.le(n(0), x), arena.le(n(1), x))), "x >= 1");
  EXPECT_EQ(short_form(top, arena.conj(arena.le(x, y), arena.le(y, x))), "x == y");
  EXPECT_EQ(short_form(top, arena.disj({idle, sign, verify})), "true");
  EXPECT_EQ(short_form(arena.negate(idle), arena.conj(arena.negate(idle), arena.negate(sign))),
            "state != SIGN");
  EXPECT_EQ(short_form(top, arena.disj(arena.conj(p, sign), arena.conj(arena.negate(p), sign))),
            "state == SIGN");
  EXPECT_EQ(short_form(arena.lt(x, n(0)), arena.lt(n(3), x)), "false");
  RandomTerms make(arena, 15);
  for (int round = 0; round < 60; ++round) {
    const Term under = make.boolean(2), what = make.boolean(3);
    const Term shorter = simplify(arena, *solver, under, what);
    ASSERT_NE(make_z3_solver()->check({under, arena.ne(what, shorter)}), Truth::Sat)
        << to_string(what) << "\nbecame\n"
        << to_string(shorter);
    ASSERT_LE(to_string(shorter).size(), to_string(what).size() + 8);
  }
}

TEST_F(SolverTest, TheLogRunsInAnySolver) {
  std::ostringstream log;
  {
    auto logged = make_z3_solver({.log = &log});
    const Term odd = arena.var("a name|with\\bars", arena.int_sort());
    logged->add(arena.lt(x, odd));
    logged->check({arena.lt(odd, x)});
    logged->push();
    logged->add(arena.eq(state, arena.enumerator(mode, 2)));
    logged->check({arena.lt(x, n(3)), p});
    const std::vector<Term> predicates{p, arena.lt(x, n(0)), arena.lt(x, n(1))};
    logged->all_sat({}, predicates, [](const auto&) { return true; });
    logged->check({arena.eq(arena.select(map, x), odd)});
    logged->pop();
    logged->check({arena.eq(state, arena.enumerator(mode, 1)), arena.le(odd, x)});
  }
  std::istringstream lines(log.str());
  std::string expected;
  for (std::string line; std::getline(lines, line);)
    if (line == "; sat" || line == "; unsat") expected += line.substr(2) + "\n";
  z3::context context;
  // The first line sets an option that a running Z3 has already settled.
  const std::string commands = log.str().substr(log.str().find('\n') + 1);
  EXPECT_EQ(Z3_eval_smtlib2_string(context, commands.c_str()), expected) << commands;
  EXPECT_GT(expected.size(), 40u);
}

TEST_F(SolverTest, TwoSolversWorkInTwoThreadsOnSharedTerms) {
  RandomTerms make(arena, 16);
  std::vector<std::vector<Term>> questions;
  for (int i = 0; i < 200; ++i) questions.push_back({make.boolean(3), make.boolean(3)});
  const auto run = [&questions](std::vector<Truth>& answers) {
    auto own = make_z3_solver();
    for (const auto& question : questions) answers.push_back(own->check(question));
  };
  std::vector<Truth> here, one, two;
  {
    std::jthread first([&] { run(one); }), second([&] { run(two); });
  }
  run(here);
  EXPECT_EQ(one, here);
  EXPECT_EQ(two, here);
}

TEST_F(SolverTest, MisuseIsAnInternalError) {
  EXPECT_ANY_THROW(solver->value(x));
  EXPECT_ANY_THROW(solver->pop());
  ASSERT_EQ(solver->check({p}), Truth::Sat);
  EXPECT_ANY_THROW(solver->core());
  solver->add(arena.negate(p));
  EXPECT_ANY_THROW(solver->value(x));
}

} // namespace
} // namespace tacit
