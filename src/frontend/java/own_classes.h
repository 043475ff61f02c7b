// Which code is the component's own: its class, the objects around it, and the classes beside it.
// What the lowering of all methods of one component shares builds on this: StateSpace, Procedures,
// and Context, which is the whole.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/java/class_pool.h"
#include "frontend/java/descriptor.h"
#include "frontend/java/held.h"
#include "frontend/java/lower.h"
#include "frontend/java/tables.h"
#include "program/contracts/contracts.h"
#include "program/ir/module.h"

namespace tacit::java {

/// An object whose fields are state variables: the component itself, or one that encloses it.
struct Receiver {
  const ClassFile* type = nullptr;
  std::vector<const ClassFile*> chain; // the class and its superclasses
  std::string prefix;                  // of its fields' names
  std::string name;                    // `this`, `this$0`
};

/// What a state variable stands for.
struct JavaStateKey {
  enum class Kind {
    Field,  // of a receiver
    Map,    // the field of other objects
    Value,  // what objects without identity hold
    Length, // of arrays
    Static,
    Receiver // the object itself
  };
  Kind kind = Kind::Field;
  std::size_t receiver = 0;
  std::string owner, name;

  auto operator<=>(const JavaStateKey&) const = default;
};

/// How a procedure gets its receiver.
inline constexpr int by_reference = -1, no_receiver = -2; // else an index into receivers()
/// By reference, and the body may be any of several of own code: it is not looked into.
inline constexpr int not_followed = -3;

/// Bytes of code of a class initialiser that is followed.
inline constexpr std::size_t largest_initialiser = 4000;

/// What survives from one round to the next.
struct Discoveries {
  std::set<std::string> exceptions;           // internal names, ancestors included
  std::set<std::string> unflattened;          // classes whose `this$N` is an ordinary field
  std::set<std::string> reference_throwables; // methods that return a Throwable that may be null
  std::set<std::string> nullable;             // final fields that may be set to null
  /// What lambda expressions of own code run, by the interface that they implement.
  struct Function {
    std::string owner, name, descriptor;
    int receiver = no_receiver; // by_reference: some object
    bool makes = false;         // the body is a constructor, of a new object
    std::string method;         // of the interface, with the number of its parameters
    std::size_t arity = 0;
    auto operator<=>(const Function&) const = default;
  };
  std::map<std::string, std::set<Function>> functions;
  std::set<Function> kept_functions; // that others may run at any time
  /// What handlers around the calls of a procedure tell apart, by its key.
  std::map<std::string, std::set<std::string>> caught;
  std::set<std::string> made;       // classes of own code of which lowered code makes objects
  std::set<std::string> told_apart; // exceptions that code asks for by instanceof
  std::set<std::string> unlocked;   // procedures that run without the component's monitor
  /// Fields of own code that hold arrays of unknown element types, or of narrower ones.
  std::set<std::string> loose_arrays, narrow_arrays;
  std::set<std::string> brought_fields; // that may hold what others made
  std::set<std::string> handed_on;      // interfaces of functions that library callees got
  std::set<std::string> later;          // types of what threads, executors and timers got
  /// Sorted collections that own code makes without a comparator, and with one.
  std::set<std::string> natural_order, own_order;
  std::set<std::string> failing;          // classes whose initialisers may throw
  bool makes_fixed = false;               // own code makes collections that cannot be changed
  bool equal_hashes = false;              // of different string constants
  std::set<std::string> text_questions;   // that somebody asks
  std::shared_ptr<const HeldFields> held; // found before the first round
  std::set<std::string> brought; // fields that are set to what the client or a callee hands over
  std::set<std::string> mixed;   // fields and parameters that may hold what is not foreign
  std::set<std::string> leaked;  // those of them that cannot be followed
  std::set<std::string> leaked_tables; // static fields whose contents may change
  std::set<std::string> counted;       // fields of lists that somebody asks for elements
  std::set<std::string> summed;        // fields of maps whose values somebody adds up
  std::set<std::string> other_outers;  // inner classes made for others than the component
  bool reads_others = false;           // code looks into other objects of the component's class
  bool opens_optionals = false;        // code asks for what they hold
  bool asks_class = false;             // of objects that own code makes
  bool sets_entries = false;           // of maps, through what their iterators give
  std::set<std::string> implicit; // exceptions that count and that instructions throw by themselves
  std::set<std::string> nullable_elements; // of fields that may hold a collection with nulls
  std::set<std::string> moving; // deques whose last element is not always at the same place
  /// Types that procedures test their parameters for, by the procedure's key: the caller passes the
  /// answer, because it knows where the argument comes from.
  std::map<std::string, std::vector<std::pair<std::size_t, std::string>>> type_tests;
};

class OwnClasses {
public:
  /// `contracts`: all that may be used; none in surveys.
  OwnClasses(ClassPool& pool, const ClassFile& type, const LowerOptions& options,
             const Discoveries& known, const Contracts* contracts);

  ClassPool& pool;
  Module module;
  TermArena& arena;
  const LowerOptions& options;
  Discoveries discovered;
  std::set<std::string> run_by_others; // procedures that may run between calls
  bool again = false;
  const Contracts* library = nullptr; // all that may be used; none in surveys
  bool follow_calls = true;           // false in surveys
  const Contracts* given = nullptr;   // of the user's files; none in surveys
  const ClassFile& type() const { return type_; }
  const std::vector<Receiver>& receivers() const { return receivers_; }
  bool is_own(const std::string& name) const;
  /// Whether contracts say that a class, or one above it, is the outside world.
  bool is_outside(const std::string& name) const;
  /// Whether a contract of the user's goes before the code of a method: not in the class that was
  /// named, nor in what --own names.
  bool outranked(const ClassFile& owner, const Method& method) const;
  bool is_enum(const std::string& name);
  /// What a final field of a class of constants is, constant by constant; empty when its
  /// constructor does not set it to a number that the initialiser spells out.
  std::vector<Integer> constant_fields(const ClassFile& enumeration, const Field& field);
  bool is_component(const std::string& name) const { return dotted(name) == options.client_of; }
  void need_record(const std::string& name);
  /// The record of an own class.
  std::string record_of(const ClassFile& file);
  /// A record and those of the superclasses of its class.
  std::vector<std::string> record_chain(const std::string& record);
  /// Receivers that may have this field: those whose class extends its owner.
  std::vector<std::size_t> receivers_with(const ClassFile& owner) const;
  /// The receiver behind a synthetic `this$N` of another; nothing when that is an ordinary field.
  std::optional<std::size_t> outer(std::size_t receiver, const ClassFile& owner,
                                   const Field& field);
  /// The enclosing instance that a constructor gets as its first parameter.
  std::optional<std::size_t> outer_parameter(std::size_t receiver, const ClassFile& owner,
                                             const Signature& signature);
  /// An inner class of the component's, which nobody else makes objects of.
  bool is_inner(const ClassFile& file) const;
  /// The `this$N` of an object of such a class: the component.
  bool is_outer_field(const ClassFile& owner, const Field& field) const;
  /// A final reference of the component that constructors always set to an object.
  bool never_null(std::size_t receiver, const ClassFile& owner, const Field& field) const;
  /// A function that always returns an object: one that it makes, or a number in a box.
  bool never_null(const Discoveries::Function& function);
  /// The field behind a static VarHandle or field updater, read from the class initialiser.
  std::optional<std::string> handled_field(const std::string& owner, const std::string& name);
  // Library objects (held.h).
  /// The field as one that holds a library object; null when it is none.
  const HeldField* held_field(const Field& field) const;
  /// Its object is not followed from the next round on.
  void leak(const HeldField& field);
  /// What texts and numbers in boxes are coded as where they are kept without their objects.
  static bool is_number_box(const std::string& type);
  /// A parameter or field as one that may hold other objects than foreign ones.
  void mix(const std::string& place) { again |= discovered.mixed.insert(place).second; }
  bool is_foreign(const std::string& place) const { return !discovered.mixed.contains(place); }
  static std::string place_of(const std::string& procedure, std::size_t parameter) {
    return fmt::format("{} {}", procedure, parameter);
  }
  /// What a library object holds that a field holds.
  static std::string place_of(const HeldField& field) { return "elements of " + field.key(); }
  static std::string place_of(const ClassFile& owner, const std::string& field) {
    return owner.name + "." + field;
  }
  /// Lowered code makes objects of the class.
  void makes(const std::string& name);
  /// Whether all these classes are those of the component and of what is around it.
  bool is_receiver_class(const std::set<std::string>& classes) const;
  /// Whether code that is not own may implement the type.
  bool is_open(const std::string& type);
  bool returns_exception(const ClassFile& owner, const Method& method);
  /// A record whose components are numbers, texts, constants and the like: what the compiler makes
  /// to compare and write down runs no other code and does not fail.
  bool is_plain_record(const ClassFile& file, int depth = 0);
  /// The enumeration that a class is, or is a constant of; empty: neither.
  std::string enumeration_of(const ClassFile& file);
  /// Classes whose code is own.
  const std::set<std::string>& own_classes() const { return own_; }
  void assume(const std::string& text) { module.assume(text); }
  const std::set<std::string>& reserved() const { return reserved_; }
  static std::string source_of(const ClassFile& file);

protected:
  bool is_made(const std::string& name);
  void find_own();
  void add_package();
  bool named_own(const std::string& name) const;
  void reserve_names();
  bool assigned(const ClassFile& owner, const Field& field, bool constructors_too);
  bool set_to_object(const std::string& owner, const std::string& name);
  std::string class_label(const std::string& internal);
  std::string free_name(const std::set<std::string>& taken, const std::string& wanted) const;

  const ClassFile& type_;
  std::vector<Receiver> receivers_;
  std::set<std::string> own_, reserved_;
  std::set<std::string> taken_for_unmade_;    // classes of objects that library callees may run
  std::map<std::string, std::string> labels_; // class to the short name in use
  std::set<std::string> label_names_, enum_names_;
  std::map<std::string, std::size_t> outers_;
  std::map<std::string, const ClassFile*> record_class_;
};

} // namespace tacit::java
