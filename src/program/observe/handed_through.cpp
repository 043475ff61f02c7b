#include "program/observe/handed_through.h"

#include <algorithm>
#include <map>
#include <set>

#include "program/graph/branches.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

/// What may be so of a variable: it holds a callee's value, or another one.
struct Whose {
  bool callees = false, own = false;

  bool operator==(const Whose&) const = default;
  void add(const Whose& other) {
    callees = callees || other.callees;
    own = own || other.own;
  }
};

/// The same number in another type.
Term bare(Term value) {
  while (value->op == Op::Wrap || value->op == Op::ToInt) value = value->args[0];
  return value;
}

class HandedThrough {
public:
  HandedThrough(const Module& module, Procedure& procedure)
      : module_(module), arena_(*module.arena), procedure_(procedure) {}

  void run() {
    collect();
    const bool any = std::ranges::any_of(procedure_.blocks, [&](const Block& b) {
      return std::ranges::any_of(b.statements, [&](const Statement& s) { return is_callees(s); });
    });
    if (!any) return;
    flow();
    std::vector<BlockId> split;
    for (BlockId b = 0; b < procedure_.blocks.size(); ++b) {
      Terminator& end = procedure_.blocks[b].end;
      if (end.kind != TerminatorKind::Return || !end.value || !reached_[b]) continue;
      const Whose whose = of(end.value, after(b));
      if (whose.callees && whose.own)
        split.push_back(b);
      else if (whose.callees)
        end.environment = true;
    }
    if (split.empty()) return;
    add_flags();
    for (const BlockId b : split) split_return(b);
  }

private:
  using Facts = std::map<Term, Whose, TermById>;

  bool is_callees(const Statement& s) const {
    return s.kind == StatementKind::Assign && s.opaque && tracked_.contains(s.target);
  }

  /// Variables whose value may get to a return.
  void collect() {
    auto take = [&](auto& self, Term value) -> void {
      value = bare(value);
      if (value->op == Op::Var) tracked_.insert(value);
      if (value->op == Op::Ite)
        for (const std::size_t side : {1u, 2u}) self(self, value->args[side]);
    };
    for (const Block& b : procedure_.blocks)
      if (b.end.kind == TerminatorKind::Return && b.end.value) take(take, b.end.value);
    for (std::size_t before = 0; before != tracked_.size();) {
      before = tracked_.size();
      for (const Block& b : procedure_.blocks)
        for (const Statement& s : b.statements)
          if (s.kind == StatementKind::Assign && !s.opaque && tracked_.contains(s.target))
            take(take, s.value);
    }
  }

  Whose of(Term value, const Facts& facts) const {
    value = bare(value);
    if (value->op == Op::Ite) {
      Whose both = of(value->args[1], facts);
      both.add(of(value->args[2], facts));
      return both;
    }
    const auto known = facts.find(value);
    return known == facts.end() ? Whose{.own = true} : known->second;
  }

  void step(const Statement& s, Facts& facts) const {
    if (!s.target || !tracked_.contains(s.target)) return;
    if (is_callees(s))
      facts[s.target] = {.callees = true};
    else
      facts[s.target] = s.kind == StatementKind::Assign ? of(s.value, facts) : Whose{.own = true};
  }

  Facts after(BlockId block) const {
    Facts facts = before_[block];
    for (const Statement& s : procedure_.blocks[block].statements) step(s, facts);
    return facts;
  }

  void flow() {
    before_.assign(procedure_.blocks.size(), {});
    reached_.assign(procedure_.blocks.size(), false);
    for (const Term v : tracked_) before_[0][v] = {.own = true};
    reached_[0] = true;
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      const Facts facts = after(b);
      for (const BlockId next : successors(procedure_.blocks[b].end)) {
        bool changed = !reached_[next];
        reached_[next] = true;
        for (const auto& [variable, whose] : facts) {
          Whose& there = before_[next][variable];
          const Whose old = there;
          there.add(whose);
          changed = changed || there != old;
        }
        if (changed) work.push_back(next);
      }
    }
  }

  /// As a formula over the flags.
  Term held(Term value) {
    value = bare(value);
    if (value->op == Op::Ite)
      return arena_.ite(value->args[0], held(value->args[1]), held(value->args[2]));
    return tracked_.contains(value) ? flags_.at(value) : arena_.falsehood();
  }

  void add_flags() {
    FreshNames names(module_, procedure_);
    for (const Term v : tracked_)
      flags_[v] = add_local(arena_, procedure_, names, "handed", Type{.sort = arena_.bool_sort()});
    for (Block& b : procedure_.blocks) {
      std::vector<Statement> made;
      for (const Statement& s : b.statements) {
        // Before the assignment, whose condition may read what it changes.
        if (s.target && tracked_.contains(s.target)) {
          const Term whose = is_callees(s)                     ? arena_.truth()
                             : s.kind == StatementKind::Assign ? held(s.value)
                                                               : arena_.falsehood();
          made.push_back({.kind = StatementKind::Assign,
                          .target = flags_.at(s.target),
                          .value = whose,
                          .where = s.where});
        }
        made.push_back(s);
      }
      // The client's choices stay in front.
      std::ranges::stable_partition(made, [](const Statement& s) {
        return s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
      });
      b.statements = std::move(made);
    }
  }

  void split_return(BlockId block) {
    const Terminator own = procedure_.blocks[block].end;
    Terminator handed = own;
    handed.environment = true;
    branch_to(procedure_, block, held(own.value), handed, own);
  }

  const Module& module_;
  TermArena& arena_;
  Procedure& procedure_;
  std::set<Term, TermById> tracked_;
  std::vector<Facts> before_;
  std::vector<bool> reached_;
  std::map<Term, Term, TermById> flags_;
};

} // namespace

void mark_handed_through(const Module& module, Procedure& procedure) {
  HandedThrough(module, procedure).run();
}

} // namespace tacit
