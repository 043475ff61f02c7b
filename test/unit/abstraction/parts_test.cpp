// Questions about steps that fall into independent parts, and answers that are kept.
#include "abstraction/maymust/parts.h"

#include "abstraction/formula/answers.h"
#include "logic/z3/z3_solver.h"
#include "subject.h"

namespace tacit::test {
namespace {

const char* const three_fields = R"(component Three
state a : int = 0
state b : int = 0
state on : bool = false
method touch() { return; }
)";

TEST(Parts, WhatAStepDoesNotTouchIsNoneOfThem) {
  const Subject subject(three_fields);
  const auto predicates = subject.terms({"a == 1", "b == 1", "on"});
  const auto parts = independent_parts(subject.arena(), predicates,
                                       {subject.term("on"),
                                        subject.term("a >= 0 && b >= 0"),
                                        {subject.term("a == 0"), nullptr, nullptr}});
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_TRUE(parts[0].later.empty()); // what can refute the step comes first
  EXPECT_EQ(parts[0].literals, Cube{0b100});
  EXPECT_EQ(parts[0].known, subject.term("on"));
  EXPECT_EQ(parts[1].literals, Cube{0b001});
  EXPECT_EQ(parts[1].known, subject.term("a >= 0"));
  EXPECT_EQ(parts[1].changed, std::vector<std::size_t>{0});
}

TEST(Parts, ACommonVariableJoinsAlsoByWayOfOthers) {
  const Subject subject(three_fields);
  const auto predicates = subject.terms({"a == 1", "b == 1", "on"});
  const auto parts = independent_parts(subject.arena(), predicates,
                                       {subject.arena().truth(),
                                        subject.term("a <= b"),
                                        {subject.term("a == 0"), nullptr, nullptr}});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].literals, Cube{0b011});
}

TEST(Parts, ConstantsAreAskedFor) {
  const Subject subject(three_fields);
  const Term truth = subject.arena().truth();
  const auto parts =
      independent_parts(subject.arena(), subject.terms({"on"}), {truth, truth, {truth}});
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].literals, Cube{0});
  EXPECT_EQ(parts[0].later, std::vector<Term>{truth});
}

TEST(Answers, OneQuestionIsAskedOnce) {
  const Subject subject(three_fields);
  const auto solver = make_z3_solver();
  Answers answers;
  const auto assumptions = subject.terms({"a >= 0", "a <= 1"});
  const auto asked = subject.terms({"a == 0", "a == 1"});
  const auto first = answers.valuations(*solver, assumptions, asked);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->size(), 2u);
  const auto queries = solver->statistics().queries;
  EXPECT_EQ(answers.valuations(*solver, assumptions, asked), first);
  EXPECT_EQ(solver->statistics().queries, queries);
  EXPECT_EQ(answers.valuations(*solver, subject.terms({"a >= 0"}), asked)->size(), 3u);
}

TEST(Answers, WhatIsLearntIsKnown) {
  const Subject subject(three_fields);
  Answers answers;
  EXPECT_EQ(answers.possible(subject.terms({"on"})), std::nullopt);
  answers.learn(subject.terms({"on"}), false);
  EXPECT_EQ(answers.possible(subject.terms({"on"})), false);
}

} // namespace
} // namespace tacit::test
