// Eliminated choices against enumeration, on random formulas over small numbers, Booleans, an
// enumeration, references and maps.
#include "logic/z3/eliminate.h"

#include <random>

#include <gtest/gtest.h>

#include "logic/term/evaluate.h"
#include "logic/term/print.h"
#include "support/volume.h"

namespace tacit {
namespace {

class RandomFormula {
public:
  RandomFormula(TermArena& arena, std::uint64_t seed) : arena_(arena), random_(seed) {
    colours_ = arena.enum_sort({"Colour", {{"Red", 0}, {"Green", 1}, {"Blue", 2}}});
    for (const char* name : {"x", "y"}) free_.push_back(arena.var(name, arena.int_sort()));
    free_.push_back(arena.var("c", colours_));
    free_.push_back(arena.var("p", arena.bool_sort()));
    bound_.push_back(arena.var("u", arena.int_sort()));
    bound_.push_back(arena.var("d", colours_));
    bound_.push_back(arena.var("q", arena.bool_sort()));
    map_ = arena.var("m", arena.map_sort(colours_, arena.bool_sort()));
    bound_.push_back(map_);
  }

  /// The bound number is kept within 0 and 3.
  Term formula() {
    const Term u = bound_[0];
    return arena_.conj(
        {arena_.ge(u, arena_.integer(0)), arena_.le(u, arena_.integer(3)), boolean(3)});
  }

  const std::vector<Term>& free() const { return free_; }
  const std::vector<Term>& bound() const { return bound_; }
  Sort colours() const { return colours_; }

private:
  std::size_t pick(std::size_t n) { return random_() % n; }

  Term number(int depth) {
    switch (pick(depth > 0 ? 5 : 3)) {
    case 0: return arena_.integer(static_cast<Integer>(pick(4)));
    case 1: return free_[pick(2)];
    case 2: return bound_[0];
    case 3: return arena_.add(number(depth - 1), number(depth - 1));
    default: return arena_.ite(boolean(depth - 1), number(depth - 1), number(depth - 1));
    }
  }
  Term colour() {
    switch (pick(3)) {
    case 0: return arena_.enumerator(colours_, pick(3));
    case 1: return free_[2];
    default: return bound_[1];
    }
  }
  Term boolean(int depth) {
    switch (pick(depth > 0 ? 9 : 5)) {
    case 0: return free_[3];
    case 1: return bound_[2];
    case 2: return arena_.le(number(depth), number(depth));
    case 3: return arena_.eq(number(depth), number(depth));
    case 4: return arena_.eq(colour(), colour());
    case 5: return arena_.conj(boolean(depth - 1), boolean(depth - 1));
    case 6: return arena_.disj(boolean(depth - 1), boolean(depth - 1));
    case 7: return arena_.negate(boolean(depth - 1));
    default:
      return arena_.select(pick(2) ? map_ : arena_.store(map_, colour(), boolean(0)), colour());
    }
  }

  TermArena& arena_;
  std::mt19937_64 random_;
  Sort colours_;
  Term map_;
  std::vector<Term> free_, bound_;
};

using Assignment = std::unordered_map<Term, Value>;

bool holds(Term formula, const Assignment& values) {
  const auto value = evaluate(formula, [&](Term t) { return values.at(t); });
  return value && value->truth();
}

bool some_choice(Term formula, Assignment values, const RandomFormula& random) {
  for (Integer u = 0; u <= 3; ++u)
    for (Integer d = 0; d < 3; ++d)
      for (Integer q = 0; q < 2; ++q)
        for (unsigned m = 0; m < 8; ++m) {
          values[random.bound()[0]] = Value(u);
          values[random.bound()[1]] = Value(d);
          values[random.bound()[2]] = Value(q);
          Value map = const_map(Value(0));
          for (Integer k = 0; k < 3; ++k) map = store(map, Value(k), Value((m >> k) & 1));
          values[random.bound()[3]] = map;
          if (holds(formula, values)) return true;
        }
  return false;
}

TEST(Eliminate, AgreesWithEnumeration) {
  const std::uint64_t count = full_volume() ? 5000 : 300;
  std::size_t eliminated = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    TermArena arena;
    RandomFormula random(arena, seed);
    Eliminator eliminator(arena);
    const Term formula = random.formula();
    const auto without = eliminator.exists(formula, random.bound());
    if (!without) continue;
    ++eliminated;
    for (Integer x = -2; x <= 4; ++x)
      for (Integer y = -1; y <= 3; y += 2)
        for (Integer c = 0; c < 3; ++c)
          for (Integer p = 0; p < 2; ++p) {
            const Assignment values{{random.free()[0], Value(x)},
                                    {random.free()[1], Value(y)},
                                    {random.free()[2], Value(c)},
                                    {random.free()[3], Value(p)}};
            ASSERT_EQ(some_choice(formula, values, random), holds(*without, values))
                << "seed " << seed << "\n"
                << to_string(formula) << "\nbecomes\n"
                << to_string(*without);
          }
  }
  EXPECT_GE(eliminated * 100, count * 98);
}

TEST(Eliminate, ReferencesThatAreComparedAreOneOfTheOthersOrNone) {
  TermArena arena;
  const Term v = arena.var("v", arena.ref_sort()), a = arena.var("a", arena.ref_sort()),
             p = arena.var("p", arena.bool_sort());
  Eliminator eliminator(arena);
  const std::vector<Term> bound{v};
  // Some reference differs from both.
  EXPECT_TRUE(
      is_true(*eliminator.exists(arena.conj(arena.ne(v, a), arena.ne(v, arena.null())), bound)));
  // It is null, or p.
  const auto found = eliminator.exists(
      arena.conj(arena.disj(arena.eq(v, arena.null()), p), arena.eq(v, a)), bound);
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, arena.disj(arena.eq(a, arena.null()), p)) << to_string(*found);
}

TEST(Eliminate, KeysOfMapsStay) {
  TermArena arena;
  const Term v = arena.var("v", arena.int_sort()),
             m = arena.var("m", arena.map_sort(arena.int_sort(), arena.int_sort()));
  Eliminator eliminator(arena);
  const std::vector<Term> bound{v};
  EXPECT_FALSE(eliminator.exists(arena.eq(arena.select(m, v), arena.integer(0)), bound));
}

TEST(Eliminate, PartsThatStayAreLeftOutOfAnUpperBound) {
  TermArena arena;
  const Term v = arena.var("v", arena.int_sort()), p = arena.var("p", arena.bool_sort()),
             m = arena.var("m", arena.map_sort(arena.int_sort(), arena.int_sort()));
  Eliminator eliminator(arena);
  const std::vector<Term> bound{v};
  const Term hard = arena.eq(arena.select(m, v), arena.integer(0));
  EXPECT_EQ(eliminator.at_most(arena.conj(p, hard), bound), p);
  EXPECT_TRUE(is_true(eliminator.at_most(hard, bound)));
  EXPECT_TRUE(is_true(eliminator.at_most(arena.disj(p, hard), bound)));
  EXPECT_TRUE(is_false(eliminator.at_most(arena.conj({hard, p, arena.negate(p)}), bound)));
}

} // namespace
} // namespace tacit
