#include "program/reduce/attach_fields.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "program/graph/uses.h"
#include "program/ir/defaults.h"

namespace tacit {

namespace {

using TermSet = std::set<Term, TermById>;

class FieldAttachment {
public:
  explicit FieldAttachment(Module& module) : module_(module), arena_(*module.arena) {}

  void run() {
    collect();
    if (fields_.empty()) return;
    for (std::size_t before = 0; before != fields_.size() + references_.size();) {
      before = fields_.size() + references_.size();
      each_term([&](Term t) { scan(t); });
      each_assignment([&](const Statement& s) { scan_assignment(s); });
    }
    find_needed();
    if (!needed_.empty()) rewrite();
  }

private:
  bool is_reference(Term t) const { return t->sort == arena_.ref_sort(); }

  void collect() {
    for (const StateVariable& v : module_.state) {
      if (is_reference(v.term)) references_.insert(v.term);
      if (!v.client && !v.initial && v.type.value && v.type.key->sort == arena_.ref_sort() &&
          !v.type.value->value && v.type.value->sort != arena_.ref_sort())
        fields_.emplace(v.term, *v.type.value);
    }
    for (const Procedure& p : module_.procedures) {
      for (const auto* list : {&p.parameters, &p.locals})
        for (const Variable& v : *list)
          if (is_reference(v.term)) references_.insert(v.term);
      for (const Block& b : p.blocks)
        for (const Statement& s : b.statements)
          if (s.target) fields_.erase(s.target);
    }
  }

  template <class Visit> void each_term(Visit visit) {
    for (Term t : module_.invariants) visit(t);
    for (Procedure& p : module_.procedures) {
      for (Term t : p.preconditions) visit(t);
      for (Block& b : p.blocks) {
        for (Statement& s : b.statements)
          if (s.value && !(s.kind == StatementKind::Assign && is_reference(s.value)))
            visit(s.value);
        // A reference that is returned has become an outcome.
        if (b.end.value && !is_reference(b.end.value)) visit(b.end.value);
      }
    }
  }

  template <class Visit> void each_assignment(Visit visit) {
    for (Procedure& p : module_.procedures)
      for (Block& b : p.blocks)
        for (Statement& s : b.statements)
          if (s.kind == StatementKind::Assign && is_reference(s.value)) visit(s);
  }

  static bool is_null(Term t) { return t->op == Op::RefConst && t->number == 0; }

  /// Made of candidates and null alone.
  bool simple(Term t) const {
    if (t->op == Op::Var) return references_.contains(t);
    if (t->op == Op::Ite) return simple(t->args[1]) && simple(t->args[2]);
    return is_null(t);
  }

  /// Everything in a term whose parts are used in some other way.
  void lose(Term term) {
    for (const Term v : variables(term)) {
      references_.erase(v);
      fields_.erase(v);
    }
  }

  void scan_conditions(Term t) {
    if (t->op != Op::Ite) return;
    scan(t->args[0]);
    scan_conditions(t->args[1]);
    scan_conditions(t->args[2]);
  }

  void scan(Term t) {
    if (t->op == Op::Eq && is_reference(t->args[0])) {
      for (std::size_t side : {0u, 1u})
        if (is_null(t->args[side]) && simple(t->args[1 - side]))
          return scan_conditions(t->args[1 - side]);
      return lose(t);
    }
    if (t->op == Op::Select && fields_.contains(t->args[0]) && !is_null(t->args[1]) &&
        simple(t->args[1]))
      return scan_conditions(t->args[1]);
    if (t->op == Op::Var) return lose(t);
    for (const Term a : t->args) scan(a);
  }

  void scan_assignment(const Statement& s) {
    if (references_.contains(s.target) && simple(s.value)) return scan_conditions(s.value);
    references_.erase(s.target);
    lose(s.value);
  }

  // --- which reference needs which field

  void need(Term reference, Term field) {
    if (reference->op == Op::Var) needed_[reference].insert(field);
    if (reference->op != Op::Ite) return;
    need(reference->args[1], field);
    need(reference->args[2], field);
  }

  void find_reads(Term t, TermSet& seen) {
    if (!seen.insert(t).second) return;
    if (t->op == Op::Select && fields_.contains(t->args[0])) need(t->args[1], t->args[0]);
    for (const Term a : t->args) find_reads(a, seen);
  }

  std::size_t needs() const {
    std::size_t all = 0;
    for (const auto& [reference, fields] : needed_) all += fields.size();
    return all;
  }

  void find_needed() {
    TermSet seen;
    each_term([&](Term t) { find_reads(t, seen); });
    each_assignment([&](const Statement& s) { find_reads(s.value, seen); });
    for (std::size_t before = needs() + 1; before != needs();) {
      before = needs();
      each_assignment([&](const Statement& s) {
        if (const auto wanted = needed_.find(s.target); wanted != needed_.end())
          for (const Term field : TermSet(wanted->second)) need(s.value, field);
      });
    }
  }

  // --- rewriting

  Term beside(Term reference, Term field) {
    return arena_.var(field->name + "[" + reference->name + "]", fields_.at(field).sort);
  }

  /// What a field of a simple reference holds.
  Term held(Term reference, Term field) {
    if (reference->op == Op::Var) return beside(reference, field);
    if (reference->op != Op::Ite) return default_term(arena_, fields_.at(field));
    return arena_.ite(translated(reference->args[0]), held(reference->args[1], field),
                      held(reference->args[2], field));
  }

  Term translated(Term t) {
    if (t->args.empty()) return t;
    if (const auto known = done_.find(t); known != done_.end()) return known->second;
    Term made = nullptr;
    if (t->op == Op::Select && fields_.contains(t->args[0])) {
      made = held(t->args[1], t->args[0]);
    } else {
      std::vector<Term> args;
      for (const Term a : t->args) args.push_back(translated(a));
      made = arena_.rebuild(t, std::move(args));
    }
    return done_[t] = made;
  }

  /// The reference is chosen or copied, and what it holds with it.
  void rewrite_statement(const Statement& s, std::vector<Statement>& made) {
    made.push_back(s);
    if (s.value) made.back().value = translated(s.value);
    const auto wanted = s.target ? needed_.find(s.target) : needed_.end();
    if (wanted == needed_.end()) return;
    // All values are taken before the reference changes: `r := c ? r : q`.
    std::vector<Statement> more;
    for (const Term field : wanted->second) {
      Statement also{
          .kind = StatementKind::Assign, .target = beside(s.target, field), .where = s.where};
      if (s.kind == StatementKind::Assign) {
        if (is_null(s.value)) continue;
        also.value = held(s.value, field);
      } else {
        also.kind = StatementKind::Havoc;
        also.chooser = s.kind == StatementKind::Havoc ? s.chooser : Chooser::Unknown;
      }
      more.push_back(std::move(also));
    }
    made.insert(s.kind == StatementKind::Assign ? made.end() - 1 : made.end(), more.begin(),
                more.end());
  }

  template <class List> void add_beside(const List& from, std::vector<Variable>& into) {
    for (const auto& v : from)
      if (const auto wanted = needed_.find(v.term); wanted != needed_.end())
        for (const Term field : wanted->second)
          into.push_back({beside(v.term, field), fields_.at(field)});
  }

  void rewrite(Procedure& p) {
    for (Term& t : p.preconditions) t = translated(t);
    for (Block& b : p.blocks) {
      std::vector<Statement> made;
      for (const Statement& s : b.statements) rewrite_statement(s, made);
      b.statements = std::move(made);
      if (b.end.value) b.end.value = translated(b.end.value);
    }
    std::vector<Variable> chosen, copied;
    add_beside(p.parameters, chosen);
    add_beside(p.locals, copied);
    // Procedures share the terms of their variables; another one may have wanted it.
    VariableSet read;
    for (const Term t : p.preconditions) add_variables(read, t);
    each_read(p, [&](Term t, Term) { add_variables(read, t); });
    std::erase_if(chosen, [&](const Variable& v) { return !read.contains(v.term); });
    // What an argument holds is an argument, and conditions may speak of it.
    p.parameters.insert(p.parameters.end(), chosen.begin(), chosen.end());
    p.locals.insert(p.locals.end(), copied.begin(), copied.end());
  }

  void rewrite() {
    for (Term& t : module_.invariants) t = translated(t);
    for (Procedure& p : module_.procedures) rewrite(p);
    std::vector<StateVariable> state;
    for (StateVariable& v : module_.state) {
      if (fields_.contains(v.term)) continue;
      state.push_back(v);
      const auto wanted = needed_.find(v.term);
      if (wanted == needed_.end()) continue;
      for (const Term field : wanted->second) {
        StateVariable also;
        also.term = beside(v.term, field);
        also.type = fields_.at(field);
        also.client = v.client;
        if (v.initial && is_null(v.initial)) also.initial = default_term(arena_, also.type);
        state.push_back(std::move(also));
      }
    }
    module_.state = std::move(state);
    drop_lost_fields(module_);
  }

  Module& module_;
  TermArena& arena_;
  std::map<Term, Type, TermById> fields_; // maps that are only read
  TermSet references_;                    // that nothing tells apart
  std::map<Term, TermSet, TermById> needed_;
  std::unordered_map<Term, Term> done_;
};

} // namespace

void attach_fields(Module& module) { FieldAttachment(module).run(); }

} // namespace tacit
