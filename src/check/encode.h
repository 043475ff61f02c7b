// One call as formulas: all its runs in one pass over the body, values merged where paths meet
// (large-block encoding).
//
// Variables before the call are the erased state variables (erasure.h). Each input becomes a
// constant of its own, a *choice*, tagged by who makes it; given the state and all choices, the run
// is determined. Loops are unrolled up to bounds that the evidence names (unroll.h); runs that go
// further end in exits of kind Beyond. A loop without a bound is cut at its head from above: what
// it writes has any value there that satisfies the invariant in the evidence, if there is one. That
// the invariant holds whenever the head is met is an obligation of its own.
//
// Addresses are numbers. A body that allocates has a ghost choice `fresh`, the next address when it
// is entered: some number above all references there are, since anything may have been allocated
// outside before.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "check/erasure.h"
#include "check/facts.h"
#include "component/component.h"

namespace tacit {

struct Choice {
  Term term = nullptr; // erased
  Type type;
  Chooser chooser = Chooser::Client;
  std::string name;      // of the variable that receives it
  Term target = nullptr; // that variable, not erased; null for the next address
  Term below = nullptr;  // references: the next fresh address when the choice is made; null when
                         // nothing is allocated
};

struct Exit {
  enum class Kind { Error, Outcome, Beyond };

  Kind kind = Kind::Outcome;
  std::size_t outcome = 0;  // Outcome: of the component
  bool rejecting = false;   // Outcome
  bool returned = false;    // Outcome: by return, not by an exception
  bool environment = false; // Outcome: a failure of an opaque callee, or one translated from it
  Term condition = nullptr; // over state and choices: this exit is taken
  std::vector<Term> after;  // Outcome: per state variable
  Term value = nullptr;     // Outcome: what is returned; null when that is nothing
  std::string error;        // Error
  std::string procedure;    // Error: where it stood before inlining
  Location where;
  BlockId head = 0; // Beyond
};

/// At the head of a loop that has an invariant: it must hold on this way.
struct LoopObligation {
  BlockId head = 0;
  bool again = false;       // after a round; else from outside
  Term condition = nullptr; // over state and choices: this way is taken
  Term invariant = nullptr; // with the values on this way put in
};

enum class EncodingSide { Upper, Lower };

struct BodyEncoding {
  std::vector<Choice> choices;
  Term fresh = nullptr; // among the choices as one of the client; null when nothing is allocated
  std::vector<Exit> exits;
  Term blocked = nullptr;                 // over state and choices: an `assume` ends the run
  std::vector<BlockId> unbounded;         // loop heads without a bound: the sides differ
  std::vector<LoopObligation> invariants; // upper only
};

/// What the encodings of one check share.
class Encoder {
public:
  /// Invariants of loop heads by "call/block", not erased.
  using Invariants = std::map<std::string, Term>;

  /// `unwind` and `followed` (may be null) as in Evidence. All should outlive the encoder.
  Encoder(const Component& component, Erasure& erasure,
          const std::map<std::string, std::size_t>& unwind, const Invariants& invariants,
          const std::map<std::string, std::size_t>* followed = nullptr);

  /// Fails with the reason when the body cannot be put into formulas. The client's choices are the
  /// same terms on both sides.
  Result<BodyEncoding> encode(const Call& call, EncodingSide side);

  /// The erased state variables, in the module's order.
  const std::vector<Term>& state() const { return state_; }

private:
  friend class BodyEncoder;

  const Component& component_;
  Erasure& erasure_;
  const std::map<std::string, std::size_t>& unwind_;
  const std::map<std::string, std::size_t>* followed_;
  const Invariants& invariants_;
  std::vector<Term> state_;
  std::string prefix_; // no state variable's name starts with it
};

} // namespace tacit
