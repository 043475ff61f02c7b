#include "program/reduce/propagate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>

#include "program/graph/branches.h"
#include "program/graph/call_graph.h"
#include "program/graph/unroll.h"

namespace tacit {

namespace {

/// Conditions that are known to be true or false, and variables that equal a constant or an older
/// variable.
struct Known {
  std::map<Term, bool, TermById> conditions;
  std::map<Term, Term, TermById> values;
  bool operator==(const Known&) const = default;
};

class Propagation {
public:
  Propagation(const Module& module, Procedure& procedure)
      : arena_(*module.arena), procedure_(procedure) {}

  void run() {
    rewrite(flow());
    tidy(procedure_);
  }

  void thread_only() {
    const std::vector<std::optional<Known>> in = flow();
    std::map<BlockId, Known> ways;
    for (BlockId b = 0; b < procedure_.blocks.size(); ++b) {
      const Block& block = procedure_.blocks[b];
      if (!in[b] || block.end.kind != TerminatorKind::Goto) continue;
      Known now = *in[b];
      for (const Statement& s : block.statements) step(now, s);
      ways.emplace(b, std::move(now));
    }
    thread_all(ways);
    if (passed_branch_) tidy(procedure_);
  }

private:
  /// What is known at the beginning of each block that is reached.
  std::vector<std::optional<Known>> flow() {
    std::vector<std::optional<Known>> in(procedure_.blocks.size());
    in[0] = Known{};
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      const Block& block = procedure_.blocks[b];
      Known now = *in[b];
      for (const Statement& s : block.statements) step(now, s);
      const Terminator& end = block.end;
      if (end.kind == TerminatorKind::Branch) {
        const Term condition = folded(now, end.value);
        for (const bool way : {true, false}) {
          if (way ? is_false(condition) : is_true(condition)) continue;
          Known there = now;
          learn(there, condition, way);
          flow(in, work, way ? end.next : end.other, there);
        }
      } else {
        for (const BlockId to : successors(end)) flow(in, work, to, now);
      }
    }
    return in;
  }

  static void flow(std::vector<std::optional<Known>>& in, std::vector<BlockId>& work, BlockId to,
                   const Known& now) {
    if (!in[to]) {
      in[to] = now;
      work.push_back(to);
      return;
    }
    const std::size_t before = in[to]->conditions.size() + in[to]->values.size();
    const auto meet = [](auto& mine, const auto& theirs) {
      std::erase_if(mine, [&](const auto& entry) {
        const auto other = theirs.find(entry.first);
        return other == theirs.end() || other->second != entry.second;
      });
    };
    meet(in[to]->conditions, now.conditions);
    meet(in[to]->values, now.values);
    if (in[to]->conditions.size() + in[to]->values.size() != before) work.push_back(to);
  }

  Term folded(const Known& now, Term t) {
    if (!t || (now.conditions.empty() && now.values.empty())) return t;
    std::unordered_map<Term, Term> done;
    return fold(now, t, done);
  }

  Term fold(const Known& now, Term t, std::unordered_map<Term, Term>& done) {
    if (const auto found = done.find(t); found != done.end()) return found->second;
    Term made = t;
    if (t->op == Op::Var) {
      const auto value = now.values.find(t);
      if (value != now.values.end()) made = value->second;
    } else if (!t->args.empty()) {
      std::vector<Term> args;
      for (const Term a : t->args) args.push_back(fold(now, a, done));
      made = arena_.rebuild(t, std::move(args));
    }
    if (made->sort == arena_.bool_sort() && !made->args.empty()) {
      const auto known = now.conditions.find(made);
      if (known != now.conditions.end())
        made = arena_.boolean(known->second);
      else if (const auto other = now.conditions.find(arena_.negate(made));
               other != now.conditions.end())
        made = arena_.boolean(!other->second);
    }
    done.emplace(t, made);
    return made;
  }

  /// `condition` has been folded with what is known.
  void learn(Known& now, Term condition, bool way) {
    if (condition->op == Op::BoolConst) return;
    if (condition->op == Op::Not) return learn(now, condition->args[0], !way);
    if (condition->op == (way ? Op::And : Op::Or)) {
      for (const Term part : condition->args) learn(now, part, way);
      return;
    }
    if (condition->op == Op::Var) {
      now.values[condition] = arena_.boolean(way);
      return;
    }
    now.conditions[condition] = way;
    if (condition->op != Op::Eq || !way) return;
    for (int side = 0; side < 2; ++side) {
      const Term a = condition->args[static_cast<std::size_t>(side)];
      const Term b = condition->args[static_cast<std::size_t>(1 - side)];
      if (a->op == Op::Var && is_constant(b)) now.values[a] = b;
    }
  }

  static void forget(Known& now, Term written) {
    const auto about = [&](Term t) {
      return std::ranges::any_of(variables(t), [&](Term v) { return v == written; });
    };
    std::erase_if(now.conditions, [&](const auto& entry) { return about(entry.first); });
    std::erase_if(now.values, [&](const auto& entry) {
      return entry.first == written || entry.second == written;
    });
  }

  void step(Known& now, const Statement& s) {
    if (s.kind == StatementKind::Assume) return learn(now, folded(now, s.value), true);
    const Term value = s.kind == StatementKind::Assign ? folded(now, s.value) : nullptr;
    forget(now, s.target);
    if (s.kind == StatementKind::New) now.conditions[arena_.eq(s.target, arena_.null())] = false;
    if (!value || value == s.target) return;
    if (is_constant(value) || (value->op == Op::Var && s.target->sort->kind != SortKind::Map))
      now.values[s.target] = value;
  }

  void rewrite(const std::vector<std::optional<Known>>& in) {
    std::map<BlockId, Known> ways;
    for (BlockId b = 0; b < procedure_.blocks.size(); ++b) {
      Block& block = procedure_.blocks[b];
      if (!in[b]) continue; // not reached: tidy drops it
      Known now = *in[b];
      for (Statement& s : block.statements) {
        const Statement old = s;
        if (s.value) s.value = folded(now, s.value);
        step(now, old);
      }
      std::erase_if(block.statements, [&](const Statement& s) {
        return (s.kind == StatementKind::Assume && is_true(s.value)) ||
               (s.kind == StatementKind::Assign && s.value == s.target);
      });
      if (block.end.value) block.end.value = folded(now, block.end.value);
      if (block.end.kind == TerminatorKind::Branch && is_constant(block.end.value)) {
        go_to(block, is_true(block.end.value) ? block.end.next : block.end.other);
      }
      if (block.end.kind == TerminatorKind::Goto) ways.emplace(b, std::move(now));
    }
    thread_all(ways);
  }

  void thread_all(const std::map<BlockId, Known>& ways) {
    const std::vector<Block> plain = procedure_.blocks;
    for (const auto& [b, now] : ways) thread(procedure_.blocks[b], now);
    // A way that passes the head of a loop would enter the loop in the middle.
    if (passed_branch_ && has_single_entries(plain) && !has_single_entries(procedure_.blocks))
      procedure_.blocks = plain;
  }

  bool has_single_entries(std::vector<Block> blocks) const {
    Procedure tried = procedure_;
    tried.blocks = std::move(blocks);
    return reducible(tried);
  }

  /// Past branches that are decided for whoever comes from here, up to the exit if it leads there:
  /// so exits that several ways share are told apart.
  void thread(Block& block, const Known& now) {
    for (std::size_t steps = 0; steps < 64; ++steps) {
      const Block& target = procedure_.blocks[block.end.next];
      if (!target.statements.empty()) return;
      if (target.end.kind == TerminatorKind::Goto) {
        if (target.end.next == block.end.next) return;
        block.end.next = target.end.next;
      } else if (target.end.kind == TerminatorKind::Branch) {
        const Term condition = folded(now, target.end.value);
        if (!is_constant(condition)) return;
        passed_branch_ = true;
        block.end.next = is_true(condition) ? target.end.next : target.end.other;
      } else {
        if (target.end.kind == TerminatorKind::Call) return;
        block.end = Terminator(target.end);
        return;
      }
    }
  }

  TermArena& arena_;
  Procedure& procedure_;
  bool passed_branch_ = false;
};

} // namespace

void propagate_in(const Module& module, Procedure& procedure) {
  Propagation(module, procedure).run();
}

void thread_jumps(Module& module) {
  for (Procedure& p : module.procedures)
    if (is_root(p)) Propagation(module, p).thread_only();
}

void propagate(Module& module) {
  for (Procedure& p : module.procedures)
    if (is_root(p)) propagate_in(module, p);
}

} // namespace tacit
