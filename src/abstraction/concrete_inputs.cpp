#include "abstraction/concrete_inputs.h"

#include <algorithm>

#include "program/defaults.h"

namespace tacit {

namespace {
constexpr std::size_t most_rounds = 200; // of cut loops in one run
}

std::optional<std::vector<Value>>
concrete_inputs(const Module& module, const Procedure& procedure, const BodyFormula& body,
                const ConcreteState& before,
                const std::function<Result<Value>(Term input)>& value_of) {
  std::unordered_map<Term, Value> values;
  for (std::size_t i = 0; i < module.state.size(); ++i)
    values[module.state[i].term] = before.values[i];
  for (const Variable& v : procedure.locals) values[v.term] = tacit::default_value(v.type);
  Integer next_reference = before.next_reference;
  std::vector<Value> chosen;
  auto choose = [&](const FormulaInput& input, Term target) {
    auto value = value_of(input.variable);
    if (!value) return false;
    chosen.push_back(*value);
    next_reference = std::max(next_reference, above_addresses(*value, target->sort));
    values[target] = *value;
    next_reference = std::max(next_reference, above_addresses(*value, target->sort));
    return true;
  };
  for (const FormulaInput& input : body.inputs)
    if (input.parameter && !choose(input, procedure.parameters[*input.parameter].term))
      return std::nullopt;
  const Valuation valuation = [&](Term t) { return values.at(t); };
  std::size_t at = 0, rounds = 0;
  while (true) {
    const BlockCopy& copy = body.graph->copies[at];
    const Block& block = procedure.blocks[copy.block];
    for (std::size_t i = 0; i < block.statements.size(); ++i) {
      const Statement& s = block.statements[i];
      if (s.kind == StatementKind::Assign) {
        auto value = evaluate(s.value, valuation);
        if (!value) return std::nullopt;
        values[s.target] = *value;
      } else if (s.kind == StatementKind::Havoc) {
        for (const FormulaInput& input : body.inputs)
          if (!input.parameter && !input.at_head && input.copy == at && input.statement == i &&
              !choose(input, s.target))
            return std::nullopt;
      } else if (s.kind == StatementKind::New) {
        values[s.target] = Value(next_reference++);
      }
    }
    std::size_t edge = 0;
    if (block.end.kind == TerminatorKind::Branch) {
      auto taken = evaluate(block.end.value, valuation);
      if (!taken) return std::nullopt;
      edge = taken->truth() ? 0 : 1;
    } else if (block.end.kind != TerminatorKind::Goto) {
      return chosen;
    }
    const UnrolledEdge& taken = copy.edges[edge];
    if (!taken.beyond) {
      at = taken.to;
      continue;
    }
    // A cut loop has one copy, which is walked again with the same choices.
    if (body.cuts.empty() || ++rounds > most_rounds) return std::nullopt;
    at = static_cast<std::size_t>(
        std::ranges::find(body.graph->copies, *taken.beyond, &BlockCopy::block) -
        body.graph->copies.begin());
  }
}

} // namespace tacit
