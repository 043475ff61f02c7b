#include "program/reduce/coarsen.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include "program/graph/postdominators.h"
#include "program/graph/unroll.h"

namespace tacit {

namespace {

/// By block: the blocks that decide whether it is reached.
using Deciders = std::vector<std::vector<BlockId>>;

Deciders deciders(const Procedure& procedure) {
  std::vector<std::vector<BlockId>> next;
  for (const Block& block : procedure.blocks) next.push_back(successors(block.end));
  return Postdominators(std::move(next)).control_dependence();
}

/// Branches on the way to an error that are all looked at with Detail::Flags; further away, the
/// last one alone.
constexpr std::size_t longest_way = 5;

/// What of one procedure counts.
struct Relevant {
  std::vector<bool> deciding;        // blocks whose branch counts
  std::vector<bool> before_error;    // blocks from which an error can be reached
  std::unordered_set<Term> locals{}; // parameters too
};

class Coarsening {
public:
  Coarsening(Module& module, Detail detail, Results results)
      : module_(module), arena_(*module.arena), detail_(detail), results_(results) {}

  void run() {
    for (const StateVariable& v : module_.state) state_.insert(v.term);
    find_relevant();
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      hide(module_.procedures[i], relevant_[i]);
      simplify(module_.procedures[i]);
    }
    slice(module_, results_);
    for (Procedure& p : module_.procedures) simplify(p);
  }

private:
  bool heap(Term variable) const { return variable->sort->kind == SortKind::Map; }

  bool counts(const Relevant& at, Term variable) const {
    return state_.contains(variable) ? kept_state_.contains(variable)
                                     : at.locals.contains(variable);
  }

  /// Adds what a term mentions; whether there was something new.
  bool need(Relevant& at, Term term, bool with_heap, bool with_state = true) {
    bool fresh = false;
    for (Term v : variables(term)) {
      if ((heap(v) && !with_heap) || (state_.contains(v) && !with_state)) continue;
      fresh |= state_.contains(v) ? kept_state_.insert(v).second : at.locals.insert(v).second;
    }
    return fresh;
  }

  void find_relevant() {
    std::vector<Deciders> control;
    for (const Procedure& p : module_.procedures) {
      control.push_back(deciders(p));
      relevant_.push_back(
          {std::vector<bool>(p.blocks.size(), false), std::vector<bool>(p.blocks.size(), false)});
    }
    for (Term t : module_.invariants)
      for (Term v : variables(t)) kept_state_.insert(v);
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      const Procedure& p = module_.procedures[i];
      Relevant& at = relevant_[i];
      for (Term t : p.preconditions) need(at, t, true);
      std::vector<BlockId> errors;
      for (BlockId b = 0; b < p.blocks.size(); ++b) {
        if (p.blocks[b].end.kind == TerminatorKind::Error) errors.push_back(b);
        if (p.blocks[b].end.kind == TerminatorKind::Throw && p.blocks[b].end.value)
          need(at, p.blocks[b].end.value, true);
      }
      if (detail_ != Detail::Slice) {
        shortest_ways(p, at);
        told_by_results(p, at);
      } else {
        lead_to(p, at, errors);
        for (BlockId b : errors) decide(i, control[i], b);
        for (BlockId b = 0; b < p.blocks.size(); ++b)
          if (at.before_error[b]) assumptions_of(p.blocks[b], at);
      }
      if (detail_ != Detail::Flags) keep_free_choices(p, at);
    }
    while (flow_back(control)) {
    }
  }

  void assumptions_of(const Block& block, Relevant& at) {
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Assume) need(at, s.value, true);
  }

  /// One way to each condition of an error: knowing what happens along it is enough to say that
  /// the call surely errs. Copies of a check that come later are reached in some way.
  void shortest_ways(const Procedure& p, Relevant& at) {
    if (p.blocks.empty()) return;
    constexpr BlockId unseen = static_cast<BlockId>(-1);
    std::vector<BlockId> from(p.blocks.size(), unseen);
    std::deque<BlockId> work{0};
    from[0] = 0;
    std::set<std::pair<Term, bool>> guards;
    // Breadth first by the number of branches: blocks behind a goto come first.
    while (!work.empty()) {
      const BlockId b = work.front();
      work.pop_front();
      const Terminator& end = p.blocks[b].end;
      if (end.kind == TerminatorKind::Error) {
        std::pair<Term, bool> guard{nullptr, false};
        if (const Terminator& last = p.blocks[from[b]].end; last.kind == TerminatorKind::Branch)
          guard = {last.value, last.next == b};
        if (!guards.insert(guard).second) continue;
        std::size_t branches = 0;
        for (BlockId on = b; on != 0; on = from[on])
          branches += p.blocks[from[on]].end.kind == TerminatorKind::Branch ? 1 : 0;
        if (detail_ == Detail::Flags && branches > longest_way) {
          if (guard.first) need(at, guard.first, true);
          continue;
        }
        for (BlockId on = b;; on = from[on]) {
          if (on != b && p.blocks[on].end.kind == TerminatorKind::Branch) {
            at.deciding[on] = true;
            need(at, p.blocks[on].end.value, true);
          }
          assumptions_of(p.blocks[on], at);
          if (on == 0) break;
        }
        continue;
      }
      for (BlockId s : successors(end)) {
        if (from[s] != unseen) continue;
        from[s] = b;
        if (end.kind == TerminatorKind::Goto)
          work.push_front(s);
        else
          work.push_back(s);
      }
    }
  }

  /// Conditions that split a returned value into outcomes: what locals say about it is cheap, and
  /// often the one thing that a client is told.
  void told_by_results(const Procedure& p, Relevant& at) {
    const auto returns = [&](BlockId b) {
      return p.blocks[b].statements.empty() && p.blocks[b].end.kind == TerminatorKind::Return;
    };
    for (const Block& b : p.blocks)
      if (b.end.kind == TerminatorKind::Branch && returns(b.end.next) && returns(b.end.other))
        need(at, b.end.value, false, false);
  }

  /// Assignments to what counts; whether there was something new.
  bool flow_back(const std::vector<Deciders>& control) {
    bool changed = false;
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      const Procedure& p = module_.procedures[i];
      Relevant& at = relevant_[i];
      for (BlockId b = 0; b < p.blocks.size(); ++b)
        for (const Statement& s : p.blocks[b].statements) {
          if (s.kind == StatementKind::Assume || !counts(at, s.target)) continue;
          if (s.kind == StatementKind::Assign)
            changed |= need(at, s.value, detail_ == Detail::Slice || heap(s.target),
                            detail_ != Detail::Flags);
          if (detail_ == Detail::Slice) changed |= decide(i, control[i], b);
        }
    }
    return changed;
  }

  /// What decides whether a block is reached counts.
  bool decide(std::size_t procedure, const Deciders& control, BlockId block) {
    Relevant& at = relevant_[procedure];
    bool changed = false;
    std::vector<std::size_t> work{block};
    while (!work.empty()) {
      const std::size_t b = work.back();
      work.pop_back();
      for (std::size_t d : control[b]) {
        if (at.deciding[d]) continue;
        at.deciding[d] = changed = true;
        const Terminator& end = module_.procedures[procedure].blocks[d].end;
        if (end.kind == TerminatorKind::Branch) need(at, end.value, true);
        work.push_back(d);
      }
    }
    return changed;
  }

  static void lead_to(const Procedure& p, Relevant& at, const std::vector<BlockId>& errors) {
    std::vector<std::vector<BlockId>> before(p.blocks.size());
    for (BlockId b = 0; b < p.blocks.size(); ++b)
      for (BlockId s : successors(p.blocks[b].end)) before[s].push_back(b);
    std::vector<BlockId> work = errors;
    for (BlockId b : work) at.before_error[b] = true;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      for (BlockId q : before[b])
        if (!at.before_error[q]) {
          at.before_error[q] = true;
          work.push_back(q);
        }
    }
  }

  /// Boolean locals that are only ever chosen cost nothing, and a choice of the environment says
  /// more than an unknown one.
  void keep_free_choices(const Procedure& p, Relevant& at) {
    std::unordered_set<Term> free;
    for (const Variable& v : p.locals)
      if (v.type.sort->kind == SortKind::Bool) free.insert(v.term);
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::Assign || s.kind == StatementKind::New) free.erase(s.target);
    at.locals.insert(free.begin(), free.end());
  }

  // Rewriting

  /// A term without what does not count: atoms that mention such a thing become unknown.
  Term without(const Relevant& at, Term t, std::vector<Term>& unknown, const Procedure& p) {
    const auto all = variables(t);
    if (std::ranges::all_of(all, [&](Term v) { return counts(at, v); })) return t;
    const bool connective = t->op == Op::Not || t->op == Op::And || t->op == Op::Or ||
                            (t->op == Op::Ite && t->sort->kind == SortKind::Bool);
    if (connective && std::ranges::any_of(all, [&](Term v) { return counts(at, v); })) {
      const std::size_t before = unknown.size();
      std::vector<Term> args;
      for (Term a : t->args) args.push_back(without(at, a, unknown, p));
      const Term made = arena_.rebuild(t, std::move(args));
      const bool all_unknown = std::ranges::all_of(
          variables(made), [&](Term v) { return std::ranges::find(unknown, v) != unknown.end(); });
      if (!all_unknown) return made;
      unknown.resize(before);
    }
    unknown.push_back(unknown_local(unknown.size()));
    return unknown.back();
  }

  Term unknown_local(std::size_t index) {
    while (unknowns_.size() <= index) {
      std::string name = "hidden" + std::to_string(unknowns_.size());
      const auto taken = [&](const std::string& n) {
        return module_.find_state(n) || std::ranges::any_of(module_.procedures, [&](const auto& p) {
                 return p.find_local(n) != nullptr;
               });
      };
      while (taken(name)) name += "'";
      unknowns_.push_back(arena_.var(name, arena_.bool_sort()));
    }
    return unknowns_[index];
  }

  /// A local of the type that the procedure returns.
  Term hidden_result(Procedure& p) {
    std::string name = "hidden result";
    while (module_.find_state(name)) name += "'";
    if (const Variable* known = p.find_local(name)) return known->term;
    p.locals.push_back({arena_.var(name, p.returns->sort), *p.returns});
    return p.locals.back().term;
  }

  static Statement choose(Term variable, const Location& where) {
    return {.kind = StatementKind::Havoc,
            .target = variable,
            .chooser = Chooser::Unknown,
            .where = where};
  }

  void hide(Procedure& p, const Relevant& at) {
    std::size_t most = 0;
    for (Block& b : p.blocks) {
      std::vector<Statement> made;
      for (Statement& s : b.statements) {
        if (s.kind != StatementKind::Assume && !counts(at, s.target)) continue;
        std::vector<Term> unknown;
        if (s.kind == StatementKind::Assume ||
            (s.kind == StatementKind::Assign && s.value->sort->kind == SortKind::Bool)) {
          s.value = without(at, s.value, unknown, p);
          for (Term u : unknown) made.push_back(choose(u, s.where));
          most = std::max(most, unknown.size());
        } else if (s.kind == StatementKind::Assign &&
                   !std::ranges::all_of(variables(s.value),
                                        [&](Term v) { return counts(at, v); })) {
          s = choose(s.target, s.where);
        }
        made.push_back(std::move(s));
      }
      drop_repeated(made);
      b.statements = std::move(made);
      if (b.end.kind == TerminatorKind::Branch) {
        std::vector<Term> unknown;
        b.end.value = without(at, b.end.value, unknown, p);
        for (Term u : unknown) b.statements.push_back(choose(u, b.end.where));
        most = std::max(most, unknown.size());
      } else if (b.end.kind == TerminatorKind::Return && b.end.value &&
                 !std::ranges::all_of(variables(b.end.value),
                                      [&](Term v) { return counts(at, v); })) {
        b.end.value = nullptr; // outcomes have been split already
        if (results_ == Results::Observed) {
          b.end.value = hidden_result(p);
          b.statements.push_back(choose(b.end.value, b.end.where));
        }
      }
    }
    const bool valued = std::ranges::none_of(p.blocks, [](const Block& b) {
      return b.end.kind == TerminatorKind::Return && b.end.value == nullptr;
    });
    if (!valued) {
      p.returns.reset();
      for (Block& b : p.blocks)
        if (b.end.kind == TerminatorKind::Return) b.end.value = nullptr;
    }
    for (std::size_t i = 0; i < most; ++i)
      p.locals.push_back({unknown_local(i), Type{.sort = arena_.bool_sort()}});
  }

  /// A choice that is made again before anyone looks.
  static void drop_repeated(std::vector<Statement>& statements) {
    for (std::size_t i = 0; i + 1 < statements.size();)
      if (statements[i].kind == StatementKind::Havoc &&
          statements[i + 1].kind == StatementKind::Havoc &&
          statements[i].target == statements[i + 1].target)
        statements.erase(statements.begin() + static_cast<std::ptrdiff_t>(i));
      else
        ++i;
  }

  // Smaller graphs

  void simplify(Procedure& p) {
    tidy(p);
    for (std::size_t before = p.blocks.size() + 1; before > p.blocks.size();) {
      before = p.blocks.size();
      for (Block& b : p.blocks) drop_repeated(b.statements);
      const Procedure kept = p;
      merge_equal(p);
      shorten_choices(p);
      tidy(p);
      // Loops that were merged may have two entries, which nobody can follow.
      if (!reducible(p)) {
        p = kept;
        shorten_choices(p);
        tidy(p);
      }
      if (!reducible(p)) p = kept;
    }
  }

  static bool reducible(const Procedure& p) {
    return unroll(p, [](BlockId) { return std::size_t{0}; }, SIZE_MAX).has_value();
  }

  using StatementKey = std::tuple<StatementKind, Term, Term, Chooser, std::string>;
  using BlockKey = std::tuple<std::vector<StatementKey>, TerminatorKind, Term, std::string, int,
                              bool, bool, std::string, std::vector<std::size_t>>;

  /// Blocks that do the same and go on the same way become one, by partition refinement.
  void merge_equal(Procedure& p) {
    std::vector<std::size_t> part(p.blocks.size(), 0);
    for (std::size_t parts = 1;;) {
      std::map<BlockKey, std::size_t> known;
      std::vector<std::size_t> finer(p.blocks.size());
      for (BlockId b = 0; b < p.blocks.size(); ++b) {
        const Block& block = p.blocks[b];
        std::vector<StatementKey> statements;
        for (const Statement& s : block.statements)
          statements.emplace_back(s.kind, s.target, s.value, s.chooser, s.record);
        std::vector<std::size_t> next{part[b]};
        for (BlockId s : successors(block.end)) next.push_back(part[s]);
        // Which error it is and where matters to people.
        const bool error = block.end.kind == TerminatorKind::Error;
        BlockKey key{std::move(statements),
                     block.end.kind,
                     block.end.value,
                     error ? block.end.name : std::string(),
                     block.end.outcome,
                     block.end.environment,
                     block.end.rejecting,
                     error ? to_string(block.end.where) + block.end.procedure : std::string(),
                     std::move(next)};
        finer[b] = known.try_emplace(std::move(key), known.size()).first->second;
      }
      part = std::move(finer);
      if (known.size() == parts) break;
      parts = known.size();
    }
    std::map<std::size_t, BlockId> first;
    for (BlockId b = 0; b < p.blocks.size(); ++b) first.try_emplace(part[b], b);
    for (Block& b : p.blocks) {
      if (b.end.kind == TerminatorKind::Goto || b.end.kind == TerminatorKind::Branch)
        b.end.next = first[part[b.end.next]];
      if (b.end.kind == TerminatorKind::Branch) b.end.other = first[part[b.end.other]];
    }
  }

  /// A block that does nothing but choose blindly between two others.
  bool blind_choice(const Block& b) const {
    return b.end.kind == TerminatorKind::Branch && !unknowns_.empty() &&
           (b.end.value == unknowns_[0] ||
            (b.end.value->op == Op::Not && b.end.value->args[0] == unknowns_[0])) &&
           !b.statements.empty() && is_choice(b.statements.back());
  }
  bool is_choice(const Statement& s) const {
    return s.kind == StatementKind::Havoc && s.target == unknowns_[0] &&
           s.chooser == Chooser::Unknown;
  }

  /// A net of blind choices, loops included, is one choice among the blocks that it leads to.
  void shorten_choices(Procedure& p) {
    const std::size_t blocks = p.blocks.size();
    for (BlockId b = 0; b < blocks; ++b) {
      if (!blind_choice(p.blocks[b])) continue;
      std::vector<BlockId> work{p.blocks[b].end.other, p.blocks[b].end.next}, leads;
      std::set<BlockId> seen(work.begin(), work.end());
      std::vector<BlockId> passed;
      bool blocked = false;
      while (!work.empty()) {
        const BlockId at = work.back();
        work.pop_back();
        const Block& block = p.blocks[at];
        const bool inside =
            (blind_choice(block) || block.end.kind == TerminatorKind::Goto) &&
            std::ranges::all_of(block.statements, [&](const Statement& s) {
              return is_choice(s) || (s.kind == StatementKind::Assume && s.value == unknowns_[0]);
            });
        if (!inside) {
          leads.push_back(at);
          continue;
        }
        passed.push_back(at);
        blocked |= std::ranges::any_of(
            block.statements, [](const Statement& s) { return s.kind == StatementKind::Assume; });
        for (BlockId s : successors(block.end))
          if (seen.insert(s).second) work.push_back(s);
      }
      if (passed.empty() || leads.empty() || leads.size() > passed.size() + 2) continue;
      const Terminator end = p.blocks[b].end;
      if (blocked || cyclic(p, passed)) {
        // Whether a run comes out of it is not known.
        p.blocks[b].statements.push_back(
            {.kind = StatementKind::Assume, .value = unknowns_[0], .where = end.where});
        if (leads.size() > 1) p.blocks[b].statements.push_back(choose(unknowns_[0], end.where));
      }
      std::ranges::sort(leads);
      chain(p, b, leads, end);
    }
  }

  /// Whether some of the blocks form a loop.
  static bool cyclic(const Procedure& p, const std::vector<BlockId>& blocks) {
    std::map<BlockId, std::size_t> entries; // edges from blocks that are left
    for (BlockId b : blocks) entries[b] = 0;
    for (BlockId b : blocks)
      for (BlockId s : successors(p.blocks[b].end))
        if (auto found = entries.find(s); found != entries.end()) ++found->second;
    std::vector<BlockId> work;
    for (const auto& [b, number] : entries)
      if (number == 0) work.push_back(b);
    std::size_t gone = 0;
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      ++gone;
      for (BlockId s : successors(p.blocks[b].end))
        if (auto found = entries.find(s); found != entries.end() && --found->second == 0)
          work.push_back(s);
    }
    return gone < blocks.size();
  }

  /// Ends block `b` in a blind choice among several; its own choice has been made.
  void chain(Procedure& p, BlockId b, const std::vector<BlockId>& leads, const Terminator& like) {
    BlockId at = b;
    for (std::size_t i = 0; i + 1 < leads.size(); ++i) {
      Terminator end = like;
      end.value = unknowns_[0];
      end.next = leads[i];
      const bool last = i + 2 == leads.size();
      end.other = last ? leads[i + 1] : static_cast<BlockId>(p.blocks.size());
      p.blocks[at].end = std::move(end);
      if (last) return;
      at = static_cast<BlockId>(p.blocks.size());
      p.blocks.push_back({{choose(unknowns_[0], like.where)}, like});
    }
    p.blocks[at].end = {.kind = TerminatorKind::Goto,
                        .next = leads[0],
                        .procedure = like.procedure,
                        .where = like.where};
  }

  Module& module_;
  TermArena& arena_;
  Detail detail_;
  Results results_;
  std::unordered_set<Term> state_, kept_state_;
  std::vector<Relevant> relevant_;
  std::vector<Term> unknowns_; // locals of all procedures that hold unknown choices
};

} // namespace

void coarsen(Module& module, Detail detail, Results results) {
  if (detail != Detail::All) Coarsening(module, detail, results).run();
}

} // namespace tacit
