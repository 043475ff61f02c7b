#include "program/ir/verify.h"

#include <set>

#include "logic/term/print.h"

namespace tacit {
namespace {

class Verifier {
public:
  explicit Verifier(const Module& module) : module_(module) {}

  std::vector<Diagnostic> run() {
    std::set<std::string> names;
    for (const StateVariable& v : module_.state) {
      if (!names.insert(v.name()).second)
        report({}, "the state variable '{}' is declared twice", v.name());
      state_.insert(v.term);
      attributes(v, {});
      if (v.initial && v.initial->sort != v.type.sort)
        report({}, "the initial value of '{}' is not of its type", v.name());
    }
    visible_ = state_;
    for (Term t : module_.invariants) check(t, module_.arena->bool_sort(), {}, "an invariant");
    for (const Procedure& p : module_.procedures) procedure(p);
    return std::move(problems_);
  }

private:
  template <class... Args>
  void report(const Location& where, fmt::format_string<Args...> format, Args&&... args) {
    problems_.push_back({where, fmt::format(format, std::forward<Args>(args)...), {}});
  }

  void attributes(const Variable& v, const Location& where) {
    enumerator_clash(v);
    if (v.address != Address::None && v.type.sort != module_.arena->ref_sort())
      report(where, "'{}' is no reference and so no address", v.name());
    if (v.type.sort->kind == SortKind::Enum && v.type.sort->decl->numbers)
      report(where, "'{}': {} names numbers and is no type", v.name(), v.type.sort->decl->name);
  }

  void origin(const Procedure& p) {
    const bool is_extern = p.kind == ProcedureKind::Extern;
    if (is_extern == (origin_of(p) == Origin::Own))
      report(p.where, "'{}' is {}", p.name,
             is_extern ? "an extern and so not own code" : "own code and has no other origin");
    if (!is_extern && !(p.object.empty() && p.made_by.empty() && p.beside.empty()))
      report(p.where, "'{}' is own code: an object or a callee is said of externs", p.name);
  }

  /// A variable named like an enumerator could not be told from it in expressions.
  void enumerator_clash(const Variable& v) {
    for (Sort s : module_.enums)
      for (const Enumerator& e : s->decl->values)
        if (e.name == v.name())
          report({}, "'{}' is both a variable and an enumerator of {}", v.name(), s->decl->name);
    for (const Exception& e : module_.exceptions)
      if (e.name == v.name()) report({}, "'{}' is both a variable and an exception", v.name());
  }

  void check(Term t, Sort sort, const Location& where, const std::string& what) {
    if (!t) return report(where, "{} is missing", what);
    if (sort && t->sort != sort)
      report(where, "{} is of type {}, but {} is needed", what, to_string(t->sort),
             to_string(sort));
    for (Term v : variables(t))
      if (!visible_.contains(v))
        report(where, "{} mentions '{}', which is not declared here", what, v->name);
  }

  void variable(Term t, const Location& where, const std::string& what) {
    if (!t || t->op != Op::Var) return report(where, "{} is not a variable", what);
    if (!visible_.contains(t)) report(where, "{} '{}' is not declared here", what, t->name);
  }

  void procedure(const Procedure& p) {
    visible_ = state_;
    origin(p);
    std::set<std::string> names;
    for (const auto* list : {&p.parameters, &p.locals})
      for (const Variable& v : *list) {
        if (!names.insert(v.name()).second || module_.find_state(v.name()))
          report(p.where, "'{}' is declared twice in '{}'", v.name(), p.name);
        visible_.insert(v.term);
        attributes(v, p.where);
      }
    if (!p.out.empty() && !p.shows_out && !p.find_local(p.out))
      report(p.where, "'{}' is no variable of '{}' that could be shown", p.out, p.name);
    for (Term t : p.preconditions) check(t, module_.arena->bool_sort(), p.where, "a precondition");
    if (p.kind != ProcedureKind::Extern && p.blocks.empty())
      report(p.where, "'{}' has no body", p.name);
    if (p.kind == ProcedureKind::Extern && p.blocks.empty()) {
      if (p.returns) visible_.insert(module_.arena->var("result", p.returns->sort));
      for (Term t : p.ensures)
        check(t, module_.arena->bool_sort(), p.where, "what an extern ensures");
    }
    for (BlockId b = 0; b < p.blocks.size(); ++b) block(p, b);
    reachability(p);
  }

  void block(const Procedure& p, BlockId id) {
    bool at_start = id == 0;
    for (const Statement& s : p.blocks[id].statements) {
      if (!s.from.empty() && s.kind != StatementKind::Havoc)
        report(s.where, "'{}': only choices come from a callee", p.name);
      switch (s.kind) {
      case StatementKind::Assign:
        variable(s.target, s.where, "what is assigned");
        check(s.value, s.target ? s.target->sort : nullptr, s.where, "an assigned value");
        break;
      case StatementKind::Assume:
        check(s.value, module_.arena->bool_sort(), s.where, "an assumption");
        break;
      case StatementKind::Havoc:
        variable(s.target, s.where, "what is havocked");
        if (s.chooser == Chooser::Client && !at_start)
          report(s.where.known() ? s.where : p.where,
                 "'{}': a client's choice stands only at the start of a body", s.target->name);
        break;
      case StatementKind::New:
        variable(s.target, s.where, "what is allocated");
        if (s.target && s.target->sort != module_.arena->ref_sort())
          report(s.where, "'{}' is not a reference", s.target->name);
        if (!known_record(s.record)) report(s.where, "'{}' is not a record", s.record);
        break;
      }
      at_start = at_start && s.kind == StatementKind::Havoc && s.chooser == Chooser::Client;
    }
    terminator(p, p.blocks[id].end);
  }

  bool known_record(const std::string& name) const {
    for (const Record& r : module_.records)
      if (r.name == name) return true;
    return false;
  }

  void terminator(const Procedure& p, const Terminator& end) {
    for (BlockId s : successors(end))
      if (s >= p.blocks.size())
        report(end.where, "'{}' jumps to a block that does not exist", p.name);
    switch (end.kind) {
    case TerminatorKind::Goto: break;
    case TerminatorKind::Branch:
      check(end.value, module_.arena->bool_sort(), end.where, "a condition");
      break;
    case TerminatorKind::Return:
      if (static_cast<bool>(end.value) != p.returns.has_value())
        report(end.where.known() ? end.where : p.where, "'{}' {} a value", p.name,
               p.returns ? "must return" : "cannot return");
      else if (end.value)
        check(end.value, p.returns->sort, end.where, "a returned value");
      break;
    case TerminatorKind::Throw:
      check(end.value, module_.exception_sort, end.where, "an exception");
      break;
    case TerminatorKind::Error: break;
    case TerminatorKind::Call: call(p, end); break;
    }
  }

  void call(const Procedure& p, const Terminator& end) {
    const Procedure* callee = module_.find_procedure(end.name);
    if (!callee)
      return report(end.where, "'{}' calls '{}', which does not exist", p.name, end.name);
    if (callee->parameters.size() != end.arguments.size())
      return report(end.where, "'{}' takes {} arguments, not {}", end.name,
                    callee->parameters.size(), end.arguments.size());
    for (std::size_t i = 0; i < end.arguments.size(); ++i)
      check(end.arguments[i], callee->parameters[i].type.sort, end.where, "an argument");
    if (end.result) {
      variable(end.result, end.where, "the result");
      if (!callee->returns)
        report(end.where, "'{}' returns no value", end.name);
      else if (callee->returns->sort != end.result->sort)
        report(end.where, "'{}' returns {}, which '{}' cannot hold", end.name,
               to_string(*callee->returns), end.result->name);
    }
    for (const Handler& h : end.handlers) {
      if (h.exception != "*" && !module_.find_exception(h.exception))
        report(end.where, "'{}' is not an exception", h.exception);
      if (h.binder) check(h.binder, module_.exception_sort, end.where, "the variable of a handler");
    }
  }

  void reachability(const Procedure& p) {
    if (p.blocks.empty() || !problems_.empty()) return;
    std::vector<bool> seen(p.blocks.size(), false);
    std::vector<BlockId> work{0};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      for (BlockId s : successors(p.blocks[b].end)) work.push_back(s);
    }
    for (BlockId b = 0; b < p.blocks.size(); ++b)
      if (!seen[b]) report(p.where, "'{}' has a block that is never reached", p.name);
  }

  const Module& module_;
  std::set<Term, TermById> state_, visible_;
  std::vector<Diagnostic> problems_;
};

} // namespace

std::vector<Diagnostic> verify(const Module& module) { return Verifier(module).run(); }

} // namespace tacit
