// Bodies compiled for fast enumeration of their runs: variables are slots of 64-bit integers, maps
// over finite keys are ranges of slots, expressions are flat trees. Only components whose choices
// are finite can be compiled; the state may hold integers without bounds, as long as only finitely
// many states are reachable.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "component/component.h"
#include "component/run.h"
#include "finite/shape.h"

namespace tacit {

using Frame = std::vector<std::int64_t>;

/// How one run ended.
struct RunExit {
  bool error = false;
  bool rejecting = false;
  std::size_t outcome = 0;
  const Terminator* end = nullptr;
};

struct CompiledBody;

class CompiledComponent {
public:
  ~CompiledComponent();

  /// Fails when some choice, or a state variable without initial value, has no finite type.
  static Result<std::unique_ptr<CompiledComponent>> compile(const Component& component);

  const Component& component() const { return component_; }
  const std::vector<Slot>& slots() const { return slots_; }

  using InitialVisitor = std::function<void(const Frame&, const std::vector<Value>& inputs)>;
  /// Every state before the constructors, with the values of the uninitialised variables. Fails
  /// when there are too many.
  Result<void> for_each_initial(const InitialVisitor& visit) const;

  using RunVisitor = std::function<void(const RunExit&, const Frame& after)>;
  /// Every run of a body from a state, grouped by the client's choices: `argument` is called before
  /// the runs of each combination of them. Stops early and returns false when `argument` says so.
  /// Inputs of the run being visited are in inputs(). Fails on overflow, an index outside of a map,
  /// or a run that does not end.
  Result<void> for_each_run(std::size_t procedure, const Frame& state,
                            const std::function<bool()>& argument, const RunVisitor& visit);
  std::vector<Value> inputs() const;

  /// For each block on a cycle, how often one run has visited it at most, by "call/block".
  std::map<std::string, std::size_t> loop_bounds() const;

  ConcreteState concrete(const Frame& state) const;
  /// Only the state slots of the frame are read.
  std::string describe(const Frame& state) const;

private:
  explicit CompiledComponent(const Component& component);

  const Component& component_;
  std::vector<Slot> slots_;
  std::vector<std::size_t> first_slot_; // per state variable
  std::vector<std::unique_ptr<CompiledBody>> bodies_;
  std::vector<std::pair<const Type*, Frame>> chosen_; // inputs of the current run
};

} // namespace tacit
