// Which variable of the decision diagrams stands for which bit.
//
// A scalar with n values takes ceil(log2 n) bits for value - low, once for the state before a call
// (current) and once for the state after it (next), side by side. Inputs of bodies (choices) take
// bits from a pool that all bodies share.
//
// Order, which decides how large diagrams become: narrow scalars first, one after the other, then
// narrow choices; then the wide ones bit by bit, most significant first, so that `cursor' = index +
// 1` or `last < size` stay linear in the number of bits. Elements of maps that have more elements
// than these have values follow one after the other instead: a search compares all of them with one
// value, and bit by bit it would have to remember which of them still agree. A havoc in a loop has
// a few planned places; further rounds get bits at the very end, as many as needed.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "component/run.h"
#include "finite/bdd/diagram.h"
#include "finite/bdd/number.h"
#include "finite/shape.h"

namespace tacit {

using Bits = std::vector<std::size_t>; // variables, least significant first

/// Where an input is asked for: a parameter, or a statement of a block.
struct ChoicePlace {
  static constexpr BlockId parameters = ~BlockId{0};
  BlockId block = parameters;
  std::size_t index = 0;
  auto operator<=>(const ChoicePlace&) const = default;
};

class Encoding {
public:
  /// Fails when a scalar of the state or a choice has no finite range of at most 2^60 values.
  static Result<std::unique_ptr<Encoding>> create(const Component& component,
                                                  std::shared_ptr<BddSession> session);

  const Component& component() const { return component_; }
  const std::vector<Slot>& slots() const { return slots_; }
  const Bits& current(std::size_t slot) const { return current_[slot]; }
  const Bits& next(std::size_t slot) const { return next_[slot]; }

  /// All valuations within the types.
  const Bdd& valid_states() const { return valid_states_; }
  Bdd valid_slot(std::size_t slot) const { return below(current_[slot], slots_[slot].size); }
  /// value - low < size.
  static Bdd below(const Bits& bits, std::uint64_t size);
  static Number number(const Bits& bits, Integer low);
  static Bdd code_is(const Bits& bits, std::uint64_t code);

  /// Bits for the scalars of an input, for the n-th time (from 0) that a body comes to the place.
  std::vector<Bits> choice(std::size_t procedure, ChoicePlace place, std::size_t visit,
                           const Type& type);
  /// How many bits beyond the planned ones a body has asked for.
  std::size_t extra_bits(std::size_t procedure) const { return extra_used_[procedure]; }

  /// Values of slots less their lows.
  using Codes = std::vector<std::uint64_t>;
  Bdd state(const Codes& codes) const;
  /// The least state of a set that is not empty, comparing slot by slot.
  Codes least(const Bdd& states) const;
  ConcreteState concrete(const Codes& codes) const;
  Codes codes(const ConcreteState& state) const;
  /// Sets the current bits of an assignment.
  void assign(const Codes& codes, std::vector<bool>& assignment) const;

private:
  Encoding(const Component& component, std::shared_ptr<BddSession> session)
      : component_(component), session_(std::move(session)) {}
  Result<void> plan_choices();
  void lay_out();

  const Component& component_;
  std::shared_ptr<BddSession> session_; // outlives the diagrams below
  std::vector<Slot> slots_;
  std::vector<Bits> current_, next_;
  Bdd valid_states_;
  /// Per procedure: places to columns of the pool, per visit and scalar.
  std::vector<std::map<ChoicePlace, std::vector<std::vector<std::size_t>>>> planned_;
  std::vector<std::size_t> column_width_;
  std::vector<Bits> column_;
  std::size_t planned_bits_ = 0;
  std::vector<std::size_t> extra_used_; // bits beyond the planned ones, per procedure
};

/// The least assignment of the variables, taken in order, that satisfies a diagram which is not
/// false; others in the diagram are ignored. Indexed by variable.
std::vector<bool> least_assignment(Bdd set, const Bits& order);

/// The value of a diagram under an assignment; variables beyond its end are false.
bool holds(const Bdd& diagram, const std::vector<bool>& assignment);

} // namespace tacit
