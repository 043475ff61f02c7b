// Which variables code mentions: the walk over terms that analyses and passes have in common.
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <unordered_set>

#include "program/ir/module.h"

namespace tacit {

using VariableSet = std::unordered_set<Term>;

/// Adds the variables of a term; null has none.
void add_variables(VariableSet& set, Term term);

/// Calls `see(value, target)` for each term that the procedure's blocks read: with the variable
/// that an assignment writes it to, or null where it is a condition, an argument or a way out. In a
/// procedure that is not const the values may be replaced.
template <class AnyProcedure, class See>
  requires std::same_as<std::remove_const_t<AnyProcedure>, Procedure>
void each_read(AnyProcedure& procedure, const See& see) {
  for (auto& block : procedure.blocks) {
    for (auto& s : block.statements)
      if (s.value) see(s.value, s.target);
    if (block.end.value) see(block.end.value, Term(nullptr));
    for (auto& argument : block.end.arguments) see(argument, Term(nullptr));
  }
  // The client reads it; nothing can stand in its place.
  if (const Variable* out = procedure.out_variable()) {
    Term read = out->term;
    see(read, Term(nullptr));
  }
}

/// Calls `see(target, value)` for each write of the procedure's blocks; the value is null unless it
/// is an assignment's.
template <class See> void each_write(const Procedure& procedure, const See& see) {
  for (const Block& block : procedure.blocks) {
    for (const Statement& s : block.statements)
      if (s.target) see(s.target, s.value);
    if (block.end.result) see(block.end.result, Term(nullptr));
    for (const Handler& handler : block.end.handlers)
      if (handler.binder) see(handler.binder, Term(nullptr));
  }
}

/// What the blocks read or write.
VariableSet mentioned(const Procedure& procedure);

/// Drops locals that the blocks do not mention.
void drop_unused_locals(Procedure& procedure);

/// Drops all other state variables, and their fields from the records. Nothing should mention them.
void keep_state(Module& module, const std::function<bool(const StateVariable&)>& wanted);
/// Drops fields of records whose state variable is gone.
void drop_lost_fields(Module& module);

} // namespace tacit
