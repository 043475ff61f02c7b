#include "check/prover.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/should.h"

namespace tacit {

namespace {

using Kind = Formula::Kind;

constexpr std::size_t largest_domain = 256;  // expanded
constexpr std::size_t most_instances = 4096; // by expansion, per formula
constexpr std::size_t most_rounds = 12;      // of instantiation
constexpr std::size_t most_seeds = 64;

/// The parts of a conjunction (disjunction), whether it is written as a formula or as a term.
std::vector<Formula> parts_of(const Formula& formula, Kind kind) {
  if (formula.kind == kind) {
    std::vector<Formula> parts;
    for (const Formula& part : formula.parts)
      for (Formula& inner : parts_of(part, kind)) parts.push_back(std::move(inner));
    return parts;
  }
  if (formula.kind == Kind::Plain && formula.term->op == (kind == Kind::And ? Op::And : Op::Or))
    return {formula.term->args.begin(), formula.term->args.end()};
  return {formula};
}

std::vector<Term> occurring(const std::vector<Term>& bound, const Formula& body) {
  const TermSet free = free_variables(body);
  std::vector<Term> found;
  for (Term variable : bound)
    if (free.contains(variable)) found.push_back(variable);
  return found;
}

/// Whether all quantifiers are universal and none encloses another.
bool flat_universal(const Formula& formula) {
  if (formula.kind == Kind::Exists) return false;
  if (formula.kind == Kind::Forall) return formula.parts.front().kind == Kind::Plain;
  return std::ranges::all_of(formula.parts, flat_universal);
}

/// What an atom fixes: `x == 3`, `b`, `!b`.
std::optional<std::pair<Term, Term>> fixed_by(TermArena& arena, Term atom) {
  if (atom->op == Op::Var) return std::pair(atom, arena.truth());
  if (atom->op == Op::Not && atom->args[0]->op == Op::Var)
    return std::pair(atom->args[0], arena.falsehood());
  if (atom->op == Op::Eq && atom->args[0]->op == Op::Var && is_constant(atom->args[1]))
    return std::pair(atom->args[0], atom->args[1]);
  return std::nullopt;
}

Substitution as_substitution(TermArena& arena, const TermModel& model) {
  Substitution by;
  for (const auto& [variable, value] : model)
    by.emplace(variable, to_term(arena, value, variable->sort));
  return by;
}

/// Putting the values in folds almost everything; evaluating the formula itself would visit shared
/// parts repeatedly.
bool holds(TermArena& arena, Term formula, const TermModel& model) {
  const auto value = evaluate(substitute(arena, formula, as_substitution(arena, model)),
                              [](Term variable) { return default_value(variable->sort); });
  return value && value->truth();
}

} // namespace

struct Prover::Kept {
  Formula universal; // Forall with a body free of quantifiers
  std::vector<Term> instances;
  std::set<Term, TermById> known;

  void add(Term instance) {
    if (known.insert(instance).second) instances.push_back(instance);
  }
};

Prover::Prover(Erasure& erasure, SecondSolver& solver, Budget* budget)
    : erasure_(erasure), arena_(erasure.arena()), solver_(solver), budget_(budget) {}

void Prover::declare(Term erased, const Type& type) { types_.emplace(erased, type); }

const Type* Prover::type_of(Term variable) const {
  const auto known = types_.find(variable);
  return known == types_.end() ? nullptr : &known->second;
}

Prover::Decision Prover::satisfiable(const Formula& formula) {
  used_ = free_variables(formula);
  expanded_ = 0;
  Formula lowered = lower(formula, false);
  std::map<Term, bool, TermById> universal;
  lowered = with_element_facts(lowered, universal);
  const Term facts = type_facts(free_variables(lowered));
  return decide(all_of(arena_, {facts, std::move(lowered)}));
}

// Lowering

Formula Prover::lower(Formula formula, bool universal) {
  switch (formula.kind) {
  case Kind::Plain: return formula;
  case Kind::And:
  case Kind::Or: {
    std::vector<Formula> parts;
    for (Formula& part : formula.parts) parts.push_back(lower(std::move(part), universal));
    return formula.kind == Kind::And ? all_of(arena_, std::move(parts))
                                     : any_of(arena_, std::move(parts));
  }
  case Kind::Exists:
    return lower_exists(formula.bound, std::move(formula.parts.front()), universal);
  case Kind::Forall:
    return lower_forall(formula.bound, std::move(formula.parts.front()), universal);
  }
  should_not_be_reached("every kind of formula should be lowered");
}

Term Prover::fresh_copy(Term variable) {
  for (std::size_t i = 2;; ++i) {
    const Term copy = arena_.var(fmt::format("{}'{}", variable->name, i), variable->sort);
    if (used_.contains(copy)) continue;
    if (const Type* type = type_of(variable)) types_.emplace(copy, Type(*type));
    return copy;
  }
}

Formula Prover::lower_exists(std::vector<Term> bound, Formula body, bool universal) {
  bound = occurring(bound, body);
  if (bound.empty()) return lower(std::move(body), universal);
  Substitution renamed;
  for (Term& variable : bound) {
    if (used_.contains(variable)) {
      const Term copy = fresh_copy(variable);
      renamed.emplace(variable, copy);
      variable = copy;
    }
    used_.insert(variable);
  }
  if (!renamed.empty()) body = substitute(arena_, body, renamed);
  if (!universal) return lower(std::move(body), false); // constants of the formula

  // Below a kept universal quantifier. Small domains are cases, others stay quantified.
  for (Term variable : bound) {
    const auto values = domain(variable);
    if (values.empty() || expanded_ + values.size() > most_instances) continue;
    expanded_ += values.size();
    std::vector<Term> rest;
    for (Term other : bound)
      if (other != variable) rest.push_back(other);
    std::vector<Formula> cases;
    for (Term value : values)
      cases.push_back(lower_exists(rest, substitute(arena_, body, {{variable, value}}), true));
    return any_of(arena_, std::move(cases));
  }
  return exists(bound, lower(std::move(body), true));
}

std::vector<Term> Prover::domain(Term variable) const {
  const Type* type = type_of(variable);
  if (type == nullptr) return {};
  const auto size = domain_size(*type);
  if (!size || *size > largest_domain) return {};
  std::vector<Term> values;
  for (std::uint64_t i = 0; i < *size; ++i)
    values.push_back(to_term(arena_, domain_value(*type, i), variable->sort));
  return values;
}

Formula Prover::lower_forall(std::vector<Term> bound, Formula body, bool universal) {
  bound = occurring(bound, body);
  if (bound.empty()) return lower(std::move(body), universal);

  if (auto parts = parts_of(body, Kind::And); parts.size() > 1) {
    std::vector<Formula> lowered;
    for (Formula& part : parts) {
      lowered.push_back(lower_forall(bound, std::move(part), universal));
      if (lowered.back().kind == Kind::Plain && is_false(lowered.back().term))
        return lowered.back();
    }
    return all_of(arena_, std::move(lowered));
  }

  // Disjuncts that share no bound variable have quantifiers of their own.
  if (auto parts = parts_of(body, Kind::Or); parts.size() > 1) {
    std::vector<std::vector<Formula>> groups;
    std::vector<TermSet> shared;
    std::vector<Formula> lowered;
    for (Formula& part : parts) {
      const auto mine = occurring(bound, part);
      if (mine.empty()) {
        lowered.push_back(lower(std::move(part), universal));
        continue;
      }
      std::vector<Formula> group{std::move(part)};
      TermSet variables(mine.begin(), mine.end());
      for (std::size_t i = groups.size(); i-- > 0;) {
        if (std::ranges::none_of(mine, [&](Term variable) { return shared[i].contains(variable); }))
          continue;
        std::ranges::move(groups[i], std::back_inserter(group));
        variables.merge(shared[i]);
        groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(i));
        shared.erase(shared.begin() + static_cast<std::ptrdiff_t>(i));
      }
      groups.push_back(std::move(group));
      shared.push_back(std::move(variables));
    }
    if (groups.size() > 1 || !lowered.empty()) {
      for (auto& group : groups)
        lowered.push_back(lower_forall(bound, any_of(arena_, std::move(group)), universal));
      return any_of(arena_, std::move(lowered));
    }
  }

  std::ranges::sort(bound, TermById{});
  std::optional<Term> smallest;
  std::size_t size = 0;
  for (Term variable : bound) {
    const std::size_t mine = domain(variable).size();
    if (mine != 0 && (!smallest || mine < size)) {
      smallest = variable;
      size = mine;
    }
  }
  if (smallest && expanded_ + size <= most_instances) {
    expanded_ += size;
    std::erase(bound, *smallest);
    std::vector<Formula> instances;
    for (Term value : domain(*smallest)) {
      instances.push_back(
          lower_forall(bound, substitute(arena_, body, {{*smallest, value}}), universal));
      if (instances.back().kind == Kind::Plain && is_false(instances.back().term))
        return instances.back();
    }
    return all_of(arena_, std::move(instances));
  }
  // Bound names should differ from all others, as the solver sees them side by side.
  Substitution renamed;
  for (Term& variable : bound) {
    if (used_.contains(variable)) {
      const Term copy = fresh_copy(variable);
      renamed.emplace(variable, copy);
      variable = copy;
    }
    used_.insert(variable);
  }
  if (!renamed.empty()) body = substitute(arena_, body, renamed);
  return for_all(bound, lower(std::move(body), true));
}

/// A fact about a map that the prover may pick narrows it; about one that it must hold for, it is
/// given.
Formula Prover::with_element_facts(const Formula& formula,
                                   std::map<Term, bool, TermById>& universal) {
  if (formula.kind == Kind::Plain) {
    std::vector<Term> given, narrowing{formula.term};
    for (const ElementRead& element :
         element_reads(arena_, formula.term, [&](Term variable) { return type_of(variable); })) {
      const Term fact = type_fact(arena_, *element.type, element.read);
      const auto quantified = universal.find(element.variable);
      if (quantified != universal.end() && quantified->second)
        given.push_back(arena_.negate(fact));
      else
        narrowing.push_back(fact);
    }
    given.push_back(arena_.conj(std::move(narrowing)));
    return arena_.disj(std::move(given));
  }
  for (Term variable : formula.bound) universal[variable] = formula.kind == Kind::Forall;
  std::vector<Formula> parts;
  for (const Formula& part : formula.parts) parts.push_back(with_element_facts(part, universal));
  switch (formula.kind) {
  case Kind::And: return all_of(arena_, std::move(parts));
  case Kind::Or: return any_of(arena_, std::move(parts));
  case Kind::Exists: return exists(formula.bound, std::move(parts.front()));
  default: return for_all(formula.bound, std::move(parts.front()));
  }
}

Term Prover::type_facts(const TermSet& variables) {
  std::vector<Term> facts;
  for (Term variable : variables)
    if (const Type* type = type_of(variable)) facts.push_back(type_fact(arena_, *type, variable));
  return arena_.conj(std::move(facts));
}

// Deciding

Prover::Decision Prover::ask(const Formula& formula) {
  if (budget_ != nullptr) {
    budget_->count_query();
    if (budget_->exhausted_now()) return {Answer::Unknown, {}, budget_->reason()};
    if (const auto left = budget_->seconds_left()) solver_.limit_seconds(*left);
  }
  Decision decision;
  decision.answer = solver_.check(formula, &decision.model);
  decision.reason = solver_.reason();
  return decision;
}

Prover::Decision Prover::decide(const Formula& formula) {
  if (formula.kind == Kind::Plain) return decide_ground(formula.term);
  Decision decision;
  if (flat_universal(formula)) {
    decision = decide_by_instances(formula);
    if (decision.answer != Answer::Unknown) return decision;
  }
  return ask(formula);
}

/// Puts in what equations fix until nothing changes; asks for the rest.
Prover::Decision Prover::decide_ground(Term formula) {
  TermModel fixed;
  while (true) {
    Substitution by;
    for (Term atom : formula->op == Op::And ? formula->args : std::vector<Term>{formula})
      if (const auto equation = fixed_by(arena_, atom))
        by.emplace(equation->first, equation->second);
    if (by.empty()) break;
    for (const auto& [variable, value] : by) fixed.emplace(variable, Value(value->number));
    formula = substitute(arena_, formula, by);
  }
  if (is_false(formula)) return {Answer::Unsat, {}, {}};
  if (is_true(formula)) return {Answer::Sat, std::move(fixed), {}};
  Decision decision = ask(formula);
  if (decision.answer != Answer::Sat) return decision;
  if (!holds(arena_, formula, decision.model))
    return {Answer::Unknown, {}, "the second solver's model does not satisfy the formula"};
  decision.model.insert(fixed.begin(), fixed.end());
  return decision;
}

void Prover::collect_kept(const Formula& formula, std::vector<Kept>& kept) {
  if (formula.kind == Kind::Forall) {
    kept.emplace_back().universal = formula;
    return;
  }
  for (const Formula& part : formula.parts) collect_kept(part, kept);
}

/// The formula with each kept quantifier replaced by its instances.
Term Prover::ground(const Formula& formula, std::vector<Kept>& kept, std::size_t& next) {
  switch (formula.kind) {
  case Kind::Plain: return formula.term;
  case Kind::Forall: return arena_.conj(kept[next++].instances);
  default: {
    std::vector<Term> parts;
    for (const Formula& part : formula.parts) parts.push_back(ground(part, kept, next));
    return formula.kind == Kind::And ? arena_.conj(std::move(parts))
                                     : arena_.disj(std::move(parts));
  }
  }
}

/// What each bound variable is compared with, and the neighbours of that: if a linear formula has a
/// counterexample in one variable, it has one of these. Several variables are combined while there
/// are few.
std::vector<Substitution> Prover::seeds(const Formula& universal) {
  const Formula& body = universal.parts.front();
  should(body.kind == Kind::Plain, "the body of a kept quantifier should be a term");
  const TermSet bound(universal.bound.begin(), universal.bound.end());
  std::map<Term, TermSet, TermById> found;
  std::set<Term, TermById> seen;
  const auto visit = [&](auto&& self, Term term) -> void {
    if (!seen.insert(term).second) return;
    for (Term arg : term->args) self(self, arg);
    if (term->op != Op::Eq && term->op != Op::Lt && term->op != Op::Le) return;
    for (const auto& [variable, other] :
         {std::pair(term->args[0], term->args[1]), std::pair(term->args[1], term->args[0])}) {
      if (!bound.contains(variable)) continue;
      if (std::ranges::any_of(variables(other), [&](Term v) { return bound.contains(v); }))
        continue;
      found[variable].insert(other);
      if (other->sort->kind != SortKind::Int) continue;
      found[variable].insert(arena_.add(other, arena_.integer(1)));
      found[variable].insert(arena_.sub(other, arena_.integer(1)));
    }
  };
  visit(visit, body.term);
  std::vector<Substitution> all{{}};
  for (Term variable : universal.bound) {
    TermSet& values = found[variable];
    if (values.empty()) {
      const Type* type = type_of(variable);
      const Value least =
          type != nullptr && type->low ? Value(*type->low) : default_value(variable->sort);
      values.insert(to_term(arena_, least, variable->sort));
    }
    std::vector<Substitution> extended;
    for (const Substitution& by : all) {
      for (Term value : values) {
        if (extended.size() == most_seeds) break;
        extended.push_back(by);
        extended.back().emplace(variable, value);
      }
    }
    all = std::move(extended);
  }
  return all;
}

Prover::Decision Prover::decide_by_instances(const Formula& formula) {
  std::vector<Kept> kept;
  collect_kept(formula, kept);
  for (Kept& quantifier : kept)
    for (const Substitution& by : seeds(quantifier.universal))
      quantifier.add(substitute(arena_, quantifier.universal.parts.front().term, by));

  for (std::size_t round = 0; round < most_rounds; ++round) {
    std::size_t next = 0;
    Decision decision = decide_ground(ground(formula, kept, next));
    if (decision.answer != Answer::Sat)
      return decision; // instances are weaker, so Unsat carries over
    const TermSet free = free_variables(formula);
    for (Term variable : free) decision.model.try_emplace(variable, default_value(variable->sort));

    bool refined = false;
    for (Kept& quantifier : kept) {
      Substitution state = as_substitution(arena_, decision.model);
      for (Term variable : quantifier.universal.bound) state.erase(variable);
      const Term body = quantifier.universal.parts.front().term;
      const Decision counterexample = decide_ground(arena_.negate(substitute(arena_, body, state)));
      if (counterexample.answer == Answer::Unknown) return counterexample;
      if (counterexample.answer == Answer::Unsat) continue;
      TermModel values;
      for (Term variable : quantifier.universal.bound) {
        const auto value = counterexample.model.find(variable);
        values.emplace(variable, value != counterexample.model.end()
                                     ? value->second
                                     : default_value(variable->sort));
      }
      quantifier.add(substitute(arena_, body, as_substitution(arena_, values)));
      refined = true;
    }
    next = 0;
    if (!refined || holds(arena_, ground(formula, kept, next), decision.model)) return decision;
  }
  return {
      Answer::Unknown, {}, fmt::format("no answer after {} rounds of instantiation", most_rounds)};
}

} // namespace tacit
