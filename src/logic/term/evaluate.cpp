#include "logic/term/evaluate.h"

#include "base/should.h"
#include "logic/term/print.h"

namespace tacit {

bool operator==(const Value& a, const Value& b) {
  if (!a.map || !b.map) return !a.map && !b.map && a.number == b.number;
  if (a.map == b.map) return true;
  return a.map->otherwise == b.map->otherwise && a.map->entries == b.map->entries;
}

bool operator<(const Value& a, const Value& b) {
  if (!a.map || !b.map)
    return static_cast<bool>(a.map) != static_cast<bool>(b.map) ? !a.map : a.number < b.number;
  if (a.map == b.map) return false;
  if (!(a.map->otherwise == b.map->otherwise)) return a.map->otherwise < b.map->otherwise;
  return a.map->entries < b.map->entries;
}

Value const_map(const Value& otherwise) {
  Value v;
  v.map = std::make_shared<MapValue>(MapValue{otherwise, {}});
  return v;
}

Value select(const Value& map, const Value& key) {
  auto found = map.map->entries.find(key.number);
  return found == map.map->entries.end() ? map.map->otherwise : found->second;
}

Value store(const Value& map, const Value& key, const Value& value) {
  auto copy = std::make_shared<MapValue>(*map.map);
  if (value == copy->otherwise)
    copy->entries.erase(key.number);
  else
    copy->entries[key.number] = value;
  Value v;
  v.map = std::move(copy);
  return v;
}

Value default_value(Sort sort) {
  return sort->kind == SortKind::Map ? const_map(default_value(sort->value)) : Value(0);
}

bool equal(const Value& a, const Value& b, Sort sort) {
  if (sort->kind != SortKind::Map) return a == b;
  std::size_t keys = 0;
  if (sort->key->kind == SortKind::Bool) keys = 2;
  if (sort->key->kind == SortKind::Enum) keys = sort->key->decl->values.size();
  if (keys == 0) return a == b;
  for (std::size_t k = 0; k < keys; ++k) {
    const Value key(static_cast<Integer>(k));
    if (!equal(select(a, key), select(b, key), sort->value)) return false;
  }
  return true;
}

namespace {

Integer order_number(const Value& v, Sort sort) {
  return sort->kind == SortKind::Enum ? sort->decl->values[static_cast<std::size_t>(v.number)].value
                                      : v.number;
}

Result<Value> arithmetic(Op op, Integer a, Integer b) {
  std::optional<Integer> r;
  switch (op) {
  case Op::Add: r = checked_add(a, b); break;
  case Op::Sub: r = checked_sub(a, b); break;
  case Op::Mul: r = checked_mul(a, b); break;
  case Op::Div: r = b == 0 ? 0 : div_trunc(a, b); break;
  case Op::Mod: r = b == 0 ? 0 : mod_trunc(a, b); break;
  default: break;
  }
  if (!r) return fail("a number is too large to compute with");
  return Value(*r);
}

} // namespace

Result<Value> evaluate(Term t, const Valuation& valuation) {
  auto arg = [&](std::size_t i) { return evaluate(t->args[i], valuation); };
  switch (t->op) {
  case Op::BoolConst:
  case Op::IntConst:
  case Op::EnumConst:
  case Op::RefConst: return Value(t->number);
  case Op::Var: return valuation(t);
  case Op::Not: {
    auto a = arg(0);
    if (a) a->number = a->truth() ? 0 : 1;
    return a;
  }
  case Op::And:
  case Op::Or: {
    const bool neutral = t->op == Op::And;
    for (std::size_t i = 0; i < t->args.size(); ++i) {
      auto a = arg(i);
      if (!a) return a;
      if (a->truth() != neutral) return Value(neutral ? 0 : 1);
    }
    return Value(neutral ? 1 : 0);
  }
  case Op::Ite: {
    auto c = arg(0);
    if (!c) return c;
    return arg(c->truth() ? 1 : 2);
  }
  case Op::Eq: {
    auto a = arg(0), b = arg(1);
    if (!a) return a;
    if (!b) return b;
    return Value(equal(*a, *b, t->args[0]->sort) ? 1 : 0);
  }
  case Op::Lt:
  case Op::Le: {
    auto a = arg(0), b = arg(1);
    if (!a) return a;
    if (!b) return b;
    const Integer x = order_number(*a, t->args[0]->sort), y = order_number(*b, t->args[1]->sort);
    return Value(t->op == Op::Lt ? x < y : x <= y);
  }
  case Op::Add:
  case Op::Sub:
  case Op::Mul:
  case Op::Div:
  case Op::Mod: {
    auto a = arg(0), b = arg(1);
    if (!a) return a;
    if (!b) return b;
    return arithmetic(t->op, a->number, b->number);
  }
  case Op::Neg: {
    auto a = arg(0);
    if (a) a->number = -a->number;
    return a;
  }
  case Op::Wrap: {
    auto a = arg(0);
    const bool is_signed = t->number < 0;
    if (a)
      a->number =
          wrap_integer(a->number, static_cast<int>(is_signed ? -t->number : t->number), is_signed);
    return a;
  }
  case Op::ToInt: {
    auto a = arg(0);
    if (a) a->number = order_number(*a, t->args[0]->sort);
    return a;
  }
  case Op::Select: {
    auto a = arg(0), b = arg(1);
    if (!a) return a;
    if (!b) return b;
    return select(*a, *b);
  }
  case Op::Store: {
    auto a = arg(0), b = arg(1), c = arg(2);
    if (!a) return a;
    if (!b) return b;
    if (!c) return c;
    return store(*a, *b, *c);
  }
  case Op::ConstMap: {
    auto a = arg(0);
    if (!a) return a;
    return const_map(*a);
  }
  }
  should(false, "every operator should be evaluated");
  return Value(0);
}

std::string to_string(const Value& value, Sort sort) {
  if (sort->kind != SortKind::Map) {
    switch (sort->kind) {
    case SortKind::Bool: return value.truth() ? "true" : "false";
    case SortKind::Enum: return sort->decl->values[static_cast<std::size_t>(value.number)].name;
    case SortKind::Ref: return value.number == 0 ? "null" : "ref(" + to_string(value.number) + ")";
    default: return to_string(value.number);
    }
  }
  std::string text = "{otherwise: " + to_string(value.map->otherwise, sort->value);
  for (const auto& [key, v] : value.map->entries)
    text += ", " + to_string(Value(key), sort->key) + ": " + to_string(v, sort->value);
  return text + "}";
}

Term to_term(TermArena& arena, const Value& value, Sort sort) {
  if (sort->kind != SortKind::Map) return arena.constant(sort, value.number);
  Term t = arena.const_map(sort, to_term(arena, value.map->otherwise, sort->value));
  for (const auto& [key, v] : value.map->entries)
    t = arena.store(t, arena.constant(sort->key, key), to_term(arena, v, sort->value));
  return t;
}

} // namespace tacit
