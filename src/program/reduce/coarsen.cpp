#include "program/reduce/coarsen.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <tuple>

#include "program/graph/branches.h"
#include "program/graph/dependence.h"
#include "program/graph/unroll.h"
#include "program/graph/uses.h"

namespace tacit {

namespace {

/// Branches on the way to an error that are all looked at with Detail::Flags; further away, the
/// last one alone.
constexpr std::ptrdiff_t longest_way = 5;

class Coarsening {
public:
  Coarsening(Module& module, Detail detail, Results results)
      : module_(module), arena_(*module.arena), detail_(detail), results_(results),
        graph_(module, {.control = detail == Detail::Slice ? Control::Decides : Control::None,
                        .flows = [this](const Statement& s, Term v) { return flows(s, v); }}),
        kept_(graph_) {}

  void run() {
    add_sinks();
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      hide(i);
      simplify(module_.procedures[i]);
    }
    slice(module_, results_);
    for (Procedure& p : module_.procedures) simplify(p);
  }

private:
  static bool heap(Term variable) { return variable->sort->kind == SortKind::Map; }

  bool flows(const Statement& assignment, Term read) const {
    if (detail_ == Detail::Slice) return true;
    return (!heap(read) || heap(assignment.target)) &&
           (detail_ != Detail::Flags || !module_.state_index(read));
  }

  // Sinks

  void add_sinks() {
    for (Term t : module_.invariants) kept_.add_state(t);
    for (std::size_t i = 0; i < module_.procedures.size(); ++i) {
      const Procedure& p = module_.procedures[i];
      for (Term t : p.preconditions) kept_.add(i, t);
      for (const Block& b : p.blocks)
        if (b.end.kind == TerminatorKind::Throw) kept_.add(i, b.end.value);
      if (detail_ == Detail::Slice) {
        errors(i);
      } else {
        shortest_ways(i);
        told_by_results(i);
      }
      if (detail_ != Detail::Flags) keep_free_choices(i);
    }
  }

  void assumptions_of(std::size_t i, const Block& block) {
    for (const Statement& s : block.statements)
      if (s.kind == StatementKind::Assume) kept_.add(i, s.value);
  }

  /// What decides whether an error is reached, and what is assumed where one can be.
  void errors(std::size_t i) {
    const auto& blocks = module_.procedures[i].blocks;
    std::vector<std::vector<BlockId>> before(blocks.size());
    std::vector<bool> leads(blocks.size(), false);
    std::vector<BlockId> work;
    for (BlockId b = 0; b < blocks.size(); ++b) {
      for (BlockId s : successors(blocks[b].end)) before[s].push_back(b);
      if (blocks[b].end.kind != TerminatorKind::Error) continue;
      kept_.add(graph_.run(i, b));
      work.push_back(b);
    }
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (leads[b]) continue;
      leads[b] = true;
      assumptions_of(i, blocks[b]);
      work.insert(work.end(), before[b].begin(), before[b].end());
    }
  }

  /// One way to each condition of an error: knowing what happens along it is enough to say that
  /// the call surely errs. Copies of a check that come later are reached in some way.
  void shortest_ways(std::size_t i) {
    const Procedure& p = module_.procedures[i];
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
        if (guards.insert(guard).second) follow_way(i, from, b, guard.first);
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

  /// Conditions and assumptions on the way to an error, or its guard alone.
  void follow_way(std::size_t i, const std::vector<BlockId>& from, BlockId error, Term guard) {
    const auto& blocks = module_.procedures[i].blocks;
    std::vector<BlockId> way{error};
    while (way.back() != 0) way.push_back(from[way.back()]);
    const auto branches = std::ranges::count_if(
        way, [&](BlockId b) { return blocks[b].end.kind == TerminatorKind::Branch; });
    if (detail_ == Detail::Flags && branches > longest_way) return kept_.add(i, guard);
    for (BlockId b : way) {
      if (blocks[b].end.kind == TerminatorKind::Branch) kept_.add(i, blocks[b].end.value);
      assumptions_of(i, blocks[b]);
    }
  }

  /// Conditions that split a returned value into outcomes: what locals say about it is cheap, and
  /// often the one thing that a client is told.
  void told_by_results(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    const auto returns = [&](BlockId b) {
      return p.blocks[b].statements.empty() && p.blocks[b].end.kind == TerminatorKind::Return;
    };
    for (const Block& b : p.blocks) {
      if (b.end.kind != TerminatorKind::Branch || !returns(b.end.next) || !returns(b.end.other))
        continue;
      for (Term v : variables(b.end.value))
        if (!heap(v) && !module_.state_index(v)) kept_.add(i, v);
    }
  }

  /// Boolean locals that are only ever chosen cost nothing, and a choice of the environment says
  /// more than an unknown one.
  void keep_free_choices(std::size_t i) {
    const Procedure& p = module_.procedures[i];
    VariableSet computed;
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements)
        if (s.kind == StatementKind::Assign || s.kind == StatementKind::New)
          computed.insert(s.target);
    for (const Variable& v : p.locals)
      if (v.type.sort->kind == SortKind::Bool && !computed.contains(v.term)) kept_.add(i, v.term);
  }

  // Rewriting

  /// A term without what does not count: atoms that mention such a thing become unknown.
  Term without(std::size_t i, Term t, std::vector<Term>& unknown) {
    if (kept_.has_all(i, t)) return t;
    const bool connective = t->op == Op::Not || t->op == Op::And || t->op == Op::Or ||
                            (t->op == Op::Ite && t->sort->kind == SortKind::Bool);
    if (connective && std::ranges::any_of(variables(t), [&](Term v) { return kept_.has(i, v); })) {
      const std::size_t before = unknown.size();
      std::vector<Term> args;
      for (Term a : t->args) args.push_back(without(i, a, unknown));
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

  void hide(std::size_t i) {
    Procedure& p = module_.procedures[i];
    std::size_t most = 0;
    for (Block& b : p.blocks) {
      std::vector<Statement> made;
      for (Statement& s : b.statements) {
        if (s.kind != StatementKind::Assume && !kept_.has(i, s.target)) continue;
        std::vector<Term> unknown;
        if (s.kind == StatementKind::Assume ||
            (s.kind == StatementKind::Assign && s.value->sort->kind == SortKind::Bool)) {
          s.value = without(i, s.value, unknown);
          for (Term u : unknown) made.push_back(choose(u, s.where));
          most = std::max(most, unknown.size());
        } else if (s.kind == StatementKind::Assign && !kept_.has_all(i, s.value)) {
          s = choose(s.target, s.where);
        }
        made.push_back(std::move(s));
      }
      drop_repeated(made);
      b.statements = std::move(made);
      if (b.end.kind == TerminatorKind::Branch) {
        std::vector<Term> unknown;
        b.end.value = without(i, b.end.value, unknown);
        for (Term u : unknown) b.statements.push_back(choose(u, b.end.where));
        most = std::max(most, unknown.size());
      } else if (b.end.kind == TerminatorKind::Return && b.end.value &&
                 !kept_.has_all(i, b.end.value)) {
        b.end.value = nullptr; // outcomes have been split already
        if (results_ == Results::Observed) {
          b.end.value = hidden_result(p);
          b.statements.push_back(choose(b.end.value, b.end.where));
        }
      }
    }
    drop_partial_results(p);
    for (std::size_t u = 0; u < most; ++u)
      p.locals.push_back({unknown_local(u), Type{.sort = arena_.bool_sort()}});
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
    p.blocks[at].end = like;
    go_to(p.blocks[at], leads[0]);
  }

  Module& module_;
  TermArena& arena_;
  Detail detail_;
  Results results_;
  DependenceGraph graph_;
  Cone kept_;
  std::vector<Term> unknowns_; // locals of all procedures that hold unknown choices
};

} // namespace

void coarsen(Module& module, Detail detail, Results results) {
  if (detail != Detail::All) Coarsening(module, detail, results).run();
}

} // namespace tacit
