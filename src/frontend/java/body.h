// One method: its operand stack and locals become expressions, its blocks become blocks.
//
// Each block is executed symbolically. Where a block has one predecessor it goes on with what that
// left; where paths join, each stack slot and each live local has a variable of its own, which
// every edge assigns. What is known of such a slot whatever the path (that it is the receiver, that
// it is a new exception of one class) is kept in frames; they are found by lowering again until
// they no longer change. An expression that mentions a variable is put into a temporary before the
// variable changes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/java/context.h"
#include "frontend/java/instructions.h"

namespace tacit::java {

/// A field by its class and name.
struct FieldName {
  std::string owner, name;
};

/// Whether a parameter is of a type.
struct TypeTest {
  std::size_t parameter = 0;
  std::string type;

  auto operator<=>(const TypeTest&) const = default;
};

/// One of several tables, by conditions that are locals nobody assigns.
struct TableView {
  std::vector<std::pair<Term, std::shared_ptr<const Table>>> cases;
  std::string field; // that it came out of; empty: made in this method
};

/// A value of the machine.
struct JavaValue {
  Kind kind = Kind::Nothing;
  Term term = nullptr; // null for a receiver or a lazy object until it is asked for
  int receiver = -1;   // index into Context::receivers
  int lazy = 0;     // an object that matters only if somebody looks; equal numbers, equal objects
  std::string type; // class or array descriptor, "null" for the constant; empty: not known
  bool nonnull = false;
  bool exact = false;                   // Exception, array: of exactly this class
  bool homemade = false;                // own code or a library made it, not the client
  bool narrow = false;                  // an array that may refuse what its type says
  bool truth = false;                   // Int: 0 or 1
  int parameter = -1;                   // which parameter of the method it is, never assigned
  bool opaque = false;                  // came from an opaque callee just now
  Term left = nullptr, right = nullptr; // result of a comparison of two numbers
  std::optional<FieldName> field; // a $SwitchMap, or what a VarHandle or field updater stands for
  std::optional<Integer> text;    // a string constant that is lazy: what it says, by number
  /// The number in a box that is lazy, or what a text says that is, or null's (Context::null_code):
  /// a local that nobody assigns.
  Term code = nullptr;
  Term inside = nullptr; // an Optional that was made here: a local with what it holds, or null
  Term absent = nullptr; // a local that says whether it is null, where that is known otherwise
  /// A text that was made from the one that a reference means: `trim().`
  std::optional<std::pair<Term, std::string>> derived;
  std::optional<Discoveries::Function> function; // that a lambda expression made here
  std::optional<HeldObject> held;         // a library object that a field holds; it has no term
  std::shared_ptr<const TableView> table; // a collection or array whose contents are known; lazy
  std::string thrown_by; // a function that makes a new exception of this class, and does no more
  bool brought = false;  // out of a field that is set to what others hand over
  bool foreign = false;  // null, or handed over by the client or a collaborator: not made here
  bool constant = false; // of a library, an object that stays: its identity may matter
  bool element = false;  // came out of a collection: it has the type that the source says
  bool entry = false;    // may be one of a followed map: who has it changes the map
};

bool makes_fixed(const MemberRef& callee);
/// Methods of collections and optionals that run the functions they get and do not keep them.
bool runs_at_once(const std::string& type, const std::string& method);

/// Whether a number can only be 0 or 1.
bool is_zero_or_one(Term term);

/// An object whose monitor is held: a receiver, or by its reference.
struct Monitor {
  int receiver = -1;
  Term reference = nullptr;

  bool operator==(const Monitor&) const = default;
};

struct State {
  std::vector<JavaValue> stack, locals;
  bool called = false;              // something else has run since the entry
  std::set<Term, TermById> present; // references known not to be null
  std::set<Term, TermById> refuted; // conditions known not to hold
  std::set<std::string> assigned;   // final fields that the constructor has set
  std::vector<Monitor> monitors;    // entered and not left
};

/// The types that a contract's parameters and result have for an object, and which of its classes
/// they are.
struct LibraryCall {
  const Contract* contract = nullptr;
  std::string type; // of the object, or that the call names
  MemberRef callee;
  Signature signature;
  /// By parameter, the object being the first, and of the result.
  std::map<std::size_t, std::size_t> parameters;
  std::optional<std::size_t> result;
  std::vector<std::optional<Type>> types;
};

class BodyLowering {
public:
  BodyLowering(Context& context, const Context::Body& what);

  /// Fails for what no verifier accepts. `unsupported` tells why a body could not be lowered.
  Result<Procedure> run();

  const std::set<std::string>& approximations() const { return approximations_; }
  const std::string& unsupported() const { return unsupported_; }

private:
  // --- rounds (body.cpp)
  void set_up();
  void round();
  void lower_block(std::uint32_t b);
  Procedure opaque_body();
  void add_unknown_throw();
  Location beginning() const;
  void remember_entry_choices();

  // --- code under construction
  BlockId new_block();
  void emit(Statement statement) {
    made_.blocks[current_].statements.push_back(std::move(statement));
  }
  void assign(Term target, Term value);
  void end(Terminator terminator);
  Term temporary(std::string_view hint, const Type& type);
  Term havoc(std::string_view hint, const Type& type, Chooser chooser);
  Term canonical(bool local, std::size_t index, Kind kind, const std::string& type);
  std::string fresh(std::string_view base);
  Location here() const;
  /// Puts expressions that mention the variable (or any state, when null) into temporaries.
  void protect(Term variable);
  void set_state(Term variable, Term value);

  // --- edges
  void jump(std::uint32_t target);
  void branch(Term condition, std::uint32_t then, std::uint32_t otherwise);
  void flow(std::uint32_t target, const State& state);
  bool merge(JavaValue& into, const JavaValue& from);
  void throw_if(Term condition, const std::string& exception);
  void raise(Term exception, const std::string& type, bool exact);
  void enter_handler(std::uint32_t handler, JavaValue exception);
  void null_check(JavaValue& object);
  Term is_null(JavaValue& slot);
  void learn(Term condition, bool holds);
  /// Whether an index is out of bounds, as far as that is not known.
  Term out_of_bounds(Term index, Term length);
  bool never_negative(Term index) const;
  /// The local that a loop over all elements of an array compares its index with.
  std::optional<std::size_t> length_local() const;

  // --- values (body_values.cpp)
  void push(JavaValue slot);
  void push(Kind kind, Term term);
  JavaValue pop();
  JavaValue pop(Kind kind);
  Term number(Kind kind) { return pop(kind).term; }
  void wrong(const std::string& what);
  JavaValue converted(JavaValue slot, Kind kind, const std::string& type);
  Term reference(JavaValue& slot);
  JavaValue loaded(const JavaType& type, Term term);
  Term stored(const JavaType& type, JavaValue slot);
  JavaValue object(const std::string& type);
  Term truth(Term integer);
  Term compare(int relation, Term a, Term b);
  Term bits(unsigned op, int width, const JavaValue& first, const JavaValue& second);
  Term small(Term term, Kind kind);
  void approximate(const std::string& what);
  Term argument_field(const JavaValue& object, const MemberRef& field, const JavaType& type);
  JavaValue optional_content(JavaValue& optional, const JavaType& type);
  Term type_test(JavaValue& value, const std::string& type);
  Term class_test(JavaValue& value, const std::string& type);

  // --- instructions (body_step.cpp, body_call.cpp)
  void step(const Instruction& i);
  void load_constant(unsigned index);
  void arithmetic(unsigned op);
  void stack_operation(unsigned op);
  void array_load(unsigned op);
  void array_store(unsigned op);
  void new_array(const JavaValue& length, const std::string& type);
  void condition(const Instruction& i);
  void switch_on(const Instruction& i);
  void get_field(const Instruction& i);
  void put_field(const Instruction& i);
  void get_static(const Instruction& i);
  void put_static(const Instruction& i);
  void new_object(const Instruction& i);
  void invoke(const Instruction& i);

  // --- calls that may run one of several bodies (dispatch.cpp)
  void call_virtually(const MemberRef& ref, ClassPool::Found found, bool special,
                      std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void call_several(const ClassPool::Found& named, const ClassFile& seen_as,
                    std::vector<JavaValue>& arguments, JavaValue& object);
  bool overrides_exception(const MemberRef& callee, const JavaValue& object);
  bool writes_itself(const JavaValue& exception);
  void fill_stack_trace(const std::vector<JavaValue>& arguments,
                        std::optional<JavaValue>& exception);
  void note_lambda(const ClassFile::DynamicRef& site);
  std::optional<Discoveries::Function> function_of(const ClassFile::DynamicRef& site,
                                                   const std::vector<JavaValue>& captured) const;
  void run_callbacks(const std::string& callee, const std::string& method,
                     const Signature& signature, const std::vector<JavaValue>& arguments,
                     const std::optional<JavaValue>& object);
  void run_by_others(const Signature& signature, const std::vector<JavaValue>& arguments,
                     const std::optional<JavaValue>& object);
  std::string type_handed(const JavaValue& value, const JavaType& wanted);
  void add_callbacks(std::vector<Context::OwnBody>& bodies, const std::string& type);
  std::string callback_procedure(std::string key, const std::vector<Context::OwnBody>& bodies,
                                 bool may_throw);
  bool throw_supplied(const JavaValue& supplier, Term absent);
  void run_given(const std::vector<JavaValue>& arguments);
  bool runs_only_given(const LibraryCall& call, const HeldField& of,
                       const std::vector<JavaValue>& arguments);
  bool dispatch_body();
  Term class_of_body(const Context::OwnBody& body);
  struct DispatchTarget {
    Context::OwnBody body;
    Term when = nullptr; // null: not known
  };
  bool constant_bodies(const std::string& constants, std::vector<DispatchTarget>& targets);
  Terminator call_of(const Context::OwnBody& body, Term object,
                     const std::vector<std::pair<JavaType, Term>>& given);
  Term finish_call_of(const Context::OwnBody& body, Terminator call);
  void leave_dispatch(Term value);
  std::map<std::string, std::string> constant_classes(const std::string& enumeration);
  void hand_on_caught(const std::string& key);
  void use_class(const std::string& type);

  // --- what the machine itself checks (checks.cpp)
  Monitor monitor_of(JavaValue& object);
  bool holds(const Monitor& monitor) const;
  void enter_monitor(JavaValue& object, bool leave);
  void forget_monitors(Term changed);
  void check_monitor(const MemberRef& callee, JavaValue& object);
  void check_changes(const MemberRef& callee, const std::string& type, const JavaValue& object);
  void check_index(const MemberRef& callee, const std::string& type, const JavaValue& index,
                   const JavaValue& object);
  void check_elements(const MemberRef& callee, std::vector<JavaValue>& arguments,
                      const JavaValue& object);
  void note_unlocked(const std::string& key, int receiver);
  void check_store(const JavaValue& array, JavaValue& value);
  void note_array(const std::string& field, const JavaType& type, const JavaValue& value);
  void note_limits();

  // Objects without identity: what they hold is all that matters.
  JavaValue string(const std::string& content);
  Term text_of(JavaValue& value);
  JavaValue boxed(const std::string& type, Term value);
  JavaValue coded(const std::string& type, Term code);
  /// What equal texts, or boxes of one class, have in common; null is a number of its own.
  Term code_of(JavaValue& value);
  std::optional<Term> equal_values(JavaValue& a, JavaValue& b);
  static bool without_identity(const JavaValue& value);
  bool value_method(const MemberRef& callee, const Signature& signature,
                    std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void invoke_dynamic(const Instruction& i);
  void return_value(const Instruction& i);
  void throw_value();
  void cast(const Instruction& i);

  bool field_by_handle(const MemberRef& callee, const Signature& signature,
                       std::vector<JavaValue>& arguments, JavaValue& handle);
  bool copied(const MemberRef& callee, JavaValue& object);
  bool intrinsic(const MemberRef& callee, const Signature& signature,
                 std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void call_own(const ClassFile& owner, const Method& method, int receiver,
                std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  void call_opaque(const std::string& owner, const MemberRef& callee, const Method* method,
                   std::vector<JavaValue>& arguments, std::optional<JavaValue>& object,
                   bool writes_all);
  // Library objects that fields hold (body_library.cpp).
  std::optional<HeldObject> held_object(const JavaValue& owner, const ClassFile& declared,
                                        const Field& field);
  bool make_held(const MemberRef& callee, const Signature& signature,
                 std::vector<JavaValue>& arguments);
  struct PlaceFor {
    const HeldField* field = nullptr; // null: none
    ClassPool::FoundField found;
    std::vector<std::string> wrappers; // on the way
  };
  PlaceFor place_for(std::uint32_t at);
  bool wrap_held(const MemberRef& callee, std::vector<JavaValue>& arguments);
  bool set_held(const HeldField& field, const HeldObject& object, JavaValue& value);
  bool call_library(const MemberRef& callee, const Signature& signature,
                    std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  bool find_contract(LibraryCall& call, const std::optional<JavaValue>& object);
  Term kept_as(const HeldField& of, std::size_t parameter, const Type& type, JavaValue& value);
  void give_kept(const LibraryCall& call, const HeldField& of, Term absent);
  Term absence(const LibraryCall& call, const HeldObject& of, const std::vector<Term>& arguments);
  bool hand_to_library(const LibraryCall& call, std::vector<JavaValue>& arguments,
                       const std::optional<JavaValue>& object, Context::Opaque& what,
                       std::vector<Term>& terms);
  void keep_from(const HeldField& field);
  Term size_before(const HeldObject& object);
  void outdate_iterators(const HeldField& field, const HeldObject* but);
  void give_entry(const JavaValue& value);
  void havoc_into(Term local);
  bool append_constant(const MemberRef& callee, std::vector<JavaValue>& arguments,
                       const JavaValue& object);
  bool call_view(const MemberRef& callee, const Signature& signature,
                 std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  bool call_iterator(const MemberRef& callee, const HeldObject& of, Term size);
  bool call_stream(const MemberRef& callee, const std::vector<JavaValue>& arguments,
                   JavaValue& object);
  /// Null: nobody knows.
  void set_fact(const HeldObject& object, const std::string& fact, Term value);
  void lose_elements(const HeldObject& object, Term size);
  bool add_up(const MemberRef& callee, std::vector<JavaValue>& arguments, const JavaValue& object);
  Term sum_after(const LibraryCall& call, const HeldObject& of, const std::vector<Term>& arguments,
                 bool& known);
  bool looks_inside(const LibraryCall& call, const HeldField& of);
  void note_nulls(const LibraryCall& call, const HeldField& of);
  bool make_view(const MemberRef& callee, const JavaValue& object);
  // Arrays that fields hold (body_arrays.cpp).
  bool make_held_array(Term length, const std::string& type);
  Term held_length(const HeldObject& array);
  void load_held(const HeldObject& array, Term index, const JavaType& type);
  void store_held(const HeldObject& array, Term index, JavaValue& value);
  bool array_function(const MemberRef& callee, std::vector<JavaValue>& arguments);
  bool copy_held_array(std::vector<JavaValue>& arguments);
  Term nothing_in(const HeldObject& array);
  // Collections whose contents stand in the code (body_tables.cpp).
  void push_table(const std::string& type, TableView view, Term absent);
  bool make_table(const MemberRef& callee, const Signature& signature,
                  const std::vector<JavaValue>& arguments);
  FixedValue fixed(const JavaValue& value) const;
  bool call_table(const MemberRef& callee, std::vector<JavaValue>& arguments,
                  const JavaValue& object);
  bool load_element(const JavaValue& array, Term index, const JavaType& type);
  Term table_size(const TableView& view);
  std::optional<Term> table_key(JavaValue& value, const TableView& view);
  Term key_is(Term key, const FixedValue& fixed);
  struct Choice {
    Term when = nullptr;
    FixedValue value;
  };
  bool push_choice(const std::vector<Choice>& choices, const std::string& field,
                   const JavaValue* otherwise);
  // Texts and what does not matter (body_text.cpp).
  bool ask_text(const MemberRef& callee, const Signature& signature,
                std::vector<JavaValue>& arguments, JavaValue& object);
  bool char_at(const std::string& name, const std::vector<JavaValue>& arguments, JavaValue& object);
  std::optional<JavaValue> answer(JavaValue& text, const std::string& question,
                                  const JavaType& type);
  /// An object that nobody knows: never null.
  Term unknown_object(std::string_view hint);
  Term answers(Term text, const std::string& content);
  bool write_text(const MemberRef& callee, const Signature& signature,
                  const std::vector<JavaValue>& arguments);
  bool may_run_code(const JavaValue& value, const JavaType& declared);
  void note_handed(const JavaValue& value, const JavaType& declared);
  bool writes_plainly(const JavaValue& value, const JavaType& declared);
  std::string exception_made_by(const BootstrapMethod& made) const;
  bool optional_method(const MemberRef& callee, const Signature& signature,
                       std::vector<JavaValue>& arguments, std::optional<JavaValue>& object);
  std::optional<JavaValue> constant_field(const JavaValue& object, const ClassFile& owner,
                                          const Field& field, const JavaType& type);
  /// Whether the user says what a callee does.
  bool given_contract(const MemberRef& callee);
  /// `as`: the type of what comes back, where it is not that of `result`.
  void emit_call(const std::string& name, std::vector<Term> arguments, const JavaType& result,
                 bool returns_exception, bool opaque, const std::string& hint,
                 const Type* as = nullptr);
  std::set<std::string> caught_here() const;
  Term switch_table(const FieldName& table, Term index);

  Context& context_;
  TermArena& arena_;
  Context::Body what_;
  std::string key_; // of the procedure
  const Code* code_ = nullptr;
  Signature signature_;
  CodeGraph graph_;
  Procedure made_;
  std::string unsupported_;
  std::string problem_; // of the byte code
  std::set<std::string> approximations_;

  // Kept between rounds.
  std::vector<std::optional<State>> frames_; // per block: what is known at a join
  bool changed_ = false;

  // Of one round.
  std::vector<HeldObject> iterators_; // made so far
  State state_;
  BlockId current_ = 0;
  bool dead_ = false; // behind a terminator
  std::uint32_t block_ = 0;
  std::uint32_t instruction_ = 0;
  std::vector<std::optional<State>> inherited_;
  std::vector<BlockId> entry_;
  std::vector<bool> passed_;         // blocks lowered in this round
  std::map<std::string, int> names_; // of variables, and the last number behind each
  std::map<std::string, Term> canonical_;
  std::set<Term, TermById> new_objects_; // temporaries that hold what `new` made
  std::vector<std::pair<TypeTest, Term>> entry_choices_;
  std::map<std::string, Term> argument_fields_; // of arguments, as the client left them
  std::vector<bool> never_stored_;
  State entry_state_;
  std::set<TypeTest> passed_tests_; // those of entry_choices_ that the caller answers
  int next_lazy_ = 1;
  bool at_once_ = false; // functions are handed to a callee that does not keep them
};

} // namespace tacit::java
