// Predicates and cubes.
#include "abstraction/formula/cubes.h"
#include "abstraction/formula/predicates.h"
#include "subject.h"

namespace tacit::test {
namespace {

std::vector<std::string> texts(const std::vector<Term>& terms) {
  std::vector<std::string> made;
  for (Term t : terms) made.push_back(to_string(t));
  return made;
}

const char* const two_numbers = R"(component Two
state a : int = 0
state b : int = 0
state on : bool = false
method touch() { return; }
)";

TEST(Predicates, OneOfAPredicateAndItsNegation) {
  const Subject subject(two_numbers);
  PredicateSet set(subject.arena());
  EXPECT_TRUE(set.add(subject.term("a <= b")));
  EXPECT_FALSE(set.add(subject.term("b < a")));
  EXPECT_FALSE(set.add(subject.term("!(a <= b)")));
  EXPECT_TRUE(set.add(subject.term("a == b")));
  EXPECT_FALSE(set.add(subject.term("b == a")));
  EXPECT_FALSE(set.add(subject.arena().truth()));
  EXPECT_EQ(set.size(), 2u);
  EXPECT_TRUE(set.contains(subject.term("b != a")));
  EXPECT_FALSE(set.contains(subject.term("on")));
}

TEST(Predicates, AtomsOfTheStateOnly) {
  const Subject subject(two_numbers);
  PredicateSet set(subject.arena());
  const Term input = subject.arena().var("input", subject.arena().int_sort());
  const Term formula = subject.arena().conj(subject.term("on || a == 3"),
                                            subject.arena().le(subject.state[0], input));
  EXPECT_EQ(set.add_atoms(formula, subject.state), 2u);
  EXPECT_EQ(texts(set.all()), (std::vector<std::string>{"on", "a == 3"}));
}

TEST(Predicates, AConditionalInsideAnAtomIsSplit) {
  const Subject subject(two_numbers);
  TermArena& arena = subject.arena();
  const Term chosen = arena.ite(subject.term("on"), subject.state[0], subject.state[1]);
  const Term atom = arena.eq(chosen, arena.integer(7));
  EXPECT_EQ(texts(atoms(arena, atom)), (std::vector<std::string>{"on", "a == 7", "b == 7"}));
}

TEST(Predicates, OrderInPlaceOfEquality) {
  const Subject subject(two_numbers);
  EXPECT_EQ(texts(orders(subject.arena(), subject.terms({"on", "a == 2"}))),
            (std::vector<std::string>{"a <= 2"}));
}

TEST(Cubes, LiteralsFollowTheBits) {
  const Subject subject(two_numbers);
  EXPECT_EQ(texts(cube_literals(subject.arena(), subject.terms({"on", "a == 2"}), 0b10)),
            (std::vector<std::string>{"!on", "a == 2"}));
}

TEST(Cubes, ACoverMergesNeighbours) {
  const Subject subject(two_numbers);
  TermArena& arena = subject.arena();
  const auto predicates = subject.terms({"on", "a == 2"});
  EXPECT_EQ(to_string(cover(arena, predicates, {0b00, 0b01})), "a != 2");
  EXPECT_EQ(cover(arena, predicates, {0b00, 0b01, 0b10, 0b11}), arena.truth());
  EXPECT_EQ(cover(arena, predicates, {}), arena.falsehood());
  EXPECT_TRUE(subject.same(cover(arena, predicates, {0b01, 0b10}),
                           subject.term("(on && a != 2) || (!on && a == 2)")));
}

} // namespace
} // namespace tacit::test
