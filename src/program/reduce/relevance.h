// Drops, before callees are copied into their callers, the code that cannot bear on what a client
// sees: assignments whose values reach no outcome, error or exception, branches on which nothing
// else depends, calls without effect of interest. A library's protocol is a few fields of its
// state; the data that it works on, and the loops over them, are most of its code.
//
// A backward slice across calls (program/graph/dependence.h). Unlike slice.h it follows control: a
// condition counts only if something that counts depends on it. The sinks are errors, exceptions,
// what methods return, and chosen state. What is dropped is taken to come to its end and to keep
// its own checks (runs that would hang or be stopped there go on), and the caller is told so.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct RelevanceOptions {
  std::set<std::string> state; // variables that matter in themselves
  bool errors = true;          // `error` terminators count; otherwise they are runs that do not end
  bool returned = true;        // the values that methods and constructors return count
};

/// Rewrites all procedures that methods and constructors reach. Externs should have bodies. Whether
/// loops or checks were dropped, which is an assumption.
bool keep_relevant(Module& module, const RelevanceOptions& options);

/// How intricate a body would be with its callees copied into it.
struct InlinedSize {
  std::size_t blocks = 0;
  std::size_t loops = 0;
};

struct SummaryLimits {
  std::size_t blocks = 400;
  std::size_t loops = 8;
};

/// Where something would be larger than the limits: drops what is irrelevant, and replaces callees
/// that are still too large by summaries of their effects (effects.h), callees before their
/// callers. A module that is small enough stays as it is. Returns what to tell.
std::vector<std::string> summarise_intricate(Module& module, const RelevanceOptions& options,
                                             const SummaryLimits& limits);

} // namespace tacit
