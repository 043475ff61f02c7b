// Written forms of a result that are programs: the component that *is* the interface, in `.tir` and
// in C, and a header that keeps clients in C++ to it. They need the component's signatures and
// terms (interface_program.h), which the forms of export/ do not.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "interface/interface.h"

namespace tacit {

struct ProgramForm {
  std::string_view name;
  std::string_view description;
  Result<std::string> (*write)(const Interface& interface);
};

std::span<const ProgramForm> program_forms();
/// Null when there is none of that name.
const ProgramForm* find_program_form(std::string_view name);

/// Its state is the interface's state with the tracked values; calls that are refused err, and the
/// environment picks one of the outcomes. Synthesising it gives the interface again. Fails where a
/// condition speaks of what the text form cannot say: facts of arguments, sets and maps.
Result<std::string> show_program_tir(const Interface& interface);

/// The same in C: functions on a struct. Fails besides where calls have no names of C or throw.
Result<std::string> show_program_c(const Interface& interface);

/// A C++20 header: a move-only wrapper around an object whose type says in which state it is. A
/// call that the state refuses does not compile, with a message that names both; guards are checked
/// when the client runs, and one that fails tells the calls that led there.
Result<std::string> show_typestate(const Interface& interface);

} // namespace tacit
