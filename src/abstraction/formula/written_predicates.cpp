#include "abstraction/formula/written_predicates.h"

#include "abstraction/formula/predicates.h"
#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {

Result<WrittenPredicates> parse_predicates(const Component& component, const Module* source,
                                           const std::vector<std::string>& texts) {
  TermArena& arena = component.arena();
  WrittenPredicates found;
  for (const std::string& text : texts) {
    const std::string place = "--predicate '" + text + "'";
    auto term =
        parse_expression(text, place, arena, ModuleScope(component.module()), arena.bool_sort());
    if (!term && source)
      if (auto other =
              parse_expression(text, place, arena, ModuleScope(*source), arena.bool_sort()))
        term = other;
    if (!term) return std::unexpected(term.error());
    // References of which only the nullness matters are Booleans in the component
    // (program/reduce/nullness.h); what matters to no call is not there at all.
    Term written = *term;
    for (Term v : variables(written))
      if (const StateVariable* known = component.module().find_state(v->name + " != null");
          known && v->sort == arena.ref_sort())
        written = replaced(arena, written, arena.eq(v, arena.null()), arena.negate(known->term));
    bool relevant = true;
    for (Term v : variables(written))
      relevant = relevant && component.module().state_index(v).has_value();
    if (!relevant) {
      found.irrelevant.push_back(text);
      continue;
    }
    found.predicates.push_back(written);
    found.texts.push_back(text);
  }
  return found;
}

std::vector<Term> usable_predicates(const Component& component,
                                    const std::vector<std::string>& texts) {
  TermArena& arena = component.arena();
  std::vector<Term> usable;
  for (const std::string& text : texts)
    if (auto term = parse_expression(text, "predicate", arena, ModuleScope(component.module()),
                                     arena.bool_sort()))
      usable.push_back(*term);
  return usable;
}

} // namespace tacit
