// The state of lowering one linked module: which variables there are, what callees are called, what
// had to be assumed. FunctionLowering (function_lowering.h) does one function at a time and asks
// here.
//
// Lowering may start over: a fact that is found in the middle of it, such as an enumeration that
// also holds other numbers or the address of a field that is kept in memory, changes what was
// lowered before. Such facts only grow, so the rounds end.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/options.h"
#include "frontend/llvm/facts/reach.h"
#include "frontend/llvm/facts/source_facts.h"
#include "frontend/llvm/module/contract_use.h"
#include "frontend/llvm/prepare/callbacks.h"
#include "frontend/llvm/prepare/heap_views.h"
#include "frontend/llvm/prepare/points_to.h"
#include "frontend/llvm/prepare/searches.h"
#include "frontend/llvm/prepare/virtual_tables.h"
#include "program/ir/module.h"

namespace tacit {

/// Thrown and caught within this folder: a fact was added, lower again.
struct LowerAgain {};

/// A scalar in memory: a variable, or an element of a map variable.
struct Cell {
  Term variable = nullptr;
  std::vector<Term> keys; // outermost first
  SourceType type;
};

/// What is followed of the elements of a container (elements.cpp).
struct Elements {
  std::string container, class_name;  // the path of the field, and its class
  std::string name;                   // of the elements' type
  std::string pair;                   // of the type that iterators of a map lead to
  std::optional<std::int64_t> second; // where the element lies in it, in bytes
  Type key;
  bool is_struct = false;
  std::vector<FieldFact> fields; // what is a number, truth or enumerator in an element
  /// Of a sequence that is searched: the fields by which it is, first of all. Then what elements
  /// hold is kept by these, not by the index.
  std::vector<std::size_t> keys;
  bool keyed() const { return !keys.empty(); }
  /// Conditions that some element is searched for: how many elements fulfil them is kept.
  struct Asked {
    std::string words;
    Search search;
  };
  std::vector<Asked> asked;
};

/// What a state variable stands for.
struct StateKey {
  enum class Kind {
    Receiver,   // a field of the receiver
    Global,     // a field of a global variable
    Record,     // the map of a field of objects behind pointers
    Fact,       // what contracts keep about an object
    Element,    // what the elements of a container hold
    Address,    // of what has no place in the model
    Guard,      // whether a static local is initialised
    Tables,     // the virtual tables of objects
    Everything, // all that can change, where it is forgotten
    Given       // what clients were given a way to write, where a pointer of theirs may lead there
  };
  Kind kind = Kind::Everything;
  std::string of;   // symbol, record or object
  std::string path; // of a field or fact

  auto operator<=>(const StateKey&) const = default;
};

/// The object that a pointer argument is known to be.
enum class Receiver { None, Object };

/// Where a body goes on after what the client chooses, which stands first.
std::vector<Statement>::iterator after_choices(std::vector<Statement>& statements);
/// The constant of a type that a number is; null where there is none.
Term constant_of(TermArena& arena, const Type& type, std::int64_t number);

/// Where a floating point constant stands among all numbers (program/ir/reals.h).
std::optional<Integer> real_place(const llvm::Constant& constant);

class Lowering;

/// What makes procedures of functions: the room `body`.
struct BodyMaker {
  /// Parameters and result, before there is a body.
  void (*declare)(Lowering&, const llvm::Function&, Procedure&, const std::vector<Receiver>& bound);
  void (*lower)(Lowering&, const llvm::Function&, Procedure&, const std::vector<Receiver>& bound);
};

class Lowering {
public:
  Lowering(const llvm::Module& code, const SourceFacts& facts, const LlvmOptions& options,
           const BodyMaker& bodies);

  Result<Module> run();

  // For FunctionLowering.

  Module& module() { return module_; }
  TermArena& arena() { return *module_.arena; }
  const SourceFacts& facts() const { return facts_; }
  const llvm::Module& code() const { return code_; }
  const llvm::DataLayout& layout() const { return code_.getDataLayout(); }
  const FunctionFact* fact(const llvm::Function& function) const;
  /// Whether a function of the given code returns nothing but 0 and 1.
  bool gives_truth(const llvm::Function* function);

  void assume(std::string text);
  /// "…: at file:line" once per place.
  void assume(std::string text, const Location& where);

  Type scalar_type(const SourceType& type);
  Sort enum_sort(const std::string& name); // null: held as an integer
  std::string exception_name(const llvm::Value* type_info) const;
  Term exception(const std::string& name);
  Term is_exception(Term exception, const std::string& name);
  const std::set<std::string>& caught() const { return caught_; }

  const RecordFact* receiver_record() const { return receiver_; }
  /// Where a container lies in the object that searches go through; null: elsewhere.
  const FieldFact* searched_field(const Search& search) const;
  bool clients_write(const FieldFact& field) const;
  bool handle_hidden_ = false; // clients see no definition of it
  /// Where in the receiver the object lies that a member function gets, in bytes.
  std::int64_t receiver_offset(const llvm::Function& function) const;
  const RecordFact* record(const std::string& name) const;
  /// The record of an LLVM struct type; null for what is not flattened.
  const RecordFact* record_of(const llvm::Type* type) const;
  /// The record that an access is to, at that many bytes from its start, by the type (TBAA) that
  /// the access bears.
  const RecordFact* record_of_access(const llvm::Instruction& access, std::int64_t offset);
  /// The variable of a field of the receiver, of a global, or the map of a record's field.
  Term receiver_field(const FieldFact& field);
  Term global_field(const llvm::GlobalVariable& global, const FieldFact& field);
  Term record_field(const RecordFact& record, const FieldFact& field);
  Term receiver_address();
  /// Whether the component has been freed.
  Term freed();
  /// Whether a client has been given a way to write a variable; and records, by their type.
  Term lent(Term variable);
  /// Stands for all variables that clients have been given a way to write, where it is forgotten;
  /// with `parts` only for those that are parts of objects.
  Term given_state(bool parts);
  void lend_records(const std::string& type);
  /// The same for objects of one record by a pointer into them.
  void lend_insides(const RecordFact& record) { lent_insides_.insert(record.name); }
  std::vector<std::string> ghosts(const std::string& object, const std::string& class_name);
  const Elements* elements(const FieldFact& container);
  std::vector<const Elements*> all_elements();
  void unfollow_elements(const std::string& container);
  bool moves_elements(const Elements& of) const;
  /// Code names what is no number: of comparisons nothing is known then.
  void meet_nan();
  bool has_nan() const { return has_nan_; }
  Term element_field(const Elements& of, const FieldFact& field);
  /// Of a sequence that is searched: what the first element with a key holds, how many elements
  /// have it, and whether several elements may have one.
  Term element_field(const Elements& of, std::size_t field, std::size_t key);
  Term element_count(const Elements& of, std::size_t key);
  Term element_twice(const Elements& of, std::size_t key);
  Term element_asked(const Elements& of, std::size_t i);
  Term element_top(const Elements& of, std::size_t key);
  Type element_type(const FieldFact& field);
  /// Pointers to such elements may lead to others than they were found by.
  void disturb_elements(const std::string& container);
  bool disturbed(const Elements& of) const { return disturbed_elements_.contains(of.container); }
  std::vector<std::string> element_variables(const Elements& of);
  ContractUse& contract_use() { return contract_use_; }
  /// A name for a library object of which facts are kept.
  std::string object_name(const std::string& wanted);
  /// The map of a fact about objects of a library class that clients hand in.
  Integer text_number(const std::string& text);
  Term argument_fact(const std::string& class_name, const KeptFact& fact);
  /// What callees may do with this object is not known: no facts are kept about it.
  void unfollow(const llvm::Value& object);
  /// What a string says whose characters may be written at any time is not known.
  void open_text(const std::string& object);
  bool has_open_text(const std::string& object) const { return open_texts_.contains(object); }
  bool unfollowed(const llvm::Value& object) const { return unfollowed_.contains(&object); }
  bool gives_object_of(const std::string& contract_class_name) const;
  /// Stands for all that can change where it is forgotten.
  Term any_state();
  /// Whether the destructor of some exception changes something.
  bool exceptions_end_in_code() const;
  bool changes_something(const llvm::Function& destructor) const;
  /// Whether a static local has been initialised, by the variable that guards it.
  Term guard(const llvm::Value& variable);
  /// Whether longjmp may find its setjmp in the given code.
  bool jumps_within() const;
  /// Whether something with that attribute is called anywhere.
  bool calls_any(Attribute attribute) const;
  /// A variable for an address that has no place in the model; never null.
  Term constant_address(const std::string& what, Address kind);
  /// The same for a function, or a place in a global variable.
  Term global_address(const llvm::GlobalValue& value, std::int64_t offset = 0);
  /// The same for a part of the receiver.
  Term part_address(std::int64_t offset);
  const GlobalFact* global(const llvm::GlobalVariable& variable) const;
  /// A struct that is an object behind pointers, at the address of its name.
  bool on_heap(const llvm::GlobalVariable& variable) const { return on_heap_.contains(&variable); }
  /// Makes it one where possible; throws LowerAgain then.
  void put_on_heap(const llvm::GlobalVariable& variable);
  std::string new_record(const llvm::Value* allocation);
  std::string declare_record(const std::string& qualified);
  Type field_type(const FieldFact& field);

  // Virtual tables (virtual_tables.cpp).
  Term table_map();
  Term table_address(const VirtualTable& table);
  const std::vector<VirtualTable>& tables();

  void open_enum(const std::string& name); // throws LowerAgain
  /// The address of a field is kept somewhere; throws LowerAgain the first time.
  void escape(const llvm::GlobalVariable* global, const FieldFact& field);
  const std::map<Term, FieldFact, TermById>& escaped() const { return escaped_; }
  /// Of something on the stack.
  Term local_address(const std::string& name);
  bool is_local_address(Term variable) const;
  bool is_address(Term variable) const;
  /// Where pointers point, and as what the heap is seen.
  const PointsTo& points_to() const { return *points_to_; }
  const HeapViews& views() const { return *views_; }
  /// A write to objects that other code sees as something else.
  void write_astray(const PointsTo::Places& places, const RecordFact* record, std::int64_t low,
                    std::int64_t high);
  /// A name for a parameter or local that no enumerator or exception has.
  std::string free_name(const std::string& wanted) const;
  std::string local_name(const std::string& wanted, std::set<std::string>& used) const;

  std::string free_procedure(const std::string& wanted) const;
  /// How the source calls a function, as contracts do; null: it is called through a pointer.
  std::string shown_callee(const llvm::Function* function) const;
  /// The extern that stands for a callee, like `wanted`; made on first use.
  std::string callee(const std::string& key, const Procedure& wanted, bool may_throw,
                     const std::set<std::string>& writes);
  std::string internal(const llvm::Function& function, const std::vector<Receiver>& bound);
  /// What a callee may write besides: objects of records, all of them, or all the state.
  void reaches(const std::string& callee, bool everything, bool heap,
               const std::set<std::string>& records);
  const Callbacks& callbacks() const { return callbacks_; }
  /// A procedure that runs functions that a callee may have, any number of times; none when it has
  /// none that do anything.
  std::optional<std::string> callback_runner(const llvm::CallBase& call);
  void keep_elements_code(const FunctionFact& callee,
                          std::set<const llvm::Function*>& functions) const;
  SourceType declared_result(const llvm::CallBase& call);
  /// Whether a callee does not write the object behind an argument.
  bool leaves_alone(const llvm::CallBase& call, unsigned argument);
  /// Whether a call through a pointer only gives memory back, or gets it, going by its name.
  bool frees(const llvm::CallBase& call);
  bool allocates(const llvm::CallBase& call);
  bool is_said_to(Attribute attribute, const llvm::CallBase& call) const;
  bool reentrant() const { return options_.reentrant; }
  /// Runs in which signed arithmetic overflows are left out, as the languages do; for components
  /// integers are chosen later.
  bool overflow_ends() const { return static_cast<bool>(options_.stand_in); }
  std::string thrower(const std::string& exception, const Location& where);
  std::string stopper(const std::string& name);
  bool lowers(const llvm::Function& function) const; // has code that is looked into
  /// Also library functions that run code of the given source.
  bool looks_into(const llvm::Function& function) const;

private:
  struct Root {
    const llvm::Function* function = nullptr;
    ProcedureKind kind = ProcedureKind::Method;
    std::string name;
    const FunctionFact* fact = nullptr;
  };
  struct EscapedPlace {
    const llvm::GlobalVariable* global = nullptr; // null: the receiver
    FieldFact field;
  };

  Result<Module> round();
  void find_keys(Elements& elements);
  void find_asked(Elements& elements);
  const std::vector<Search>& searches();
  void find_pointers();
  std::vector<PointsTo::Bytes> handed_parts(std::int64_t at) const;
  bool owns_fields() const;
  void spoil_made_handles();
  const SourceType* declared_type(const llvm::CallBase& call, unsigned argument);
  const FieldFact* called_field(const llvm::CallBase& call);
  bool copies_argument(const llvm::CallBase& call, unsigned argument);
  PointsTo::Gives gives(const llvm::CallBase& call, unsigned argument);
  bool knows_type(const llvm::CallBase& call, unsigned argument);
  std::string memory_function(const llvm::CallBase& call);
  const RecordFact* record_of_node(const llvm::MDNode* node);
  void declare_exceptions();
  std::vector<std::string> caught_as(const std::string& name) const;
  Exception exception_kinds(const std::string& name, const std::set<std::string>& names) const;
  bool is_looked_into(const llvm::Function& function) const;
  void reserve_names();
  Result<void> choose_roots();
  Result<void> choose_class();
  Result<void> choose_handle();
  bool changes_state(const llvm::Function& function) const;
  Result<void> choose_functions();
  static void name_roots(std::vector<Root>& roots);
  void keep_wanted(std::vector<Root>& roots) const;
  void lower_pending();
  void summarise_large();
  void declare_constants();
  void expand_reached();
  void expand_markers();
  std::pair<Statement, Statement> as_clients_left(Procedure& procedure,
                                                  const StateVariable& variable, Term flag);
  void forget_given(Procedure& procedure, std::vector<Statement>& into, bool parts);
  void drop_idle_calls();
  void let_clients_write();
  void assume_unwritten();
  void assume_alone();
  void end_freed();
  void escape_initialisers();
  bool can_be_on_heap(const llvm::GlobalVariable& variable) const;
  void set_up();
  void set_up_object(const llvm::GlobalVariable& object);
  void set_up_tables();
  void set_initial(StateVariable& variable, const llvm::GlobalVariable& of, const FieldFact& field);
  Term address_of(const llvm::Constant& value);
  Term hidden_constant(const Type& type);
  Term zero_of(const Type& type);
  StateKey record_key(const RecordFact& record, const FieldFact& field) const;
  std::string heap_owner(const RecordFact& record, const FieldFact& field) const;
  void find_early_code();
  bool set_before_start(const llvm::GlobalVariable& variable) const;
  Result<void> finish();
  void drop_arguments();
  bool only_made_here(const RecordFact& fact);
  void forget_client_objects();
  void drop_unused();
  void drop_write_only();
  std::string variable_name(const std::string& wanted);
  Term initial_value(const llvm::GlobalVariable& global, const FieldFact& field, const Type& type);
  StateVariable& add_state(const std::string& name, Type type);
  void assume_addresses();
  void constants_of(const EnumFact& fact);

  const llvm::Module& code_;
  const SourceFacts& facts_;
  const LlvmOptions& options_;
  const BodyMaker bodies_;
  const Callbacks callbacks_;

  std::optional<std::map<const llvm::MDNode*, const RecordFact*>> node_records_; // null: several

  std::optional<std::vector<VirtualTable>> tables_;
  std::optional<std::vector<Search>> searches_;

  // Facts that only grow from round to round.
  std::set<std::string> open_enums_;
  std::map<std::string, EscapedPlace> escaped_places_;
  llvm::SetVector<const llvm::GlobalVariable*> on_heap_;
  std::set<std::string> kept_notes_; // about escapes that were there from the start
  std::map<std::string, std::int64_t> extra_constants_;
  std::set<const llvm::Function*> before_start_; // functions that run before the component does
  bool early_writes_astray_ = false;             // they write through pointers, too
  std::optional<PointsTo> points_to_;            // found once
  std::optional<HeapViews> views_;               // with the writes that stray
  bool strayed_ = false;                         // a new one in this round
  bool has_nan_ = false;                         // among floating point constants
  bool no_start_ = false;                        // no constructor is known
  std::set<std::string> open_texts_;
  std::set<const llvm::Value*> unfollowed_; // library objects that callees may have kept

  std::set<std::string> unfollowed_elements_; // of containers, by their path
  std::set<std::string> disturbed_elements_;

  // One round.
  Module module_;
  std::map<std::string, std::optional<Elements>> elements_; // by the container's path
  std::map<Term, FieldFact, TermById> escaped_;
  std::map<std::string, std::string> record_names_;
  const RecordFact* receiver_ = nullptr;
  std::string component_;
  std::vector<Root> roots_;
  std::set<std::string> caught_, names_;
  std::set<std::string> reserved_; // names that state variables may get
  std::map<std::string, Sort> enum_sorts_;
  std::map<StateKey, Term> fields_;
  std::map<const llvm::Function*, bool> truths_; // functions that return nothing but 0 and 1
  std::map<std::string, std::string> callees_;
  struct Pending {
    const llvm::Function* function = nullptr;
    std::vector<Receiver> bound;
    std::string name;
  };
  std::map<std::string, std::string> internals_;
  std::vector<Pending> pending_;
  struct Reaching {
    bool everything = false, heap = false;
    std::set<std::string> records;
  };
  std::map<std::string, Reaching> reaching_; // callee -> what it gets to
  std::map<std::set<const llvm::Function*>, std::string> runners_;
  std::set<std::string> summarised_;    // procedures of which only the effects are kept
  std::map<Term, Term, TermById> lent_; // variable -> flag
  std::map<std::string, Integer> text_numbers_;
  ContractUse contract_use_{*facts_.library};
  Reached lent_records_;
  std::set<std::string> lent_insides_;
  std::vector<Statement> first_; // what constructors start with
  Term receiver_address_ = nullptr;
  Term freed_ = nullptr;
};

} // namespace tacit
