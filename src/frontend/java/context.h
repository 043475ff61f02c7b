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

class Context {
public:
  /// `contracts`: all that may be used; none in surveys.
  Context(ClassPool& pool, const ClassFile& type, const LowerOptions& options,
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
  /// `StandardCharsets.UTF_8` and the like: an object, the same one always.
  bool is_library_constant(const std::string& owner, const std::string& name);
  /// A final reference of own code that is not looked into: some object that stays.
  bool is_fixed(const std::string& owner, const Field* field, const JavaType& type);
  Term array_length();
  /// What a string says, by number: for a constant one whose remainder is its hash code.
  Term string_text() {
    return object_value("String", "text", {.sort = arena.int_sort(), .low = -(Integer{1} << 63)});
  }
  Integer string_number(const std::string& content);
  /// What can be asked of texts (program/ir/text_facts.h), for those that are not known.
  Term string_fact(const std::string& question);
  /// The constant that a number stands for.
  std::string string_content(Integer number) const;
  /// The number in an Integer, Boolean and the like.
  Term boxed_value() { return object_value("box", "value"); }
  /// Whether an Optional holds something: 0 or 1.
  Term optional_presence() { return object_value("Optional", "present"); }
  /// Of which class of own code an object is that own code made, an enumerator of class_sort(); for
  /// others nobody knows.
  Term class_of_objects();
  /// The classes of own code of which lowered code makes objects; the first enumerator is none.
  Sort class_sort();
  /// Null when lowered code makes no object of the class.
  Term class_constant(const std::string& name);
  /// A new object is of a class.
  Term with_class(Term object, const std::string& name);
  /// Whether all objects of a type are of classes that class_sort() has.
  bool knows_classes(const std::string& type);
  /// What a final field of a class of constants is, constant by constant; empty when its
  /// constructor does not set it to a number that the initialiser spells out.
  std::vector<Integer> constant_fields(const ClassFile& enumeration, const Field& field);
  Term receiver_term(std::size_t receiver);
  /// The maps of what strings and boxes hold, as far as there are any.
  std::vector<Term> held_values() const;
  /// What is kept about objects of the component whose client this is: declared before bodies are
  /// lowered. A new object has nothing yet.
  void keep_component();
  /// Whether code of a client may be run by somebody who has such an object.
  bool leads_to_code(const JavaType& type);
  bool is_component(const std::string& name) const { return dotted(name) == options.client_of; }
  /// Whether a reference of this type may lead to such an object.
  bool may_be_component(const JavaType& type);
  const std::vector<Term>& kept() const { return kept_; }
  /// Is set to what is put where it is not followed further; null where no client is lowered.
  Term handed() const { return handed_; }
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
  /// Leaks what code touches that may run where nobody sees it: what is not lowered, and functions
  /// that others keep.
  void leak_unseen();
  /// Its object is not followed from the next round on.
  void leak(const HeldField& field);
  /// What the class initialiser has put into a static field of own code; null: not known.
  std::shared_ptr<const Table> table_of(const std::string& owner, const Field& field);
  void leak_table(const std::string& field);
  /// Where a fact is kept; null when the object has no such fact.
  Term held_fact(const HeldObject& object, const std::string& fact, Term owner);
  /// The field itself, which tells whether there is an object.
  Term held_reference(const HeldObject& object);
  /// The types of the type parameters that its facts have.
  std::vector<std::optional<Type>> held_types(const HeldField& field);
  /// What texts and numbers in boxes are coded as where they are kept without their objects.
  static bool is_number_box(const std::string& type);
  Term null_code();
  /// The value that stands for null in a type of `held_types`.
  Term null_of(const Type& type);
  /// `items`, or `Entry.postings` for objects of which there may be many.
  std::string held_name(const HeldObject& object);
  /// The maps of facts, by the object whose field holds the library object.
  const std::set<Term, TermById>& fact_maps() const { return fact_maps_; }
  /// The contracts for a method of a class, under the first name that has any.
  std::vector<const Contract*> contracts_for(const std::string& type, const std::string& method,
                                             const std::string& descriptor);

  // Callees.
  struct Body {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr;
    int receiver = no_receiver;
    ProcedureKind kind = ProcedureKind::Internal;
    std::string name;
    std::string shown;                  // without the class; empty: by its name
    const ClassFile* seen_as = nullptr; // of several bodies: the type that the call names
    std::string key;                    // of the procedure
  };
  /// A body of own code that a call through a type may run.
  struct OwnBody {
    const ClassFile* owner = nullptr;
    const Method* method = nullptr; // null: a library function, named by `function`
    int receiver = by_reference;
    std::set<std::string> classes;                   // of the objects that have it
    const Discoveries::Function* function = nullptr; // a lambda expression or method reference
  };
  using OwnBodies = std::shared_ptr<const std::vector<OwnBody>>;
  OwnBodies bodies_below(const std::string& type, const std::string& name,
                         const std::string& descriptor);
  /// Methods by which library callees may run own code on objects of a type, or any type if empty:
  /// on objects that own code makes, since what the client hands in is a collaborator.
  const std::vector<OwnBody>& library_callbacks(const std::string& type);
  /// A parameter or field as one that may hold other objects than foreign ones.
  void mix(const std::string& place) { again |= discovered.mixed.insert(place).second; }
  bool is_foreign(const std::string& place) const { return !discovered.mixed.contains(place); }
  static std::string place_of(const std::string& procedure, std::size_t parameter) {
    return fmt::format("{} {}", procedure, parameter);
  }
  static std::string place_of(const ClassFile& owner, const std::string& field) {
    return owner.name + "." + field;
  }
  /// Lowered code makes objects of the class.
  void makes(const std::string& name);
  /// Whether all these classes are those of the component and of what is around it.
  bool is_receiver_class(const std::set<std::string>& classes) const;
  /// Whether code that is not own may implement the type.
  bool is_open(const std::string& type);
  /// The procedure that runs one of several bodies.
  std::string dispatcher(const ClassPool::Found& named, const ClassFile& seen_as);
  static std::string dispatcher_key(const ClassFile& owner, const Method& method,
                                    const ClassFile& seen_as);
  /// The name of a procedure that is made by hand, and whether it is new.
  std::pair<std::string, bool> made_procedure(const std::string& key, const std::string& wanted);
  /// The name of the procedure for own code; it is lowered later.
  std::string procedure(const ClassFile& owner, const Method& method, int receiver,
                        bool apart = false);
  static std::string procedure_key(const ClassFile& owner, const Method& method, int receiver);
  void add_root(Body body);
  /// A method runs while the constructor of `owner` has set only these final fields.
  void early_call(const ClassFile& owner, const std::set<std::string>& assigned);
  bool is_method(const std::string& key) const { return methods_.contains(key); }
  bool returns_exception(const ClassFile& owner, const Method& method);
  /// A record whose components are numbers, texts, constants and the like: what the compiler makes
  /// to compare and write down runs no other code and does not fail.
  bool is_plain_record(const ClassFile& file, int depth = 0);
  /// Whether a body may change the component or raise an error.
  bool acts(const ClassFile& file, const Method& method);
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
    bool may_run_code = false;   // of a client, by what it is handed: equals, or a function
    bool writes_all = false;     // own code that is not followed
    bool brought = false;        // the client, or another callee, brought the object
    /// Parameters that are library objects of own code, the object being the first.
    std::map<std::size_t, HeldObject> held;
    /// Keys, values and elements are kept in types of their own (held_types): by parameter, the
    /// object not counted.
    std::map<std::size_t, Type> typed;
    std::optional<Type> returns;
    bool fills = false; // the function that it is handed never returns null
  };
  /// Whether a callee is a collaborator's or the outside world: what the client brings, interfaces
  /// and methods without code that others bring. What has code that is not looked into, or no class
  /// at all, is unknown; so are library objects that own code made.
  bool brings(const Opaque& callee);
  /// The name of the extern; `caught` are the exceptions that handlers around the call tell apart:
  /// calls within others fail in other ways.
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
  // Class initialisers (class_init.cpp).
  const Method* initialiser(const std::string& type);
  /// Own classes whose initialisers run before the component's constructor: of the objects around
  /// it and of itself, superclasses first.
  std::vector<std::string> starting_classes() const;
  /// Whether the initialiser depends on other static fields than its own, or sets them.
  bool reaches_others(const std::string& type);
  bool starts_lazily(const std::string& type);
  /// Whether the initialiser may throw by itself.
  bool may_fail(const std::string& type);
  void note_failing(const std::string& type, const std::string& procedure);
  /// The procedures of initialisers that run at the first use.
  const std::map<std::string, std::string>& initialisers() const { return initialisers_; }
  /// What has become of a class: it is `initialised`, or that has `failed`.
  Term initialised(const std::string& type, const std::string& what = "initialised");
  std::string first_use(const std::string& type);
  /// Hides the start of all static fields of a class.
  void hide_statics(const std::string& owner);
  const std::set<std::string>& reserved() const { return reserved_; }
  const std::map<std::string, Opaque>& externs() const { return externs_; }
  static std::string source_of(const ClassFile& file);

private:
  bool is_made(const std::string& name);
  void leak_unseen_table(const ClassFile& file, unsigned index, const Method& method);
  /// Objects of own code without an `equals` of their own.
  bool same_only_to_themselves(const std::string& type);
  bool is_counted(const HeldField& field);
  std::optional<Type> held_argument(const HeldField& field, std::size_t parameter);
  std::set<std::string> failures(const Opaque& callee, const std::set<std::string>& caught);
  std::vector<OwnBody> find_callbacks(const std::string& type);
  void find_own();
  void add_package();
  bool named_own(const std::string& name) const;
  void reserve_names();
  /// What objects of a kind hold, which never changes.
  Term object_value(const std::string& record, const std::string& field);
  Term object_value(const std::string& record, const std::string& field, const Type& value);
  bool assigned(const ClassFile& owner, const Field& field, bool constructors_too);
  std::size_t known_functions() const;
  std::vector<OwnBody> find_bodies(const std::string& type, const std::string& name,
                                   const std::string& descriptor);
  bool acts(const ClassFile& file, const Method& method, std::set<const Method*>& seen);
  bool touches_held(const ClassFile& file, unsigned index);
  bool call_acts(const MemberRef& callee, bool is_virtual, std::set<const Method*>& seen);
  bool dynamic_acts(const ClassFile& file, unsigned index, std::set<const Method*>& seen);
  bool some_callback_acts();
  bool keeps_to_itself(const std::string& type, const ClassFile& file, const Method& method,
                       std::set<const Method*>& seen);
  bool has_throw(const ClassFile& file, const Method& method, std::set<const Method*>& seen);
  std::vector<Handler> fail_first_use(const std::string& type, Procedure& made, BlockId done,
                                      BlockId failed);
  bool set_to_object(const std::string& owner, const std::string& name);
  void add_state(const std::string& wanted, const Type& type, Term initial, bool client);
  std::string class_label(const std::string& internal);
  std::string free_name(const std::set<std::string>& taken, const std::string& wanted) const;

  const ClassFile& type_;
  std::vector<Receiver> receivers_;
  std::set<std::string> own_, reserved_;
  std::map<std::string, Sort> enums_;
  Sort class_sort_ = nullptr;
  std::map<std::string, Term> class_constants_;
  std::map<JavaStateKey, Term> state_;
  std::map<std::string, std::string> labels_; // class to the short name in use
  std::set<std::string> label_names_, enum_names_;
  std::map<std::string, std::string> procedures_; // by owner, method and receiver
  std::set<std::string> procedure_names_, constructor_names_;
  std::set<std::string> methods_;          // keys of calls of the component
  std::set<std::string> taken_for_unmade_; // by library_callbacks
  // Answers, until more functions or classes of objects are known.
  std::map<const Method*, bool> acts_;
  std::map<std::string, std::vector<OwnBody>> callbacks_;
  std::map<std::string, OwnBodies> bodies_;
  std::size_t acts_stamp_ = 0, callbacks_stamp_ = 0, bodies_stamp_ = 0;
  bool callbacks_act_ = false;
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
  std::map<std::string, bool> lazy_classes_;
  std::map<std::string, std::map<std::string, std::shared_ptr<const Table>>> tables_; // by class
  std::map<std::string, std::string> initialisers_;
  std::vector<Term> kept_;
  Term handed_ = nullptr;
  std::set<Term, TermById> fact_maps_;
};

} // namespace tacit::java
