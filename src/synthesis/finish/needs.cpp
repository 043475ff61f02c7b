#include "synthesis/finish/needs.h"

#include <algorithm>

#include "abstraction/formula/path.h"
#include "logic/term/print.h"
#include "logic/z3/eliminate.h"
#include "logic/z3/z3_solver.h"

namespace tacit {
namespace {

constexpr std::size_t most_refusals = 400; // looked at
constexpr std::size_t most_letters = 12;   // of a word
constexpr std::size_t most_choices = 60;   // of opaque callees along one

/// A choice of an opaque callee at one place of a run.
struct OpaqueStep {
  std::size_t step = 0; // 0: the constructor; the last one errs
  std::string call;
  std::shared_ptr<const OpaqueChoice> choice;
  Term value = nullptr;   // over the inputs of the whole run, as all of these
  Term reached = nullptr; // the callee gets so far
  std::vector<Term> arguments;
};

/// A condition on a value, and how people say it.
struct SaidOf {
  std::string text; // "== -1"
  Term condition = nullptr;
};

class Explanation {
public:
  Explanation(ComponentFormulas& formulas, Solver& solver, Eliminator& eliminator)
      : formulas_(formulas), component_(formulas.component()), arena_(formulas.arena()),
        solver_(solver), eliminator_(eliminator) {}

  void explain(Refusal& refusal) {
    const Example& run = *refusal.run;
    const auto constructor = index_of(component_.constructors(), run.constructor);
    if (!constructor || run.steps.size() > most_letters) return;
    if (!refusal.state) {
      refusal.needs = needs(*constructor, {}, std::nullopt);
      return;
    }
    std::vector<std::size_t> letters;
    for (const ExampleStep& step : run.steps) {
      const auto call = index_of(component_.calls(), step.call);
      if (!call) return;
      if (&step == &run.steps.back()) {
        refusal.needs = needs(*constructor, letters, *call);
        return;
      }
      const auto& outcomes = component_.calls()[*call].outcomes;
      const auto outcome = std::ranges::find(outcomes, step.outcome);
      if (outcome == outcomes.end()) return;
      letters.push_back(
          component_.letter_of(*call, static_cast<std::size_t>(outcome - outcomes.begin())));
    }
  }

  /// Why the last call of a word that is neither shown legal nor illegal may err.
  std::vector<OpaqueNeed> explain_word(const Interface& interface,
                                       const std::vector<std::string>& word) {
    if (word.empty() || word.size() > most_letters) return {};
    std::vector<std::size_t> letters;
    for (const std::string& text : word) {
      const auto letter = parse_letter(interface, text);
      if (!letter) return {};
      if (&text == &word.back()) {
        for (std::size_t k = 0; k < component_.constructors().size(); ++k)
          if (auto found = needs(k, letters, letter->call); !found.empty()) return found;
        return {};
      }
      const auto& outcomes = component_.calls()[letter->call].outcomes;
      std::string wanted =
          letter->outcome ? interface.calls[letter->call].outcomes[*letter->outcome] : "any";
      const auto outcome = std::ranges::find(outcomes, wanted);
      letters.push_back(component_.letter_of(
          letter->call,
          outcome == outcomes.end() ? 0 : static_cast<std::size_t>(outcome - outcomes.begin())));
    }
    return {};
  }

private:
  static std::optional<std::size_t> index_of(const std::vector<Call>& calls,
                                             const std::string& name) {
    const auto found = std::ranges::find(calls, name, &Call::name);
    if (found == calls.end()) return std::nullopt;
    return static_cast<std::size_t>(found - calls.begin());
  }

  /// Without a call it is the constructor that errs.
  std::vector<OpaqueNeed> needs(std::size_t constructor, const std::vector<std::size_t>& letters,
                                std::optional<std::size_t> call) {
    needs_.clear();
    follow(constructor, letters, call);
    if (choices_.empty() || choices_.size() > most_choices || whatever_callees_do()) return {};
    auto erring = along_;
    erring.push_back(errs_);
    if (solver_.check(erring) != Truth::Sat) return {};
    values_.clear();
    for (const OpaqueStep& choice : choices_) {
      values_[choice.value] = solver_.value(choice.value);
      for (Term argument : choice.arguments)
        if (argument) values_[argument] = solver_.value(argument);
    }
    std::vector<std::pair<Term, Value>> model;
    for (Term v : variables(arena_.conj(erring)))
      if (v->sort->kind != SortKind::Map)
        if (auto value = solver_.value(v)) model.emplace_back(v, *value);
    for (const OpaqueStep& choice : choices_) find(choice, {}, !formulas_.has_cuts());
    if (!needs_.empty()) return std::move(needs_);
    // No condition on one callee is needed by all runs; the one at hand may still rest on one.
    for (const OpaqueStep& choice : choices_) {
      std::vector<Term> fixed;
      for (const auto& [v, value] : model)
        if (v != choice.value) fixed.push_back(arena_.eq(v, constant(v->sort, value)));
      find(choice, fixed, false);
    }
    return std::move(needs_);
  }

  Term constant(Sort sort, const Value& value) { return arena_.constant(sort, value.number); }

  /// The run's conditions and the choices of opaque callees in it.
  void follow(std::size_t k, const std::vector<std::size_t>& letters,
              std::optional<std::size_t> call) {
    choices_.clear();
    const Path before = Path::before(formulas_, k, Side::Below);
    const CallFormulas& made = formulas_.constructor(k, Side::Below);
    add_choices(component_.constructors()[k].name, 0, made.body,
                [&](Term t) { return before.at_start(t); });
    last_ = letters.size() + 1;
    if (!call) {
      along_ = before.conditions();
      errs_ = before.at_start(made.errs);
      sure_ = falsehood();
      served_ = before.at_start(served(made.body));
      last_ = 0;
      return;
    }
    Path path(formulas_, k, Side::Below);
    auto add = [&](std::size_t c, std::size_t step) {
      const BodyFormula& body = formulas_.call(c, Side::Below).body;
      add_choices(component_.calls()[c].name, step, body,
                  [&](Term t) { return path.at_end(t, &body); });
    };
    for (std::size_t i = 0; i < letters.size(); ++i) {
      add(component_.letter(letters[i]).call, i + 1);
      path.extend(letters[i]);
    }
    add(*call, last_);
    const CallFormulas& body = formulas_.call(*call, Side::Below);
    along_ = path.conditions();
    errs_ = path.at_end(body.errs, &body.body);
    sure_ = path.at_end(surely_errs(*call));
    served_ = path.at_end(served(body.body), &body.body);
  }

  Term falsehood() { return arena_.falsehood(); }

  template <class Here>
  void add_choices(const std::string& call, std::size_t step, const BodyFormula& body, Here here) {
    for (const FormulaInput& input : body.inputs) {
      if (!input.opaque || input.chooser != Chooser::Environment) continue;
      OpaqueStep made{step, call, input.opaque, here(input.variable), here(input.reached), {}};
      for (Term argument : input.arguments)
        made.arguments.push_back(argument ? here(argument) : nullptr);
      choices_.push_back(std::move(made));
    }
  }

  Term served(const BodyFormula& body) {
    std::vector<Term> ends;
    for (const FormulaExit& exit : body.exits)
      if (!exit.error) ends.push_back(exit.guard);
    return arena_.disj(std::move(ends));
  }

  /// Over the state: some argument errs whatever opaque callees do. Where that cannot be said,
  /// false.
  Term surely_errs(std::size_t call) {
    auto [at, fresh] = surely_.try_emplace(call, falsehood());
    if (!fresh) return at->second;
    const CallFormulas& below = formulas_.call(call, Side::Below);
    std::vector<Term> client, others, facts;
    for (const FormulaInput& input : below.body.inputs) {
      (input.chooser == Chooser::Client ? client : others).push_back(input.variable);
      if (input.chooser != Chooser::Client) facts.push_back(input.fact);
    }
    const auto all =
        eliminator_.for_all(arena_.implies(arena_.conj(std::move(facts)), below.errs), others);
    if (all)
      if (const auto some = eliminator_.some(*all, client)) at->second = *some;
    return at->second;
  }

  bool whatever_callees_do() {
    auto otherwise = along_;
    otherwise.push_back(arena_.negate(sure_));
    return solver_.check(otherwise) == Truth::Unsat;
  }

  /// Whether no run errs unless the condition holds, and that is not so of other runs.
  bool tells(const OpaqueStep& choice, Term condition, const std::vector<Term>& fixed) {
    auto without = along_;
    without.push_back(arena_.negate(arena_.conj(choice.reached, condition)));
    auto other = without;
    without.insert(without.end(), fixed.begin(), fixed.end());
    without.push_back(errs_);
    if (solver_.check(without) != Truth::Unsat) return false;
    if (choice.step == last_) other.push_back(served_);
    return solver_.check(other) == Truth::Sat;
  }

  void find(const OpaqueStep& choice, const std::vector<Term>& fixed, bool only) {
    auto report = [&](const std::string& behaviour, std::vector<std::string> arguments) {
      OpaqueNeed made{choice.step, choice.call,          choice.choice->callee,
                      behaviour,   std::move(arguments), only};
      if (std::ranges::find(needs_, made) == needs_.end()) needs_.push_back(std::move(made));
    };
    const OpaqueChoice& what = *choice.choice;
    if (what.result && what.if_true.empty())
      for (const SaidOf& said : conditions_on(choice.value))
        if (tells(choice, said.condition, fixed)) return report("returns a value " + said.text, {});
    const bool flag =
        choice.value->sort == arena_.bool_sort() && !(what.result && what.if_true.empty());
    if (flag)
      for (const bool value : {true, false}) {
        const std::string& does = value ? what.if_true : what.if_false;
        if (does.empty() || does == "returns") continue;
        if (tells(choice, value ? choice.value : arena_.negate(choice.value), fixed))
          return report(does, {});
      }
    // That it returns is nothing special unless the arguments are.
    const bool returns = what.result || (flag && what.if_false == "returns");
    if (!returns || !fixed.empty()) return;
    const Term normal = what.result ? arena_.truth() : arena_.negate(choice.value);
    for (std::size_t i = 0; i < choice.arguments.size() && i < what.names.size(); ++i) {
      if (!choice.arguments[i]) continue;
      for (const SaidOf& said : conditions_on(choice.arguments[i]))
        if (tells(choice, arena_.conj(normal, said.condition), fixed))
          return report("returns", {what.names[i] + " " + said.text});
    }
  }

  /// What can be said of a value that is so in the erring run at hand, the strongest first.
  std::vector<SaidOf> conditions_on(Term term) {
    const auto known = values_.find(term);
    if (known == values_.end() || !known->second || is_constant(term)) return {};
    const Sort sort = term->sort;
    std::vector<SaidOf> all;
    if (sort->kind == SortKind::Bool || sort->kind == SortKind::Enum) {
      const Term same = constant(sort, *known->second);
      all.push_back({"== " + to_string(same), arena_.eq(term, same)});
    } else if (sort->kind == SortKind::Ref) {
      const Term null = arena_.eq(term, arena_.null());
      if (known->second->number == 0)
        all.push_back({"== null", null});
      else
        all.push_back({"!= null", arena_.negate(null)});
    } else if (sort->kind == SortKind::Int) {
      const Integer value = known->second->number;
      const Term zero = arena_.integer(0);
      all.push_back(
          {"== " + to_string(arena_.integer(value)), arena_.eq(term, arena_.integer(value))});
      if (value < 0) all.push_back({"< 0", arena_.lt(term, zero)});
      if (value > 0) all.push_back({"> 0", arena_.gt(term, zero)});
      if (value <= 0) all.push_back({"<= 0", arena_.le(term, zero)});
      if (value >= 0) all.push_back({">= 0", arena_.ge(term, zero)});
      if (value != 0) all.push_back({"!= 0", arena_.ne(term, zero)});
    }
    return all;
  }

  ComponentFormulas& formulas_;
  const Component& component_;
  TermArena& arena_;
  Solver& solver_;
  Eliminator& eliminator_;
  // Of the refusal at hand:
  std::vector<OpaqueStep> choices_;
  std::vector<Term> along_; // the run follows the word
  Term errs_ = nullptr, sure_ = nullptr, served_ = nullptr;
  std::size_t last_ = 0;
  std::map<Term, Result<Value>, TermById> values_;
  std::vector<OpaqueNeed> needs_;
  std::map<std::size_t, Term> surely_;
};

bool asks_opaque_callees(const Component& component) {
  for (const Procedure& p : component.module().procedures)
    for (const Block& b : p.blocks)
      for (const Statement& s : b.statements)
        if (s.opaque && s.kind == StatementKind::Havoc) return true;
  return false;
}

} // namespace

void explain_needs(Interface& interface, const Component& component, Budget& budget) {
  if (!asks_opaque_callees(component) || budget.exhausted_now()) return;
  const auto solver = make_z3_solver({.budget = &budget});
  Eliminator eliminator(component.arena(), {.budget = &budget});
  auto formulas = ComponentFormulas::create(component, *solver, eliminator, LoopEffort::Light);
  if (!formulas) return;
  Explanation explanation(**formulas, *solver, eliminator);
  std::size_t looked_at = 0;
  for (Refusal& refusal : interface.forbidden) {
    if (!refusal.run) continue;
    if (++looked_at > most_refusals || budget.exhausted_now()) return;
    explanation.explain(refusal);
  }
  for (const OpaqueNeed& need : explanation.explain_word(interface, interface.open_word)) {
    std::string word;
    for (const std::string& letter : interface.open_word)
      word += (word.empty() ? "" : " · ") + letter;
    interface.verdict.details["permissive"] += "; " + word + " errs " + to_string(need);
  }
}

} // namespace tacit
