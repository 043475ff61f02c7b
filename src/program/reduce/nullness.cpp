#include "program/reduce/nullness.h"

#include <unordered_map>
#include <unordered_set>

#include "logic/term/print.h"

namespace tacit {

namespace {

class NullAbstraction {
public:
  NullAbstraction(Module& module, Results results)
      : module_(module), arena_(*module.arena), results_(results) {}

  void run() {
    if (results_ == Results::Dropped) drop_returned();
    auto take = [&](const Variable& v) {
      if (v.type.sort == arena_.ref_sort()) candidates_.insert(v.term);
    };
    for (const StateVariable& v : module_.state) take(v);
    for (const Procedure& p : module_.procedures) {
      for (const Variable& v : p.locals) take(v);
      for (const Variable& v : p.parameters)
        if (results_ == Results::Dropped)
          take(v);
        else if (v.type.sort == arena_.ref_sort())
          passed_.insert(v.term);
    }
    for (Term v : passed_) candidates_.erase(v); // locals elsewhere may share the term
    for (std::size_t before = candidates_.size() + 1; before != candidates_.size();) {
      before = candidates_.size();
      each_term([&](Term t) { scan(t); });
      each_assignment([&](const Statement& s) { scan_assignment(s); });
    }
    if (!candidates_.empty()) rewrite();
  }

private:
  void drop_returned() {
    for (Procedure& p : module_.procedures) {
      if (!p.returns || p.returns->sort != arena_.ref_sort()) continue;
      p.returns.reset();
      for (Block& b : p.blocks)
        if (b.end.kind == TerminatorKind::Return) b.end.value = nullptr;
    }
  }

  /// Everything but assigned references.
  template <class Visit> void each_term(Visit visit) {
    for (Term t : module_.invariants) visit(t);
    for (Procedure& p : module_.procedures) {
      for (Term t : p.preconditions) visit(t);
      for (Block& b : p.blocks) {
        for (Statement& s : b.statements)
          if (s.value && s.value->sort != arena_.ref_sort()) visit(s.value);
        if (b.end.value) visit(b.end.value);
      }
    }
  }

  template <class Visit> void each_assignment(Visit visit) {
    for (Procedure& p : module_.procedures)
      for (Block& b : p.blocks)
        for (Statement& s : b.statements)
          if (s.kind == StatementKind::Assign && s.value->sort == arena_.ref_sort()) visit(s);
  }

  void lose(Term term) {
    for (const Term v : variables(term)) candidates_.erase(v);
  }

  /// Whether a reference is built from candidates, what is passed and null alone.
  bool simple(Term t) const {
    if (t->op == Op::Var) return candidates_.contains(t) || passed_.contains(t);
    if (t->op == Op::RefConst) return t->number == 0;
    return t->op == Op::Ite && simple(t->args[1]) && simple(t->args[2]);
  }

  static bool is_null(Term t) { return t->op == Op::RefConst && t->number == 0; }

  void scan_conditions(Term t) {
    if (t->op != Op::Ite) return;
    scan(t->args[0]);
    scan_conditions(t->args[1]);
    scan_conditions(t->args[2]);
  }

  void scan(Term t) {
    if (t->op == Op::Eq && t->args[0]->sort == arena_.ref_sort()) {
      if (is_null(t->args[1]) && simple(t->args[0])) return scan_conditions(t->args[0]);
      return lose(t);
    }
    if (t->op == Op::Var) {
      candidates_.erase(t);
      return;
    }
    for (const Term a : t->args) scan(a);
  }

  void scan_assignment(const Statement& s) {
    if (candidates_.contains(s.target) && simple(s.value)) return scan_conditions(s.value);
    candidates_.erase(s.target);
    lose(s.value);
  }

  // --- rewriting

  Term boolean(Term variable) {
    return arena_.var(variable->name + std::string(not_null_suffix), arena_.bool_sort());
  }

  /// Whether a simple reference is not null.
  Term present(Term t) {
    if (t->op == Op::Var) return passed_.contains(t) ? arena_.ne(t, arena_.null()) : boolean(t);
    if (t->op == Op::RefConst) return arena_.falsehood();
    return arena_.ite(translated(t->args[0]), present(t->args[1]), present(t->args[2]));
  }

  Term translated(Term t) {
    if (t->args.empty()) return t;
    if (const auto known = done_.find(t); known != done_.end()) return known->second;
    Term made = nullptr;
    if (t->op == Op::Eq && t->args[0]->sort == arena_.ref_sort() && is_null(t->args[1]) &&
        simple(t->args[0])) {
      made = arena_.negate(present(t->args[0]));
    } else {
      std::vector<Term> args;
      for (const Term a : t->args) args.push_back(translated(a));
      made = arena_.rebuild(t, std::move(args));
    }
    return done_[t] = made;
  }

  void rewrite_variable(Variable& v) {
    if (!candidates_.contains(v.term)) return;
    v.term = boolean(v.term);
    v.type = Type{.sort = arena_.bool_sort()};
  }

  void rewrite_statement(Statement& s) {
    const bool target = s.target && candidates_.contains(s.target);
    if (s.kind == StatementKind::New && target) {
      s.kind = StatementKind::Assign;
      s.value = arena_.truth();
      s.record.clear();
    } else if (s.value) {
      s.value = s.kind == StatementKind::Assign && target ? present(s.value) : translated(s.value);
    }
    if (!target) return;
    s.target = boolean(s.target);
    if (s.opaque && s.kind == StatementKind::Havoc && s.opaque->result) {
      OpaqueChoice now = *s.opaque;
      now.if_true = "returns a value != null";
      now.if_false = "returns null";
      s.opaque = std::make_shared<const OpaqueChoice>(std::move(now));
    }
  }

  void rewrite() {
    for (Term& t : module_.invariants) t = translated(t);
    for (Procedure& p : module_.procedures) {
      for (Term& t : p.preconditions) t = translated(t);
      for (Block& b : p.blocks) {
        for (Statement& s : b.statements) rewrite_statement(s);
        if (b.end.value) b.end.value = translated(b.end.value);
      }
      for (auto* list : {&p.parameters, &p.locals})
        for (Variable& v : *list) rewrite_variable(v);
    }
    for (StateVariable& v : module_.state) {
      if (candidates_.contains(v.term) && v.initial) v.initial = present(v.initial);
      rewrite_variable(v);
    }
  }

  Module& module_;
  TermArena& arena_;
  Results results_;
  std::unordered_set<Term> candidates_;
  std::unordered_set<Term> passed_; // parameters that stay references
  std::unordered_map<Term, Term> done_;
};

} // namespace

void abstract_nullness(Module& module, Results results) { NullAbstraction(module, results).run(); }

} // namespace tacit
