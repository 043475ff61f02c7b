// Where an exception came from. The flag of a site is set at every throw: true at the site, false
// elsewhere. A variable that holds an exception has a flag of its own beside it, so that `throw e`
// restores what held when `e` was caught, whatever was thrown and caught in between. Exceptions out
// of fields or computed in some way come from nobody knows where.
#include "program/observe/instrument.h"

#include <algorithm>
#include <unordered_map>

#include "base/integer.h"
#include "program/ir/names.h"

namespace tacit {

bool at_site(const Module& module, const std::string& site, const std::string& procedure,
             const Location& where) {
  if (site.empty()) return true;
  const std::size_t colon = site.rfind(':');
  const auto line =
      colon == std::string::npos ? std::nullopt : parse_integer(site.substr(colon + 1));
  if (line) {
    const std::string_view file = where.file, wanted = std::string_view(site).substr(0, colon);
    const bool same_file =
        file == wanted || (file.size() > wanted.size() && file.ends_with(wanted) &&
                           file[file.size() - wanted.size() - 1] == '/');
    return same_file && where.line == *line;
  }
  // A method's name is relative to the component: `Other.close` does not mean our `close`.
  const bool relative = bare_name(procedure).find_first_of(".:$/") == std::string_view::npos;
  return name_matches(site, relative ? module.name + "." + procedure : procedure);
}

namespace {

class OriginWatch {
public:
  OriginWatch(Module& module, std::string site)
      : module_(module), arena_(*module.arena), site_(std::move(site)) {
    std::string name = "thrown at " + site_;
    while (module_.find_state(name) != nullptr) name += "'";
    flag_ = arena_.var(name, arena_.bool_sort());
  }

  Term run() {
    for (Procedure& procedure : module_.procedures) watch(procedure);
    StateVariable state;
    state.term = flag_;
    state.type = Type{.sort = arena_.bool_sort()};
    state.initial = arena_.falsehood();
    module_.state.push_back(std::move(state));
    return flag_;
  }

private:
  void watch(Procedure& procedure) {
    beside_.clear();
    const bool opaque = procedure.kind == ProcedureKind::Extern;
    std::vector<Variable> flags;
    for (const auto* list : {&procedure.parameters, &procedure.locals})
      for (const Variable& v : *list) {
        if (v.type.sort != module_.exception_sort) continue;
        const Term beside = arena_.var(v.name() + " " + flag_->name, arena_.bool_sort());
        beside_.emplace(v.term, beside);
        flags.push_back({beside, Type{.sort = arena_.bool_sort()}});
      }
    const std::size_t blocks = procedure.blocks.size();
    for (BlockId b = 0; b < blocks; ++b) {
      follow_assignments(procedure, b);
      if (procedure.blocks[b].end.kind == TerminatorKind::Throw) at_throw(procedure, b, opaque);
      if (procedure.blocks[b].end.kind == TerminatorKind::Call) at_handlers(procedure, b);
    }
    std::vector<Statement> unknown;
    for (const Variable& parameter : procedure.parameters)
      if (const auto beside = beside_.find(parameter.term); beside != beside_.end())
        unknown.push_back(anything(beside->second, procedure.where));
    if (!unknown.empty() && !procedure.blocks.empty()) {
      auto& first = procedure.blocks[0].statements;
      auto at = first.begin();
      while (at != first.end() && at->kind == StatementKind::Havoc &&
             at->chooser == Chooser::Client)
        ++at;
      first.insert(at, unknown.begin(), unknown.end());
    }
    procedure.locals.insert(procedure.locals.end(), flags.begin(), flags.end());
  }

  static Statement set(Term flag, Term value, const Location& where) {
    return {.kind = StatementKind::Assign, .target = flag, .value = value, .where = where};
  }
  static Statement anything(Term flag, const Location& where) {
    return {
        .kind = StatementKind::Havoc, .target = flag, .chooser = Chooser::Unknown, .where = where};
  }

  bool here(const Procedure& procedure, const std::string& stood_in, const Location& where) const {
    return at_site(module_, site_, stood_in.empty() ? procedure.name : stood_in, where);
  }

  void follow_assignments(Procedure& procedure, BlockId b) {
    auto& statements = procedure.blocks[b].statements;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const Statement& s = statements[i];
      const auto beside = s.target == nullptr ? beside_.end() : beside_.find(s.target);
      if (beside == beside_.end()) continue;
      Statement follow = anything(beside->second, s.where);
      if (s.kind == StatementKind::Assign) {
        if (const auto from = beside_.find(s.value); from != beside_.end())
          follow = set(beside->second, from->second, s.where);
        else if (is_constant(s.value))
          follow = set(beside->second, arena_.boolean(here(procedure, "", s.where)), s.where);
      } else if (s.kind == StatementKind::Havoc && s.chooser == Chooser::Environment) {
        follow = set(beside->second, arena_.falsehood(), s.where);
      }
      statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(++i), std::move(follow));
    }
  }

  void at_throw(Procedure& procedure, BlockId b, bool opaque) {
    Block& block = procedure.blocks[b];
    const Terminator& end = block.end;
    if (!opaque &&
        (here(procedure, end.procedure, end.where) || here(procedure, end.procedure, end.site())))
      block.statements.push_back(set(flag_, arena_.truth(), end.where));
    else if (opaque || is_constant(end.value))
      block.statements.push_back(set(flag_, arena_.falsehood(), end.where));
    else if (const auto beside = beside_.find(end.value); beside != beside_.end())
      block.statements.push_back(set(flag_, beside->second, end.where));
    else
      block.statements.push_back(anything(flag_, end.where));
  }

  void at_handlers(Procedure& procedure, BlockId b) {
    for (std::size_t i = 0; i < procedure.blocks[b].end.handlers.size(); ++i) {
      Handler& handler = procedure.blocks[b].end.handlers[i];
      const auto beside = handler.binder == nullptr ? beside_.end() : beside_.find(handler.binder);
      if (beside == beside_.end()) continue;
      const BlockId target = handler.target;
      handler.target = static_cast<BlockId>(procedure.blocks.size());
      const Location where = procedure.blocks[b].end.where;
      procedure.blocks.push_back({{set(beside->second, flag_, where)},
                                  {.kind = TerminatorKind::Goto, .next = target, .where = where}});
    }
  }

  Module& module_;
  TermArena& arena_;
  std::string site_;
  Term flag_ = nullptr;
  std::unordered_map<Term, Term> beside_; // variable of the exception sort -> its flag
};

} // namespace

namespace {

/// Whether own code throws, or makes the exception that it throws, at the site.
bool thrown_at(const Module& module, const std::string& site) {
  return std::ranges::any_of(module.procedures, [&](const Procedure& p) {
    return p.kind != ProcedureKind::Extern && std::ranges::any_of(p.blocks, [&](const Block& b) {
             const std::string& stood_in = b.end.procedure.empty() ? p.name : b.end.procedure;
             if (b.end.kind == TerminatorKind::Throw &&
                 (at_site(module, site, stood_in, b.end.where) ||
                  at_site(module, site, stood_in, b.end.site())))
               return true;
             return std::ranges::any_of(b.statements, [&](const Statement& s) {
               return s.kind == StatementKind::Assign && s.target->sort == module.exception_sort &&
                      at_site(module, site, p.name, s.where);
             });
           });
  });
}

} // namespace

std::vector<Term> watch_origins(Module& module, const std::vector<ErrorSpec>& specs) {
  std::vector<Term> origins(specs.size(), nullptr);
  if (module.exception_sort == nullptr) return origins;
  for (std::size_t i = 0; i < specs.size(); ++i)
    if (specs[i].kind == ErrorSpec::Kind::Throws && !specs[i].site.empty() &&
        thrown_at(module, specs[i].site))
      origins[i] = OriginWatch(module, specs[i].site).run();
  return origins;
}

void localise_origins(Module& module, const std::vector<Term>& origins) {
  for (const Term flag : origins) {
    if (flag == nullptr) continue;
    std::erase_if(module.state, [&](const StateVariable& v) { return v.term == flag; });
    for (Procedure& procedure : module.procedures)
      procedure.locals.push_back({flag, Type{.sort = module.arena->bool_sort()}});
  }
}

} // namespace tacit
