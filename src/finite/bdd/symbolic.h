// Terms evaluated over all states and choices at once: scalars are Numbers, maps are their
// elements.
//
// The meaning is that of finite/compiled.h: numbers are limited to 64 bits and indices to the keys
// of their map, and evaluation that leaves these limits fails. Where it fails is part of the value;
// Boolean operators and conditionals evaluate from the left and no further than needed.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "finite/bdd/number.h"
#include "program/ir/type.h"

namespace tacit {

using Cell = std::shared_ptr<const Number>;
using Cells = std::vector<Cell>;

struct SymbolicValue {
  Cells cells; // one, or the elements of a map
  Bdd fails;
};

/// The cells of a variable in an environment.
struct CellRange {
  std::size_t first = 0;
  std::size_t count = 1;
  const Type* type = nullptr;
};
using CellRanges = std::unordered_map<Term, CellRange>;

/// Evaluates terms in one environment, which must not change meanwhile.
class SymbolicEvaluator {
public:
  SymbolicEvaluator(const CellRanges& ranges, const Cells& environment)
      : ranges_(ranges), environment_(environment) {}

  /// `wanted` is the type of the result where that is a map, as far as the context knows it.
  SymbolicValue value(Term term, const Type* wanted);
  /// Why the last failure that can happen does.
  const std::string& failure() const { return failure_; }

private:
  SymbolicValue compute(Term term, const Type* wanted);
  SymbolicValue arithmetic(Term term);
  SymbolicValue junction(Term term);
  SymbolicValue selection(Term term);
  SymbolicValue update(Term term, const Type* wanted);
  const Type* type_of(Term term, const Type* wanted) const;
  const Type& map_type(Term term, const Type* wanted) const;
  static Number ordered(Term term, const Number& value);

  const CellRanges& ranges_;
  const Cells& environment_;
  std::unordered_map<Term, SymbolicValue> known_;
  std::string failure_;
};

/// Where a value lies in a type's range.
Bdd in_type(const Type& scalar, const Number& value);

} // namespace tacit
