// What a person sees of a result in a terminal.
//
//   Lock (tir), engine permissive
//
//   2 states, proved safe, permissive and full under 1 assumption.
//
//   Starts
//     Lock → 0
//
//   States
//     0  !held
//        lock:returns=true → 1
//        lock:returns=false ↺
//     1  held
//        unlock → 0
//   …
#pragma once

#include <cstddef>
#include <string>

#include "interface/interface.h"

namespace tacit {

struct TextOptions {
  std::size_t width = 80;
  std::size_t max_states = 60;      // beyond, figures take the place of the tables
  std::size_t max_expression = 240; // bytes of a regular expression
  bool all_assumptions = false;     // one by one, where some are one line
};

std::string show_text(const Interface& interface, const TextOptions& options = {});

/// "3 states, proved safe, permissive and full under 2 assumptions."
std::string verdict_sentence(const Interface& interface);

} // namespace tacit
