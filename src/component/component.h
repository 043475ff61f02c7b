// A component: the view of a module that engines work on. Calls and constructors with their
// outcomes, the letters of words, and what counts as an error. Built once from a module and
// options; immutable afterwards.
//
// After building, the body of every call and constructor is free of calls; it ends in returns and
// throws that carry an outcome, and in `error` terminators. Client-owned state has become a client
// havoc at the entry: an argument by the name of its variable. With guarded arguments what a call
// returns is kept, since the client looks at it, and parameters stay what they are.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "program/ir/module.h"
#include "program/observe/instrument.h"
#include "program/observe/split.h"
#include "program/reduce/coarsen.h"

namespace tacit {

/// How arguments are read when a call errs for some of them only: argument by argument
/// (docs/semantics.md 2.11), or the call as a whole, against the client or in its favour.
enum class Arguments { Demonic, Angelic, Guarded };
enum class Integers { Math, Machine };

/// Everything that decides what the component is; stored in results, so that they can be rebuilt
/// from the module.
struct ComponentOptions {
  std::vector<std::string> methods;      // names or wildcards; empty: all
  std::vector<std::string> constructors; // likewise
  std::vector<std::string> errors;       // ErrorSpec texts
  std::vector<std::string> letters;      // LetterSpec texts
  std::vector<std::string> assumes;      // 'call: condition'
  std::vector<std::string>
      rejects; // outcomes that count as rejection, 'returns=-2' or 'call:returns=-2'
  std::vector<std::string> blind; // calls whose outcomes are hidden; '*' for all
  Arguments arguments = Arguments::Demonic;
  Integers integers = Integers::Math;
  bool translated_errors = false;
  Detail detail = Detail::All;      // of lowered code; set by the engine `auto`
  std::vector<std::string> results; // 'call: result > 0': outcomes by what is returned
  bool responses = false;           // a call is as many as it has outcomes of returning
  std::vector<std::string> aside;   // sites that do not count for a call, 'call@file:line'
};

/// An assumption, made with angelic arguments where there are loops.
inline constexpr const char* good_calls_end = "calls with good arguments come to an end";

/// A call or a constructor.
struct Call {
  std::string name;
  std::size_t procedure = 0;         // index into module.procedures
  std::vector<std::string> outcomes; // at least one
  bool blind = false;                // nobody looks at outcome or result
};

/// A call with an outcome, by index.
struct CallOutcome {
  std::size_t call = 0;
  std::size_t outcome = 0;
};

/// A place where a call may err.
struct ErrorSite {
  std::string error;
  Location where;
  std::string procedure;
};

class Component {
public:
  const Module& module() const { return module_; }
  TermArena& arena() const { return *module_.arena; }
  const ComponentOptions& options() const { return options_; }
  const std::string& name() const { return module_.name; }
  /// The same with another reading of arguments: for components in which these are one.
  Component read_as(Arguments arguments) const {
    Component other = *this;
    other.options_.arguments = arguments;
    return other;
  }

  const std::vector<Call>& calls() const { return calls_; }
  const std::vector<Call>& constructors() const { return constructors_; }
  const Procedure& body(const Call& call) const { return module_.procedures[call.procedure]; }

  /// Letters number the outcomes of all calls: calls in order, outcomes in order.
  std::size_t letters() const { return letters_.size(); }
  CallOutcome letter(std::size_t index) const { return letters_[index]; }
  std::size_t letter_of(std::size_t call, std::size_t outcome) const {
    return first_letter_[call] + outcome;
  }
  /// `call:outcome`.
  std::string letter_name(std::size_t index) const;
  std::optional<std::size_t> find_call(std::string_view name) const;

  /// What the verdict rests on: from the front end and from building.
  const std::vector<std::string>& assumptions() const { return assumptions_; }
  /// The error specifications in force, as text.
  const std::vector<std::string>& errors() const { return errors_; }
  /// Error specifications of the user that nothing can satisfy, with what they could have meant.
  const std::vector<std::string>& unmatched_errors() const { return unmatched_; }
  /// Where calls and constructors may err, by call: what the specifications come to.
  std::vector<ErrorSite> error_sites(const Call& call) const;
  /// Conditions of hand-made letters, for the overlap check.
  const std::vector<LetterConditions>& letter_conditions() const { return letter_conditions_; }
  /// Whether any value is hidden behind a summary or an unsupported construct (Chooser::Unknown).
  bool has_unknowns() const { return has_unknowns_; }

private:
  friend class ComponentBuilder;
  friend class ComponentRefiner;

  Module module_;
  ComponentOptions options_;
  std::vector<Call> calls_, constructors_;
  std::vector<CallOutcome> letters_;
  std::vector<std::size_t> first_letter_;
  std::vector<std::string> assumptions_, errors_, unmatched_;
  std::vector<LetterConditions> letter_conditions_;
  bool has_unknowns_ = false;
};

/// Runs the passes. The module is copied; its arena is shared. A module without constructors gets
/// one, named after the component, that does nothing.
Result<Component> build_component(const Module& module, const ComponentOptions& options);

} // namespace tacit
