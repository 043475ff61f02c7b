#include "program/reduce/handed_fields.h"

#include <algorithm>
#include <set>

#include "program/graph/uses.h"

namespace tacit {
namespace {

/// The parameters of which a field is read.
void find_readers(Term t, Term field, std::set<Term, TermById>& into) {
  if (t->op == Op::Select && t->args[0] == field) into.insert(t->args[1]);
  for (const Term a : t->args) find_readers(a, field, into);
}

class HandedFields {
public:
  HandedFields(Module& module, Procedure& procedure)
      : module_(module), arena_(*module.arena), procedure_(procedure) {}

  void run() {
    std::vector<Statement>& statements = procedure_.blocks[0].statements;
    for (std::size_t i = 0; i < statements.size() && is_beginning(statements[i]); ++i) {
      const Term field = forgotten(statements[i]);
      if (!field) continue;
      const std::vector<Statement> made = choices(field);
      statements.insert(statements.begin() + static_cast<std::ptrdiff_t>(i) + 1, made.begin(),
                        made.end());
      i += made.size();
    }
  }

private:
  static bool is_beginning(const Statement& s) {
    return s.kind == StatementKind::Havoc || s.kind == StatementKind::Assume;
  }

  Term forgotten(const Statement& s) const {
    const bool unknown = s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown;
    const auto index = unknown ? module_.state_index(s.target) : std::nullopt;
    if (!index) return nullptr;
    const StateVariable& v = module_.state[*index];
    const bool map =
        !v.client && v.type.value && v.type.key->sort == arena_.ref_sort() && !v.type.value->value;
    return map ? v.term : nullptr;
  }

  std::vector<Statement> choices(Term field) {
    const Type& type = *module_.state[*module_.state_index(field)].type.value;
    std::set<Term, TermById> readers;
    VariableSet written;
    each_read(procedure_, [&](Term value, Term) { find_readers(value, field, readers); });
    each_write(procedure_, [&](Term target, Term) { written.insert(target); });
    std::vector<Statement> made;
    const std::size_t given = procedure_.parameters.size();
    for (std::size_t i = 0; i < given; ++i) {
      const Term object = procedure_.parameters[i].term;
      if (!readers.contains(object) || written.contains(object)) continue;
      const Term held = arena_.var(field->name + "[" + object->name + "]", type.sort);
      procedure_.parameters.push_back({held, type});
      made.push_back({.kind = StatementKind::Assign,
                      .target = field,
                      .value = arena_.store(field, object, held)});
    }
    return made;
  }

  Module& module_;
  TermArena& arena_;
  Procedure& procedure_;
};

} // namespace

void choose_handed_fields(Module& module) {
  for (Procedure& p : module.procedures)
    if (!p.blocks.empty()) HandedFields(module, p).run();
}

} // namespace tacit
