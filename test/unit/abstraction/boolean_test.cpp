// Boolean programs, what predicates know about a formula, and enabledness.
#include "abstraction/actions/action_system.h"
#include "abstraction/boolean/boolean_program.h"
#include "abstraction/boolean/judge.h"
#include "abstraction/formula/written_predicates.h"
#include "program/text/print.h"
#include "subject.h"

namespace tacit::test {
namespace {

TEST(Judge, YesNoAndNeither) {
  Subject subject(counter);
  TermArena& arena = subject.arena();
  PredicateJudge judge(arena, *subject.solver);
  const Term zero = arena.var("zero", arena.bool_sort()), one = arena.var("one", arena.bool_sort());
  const JudgedPredicates scope{subject.terms({"n == 0", "n == 1"}), {zero, one}};
  const auto closed =
      judge.judge(scope, subject.formulas->facts(), subject.term("n <= 1"), arena.truth());
  EXPECT_FALSE(closed.open);
  EXPECT_TRUE(subject.same(closed.yes, arena.disj(zero, one)));
  const auto open =
      judge.judge(scope, subject.formulas->facts(), subject.term("n <= 2"), arena.truth());
  EXPECT_TRUE(open.open);
  EXPECT_EQ(open.no, arena.falsehood());
}

TEST(BooleanProgram, DoesAtLeastWhatTheComponentDoes) {
  Subject subject(counter);
  const auto program =
      boolean_program(subject.component, subject.terms({"n == 0"}), {}, *subject.solver);
  ASSERT_TRUE(program) << program.error().message;
  ASSERT_EQ(program->module.state.size(), 1u);
  EXPECT_EQ(program->predicates, subject.terms({"n == 0"}));
  EXPECT_EQ(program->meaning(program->module.state[0].term), subject.term("n == 0"));
  const auto abstract = abstract_component(subject.component, *program);
  ASSERT_TRUE(abstract) << abstract.error().message;
  EXPECT_EQ(abstract->letters(), subject.component.letters());
  // `up` makes it false; `down` leaves it open.
  const std::string text = print_module(program->module);
  EXPECT_NE(text.find("`n == 0` := false"), std::string::npos) << text;
  EXPECT_NE(text.find("havoc unknown"), std::string::npos) << text;
}

TEST(BooleanProgram, PredicatesAreReadInTheNamesOfTheSource) {
  Subject subject(counter);
  EXPECT_TRUE(parse_predicates(subject.component, nullptr, {"n == 3"}));
  EXPECT_FALSE(parse_predicates(subject.component, nullptr, {"nonsense &&"}));
  EXPECT_FALSE(parse_predicates(subject.component, nullptr, {"m == 3"}));
}

TEST(Actions, ClausesAreSplitFromTheirArguments) {
  Subject subject(R"(component Box
state n : int [0..] = 0
method put(count : int [0..]) requires count <= 3 && n <= 7 { n := n + count; return; }
method take() requires n > 0 { n := n - 1; return; }
)");
  const auto system =
      ActionSystem::create(*subject.formulas, *subject.solver, subject.eliminator, {});
  ASSERT_TRUE(system) << system.error().message;
  const auto& actions = (*system)->actions();
  ASSERT_EQ(actions.size(), 2u);
  EXPECT_TRUE(subject.same(actions[0].above, subject.term("n <= 7")));
  EXPECT_TRUE(subject.same(actions[0].below, subject.term("n <= 7")));
  EXPECT_TRUE(subject.same(actions[1].above, subject.term("n > 0")));
}

} // namespace
} // namespace tacit::test
