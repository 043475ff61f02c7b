// Types of program variables: a sort and the facts that come with it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "logic/term/evaluate.h"
#include "logic/term/term.h"

namespace tacit {

/// `int [0..9]`, `bool`, `State`, `ref Node`, `map [ref] int [0..]`.
///
/// A range is a fact about inputs and an invariant of assignments: `x := e` with e outside the
/// range of x has no such run (the assumption "no overflow", listed in results). The record of a
/// reference only resolves `x.field`; it is not checked.
struct Type {
  Sort sort = nullptr;
  std::optional<Integer> low, high;       // Int
  std::string record;                     // Ref
  std::shared_ptr<const Type> key, value; // Map

  bool ranged() const { return low || high; }
};

bool operator==(const Type& a, const Type& b);
std::string to_string(const Type& type);
/// Words of the text form that stand where a record's name would follow `ref`: a record that is
/// called like one is written between backquotes.
bool may_follow_type(std::string_view word);

/// How many values a type has, when that is finite and below 2^62.
std::optional<std::uint64_t> domain_size(const Type& type);
/// The i-th value of a finite type, in ascending order (maps: lexicographic by key).
Value domain_value(const Type& type, std::uint64_t index);
/// The i-th key of a finite scalar type as a number, and its inverse (nullopt when outside).
Integer scalar_value(const Type& type, std::uint64_t index);
std::optional<std::uint64_t> scalar_index(const Type& type, Integer number);

/// Whether a value lies in the type's range (elements of maps included).
bool contains(const Type& type, const Value& value);
/// The same as a formula over `term`; true when there is nothing to say. Ranges of map elements are
/// left to reads.
Term range_fact(TermArena& arena, const Type& type, Term term);

/// The type of a variable; null when it has none that matters.
using TypeOf = std::function<const Type*(Term variable)>;

/// Whether `value`, an expression over typed variables, lies in a type, elements of maps included.
/// Variables of a map type whose elements have the same range are taken to be in range. nullptr
/// when that cannot be said.
Term in_type(TermArena& arena, const Type& type, Term value, const TypeOf& type_of);

} // namespace tacit
