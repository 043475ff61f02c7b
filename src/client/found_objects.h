// Objects of a client in C or C++ that are neither locals nor handed to it: it finds them in
// memory, behind pointers and in structs, or they are its globals. What the interface program keeps
// of them lies in field maps and in variables of the lowered module.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "client/events.h"
#include "program/ir/module.h"

namespace tacit {

struct Touched {
  /// The parts of records in which they lie, `file.s` and `tacit_object`: what is kept of one part
  /// says nothing of another, although a pointer may lead to the same object.
  std::set<std::string> in_memory;
  std::set<std::string> globals; // variables that hold the state of one
};

/// What these procedures read or write of such objects.
Touched touched_objects(const Module& module, const std::set<std::string>& procedures);

/// What lies in objects (object_layout.h).
struct KeptValues {
  std::vector<long> states; // by state of the interface
  long mark = 0;
};

/// Functions that are handed no objects and find some are entered again, once for each state in
/// which all that they find may be: their procedures are copied, what is known of memory is set
/// where a copy begins, and of new memory nothing is known. Returns the program with these
/// functions and entries alone; only the given functions, as they are shown, are looked at.
WrittenProgram enter_with_found(Module& module, const WrittenProgram& program,
                                const KeptValues& kept, const std::set<std::string>& functions);

} // namespace tacit
