// A concrete word on a guarded interface, one call after the other: which calls the guards admit,
// which cell is taken, what becomes of tracked values. Nothing of the component is executed.
//
//   Walk walk(interface);
//   auto at = walk.start(constructor, &arguments).places;      // a place: state and tracked values
//   walk.allows(at[0], call)                                   // true, false, or cannot be told
//   at = walk.step(at[0], call)                                // empty: cannot happen
//
// Where a condition cannot be evaluated all cells that may be taken are, so a word may be in
// several places. Results without guards are walked by their letters, as they always were.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interface/calling.h"
#include "interface/client_value.h"
#include "interface/conditions.h"
#include "interface/interface.h"

namespace tacit {

struct TrackedClientValue {
  ClientValue value, keys, size; // as in TrackedVariables
};

/// Where a word may be.
struct Place {
  State state = 0;
  std::vector<TrackedClientValue> tracked; // as in Interface::tracked
};

bool same_place(const Place& a, const Place& b);

struct ConcreteCall {
  std::size_t call = 0;
  /// Per parameter; nullopt: any that the guard admits.
  std::optional<std::vector<ClientValue>> arguments;
  std::vector<std::size_t> outcomes; // that it may have had
  ClientValue result;
  ClientValue out; // what was written through an out-parameter
};

struct Start {
  std::optional<bool> allowed; // nullopt: cannot be told
  std::vector<Place> places;
};

/// Keeps a reference to the interface.
class Walk {
public:
  explicit Walk(const Interface& interface);

  const Interface& interface() const { return interface_; }
  const Module& module() const { return *module_; }
  const Calling& calling() const { return calling_; }
  /// Conditions and updates that cannot be read, and why. They are unknown.
  const std::vector<std::string>& unreadable() const { return unreadable_; }

  /// Without arguments: any that are admitted.
  Start start(std::size_t constructor, const std::vector<ClientValue>* arguments) const;

  /// Without arguments: whether some may be admitted.
  std::optional<bool> allows(const Place& place, const ConcreteCall& call) const;

  /// The places after an allowed call, by the cells that are or may be taken. `sure` becomes
  /// false when one is there because its cell could not be evaluated.
  std::vector<Place> step(const Place& place, const ConcreteCall& call, bool* sure = nullptr) const;

  /// The transitions that a call with one outcome takes or may take, by index into the interface's.
  std::vector<std::size_t> taken(const Place& place, const ConcreteCall& call) const;

  /// How the comparisons of the guard and the cells of a call stand: for numbers how far apart they
  /// are, up to two, else whether they hold. Arguments on one side of every boundary, and as near
  /// to it, have the same.
  std::vector<int> standing(const Place& place, const ConcreteCall& call) const;
  /// Likewise of what a constructor asks of its arguments.
  std::vector<int> standing_at_start(std::size_t constructor,
                                     const std::vector<ClientValue>& arguments) const;

  /// Which of the letters that a method was split into by hand these arguments belong to, in the
  /// order of Calling::calls; several when that cannot be told.
  std::vector<std::size_t> letters(const std::vector<std::size_t>& calls,
                                   const std::vector<ClientValue>& arguments) const;

  /// The parameters of a call or constructor; none when the component is not known.
  const Procedure& procedure(std::string_view name) const;

  /// All terms of conditions and updates that could be read.
  std::vector<Term> terms() const;

  /// For people: `n = 3, mode = Fast`.
  std::string shown(const Place& place) const;

private:
  struct Update {
    std::size_t tracked = 0;
    std::optional<UpdateTerms> terms; // nullopt: unreadable
  };
  struct Reading {
    const Procedure* procedure = nullptr;
    Term when = nullptr; // nullptr: unreadable
    std::vector<Update> set;
  };
  using Values = std::unordered_map<Term, ClientValue>;

  Reading read(std::string_view where, const std::string& when, const TrackedUpdate& set,
               const Procedure& procedure);
  Term read_condition(std::string_view where, const std::string& when, const Procedure& procedure);
  Values values(const Place* place, const Procedure& procedure,
                const std::vector<ClientValue>* arguments, const ClientValue* result,
                const ClientValue* out = nullptr) const;
  std::optional<bool> truth(Term condition, const Values& values) const;
  void add_standing(Term condition, const Values& values, std::vector<int>& into) const;
  std::vector<TrackedClientValue> updated(const Reading& reading, const Values& values,
                                          const Place* place) const;

  const Interface& interface_;
  std::vector<std::string> unreadable_; // before the module: reading that adds to it
  std::shared_ptr<const Module> module_;
  Calling calling_;
  std::optional<Conditions> conditions_;
  Judge judge_;
  std::vector<const Procedure*> procedures_;   // of calls
  std::vector<Term> letter_conditions_;        // of calls; nullptr: no letter made by hand
  std::vector<Reading> initial_, transitions_; // empty when the interface is not guarded
  std::map<std::pair<State, std::size_t>, Term> guards_; // nullptr: unreadable
};

} // namespace tacit
