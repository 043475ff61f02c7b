#include "check/erasure.h"

namespace tacit {

Sort Erasure::sort(Sort sort) {
  switch (sort->kind) {
  case SortKind::Bool: return sort;
  case SortKind::Map: return arena_.map_sort(this->sort(sort->key), this->sort(sort->value));
  default: return arena_.int_sort();
  }
}

Term Erasure::term(Term term) {
  if (const auto known = done_.find(term); known != done_.end()) return known->second;
  const Term made = rebuild(term);
  done_.emplace(term, made);
  return made;
}

Term Erasure::rebuild(Term t) {
  std::vector<Term> args;
  args.reserve(t->args.size());
  for (Term arg : t->args) args.push_back(term(arg));
  switch (t->op) {
  case Op::EnumConst:
  case Op::RefConst: return arena_.integer(t->number);
  case Op::Var: return arena_.var(t->name, sort(t->sort));
  case Op::ConstMap: return arena_.const_map(sort(t->sort), args[0]);
  case Op::ToInt: return number_of(*t->args[0]->sort->decl, args[0]);
  case Op::Eq: return equal(t->args[0]->sort, args[0], args[1]);
  case Op::Lt:
  case Op::Le: {
    if (t->args[0]->sort->kind == SortKind::Enum)
      for (Term& arg : args) arg = number_of(*t->args[0]->sort->decl, arg);
    return t->op == Op::Lt ? arena_.lt(args[0], args[1]) : arena_.le(args[0], args[1]);
  }
  default: return arena_.rebuild(t, std::move(args));
  }
}

Term Erasure::equal(Sort sort, Term a, Term b) {
  if (sort->kind != SortKind::Map || a == b) return arena_.eq(a, b);
  const bool truth_values = sort->key->kind == SortKind::Bool;
  if (!truth_values && sort->key->kind != SortKind::Enum) return arena_.eq(a, b);
  const std::size_t keys = truth_values ? 2 : sort->key->decl->values.size();
  std::vector<Term> parts;
  for (std::size_t i = 0; i < keys; ++i) {
    const Term key =
        truth_values ? arena_.boolean(i == 1) : arena_.integer(static_cast<Integer>(i));
    parts.push_back(equal(sort->value, arena_.select(a, key), arena_.select(b, key)));
  }
  return arena_.conj(std::move(parts));
}

Term Erasure::number_of(const EnumDecl& decl, Term index) {
  const auto& values = decl.values;
  if (values.empty()) return arena_.integer(0);
  bool consecutive = true;
  for (std::size_t i = 1; i < values.size(); ++i)
    consecutive &= values[i].value == values[i - 1].value + 1;
  if (consecutive) return arena_.add(index, arena_.integer(values[0].value));
  Term number = arena_.integer(values.back().value);
  for (std::size_t i = values.size() - 1; i-- > 0;)
    number = arena_.ite(arena_.eq(index, arena_.integer(static_cast<Integer>(i))),
                        arena_.integer(values[i].value), number);
  return number;
}

} // namespace tacit
