// Concrete values and the evaluation of terms under them: the reference meaning of every operator.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "logic/term/term.h"

namespace tacit {

struct MapValue;

/// A value of some sort that the context knows: Bool is 0 or 1, Enum the index, Ref the address (0
/// is null), Int the number. Maps are immutable and shared.
struct Value {
  Integer number = 0;
  std::shared_ptr<const MapValue> map;

  Value() = default;
  Value(Integer n) : number(n) {} // NOLINT: numbers are values
  bool truth() const { return number != 0; }
};

/// Total map: `entries` differ from `otherwise`.
struct MapValue {
  Value otherwise;
  std::map<Integer, Value> entries;
};

bool operator==(const Value& a, const Value& b);
bool operator<(const Value& a, const Value& b);

/// Equality as the logic has it: maps over finitely many keys (bool, enumerations) are equal when
/// they agree on those, however they are written down.
bool equal(const Value& a, const Value& b, Sort sort);

Value select(const Value& map, const Value& key);
Value store(const Value& map, const Value& key, const Value& value);
Value const_map(const Value& otherwise);

using Valuation = std::function<Value(Term variable)>;

/// Fails (without a location) when a number leaves the range of Integer.
Result<Value> evaluate(Term term, const Valuation& valuation);

/// The least value of a sort: false, 0, the first enumerator, null, the constant map of it.
Value default_value(Sort sort);

/// As an expression of that sort: `true`, `3`, `SIGN`, `null`, `{otherwise: 0, 1: 5}` for maps.
std::string to_string(const Value& value, Sort sort);

/// Back to a term; maps become stores over a constant map.
Term to_term(TermArena& arena, const Value& value, Sort sort);

} // namespace tacit
