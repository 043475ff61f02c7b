#include "check/facts.h"

#include <map>
#include <set>

namespace tacit {

Term type_fact(TermArena& arena, const Type& type, Term erased) {
  switch (type.sort->kind) {
  case SortKind::Int: return range_fact(arena, type, erased);
  case SortKind::Ref: return arena.ge(erased, arena.integer(0));
  case SortKind::Enum: {
    const auto count = static_cast<Integer>(type.sort->decl->values.size());
    return arena.conj(arena.ge(erased, arena.integer(0)), arena.lt(erased, arena.integer(count)));
  }
  default: return arena.truth();
  }
}

namespace {

class Reads {
public:
  Reads(TermArena& arena, const TypeOf& type_of) : arena_(arena), type_of_(type_of) {}

  void visit(Term term) {
    if (!visited_.insert(term).second) return;
    for (Term arg : term->args) visit(arg);
    if (term->op != Op::Select) return;
    for (const ElementRead& map : sources(term->args[0])) add(read(map, term->args[1]));
  }

  std::vector<ElementRead> take() {
    std::vector<ElementRead> all;
    for (auto& [term, element] : found_) all.push_back(element);
    return all;
  }

private:
  ElementRead read(const ElementRead& map, Term key) {
    return {arena_.select(map.read, key), map.variable, map.type->value.get()};
  }

  void add(const ElementRead& element) {
    if (element.type != nullptr) found_.emplace(element.read, element);
  }

  /// The maps of known type that `map` is made of: variables, and elements of variables that are
  /// maps themselves.
  std::vector<ElementRead> sources(Term map) {
    switch (map->op) {
    case Op::Var: {
      const Type* type = type_of_(map);
      if (type == nullptr || !type->value) return {};
      return {{map, map, type}};
    }
    case Op::Store: return sources(map->args[0]);
    case Op::Ite: {
      auto both = sources(map->args[1]);
      for (const ElementRead& source : sources(map->args[2])) both.push_back(source);
      return both;
    }
    case Op::Select: {
      std::vector<ElementRead> inner;
      for (const ElementRead& outer : sources(map->args[0]))
        if (outer.type->value && outer.type->value->value)
          inner.push_back(read(outer, map->args[1]));
      for (Term stored : stored_in(map->args[0]))
        for (const ElementRead& source : sources(stored)) inner.push_back(source);
      return inner;
    }
    default: return {};
    }
  }

  std::vector<Term> stored_in(Term map) {
    if (map->op == Op::ConstMap) return {map->args[0]};
    if (map->op == Op::Store) {
      auto stored = stored_in(map->args[0]);
      stored.push_back(map->args[2]);
      return stored;
    }
    if (map->op == Op::Ite) {
      auto stored = stored_in(map->args[1]);
      for (Term other : stored_in(map->args[2])) stored.push_back(other);
      return stored;
    }
    return {};
  }

  TermArena& arena_;
  const TypeOf& type_of_;
  std::set<Term, TermById> visited_;
  std::map<Term, ElementRead, TermById> found_;
};

bool has_range(const Type& type) { return type.ranged() || (type.value && has_range(*type.value)); }

bool within(const Type& inner, const Type& outer) {
  if (outer.value) return inner.value && within(*inner.value, *outer.value);
  return (!outer.low || (inner.low && *inner.low >= *outer.low)) &&
         (!outer.high || (inner.high && *inner.high <= *outer.high));
}

/// The declared type of what a selection from typed variables yields, or null.
const Type* declared(Term term, const TypeOf& type_of) {
  if (term->op == Op::Var) return type_of(term);
  if (term->op != Op::Select) return nullptr;
  const Type* map = declared(term->args[0], type_of);
  return map != nullptr ? map->value.get() : nullptr;
}

} // namespace

std::vector<ElementRead> element_reads(TermArena& arena, Term term, const TypeOf& type_of) {
  Reads reads(arena, type_of);
  reads.visit(term);
  return reads.take();
}

Term in_type(TermArena& arena, const Type& type, Term value, const TypeOf& type_of) {
  if (!has_range(type)) return arena.truth();
  if (type.sort->kind == SortKind::Int) return range_fact(arena, type, value);
  const auto both = [&](Term a, Term b) { return a && b ? arena.conj(a, b) : nullptr; };
  switch (value->op) {
  case Op::Store:
    return both(in_type(arena, type, value->args[0], type_of),
                in_type(arena, *type.value, value->args[2], type_of));
  case Op::ConstMap: return in_type(arena, *type.value, value->args[0], type_of);
  case Op::Ite: {
    const Term yes = in_type(arena, type, value->args[1], type_of);
    const Term no = in_type(arena, type, value->args[2], type_of);
    return yes && no ? arena.ite(value->args[0], yes, no) : nullptr;
  }
  default: {
    const Type* known = declared(value, type_of);
    return known != nullptr && within(*known, type) ? arena.truth() : nullptr;
  }
  }
}

} // namespace tacit
