// The seam between components and engines: sets of component states, and what calls do to them.
//
// A region is a set of states in some representation that only the oracle knows, named by a number:
// equal numbers mean equal sets. Engines build automata over regions (subset construction falls
// out), learners ask for words (words.h). Which arguments a client chooses and what the environment
// does are quantifiers inside errs and post, according to the component's reading of arguments
// (component.h).
//
// A new oracle must implement the pure functions; it may override the batch forms; beware that post
// is only asked for calls that do not err in the region, and that an oracle which gave up
// (failure()) may answer anything afterwards: engines poll failure() and the budget in every round.
//
//   start(constructor)        the region after it
//   errs(region, call)        some state of the region errs on the call
//   post(region, letter)      the states after the letter; empty_region when it cannot happen
//
// Threads: an oracle belongs to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "automata/dfa.h"
#include "base/budget.h"
#include "component/component.h"
#include "component/run.h"

namespace tacit {

using Region = std::uint32_t;
inline constexpr Region empty_region = 0;

/// How a region relates to the set of states that a word really reaches.
enum class Precision { Exact, Over, Under };

class Oracle {
public:
  virtual ~Oracle() = default;

  virtual const Component& component() const = 0;
  virtual Precision precision() const = 0;

  /// Empty when the constructor errs or never returns; `constructor_errs` tells which.
  virtual Region start(std::size_t constructor) = 0;
  virtual bool constructor_errs(std::size_t constructor) = 0;
  virtual bool errs(Region region, std::size_t call) = 0;
  virtual Region post(Region region, std::size_t letter) = 0;

  /// A concrete run that follows the letters and, when `errs_on` is given, errs on that call at the
  /// end.
  virtual std::optional<ConcreteRun> run_along(std::size_t constructor,
                                               const std::vector<std::size_t>& letters,
                                               std::optional<std::size_t> errs_on) = 0;
  /// A run of a constructor that errs.
  virtual std::optional<ConcreteRun> failing_constructor(std::size_t constructor) = 0;

  /// Where and how a call errs in a region that errs on it.
  virtual std::optional<ErrorSite> error_site(Region region, std::size_t call) = 0;

  /// Why the oracle can go no further, if it cannot.
  virtual std::optional<Diagnostic> failure() const = 0;

  /// Gives up, from now on, when this budget has run out in the middle of an answer. Null: never.
  virtual void watch(Budget* /*budget*/) {}
};

/// One letter taken from one state, in values.
struct LetterExample {
  ConcreteState before;
  RunStep step;
  ConcreteState after;
};

/// Oracles that can compute with regions as sets: what labels and evidence are made of.
class SetOracle : public Oracle {
public:
  /// Whether large sets are as cheap as small ones: engines then work on whole sets of states, else
  /// state by state.
  virtual bool symbolic() const = 0;
  virtual Region unite(const std::vector<Region>& regions) = 0;
  virtual Region minus(Region a, Region b) = 0;
  /// For each state of an automaton over the letters (entries are the constructors), the states of
  /// the component that some word into it reaches. Calls that err are passed over.
  virtual std::vector<Region> reachable(const Dfa& dfa);
  /// The part of a region that errs on a call.
  virtual Region erring(Region region, std::size_t call) = 0;
  /// The part of a region from which the letter can happen and lead into `into` (anywhere when not
  /// given).
  virtual Region able(Region region, std::size_t letter, std::optional<Region> into) = 0;
  /// The region as a predicate over the state variables; nullopt when that would be too large.
  virtual std::optional<Term> describe(Region region) = 0;
  virtual std::optional<LetterExample> example(Region region, std::size_t letter) = 0;
  /// How often each loop head is visited at most in one run from the region, by "call/block" (see
  /// Evidence::unwind).
  virtual std::map<std::string, std::size_t> loop_bounds() const = 0;
};

/// Oracles over finite spaces in which variables can be hidden: what abstraction by variables needs
/// ("Algorithms for Interface Synthesis", 3.3). The units that are hidden or kept, its variables,
/// are the scalars of the state (elements of maps one by one), or single bits of these.
class HidingOracle : public SetOracle {
public:
  using Kept = std::vector<bool>; // per variable

  /// From now on variables are bits: of a value less the least of its type, most significant first.
  virtual void hide_bits() = 0;
  virtual std::size_t variables() const = 0;
  virtual std::string variable_name(std::size_t variable) const = 0;
  /// Every valuation within the types, reachable or not. Representations that cannot hold it fail
  /// (failure()).
  virtual Region everything() = 0;
  /// The states that agree with some state of the region on the kept variables.
  virtual Region cylinder(Region region, const Kept& kept) = 0;
  /// The least cylinders a cylinder consists of: one per valuation of the kept variables, in a
  /// fixed order.
  virtual std::vector<Region> cubes(Region cylinder, const Kept& kept) = 0;
  /// A single state of a region that is not empty.
  virtual Region pick(Region region) = 0;
  /// The part of a region that agrees with a single state on one variable.
  virtual Region agreeing(Region region, Region state, std::size_t variable) = 0;
  virtual Region intersect(Region a, Region b) = 0;
  /// Number of states; exact up to 2^53.
  virtual double count(Region region) = 0;
};

} // namespace tacit
