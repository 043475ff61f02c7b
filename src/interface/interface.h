// The result: an interface automaton with labels, verdicts, evidence and assumptions
// (docs/formats.md, "Results").
//
// States are numbered canonically. Per call, outcomes that lead to the same state everywhere are
// merged to `any`
// (`outcome_names` of the call is then {"any"}); so a transition's outcome indexes *this* file's
// outcomes, not the component's. An interface for a component always carries the component's text
// and options, from which it can be rebuilt.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "automata/dfa.h"
#include "base/statistics.h"
#include "component/component.h"
#include "component/run.h"
#include "interface/client_claim.h"

namespace tacit {

enum class Claim { Proved, Refuted, Bounded, Unknown };
std::string to_string(Claim claim);

struct Verdict {
  Claim safe = Claim::Unknown, permissive = Claim::Unknown, full = Claim::Unknown;
  bool minimal = false;
  std::map<std::string, std::string> details; // claim -> run, length, reason
  std::vector<std::string> assumptions;
};

/// One way a transition or refusal happens, in values: replayable.
struct ExampleStep {
  std::string call;
  std::vector<std::string> inputs;          // values as text, in order of consumption
  std::string outcome;                      // of the component, or empty when it errs
  std::map<std::string, std::string> after; // state variables (left out when it errs)
};

struct Example {
  std::vector<std::string> initial; // values of uninitialised state variables
  std::string constructor;
  std::vector<std::string> constructor_inputs;
  std::vector<ExampleStep> steps;
};

/// A term over the component's state whose value the client can follow: constructors and
/// transitions say what becomes of it (docs/semantics.md, 2.11). It is a variable, by its name, in
/// guards, cells and updates, and stands for its term in evidence.
struct TrackedValue {
  std::string name;  // `n`
  std::string type;  // `int`, `bool`, an enumeration, `text`, `ref`, `set<T>`, `map<K,V>`
  std::string term;  // over the component's state, as in .tir; of a set or map: its elements
  std::string shown; // as the source would say it: `size()`; may be empty
  // Of sets and maps, where they are known: how many elements, and of a map which keys are in.
  std::string size = {}, keys = {};
};

/// What becomes of tracked values, by name; one that is not named keeps its value.
using TrackedUpdate = std::map<std::string, std::string>;

struct InterfaceCall {
  std::string name;
  std::vector<std::string> outcomes; // as in the transitions: {"any"} when merged
};

struct InterfaceState {
  std::vector<bool> allows; // per call
  std::string label;        // "" when left out
};

struct InterfaceTransition {
  State from = 0;
  std::size_t call = 0;
  std::size_t outcome = 0; // index into InterfaceCall::outcomes
  State to = 0;
  std::string when = {};  // the cell, over parameters, `result` and tracked values; empty: always
  TrackedUpdate set = {}; // over the same
  std::optional<Example> example = std::nullopt; // one step: the state before is its `before`
  std::map<std::string, std::string> before = {};
  // Of enabledness abstractions.
  bool uncertain = false; // may be there: neither shown nor refuted
  bool may_break = false; // the call may break the invariant from here
  /// With successors of reachable states: a run from a constructor whose last step is the
  /// transition.
  std::optional<Example> run = std::nullopt;
};

/// What an enabledness abstraction was computed from, and what a reader should look at.
struct EpaAbout {
  struct Clause {
    std::size_t call = 0;
    std::string requires_text; // as given, over state and arguments; empty when mined
    std::string enabled;       // over the state alone
    std::string surely; // where it is enabled for sure, when that is not known to be the same
    bool any_contents = false;        // what is read through arguments was taken to be anything
    bool loops_end = false;           // loops were taken to end wherever their heads allow it
    std::string from;                 // "given", "mined" or "both"
    std::string splitting;            // "precise", "by choice" or "approximated"
    std::vector<std::string> choices; // by choice: the arguments that satisfy the clause
  };
  struct Remark {
    std::string kind; // a few words, the same for all remarks of a kind
    std::string text;
    std::vector<std::string> calls;
    std::vector<State> states;
  };
  std::vector<Clause> clauses; // per call
  std::string invariant;       // "true" when there is none
  std::string invariant_from;  // "given", "inferred", "given and inferred" or "none"
  bool reachable = false;      // successors of reachable states only
  // What the user added to the program's own: '--invariant', '--fact'.
  std::vector<std::string> invariants, facts;
  std::vector<Remark> findings;
  /// Not explored to the end: these calls may lead to more states than the transitions say, these
  /// constructors to more starts.
  std::vector<std::pair<State, std::size_t>> open;
  std::vector<std::string> open_starts;
  bool is_open(State state, std::size_t call) const;
  /// Obligations of the evidence that the second solver did not settle; nothing is claimed there.
  std::vector<std::string> unconfirmed;
};

// Errors of refusals that no run shows.
inline constexpr const char* no_way_on = "no way on"; // by pruning: --serial
inline constexpr const char* not_shown_safe =
    "not shown safe"; // where permissiveness is not claimed

/// What an opaque callee has to do for a refused call to err.
struct OpaqueNeed {
  std::size_t step = 0; // of the run, the constructor being 0
  std::string call;     // that step: it calls the callee
  std::string callee;
  std::string behaviour;              // `throws E`, `returns`, `returns a value < 0`
  std::vector<std::string> arguments; // conditions on them by name, `index == -1`
  bool only = true; // no run along the word errs otherwise; else it is so of the run shown

  bool operator==(const OpaqueNeed&) const = default;
};

/// "only if List.get(int), called by next, returns for index == -1"
std::string to_string(const OpaqueNeed& need);

struct Refusal {
  std::optional<State> state; // nullopt: a constructor
  std::size_t call = 0;       // index of the call, or of the constructor
  std::string error;
  std::string at;
  std::vector<std::string>
      word; // shortest, the refused call included; letters `call` or `call:outcome`
  std::optional<Example> run;
  std::vector<OpaqueNeed> needs = {};
  // For people, where they are known: the exception that is thrown, the line in the called method
  // and the helper in which the error is raised.
  std::string raised = {}, called_at = {}, through = {};

  /// `throws:std::logic_error`.
  std::string shown_error() const;
  /// `door.cpp:61, through require_open (door.cpp:20)`.
  std::string shown_at() const;
};

/// Those of one constructor have disjoint conditions; arguments that none covers are refused.
struct InitialState {
  std::string constructor;
  State state = 0;
  std::string when = {};  // over the constructor's parameters; empty: always
  TrackedUpdate set = {}; // over the same; names every tracked value
  // Of enabledness abstractions.
  bool uncertain = false;
  bool may_break = false;                        // the constructor may break the invariant
  std::optional<Example> example = std::nullopt; // a run of the constructor, without steps
};

/// A predicate that every realizable word into `state` can reach (docs/semantics.md, 2.4).
///
/// For each transition into `state` a source is named: from every state of the source predicate
/// some choice leads along that transition into this one. A source is another must-node at the
/// transition's origin, or the label itself
/// (`source` empty), since a realizable word reaches some state of the label.
struct MustNode {
  State state = 0;
  std::string predicate;
  struct Incoming {
    std::size_t transition = 0;        // index into Interface::transitions
    std::optional<std::size_t> source; // must-node at the origin; nullopt: its label
    std::optional<std::string>
        outcome; // of the component, when the entry speaks of one of those that were merged
  };
  std::vector<Incoming> incoming;
};

/// Nobody follows a loop without a bound for longer.
inline constexpr std::size_t most_rounds_followed = 64;

/// What proves the verdicts. Labels are expressions over the state variables.
///
/// - safe: initiation, consecution, no allowed call errs, outcomes without a transition cannot
/// happen.
/// - permissive: each refused call errs everywhere in the permissive label, or everywhere in the
///   must-node that `refusal_must` names for it.
/// - full: the outcome of each transition can happen everywhere in the label, or everywhere in the
///   must-node that `transition_must` or `outcome_must` names for it.
struct Evidence {
  std::vector<std::string> safe;       // per state; empty: none
  std::vector<std::string> permissive; // per state; empty: the safe labels serve
  std::vector<MustNode> must;
  std::map<std::size_t, std::size_t> refusal_must;    // refusal index -> must-node
  std::map<std::size_t, std::size_t> transition_must; // transition index -> must-node
  /// Likewise for one outcome of the component among those merged to `any`: (transition, outcome)
  /// -> must-node.
  std::map<std::pair<std::size_t, std::string>, std::size_t> outcome_must;
  std::map<std::string, std::size_t>
      unwind; // "call/block": a bound on the iterations of each loop head
  /// Likewise where there is no bound: for how many rounds runs are to be followed that show what
  /// can happen. None: for a few.
  std::map<std::string, std::size_t> followed;
  /// "call/block": what holds whenever a loop head is met, over state, parameters and locals.
  std::map<std::string, std::string> invariants;
  /// With angelic arguments, by call: arguments (name -> term over the state) of which one is good
  /// wherever the call is allowed. A call that is listed is read by these alone.
  std::map<std::string, std::vector<std::map<std::string, std::string>>> arguments;
  bool omitted = false; // too large to write down
};

/// Two runs of one word, the last call of which errs in one and not in the other: the component is
/// not visibly deterministic.
struct Disagreement {
  State state = 0;
  std::size_t call = 0;
  std::vector<std::string> word;
  Example errs, works;
};

/// What the arguments of an allowed call must satisfy. With guarded arguments it decides, over
/// parameters and tracked values; with angelic ones it is for people, and speaks of the state.
struct ArgumentGuard {
  State state = 0;
  std::size_t call = 0;
  std::string condition;
};

/// A place where a call may err that the claims do not speak of (docs/semantics.md, 2.13): no
/// protocol decides it, or it could not be decided.
struct SetAside {
  std::string call;
  std::string site;    // `Order.java:88`
  std::string because; // `gateway.charge() decides`
  bool decided = false;
};

struct InterfacePart;

struct Interface {
  std::string kind = "interface";
  std::string component_name, language;
  std::vector<std::string> sources;
  std::string hash; // SHA-256 of the sources, when they were files
  std::string tir;
  ComponentOptions options;
  bool serial = false;
  std::string engine;
  std::vector<std::string> errors;
  std::map<std::string, std::size_t> error_sites; // by error, where they were counted
  /// Of errors that are thrown: how many sites by exception, as far as that is known.
  std::map<std::string, std::map<std::string, std::size_t>> error_kinds;
  std::vector<InterfaceCall> calls;
  std::vector<std::string> constructors; // all of the component, in its order, refused ones too
  std::vector<InitialState> initial;
  std::vector<InterfaceState> states;
  std::vector<InterfaceTransition> transitions; // sorted by from, call name, outcome
  std::vector<Refusal> forbidden;               // sorted by state (constructors first), call name
  Verdict verdict;
  Evidence evidence;
  /// With --serial: the interface before pruning, which carries the evidence.
  std::shared_ptr<const Interface> before_pruning;
  std::vector<TrackedValue> tracked;
  std::map<std::string, std::map<std::string, long long>> constants; // of enumerations, by name
  std::vector<LeftOut> left_out;
  std::vector<std::string> not_counted; // errors by their specifications that could have counted
  std::vector<SetAside> aside;
  std::vector<Disagreement> nondeterminism;
  std::vector<ArgumentGuard> guards;
  /// When permissiveness is open: an interface that is permissive, and the shortest word that it
  /// allows and this one does not. Without evidence.
  std::shared_ptr<const Interface> permissive_bound;
  std::vector<std::string> open_word;
  /// With --decompose or --partition: smaller interfaces whose product this one is.
  std::vector<InterfacePart> parts;
  std::optional<EpaAbout> epa;        // of kind "epa" only
  std::optional<ClientClaims> client; // where the calls are functions of a client
  Statistics stats;
  std::vector<std::string> predicates; // that the engine used; under "stats" in the file
  std::vector<std::string> omitted;    // what was left out for size: "labels", "examples", "words"

  std::optional<std::size_t> find_call(std::string_view name) const;
  /// Target of a call with an outcome, or no_state.
  State next(State from, std::size_t call, std::size_t outcome) const;
  /// The transitions of a state, and those of one call in it.
  std::span<const InterfaceTransition> outgoing(State from) const;
  std::span<const InterfaceTransition> outgoing(State from, std::size_t call) const;
  /// The first entry that says why a call (without state: a constructor) is refused; null when
  /// there is none.
  const Refusal* find_refusal(std::optional<State> state, std::size_t call) const;
  /// The name of the refused call or constructor.
  const std::string& refused_name(const Refusal& refusal) const;
  /// The guard of an allowed call, with guarded arguments; null when it is always allowed.
  const ArgumentGuard* find_guard(State state, std::size_t call) const;
  /// Whether what a call does here depends on its arguments: conditions, or tracked values.
  bool guarded() const;
  std::vector<std::string> call_names() const;
  /// Of `constructors`, and those that only start states name.
  std::vector<std::string> constructor_names() const;
  /// Sites set aside because nothing could be decided about them. Where there are some, safety is
  /// `bounded`: proved for all other sites.
  std::size_t undecided_sites() const;
  bool safe_but_for_sites() const {
    return verdict.safe == Claim::Bounded && undecided_sites() > 0;
  }
  /// The calls that no state allows, by index.
  std::vector<std::size_t> never_allowed() const;
};

/// The interface of some error properties, or of some calls and the state that they share.
struct InterfacePart {
  std::string name;
  std::vector<std::string> fields; // that matter to it; empty when nobody looked
  Interface interface;
};

/// Letters of an interface for automata: calls in order, outcomes in order.
struct InterfaceLetters {
  std::vector<std::pair<std::size_t, std::size_t>> letters; // call, outcome
  std::vector<std::size_t> first;
};
InterfaceLetters letters_of(const Interface& interface);

/// The automaton, colours telling apart the sets of allowed calls; one entry per initial state.
Dfa automaton_of(const Interface& interface);

/// `call` when the call has one outcome, else `call:outcome`.
std::string letter_name(const InterfaceCall& call, std::size_t outcome);

/// A letter as people write it: without an outcome it stands for all of them. Arguments and results
/// are read by concrete.h.
struct WrittenLetter {
  std::size_t call = 0;
  std::optional<std::size_t> outcome;

  bool operator==(const WrittenLetter&) const = default;
};

/// Reads `call` or `call:outcome`, split at the last colon that has no colon beside it. `any`
/// stands for all outcomes; a call whose outcomes are merged to `any` takes every `returns…` and
/// `throws…`. The message for an unknown name suggests near ones.
Result<WrittenLetter> parse_letter(const Interface& interface, std::string_view text);

} // namespace tacit
