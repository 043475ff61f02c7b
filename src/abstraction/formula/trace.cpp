#include "abstraction/formula/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "logic/solver/simplify.h"
#include "logic/term/size.h"

namespace tacit {

namespace {

constexpr std::size_t largest_shortened = 1'000;  // nodes
constexpr std::size_t largest_eliminated = 3'000; // nodes
constexpr std::uint64_t shortening_queries = 200;

/// Counts shared parts once.
bool smaller_than(std::size_t limit, Term term, std::set<Term, TermById>& seen) {
  if (!seen.insert(term).second) return true;
  if (seen.size() > limit) return false;
  return std::ranges::all_of(term->args, [&](Term a) { return smaller_than(limit, a, seen); });
}

Term copy_of(TermArena& arena, Term variable, std::size_t copy) {
  return arena.var(variable->name + "#" + std::to_string(copy), variable->sort);
}

std::vector<Term> all_inputs(const BodyFormula& body) {
  std::vector<Term> all;
  for (const FormulaInput& input : body.inputs) all.push_back(input.variable);
  return all;
}

} // namespace

std::string to_text(const Component& component, const Trace& trace) {
  std::vector<std::string> letters;
  for (std::size_t l : trace.letters) {
    const Call& call = component.calls()[component.letter(l).call];
    letters.push_back(call.outcomes.size() == 1 ? call.name : component.letter_name(l));
  }
  if (trace.call) letters.push_back(component.calls()[*trace.call].name);
  std::string word;
  for (std::size_t i = 0, times = 0; i < letters.size(); i += times) {
    times = 1;
    while (i + times < letters.size() && letters[i + times] == letters[i]) ++times;
    word += (word.empty() ? "" : " ") + letters[i];
    if (times > 1) word += fmt::format(" ×{}", times);
  }
  return "'" + word + "'";
}

std::vector<Term> preconditions(ComponentFormulas& formulas, Eliminator& eliminator,
                                const Trace& trace, Solver* shorten) {
  TermArena& arena = formulas.arena();
  std::vector<Term> found;
  auto add = [&](Term condition, const CallFormulas& call) {
    // Where good arguments are only tried, there is too much to eliminate.
    if (!call.sure && distinct_subterms(condition) <= largest_eliminated)
      if (auto without = eliminator.exists(condition, all_inputs(call.body))) condition = *without;
    std::set<Term, TermById> seen;
    if (shorten && !smaller_than(largest_shortened, condition, seen)) return arena.falsehood();
    if (shorten)
      condition = simplify(arena, *shorten, formulas.facts(), condition, shortening_queries);
    found.push_back(condition);
    return condition;
  };
  Term condition = arena.truth();
  if (trace.call) {
    const CallFormulas& last = formulas.call(*trace.call, Side::Above);
    condition = add(last.errs, last);
  }
  for (std::size_t i = trace.letters.size(); i-- > 0 && !is_false(condition);) {
    const std::size_t letter = trace.letters[i];
    const StepFormula& step = formulas.letter(letter, Side::Above);
    condition = add(arena.conj(step.guard, substitute(arena, condition, step.after)),
                    formulas.call(formulas.component().letter(letter).call, Side::Above));
  }
  return found;
}

std::vector<Term> step_formulas(const ComponentFormulas& formulas, const Trace& trace) {
  TermArena& arena = formulas.arena();
  const auto& state = formulas.component().module().state;
  std::vector<Term> made;
  auto at = [&](std::size_t copy, const BodyFormula& body, std::size_t step) {
    Substitution by;
    for (const StateVariable& v : state) by[v.term] = copy_of(arena, v.term, copy);
    for (const FormulaInput& input : body.inputs)
      by[input.variable] =
          arena.var(input.variable->name + "@" + std::to_string(step), input.variable->sort);
    return by;
  };
  auto add_step = [&](const StepFormula& step, const Substitution& by, std::size_t to) {
    std::vector<Term> parts{substitute(arena, step.guard, by)};
    for (const StateVariable& v : state) {
      const auto changed = step.after.find(v.term);
      const Term value = changed == step.after.end() ? v.term : changed->second;
      parts.push_back(arena.eq(copy_of(arena, v.term, to), substitute(arena, value, by)));
    }
    made.push_back(arena.conj(std::move(parts)));
  };
  // Copy 0 is the state behind the constructor.
  const CallFormulas& start = formulas.constructor(trace.constructor, Side::Above);
  Substitution before = at(0, start.body, 0);
  std::vector<Term> facts;
  for (const StateVariable& v : state) {
    before[v.term] = v.initial ? v.initial : arena.var("initial!" + v.name(), v.type.sort);
    if (!v.initial) facts.push_back(value_facts(arena, v.type, before[v.term]));
  }
  add_step(start.outcomes[0], before, 0);
  made.back() = arena.conj(made.back(), arena.conj(std::move(facts)));
  for (std::size_t i = 0; i < trace.letters.size(); ++i) {
    const std::size_t letter = trace.letters[i];
    const CallFormulas& call = formulas.call(formulas.component().letter(letter).call, Side::Above);
    add_step(formulas.letter(letter, Side::Above), at(i, call.body, i + 1), i + 1);
  }
  if (trace.call) {
    const CallFormulas& last = formulas.call(*trace.call, Side::Above);
    made.push_back(substitute(arena, last.errs,
                              at(trace.letters.size(), last.body, trace.letters.size() + 1)));
  }
  return made;
}

Term without_copy(const ComponentFormulas& formulas, Term term, std::size_t copy) {
  Substitution by;
  for (const StateVariable& v : formulas.component().module().state)
    by[copy_of(formulas.arena(), v.term, copy)] = v.term;
  return substitute(formulas.arena(), term, by);
}

} // namespace tacit
