// The predicates of an abstraction: a growing list of atoms over the state variables.
#pragma once

#include <vector>

#include "logic/term/term.h"

namespace tacit {

class PredicateSet {
public:
  explicit PredicateSet(TermArena& arena) : arena_(arena) {}

  /// It, or its negation, is there already, or it is a constant.
  bool contains(Term predicate) const;
  /// False when there is nothing to add.
  bool add(Term predicate);
  /// Adds the atoms of a formula that mention state variables only; tells how many were new.
  std::size_t add_atoms(Term formula, const std::vector<Term>& state);

  void clear() { predicates_.clear(); }

  const std::vector<Term>& all() const { return predicates_; }
  std::size_t size() const { return predicates_.size(); }

private:
  Term normal(Term predicate) const;

  TermArena& arena_;
  std::vector<Term> predicates_;
};

/// `a <= b` for each `a == b` between integers: what a counter that runs past a value needs.
std::vector<Term> orders(TermArena& arena, const std::vector<Term>& predicates);

/// Whether it compares with a limit of a machine type: what moves is taken not to get there
/// (docs/semantics.md, 5).
bool compares_with_limit(Term atom);

/// The term with every occurrence of a part replaced.
Term replaced(TermArena& arena, Term term, Term what, Term by);

/// The atoms of a Boolean term: its parts that are not built by and, or, not, or a Boolean
/// conditional. An integer conditional inside an atom is split on: `(c ? a : b) == x` has the atoms
/// c, a == x and b == x.
std::vector<Term> atoms(TermArena& arena, Term formula);

} // namespace tacit
