// Terms: hash-consed, immutable expressions over named variables.
//
// Equal terms are equal pointers. Building a term folds constants and normalises lightly (no double
// negation, `a >= b` becomes `b <= a`, `!(a < b)` becomes `b <= a`, conjunctions are flat and
// without duplicates), so that what two front ends or two engines build for the same thing is the
// same term.
//
// Integers are mathematical. `Wrap` reduces an integer to a machine width; dropping every Wrap is
// what
// `--integers math` means. Division and remainder truncate towards zero as in C and Java; by zero
// they are unspecified in the logic (front ends branch before dividing) and 0 in the evaluator.
//
// Ownership and threads: nodes belong to the arena and never move. One thread builds; any number
// may read finished terms.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "logic/term/sort.h"

namespace tacit {

enum class Op : std::uint8_t {
  BoolConst, // number: 0 or 1
  IntConst,  // number
  EnumConst, // number: index into the declaration's values
  RefConst,  // number: 0 is null, others are addresses met in concrete runs
  Var,       // name
  Not,
  And, // two or more
  Or,  // two or more
  Ite,
  Eq,
  Lt, // Int or Enum (by value)
  Le,
  Add,
  Sub,
  Neg,
  Mul,
  Div,
  Mod,
  Wrap,     // number: bits, negative when signed
  ToInt,    // Enum -> Int
  Select,   // map, key
  Store,    // map, key, value
  ConstMap, // value
};

struct TermNode;
using Term = const TermNode*;

struct TermNode {
  Op op = Op::BoolConst;
  Sort sort = nullptr;
  std::uint32_t id = 0; // order of creation: deterministic, for sorting
  Integer number = 0;
  std::string name;
  std::vector<Term> args;
};

struct TermById {
  bool operator()(Term a, Term b) const { return a->id < b->id; }
};

class TermArena {
public:
  TermArena();
  TermArena(const TermArena&) = delete;
  TermArena& operator=(const TermArena&) = delete;

  Sort bool_sort() const { return bool_; }
  Sort int_sort() const { return int_; }
  Sort ref_sort() const { return ref_; }
  /// The declaration is copied; a second declaration of the same name with the same values is the
  /// same sort.
  Sort enum_sort(EnumDecl decl);
  Sort map_sort(Sort key, Sort value);

  Term boolean(bool value);
  Term truth() { return boolean(true); }
  Term falsehood() { return boolean(false); }
  Term integer(Integer value);
  Term enumerator(Sort sort, std::size_t index);
  Term reference(Integer address);
  Term null() { return reference(0); }
  /// The constant of a scalar sort that is represented by `number` (see evaluate.h).
  Term constant(Sort sort, Integer number);
  Term var(std::string_view name, Sort sort);

  Term negate(Term a); // Boolean
  Term conj(std::vector<Term> parts);
  Term conj(Term a, Term b) { return conj(std::vector<Term>{a, b}); }
  Term disj(std::vector<Term> parts);
  Term disj(Term a, Term b) { return disj(std::vector<Term>{a, b}); }
  Term implies(Term a, Term b) { return disj(negate(a), b); }
  Term ite(Term condition, Term then_, Term else_);
  Term eq(Term a, Term b);
  Term ne(Term a, Term b) { return negate(eq(a, b)); }
  Term lt(Term a, Term b);
  Term le(Term a, Term b);
  Term gt(Term a, Term b) { return lt(b, a); }
  Term ge(Term a, Term b) { return le(b, a); }
  Term add(Term a, Term b);
  Term sub(Term a, Term b);
  Term neg(Term a);
  Term mul(Term a, Term b);
  Term div(Term a, Term b);
  Term mod(Term a, Term b);
  Term wrap(int bits, bool is_signed, Term a);
  Term to_int(Term a);
  Term select(Term map, Term key);
  Term store(Term map, Term key, Term value);
  Term const_map(Sort map, Term value);

  /// Rebuilds `like` with other arguments (same operator, payload and sort family).
  Term rebuild(Term like, std::vector<Term> args);

  std::size_t size() const { return nodes_.size(); }

private:
  struct Hash {
    std::size_t operator()(Term t) const;
  };
  struct Equal {
    bool operator()(Term a, Term b) const;
  };

  Term make(Op op, Sort sort, Integer number, std::string_view name, std::vector<Term> args);
  Term join(Op op, std::vector<Term> parts);

  std::deque<SortNode> sorts_;
  std::deque<EnumDecl> enums_;
  std::deque<TermNode> nodes_;
  std::unordered_map<Term, Term, Hash, Equal> table_;
  Sort bool_, int_, ref_;
};

using Substitution = std::unordered_map<Term, Term>; // variable -> term

/// Replaces variables, all at once.
Term substitute(TermArena& arena, Term term, const Substitution& by);

/// The variables of a term, in order of creation.
std::vector<Term> variables(Term term);
std::vector<Term> variables(std::span<const Term> terms);

bool is_constant(Term term);
bool is_true(Term term);
bool is_false(Term term);

/// `to` of width `bits`: what Wrap computes.
Integer wrap_integer(Integer value, int bits, bool is_signed);

} // namespace tacit
