#include "abstraction/maymust/grown.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace tacit {
namespace {

class Constants {
public:
  explicit Constants(const ComponentFormulas& formulas) {
    const Component& component = formulas.component();
    for (std::size_t c = 0; c < component.calls().size(); ++c)
      add(formulas.call(c, Side::Above).body);
    for (std::size_t k = 0; k < component.constructors().size(); ++k)
      add(formulas.constructor(k, Side::Above).body);
    for (const auto& [variable, value] : formulas.initial()) add(value);
  }

  bool has(Term constant) const {
    return constant->op != Op::IntConst || numbers_.contains(constant->number);
  }

private:
  void add(const BodyFormula& body) {
    for (const FormulaExit& exit : body.exits) {
      add(exit.guard);
      for (const auto& [variable, value] : exit.after) add(value);
    }
  }

  void add(Term term) {
    if (!seen_.insert(term).second) return;
    if (term->op == Op::IntConst) numbers_.insert(term->number);
    for (Term part : term->args) add(part);
  }

  std::unordered_set<Term> seen_;
  std::set<Integer> numbers_;
};

bool of_the_text(Term predicate, const Constants& constants) {
  if (predicate->op == Op::Not) return of_the_text(predicate->args[0], constants);
  if (predicate->op == Op::Var) return true;
  const bool compares =
      predicate->op == Op::Eq || predicate->op == Op::Le || predicate->op == Op::Lt;
  return compares && std::ranges::all_of(predicate->args, [&](Term side) {
           return side->op == Op::Var || (is_constant(side) && constants.has(side));
         });
}

} // namespace

bool more_grown_than(std::size_t most, const std::vector<Term>& predicates,
                     const ComponentFormulas& formulas) {
  if (predicates.size() <= most) return false;
  const Constants constants(formulas);
  const auto grown = [&](Term p) { return !of_the_text(p, constants); };
  return static_cast<std::size_t>(std::ranges::count_if(predicates, grown)) > most;
}

} // namespace tacit
