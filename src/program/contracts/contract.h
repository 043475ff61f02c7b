// What is known about functions that are not looked into, as data (docs/contracts.md).
//
// A contract is a procedure of the neutral program, read once in a module of its own: a template.
// Its parameters may be of any sort or of a type parameter; what it says about facts of an object
// (`self.size`) are locals that stand for them. `instantiate.h` makes it the body of one callee.
#pragma once

#include <array>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/contracts/pattern.h"
#include "program/ir/module.h"

namespace tacit {

/// What is said about a name besides what it does. The words of a file, in this order, are in
/// `attribute_words`.
enum class Attribute {
  Pure,          // changes nothing that others see, and does not fail
  NeverFails,    // throws nothing but for want of memory, which is not modelled
  Tame,          // runs no code but that of the elements it holds, and follows no pointers
  KeepsElements, // does not move elements about, although it is not const
  LookInto,      // its code is read like given code
  Flatten,       // of a class: its fields are the component's
  Stops,         // does not return: the program ends
  Jumps,         // leaves like longjmp
  Lands,         // returns again like setjmp
  Allocates,     // returns a fresh object, or null
  Zeroes,        // what it allocates is zero
  Frees,         // gives memory back
  Fresh,         // returns a new object, never null
  Forwards,      // hands further arguments on to constructors, which do not change them
  OneObject,     // of a record: the classes named are parts of one object and share its facts
  GivesElements, // of a record: members give references to its elements, which are no part of it
  GivesPointee,  // of a record: members give references to what it leads to
  Outside,       // of a class: the outside world, in whatever class below it stands
  Borrows,       // of a record: what its objects say lies elsewhere, where others may change it
  AsksText,      // what it answers follows from what the text says and the other arguments
};
inline constexpr std::array<std::string_view, 20> attribute_words = {
    "pure",           "never_fails",   "tame",    "keeps_elements", "look_into",
    "flatten",        "stops",         "jumps",   "lands",          "allocates",
    "zeroes",         "frees",         "fresh",   "forwards",       "one_object",
    "gives_elements", "gives_pointee", "outside", "borrows",        "asks_text"};

/// A fact about objects of a class: its size, say.
struct KeptFact {
  std::string name;
  Type type; // of the home module; may be, or hold, a type parameter
};

/// `record`: what is kept about objects of some classes.
struct ClassFacts {
  std::vector<NamePattern> classes;
  std::vector<std::string> type_parameters;
  std::vector<KeptFact> facts;
  std::set<Attribute> attributes;
  std::shared_ptr<const Module> home;
  Location where;
};

struct ContractParameter {
  std::string name;
  std::optional<Type> type;                // none: fits every sort
  std::optional<NamePattern> object_class; // of the value, or of what it points to
  bool told_apart =
      false; // overloads differ in that class; else it only says which facts there are
  bool type_parameter = false; // the type is one
};

struct Contract {
  std::string name; // as written
  std::vector<ContractParameter> parameters;
  bool open_ended = false; // `...`: any further parameters
  bool returns_any = true; // nothing is said about a result
  bool returns_type_parameter = false;
  std::vector<std::string> type_parameters;
  std::set<Attribute> attributes;

  /// Parameters, locals, and blocks or clauses. Calls name hooks. Parameters without a type have
  /// one that fits nothing else.
  Procedure body;
  /// Locals of the body that stand for facts.
  struct Mention {
    Term variable = nullptr;
    std::size_t parameter = 0; // of the object
    std::string fact;
  };
  std::vector<Mention> facts;
  std::vector<std::string> exceptions; // that it names
  std::shared_ptr<const Module> home;

  const Location& where() const { return body.where; }
};

/// A call in a contract that its calls fail with whatever they may fail with.
inline constexpr std::string_view failing_call = "fail";

} // namespace tacit
