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

} // namespace

std::vector<ElementRead> element_reads(TermArena& arena, Term term, const TypeOf& type_of) {
  Reads reads(arena, type_of);
  reads.visit(term);
  return reads.take();
}

} // namespace tacit
