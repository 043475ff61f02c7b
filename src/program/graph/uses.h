// Which variables code mentions: the walk over terms that analyses and passes have in common.
#pragma once

#include <functional>
#include <unordered_set>

#include "program/ir/module.h"

namespace tacit {

using VariableSet = std::unordered_set<Term>;

/// Adds the variables of a term; null has none.
void add_variables(VariableSet& set, Term term);

/// All of a term's variables are in the set.
bool all_in(const VariableSet& set, Term term);

/// Calls `see(value, target)` for each term that the procedure's blocks read: with the variable
/// that an assignment writes it to, or null where it is a condition, an argument or a way out.
template <class See> void each_read(const Procedure& procedure, const See& see) {
  for (const Block& block : procedure.blocks) {
    for (const Statement& s : block.statements)
      if (s.value) see(s.value, s.target);
    if (block.end.value) see(block.end.value, Term(nullptr));
    for (const Term argument : block.end.arguments) see(argument, Term(nullptr));
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

/// Drops all other state variables, and their fields from the records. Nothing should mention them.
void keep_state(Module& module, const std::function<bool(const StateVariable&)>& wanted);

} // namespace tacit
