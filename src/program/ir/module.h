// The neutral program: what every front end lowers to and every engine starts from.
//
// A module is typed state, records (each field a map from references), exceptions, and procedures
// with control-flow graphs. Its text form is `.tir` (read.h, print.h; docs/formats.md). Lowering
// knows nothing of errors: which terminators count as errors is decided by a pass (instrument.h)
// from the user's specification.
//
// Invariants, checked by verify.h:
//  1. Variables are terms of kind Var; a name means one variable within a procedure; locals never
//  shadow state.
//  2. Block 0 is the entry; every successor exists; every block is reachable.
//  3. Every expression is well sorted and mentions only state, parameters and locals.
//  4. Nondeterminism comes from Havoc alone, tagged by who chooses. Client havocs stand at the
//  start of block 0.
//  5. What is no extern is own code, and the reverse. Only references are addresses.
//  6. A call names a procedure of the module with fitting arguments; what it throws goes to the
//  first handler
//     that covers the exception, or leaves the caller.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "logic/term/term.h"
#include "program/ir/conventions.h"
#include "program/ir/type.h"

namespace tacit {

using BlockId = std::uint32_t;

/// What a reference is the address of, as far as the code says so. A state variable that is an
/// address never changes and is not null.
enum class Address {
  None,   // it may be of anything, or null
  Place,  // of something that has no place in the model
  Object, // of a function, a whole object or a virtual table: no two of them are equal
  Part    // of the component itself or one of its parts: no two of them are equal
};

struct Variable {
  Term term = nullptr;
  Type type;
  Address address = Address::None;
  std::string shown; // how the source calls it, `items.size()`; empty: by its name

  const std::string& name() const { return term->name; }
  const std::string& shown_name() const { return shown.empty() ? name() : shown; }
};

struct StateVariable : Variable {
  Term initial = nullptr; // null: any value of the type
  bool client = false;    // the client may write it between calls: an argument of the next call
  std::string record;     // the record whose field map this is, or empty
};

/// Who picks the value of an input.
///
/// Unknown marks what a summary or an unsupported construct hides: safety must hold for every
/// value, and a claim that something *can* happen may not rest on picking one.
enum class Chooser { Client, Environment, Unknown };

enum class StatementKind { Assign, Assume, Havoc, New };

/// What a choice within an opaque callee means, for those who explain runs (externs.h). It decides
/// nothing, and passes may leave terms behind in it that mean nothing any more.
struct OpaqueChoice {
  std::string callee;             // the extern
  std::string shown;              // how the source calls it
  bool result = false;            // it is what the callee returns
  std::string if_true, if_false;  // of a Boolean: `throws E`, `returns`; empty: no one thing
  std::vector<std::string> names; // of the callee's parameters
  std::vector<Term> arguments;    // over the caller's variables, or null; set by inlining
};

struct Statement {
  StatementKind kind = StatementKind::Assume;
  Term target = nullptr; // Assign, Havoc, New: a state variable, parameter or local
  Term value = nullptr;  // Assign, Assume
  Chooser chooser = Chooser::Environment;
  std::string record; // New
  std::string from;   // Havoc: the callee whose choice it is, as the source calls it; may be empty
  Location where;
  /// Havoc: it is made in an opaque callee; Assign: that is where the value comes from.
  std::shared_ptr<const OpaqueChoice> opaque;
};

/// Where a call continues when the callee throws. The exception "*" covers all.
struct Handler {
  std::string exception;
  Term binder = nullptr; // receives the exception; may be null
  BlockId target = 0;
};

enum class TerminatorKind { Goto, Branch, Call, Return, Throw, Error };

struct Terminator {
  TerminatorKind kind = TerminatorKind::Return;
  Term value =
      nullptr;       // Branch: condition; Return: value or null; Throw: term of the exception sort
  BlockId next = 0;  // Goto, Branch (true), Call (normal return)
  BlockId other = 0; // Branch (false)
  std::string name;  // Call: callee; Error: its name
  std::vector<Term> arguments;
  Term result = nullptr; // Call; may be null
  std::vector<Handler> handlers;
  int outcome = -1;         // Return, Throw: index into the call's outcomes, set by split.h
  std::string procedure;    // the procedure this site stood in before inlining
  bool environment = false; // Throw, Return: of an opaque callee, or translated from its failure
  bool rejecting = false;   // Return, Throw: ends a run whose arguments were refused (angelic
                            // reading), set by component
  Location where;
  Location made; // Throw, Error: the site at which the exception was made, when it was caught and
                 // thrown on since (observe/sites.h)

  const Location& site() const { return made.known() ? made : where; }
};

struct Block {
  std::vector<Statement> statements;
  Terminator end;
};

/// Extern: a callee that is not looked into, with or without a contract. Its choices are the
/// environment's and its exceptions are failures of the environment, never errors.
enum class ProcedureKind { Method, Constructor, Internal, Extern };

/// Whose code a procedure stands for (docs/semantics.md, 2.2). All but own code are externs.
enum class Origin {
  Own,          // code of the component
  Collaborator, // what the client brings, and the outside world: the environment
  Contract,     // a library function that does what its contract says
  Unknown       // anything else: nobody chooses what it does
};

struct Procedure {
  std::string name;
  ProcedureKind kind = ProcedureKind::Method;
  std::optional<Origin> origin; // none: as origin_of has it
  std::string shown;            // how the source calls it, `std::vector::at`; empty: by its name
  std::string out; // the local that holds what is written through an out-parameter; may be empty
  bool shows_out = false; // what it returns is that, and its outcomes tell the rest (component)
  std::vector<Variable> parameters;
  std::vector<Variable> locals;
  std::optional<Type> returns;
  std::vector<Term> preconditions; // `requires`, for enabledness abstractions
  std::vector<Block> blocks;       // empty for an extern given by clauses
  Location where;

  // Clauses of an extern without a body.
  std::vector<std::string> writes; // state variables
  std::vector<std::string> throws; // exceptions it may fail with
  std::vector<Term> ensures;       // over parameters, state after, and `result`

  // What an extern is about, besides the function that it stands for.
  std::string object;  // the object of the component that it is called on, by its facts' prefix
  std::string made_by; // the function that made the temporary that it is handed, `null` or `object`
  std::string beside; // the extern next to which it stands, for what that one's contract leaves out

  const std::string& shown_name() const { return shown.empty() ? name : shown; }
  const Variable* find_local(std::string_view name) const; // parameters too
  /// What the client sees besides the result, when it returns; null when there is nothing.
  const Variable* out_variable() const {
    return out.empty() || shows_out ? nullptr : find_local(out);
  }
};

struct Exception {
  std::string name;
  std::string parent;            // empty: none
  std::vector<std::string> also; // what it is a kind of besides: itself, not its parents
};

struct Record {
  std::string name;
  std::vector<std::pair<std::string, Type>> fields; // state variables NAME.field hold the maps
};

/// A method that a client could call and that is no letter.
struct LeftOut {
  std::string call;
  std::string reason;

  bool operator==(const LeftOut&) const = default;
};

struct Module {
  std::shared_ptr<TermArena> arena = std::make_shared<TermArena>();
  std::string name;
  std::string language = "tir"; // for people: what passes may rely on are the conventions
  Conventions conventions;
  std::vector<Sort> enums;
  std::vector<Exception> exceptions;
  Sort exception_sort = nullptr; // enumeration of all exceptions, null when there are none
  std::vector<Record> records;
  std::vector<StateVariable> state;
  std::vector<Term> invariants;
  std::vector<Procedure> procedures;
  std::vector<std::string> assumptions; // what the front end took for granted
  std::vector<LeftOut> left_out;
  std::map<std::string, Integer> literals; // texts of the source that are numbers in terms

  /// Says where a program comes from, with the conventions of that language.
  void set_language(std::string name);
  /// Adds an assumption, or a method that is left out, once.
  void assume(std::string text);
  void leave_out(std::string call, std::string reason);
  /// Keeps what a number stands for, unless nobody would want to read that.
  void add_literal(const std::string& text, Integer number);

  const Procedure* find_procedure(std::string_view name) const;
  Procedure* find_procedure(std::string_view name);
  const StateVariable* find_state(std::string_view name) const;
  std::optional<std::size_t> state_index(Term variable) const;
  /// The index of an exception in the exception sort.
  std::optional<std::size_t> find_exception(std::string_view name) const;
  /// Whether `name` is `ancestor` or below it; "*" is above all.
  bool exception_is(std::string_view name, std::string_view ancestor) const;
};

/// Whose code it is; when nobody says, an extern with a body or `ensures` has a contract and any
/// other is a collaborator. Passes that give externs bodies settle the origin first.
Origin origin_of(const Procedure& procedure);

/// Deep copy of everything but the arena, which is shared.
Module clone(const Module& module);

/// Successor blocks in order: normal, false branch, handlers.
std::vector<BlockId> successors(const Terminator& end);

/// Drops unreachable blocks and numbers the rest in depth-first preorder from the entry (next
/// before other, then handlers); merges a block into its only predecessor when that ends in a goto
/// to it.
void tidy(Procedure& procedure);

} // namespace tacit
