// What a procedure may do, computed bottom-up over the call graph: a fixpoint, so recursion needs
// no special case.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct Effects {
  std::set<std::string> reads; // state variables
  std::set<std::string> writes;
  std::set<std::string> throws; // exceptions that may leave it
  std::set<std::string>
      failures; // those of them that own code never throws: opaque callees alone fail with them
  std::set<std::string> errors; // names of error statements it may reach
  bool returns = false;         // some path reaches a return
  bool allocates = false;
};

/// One entry per procedure of the module, in order.
std::vector<Effects> effects(const Module& module);

/// A procedure with the same signature that over-approximates `procedure` by its effects: every
/// written variable and the result become Unknown, and so does the way it ends.
Procedure summary(const Module& module, const Procedure& procedure, const Effects& effects);

} // namespace tacit
