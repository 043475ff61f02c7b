#include "client/found_objects.h"

#include <algorithm>

namespace tacit {

namespace {

constexpr std::string_view kept = "tacit_"; // begins what lies in an object (object_layout.h)

bool is_kept(Term variable) {
  const std::string_view name = variable->name;
  const auto dot = name.rfind('.');
  return dot != std::string_view::npos && name.substr(dot + 1).starts_with(kept);
}

} // namespace

Touched touched_objects(const Module& module, const std::set<std::string>& procedures) {
  Touched touched;
  const auto look = [&](Term term) {
    if (!term) return;
    for (const Term v : variables(term)) {
      if (!is_kept(v) || !module.find_state(v->name)) continue;
      if (v->sort->kind == SortKind::Map)
        touched.in_memory = true;
      else
        touched.globals.insert(v->name);
    }
  };
  for (const std::string& name : procedures) {
    const Procedure* p = module.find_procedure(name);
    if (!p) continue;
    for (const Block& b : p->blocks) {
      for (const Statement& s : b.statements) {
        look(s.value);
        look(s.target);
        // An object that is looked at where nothing is known of memory.
        touched.in_memory |= s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown &&
                             s.where.file.contains('#');
      }
      look(b.end.value);
      for (const Term argument : b.end.arguments) look(argument);
      look(b.end.result);
    }
  }
  return touched;
}

} // namespace tacit
