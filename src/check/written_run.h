// Concrete runs as a result writes them down, brought back to the interpreter.
//
// Inputs are written as text; their types are known only when the interpreter asks for them, so a
// run is extended one input at a time. What fails says why, in words for a reader.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "component/component.h"
#include "interface/interface.h"
#include "program/ir/interpreter.h"

namespace tacit {

/// `true`, `-3`, `SIGN`, `null`, `ref(4)`; maps as `{otherwise: 0, 1: 5}` or `all(0)[1 := 5]`.
/// nullopt when the text is no value of the sort.
std::optional<Value> parse_value(std::string_view text, Sort sort);

/// Why a written run is not one of the component.
struct RunComplaint {
  std::string message, detail;
};
template <class T> using RunResult = std::expected<T, RunComplaint>;

class WrittenRuns {
public:
  /// The component outlives this.
  explicit WrittenRuns(const Component& component)
      : component_(component), interpreter_(component.module()) {}

  /// Feeds the texts to the body; all of them have to be asked for.
  RunResult<ProcedureRun> feed(const Call& call, const ConcreteState& before,
                               const std::vector<std::string>& texts) const;

  /// The outcome of a run that should return or throw.
  static RunResult<std::size_t> outcome(const Call& call, const ProcedureRun& run);

  /// Whether the variables that were written down have the values they should; else the
  /// difference.
  RunResult<void> agrees(const ConcreteState& state,
                         const std::map<std::string, std::string>& written) const;

  /// From nothing to after the constructor, which `run` names; its steps are not looked at.
  RunResult<ProcedureRun> construct(const Example& run, std::size_t constructor) const;

  /// One step from a state that is written down as a whole.
  struct Step {
    ConcreteState before;
    ProcedureRun run;
    std::size_t outcome = 0;
  };
  RunResult<Step> step(const Call& call, const std::map<std::string, std::string>& before,
                       const ExampleStep& step) const;

  /// What the client hands in, among the inputs of a call: parameters and the state that it owns.
  std::map<Term, Value, TermById> arguments(const Call& call,
                                            const std::vector<std::string>& texts) const;

  /// The index of a constructor.
  std::optional<std::size_t> constructor(const std::string& name) const;

private:
  const Component& component_;
  const Interpreter interpreter_;
};

std::string how_it_ended(const ProcedureRun& run);

} // namespace tacit
