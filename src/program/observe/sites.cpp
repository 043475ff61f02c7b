// The sites of a variable are those of its assignments, through other variables, whatever the order
// of statements: a variable of a handler is assigned nowhere else.
#include "program/observe/sites.h"

#include <set>
#include <unordered_map>

namespace tacit {

namespace {

using Assignments = std::unordered_map<Term, std::vector<const Statement*>>;

Assignments assignments(const Procedure& procedure) {
  Assignments found;
  for (const Block& block : procedure.blocks)
    for (const Statement& s : block.statements)
      if (s.target != nullptr) found[s.target].push_back(&s);
  return found;
}

/// The one place at which what a variable holds was made; not known when there are several.
Location only_site(const Assignments& all, Term variable) {
  std::set<Term, TermById> seen{variable};
  std::vector<Term> work{variable};
  Location site;
  while (!work.empty()) {
    const auto known = all.find(work.back());
    work.pop_back();
    if (known == all.end()) return {};
    for (const Statement* s : known->second) {
      if (s->kind != StatementKind::Assign) return {};
      if (s->value->op == Op::Var) {
        if (seen.insert(s->value).second) work.push_back(s->value);
        continue;
      }
      if (!s->where.known() || (site.known() && !(site == s->where))) return {};
      site = s->where;
    }
  }
  return site;
}

} // namespace

void find_sites(Procedure& procedure) {
  const Assignments all = assignments(procedure);
  for (Block& block : procedure.blocks) {
    Terminator& end = block.end;
    if (end.kind != TerminatorKind::Throw || end.made.known() || end.value->op != Op::Var) continue;
    const Location site = only_site(all, end.value);
    if (!(site == end.where)) end.made = site;
  }
}

} // namespace tacit
