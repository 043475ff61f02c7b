// Linear sums of integer terms: what two comparisons have in common, and how terms over the state
// are said in terms of tracked ones.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "logic/term/term.h"

namespace tacit {

struct LinearSum {
  std::map<Term, Integer, TermById> parts; // without zeros
  Integer constant = 0;
};

/// What is neither a sum nor a multiple by a constant is a part of its own.
LinearSum linear_sum(Term term);

/// `x - y + 3`; the parts in order of creation.
Term to_term(TermArena& arena, const LinearSum& sum);

/// The number that a comparison compares with a constant: `x - y` of `x < y + 3`. The part made
/// first has a positive factor. No value when it compares no integers, or none that varies.
std::optional<Term> compared_number(TermArena& arena, Term atom);

/// With keys of maps that have not moved: `has[at]` of `has[at + 3]`. Keys that do not vary stay.
Term with_still_places(TermArena& arena, Term term);

using IsState = std::function<bool(Term variable)>;

/// What a formula knows of the state, as terms: its largest parts over state variables alone, where
/// of a sum all such parts count as one and its constants as none.
std::vector<Term> state_parts(TermArena& arena, Term formula, const IsState& is_state);

/// Terms over the state that have names.
class TrackedTerms {
public:
  TrackedTerms(TermArena& arena, IsState is_state)
      : arena_(arena), is_state_(std::move(is_state)) {}

  void add(Term term, Term name);
  std::size_t size() const { return terms_.size(); }
  const std::vector<Term>& terms() const { return terms_; }
  const std::vector<Term>& names() const { return names_; }
  bool contains(Term term) const;

  /// The same in terms of names; no value when it takes more of the state than these.
  std::optional<Term> named(Term formula) const;

private:
  std::optional<Term> name(Term formula) const;
  bool mentions_state(Term term) const;
  std::optional<Term> with_named_parts(Term term) const;
  std::optional<Term> named_sum(Term term) const;

  TermArena& arena_;
  IsState is_state_;
  /// What `named` has answered: terms share what they are made of.
  mutable std::map<Term, std::optional<Term>, TermById> said_;
  std::vector<Term> terms_, names_;
  std::vector<LinearSum> sums_;
};

} // namespace tacit
