// From client sources and a result to verdicts: which front end lowers them, and how the classes of
// the client are looked at.
#pragma once

#include <string>
#include <vector>

#include "client/conformance.h"

namespace tacit {

struct ClientSources {
  std::vector<std::string> files;
  std::vector<std::string> flags; // for the compiler of C and C++
  std::string record;             // the component's class or struct; empty: by its name
  double seconds = 20;            // for each function
  /// States in which objects may end, or calls that are wanted before; C and C++ only.
  std::vector<std::string> must_end = {};
  bool proofs = false; // keep what proves that functions follow
};

Result<ClientReport> check_client(const Interface& interface, const ClientSources& sources);

/// Client and interface program as one component; for people who want to see it.
Result<Module> joined_module(const Interface& interface, const ClientSources& sources);

} // namespace tacit
