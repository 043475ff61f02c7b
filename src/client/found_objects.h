// Objects of a client in C or C++ that are neither locals nor handed to it: it finds them in
// memory, behind pointers and in structs, or they are its globals. What the interface program keeps
// of them lies in field maps and in variables of the lowered module.
#pragma once

#include <set>
#include <string>

#include "program/ir/module.h"

namespace tacit {

struct Touched {
  bool in_memory = false;
  std::set<std::string> globals; // variables that hold the state of one
};

/// What these procedures read or write of such objects.
Touched touched_objects(const Module& module, const std::set<std::string>& procedures);

} // namespace tacit
