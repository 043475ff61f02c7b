// Two steps, repeated while they change something: forward substitution by a must-analysis of
// available copies, and removal of dead locals.
#include "program/reduce/fold.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "program/graph/uses.h"

namespace tacit {

namespace {

constexpr std::size_t largest_value = 12; // nodes of a term that is copied to more than one place

/// Whether a term, written out, has more nodes than `left`; looks at no more than that.
bool exceeds(Term term, std::size_t& left) {
  if (left-- == 0) return true;
  return std::ranges::any_of(term->args, [&](Term argument) { return exceeds(argument, left); });
}

bool is_large(Term term) {
  std::size_t left = largest_value;
  return exceeds(term, left);
}

using Copies = std::set<std::size_t>; // indices of definitions that hold

class Folding {
public:
  explicit Folding(Procedure& procedure) : procedure_(procedure) {
    for (const Variable& v : procedure.locals) locals_.insert(v.term);
  }

  bool run() {
    find_definitions();
    bool changed = substitute_copies();
    changed |= drop_dead();
    return changed;
  }

private:
  struct Definition {
    Term target = nullptr, value = nullptr;
    std::set<Term, TermById> reads;
    Location where;
  };

  void find_definitions() {
    std::unordered_map<Term, int> writes;
    std::unordered_map<Term, int> uses;
    each_write(procedure_, [&](Term t, Term) { ++writes[t]; });
    each_read(procedure_, [&](Term t, Term) {
      for (const Term v : variables(t)) ++uses[v];
    });
    definitions_.clear();
    index_.clear();
    for (const Block& block : procedure_.blocks)
      for (const Statement& s : block.statements) {
        if (s.kind != StatementKind::Assign || !locals_.contains(s.target)) continue;
        if (writes[s.target] != 1) continue;
        const auto read = variables(s.value);
        if (std::ranges::find(read, s.target) != read.end()) continue;
        if (uses[s.target] > 1 && is_large(s.value)) continue;
        // Ranged locals carry an assumption; it goes with them only where the value carries it too.
        index_[s.target] = definitions_.size();
        definitions_.push_back({s.target, s.value, {read.begin(), read.end()}, s.where});
      }
  }

  /// What holds after a variable was written.
  void kill(Copies& copies, Term written) const {
    std::erase_if(copies, [&](std::size_t i) {
      return definitions_[i].target == written || definitions_[i].reads.contains(written);
    });
  }

  void after(Copies& copies, const Statement& s) const {
    if (!s.target) return;
    kill(copies, s.target);
    if (s.kind != StatementKind::Assign) return;
    if (const auto found = index_.find(s.target);
        found != index_.end() && definitions_[found->second].value == s.value)
      copies.insert(found->second);
  }

  bool substitute_copies() {
    if (definitions_.empty()) return false;
    const std::size_t size = procedure_.blocks.size();
    Copies all;
    for (std::size_t i = 0; i < definitions_.size(); ++i) all.insert(i);
    std::vector<Copies> in(size, all);
    in[0].clear();
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId b = 0; b < size; ++b) {
        const Block& block = procedure_.blocks[b];
        Copies out = in[b];
        for (const Statement& s : block.statements) after(out, s);
        // A callee may change any state; only what is read by the copy matters, and state is not
        // local.
        if (block.end.kind == TerminatorKind::Call)
          std::erase_if(out, [&](std::size_t i) {
            return std::ranges::any_of(definitions_[i].reads, [&](Term t) {
              return !locals_.contains(t) && !is_parameter(t);
            });
          });
        if (block.end.result) kill(out, block.end.result);
        for (const Handler& h : block.end.handlers)
          if (h.binder) kill(out, h.binder);
        for (const BlockId next : successors(block.end)) {
          Copies meet;
          std::ranges::set_intersection(in[next], out, std::inserter(meet, meet.end()));
          if (next == 0) meet.clear();
          if (meet.size() == in[next].size()) continue;
          in[next] = std::move(meet);
          changed = true;
        }
      }
    }
    bool replaced = false;
    for (BlockId b = 0; b < size; ++b) {
      Copies now = in[b];
      Block& block = procedure_.blocks[b];
      for (Statement& s : block.statements) {
        const Statement old = s;
        replaced |= replace(s.value, now);
        after(now, old);
      }
      const Term before = block.end.value;
      if (replace(block.end.value, now)) {
        replaced = true;
        keep_site(block.end, before);
      }
      for (Term& t : block.end.arguments) replaced |= replace(t, now);
    }
    return replaced;
  }

  /// What is thrown was made where its variable was set.
  void keep_site(Terminator& end, Term before) const {
    if (end.kind != TerminatorKind::Throw || end.made.known() || before->op != Op::Var ||
        !is_constant(end.value))
      return;
    const Location& where = definitions_[index_.at(before)].where;
    if (where.known() && !(where == end.where)) end.made = where;
  }

  bool is_parameter(Term t) const {
    return std::ranges::any_of(procedure_.parameters,
                               [&](const Variable& v) { return v.term == t; });
  }

  bool replace(Term& term, const Copies& now) {
    if (!term || now.empty()) return false;
    Substitution by;
    for (const Term v : variables(term))
      if (const auto found = index_.find(v); found != index_.end() && now.contains(found->second))
        by.emplace(v, definitions_[found->second].value);
    if (by.empty()) return false;
    const Term made = substitute(*arena_, term, by);
    if (made == term) return false;
    term = made;
    return true;
  }

  bool drop_dead() {
    VariableSet read;
    each_read(procedure_, [&](Term t, Term) { add_variables(read, t); });
    const auto dead = [&](Term t) { return t && locals_.contains(t) && !read.contains(t); };
    bool changed = false;
    for (Block& block : procedure_.blocks) {
      changed |= std::erase_if(block.statements, [&](const Statement& s) {
                   return (s.kind != StatementKind::Assume && dead(s.target)) ||
                          (s.kind == StatementKind::Assign && s.target == s.value);
                 }) > 0;
      if (dead(block.end.result)) {
        block.end.result = nullptr;
        changed = true;
      }
      for (Handler& h : block.end.handlers)
        if (dead(h.binder)) {
          h.binder = nullptr;
          changed = true;
        }
    }
    drop_unused_locals(procedure_);
    return changed;
  }

public:
  TermArena* arena_ = nullptr;

private:
  Procedure& procedure_;
  VariableSet locals_;
  std::vector<Definition> definitions_;
  std::unordered_map<Term, std::size_t> index_;
};

} // namespace

void fold(const Module& module, Procedure& procedure) {
  for (int i = 0; i < 20; ++i) {
    Folding folding(procedure);
    folding.arena_ = module.arena.get();
    if (!folding.run()) break;
    tidy(procedure);
  }
}

} // namespace tacit
