#include "logic/term/term.h"

#include <algorithm>
#include <functional>
#include <set>

#include "base/should.h"

namespace tacit {

std::string to_string(Sort sort) {
  switch (sort->kind) {
  case SortKind::Bool: return "bool";
  case SortKind::Int: return "int";
  case SortKind::Enum: return sort->decl->name;
  case SortKind::Ref: return "ref";
  case SortKind::Map: return "map[" + to_string(sort->key) + "]" + to_string(sort->value);
  }
  return "?";
}

std::size_t TermArena::Hash::operator()(Term t) const {
  std::size_t h = static_cast<std::size_t>(t->op) * 1000003u;
  auto mix = [&h](std::size_t x) { h = (h ^ x) * 0x9E3779B97F4A7C15ull + (h >> 29); };
  mix(reinterpret_cast<std::size_t>(t->sort));
  mix(static_cast<std::size_t>(t->number));
  if (!t->name.empty()) mix(std::hash<std::string>{}(t->name));
  for (Term a : t->args) mix(a->id);
  return h;
}

bool TermArena::Equal::operator()(Term a, Term b) const {
  return a->op == b->op && a->sort == b->sort && a->number == b->number && a->args == b->args &&
         a->name == b->name;
}

TermArena::TermArena() {
  sorts_.push_back({.kind = SortKind::Bool});
  bool_ = &sorts_.back();
  sorts_.push_back({.kind = SortKind::Int});
  int_ = &sorts_.back();
  sorts_.push_back({.kind = SortKind::Ref});
  ref_ = &sorts_.back();
}

Sort TermArena::enum_sort(EnumDecl decl) {
  auto same = [&decl](const EnumDecl& other) {
    return other.name == decl.name && other.numbers == decl.numbers &&
           std::ranges::equal(other.values, decl.values,
                              [](const Enumerator& a, const Enumerator& b) {
                                return a.name == b.name && a.value == b.value;
                              });
  };
  for (const SortNode& s : sorts_)
    if (s.kind == SortKind::Enum && same(*s.decl)) return &s;
  enums_.push_back(std::move(decl));
  sorts_.push_back({.kind = SortKind::Enum, .decl = &enums_.back()});
  return &sorts_.back();
}

Sort TermArena::map_sort(Sort key, Sort value) {
  for (const SortNode& s : sorts_)
    if (s.kind == SortKind::Map && s.key == key && s.value == value) return &s;
  sorts_.push_back({.kind = SortKind::Map, .key = key, .value = value});
  return &sorts_.back();
}

Term TermArena::make(Op op, Sort sort, Integer number, std::string_view name,
                     std::vector<Term> args) {
  TermNode probe{op, sort, 0, number, std::string(name), std::move(args)};
  if (auto found = table_.find(&probe); found != table_.end()) return found->second;
  probe.id = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back(std::move(probe));
  Term made = &nodes_.back();
  table_.emplace(made, made);
  return made;
}

Term TermArena::boolean(bool value) { return make(Op::BoolConst, bool_, value ? 1 : 0, {}, {}); }
Term TermArena::integer(Integer value) { return make(Op::IntConst, int_, value, {}, {}); }
Term TermArena::reference(Integer address) { return make(Op::RefConst, ref_, address, {}, {}); }

Term TermArena::enumerator(Sort sort, std::size_t index) {
  should(sort->kind == SortKind::Enum && index < sort->decl->values.size(),
         "an enumerator should exist");
  return make(Op::EnumConst, sort, static_cast<Integer>(index), {}, {});
}

Term TermArena::constant(Sort sort, Integer number) {
  switch (sort->kind) {
  case SortKind::Bool: return boolean(number != 0);
  case SortKind::Int: return integer(number);
  case SortKind::Enum: return enumerator(sort, static_cast<std::size_t>(number));
  case SortKind::Ref: return reference(number);
  case SortKind::Map: break;
  }
  should(false, "a constant should have a scalar sort");
  return nullptr;
}

Term TermArena::var(std::string_view name, Sort sort) { return make(Op::Var, sort, 0, name, {}); }

bool is_constant(Term t) {
  return t->op == Op::BoolConst || t->op == Op::IntConst || t->op == Op::EnumConst ||
         t->op == Op::RefConst;
}
bool is_true(Term t) { return t->op == Op::BoolConst && t->number == 1; }
bool is_false(Term t) { return t->op == Op::BoolConst && t->number == 0; }

Term TermArena::negate(Term a) {
  should(a->sort == bool_, "a negated term should be Boolean");
  switch (a->op) {
  case Op::BoolConst: return boolean(a->number == 0);
  case Op::Not: return a->args[0];
  case Op::Lt: return le(a->args[1], a->args[0]);
  case Op::Le: return lt(a->args[1], a->args[0]);
  default: return make(Op::Not, bool_, 0, {}, {a});
  }
}

/// Flattens, drops duplicates and neutral parts, and finds the absorbing part or a complementary
/// pair.
Term TermArena::join(Op op, std::vector<Term> parts) {
  const bool is_and = op == Op::And;
  std::vector<Term> flat;
  std::set<Term, TermById> seen;
  std::function<bool(Term)> add = [&](Term t) {
    if (t->op == op) return std::ranges::all_of(t->args, add);
    if (t->op == Op::BoolConst) return is_true(t) == is_and;
    if (seen.contains(t)) return true;
    if (seen.contains(negate(t))) return false;
    seen.insert(t);
    flat.push_back(t);
    return true;
  };
  for (Term t : parts) {
    should(t->sort == bool_, "parts of a conjunction or disjunction should be Boolean");
    if (!add(t)) return boolean(!is_and);
  }
  if (flat.empty()) return boolean(is_and);
  if (flat.size() == 1) return flat[0];
  return make(op, bool_, 0, {}, std::move(flat));
}

Term TermArena::conj(std::vector<Term> parts) { return join(Op::And, std::move(parts)); }
Term TermArena::disj(std::vector<Term> parts) { return join(Op::Or, std::move(parts)); }

Term TermArena::ite(Term c, Term a, Term b) {
  should(c->sort == bool_ && a->sort == b->sort, "a conditional should be well sorted");
  if (c->op == Op::BoolConst) return is_true(c) ? a : b;
  if (a == b) return a;
  if (a->sort == bool_) {
    if (is_true(a)) return disj(c, b);
    if (is_false(a)) return conj(negate(c), b);
    if (is_true(b)) return disj(negate(c), a);
    if (is_false(b)) return conj(c, a);
  }
  if (c->op == Op::Not) return make(Op::Ite, a->sort, 0, {}, {c->args[0], b, a});
  return make(Op::Ite, a->sort, 0, {}, {c, a, b});
}

Term TermArena::eq(Term a, Term b) {
  should(a->sort == b->sort, "both sides of == should have one sort");
  if (a == b) return truth();
  if (is_constant(a) && is_constant(b)) return falsehood();
  if (a->sort == bool_) {
    if (a->op == Op::BoolConst) return is_true(a) ? b : negate(b);
    if (b->op == Op::BoolConst) return is_true(b) ? a : negate(a);
    if (a == negate(b)) return falsehood();
  }
  if (is_constant(a)) std::swap(a, b); // `x == 3`, not `3 == x`
  return make(Op::Eq, bool_, 0, {}, {a, b});
}

namespace {
Integer order_value(Term constant) {
  if (constant->op == Op::EnumConst)
    return constant->sort->decl->values[static_cast<std::size_t>(constant->number)].value;
  return constant->number;
}
bool ordered(Sort sort) { return sort->kind == SortKind::Int || sort->kind == SortKind::Enum; }
} // namespace

Term TermArena::lt(Term a, Term b) {
  should(a->sort == b->sort && ordered(a->sort), "both sides of < should be of one ordered sort");
  if (a == b) return falsehood();
  if (is_constant(a) && is_constant(b)) return boolean(order_value(a) < order_value(b));
  return make(Op::Lt, bool_, 0, {}, {a, b});
}

Term TermArena::le(Term a, Term b) {
  should(a->sort == b->sort && ordered(a->sort), "both sides of <= should be of one ordered sort");
  if (a == b) return truth();
  if (is_constant(a) && is_constant(b)) return boolean(order_value(a) <= order_value(b));
  return make(Op::Le, bool_, 0, {}, {a, b});
}

Term TermArena::add(Term a, Term b) {
  should(a->sort == int_ && b->sort == int_, "arithmetic should be on integers");
  if (a->op == Op::IntConst && b->op == Op::IntConst)
    if (auto sum = checked_add(a->number, b->number)) return integer(*sum);
  if (a->op == Op::IntConst) std::swap(a, b);
  if (b->op == Op::IntConst) {
    if (b->number == 0) return a;
    if (b->number < 0) return sub(a, integer(-b->number));
    if (a->op == Op::Add && a->args[1]->op == Op::IntConst)
      if (auto sum = checked_add(a->args[1]->number, b->number))
        return add(a->args[0], integer(*sum));
    if (a->op == Op::Sub && a->args[1]->op == Op::IntConst)
      if (auto sum = checked_sub(b->number, a->args[1]->number))
        return add(a->args[0], integer(*sum));
  }
  return make(Op::Add, int_, 0, {}, {a, b});
}

Term TermArena::sub(Term a, Term b) {
  should(a->sort == int_ && b->sort == int_, "arithmetic should be on integers");
  if (a->op == Op::IntConst && b->op == Op::IntConst)
    if (auto difference = checked_sub(a->number, b->number)) return integer(*difference);
  if (a == b) return integer(0);
  if (b->op == Op::IntConst) {
    if (b->number == 0) return a;
    if (b->number < 0) return add(a, integer(-b->number));
    if (a->op == Op::Sub && a->args[1]->op == Op::IntConst)
      if (auto sum = checked_add(a->args[1]->number, b->number))
        return sub(a->args[0], integer(*sum));
    if (a->op == Op::Add && a->args[1]->op == Op::IntConst)
      if (auto sum = checked_sub(a->args[1]->number, b->number))
        return add(a->args[0], integer(*sum));
  }
  return make(Op::Sub, int_, 0, {}, {a, b});
}

Term TermArena::neg(Term a) {
  should(a->sort == int_, "arithmetic should be on integers");
  if (a->op == Op::IntConst) return integer(-a->number);
  if (a->op == Op::Neg) return a->args[0];
  return make(Op::Neg, int_, 0, {}, {a});
}

Term TermArena::mul(Term a, Term b) {
  should(a->sort == int_ && b->sort == int_, "arithmetic should be on integers");
  if (a->op == Op::IntConst && b->op == Op::IntConst)
    if (auto product = checked_mul(a->number, b->number)) return integer(*product);
  if (a->op == Op::IntConst) std::swap(a, b);
  if (b->op == Op::IntConst) {
    if (b->number == 0) return b;
    if (b->number == 1) return a;
  }
  return make(Op::Mul, int_, 0, {}, {a, b});
}

Term TermArena::div(Term a, Term b) {
  should(a->sort == int_ && b->sort == int_, "arithmetic should be on integers");
  if (b->op == Op::IntConst && b->number != 0) {
    if (a->op == Op::IntConst) return integer(*div_trunc(a->number, b->number));
    if (b->number == 1) return a;
  }
  return make(Op::Div, int_, 0, {}, {a, b});
}

Term TermArena::mod(Term a, Term b) {
  should(a->sort == int_ && b->sort == int_, "arithmetic should be on integers");
  if (b->op == Op::IntConst && b->number != 0) {
    if (a->op == Op::IntConst) return integer(*mod_trunc(a->number, b->number));
    if (b->number == 1) return integer(0);
  }
  return make(Op::Mod, int_, 0, {}, {a, b});
}

Integer wrap_integer(Integer value, int bits, bool is_signed) {
  const Integer size = Integer{1} << bits;
  Integer reduced = value % size;
  if (reduced < 0) reduced += size;
  if (is_signed && reduced >= size / 2) reduced -= size;
  return reduced;
}

namespace {
/// s32(s32(x + 1) + 1) is s32(x + 2). Constants alone: they add up to little.
Term without_inner_wraps(TermArena& arena, int bits, Term a) {
  if (a->op == Op::Wrap && (a->number < 0 ? -a->number : a->number) >= bits) return a->args[0];
  if ((a->op == Op::Add || a->op == Op::Sub) && a->args[1]->op == Op::IntConst) {
    const Term rest = without_inner_wraps(arena, bits, a->args[0]);
    if (rest != a->args[0])
      return a->op == Op::Add ? arena.add(rest, a->args[1]) : arena.sub(rest, a->args[1]);
  }
  return a;
}
} // namespace

Term TermArena::wrap(int bits, bool is_signed, Term a) {
  should(a->sort == int_ && bits > 0 && bits <= 64,
         "wrapping should be of an integer to at most 64 bits");
  a = without_inner_wraps(*this, bits, a);
  if (a->op == Op::IntConst) return integer(wrap_integer(a->number, bits, is_signed));
  const Integer payload = is_signed ? -bits : bits;
  if (a->op == Op::Wrap && a->number == payload) return a;
  return make(Op::Wrap, int_, payload, {}, {a});
}

Term TermArena::to_int(Term a) {
  should(a->sort->kind == SortKind::Enum, "int() should be of an enumerator");
  if (a->op == Op::EnumConst) return integer(order_value(a));
  return make(Op::ToInt, int_, 0, {}, {a});
}

Term TermArena::select(Term map, Term key) {
  should(map->sort->kind == SortKind::Map && map->sort->key == key->sort,
         "a selection should be well sorted");
  if (map->op == Op::ConstMap) return map->args[0];
  if (map->op == Op::Store) {
    if (map->args[1] == key) return map->args[2];
    if (is_constant(map->args[1]) && is_constant(key)) return select(map->args[0], key);
  }
  return make(Op::Select, map->sort->value, 0, {}, {map, key});
}

Term TermArena::store(Term map, Term key, Term value) {
  should(map->sort->kind == SortKind::Map && map->sort->key == key->sort &&
             map->sort->value == value->sort,
         "a store should be well sorted");
  if (map->op == Op::Store && map->args[1] == key) return store(map->args[0], key, value);
  if (value->op == Op::Select && value->args[0] == map && value->args[1] == key) return map;
  if (map->op == Op::ConstMap && map->args[0] == value) return map;
  return make(Op::Store, map->sort, 0, {}, {map, key, value});
}

Term TermArena::const_map(Sort map, Term value) {
  should(map->kind == SortKind::Map && map->value == value->sort,
         "a constant map should be well sorted");
  return make(Op::ConstMap, map, 0, {}, {value});
}

Term TermArena::rebuild(Term like, std::vector<Term> args) {
  if (args == like->args) return like;
  switch (like->op) {
  case Op::BoolConst:
  case Op::IntConst:
  case Op::EnumConst:
  case Op::RefConst:
  case Op::Var: return like;
  case Op::Not: return negate(args[0]);
  case Op::And: return conj(std::move(args));
  case Op::Or: return disj(std::move(args));
  case Op::Ite: return ite(args[0], args[1], args[2]);
  case Op::Eq: return eq(args[0], args[1]);
  case Op::Lt: return lt(args[0], args[1]);
  case Op::Le: return le(args[0], args[1]);
  case Op::Add: return add(args[0], args[1]);
  case Op::Sub: return sub(args[0], args[1]);
  case Op::Neg: return neg(args[0]);
  case Op::Mul: return mul(args[0], args[1]);
  case Op::Div: return div(args[0], args[1]);
  case Op::Mod: return mod(args[0], args[1]);
  case Op::Wrap: {
    const bool is_signed = like->number < 0;
    return wrap(static_cast<int>(is_signed ? -like->number : like->number), is_signed, args[0]);
  }
  case Op::ToInt: return to_int(args[0]);
  case Op::Select: return select(args[0], args[1]);
  case Op::Store: return store(args[0], args[1], args[2]);
  case Op::ConstMap: return const_map(like->sort, args[0]);
  }
  return like;
}

namespace {
Term substitute_rec(TermArena& arena, Term t, const Substitution& by,
                    std::unordered_map<Term, Term>& done) {
  if (t->op == Op::Var) {
    auto found = by.find(t);
    return found == by.end() ? t : found->second;
  }
  if (t->args.empty()) return t;
  if (auto found = done.find(t); found != done.end()) return found->second;
  std::vector<Term> args;
  args.reserve(t->args.size());
  for (Term a : t->args) args.push_back(substitute_rec(arena, a, by, done));
  Term made = arena.rebuild(t, std::move(args));
  done.emplace(t, made);
  return made;
}

void collect(Term t, std::set<Term, TermById>& found, std::set<Term, TermById>& seen) {
  if (!seen.insert(t).second) return;
  if (t->op == Op::Var) found.insert(t);
  for (Term a : t->args) collect(a, found, seen);
}
} // namespace

Term substitute(TermArena& arena, Term term, const Substitution& by) {
  std::unordered_map<Term, Term> done;
  return substitute_rec(arena, term, by, done);
}

std::vector<Term> variables(std::span<const Term> terms) {
  std::set<Term, TermById> found, seen;
  for (Term t : terms) collect(t, found, seen);
  return {found.begin(), found.end()};
}

std::vector<Term> variables(Term term) { return variables(std::span<const Term>(&term, 1)); }

} // namespace tacit
