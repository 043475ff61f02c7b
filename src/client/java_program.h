// An interface program as contracts (docs/contracts.md) for the methods of a Java class: the state
// of an object is kept beside it, `component.state`.
#pragma once

#include "client/events.h"
#include "client/interface_program.h"
#include "frontend/java/lower.h"

namespace tacit {

struct JavaProgram : WrittenProgram {
  std::vector<std::pair<std::string, java::LowerOptions::Kept>> kept;
};

/// `class_name` is dotted.
Result<JavaProgram> write_java_program(const InterfaceProgram& program, java::ClassPool& pool,
                                       const std::string& class_name);

/// The error that contracts raise for a call that is refused.
inline constexpr const char* java_refusal = "refused";

/// Calls that are handed objects of the component are judged in each state of these: a copy of the
/// call for each is added to the module, and an entry for it to the functions of the program.
/// `handed` are the indices of such parameters, by call.
void add_java_entries(Module& module, JavaProgram& program, const Interface& interface,
                      const std::map<std::string, std::vector<std::size_t>>& handed);

} // namespace tacit
