// "Permissive Interfaces" (Henzinger, Jhala, Majumdar), Algorithm 2: is a given interface safe and
// permissive?
//
//   safe         the safety abstraction, run along the interface, meets no error; a word on which
//   it
//                does is an objection when the component errs there, and else teaches predicates
//   permissive   the permissiveness abstraction shows that every refused call errs; a word on which
//                it does not is an objection when it can happen and the call cannot err behind it
//
// Unlike the engine `permissive`, the automaton stays what it is: what does not fit it is said with
// a word and a run, and never repaired.
#pragma once

#include "abstraction/formula/trace.h"
#include "synthesis/protocol/engine.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

/// Why the interface is not what it should be.
struct Objection {
  enum class Kind {
    Errs,       // it allows a call that errs
    Legal,      // it refuses a call that cannot err
    Unforeseen, // an allowed call can have an outcome that leads nowhere
    Maker,      // it refuses a constructor that cannot err
  };
  Kind kind = Kind::Errs;
  Trace word;
  bool shortest = true; // no shorter word is wrong in this way
  /// Of the word, with the error at its end (Errs) or with the call that works (Legal).
  std::optional<Example> run = std::nullopt;
  std::string error = {}, at = {}; // Errs
};

struct GivenProof {
  std::optional<Objection> objection;
  /// Without an objection: the interface with its evidence, where it is known to be safe.
  std::optional<Synthesis> synthesis;
  std::string open; // why it is not
};

Result<GivenProof> prove_given(const Component& component, const Protocol& given,
                               const SynthesisOptions& options, Budget& budget);

} // namespace tacit
