#include "abstraction/formula/concrete_inputs.h"

#include <algorithm>

#include "program/ir/defaults.h"

namespace tacit {

namespace {
constexpr std::size_t most_cut_loops = 200; // of cut loops in one run
}

Value within(const Type& type, const Value& value) {
  if (!value.map) return contains(type, value) ? value : default_value(type);
  MapValue kept{within(*type.value, value.map->otherwise), {}};
  for (const auto& [key, element] : value.map->entries)
    if (const Value inside = within(*type.value, element); !(inside == kept.otherwise))
      kept.entries.emplace(key, inside);
  Value made;
  made.map = std::make_shared<const MapValue>(std::move(kept));
  return made;
}

Value Addresses::renamed(const Value& value, Sort sort) const {
  const auto name = [&](Integer address) {
    const auto known = actual_.find(address);
    return known == actual_.end() ? address : known->second;
  };
  if (sort->kind == SortKind::Ref) return Value(name(value.number));
  if (sort->kind != SortKind::Map) return value;
  MapValue made{renamed(value.map->otherwise, sort->value), {}};
  for (const auto& [key, element] : value.map->entries)
    if (const Value there = renamed(element, sort->value); !(there == made.otherwise))
      made.entries.insert_or_assign(sort->key->kind == SortKind::Ref ? name(key) : key, there);
  Value all;
  all.map = std::make_shared<const MapValue>(std::move(made));
  return all;
}

std::optional<std::vector<Value>>
concrete_inputs(const Module& module, const Procedure& procedure, const BodyFormula& body,
                const ConcreteState& before, Addresses& addresses,
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
    // Elements that nobody looks at may be out of their range.
    if (input.type.value) *value = within(input.type, *value);
    *value = addresses.renamed(*value, target->sort);
    chosen.push_back(*value);
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
        for (const FormulaInput& input : body.inputs)
          if (input.fresh && input.copy == at && input.statement == i)
            if (const auto model = value_of(input.variable))
              addresses.took(model->number, next_reference);
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
    if (body.cuts.empty() || ++rounds > most_cut_loops) return std::nullopt;
    at = static_cast<std::size_t>(
        std::ranges::find(body.graph->copies, *taken.beyond, &BlockCopy::block) -
        body.graph->copies.begin());
  }
}

} // namespace tacit
