#include "program/reduce/count.h"

#include <algorithm>
#include <map>
#include <optional>

namespace tacit {
namespace {

/// `x := x + step`, wrapped to `bits` unless these are 0.
struct Move {
  Integer step = 0;
  int bits = 0;
  bool is_signed = false;
};
using Moves = std::map<Term, Move, TermById>;

std::optional<Move> move_of(Term target, Term value) {
  Move move;
  if (value->op == Op::Wrap) {
    move.is_signed = value->number < 0;
    move.bits = static_cast<int>(move.is_signed ? -value->number : value->number);
    value = value->args[0];
  }
  const bool minus = value->op == Op::Sub;
  if ((value->op != Op::Add && !minus) || value->args.size() != 2) return std::nullopt;
  Term first = value->args[0], second = value->args[1];
  if (!minus && first->op == Op::IntConst) std::swap(first, second);
  if (first != target || second->op != Op::IntConst) return std::nullopt;
  move.step = minus ? -second->number : second->number;
  return move;
}

/// What every statement of a body does, when each moves a number of its own.
std::optional<Moves> moves_of(const Block& body) {
  Moves moves;
  for (const Statement& s : body.statements) {
    if (s.kind != StatementKind::Assign || s.target->sort->kind != SortKind::Int)
      return std::nullopt;
    const auto move = move_of(s.target, s.value);
    if (!move || !moves.emplace(s.target, *move).second) return std::nullopt;
  }
  return moves;
}

/// A loop goes on while `counter` is on its way to `end`.
struct Way {
  Term counter = nullptr, end = nullptr; // where the counter stands when the loop is left
  Term goes_on = nullptr;                // on entering: whether there is a round at all
  Term rounds = nullptr;                 // if so
  std::optional<Term> ends;              // when the loop does: else there is no such run
};

class Closing {
public:
  Closing(TermArena& arena, Procedure& procedure) : arena_(arena), procedure_(procedure) {}

  void run() {
    bool any = false;
    for (BlockId head = 0; head < procedure_.blocks.size(); ++head) any = close(head) || any;
    if (any) tidy(procedure_);
  }

private:
  bool close(BlockId head) {
    const Terminator end = procedure_.blocks[head].end;
    if (end.kind != TerminatorKind::Branch || !procedure_.blocks[head].statements.empty())
      return false;
    for (const bool inside : {true, false}) {
      const BlockId body = inside ? end.next : end.other, exit = inside ? end.other : end.next;
      const Block& block = procedure_.blocks[body];
      if (body == head || exit == head || exit == body) continue;
      if (block.end.kind != TerminatorKind::Goto || block.end.next != head) continue;
      const auto moves = moves_of(block);
      if (!moves || moves->empty()) continue;
      const auto way = way_of(inside ? end.value : arena_.negate(end.value), *moves);
      if (!way) continue;
      replace(procedure_.blocks[head], *way, *moves, exit);
      return true;
    }
    return false;
  }

  /// The condition of going on: a number that moves by one, against a bound that stays.
  std::optional<Way> way_of(Term condition, const Moves& moves) {
    const bool negated = condition->op == Op::Not;
    if (negated) condition = condition->args[0];
    if (condition->op != Op::Lt && condition->op != Op::Le && condition->op != Op::Eq)
      return std::nullopt;
    for (const bool counts_left : {true, false}) {
      const Term counter = condition->args[counts_left ? 0 : 1];
      const Term bound = condition->args[counts_left ? 1 : 0];
      const auto found = moves.find(counter);
      if (found == moves.end() || !stays(bound, moves)) continue;
      const Move& move = found->second;
      if (move.step != 1 && move.step != -1) return std::nullopt;
      if (condition->op == Op::Eq)
        return negated ? std::optional(until_equal(counter, bound, move)) : std::nullopt;
      return until_beyond(counter, bound, move, condition->op == Op::Le, counts_left, negated);
    }
    return std::nullopt;
  }

  static bool stays(Term bound, const Moves& moves) {
    return std::ranges::none_of(variables(bound), [&](Term v) {
      return moves.contains(v) || v->sort->kind == SortKind::Map;
    });
  }

  /// `while (counter != bound)`
  Way until_equal(Term counter, Term bound, const Move& move) {
    const bool up = move.step > 0;
    const Term distance = up ? arena_.sub(bound, counter) : arena_.sub(counter, bound);
    Way way{counter, bound, arena_.ne(counter, bound), distance, {}};
    if (move.bits == 0) {
      way.ends = arena_.ge(distance, arena_.integer(0));
    } else {
      way.rounds = arena_.wrap(move.bits, false, distance);
      way.ends = fits(bound, move);
    }
    return way;
  }

  /// `while (counter < bound)` and its relatives.
  std::optional<Way> until_beyond(Term counter, Term bound, const Move& move, bool or_equal,
                                  bool counter_is_less, bool negated) {
    const bool below = counter_is_less != negated; // it goes on while the counter is below
    if (below != (move.step > 0)) return std::nullopt;
    if (negated) or_equal = !or_equal;
    const Term one = arena_.integer(or_equal ? 1 : 0);
    const Term end = below ? arena_.add(bound, one) : arena_.sub(bound, one);
    const Term rounds = below ? arena_.sub(end, counter) : arena_.sub(counter, end);
    const Term none = arena_.integer(0);
    Way way{counter, end, arena_.gt(rounds, none), rounds, {}};
    // Beyond its type it would begin again.
    if (move.bits != 0) way.ends = arena_.implies(way.goes_on, fits(end, move));
    return way;
  }

  Term fits(Term value, const Move& move) {
    return arena_.eq(arena_.wrap(move.bits, move.is_signed, value), value);
  }

  void replace(Block& head, const Way& way, const Moves& moves, BlockId exit) {
    const Location where = head.end.where;
    if (way.ends && !is_true(*way.ends))
      head.statements.push_back(
          {.kind = StatementKind::Assume, .value = *way.ends, .where = where});
    const auto assign = [&](Term target, Term after) {
      head.statements.push_back({.kind = StatementKind::Assign,
                                 .target = target,
                                 .value = arena_.ite(way.goes_on, after, target),
                                 .where = where});
    };
    for (const auto& [target, move] : moves) {
      if (target == way.counter) continue;
      const Term after = arena_.add(target, arena_.mul(arena_.integer(move.step), way.rounds));
      assign(target, move.bits == 0 ? after : arena_.wrap(move.bits, move.is_signed, after));
    }
    assign(way.counter, way.end); // last: the others ask how far it had to go
    Terminator leave{.kind = TerminatorKind::Goto, .next = exit};
    leave.where = where;
    leave.procedure = head.end.procedure;
    head.end = std::move(leave);
  }

  TermArena& arena_;
  Procedure& procedure_;
};

} // namespace

void close_counting_loops(Module& module) {
  for (Procedure& procedure : module.procedures)
    if (procedure.kind != ProcedureKind::Extern) Closing(*module.arena, procedure).run();
}

} // namespace tacit
