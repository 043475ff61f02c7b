#include "program/ir/bit_terms.h"

namespace tacit {

namespace {

Term power(TermArena& arena, int bit) { return arena.integer(Integer{1} << bit); }

Term chain(TermArena& arena, Term position, int count, Term otherwise) {
  Term all = otherwise;
  for (int bit = count; bit-- > 0;)
    all = arena.ite(arena.eq(position, arena.integer(bit)), power(arena, bit), all);
  return all;
}

} // namespace

Term bit_of(TermArena& arena, Term number, int bit) {
  const Term low = arena.mod(arena.div(number, power(arena, bit)), arena.integer(2));
  return arena.ne(low, arena.integer(0));
}

Term bit_at(TermArena& arena, Term number, Term position, int count) {
  std::vector<Term> cases;
  for (int bit = 0; bit < count; ++bit)
    cases.push_back(arena.conj(arena.eq(position, arena.integer(bit)), bit_of(arena, number, bit)));
  return arena.disj(std::move(cases));
}

Term power_at(TermArena& arena, Term position, int count) {
  return chain(arena, position, count, arena.integer(0));
}

Term power_below(TermArena& arena, Term position, int count) {
  return chain(arena, position, count - 1, power(arena, count - 1));
}

} // namespace tacit
