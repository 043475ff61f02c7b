// Library objects that a field of own code holds and that never leave it.
//
// Such a field is only ever set to a new object of one library class of which contracts keep facts
// (docs/contracts.md), made by a constructor or by a static method that contracts take for one
// (`EnumSet.noneOf`), or to null. One that is wrapped at once (`Collections.synchronizedList(new
// ArrayList<>())`) is taken for what is inside. Arrays are followed in the same way: their facts
// are those of the record `array`. What is kept are then fields of the owner: `items.size`. Whether
// the object leaves is found by lowering: where its reference is needed (it is returned, stored,
// handed to somebody who may keep it) the field is `leaked`, and the next round takes it for any
// other reference (context.h).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/java/class_pool.h"
#include "frontend/java/instructions.h"
#include "logic/term/term.h"
#include "program/contracts/contracts.h"

namespace tacit::java {

struct HeldField {
  const ClassFile* owner = nullptr;
  const Field* field = nullptr;
  std::string type; // of the object, exactly
  const ClassFacts* facts = nullptr;
  /// The classes that the source gives for its type parameters; empty for what is no class.
  std::vector<std::string> arguments;
  bool ordered = false;    // by an order of its own: then that says which keys are the same
  bool reassigned = false; // outside of constructors, too
  bool never_null = false; // from the start of every constructor on
  bool is_array() const { return type.starts_with("["); }
  bool read_only = false; // behind a wrapper that refuses changes
  bool set_once = false;  // final, and never null where the constructor has returned

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
  Term removable = nullptr; // an iterator has given an element that is still there
  enum class Part { All, Keys, Values, Entries, Stream, Numbers };
  Part part = Part::All; // of a map; a stream of all, of values, or of these as numbers

  auto operator<=>(const HeldObject&) const = default;
};

/// Facts that contracts may ask for and that are constants: whether keys are told apart by what the
/// first type parameter stands for, what is null among the values of the last one, and how many
/// constants an enumeration has that stands for the first. How often an element stands in a list is
/// kept where somebody asks for elements.
inline constexpr std::string_view known_keys = "keyed", no_value = "nothing",
                                  leaves_value = "fills", how_many_constants = "constants",
                                  how_often = "count";

/// By field. Looks at the code of all classes that are own.
using HeldFields = std::map<const Field*, HeldField>;
HeldFields find_held_fields(ClassPool& pool, const std::set<std::string>& own,
                            const Contracts& contracts);

/// The record of contracts that says what is kept about arrays.
inline constexpr std::string_view array_facts = "array";
/// `Arrays.copyOf`, in `data = Arrays.copyOf(data, n)`.
bool is_longer_copy(const MemberRef& callee);
/// The descriptor of what `newarray` or `anewarray` makes.
std::string array_type(const ClassFile& file, const Instruction& made);

/// A function that makes an object which behaves like the one it gets, for one client thread:
/// `Collections.synchronizedMap`. `newSetFromMap` makes a set of the keys of an empty map.
bool is_wrapper(const MemberRef& callee);
/// The class that such an object is taken for; empty: none.
std::string wrapped_type(const std::string& type, const std::string& wrapper);
/// The class of the new object that a static method returns whose contract speaks of a `self` that
/// the method has not; empty: none.
std::string made_by_factory(const MemberRef& callee, const Contracts& contracts);

/// Methods of lists and queues that look for an element.
bool asks_for_element(const MemberRef& callee);

/// Whether an object of a class takes no null where a contract speaks of a key or a value.
bool refuses_null(const std::string& type, const std::string& method, std::size_t parameter);

} // namespace tacit::java
