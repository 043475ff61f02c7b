// What the lowering of all methods of one component shares: types, fields, exceptions, callees.
//
// Exceptions, and which fields are flattened, must be known before the first method is lowered, but
// are found while lowering. The context therefore collects what was missing and asks for another
// round
// (`again`); rounds end because the sets only grow.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/java/class_pool.h"
#include "frontend/java/descriptor.h"
#include "frontend/java/lower.h"
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
    auto operator<=>(const Function&) const = default;
  };
  std::map<std::string, std::set<Function>> functions;
  std::map<std::string, std::set<std::string>> caught; // around calls of several bodies, by key
  bool equal_hashes = false;                           // of different string constants
  /// Types that procedures test their parameters for, by the procedure's key: the caller passes the
  /// answer, because it knows where the argument comes from.
  std::map<std::string, std::vector<std::pair<std::size_t, std::string>>> type_tests;
};

class Context {
public:
  Context(ClassPool& pool, const ClassFile& type, const LowerOptions& options,
          const Discoveries& known);

  ClassPool& pool;
  Module module;
  TermArena& arena;
  const LowerOptions& options;
  Discoveries discovered;
  bool again = false;
  bool follow_calls = true;         // false in surveys
  const Contracts* given = nullptr; // of the user's files; none in surveys

  const ClassFile& type() const { return type_; }
  const std::vector<Receiver>& receivers() const { return receivers_; }
  bool is_own(const std::string& name) const;
  /// Whether a contract of the user's goes before the code of a method: not in the class that was
  /// named, nor in what --own names.
  bool outranked(const ClassFile& owner, const Method& method) const;

  // Types.
  Type type_of(const JavaType& type);
  Type machine_type(Kind kind);
  Kind kind_of(const JavaType& type);
  bool is_enum(const std::string& name);
  Sort enum_sort(const std::string& name);
  Term enum_null(const std::string& name) { return arena.enumerator(enum_sort(name), 0); }

  // Exceptions, by internal name.
  Term exception(const std::string& name);
  Term is_exception(Term value, const std::string& name);
  Type exception_type() const;
  void declare_exception(const std::string& name);

  // State.
  Term field(std::size_t receiver, const ClassFile& owner, const Field& field);
  /// Fields of an object of own code that its native methods are taken to write: those that are
  /// not final and that no code of the class assigns outside of constructors.
  std::vector<Term> native_fields(std::size_t receiver);
  /// Those of them that no code assigns at all: they have their defaults until the object exists.
  const std::set<Term, TermById>& never_assigned() const { return never_assigned_; }
  Term field_map(const ClassFile& owner, const Field& field);
  /// With `followed`, its class initialiser is run; otherwise nobody knows what it starts with.
  Term static_field(const std::string& owner, const std::string& name, const JavaType& type,
                    bool followed);
  /// A final reference of own code that is not looked into: some object that stays.
  bool is_fixed(const std::string& owner, const Field* field, const JavaType& type);
  Term array_length();
  /// What a string says, by number: for a constant one whose remainder is its hash code.
  Term string_text() { return object_value("String", "text"); }
  Integer string_number(const std::string& content);
  /// The number in an Integer, Boolean and the like.
  Term boxed_value() { return object_value("box", "value"); }
  Term receiver_term(std::size_t receiver);
  /// The maps of what strings and boxes hold, as far as there are any.
  std::vector<Term> held_values() const;
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

  /// A final reference of the component that constructors always set to an object.
  bool never_null(std::size_t receiver, const ClassFile& owner, const Field& field) const;
  /// The field behind a static VarHandle or field updater, read from the class initialiser.
  std::optional<std::string> handled_field(const std::string& owner, const std::string& name);

  // Callees.
  struct Body {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr;
    int receiver = no_receiver;
    ProcedureKind kind = ProcedureKind::Internal;
    std::string name;
    std::string shown; // without the class; empty: by its name
  };
  /// The name of the procedure for own code; it is lowered later.
  std::string procedure(const ClassFile& owner, const Method& method, int receiver,
                        bool apart = false);
  static std::string procedure_key(const ClassFile& owner, const Method& method, int receiver);
  void add_root(Body body);
  /// A method runs while the constructor of `owner` has set only these final fields.
  void early_call(const ClassFile& owner, const std::set<std::string>& assigned);
  bool is_method(const std::string& key) const { return methods_.contains(key); }
  bool returns_exception(const ClassFile& owner, const Method& method);
  /// Whether a call of the method on some object of a type may run own code other than `found`: a
  /// class of the nest overrides it, or a lambda expression.
  bool may_run_own_code(const std::string& type, const MemberRef& callee, const Method* found);
  bool acts(const ClassFile& file, const Method& method) const;
  /// Methods of the nest's classes below a type that a call may mean.
  std::vector<std::pair<const ClassFile*, const Method*>>
  overriding(const std::string& type, const std::string& name, const std::string& descriptor);
  /// The enumeration that a class is, or is a constant of; empty: neither.
  std::string enumeration_of(const ClassFile& file);
  /// Classes whose code is own.
  const std::set<std::string>& own_classes() const { return own_; }

  struct Opaque {
    std::string owner, name, descriptor;
    const Method* method = nullptr; // null when it is not known
    bool with_receiver = false;
    bool gets_component = false; // `this` or an enclosing instance is handed to it
    bool writes_all = false;     // own code that is not followed
  };
  /// The name of the extern; `caught` are the exceptions that handlers around the call tell apart.
  std::string opaque(const Opaque& callee, const std::set<std::string>& caught);

  /// A new object in this variable is a copy of a receiver.
  void add_clone(Term variable, std::size_t receiver) { clones_[variable] = receiver; }
  const std::map<Term, std::size_t, TermById>& clones() const { return clones_; }
  /// The field of a receiver that a map of a record holds for other objects.
  Term field_like(std::size_t receiver, const StateVariable& map);

  void assume(const std::string& text) { module.assume(text); }
  bool next_body(Body& body);
  void finish();

  const std::map<std::string, std::string>& static_owners() const { return static_owners_; }
  /// Static fields of which nobody knows what they start with, and whether that is an object.
  const std::vector<std::pair<Term, bool>>& hidden_statics() const { return hidden_statics_; }
  /// Hides the start of all static fields of a class.
  void hide_statics(const std::string& owner);
  const std::set<std::string>& reserved() const { return reserved_; }
  const std::map<std::string, Opaque>& externs() const { return externs_; }
  static std::string source_of(const ClassFile& file);

private:
  void find_own();
  bool named_own(const std::string& name) const;
  void reserve_names();
  /// What objects of a kind hold, which never changes.
  Term object_value(const std::string& record, const std::string& field);
  bool assigned(const ClassFile& owner, const Field& field, bool constructors_too);
  bool is_brought(const Opaque& callee);
  bool set_to_object(const std::string& owner, const std::string& name);
  void add_state(const std::string& wanted, const Type& type, Term initial, bool client);
  std::string class_label(const std::string& internal);
  std::string free_name(const std::set<std::string>& taken, const std::string& wanted) const;

  const ClassFile& type_;
  std::vector<Receiver> receivers_;
  std::set<std::string> own_, reserved_;
  std::map<std::string, Sort> enums_;
  std::map<JavaStateKey, Term> state_;
  std::map<std::string, std::string> labels_; // class to the short name in use
  std::set<std::string> label_names_, enum_names_;
  std::map<std::string, std::string> procedures_; // by owner, method and receiver
  std::set<std::string> procedure_names_, constructor_names_;
  std::set<std::string> methods_; // keys of calls of the component
  std::vector<Body> work_;
  std::size_t done_ = 0;
  std::map<std::string, Opaque> externs_; // by name
  std::map<std::string, std::string> extern_names_;
  std::map<std::string, std::string> static_owners_; // own classes with static state
  std::vector<std::pair<Term, bool>> hidden_statics_;
  std::set<Term, TermById> never_assigned_;
  std::map<Term, std::size_t, TermById> clones_;
  std::map<std::string, std::size_t> outers_;
  std::map<std::string, Integer> strings_; // constants, by what they say
  std::map<std::string, const ClassFile*> record_class_;
};

} // namespace tacit::java
