// Letters that are finer than calls and outcomes: a call is split by conditions on what the client
// passes and on what it can follow, an outcome by conditions on what it sees as well
// (docs/semantics.md, 11). What is split is the program: each letter is a procedure of its own that
// assumes its condition, so that engines and oracles need not know.
#pragma once

#include <map>
#include <vector>

#include "component/component.h"

namespace tacit {

/// How one call (or constructor) is split. Conditions of one list exclude each other and together
/// cover everything; an empty list is the one condition `true`.
struct CallCells {
  /// Over parameters, client-owned state and the state before the call.
  std::vector<Term> entry;
  /// By outcome: over the same and result_variable().
  std::map<std::size_t, std::vector<Term>> results;
};

struct CallSplits {
  std::vector<CallCells> calls, constructors;
  std::vector<Term> tracked; // terms over the state that conditions may mention

  bool splits() const;
};

/// What a call returns, in conditions on its result.
Term result_variable(TermArena& arena, Sort sort);

/// A call of the refined component: which call it stands for, and when.
struct CallVariant {
  std::size_t call = 0;
  Term when = nullptr;
  struct Outcome {
    std::size_t outcome = 0;
    Term when = nullptr; // on the result; true where it is not split
  };
  std::vector<Outcome> outcomes;
};

struct RefinedComponent {
  Component component;
  std::vector<CallVariant> calls, constructors; // in the order of the component's
};

/// Variants are named after their call, `get`, `get.2`, `get.3`; so are outcomes.
RefinedComponent refine(const Component& component, const CallSplits& alphabet);

} // namespace tacit
