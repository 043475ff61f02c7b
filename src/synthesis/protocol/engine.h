// Engines: from a component to an interface. A new engine is a pair of files and a line in
// engines.cpp.
//
// It must give an interface whose claims are supported by evidence that check/ accepts (finish.h
// makes both from an automaton and an exact oracle); it may stop when the budget runs out and then
// return what it has, unsettled; beware of claiming `proved` for anything the finishing pass did
// not label.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abstraction/formula/written_predicates.h"
#include "base/budget.h"
#include "base/story.h"
#include "component/component.h"
#include "interface/interface.h"
#include "learning/learner.h"

namespace tacit {

/// How finite state spaces are held.
enum class Representation { Explicit, Bdd };

/// How the engine `maymust` learns predicates, and whether it learns the interface anew each time
/// (synthesis/predicate/maymust.h).
enum class Refinement { Wp, WpCraig, RefineMay, LearnReuse };
/// With the paper's names.
inline constexpr std::pair<Refinement, const char*> refinements[] = {
    {Refinement::Wp, "wp"},
    {Refinement::WpCraig, "wp+craig"},
    {Refinement::RefineMay, "refine-may"},
    {Refinement::LearnReuse, "learn-reuse"}};

struct SynthesisOptions {
  bool serial = false;
  bool full = false; // look for a full interface, not only a permissive one
  Representation representation = Representation::Explicit;
  bool hide_bits = false; // `cegar`: single bits of numbers and enumerations, not these as a whole
  std::optional<LearnerKind> learner; // none: what suits the engine
  Refinement refinement = Refinement::LearnReuse;
  /// An older result for a component like this one, to start from; may be null.
  std::shared_ptr<const Interface> seed;
  WrittenPredicates predicates; // that the user gave for this component
  /// Of the predicates: states that differ in one stay apart although they allow the same calls.
  std::vector<Term> apart;
  std::vector<std::string> must_allow; // words that should be legal
  /// Letters speak of values that the client follows: what these rule out is no matter of states
  /// (synthesis/alphabet/merge.h).
  bool followed = false;
  /// Letters are parts of calls: that each of their outcomes can happen is nobody's claim.
  bool of_parts = false;
  Story story;
};

struct Synthesis {
  Interface interface;
  bool settled = true; // false: the budget ran out or a claim stayed open
};

/// What only some engines take; all take `serial`.
enum class EngineOption {
  Full,
  Representation,
  Bits,
  Learner,
  Refinement,
  Seed,
  Predicates,
  MustAllow
};

/// A named engine; `run` fails with a reason when the component is not of the kind it handles.
struct Engine {
  std::string name;
  std::string description;
  Result<Synthesis> (*run)(const Component&, const SynthesisOptions&, Budget&);
  /// Of the options, what makes a difference to it; to give it others is an error of the caller.
  std::vector<EngineOption> options;
  /// The engine that should look at coarser views of lowered code first; empty: none.
  std::string coarse = {};

  bool takes(EngineOption option) const {
    return std::ranges::find(options, option) != options.end();
  }
};

/// With the limits of the budget where the run of a part of it says why it was not finished.
Synthesis in_terms_of(const Budget& budget, Synthesis result);

/// Whether it was for want of time, memory or queries that something stayed open.
bool ran_out(const Synthesis& result);

} // namespace tacit
