// Turns enumerations and references into integers: an enumerator is its index, a reference its
// address. What is left are Booleans, integers and maps, in which all facts about types can be said
// ("below the number of enumerators", "below the next fresh address") and which every solver knows.
//
// A variable keeps its name. Values need no translation, as logic/term/evaluate.h represents them
// by the same numbers.
#pragma once

#include <unordered_map>

#include "logic/term/term.h"

namespace tacit {

class Erasure {
public:
  explicit Erasure(TermArena& arena) : arena_(arena) {}

  Sort sort(Sort sort);
  Term term(Term term);
  /// Equality of erased values of a sort. Maps whose keys can be listed are equal when they agree
  /// on these, whatever an integer beyond them is mapped to. (It also spares cvc5 equations between
  /// constant maps, which it gives up on.)
  Term equal(Sort sort, Term a, Term b);
  TermArena& arena() { return arena_; }

private:
  Term rebuild(Term term);
  /// The integer that an enumerator stands for (`int(e)`, and the order of enumerators), from its
  /// index.
  Term number_of(const EnumDecl& decl, Term index);

  TermArena& arena_;
  std::unordered_map<Term, Term> done_;
};

} // namespace tacit
