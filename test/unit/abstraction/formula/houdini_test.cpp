// The largest inductive subset of candidates, of a counter and of a flag that goes with it.
#include "abstraction/formula/houdini.h"

#include <gtest/gtest.h>

#include "logic/z3/z3_solver.h"

namespace tacit {
namespace {

/// `x` starts at 0 and is raised by one while it is below 10; `moved` is set then.
class Counter : public testing::Test {
protected:
  Term number(std::int64_t n) { return arena_.integer(n); }

  std::vector<HoudiniStep> steps(std::vector<ClauseSet>& sets) {
    return {{0,
             [this](Term atom) {
               return substitute(arena_, atom, {{x_, number(0)}, {moved_, arena_.falsehood()}});
             },
             [] { return std::vector<Term>{}; }},
            {0,
             [this](Term atom) {
               return substitute(arena_, atom,
                                 {{x_, arena_.add(x_, number(1))}, {moved_, arena_.truth()}});
             },
             [this, &sets] {
               return std::vector<Term>{arena_.lt(x_, number(10)), sets[0].conjunction(arena_)};
             }}};
  }

  TermArena arena_;
  Term x_ = arena_.var("x", arena_.int_sort());
  Term moved_ = arena_.var("moved", arena_.bool_sort());
  std::unique_ptr<Solver> solver_ = make_z3_solver();
};

TEST_F(Counter, KeepsWhatEveryStepKeeps) {
  std::vector<ClauseSet> sets{
      {.atoms = {arena_.ge(x_, number(0)), arena_.le(x_, number(10)), arena_.eq(x_, number(0))}}};
  sets[0].add_literals();
  EXPECT_EQ(houdini(arena_, *solver_, sets, steps(sets)), HoudiniEnd::Stable);
  EXPECT_EQ(sets[0].clauses, (std::set<ClauseSet::Clause>{{0, 0}, {2, 2}}));
}

TEST_F(Counter, ClausesOfTwoLiteralsSayWhatGoesTogether) {
  std::vector<ClauseSet> sets{{.atoms = {moved_, arena_.eq(x_, number(0))}}};
  sets[0].add_literals();
  sets[0].clauses.insert({0, 2}); // moved, or x is 0
  sets[0].clauses.insert({1, 2}); // not moved, or x is 0
  EXPECT_EQ(houdini(arena_, *solver_, sets, steps(sets)), HoudiniEnd::Stable);
  EXPECT_EQ(sets[0].clauses, (std::set<ClauseSet::Clause>{{0, 2}}));
}

TEST_F(Counter, TooManyQueriesLeaveNothing) {
  std::vector<ClauseSet> sets{{.atoms = {arena_.ge(x_, number(0)), arena_.eq(x_, number(0))}}};
  sets[0].add_literals();
  EXPECT_EQ(houdini(arena_, *solver_, sets, steps(sets), 1), HoudiniEnd::TooMany);
  EXPECT_TRUE(sets[0].clauses.empty());
}

TEST_F(Counter, ALiteralMakesItsClausesSuperfluous) {
  ClauseSet set{.atoms = {moved_, arena_.eq(x_, number(0))}};
  set.clauses = {{0, 0}, {0, 2}, {1, 2}};
  EXPECT_EQ(set.terms(arena_, set.atoms).size(), 2u);
}

} // namespace
} // namespace tacit
