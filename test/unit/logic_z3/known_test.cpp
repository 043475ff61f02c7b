// Literals that are known where a part of a formula matters: the meaning stays.
#include <gtest/gtest.h>

#include "logic/term/known.h"
#include "logic/term/print.h"
#include "random_terms.h"

namespace tacit {
namespace {

TEST(KnownLiterals, DecideConditionsInTheOtherParts) {
  TermArena arena;
  const Term p = arena.var("p", arena.bool_sort()), q = arena.var("q", arena.bool_sort());
  const Term a = arena.var("a", arena.int_sort()), b = arena.var("b", arena.int_sort());
  const Term zero = arena.integer(0);
  const Term chosen = arena.ge(arena.ite(arena.conj(p, q), a, b), zero);
  EXPECT_EQ(with_known_literals(arena, arena.conj({p, q, chosen})),
            arena.conj({p, q, arena.ge(a, zero)}));
  EXPECT_EQ(with_known_literals(arena, arena.conj(arena.negate(p), chosen)),
            arena.conj(arena.negate(p), arena.ge(b, zero)));
  EXPECT_EQ(with_known_literals(arena, arena.disj(p, chosen)), arena.disj(p, arena.ge(b, zero)));
  const Term other = arena.conj(arena.lt(a, zero), arena.disj(q, arena.ge(a, zero)));
  EXPECT_EQ(with_known_literals(arena, other), arena.conj(arena.lt(a, zero), q));
}

TEST(KnownLiterals, KeepWhatRandomFormulasMean) {
  TermArena arena;
  RandomTerms make(arena, 11);
  int changed = 0;
  for (int round = 0; round < 3000; ++round) {
    // Few atoms, so that they meet again.
    std::vector<Term> parts;
    const std::vector<Term> atoms{make.boolean(1), make.boolean(2), make.boolean(1)};
    for (int i = 0; i < 4; ++i) {
      const Term atom = atoms[make.below(3)], other = atoms[make.below(3)];
      const Term last = arena.ite(other, make.boolean(1), arena.negate(atom));
      parts.push_back(make.below(2) ? arena.disj(arena.negate(atom), last)
                                    : arena.conj(atom, arena.disj(last, other)));
      if (make.below(2)) parts.push_back(other);
    }
    const Term formula = make.below(2) ? arena.conj(parts) : arena.disj(parts);
    const Term made = with_known_literals(arena, formula);
    changed += made != formula;
    for (int i = 0; i < 8; ++i) {
      const TermValues values = make.values();
      ASSERT_EQ(evaluated(formula, values), evaluated(made, values))
          << to_string(formula) << "\nbecame\n"
          << to_string(made);
    }
  }
  EXPECT_GT(changed, 1000);
}

} // namespace
} // namespace tacit
