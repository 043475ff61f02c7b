#include "finite/bdd/body.h"

#include <algorithm>

#include "base/should.h"
#include "finite/bdd/loop_order.h"
#include "finite/bdd/symbolic.h"
#include "program/graph/call_graph.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

constexpr std::size_t max_rounds = 10'000;
constexpr std::size_t max_choice_bits = 4'096; // beyond the planned ones

/// The bits that a value in its type's range needs; the sign is known where the range says so.
Number trimmed(const Type& type, const Number& value) {
  if (type.sort->kind != SortKind::Int || !type.low || !type.high || *type.low > *type.high)
    return value;
  const Number low = value.cut(signed_width(*type.low, *type.high));
  if (*type.low < 0 || low.sign().is_false()) return low;
  std::vector<Bdd> natural;
  for (std::size_t i = 0; i + 1 < signed_width(*type.low, *type.high); ++i)
    natural.push_back(low.bit(i));
  return Number::from_natural(std::move(natural));
}

} // namespace

class BodyExecutor {
public:
  BodyExecutor(Encoding& encoding, std::size_t procedure)
      : encoding_(encoding), number_(procedure), module_(encoding.component().module()),
        procedure_(module_.procedures[procedure]) {}

  SymbolicBody run() {
    body_.procedure_ = &procedure_;
    body_.cyclic_ = blocks_in_cycles(procedure_);
    body_.executed_.assign(procedure_.blocks.size(), 0);
    pending_.resize(procedure_.blocks.size());
    Pending entry{encoding_.valid_states(), initial_cells(), new_visit(0)};
    for (std::size_t i = 0; i < procedure_.parameters.size(); ++i)
      choose({ChoicePlace::parameters, i}, 0, procedure_.parameters[i].term, entry,
             body_.client_bits_);
    pending_[0] = std::move(entry);
    for (const LoopOrder& part : loop_order(procedure_)) run(part);
    return std::move(body_);
  }

private:
  struct Pending {
    Bdd path;
    Cells cells;
    std::size_t visit = 0;
  };

  Cells initial_cells() {
    Cells cells;
    auto add = [&](const Variable& v) {
      ranges_[v.term] = {cells.size(), width_of(v.type), &v.type};
      if (width_of(v.type) == 0)
        throw BddGaveUp{
            fmt::format("'{}' of type {} has no finite shape", v.name(), to_string(v.type))};
    };
    std::size_t slot = 0;
    for (const StateVariable& v : module_.state) {
      add(v);
      for (std::size_t i = 0; i < width_of(v.type); ++i, ++slot)
        cells.push_back(std::make_shared<const Number>(
            Encoding::number(encoding_.current(slot), encoding_.slots()[slot].low)));
    }
    for (const auto* list : {&procedure_.parameters, &procedure_.locals})
      for (const Variable& v : *list) {
        add(v);
        for (Integer scalar : scalars_of(v.type, default_value(v.type)))
          cells.push_back(std::make_shared<const Number>(Number::constant(scalar)));
      }
    return cells;
  }

  std::size_t new_visit(BlockId block) {
    body_.visits_.push_back({.block = block});
    return body_.visits_.size() - 1;
  }

  /// Gives a variable the bits of a choice; returns the choice.
  std::size_t choose(ChoicePlace place, std::size_t time, Term variable, Pending& at, Bits& bits) {
    const CellRange& range = ranges_.at(variable);
    SymbolicBody::Choice choice{range.type, encoding_.choice(number_, place, time, *range.type)};
    const auto scalars = scalars_of(*range.type);
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      const Integer low = scalars[i]->sort->kind == SortKind::Int ? *scalars[i]->low : 0;
      at.cells[range.first + i] =
          std::make_shared<const Number>(Encoding::number(choice.scalars[i], low));
      at.path &= Encoding::below(choice.scalars[i], *domain_size(*scalars[i]));
      bits.insert(bits.end(), choice.scalars[i].begin(), choice.scalars[i].end());
    }
    body_.choices_.push_back(std::move(choice));
    return body_.choices_.size() - 1;
  }

  void run(const LoopOrder& part) {
    if (!part.loop) {
      execute(part.block);
      return;
    }
    std::optional<Pending> before;
    for (std::size_t round = 0; any_pending(part); ++round) {
      // The same values again will go on for ever.
      const std::optional<Pending>& now = pending_[part.block];
      const bool stuck = now && before && now->path == before->path &&
                         same_cells(now->cells, before->cells) && only_pending(part);
      if (stuck || round == max_rounds || encoding_.extra_bits(number_) > max_choice_bits) {
        drop(part, stuck ? "a run does not end"
                         : fmt::format("a run does not end within {} rounds of a loop", round));
        break;
      }
      before = now;
      execute(part.block);
      for (const LoopOrder& inner : part.inside) run(inner);
    }
  }

  bool any_pending(const LoopOrder& part) const {
    return pending_[part.block].has_value() ||
           std::ranges::any_of(part.inside,
                               [&](const LoopOrder& inner) { return any_pending(inner); });
  }

  bool only_pending(const LoopOrder& part) const {
    return std::ranges::none_of(part.inside,
                                [&](const LoopOrder& inner) { return any_pending(inner); });
  }

  void drop(const LoopOrder& part, const std::string& reason) {
    if (auto& at = pending_[part.block]) {
      body_.failures_.push_back({at->path, reason});
      at.reset();
    }
    for (const LoopOrder& inner : part.inside) drop(inner, reason);
  }

  static bool same_cells(const Cells& a, const Cells& b) {
    return std::ranges::equal(a, b,
                              [](const Cell& x, const Cell& y) { return x == y || *x == *y; });
  }

  /// Evaluates; what fails is no longer on the path.
  SymbolicValue evaluate(Term term, const Type* wanted, Pending& at) {
    SymbolicEvaluator evaluator(ranges_, at.cells);
    SymbolicValue value = evaluator.value(term, wanted);
    if (!value.fails.is_false())
      if (Bdd failing = at.path & value.fails; !failing.is_false()) {
        at.path = without(at.path, failing);
        body_.failures_.push_back({std::move(failing), evaluator.failure()});
      }
    return value;
  }

  void execute(BlockId block) {
    if (!pending_[block]) return;
    check_budget();
    Pending at = std::move(*pending_[block]);
    pending_[block].reset();
    const std::size_t time = body_.executed_[block]++;
    const bool entry = at.visit == 0;
    bool client = entry; // the client's havocs stand at the start of the entry
    const Block& code = procedure_.blocks[block];
    for (std::size_t i = 0; i < code.statements.size() && !at.path.is_false(); ++i) {
      const Statement& s = code.statements[i];
      client = client && s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
      switch (s.kind) {
      case StatementKind::Havoc: {
        Bits& bits = client ? body_.client_bits_ : body_.environment_bits_;
        const std::size_t choice = choose({block, i}, time, s.target, at, bits);
        body_.visits_[at.visit].choices.push_back(choice);
        break;
      }
      case StatementKind::Assume:
        at.path &= evaluate(s.value, nullptr, at).cells[0]->holds();
        break;
      case StatementKind::Assign: assign(s, at); break;
      case StatementKind::New:
        throw BddGaveUp{
            fmt::format("'{}' allocates memory: its states are not finite", procedure_.name)};
      }
    }
    if (!at.path.is_false()) leave(code.end, std::move(at));
  }

  void assign(const Statement& s, Pending& at) {
    const CellRange& range = ranges_.at(s.target);
    const SymbolicValue value = evaluate(s.value, range.type, at);
    const auto scalars = scalars_of(*range.type);
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      at.path &= in_type(*scalars[i], *value.cells[i]);
      Number after = trimmed(*scalars[i], *value.cells[i]);
      Cell& cell = at.cells[range.first + i];
      if (!(after == *cell)) cell = std::make_shared<const Number>(std::move(after));
    }
  }

  void leave(const Terminator& end, Pending at) {
    switch (end.kind) {
    case TerminatorKind::Goto:
      body_.visits_[at.visit].next = go(end.next, at.path, at.cells);
      break;
    case TerminatorKind::Branch: {
      const Bdd holds = evaluate(end.value, nullptr, at).cells[0]->holds();
      const std::size_t next = go(end.next, at.path & holds, at.cells);
      const std::size_t other = go(end.other, without(at.path, holds), at.cells);
      SymbolicBody::Visit& visit = body_.visits_[at.visit];
      visit.condition = holds;
      visit.next = next;
      visit.other = other;
      break;
    }
    case TerminatorKind::Call:
      should_not_be_reached("a component's bodies should be free of calls");
    default: body_.exits_.push_back(exit(end, at));
    }
  }

  /// Joins a path into what waits before a block; returns the visit it will be.
  std::size_t go(BlockId block, const Bdd& path, const Cells& cells) {
    if (path.is_false()) return SymbolicBody::Visit::none;
    auto& waiting = pending_[block];
    if (!waiting) {
      waiting = Pending{path, cells, new_visit(block)};
      return waiting->visit;
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      Cell& old = waiting->cells[i];
      if (old == cells[i] || *old == *cells[i]) continue;
      old = std::make_shared<const Number>(tacit::choose(path, *cells[i], *old));
    }
    waiting->path |= path;
    return waiting->visit;
  }

  BodyExit exit(const Terminator& end, const Pending& at) {
    BodyExit result{&end, at.path, {}};
    if (end.kind == TerminatorKind::Error) return result;
    for (std::size_t s = 0; s < encoding_.slots().size(); ++s) {
      const Bits& before = encoding_.current(s);
      Number code = *at.cells[s];
      if (const std::int64_t low = encoding_.slots()[s].low; low != 0)
        code = subtract(code, Number::constant(low));
      WrittenSlot written{s, {}};
      bool changed = false;
      for (std::size_t i = 0; i < before.size(); ++i) {
        const Bdd old = Bdd::variable(before[i]);
        written.after.push_back(code.bit(i));
        changed = changed || (!(code.bit(i) == old) && !((code.bit(i) ^ old) & at.path).is_false());
      }
      if (changed) result.written.push_back(std::move(written));
    }
    return result;
  }

  Encoding& encoding_;
  const std::size_t number_;
  const Module& module_;
  const Procedure& procedure_;
  SymbolicBody body_;
  CellRanges ranges_; // the state's cells come first, slot by slot
  std::vector<std::optional<Pending>> pending_;
};

SymbolicBody SymbolicBody::execute(Encoding& encoding, std::size_t procedure) {
  return BodyExecutor(encoding, procedure).run();
}

Bits SymbolicBody::choice_order() const {
  Bits order;
  for (const Choice& choice : choices_)
    for (const Bits& scalar : choice.scalars)
      order.insert(order.end(), scalar.rbegin(), scalar.rend());
  return order;
}

std::vector<std::pair<BlockId, std::size_t>> SymbolicBody::rounds() const {
  std::vector<std::pair<BlockId, std::size_t>> result;
  for (BlockId b = 0; b < cyclic_.size(); ++b)
    if (cyclic_[b]) result.emplace_back(b, executed_[b]);
  return result;
}

Value SymbolicBody::chosen(const Choice& choice, const std::vector<bool>& assignment) const {
  const auto types = scalars_of(*choice.type);
  std::vector<Integer> scalars;
  for (std::size_t s = 0; s < types.size(); ++s) {
    std::uint64_t code = 0;
    for (std::size_t i = choice.scalars[s].size(); i-- > 0;) {
      const std::size_t variable = choice.scalars[s][i];
      code = code * 2 + (variable < assignment.size() && assignment[variable] ? 1 : 0);
    }
    scalars.push_back(scalar_value(*types[s], code));
  }
  return value_of(*choice.type, scalars);
}

std::vector<Value> SymbolicBody::inputs(const std::vector<bool>& assignment) const {
  std::vector<Value> values;
  for (std::size_t i = 0; i < procedure_->parameters.size(); ++i)
    values.push_back(chosen(choices_[i], assignment));
  for (std::size_t visit = 0; visit != Visit::none;) {
    const Visit& at = visits_[visit];
    for (std::size_t choice : at.choices) values.push_back(chosen(choices_[choice], assignment));
    const bool branches = procedure_->blocks[at.block].end.kind == TerminatorKind::Branch;
    visit = !branches || holds(at.condition, assignment) ? at.next : at.other;
  }
  return values;
}

} // namespace tacit
