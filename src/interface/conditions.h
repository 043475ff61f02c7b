// Conditions and updates of guarded interfaces (docs/semantics.md, 2.11) as terms. Whoever judges
// them reads them here: replay evaluates the terms on what a client passed and got, the checker
// proves something about them, the written forms show them.
//
// They are expressions as in `.tir` (docs/formats.md) over
//
//   a parameter's name     the parameter; also without the `.2` or `_` that told it from a field,
//                          unless a tracked value is called so
//   result                 what the call returned
//   a tracked name         a variable of that name; over_state() replaces it by its term
//   url.size, url.size(), url.length(), url.empty(), url.text
//                          facts of what an argument leads to: `R.size[url]` where `R.size` is a
//                          map of the component. Where it has no such map a variable called `.size`
//                          stands for it, which no proof can know anything about
//   x in ids, ids.add(x), ids.remove(x), ids.size(), m.get(k), m.add(k, v), {}, {a, b}
//                          of tracked sets and maps
//   size()                 the tracked value that is shown as that
//   "text"                 what a text says
//
// A set is a map to bool, a text the number that stands for its contents. A map is two: its
// elements, which mean something at its keys only, and its keys. The size of either is a variable
// of its own, since no term counts elements; an update yields all of them (UpdateTerms).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interface/interface.h"
#include "logic/term/term.h"
#include "program/ir/module.h"

namespace tacit {

/// The variables that stand for a tracked value. `keys` of maps, `size` of sets and maps, else
/// null.
struct TrackedVariables {
  Term value = nullptr, keys = nullptr, size = nullptr;
};

/// What becomes of them. One that the update says nothing about is null: it may be anything.
using UpdateTerms = TrackedVariables;

/// Keeps references to interface and module; makes terms in the module's arena.
class Conditions {
public:
  /// Fails when the type of a tracked value is none, or its name is that of a parameter.
  static Result<Conditions> of(const Interface& interface, const Module& module);

  /// In the order of Interface::tracked.
  const std::vector<TrackedVariables>& tracked() const { return tracked_; }

  /// A guard or a cell of the call, or what a constructor asks of its arguments. "" is true.
  Result<Term> condition(std::string_view text, const Procedure& procedure) const;

  /// What a tracked value becomes.
  Result<UpdateTerms> update(std::size_t tracked, std::string_view text,
                             const Procedure& procedure) const;

  /// The variable `result`; nullptr when nothing is returned.
  Term result(const Procedure& procedure) const;
  /// What was written through an out-parameter; nullptr when there is none.
  static Term out(const Procedure& procedure);

  /// Tracked variables to terms over the component's state. A size or keys without a term are left
  /// out: they stay variables that no proof can know anything about.
  Result<Substitution> over_state() const;

private:
  Conditions(const Interface& interface, const Module& module)
      : interface_(&interface), module_(&module) {}

  const Interface* interface_;
  const Module* module_;
  std::vector<TrackedVariables> tracked_;
};

/// The sort of a tracked value's type; nullptr when it is none.
Sort tracked_sort(const Module& module, std::string_view type);

/// The parameter that a name in a condition means, by its index.
std::optional<std::size_t> find_parameter(const Procedure& procedure, std::string_view name);

/// A parameter's name as the source has it, as far as that is known: without `.2` or `_`.
std::string_view source_name(std::string_view parameter);

} // namespace tacit
