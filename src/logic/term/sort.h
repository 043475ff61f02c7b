// Sorts of terms: what kind of value an expression has.
//
// A sort is what the logic sees; a *type* (program/ir/type.h) is a sort plus facts such as an
// integer's range. Enumerations are sorts of their own so that labels print as `state == SIGN`;
// each enumerator also has an integer value, which `int(e)` yields. Exceptions are the values of
// one enumeration per module.
//
// Sorts are interned in a TermArena: equal sorts are equal pointers, and live as long as the arena.
#pragma once

#include <string>
#include <vector>

#include "base/integer.h"

namespace tacit {

enum class SortKind { Bool, Int, Enum, Ref, Map };

struct Enumerator {
  std::string name;
  Integer value = 0;
};

struct EnumDecl {
  std::string name;
  std::vector<Enumerator> values;
  bool numbers = false; // its values name integers, as macros do; no variable has it as its sort
};

struct SortNode {
  SortKind kind = SortKind::Bool;
  const EnumDecl* decl = nullptr;  // Enum
  const SortNode* key = nullptr;   // Map: Bool, Int, Enum or Ref
  const SortNode* value = nullptr; // Map: any sort
};

using Sort = const SortNode*;

/// "bool", "int", the enumeration's name, "ref", "map[int]bool".
std::string to_string(Sort sort);

} // namespace tacit
