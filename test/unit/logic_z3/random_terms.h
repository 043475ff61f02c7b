// Random terms over a small vocabulary with every sort and operator, and random values for it.
#pragma once

#include <map>
#include <ostream>
#include <random>
#include <vector>

#include "logic/solver/solver.h"
#include "logic/term/evaluate.h"
#include "logic/term/term.h"

namespace tacit {

using TermValues = std::map<Term, Value, TermById>;

class RandomTerms {
public:
  RandomTerms(TermArena& in, unsigned seed) : arena(in), random_(seed) {
    colour = arena.enum_sort({"Colour", {{"RED", 0}, {"GREEN", 1}, {"BLUE", 2}}});
    code = arena.enum_sort({"Code", {{"OK", 0}, {"WARN", 5}, {"ERR", -3}, {"BAD", -3}}});
    for (const char* name : {"p", "q"}) vars.push_back(arena.var(name, arena.bool_sort()));
    for (const char* name : {"x", "y", "z"}) vars.push_back(arena.var(name, arena.int_sort()));
    for (const char* name : {"c", "d"}) vars.push_back(arena.var(name, colour));
    vars.push_back(arena.var("k", code));
    vars.push_back(arena.var("l", code));
    for (const char* name : {"r", "s"}) vars.push_back(arena.var(name, arena.ref_sort()));
    for (Sort value : {arena.int_sort(), arena.bool_sort(), colour})
      for (Sort key : {arena.int_sort(), arena.ref_sort()})
        for (const char* name : {"m", "n"})
          vars.push_back(
              arena.var(name + to_string(key) + to_string(value), arena.map_sort(key, value)));
    vars.push_back(arena.var("by_bool", arena.map_sort(arena.bool_sort(), arena.int_sort())));
    vars.push_back(arena.var("by_code", arena.map_sort(code, colour)));
    vars.push_back(arena.var(
        "deep", arena.map_sort(arena.ref_sort(), arena.map_sort(arena.int_sort(), colour))));
  }

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  Value value(Sort sort) {
    switch (sort->kind) {
    case SortKind::Bool: return Value(below(2));
    case SortKind::Int: return Value(Integer{below(13)} - 6);
    case SortKind::Enum: return Value(below(static_cast<unsigned>(sort->decl->values.size())));
    case SortKind::Ref: return Value(below(4));
    case SortKind::Map: break;
    }
    Value map = const_map(value(sort->value));
    for (unsigned i = below(3); i > 0; --i) map = store(map, value(sort->key), value(sort->value));
    return map;
  }

  TermValues values() {
    TermValues all;
    for (Term variable : vars) all[variable] = value(variable->sort);
    return all;
  }

  Term leaf(Sort sort) {
    std::vector<Term> fitting;
    for (Term variable : vars)
      if (variable->sort == sort) fitting.push_back(variable);
    if (fitting.empty() || below(4) == 0) return to_term(arena, value(sort), sort);
    return fitting[below(static_cast<unsigned>(fitting.size()))];
  }

  Term term(Sort sort, int depth) {
    if (depth == 0 || below(8) == 0) return leaf(sort);
    if (below(10) == 0)
      return arena.ite(boolean(depth - 1), term(sort, depth - 1), term(sort, depth - 1));
    switch (sort->kind) {
    case SortKind::Bool: return boolean(depth);
    case SortKind::Int: return integer(depth);
    case SortKind::Map:
      if (below(4) == 0) return leaf(sort);
      return arena.store(term(sort, depth - 1), term(sort->key, depth - 1),
                         term(sort->value, depth - 1));
    default: break;
    }
    return below(2) == 0 ? read(sort, depth) : leaf(sort);
  }

  Term boolean(int depth) {
    if (depth == 0) return leaf(arena.bool_sort());
    const auto sub = [&] { return boolean(depth - 1); };
    switch (below(10)) {
    case 0: return arena.negate(sub());
    case 1: return arena.conj({sub(), sub(), sub()});
    case 2: return arena.disj({sub(), sub(), sub()});
    case 3: return arena.eq(sub(), sub());
    case 4: {
      const Sort sort = below(2) ? colour : code;
      const Term a = term(sort, depth - 1), b = term(sort, depth - 1);
      return below(2) ? arena.lt(a, b) : arena.le(a, b);
    }
    case 5:
    case 6: {
      const Term a = term(arena.int_sort(), depth - 1), b = term(arena.int_sort(), depth - 1);
      return below(2) ? arena.lt(a, b) : arena.le(a, b);
    }
    case 7: return read(arena.bool_sort(), depth);
    default: break;
    }
    // The evaluator compares maps with finitely many keys by how they are written: leave those out.
    Sort sort = nullptr;
    do {
      sort = vars[below(static_cast<unsigned>(vars.size()))]->sort;
    } while (sort->kind == SortKind::Map &&
             (sort->key->kind == SortKind::Bool || sort->key->kind == SortKind::Enum));
    return arena.eq(term(sort, depth - 1), term(sort, depth - 1));
  }

  TermArena& arena;
  Sort colour = nullptr, code = nullptr;
  std::vector<Term> vars;
  bool nonlinear = false;

private:
  Term integer(int depth) {
    const auto sub = [&] { return term(arena.int_sort(), depth - 1); };
    const auto constant = [&] { return arena.integer(Integer{below(9)} - 4); };
    const auto divisor = [&] { return nonlinear && below(3) == 0 ? sub() : constant(); };
    switch (below(10)) {
    case 0: return arena.add(sub(), sub());
    case 1: return arena.sub(sub(), sub());
    case 2: return arena.neg(sub());
    case 3: return arena.mul(sub(), divisor());
    case 4: return arena.div(sub(), divisor());
    case 5: return arena.mod(sub(), divisor());
    case 6: return arena.wrap(below(2) ? 8 : 3, below(2) == 0, arena.mul(sub(), arena.integer(50)));
    case 7: return arena.to_int(term(below(2) ? colour : code, depth - 1));
    default: return read(arena.int_sort(), depth);
    }
  }

  Term read(Sort sort, int depth) {
    std::vector<Term> maps;
    for (Term variable : vars)
      if (variable->sort->kind == SortKind::Map && variable->sort->value == sort)
        maps.push_back(variable);
    if (maps.empty()) return leaf(sort);
    const Sort map = maps[below(static_cast<unsigned>(maps.size()))]->sort;
    return arena.select(term(map, depth - 1), term(map->key, depth - 1));
  }

  std::mt19937 random_;
};

inline void PrintTo(Truth truth, std::ostream* out) { *out << to_string(truth); }

inline Value evaluated(Term term, const TermValues& values) {
  auto result = evaluate(term, [&](Term variable) {
    auto found = values.find(variable);
    return found == values.end() ? default_value(variable->sort) : found->second;
  });
  return result.value();
}

} // namespace tacit
