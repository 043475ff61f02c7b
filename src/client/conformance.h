// Does a client follow a protocol: its code, lowered together with the interface program, is a
// component of which no call may be refused by the program (Henzinger, Jhala and Majumdar,
// Permissive Interfaces, section 6 and Theorem 3). An engine proves that, a second solver re-checks
// the proof, and a refusal comes with a run.
//
// Every function that the client can be entered by is judged in every state in which the objects
// that it is handed can be; functions that these call are part of them. What is not understood is
// unknown, never "follows".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "client/events.h"
#include "client/interface_program.h"
#include "program/ir/module.h"

namespace tacit {

enum class Conformance { Follows, Violates, Unknown };

/// A line of the client on the way to a refused call.
struct PathStep {
  Location where;
  std::vector<ProgramEvent> events; // calls that the component got there
};

struct FunctionVerdict {
  std::string function;
  Location where;
  Conformance verdict = Conformance::Unknown;
  std::string when;   // Follows: a condition on how it is entered; empty: always
  std::string reason; // Unknown
  // Violates.
  Location at;          // of the refused call
  ProgramEvent refused; // what was refused there
  std::string error;    // what the component would do, `assert at stream.c:7`; may be empty
  std::vector<std::string> word; // the shortest that is refused there, from the result
  std::string handed;            // how it was entered, `it is handed s in state 0`; may be empty
  std::vector<PathStep> path;
  std::string suppressed = {}; // why it does not count; empty: it does
};

struct ClientReport {
  std::vector<FunctionVerdict> functions; // in the order of their places
  std::vector<Interface> proofs;          // where they are wanted: of all that follows
  std::vector<std::string> assumptions;
  std::size_t queries = 0;
  /// Whether an outcome that the interface has can always happen; otherwise a violation may rest on
  /// one that cannot.
  bool full = false;
};

struct ConformanceOptions {
  double seconds = 20;  // for each function
  std::string error;    // the specification of a refusal in the lowered program
  bool methods = false; // of one object, which all of them change
  bool proofs = false;  // keep what proves that functions follow, also where none is needed
  /// Constructors that were not proved to follow get a verdict, under this prefix; empty: they have
  /// none.
  std::string constructors = {};
};

/// `module` is the client with the written program in it.
Result<ClientReport> judge_client(const Interface& interface, const WrittenProgram& program,
                                  const Module& module, const ConformanceOptions& options);

/// The procedures that a procedure may run, itself included.
std::set<std::string> reached_from(const Module& module, const std::string& root);

/// Worse verdicts first: Violates, Unknown, Follows; the better of two for one function in
/// different lights is taken by `improve`.
void improve(FunctionVerdict& verdict, const FunctionVerdict& other);

} // namespace tacit
