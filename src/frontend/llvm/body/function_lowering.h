// Lowers the body of one LLVM function to a procedure.
//
// Values in registers become terms; what cannot be written as a term over older values (loads,
// calls, phis, what is not understood) becomes a local. Registers are assigned once, so a term over
// them stays right wherever LLVM may use it; phis are assigned on the edges into their block, all
// at once.
//
// An integer term is congruent to the machine value; `sign` says how it is to be read. Comparisons
// and divisions bring both sides to the reading they need.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "frontend/llvm/module/lowering.h"
#include "program/ir/names.h"

namespace tacit {

enum class Sign { Either, Signed, Unsigned };

/// What a register holds.
struct Held {
  /// Bits of an integer that came from one variable; see `parts`.
  struct Part {
    Term term = nullptr;
    unsigned low = 0, width = 0;
    bool is_signed = false;
  };

  Term term = nullptr;      // Int, Bool or Ref
  Sign sign = Sign::Either; // Int
  Term truth = nullptr;     // Int that is 0 or 1: the Boolean
  Term choice = nullptr;    // Int that is the number of an enumerator
  Term thrown = nullptr;    // an exception in flight: pointer, selector or both
  std::vector<Part> parts;  // Int put together from bit-fields; zero elsewhere
  bool composite = false;
  bool real = false; // Int that is the place of a floating point number (program/ir/reals.h)
};

/// Numbers of floating point that are followed: of single and double precision.
inline bool is_real(const llvm::Type* type) { return type->isFloatTy() || type->isDoubleTy(); }

/// Where a pointer points.
struct Target {
  enum class Kind { Receiver, Global, Stack, Heap, Element, Exception, Unknown };
  Kind kind = Kind::Unknown;
  const llvm::Value* root = nullptr;
  std::int64_t offset = 0;            // bytes
  const llvm::Value* index = nullptr; // one variable index at most
  std::int64_t scale = 0;             // 0: several indices
  /// With an index: the array that it stays in, as bytes from the root.
  std::optional<std::pair<std::int64_t, std::int64_t>> within;
  const llvm::Type* pointee = nullptr; // Heap: the struct that the first step goes into
  const RecordFact* hint = nullptr;    // Heap: the struct by the type of the access
};

/// The AST's parameter for each LLVM argument, null where there is none.
std::vector<const ParameterFact*> parameter_facts(const llvm::Function& function,
                                                  const FunctionFact* fact);

class FunctionLowering {
public:
  FunctionLowering(Lowering& lowering, const llvm::Function& function, Procedure& procedure,
                   std::vector<Receiver> bound);

  void run();

  /// Parameters and result, as `run` will declare them.
  static void signature(Lowering& lowering, const llvm::Function& function, Procedure& procedure,
                        const std::vector<Receiver>& bound);

private:
  enum class Shape { Truth, Number, Real, Reference, Thrown, Choice, None };

  // Blocks and statements (function_lowering.cpp).
  void declare_parameters();
  void find_stack();
  void find_shapes();
  void clear_empty_optionals();
  void lower_block(const llvm::BasicBlock& block);
  void lower_instruction(const llvm::Instruction& instruction);
  void lower_terminator(const llvm::Instruction& instruction);
  void lower_switch(const llvm::SwitchInst& instruction);
  void lower_return(const llvm::ReturnInst& instruction);
  void lend(const llvm::Value* returned);
  void lend_fields(const Target& place, bool chosen, unsigned bits);
  void lend_places(const PointsTo::Places& places);
  void lend_everything();
  unsigned width_there(const Target& target) const;
  bool clients_see(const llvm::Value* pointer) const;
  BlockId new_block();
  BlockId edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to);
  void fill_edges();
  std::optional<Term> phi_value(const llvm::PHINode& phi, const Held& held);
  Term default_thrown();
  void stop();
  void emit(Statement statement);
  void assign(Term target, Term value);
  void assume_true(Term condition);
  void havoc(Term target, Chooser chooser);
  void go(BlockId target);
  void branch(Term condition, BlockId yes, BlockId no);
  void end(Terminator terminator);
  Term local(const std::string& base, const Type& type);
  Term local_address(); // of something that has no place in the model
  Location where(const llvm::Instruction& instruction) const;
  bool at_own_site(const llvm::Instruction& instruction) const;
  std::string name_of(const llvm::Value& value) const;

  // Values (values.cpp), as bits (bits.cpp).
  const Held& value(const llvm::Value* value);
  Held constant(const llvm::Constant& constant);
  Held unknown(const llvm::Type* type, const std::string& base, Chooser chooser = Chooser::Unknown);
  void set(const llvm::Instruction& instruction, Held held);
  Held number(Term term, Sign sign) const;
  Held truth(Term term) const;
  Term as(const Held& held, unsigned bits, Sign sign);
  Term as_truth(const Held& held);
  Term collapse(const Held& held, unsigned bits, Sign sign);
  Held arithmetic(const llvm::BinaryOperator& instruction);
  Held mask(const Held& held, unsigned bits, const llvm::APInt& constant);
  Held cast(const llvm::CastInst& instruction);
  bool are_apart(const llvm::Value* left, const llvm::Value* right) const;
  Held compare(const llvm::ICmpInst& instruction);
  std::optional<Held> compare_choice(const Held& a, const Held& b,
                                     llvm::CmpInst::Predicate predicate, unsigned bits);
  Term enumerator(Sort sort, Integer number, unsigned bits);
  static bool fits(Sort sort, unsigned bits, bool is_signed);
  Held chosen(Term term, unsigned bits);
  Held choose(Term condition, const Held& a, const Held& b, const llvm::Type* type);
  Held from_cell(const Cell& cell, Term term);
  std::optional<Term> to_cell(const Held& held, const SourceType& type);
  std::optional<Term> to_choice(Term term, Sort sort, unsigned bits);
  Term equal(const Held& a, const Held& b, unsigned bits);
  Term odd(Term term);
  Term same(Term a, Term b);
  Held bits_of_both(const llvm::BinaryOperator& instruction);
  std::optional<Held> shift(const llvm::BinaryOperator& instruction);
  std::optional<Held> with_truth(const llvm::BinaryOperator& instruction);
  std::optional<Held> single_bit(const llvm::BinaryOperator& instruction);
  std::optional<Held> few_bits(const llvm::BinaryOperator& instruction);
  std::optional<Held> set_bits(const Held& held, const llvm::APInt& constant);
  Term part_bits(const Held::Part& part);
  Held part(const Held& held, unsigned bits, unsigned width);
  unsigned active_bits(const llvm::Value* value) const;
  bool is_packed(const llvm::Value* value) const;
  Sign natural_sign(const llvm::PHINode* phi) const;
  Shape shape_of(const llvm::Value* value) const;
  SourceType enum_of(const llvm::Value* value) const;
  bool fits_enum(const llvm::Value* value, const std::string& name) const;

  void land(const llvm::CallBase& call);

  // Virtual tables (virtual_tables.cpp).
  Term object_with_table(const llvm::Value* pointer);
  bool store_table(const llvm::StoreInst& instruction);
  bool read_table(const llvm::LoadInst& instruction);
  Term goes_to(const llvm::CallBase& call, const llvm::Function& candidate);

  // Memory (memory.cpp).
  struct Access {
    std::vector<Cell> cells; // one, or the bit-fields of a unit
    std::vector<FieldFact> facts;
    std::uint64_t low = 0; // bit offset of the access
    bool exact = false;
    unsigned bits = 0;
    Term heap = nullptr; // the object, on the heap
  };
  static bool whole(const Access& found, unsigned bits);
  static bool no_pointers(const Access& found);
  static bool may_reach(const Target& target, const FieldFact& field, std::uint64_t low,
                        std::uint64_t high);
  static std::optional<std::uint64_t> in_step(const Target& target, const FieldFact& field,
                                              std::uint64_t low);
  Term element_at(const Target& target, const FieldFact& field, std::uint64_t low,
                  std::uint64_t behind);
  Target resolve(const llvm::Value* pointer) const;
  Target resolve_access(const llvm::Value* pointer, const llvm::Instruction* access) const;
  const RecordFact* declared_record(const llvm::Value* root) const;
  const RecordFact* record_at(const Target& target) const;
  bool strays(const Target& target) const;
  void note_write(const Target& target, std::uint64_t bytes); // 0: from there on
  bool is_astray(const Target& target, const Access& found) const;
  bool may_be_variable(const Target& target) const;
  static std::vector<const llvm::Value*> sources_of(const llvm::Value* pointer);
  bool reaches_place(const llvm::Value* pointer) const;
  Term address(const llvm::Value* pointer);
  void let_escape(const llvm::Value* pointer);
  std::vector<FieldFact> fields_of(const Target& target) const;
  Term variable_of(const Target& target, const FieldFact& field);
  const FieldFact* receiver_twin(const Target& target, const FieldFact& field) const;
  const FieldFact* static_field(const llvm::Value* pointer, unsigned bits,
                                const llvm::Instruction* access = nullptr) const;
  Access access(const Target& target, unsigned bits);
  void put_whole(Access& found, const Target& target, const FieldFact& field,
                 const std::vector<Term>& outer);
  Held read_access(const Access& found, const Target& target, const std::string& base);
  Held read(const llvm::Value* pointer, const llvm::Type* type, const std::string& base);
  std::optional<Held> read_constant(const llvm::GlobalVariable& global, const Target& target,
                                    const llvm::Type* type, const std::string& base);
  void store(const llvm::StoreInst& instruction);
  // Floating point numbers (reals.cpp).
  static Held real(Term place);
  Held real_constant(const llvm::Constant& constant);
  Held unknown_real(const std::string& base, Chooser chooser);
  Held compare_reals(const llvm::FCmpInst& comparison);
  Term to_real(const Held& held);
  bool same_kind(const Access& found, const llvm::Type* type) const;
  // Out-parameters (outs.cpp).
  void find_out();
  void write_out(const llvm::StoreInst& instruction);
  void write(const llvm::Value* pointer, const llvm::Type* type, const Held& stored);
  Term bits_of(const Held& held, unsigned bits, unsigned low, const FieldFact& field);
  Term read_cell(const Cell& cell);
  void write_cell(const Cell& cell, Term value);
  bool client_says(const llvm::Value* pointer) const;
  bool may_be_escaped(const Target& target, const llvm::Type* type) const;
  void forget(const Target& target, std::uint64_t bytes, Chooser chooser,
              std::set<std::string>* writes);
  void forget(const llvm::Value* pointer, std::uint64_t bytes, Chooser chooser,
              std::set<std::string>* writes);
  void forget_cell(const Cell& cell, Chooser chooser);
  void forget_escaped();
  void forget_given(const Target& target, const llvm::Type* type);
  void forget_twins(const Target& target, std::uint64_t low, std::uint64_t high); // bits
  void forget_reached(const llvm::Value* pointer);
  void forget_stood_in(const Target& target);
  std::optional<Held> bits_from(const Target& from, const Target& to, const FieldFact& field);
  void copy_memory(const llvm::MemTransferInst& instruction);
  void fill_memory(const llvm::MemSetInst& instruction);
  void zero(const Target& target, std::uint64_t bytes);
  void zero_elements(const FieldFact& field, const Cell& array, std::uint64_t low,
                     std::uint64_t high);
  void not_null(Term reference);
  void update_atomic(const llvm::AtomicRMWInst& instruction);
  void exchange_atomic(const llvm::AtomicCmpXchgInst& instruction);

  // Pointers that may mean a few variables (chosen_places.cpp).
  struct Candidate {
    Target place;
    Term address = nullptr; // of what the pointer points to, when there are several
  };
  std::optional<std::vector<Candidate>> candidates(const Target& target, const llvm::Type* type);
  Held read_candidates(const std::vector<Candidate>& places, const Target& target,
                       const llvm::Type* type, const std::string& base);
  void write_candidates(const std::vector<Candidate>& places, const Target& target,
                        const llvm::Type* type, const Held& held);
  unsigned store_bits(const llvm::Type* type) const;
  bool variable_parts(const Target& target, std::uint64_t bytes,
                      std::vector<std::pair<Target, std::uint64_t>>& parts) const;
  bool scalar_parts(const Target& target, std::uint64_t bytes,
                    std::vector<std::pair<Target, std::uint64_t>>& parts) const;
  bool forget_variables(const Target& target, std::uint64_t bytes, bool scalar);

  // Calls (calls.cpp).
  void lower_call(const llvm::CallBase& call);
  bool lower_intrinsic(const llvm::CallBase& call);
  bool lower_known(const llvm::CallBase& call, const std::string& symbol);
  void lower_opaque(const llvm::CallBase& call, const llvm::Function* callee);
  void lower_internal(const llvm::CallBase& call, const llvm::Function& callee);
  void emit_call(const llvm::CallBase& call, const std::string& name, std::vector<Term> arguments,
                 Term result);
  std::vector<Handler> handlers(const llvm::CallBase& call);
  void raise(const llvm::CallBase& call, const std::string& name);
  std::optional<Location> misuse_site(const llvm::CallBase& call) const;
  void raise_term(const llvm::CallBase& call, Term thrown);
  void rethrow(const llvm::CallBase& call);
  void allocate(const llvm::CallBase& call, bool may_fail, bool zeroed);
  void reallocate(const llvm::CallBase& call);
  void zero_fresh(const llvm::CallBase& call, const std::string& record);
  void continue_after(const llvm::CallBase& call);
  void note_freed(const llvm::CallBase& call);
  void lower_indirect(const llvm::CallBase& call);

  // Opaque callees (opaque_calls.cpp).
  /// A pointer argument, as the callee has it.
  struct Handed {
    const llvm::Value* value = nullptr;
    const SourceType* declared = nullptr; // of the parameter
    std::string object_class;             // of a member function's object
    bool read_only = false;
    bool is_field = false;   // taken as the address of a field
    bool own_method = false; // a member function that is not virtual
    std::uint64_t bytes = 0; // of the object of a library class that it is; 0: not known
  };
  struct OpaqueEffect {
    std::set<std::string> writes;                      // state variables
    std::set<std::string> doubtful;                    // the same, where that may not be so
    std::vector<const llvm::Value*> later;             // objects on the stack
    std::map<const llvm::Value*, std::uint64_t> parts; // of these, only that many bytes
    std::set<std::string> records;                     // all objects of these types
    bool heap = false;                                 // all records
    bool everything = false;
    bool tame = false;       // a library function that follows no pointers
    bool only_looks = false; // and moves no elements
  };
  std::string origin(const llvm::CallBase& call, std::size_t argument) const;
  bool is_whole_object(const Handed& handed, const Target& target) const;
  bool may_lead_to_object(const Handed& handed) const;
  void run_elements(const llvm::CallBase& call);
  std::uint64_t closed_part(const Handed& handed, const Target& target) const;
  void hand_over(const Handed& handed, OpaqueEffect& effect);
  void hand_over_object(const Handed& handed, OpaqueEffect& effect);
  void hand_over_parts(const Handed& handed, OpaqueEffect& effect);
  bool may_mean(const Handed& handed, const FieldFact& object, bool bounded) const;
  void write_part(const PointsTo::Place& place, const Handed& handed, OpaqueEffect& effect);
  std::vector<SourceType> source_types(const llvm::Value* pointer) const;
  void reach_objects(const Handed& handed, const Target& target, Reached& reached, bool& receiver,
                     OpaqueEffect& effect);
  void reach_types(const Handed& handed, const Target& target, Reached& reached) const;
  const FieldFact* object_meant(const std::vector<FieldFact>& fields, std::int64_t offset,
                                const Handed& handed) const;
  std::vector<FieldFact> pointee_fields(const Target& target, const Handed& handed) const;
  void forget_pointee(const Handed& handed, std::set<std::string>& writes);
  const FieldFact* object_field(const llvm::Value* pointer) const;

  // Elements of containers (elements.cpp).
  /// A call that returns a pointer to an element.
  struct ElementCall {
    enum class How { First, Last, Key, Found, Searched, Some };
    const Elements* of = nullptr;
    How how = How::Some;
    std::int64_t shift = 0; // where the element lies in what is pointed to, in bytes
    const llvm::CallBase* search = nullptr;
  };
  struct ElementChange {
    enum class What { Nothing, Start, Put, Erase, Remove, Forget };
    const Elements* of = nullptr;
    What what = What::Nothing;
    Term key = nullptr, there = nullptr; // there: nothing is put if it holds
    std::vector<Term> values;            // per field; null: not known
    std::int64_t shift = 0;
    bool moves = false;                     // others to another index or key
    const llvm::CallBase* search = nullptr; // what was found goes
    std::vector<Term> dropped;              // what was asked of the element that goes
    bool emptied = false, forgets_answers = false;
  };
  struct Followed {
    std::string name;       // facts are state variables `name.fact`
    std::string class_name; // with template arguments; empty for a text that is spelled out
    const llvm::Value* object = nullptr; // on the stack or an argument; null: the component's
  };
  // Sequences that are searched (searches.cpp).
  struct Found {
    const Elements* of = nullptr;
    std::size_t by = 0; // the field
    Term key = nullptr; // which it has
    Term there = nullptr;
    Term lost = nullptr; // it may have become another one
    Term size = nullptr;
    std::vector<std::pair<Term, Term>> before; // of a removal: variables and what they held
  };
  const Elements* searched_elements(const llvm::CallBase& search) const;
  void lower_search(const llvm::CallBase& call);
  bool find_by_key(const llvm::CallBase& call, const Elements& of, const Search& search,
                   Term position);
  bool lower_ahead(const llvm::Value* value, const Search& search);
  Term key_searched(const SearchKey& key, const FieldFact& field, const Search& search);
  const Found* found_element(const Target& target) const;
  Term element_variable(const ElementCall& element, const FieldFact& field);
  Held unless_lost(const Target& target, const Held& held, const llvm::Type* type,
                   const std::string& base);
  bool is_keyed_element(const Target& target) const;
  bool is_key_text(const Target& target) const;
  void write_searched(const Target& target, const llvm::Type* type, const Held& held);
  void searched_change(const llvm::CallBase& call, const FunctionFact& fact, ElementChange& change);
  void change_searched(const ElementChange& change);
  void put_searched(const ElementChange& change);
  void erase_found(const Found& found);
  void remove_found(const Found& found);
  void take_away(const Found& found, Term gone);
  bool ends_removal(const llvm::CallBase& erase, unsigned first,
                    const llvm::CallBase& search) const;
  void forget_searched(const Elements& of);
  Term count_asked(const Elements& of, const Search& search);
  Term holds(const Elements& of, const Search& search, std::size_t by, Term key);
  std::vector<Term> answers(const Elements& of, std::size_t by, Term key, Term if_there);
  void count_answers(const Elements& of, const std::vector<Term>& before,
                     const std::vector<Term>& after);
  void forget_answers(const Elements& of);
  void drop_answers(const llvm::CallBase& call, const FunctionFact& fact,
                    const std::vector<Term>& arguments, ElementChange& change);
  void disturb(const Elements& of);
  void lose_found(const Elements& of);
  Term put_text(const llvm::Value* source, const FieldFact& field);
  bool part_stays(const llvm::Value& at, std::int64_t behind, const std::string& class_name) const;
  std::optional<Followed> text_part(const llvm::AllocaInst& object, std::int64_t offset,
                                    const std::string& class_name);
  std::optional<Followed> text_in_object(const llvm::Value* pointer, const std::string& class_name,
                                         std::int64_t behind = 0);
  void forget_taken_parts(const llvm::CallBase& call, const FunctionFact& fact);
  void when(Term condition, const std::function<void()>& then);
  void forget_when(Term condition, const std::vector<std::string>& variables);
  std::map<const llvm::CallBase*, Found> found_;

  const Elements* iterated(const std::string& led) const;
  std::optional<ElementCall> element_call(const llvm::Value* made) const;
  const FieldFact* held_container(const llvm::CallBase& call) const;
  void note_element(const llvm::CallBase& call, const std::vector<Term>& arguments, Term iterator);
  void note_found(const llvm::CallBase& call, const std::vector<Term>& arguments);
  Term found_key(const llvm::CallBase& call) const;
  Term iterator_place(const llvm::CallBase& call);
  Term element_key(const Target& target);
  void write_element(const Target& target, const llvm::Type* type, const Held& held);
  void note_stray_elements(const Target& target);
  void lose_element(const llvm::Value* pointer);
  ElementChange element_change(const llvm::CallBase& call, const FunctionFact* fact,
                               const std::vector<Term>& arguments);
  void read_put(const llvm::CallBase& call, const SourceType& type, unsigned from,
                ElementChange& change);
  void change_elements(const ElementChange& change);
  void lose_keys(const Elements& of);
  void lose_keys();
  void forget_elements(const llvm::CallBase& call, const FunctionFact* fact, const Elements* self,
                       OpaqueEffect& effect);

  // Library objects about which facts are kept (library_objects.cpp).
  std::optional<Followed> followed(const llvm::Value* pointer, const std::string& class_name);
  std::string follow_local(const llvm::Value& object, const std::string& class_name);
  void read_argument(const llvm::Argument& argument, const std::string& name,
                     const std::string& class_name);
  bool may_be_written_elsewhere(const llvm::Argument& argument) const;
  std::optional<std::string> literal(const llvm::Value* pointer);
  bool stays_in_calls(const llvm::Value& object) const;
  std::optional<Held> first_character(const llvm::Value* pointer, const llvm::Type* type);

  // What strings of the client answer (texts.cpp).
  struct TextQuestion {
    std::string text;     // `find(64)`
    bool whether = false; // it is asked whether something is found, not where: `contains(64)`
  };
  std::optional<std::string> constant_text(const llvm::GlobalVariable& global) const;
  std::optional<std::size_t> constant_length(const llvm::Value* value) const;
  std::optional<std::string> text_behind(const llvm::Value* argument,
                                         const llvm::CallBase& call) const;
  bool makes_constant_text(const llvm::CallBase& call, const FunctionFact& fact) const;
  bool asks_text(const llvm::CallBase& call, const FunctionFact& fact) const;
  std::optional<TextQuestion> text_question(const llvm::CallBase& call, const FunctionFact& fact);
  Term text_answer(const llvm::CallBase& call, const FunctionFact& fact, const Type& type,
                   Term otherwise);
  std::vector<std::string> parts_asked(const llvm::Argument& argument) const;
  void take_part(const llvm::CallBase& call, const FunctionFact& fact);
  void answer_text(const llvm::CallBase& call, const FunctionFact& fact, Term result);
  std::optional<Held> text_character(const llvm::Value* pointer, const llvm::Type* type);
  bool may_be_other(const llvm::Argument& argument, const std::string& class_name) const;
  /// A call of a library function, as contracts see it.
  struct LibraryCall {
    ContractCall call;
    std::string made_by;
    std::vector<Followed> objects;               // per parameter
    std::vector<bool> read_only, moved;          // per parameter
    std::optional<std::set<std::size_t>> spoken; // parameters that a contract speaks of
    std::set<std::size_t> says_text;             // parameters whose text it speaks of
    bool makes = false;                          // the first parameter is what the call makes
    std::map<std::size_t, Term> values; // parameters that are handed what a reference leads to
    bool second = false;                // the result is the second part of a pair
    bool forwards = false;              // further arguments go to constructors
  };
  std::optional<SourceType> value_behind(const Handed& handed) const;
  bool is_number_handed(const Handed& handed) const;
  bool uses_unsigned(const llvm::User* user, const llvm::Value* pointer) const;
  void ask_contracts(LibraryCall& library, const std::vector<Handed>& handed,
                     const llvm::CallBase& call);
  LibraryCall as_contracts_see(const llvm::CallBase& call, const FunctionFact* fact,
                               const std::string& shown, std::vector<Variable> parameters,
                               const std::vector<Handed>& handed,
                               const std::optional<Type>& returns);
  void spare_spoken(const LibraryCall& library, std::set<std::string>& writes);
  void end_moved(const LibraryCall& library, const FunctionFact& callee);
  void forget_texts(const LibraryCall& library);
  bool changes_texts(const LibraryCall& library, const FunctionFact* callee) const;
  void forget_views();
  void forget_kept_views(const LibraryCall& library);
  void forget_text(const std::string& object);
  void open_text(const llvm::CallBase& call, const FunctionFact& fact, const LibraryCall& library);
  void forget_open_texts(const LibraryCall& library);
  void forget_written(const llvm::Value* pointer);
  std::map<std::size_t, Term> texts_behind(const LibraryCall& library,
                                           const std::vector<Handed>& handed);
  Term argument_term(const llvm::Value* argument, const Type& type);
  void set_result(const llvm::CallBase& call, Term result, SourceType source);

  Lowering& lowering_;
  Module& module_;
  TermArena& arena_;
  const llvm::Function& function_;
  Procedure& procedure_;
  std::vector<Receiver> bound_;
  std::int64_t receiver_offset_ = 0;
  FreshNames names_;
  const FunctionFact* fact_ = nullptr;
  BlockId current_ = 0;
  bool open_ = true; // the current block has no end yet
  const llvm::Instruction* at_ = nullptr;
  std::optional<Location> site_; // of an error, where it is not there
  std::map<const llvm::BasicBlock*, BlockId> blocks_;
  std::map<const llvm::Value*, Held> held_;
  struct {
    const llvm::Argument* argument = nullptr;
    SourceType type;
    Term variable = nullptr;
  } out_;
  std::deque<Held> scratch_;                                  // values made at their use
  std::map<const llvm::Value*, std::pair<Held, Held>> pairs_; // results with a second half
  /// Of arguments: `substr(7).`.
  std::map<const llvm::Argument*, std::set<std::string>> text_parts_;
  std::map<const llvm::Value*, std::string> written_texts_; // by the reference to a character
  std::map<const llvm::Value*, Term> characters_;           // of texts, by the reference to one
  std::map<const llvm::PHINode*, Term> phi_locals_;
  std::map<const llvm::PHINode*, Sign> phi_sign_;
  std::map<const llvm::LandingPadInst*, Term> thrown_;
  std::vector<const llvm::CallBase*> catches_;
  std::map<const llvm::Argument*, SourceType> argument_types_;
  std::set<const llvm::Argument*> packed_; // structs in registers
  SourceType returns_;
  std::set<Term, TermById> references_; // never null
  std::map<const llvm::Value*, Shape> shapes_;
  std::map<const llvm::Value*, std::string> choices_; // phis that hold an enumeration
  struct Edge {
    const llvm::BasicBlock* from = nullptr;
    const llvm::BasicBlock* to = nullptr;
    BlockId block = 0;
  };
  std::vector<Edge> edges_;
  // Stack objects that are not in registers: cells by (offset, bits), or opaque.
  struct StackObject {
    bool opaque = false;
    std::map<std::pair<std::int64_t, unsigned>, Cell> cells;
  };
  std::map<const llvm::Value*, StackObject> stack_;
  std::map<std::pair<const llvm::Value*, std::string>, std::string> objects_; // by class: name
  std::map<const llvm::Value*, Term> element_keys_; // of elements that calls have led to
  std::map<const llvm::Value*, Term> found_keys_;   // by calls of `find`
  std::set<Term, TermById> known_not_null_;
  mutable std::map<const llvm::Value*, const RecordFact*> declared_;
};

/// Makes procedures of functions by FunctionLowering.
extern const BodyMaker function_bodies;

} // namespace tacit
