#include "program/reduce/widen.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "program/graph/uses.h"

namespace tacit {

namespace {

constexpr int widths[] = {32, 64};

/// The limit of a machine's integers, signed or not.
bool is_limit(Integer high) {
  return std::ranges::any_of(widths, [&](int width) {
    return high == (Integer{1} << (width - 1)) - 1 || high == (Integer{1} << width) - 1;
  });
}

bool has_limit(const Type& type) {
  if (type.value) return has_limit(*type.value);
  return type.high && is_limit(*type.high);
}

Type without_limit(Type type) {
  if (type.value) {
    type.value = std::make_shared<Type>(without_limit(*type.value));
    return type;
  }
  type.high.reset();
  if (type.low && *type.low < 0) type.low.reset();
  return type;
}

class Widening {
public:
  explicit Widening(Module& module) : module_(module) {
    for (std::size_t i = 0; i < module.procedures.size(); ++i)
      procedures_.emplace(module.procedures[i].name, &module.procedures[i]);
  }

  bool run() {
    for (Procedure& p : module_.procedures) each_read(p, [&](Term t, Term) { find_factors(t); });
    bool any = false;
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (Procedure& p : module_.procedures)
        for (const Block& b : p.blocks) look_at(p, b);
      any |= changed_;
    }
    return any;
  }

private:
  Type* type_of(Procedure& p, Term variable) {
    for (auto* list : {&p.parameters, &p.locals})
      for (Variable& v : *list)
        if (v.term == variable) return &v.type;
    const auto index = module_.state_index(variable);
    return index ? &module_.state[*index].type : nullptr;
  }

  const Type* declared(Procedure& p, Term value) {
    if (value->op == Op::Select) {
      const Type* map = declared(p, value->args[0]);
      return map ? map->value.get() : nullptr;
    }
    return value->op == Op::Var ? type_of(p, value) : nullptr;
  }

  static bool within(const Type& inner, const Type& outer) {
    if (outer.value) return inner.value && within(*inner.value, *outer.value);
    return (!outer.low || (inner.low && *inner.low >= *outer.low)) &&
           (!outer.high || (inner.high && *inner.high <= *outer.high));
  }

  bool keeps(Procedure& p, const Type& type, Term value) {
    switch (value->op) {
    case Op::IntConst: return contains(type, Value(value->number));
    case Op::ConstMap: return keeps(p, *type.value, value->args[0]);
    case Op::Store: return keeps(p, type, value->args[0]) && keeps(p, *type.value, value->args[2]);
    case Op::Ite: return keeps(p, type, value->args[1]) && keeps(p, type, value->args[2]);
    case Op::Mod: return keeps(p, type, value->args[0]) || value->args[1]->op == Op::IntConst;
    case Op::Wrap: return true;
    default: {
      const Type* known = declared(p, value);
      return known && within(*known, type);
    }
    }
  }

  /// What is multiplied, divided or taken apart into bits is no counter: its limits matter.
  void find_factors(Term t) {
    if (t->args.empty() || !seen_.insert(t).second) return;
    if (t->op == Op::Mul || t->op == Op::Div || t->op == Op::Mod || t->op == Op::Wrap)
      for (const Term v : variables(t)) factors_.insert(v);
    for (const Term a : t->args) find_factors(a);
  }

  bool is_sum(Term t) const {
    switch (t->op) {
    case Op::Var: return !factors_.contains(t);
    case Op::Select: return is_sum(t->args[0]);
    case Op::Store: return is_sum(t->args[0]) && is_sum(t->args[2]);
    case Op::Add:
    case Op::Sub:
    case Op::Neg: return std::ranges::all_of(t->args, [&](Term a) { return is_sum(a); });
    case Op::Ite: return is_sum(t->args[1]) && is_sum(t->args[2]);
    default: return t->op == Op::IntConst;
    }
  }

  void assign(Procedure& p, Type* type, Term value) {
    if (!type || !has_limit(*type) || keeps(p, *type, value) || !is_sum(value)) return;
    *type = without_limit(*type);
    changed_ = true;
  }

  void look_at(Procedure& p, const Block& block) {
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Assign && !factors_.contains(s.target))
        assign(p, type_of(p, s.target), s.value);
    const Terminator& end = block.end;
    if (end.kind == TerminatorKind::Return && end.value && p.returns)
      assign(p, &*p.returns, end.value);
    if (end.kind != TerminatorKind::Call) return;
    const auto callee = procedures_.find(end.name);
    if (callee == procedures_.end()) return;
    Procedure& called = *callee->second;
    for (std::size_t i = 0; i < std::min(end.arguments.size(), called.parameters.size()); ++i)
      assign(p, &called.parameters[i].type, end.arguments[i]);
    Type* result = end.result ? type_of(p, end.result) : nullptr;
    if (!result || !called.returns || !has_limit(*result) || within(*called.returns, *result))
      return;
    *result = without_limit(*result);
    changed_ = true;
  }

  Module& module_;
  std::unordered_map<std::string, Procedure*> procedures_;
  std::unordered_set<Term> seen_, factors_;
  bool changed_ = false;
};

} // namespace

bool widen_counters(Module& module) { return Widening(module).run(); }

} // namespace tacit
