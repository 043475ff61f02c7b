// Library objects that a field of own code holds and that never leave it.
//
// Such a field is only ever set to a new object of one library class of which contracts keep facts
// (docs/contracts.md), or to null. What is kept are then fields of the owner: `items.size`. Whether
// the object leaves is found by lowering: where its reference is needed (it is returned, stored,
// handed to somebody who may keep it) the field is `leaked`, and the next round takes it for any
// other reference (context.h).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "frontend/java/class_pool.h"
#include "logic/term/term.h"
#include "program/contracts/contracts.h"

namespace tacit::java {

struct HeldField {
  const ClassFile* owner = nullptr;
  const Field* field = nullptr;
  std::string type; // of the object, exactly
  const ClassFacts* facts = nullptr;
  std::string element; // the class that the source gives for its only type parameter; may be empty
  bool reassigned = false; // outside of constructors, too
  bool never_null = false; // from the start of every constructor on

  std::string key() const { return owner->name + " " + field->name; }
};

/// The object itself: of a receiver, or of the own object at an address, which is a local that
/// nobody assigns again.
struct HeldObject {
  const HeldField* of = nullptr;
  int receiver = -1;
  Term owner = nullptr;
  /// The keys, values or entries of it instead, or an iterator: locals that say how many elements
  /// it has still to give, and how many there were when it was made.
  bool view = false;
  Term rest = nullptr, expected = nullptr;

  auto operator<=>(const HeldObject&) const = default;
};

/// By field. Looks at the code of all classes that are own.
using HeldFields = std::map<const Field*, HeldField>;
HeldFields find_held_fields(ClassPool& pool, const std::set<std::string>& own,
                            const Contracts& contracts);

} // namespace tacit::java
