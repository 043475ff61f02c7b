#include "frontend/llvm/module/simplify.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "frontend/llvm/module/lowering.h"
#include "program/graph/uses.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit {

namespace {

// ---- Arrays that constructors fill.

constexpr Integer largest_array = 64;

/// The number of elements, where it is known and small.
std::optional<Integer> elements_of(const Type& type) {
  if (type.sort->kind != SortKind::Map || !type.key || !type.key->low || !type.key->high)
    return std::nullopt;
  if (*type.key->low != 0 || *type.key->high >= largest_array) return std::nullopt;
  return *type.key->high + 1;
}

bool mentions(Term t, Term variable) {
  const auto all = variables(t);
  return std::ranges::find(all, variable) != all.end();
}

/// Which elements of an array are written, one after the other, before anything else is done
/// with it.
class Filling {
public:
  explicit Filling(Term array) : array_(array) {}

  enum class State { Going, Stopped };

  State see(const Statement& s) {
    if (s.target != array_)
      return s.value && mentions(s.value, array_) ? State::Stopped : State::Going;
    if (s.kind != StatementKind::Assign) return State::Stopped;
    Term value = s.value;
    for (; value->op == Op::Store; value = value->args[0]) {
      if (value->args[1]->op != Op::IntConst || mentions(value->args[2], array_))
        return State::Stopped;
      written_.insert(value->args[1]->number);
      if (!first_ && is_constant(value->args[2])) first_ = value->args[2];
    }
    return value == array_ ? State::Going : State::Stopped;
  }

  std::size_t written() const { return written_.size(); }
  /// A constant that was written, or null.
  Term value() const { return first_; }

private:
  Term array_;
  std::set<Integer> written_;
  Term first_ = nullptr;
};

/// Whether a callee that is not looked into has nothing to do with a variable.
bool leaves_alone(const Module& module, const std::string& callee, Term variable) {
  const Procedure* p = module.find_procedure(callee);
  return p && p->kind == ProcedureKind::Extern &&
         std::ranges::find(p->writes, variable->name) == p->writes.end() &&
         !mentioned(*p).contains(variable);
}

/// What all of an array may hold from the start; null where it is not filled.
Term filled_with(const Module& module, const Procedure& constructor, const StateVariable& array) {
  const auto count = elements_of(array.type);
  if (!count) return nullptr;
  Filling filling(array.term);
  std::set<BlockId> seen;
  for (BlockId b = 0; seen.insert(b).second; b = constructor.blocks[b].end.next) {
    for (const Statement& s : constructor.blocks[b].statements) {
      if (filling.see(s) == Filling::State::Stopped) return nullptr;
      if (static_cast<Integer>(filling.written()) == *count)
        return filling.value() ? filling.value() : default_term(*module.arena, *array.type.value);
    }
    const Terminator& end = constructor.blocks[b].end;
    const bool on = end.kind == TerminatorKind::Goto ||
                    (end.kind == TerminatorKind::Call && end.handlers.empty() &&
                     end.result != array.term && leaves_alone(module, end.name, array.term));
    if (!on || std::ranges::any_of(end.arguments, [&](Term t) { return mentions(t, array.term); }))
      return nullptr;
  }
  return nullptr;
}

// ---- Objects of which nothing is known.

class UnknownObjects {
public:
  explicit UnknownObjects(Module& module) : module_(module), arena_(*module.arena) {}

  void run() {
    for (const StateVariable& v : module_.state)
      if (!v.record.empty() && v.type.sort->kind == SortKind::Map && !v.initial && !v.client)
        fields_[v.term] = *v.type.value;
    if (fields_.empty()) return;
    for (const Procedure& p : module_.procedures) {
      find_pointers(p);
      keep_clauses(p);
      keep_fields(p);
    }
    if (fields_.empty()) return;
    for (Procedure& p : module_.procedures) {
      find_pointers(p);
      replace(p);
    }
  }

private:
  /// An extern that gives a pointer of which its contract says nothing.
  bool gives_unknown(const std::string& name) const {
    const Procedure* p = module_.find_procedure(name);
    if (!p || p->kind != ProcedureKind::Extern || !p->ensures.empty()) return false;
    if (origin_of(*p) != Origin::Contract && origin_of(*p) != Origin::Unknown) return false;
    return std::ranges::all_of(p->blocks, [&](const Block& b) {
      if (b.end.kind != TerminatorKind::Return || !b.end.value) return true;
      bool unknown = p->find_local(b.end.value->name) != nullptr && b.end.value->op == Op::Var;
      each_write(*p, [&](Term target, Term value) {
        unknown = unknown && (target != b.end.value || value == nullptr);
      });
      return unknown;
    });
  }

  /// Locals that hold nothing but pointers of which nothing is known, or null.
  void find_pointers(const Procedure& p) {
    pointers_.clear();
    VariableSet other;
    for (const Variable& v : p.locals)
      if (v.type.sort->kind == SortKind::Ref && v.address == Address::None)
        pointers_.insert(v.term);
    for (const Variable& v : p.parameters) pointers_.erase(v.term);
    const auto is_null = [](Term t) { return t->op == Op::RefConst && t->number == 0; };
    for (bool changed = true; changed;) {
      changed = false;
      const auto drop = [&](Term t) { changed = pointers_.erase(t) > 0 || changed; };
      for (const Block& b : p.blocks) {
        for (const Statement& s : b.statements) {
          if (!s.target || !pointers_.contains(s.target)) continue;
          const bool unknown = s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown;
          const bool copied =
              s.kind == StatementKind::Assign && (is_null(s.value) || pointers_.contains(s.value));
          if (!unknown && !copied) drop(s.target);
        }
        if (b.end.result && pointers_.contains(b.end.result) &&
            (b.end.kind != TerminatorKind::Call || !gives_unknown(b.end.name)))
          drop(b.end.result);
      }
    }
  }

  bool is_unknown_read(Term t) const {
    return t->op == Op::Select && fields_.contains(t->args[0]) && pointers_.contains(t->args[1]);
  }

  /// Fields that are read in no other way stay.
  void see(Term t) {
    if (!t) return;
    if (is_unknown_read(t)) return;
    if (t->op == Op::Var) fields_.erase(t);
    for (const Term a : t->args) see(a);
  }

  void keep_clauses(const Procedure& p) {
    for (const auto* list : {&p.ensures, &p.preconditions})
      for (const Term t : *list) see(t);
    for (const Term t : module_.invariants) see(t);
    if (origin_of(p) == Origin::Collaborator)
      for (const std::string& name : p.writes)
        if (const StateVariable* v = module_.find_state(name)) fields_.erase(v->term);
  }

  void keep_fields(const Procedure& p) {
    for (const Block& b : p.blocks) {
      for (const Statement& s : b.statements) {
        if (s.target && fields_.contains(s.target)) {
          const bool forgets = s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown;
          const bool puts = s.kind == StatementKind::Assign && s.value->op == Op::Store &&
                            s.value->args[0] == s.target && pointers_.contains(s.value->args[1]);
          if (puts)
            see(s.value->args[2]);
          else if (!forgets)
            fields_.erase(s.target);
        } else {
          see(s.value);
        }
      }
      see(b.end.value);
      for (const Term t : b.end.arguments) see(t);
      if (b.end.result) fields_.erase(b.end.result);
    }
  }

  void replace(Procedure& p) {
    FreshNames names(module_, p);
    for (Block& b : p.blocks) {
      std::vector<Statement> made;
      std::map<Term, Term, TermById> chosen; // by what was read
      for (Statement& s : b.statements) {
        if (s.value) s.value = without(p, names, s.value, s.where, chosen, made);
        made.push_back(s);
        chosen.clear();
      }
      if (b.end.value) b.end.value = without(p, names, b.end.value, b.end.where, chosen, made);
      for (Term& t : b.end.arguments) t = without(p, names, t, b.end.where, chosen, made);
      b.statements = std::move(made);
    }
  }

  /// The term with a choice that nobody makes in place of each such read.
  Term without(Procedure& p, FreshNames& names, Term t, const Location& where,
               std::map<Term, Term, TermById>& chosen, std::vector<Statement>& made) {
    if (is_unknown_read(t)) {
      Term& local = chosen[t];
      if (!local) {
        const std::string& field = t->args[0]->name;
        local =
            add_local(arena_, p, names, field.substr(field.rfind('.') + 1), fields_.at(t->args[0]));
        made.push_back({.kind = StatementKind::Havoc,
                        .target = local,
                        .chooser = Chooser::Unknown,
                        .where = where});
      }
      return local;
    }
    if (t->args.empty()) return t;
    std::vector<Term> args;
    for (const Term a : t->args) args.push_back(without(p, names, a, where, chosen, made));
    return arena_.rebuild(t, std::move(args));
  }

  Module& module_;
  TermArena& arena_;
  std::map<Term, Type, TermById> fields_;
  VariableSet pointers_; // of the procedure at hand
};

// ---- Products of what nobody knows.

class UnknownProducts {
public:
  UnknownProducts(Module& module, Procedure& p)
      : arena_(*module.arena), procedure_(p), names_(module, p) {}

  void run() {
    for (const Variable& v : procedure_.locals)
      if (v.type.sort == arena_.int_sort()) unknown_.insert(v.term);
    for (const Block& b : procedure_.blocks) {
      for (const Statement& s : b.statements)
        if (s.kind != StatementKind::Havoc || s.chooser != Chooser::Unknown)
          unknown_.erase(s.target);
      unknown_.erase(b.end.result);
    }
    if (const Variable* out = procedure_.out_variable()) unknown_.erase(out->term);
    if (unknown_.empty()) return;
    for (Block& b : procedure_.blocks) {
      made_.clear();
      for (Statement& s : b.statements) {
        if (s.value) s.value = without(s.value, s.where);
        made_.push_back(s);
      }
      if (b.end.value) b.end.value = without(b.end.value, b.end.where);
      for (Term& t : b.end.arguments) t = without(t, b.end.where);
      b.statements = made_;
    }
  }

private:
  Term without(Term t, const Location& where) {
    const bool product =
        t->op == Op::Mul && std::ranges::none_of(t->args, [](Term a) { return is_constant(a); });
    if (product && std::ranges::any_of(t->args, [&](Term a) { return unknown_.contains(a); })) {
      const Term local =
          add_local(arena_, procedure_, names_, "product", {.sort = arena_.int_sort()});
      made_.push_back({.kind = StatementKind::Havoc,
                       .target = local,
                       .chooser = Chooser::Unknown,
                       .where = where});
      return local;
    }
    if (t->args.empty()) return t;
    std::vector<Term> args;
    for (const Term a : t->args) args.push_back(without(a, where));
    return arena_.rebuild(t, std::move(args));
  }

  TermArena& arena_;
  Procedure& procedure_;
  FreshNames names_;
  VariableSet unknown_;
  std::vector<Statement> made_;
};

// ---- Sizes that nobody asks for.

/// `!has[k] || size > 0`, where a contract says it.
bool says_not_empty(TermArena& arena, const Procedure& p, const Statement& s, Term size) {
  if (s.kind != StatementKind::Assume || p.kind != ProcedureKind::Extern ||
      origin_of(p) != Origin::Contract || s.value->op != Op::Or || size->sort != arena.int_sort())
    return false;
  const Term positive = arena.gt(size, arena.integer(0));
  return std::ranges::find(s.value->args, positive) != s.value->args.end();
}

} // namespace

void fill_arrays_at_once(Module& module) {
  for (Procedure& p : module.procedures) {
    if (p.kind != ProcedureKind::Constructor || p.blocks.empty()) continue;
    for (const StateVariable& v : module.state) {
      const Term value = filled_with(module, p, v);
      if (!value) continue;
      auto& statements = p.blocks[0].statements;
      statements.insert(after_choices(statements),
                        {.kind = StatementKind::Assign,
                         .target = v.term,
                         .value = module.arena->const_map(v.term->sort, value)});
    }
  }
}

void forget_unknown_objects(Module& module) { UnknownObjects(module).run(); }

void forget_unknown_products(Module& module) {
  for (Procedure& p : module.procedures) UnknownProducts(module, p).run();
}

void drop_idle_sizes(Module& module) {
  VariableSet asked;
  const auto ask = [&](Term value, Term except) {
    if (!value) return;
    for (const Term v : variables(value))
      if (v != except) asked.insert(v);
  };
  for (const Term t : module.invariants) ask(t, nullptr);
  for (const Procedure& p : module.procedures) {
    for (const auto* list : {&p.ensures, &p.preconditions})
      for (const Term t : *list) ask(t, nullptr);
    for (const Block& b : p.blocks) {
      for (const Statement& s : b.statements) {
        if (!s.value) continue;
        for (const Term v : variables(s.value))
          if (v != s.target && !says_not_empty(*module.arena, p, s, v)) asked.insert(v);
      }
      ask(b.end.value, nullptr);
      for (const Term t : b.end.arguments) ask(t, nullptr);
    }
  }
  for (Procedure& p : module.procedures)
    for (Block& b : p.blocks)
      std::erase_if(b.statements, [&](const Statement& s) {
        if (!s.value) return false;
        return std::ranges::any_of(variables(s.value), [&](Term v) {
          return module.find_state(v->name) && !asked.contains(v) &&
                 says_not_empty(*module.arena, p, s, v);
        });
      });
}

} // namespace tacit
