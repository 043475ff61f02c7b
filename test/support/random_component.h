// Random finite components as a small tree that prints to `.tir`, so that a failure can be shown,
// kept, and shrunk by deleting parts of the tree. The same seed gives the same component on every
// machine: only the generator's bits are used, no distributions of the standard library.
//
// What is generated need not make sense after shrinking; a candidate that does not read or build is
// simply not taken.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "component/component.h"

namespace tacit {

struct RandomPiece;

/// `text` alone for a simple statement; otherwise pieces, each a head and a body: `if (c) {…} else
/// {…}`, `while (c) {…}`, `try {…} catch (X e) {…}`. A switch wraps its pieces (cases) in braces
/// after `text`.
struct RandomStatement {
  std::string text;
  std::vector<RandomPiece> pieces;
  bool wraps = false;
};

struct RandomPiece {
  std::string head;
  std::vector<RandomStatement> body;
};

struct RandomProcedure {
  std::string kind; // method, constructor, procedure, extern
  std::string name;
  std::vector<std::string> parameters; // `a : bool`
  std::string returns;                 // a type, or empty
  std::vector<std::string> locals;     // `n : int [0..3]`, with or without `= e`
  std::vector<RandomStatement> body;
};

struct RandomComponent {
  std::uint64_t seed = 0;
  std::vector<std::string>
      items; // enumerations, exceptions, state, externs by clauses: a line each
  std::vector<RandomProcedure> procedures;
  ComponentOptions options;
  bool serial = false;

  std::string tir() const;
  /// `--arguments angelic --blind m0 --serial`.
  std::string options_text() const;
};

struct RandomKnobs {
  bool nondeterministic = true; // havoc, if (*), externs, uninitialised state
  bool bounded_state = true;    // every state variable has a finite type
  bool constructors = true;
  bool compare_maps = true; // s == all(0)
};

/// Knobs follow from the seed too: about a third of the components are deterministic, a few have an
/// unbounded integer.
RandomComponent random_component(std::uint64_t seed);
RandomComponent random_component(std::uint64_t seed, const RandomKnobs& knobs);

/// Deletes parts as long as `fails` still holds; `fails` must hold for the argument.
RandomComponent shrink(RandomComponent component,
                       const std::function<bool(const RandomComponent&)>& fails,
                       std::size_t max_attempts = 3000);

} // namespace tacit
