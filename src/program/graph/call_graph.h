// Who calls whom, and in which order callees come before their callers.
#pragma once

#include <cstddef>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

/// Procedures are numbered as in the module.
struct CallGraph {
  std::vector<std::vector<std::size_t>> callees;   // without duplicates, in order of first call
  std::vector<std::vector<std::size_t>> bottom_up; // strongly connected components, callees first
  std::vector<bool> recursive;                     // may call itself, directly or not
};

CallGraph call_graph(const Module& module);

/// For each block, whether it can be run again after itself.
std::vector<bool> blocks_in_cycles(const Procedure& procedure);

/// What clients call.
bool is_root(const Procedure& procedure);

/// By procedure: whether clients can get to it.
std::vector<bool> reached(const Module& module, const CallGraph& graph);

void drop_unreached(Module& module);

} // namespace tacit
