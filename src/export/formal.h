// Results for other tools: Aldebaran (`aut`), the Hanoi format (`hoa`) and State Chart XML.
//
// aut    one initial state; with several start states, a state before them whose transitions are
// the
//        constructors. Labels are in double quotes; `"`, `%` and control characters as %XX.
// hoa    each letter is a proposition, and exactly one holds at a time (an alias per letter). All
//        words of the automaton are accepted, finite ones meant: acceptance is `t`.
// scxml  events are the letters, spelt as event names: what is not a letter, digit, `-` or `_`
//        becomes `.` between outcome parts or _XX. A refused call leads to the final state
//        `refused`.
#pragma once

#include <string>

#include "interface/interface.h"

namespace tacit {

std::string show_aut(const Interface& interface);
std::string show_hoa(const Interface& interface);
std::string show_scxml(const Interface& interface);

} // namespace tacit
