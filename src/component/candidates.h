// What could count as an error, for somebody who has not said it, or has said what cannot happen:
// the exceptions that own code raises, the constants that methods return, by the conditions they
// are returned under, failing asserts, and functions that do not come back.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "program/ir/module.h"

namespace tacit {

struct ErrorCandidate {
  std::string spec;               // as `--error` takes it: `returns:E_STATE`
  std::set<Location> sites;       // without columns
  std::set<std::string> calls;    // the procedures that they are in
  std::vector<std::string> shown; // of some sites: `E_STATE in open when is_open != 0 (port.c:47)`
  int rank = 0;                   // the likelier ones have a lower rank
};

/// Ranked: codes and exceptions whose names or conditions speak of the state come first.
std::vector<ErrorCandidate> error_candidates(const Module& module);

/// The exceptions that own code throws, and those that a library function raises because own code
/// misused it.
std::set<std::string> raised_exceptions(const Module& module);

/// Functions that look as if they made the component, `x_new`, `x_create`, `x_init`, and are among
/// its calls or were left out.
std::vector<std::string> constructor_candidates(const Module& module);

} // namespace tacit
