// Counterexample analysis after Rivest and Schapire (Inference of Finite Automata Using
// Homing Sequences, 1993): finds the one transition that a counterexample blames.
//
// Let w be the counterexample, s_i the state of the hypothesis after i letters and u_i
// the access word of s_i. The answers of  u_i · w[i…]  start with the true answer of w
// and end with the hypothesis' answer; where they change from i to i+1, the transition
// from s_i on w[i] leads to the wrong state, and w[i+1…] is the proof. Binary search
// asks about log |w| questions, fewer where answers are known already.
#pragma once

#include <optional>

#include "learning/hypothesis.h"
#include "learning/knowledge.h"

namespace tacit {

/// access(from)·letter·suffix and access(to)·suffix have different, known answers although
/// the hypothesis leads from `from` to `to`.
struct Breakpoint {
  State from;
  Letter letter;
  State to;
  Word suffix; ///< not empty
};

/// `hypothesis` is in the learner's own numbering: its access words are words that the
/// learner trusts, each leading to its state, and its one-letter extensions are known.
/// The word should be a real counterexample. No value: stopped.
std::optional<Breakpoint> find_breakpoint(const Hypothesis& hypothesis, Word counterexample,
                                          Knowledge& knowledge);

} // namespace tacit
