// Bodies executed for all states and choices at once.
//
// Blocks are executed in a weak topological order (Bourdoncle 1993): every way into a block is
// joined before the block runs, loops go round until no path does, and what lies behind a loop
// waits for all its rounds. A path is a condition over the bits before the call and of the choices;
// joined values are conditionals over path conditions. Every exit is thus met once, with the values
// of the state as functions.
//
// The rounds are kept as a graph of visits without cycles, so that a concrete run can be walked
// along them: that is how the values that satisfy a path become the inputs that the interpreter
// wants, in its order.
#pragma once

#include <string>
#include <vector>

#include "finite/bdd/encoding.h"

namespace tacit {

/// A scalar of the state that a path may change, with the bits of its value afterwards.
struct WrittenSlot {
  std::size_t slot = 0;
  std::vector<Bdd> after;
};

/// All runs that end in one terminator.
struct BodyExit {
  const Terminator* end = nullptr;
  Bdd path; // over current and choice bits
  std::vector<WrittenSlot> written;
};

/// Runs that cannot be followed: an index outside of a map, a number beyond 64 bits, a loop without
/// end.
struct BodyFailure {
  Bdd path;
  std::string reason;
};

class SymbolicBody {
public:
  /// Throws BddGaveUp.
  static SymbolicBody execute(Encoding& encoding, std::size_t procedure);

  const std::vector<BodyExit>& exits() const { return exits_; }
  const std::vector<BodyFailure>& failures() const { return failures_; }
  const Bits& client_bits() const {
    return client_bits_;
  } // parameters, the client's havocs at the entry
  const Bits& environment_bits() const { return environment_bits_; } // all other choices
  /// All choices in the order in which they come up, most significant bit first.
  Bits choice_order() const;
  /// How often each block on a cycle was executed.
  std::vector<std::pair<BlockId, std::size_t>> rounds() const;

  /// The inputs of the run that an assignment of current and choice bits stands for, in the order
  /// in which they are asked for. The assignment must satisfy the path of an exit.
  std::vector<Value> inputs(const std::vector<bool>& assignment) const;

private:
  friend class BodyExecutor;
  struct Choice {
    const Type* type = nullptr;
    std::vector<Bits> scalars;
  };
  struct Visit {
    static constexpr std::size_t none = ~std::size_t{0};
    BlockId block = 0;
    std::vector<std::size_t> choices; // of its havocs, in order
    Bdd condition;                    // of a branch
    std::size_t next = none, other = none;
  };
  Value chosen(const Choice& choice, const std::vector<bool>& assignment) const;

  const Procedure* procedure_ = nullptr;
  std::vector<BodyExit> exits_;
  std::vector<BodyFailure> failures_;
  Bits client_bits_, environment_bits_;
  std::vector<Choice> choices_;       // the parameters first
  std::vector<Visit> visits_;         // the entry first
  std::vector<std::size_t> executed_; // per block
  std::vector<bool> cyclic_;
};

} // namespace tacit
