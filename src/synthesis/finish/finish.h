// The one finishing pass of all engines: minimise, number canonically, merge outcomes, label, find
// shortest words and example runs for every refusal, build the evidence, prune when asked to.
#pragma once

#include "base/story.h"
#include "interface/interface.h"
#include "oracle/oracle.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

/// A refused call behind a word that leads to both states that err and states that do not, by what
/// the engine knows.
struct DisputedCall {
  State state = 0;
  std::size_t constructor = 0;
  std::vector<std::size_t> letters;
  std::size_t call = 0;
};

struct FinishOptions {
  std::string engine;
  bool serial = false;
  std::size_t size_limit = 10'000; // states beyond which labels, examples and evidence are left out
  Story story;
  Verdict verdict; // what the engine claims
  /// A region per state of the protocol, if the engine has them: sites of errors are then known at
  /// any size.
  const std::vector<Region>* regions = nullptr;
  /// Whose two runs are looked for, beside those of refusals that must-nodes show.
  std::vector<DisputedCall> disputed;
};

/// Where labels and evidence come from. Asked about the minimal automaton; what it numbers are that
/// one's states.
class Labeller {
public:
  virtual ~Labeller() = default;
  /// Fills the labels and the evidence of an interface whose automaton stands. False when they are
  /// too large, or cannot be found; nothing is then claimed for them.
  virtual bool label(Interface& interface, const Protocol& protocol) = 0;
  /// Labels for show only, of what pruning left.
  virtual void label_pruned(Interface& interface, const Protocol& protocol) = 0;
  /// A step by the letter from some state of the label; asked after label() only.
  virtual std::optional<LetterExample> example(State state, std::size_t letter) = 0;
  /// Where a call errs that the proof says does, of a state of the automaton before pruning; asked
  /// where no run is looked for.
  virtual std::optional<ErrorSite> error_site(State /*state*/, std::size_t /*call*/) {
    return std::nullopt;
  }
};

/// `protocol` is what the engine found; the oracle is asked for runs and sites.
Interface finish(const Protocol& protocol, Oracle& oracle, Labeller& labeller,
                 const FinishOptions& options);
/// With labels from the sets that an exact oracle reaches.
Interface finish(const Protocol& protocol, SetOracle& oracle, const FinishOptions& options);

} // namespace tacit
