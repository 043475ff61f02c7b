// An interface program in C or C++, for the functions that a client uses: the state of an object
// lies in the object itself, where the component would have its own. Objects are told by their type
// (a class, or the struct behind a handle); a C module is one object that everybody shares.
#pragma once

#include <set>

#include "client/end_states.h"
#include "client/events.h"
#include "client/found_objects.h"
#include "client/interface_program.h"
#include "frontend/llvm/facts/source_facts.h"
#include "frontend/llvm/lower.h"

namespace tacit {

struct CProgram : WrittenProgram {
  StandIn stand_in;
  KeptValues kept;
};

struct CProgramOptions {
  std::string record;  // the class or struct; empty: by the component's name
  bool entries = true; // functions of the client become calls; else a class has them
  EndStates end = {};  // in which objects may end
};

/// Fails, with the reason, where objects of the component cannot be followed.
Result<CProgram> write_c_program(const InterfaceProgram& program, const SourceFacts& facts,
                                 const CProgramOptions& options);

} // namespace tacit
