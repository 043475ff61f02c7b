#include "client/traced_run.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "check/written_run.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

constexpr std::size_t most_steps = 200'000;

/// Where something comes from that is not known.
struct Source {
  bool hidden = false; // nobody chooses it; else somebody wrote it to memory
  Location where;
  std::string from;
};

/// What values rest on: an index into the sources, 0 for nothing.
struct MapOrigin {
  std::size_t otherwise = 0;
  std::map<Integer, std::size_t> keys;
};

/// One body, which is free of calls, with inputs that are written down. Values carry along what
/// they rest on.
class Tracer {
public:
  Tracer(const Module& module, const Procedure& body, ConcreteState before,
         const std::vector<std::string>& inputs)
      : body_(body), state_(std::move(before)), inputs_(inputs),
        keeps_maps_(module.find_state("component.state") != nullptr || module.language == "java") {
    sources_.push_back({});
    for (std::size_t i = 0; i < module.state.size(); ++i) {
      values_[module.state[i].term] = state_.values[i];
      if (!module.state[i].initial) comes_from(module.state[i].term, source({}));
    }
    for (const Variable& local : body.locals) values_[local.term] = default_value(local.type);
  }

  std::optional<TracedRun> run() {
    for (const Variable& parameter : body_.parameters)
      if (!read(parameter.term)) return std::nullopt;
    BlockId at = 0;
    for (std::size_t steps = 0; steps < most_steps; ++steps) {
      const Block& block = body_.blocks[at];
      for (const Statement& statement : block.statements)
        if (!execute(statement)) return std::nullopt;
      visit(block.end.where);
      switch (block.end.kind) {
      case TerminatorKind::Goto: at = block.end.next; break;
      case TerminatorKind::Branch: {
        const auto value = evaluate(block.end.value, valuation_);
        if (!value) return std::nullopt;
        decide(block.end.value, block.end.where);
        at = value->truth() ? block.end.next : block.end.other;
        break;
      }
      case TerminatorKind::Error: traced_.end = block.end.where; return std::move(traced_);
      default: return std::nullopt;
      }
    }
    return std::nullopt;
  }

private:
  void visit(const Location& where) {
    if (where.known() && (traced_.places.empty() || traced_.places.back() != where))
      traced_.places.push_back(where);
  }

  std::size_t source(Source made) {
    sources_.push_back(std::move(made));
    return sources_.size() - 1;
  }

  void comes_from(Term variable, std::size_t origin) {
    if (variable->sort->kind == SortKind::Map)
      maps_[variable] = {origin, {}};
    else
      origins_[variable] = origin;
  }

  /// Somebody else's memory matters where the written program looks at it: it is an object then.
  void decide(Term condition, const Location& where) {
    const std::size_t origin = origin_of(condition);
    if (origin == 0) return;
    const Source& found = sources_[origin];
    if (traced_.unknown && (found.hidden || !traced_.hidden)) return;
    const bool client =
        keeps_maps_ ? !speaks_of_kept(condition) : where.known() && !where.file.contains('#');
    if (!found.hidden && client) return;
    traced_.unknown = found.where.known() ? found.where : where;
    traced_.unknown_from = found.from;
    traced_.hidden = found.hidden;
  }

  static bool speaks_of_kept(Term term) {
    return std::ranges::any_of(variables(term),
                               [](Term v) { return v->name.starts_with("component."); });
  }

  bool truth(Term term) const {
    const auto value = evaluate(term, valuation_);
    return value && value->truth();
  }

  std::size_t origin_of(Term term) const {
    switch (term->op) {
    case Op::Var: {
      const auto found = origins_.find(term);
      return found == origins_.end() ? 0 : found->second;
    }
    case Op::Select: {
      if (const std::size_t key = origin_of(term->args[1])) return key;
      const auto key = evaluate(term->args[1], valuation_);
      const MapOrigin map = map_origin(term->args[0]);
      if (!key) return map.otherwise;
      const auto found = map.keys.find(key->number);
      return found == map.keys.end() ? map.otherwise : found->second;
    }
    case Op::Ite: {
      if (const std::size_t condition = origin_of(term->args[0])) return condition;
      return origin_of(term->args[truth(term->args[0]) ? 1 : 2]);
    }
    case Op::And:
    case Op::Or: {
      // One part that is known may decide.
      std::size_t first = 0;
      for (const Term part : term->args) {
        const std::size_t origin = origin_of(part);
        if (origin == 0 && truth(part) == (term->op == Op::Or)) return 0;
        if (first == 0) first = origin;
      }
      return first;
    }
    default: break;
    }
    for (const Term part : term->args)
      if (part->sort->kind != SortKind::Map)
        if (const std::size_t origin = origin_of(part)) return origin;
    return 0;
  }

  MapOrigin map_origin(Term term) const {
    switch (term->op) {
    case Op::Var: {
      const auto found = maps_.find(term);
      return found == maps_.end() ? MapOrigin{} : found->second;
    }
    case Op::Store: {
      MapOrigin map = map_origin(term->args[0]);
      if (term->args[2]->sort->kind == SortKind::Map) return map;
      const std::size_t key = origin_of(term->args[1]);
      const auto at = evaluate(term->args[1], valuation_);
      if (key != 0 || !at) return {key, {}};
      map.keys[at->number] = origin_of(term->args[2]);
      return map;
    }
    case Op::ConstMap: return {origin_of(term->args[0]), {}};
    case Op::Ite: return map_origin(term->args[truth(term->args[0]) ? 1 : 2]);
    default: break;
    }
    return {};
  }

  bool read(Term variable) {
    if (used_ == inputs_.size()) return false;
    const auto value = parse_value(inputs_[used_++], variable->sort);
    if (!value) return false;
    state_.next_reference =
        std::max(state_.next_reference, above_addresses(*value, variable->sort));
    values_[variable] = *value;
    return true;
  }

  /// `component.state` of an object, in its map or as a local.
  void note_state(Term target, Term term, const Value& value) {
    if (!target->name.starts_with("component.state") || traced_.places.empty()) return;
    Integer state = value.number;
    if (target->sort->kind == SortKind::Map) {
      if (term->op != Op::Store) return;
      const auto stored = evaluate(term->args[2], valuation_);
      if (!stored) return;
      state = stored->number;
    }
    if (state > 0)
      traced_.states.emplace_back(traced_.places.size() - 1, static_cast<State>(state - 1));
  }

  bool execute(const Statement& statement) {
    visit(statement.where);
    switch (statement.kind) {
    case StatementKind::Assign:
    case StatementKind::Assume: {
      const auto value = evaluate(statement.value, valuation_);
      if (!value) return false;
      if (statement.kind == StatementKind::Assume) return value->truth();
      if (statement.target->sort->kind == SortKind::Map)
        maps_[statement.target] = map_origin(statement.value);
      else
        origins_[statement.target] = origin_of(statement.value);
      note_state(statement.target, statement.value, *value);
      values_[statement.target] = *value;
      return true;
    }
    case StatementKind::Havoc: {
      const bool hidden = statement.chooser == Chooser::Unknown;
      // What a callee returns or fails with is its choice, what it leaves in memory is not ours to
      // guess.
      const bool memory = statement.chooser == Chooser::Environment &&
                          (!statement.opaque || statement.target->sort->kind == SortKind::Map);
      const Location where = statement.where.known() || traced_.places.empty()
                                 ? statement.where
                                 : traced_.places.back();
      comes_from(statement.target, hidden || memory ? source({hidden, where, statement.from}) : 0);
      return read(statement.target);
    }
    case StatementKind::New:
      values_[statement.target] = Value(state_.next_reference++);
      origins_[statement.target] = 0;
      return true;
    }
    return false;
  }

  const Procedure& body_;
  ConcreteState state_;
  const std::vector<std::string>& inputs_;
  const bool keeps_maps_; // what is known of objects has names of its own
  std::size_t used_ = 0;
  std::unordered_map<Term, Value> values_;
  std::vector<Source> sources_;
  std::unordered_map<Term, std::size_t> origins_;
  std::unordered_map<Term, MapOrigin> maps_;
  TracedRun traced_;
  const Valuation valuation_ = [this](Term variable) {
    const auto found = values_.find(variable);
    return found == values_.end() ? Value() : found->second;
  };
};

} // namespace

std::optional<TracedRun> trace_refusal(const Component& component, const Interface& interface,
                                       const Refusal& refusal) {
  if (!refusal.run || !refusal.state || refusal.run->steps.empty()) return std::nullopt;
  const WrittenRuns runs(component);
  const auto constructor = runs.constructor(refusal.run->constructor);
  if (!constructor) return std::nullopt;
  const auto made = runs.construct(*refusal.run, *constructor);
  if (!made || made->how != RunEnd::Returned) return std::nullopt;
  ConcreteState state = made->after;
  for (std::size_t i = 0; i < refusal.run->steps.size(); ++i) {
    const ExampleStep& step = refusal.run->steps[i];
    const auto call = component.find_call(step.call);
    if (!call) return std::nullopt;
    if (i + 1 == refusal.run->steps.size())
      return Tracer(component.module(), component.body(component.calls()[*call]), state,
                    step.inputs)
          .run();
    const auto done = runs.feed(component.calls()[*call], state, step.inputs);
    if (!done) return std::nullopt;
    state = done->after;
  }
  static_cast<void>(interface);
  return std::nullopt;
}

} // namespace tacit
