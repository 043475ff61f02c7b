// Code under construction: statements and blocks, locals, the operand stack, and the edges between
// blocks with what is known along them. What the parts of a method's lowering have in common stands
// here; each part builds on those before: this one, BodyValues, BodyLibrary, BodyCalls, and
// BodyLowering, which is the whole.
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

class BodyCode {
public:
  BodyCode(Context& context, const Context::Body& what);

protected:
  // body_code.cpp
  Location beginning() const;
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
  Term is_null(JavaValue& slot);
  void push(JavaValue slot);
  void push(Kind kind, Term term);
  JavaValue pop();
  JavaValue pop(Kind kind);
  Term number(Kind kind) { return pop(kind).term; }
  void wrong(const std::string& what);
  JavaValue converted(JavaValue slot, Kind kind, const std::string& type);
  Term reference(JavaValue& slot);
  JavaValue loaded(const JavaType& type, Term term);
  JavaValue object(const std::string& type);
  Term small(Term term, Kind kind);
  void approximate(const std::string& what);
  void hand_on_caught(const std::string& key);
  void forget_monitors(Term changed);
  void havoc_into(Term local);
  /// An object that nobody knows: never null.
  Term unknown_object(std::string_view hint);
  Term answers(Term text, const std::string& content);
  std::set<std::string> caught_here() const;

  // body_edges.cpp
  void add_unknown_throw();
  void jump(std::uint32_t target);
  void branch(Term condition, std::uint32_t then, std::uint32_t otherwise);
  void flow(std::uint32_t target, const State& state);
  bool merge(JavaValue& into, const JavaValue& from);
  void throw_if(Term condition, const std::string& exception);
  void raise(Term exception, const std::string& type, bool exact);
  void enter_handler(std::uint32_t handler, JavaValue exception);
  void null_check(JavaValue& object);
  void learn(Term condition, bool holds);
  /// Whether an index is out of bounds, as far as that is not known.
  Term out_of_bounds(Term index, Term length);
  bool never_negative(Term index) const;
  /// The local that a loop over all elements of an array compares its index with.
  std::optional<std::size_t> length_local() const;

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
