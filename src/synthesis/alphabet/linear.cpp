#include "synthesis/alphabet/linear.h"

namespace tacit {
namespace {

void add(LinearSum& sum, Term term, Integer factor) {
  switch (term->op) {
  case Op::IntConst: sum.constant += factor * term->number; return;
  case Op::Add:
    for (Term a : term->args) add(sum, a, factor);
    return;
  case Op::Sub:
    add(sum, term->args[0], factor);
    add(sum, term->args[1], -factor);
    return;
  case Op::Neg: add(sum, term->args[0], -factor); return;
  case Op::Mul:
    for (std::size_t i = 0; i < 2 && term->args.size() == 2; ++i)
      if (term->args[i]->op == Op::IntConst)
        return add(sum, term->args[1 - i], factor * term->args[i]->number);
    break;
  default: break;
  }
  if ((sum.parts[term] += factor) == 0) sum.parts.erase(term);
}

} // namespace

LinearSum linear_sum(Term term) {
  LinearSum sum;
  add(sum, term, 1);
  return sum;
}

std::optional<Term> compared_number(TermArena& arena, Term atom) {
  if (atom->op == Op::Not) atom = atom->args[0];
  if ((atom->op != Op::Eq && atom->op != Op::Le && atom->op != Op::Lt) ||
      atom->args[0]->sort != arena.int_sort())
    return std::nullopt;
  LinearSum sum;
  add(sum, atom->args[0], 1);
  add(sum, atom->args[1], -1);
  if (sum.parts.empty()) return std::nullopt;
  const Integer sign = sum.parts.begin()->second < 0 ? -1 : 1;
  Term made = nullptr;
  for (const auto& [part, factor] : sum.parts) {
    const Integer times = factor * sign;
    const Term one = times == 1 || times == -1
                         ? part
                         : arena.mul(arena.integer(times < 0 ? -times : times), part);
    if (!made)
      made = times < 0 ? arena.neg(one) : one;
    else
      made = times < 0 ? arena.sub(made, one) : arena.add(made, one);
  }
  return made;
}

} // namespace tacit
