#include "synthesis/aside.h"

#include <algorithm>
#include <map>
#include <set>

#include "abstraction/formula/formulas.h"
#include "logic/term/parse.h"
#include "logic/z3/z3_solver.h"
#include "program/ir/scope.h"
#include "program/observe/decided.h"

namespace tacit {
namespace {

/// Larger sets are not tried one by one: all candidates are set aside then.
constexpr std::size_t most_tried_together = 2;
constexpr std::size_t most_named = 3; // callees in a reason

using Sites = std::set<std::string>;

std::string called(const std::string& name) { return name.contains('(') ? name : name + "()"; }

/// One call or constructor: where it may err, and by whose choice.
class UndecidedCall {
public:
  UndecidedCall(ComponentFormulas& formulas, Solver& solver, Eliminator& eliminator, Term label,
                const CallFormulas& above, const CallFormulas& below, bool constructor)
      : formulas_(formulas), arena_(formulas.arena()), solver_(solver), eliminator_(eliminator),
        label_(label), above_(above), below_(below), constructor_(constructor) {
    for (const FormulaInput& input : above.body.inputs)
      if (input.chooser != Chooser::Client) others_.push_back(input.variable);
    for (const FormulaExit& exit : above.body.exits) {
      ends_.push_back(exit.guard);
      if (!exit.error)
        works_.push_back(exit.guard);
      else if (exit.end && exit.end->site().line > 0)
        sites_.insert(to_string(exit.end->site()));
    }
  }

  const Sites& sites() const { return sites_; }

  /// Wherever the client is and whatever it passes, the call may err at one of these, or at a place
  /// without a name.
  bool hopeless(const Sites& counting) {
    if (constructor_ && works_.empty()) return false;
    return never({may(counting)}, ends_);
  }

  /// The same by what the environment does, whatever nobody knows.
  bool surely_hopeless(const Sites& counting) {
    const auto sure = formulas_.surely(below_.body, errors(below_.body, counting), false);
    return sure && never({*sure}, ends_);
  }

  /// Whether somebody else decides there: with the same arguments the call may also work.
  bool is_candidate(const std::string& site) {
    return check({arena_.disj(works_), may({site})}) == Truth::Sat;
  }

  /// The call may err there, but in no state and for no arguments is that certain: what nobody
  /// knows decides, wherever the client is and whatever it passes.
  bool never_sure(const std::string& site) {
    const Term errs = errors_at(below_.body, site);
    const auto mentioned = variables(errs);
    std::vector<Term> unknown, goal;
    bool decides = false;
    for (const FormulaInput& input : below_.body.inputs) {
      if (input.chooser != Chooser::Unknown) continue;
      unknown.push_back(input.variable);
      goal.push_back(input.fact);
      decides = decides || std::ranges::count(mentioned, input.variable) > 0;
    }
    if (!decides || check({errs}) != Truth::Sat) return false;
    std::vector<Term> elsewhere;
    for (const FormulaExit& exit : below_.body.exits)
      if (!exit.error || !exit.end || to_string(exit.end->site()) != site)
        elsewhere.push_back(exit.guard);
    goal.push_back(arena_.disj(std::move(elsewhere)));
    const auto at_start = [&](Term term) {
      return constructor_ ? substitute(arena_, term, formulas_.initial()) : term;
    };
    const std::vector<Term> given{formulas_.facts(), label_, at_start(errs)};
    // Other values in the place of those that make it err.
    Substitution others;
    for (Term& variable : unknown) {
      const Term other = arena_.var("other!" + variable->name, variable->sort);
      others[variable] = other;
      variable = other;
    }
    const Term works = substitute(arena_, at_start(arena_.conj(std::move(goal))), others);
    return solver_.refute_forall_exists(given, works, unknown) == Truth::Unsat;
  }

  /// Whether the call may err there, in the states of the label.
  bool may_err_at(const std::string& site) {
    return check({errors_at(above_.body, site)}) != Truth::Unsat;
  }

  std::string because(const std::string& site, bool decided) const {
    const auto mentioned = variables(errors(above_.body, {site}));
    Sites named;
    for (const FormulaInput& input : above_.body.inputs)
      if (input.opaque && std::ranges::count(mentioned, input.variable) > 0 &&
          (input.chooser == Chooser::Environment) == decided)
        named.insert(called(input.opaque->shown));
    if (named.size() > most_named) named.erase(std::next(named.begin(), most_named), named.end());
    if (named.empty()) return decided ? "the environment decides" : "some values are not followed";
    return fmt::format("{} {}", fmt::join(named, ", "),
                       decided ? (named.size() == 1 ? "decides" : "decide")
                               : (named.size() == 1 ? "is not known" : "are not known"));
  }

private:
  Term errors(const BodyFormula& body, const Sites& counting) const {
    std::vector<Term> made;
    for (const FormulaExit& exit : body.exits)
      if (exit.error && (!exit.end || exit.end->site().line == 0 ||
                         counting.contains(to_string(exit.end->site()))))
        made.push_back(exit.guard);
    return arena_.disj(std::move(made));
  }

  Term errors_at(const BodyFormula& body, const std::string& site) const {
    std::vector<Term> made;
    for (const FormulaExit& exit : body.exits)
      if (exit.error && exit.end && to_string(exit.end->site()) == site) made.push_back(exit.guard);
    return arena_.disj(std::move(made));
  }

  Term may(const Sites& counting) {
    return eliminator_.at_most(errors(above_.body, counting), others_);
  }

  bool never(const std::vector<Term>& errs, const std::vector<Term>& runs) {
    return check({arena_.disj(runs), arena_.negate(arena_.disj(errs))}) == Truth::Unsat;
  }

  Truth check(std::vector<Term> what) {
    Term all = arena_.conj(std::move(what));
    if (constructor_) all = substitute(arena_, all, formulas_.initial());
    return solver_.check({formulas_.facts(), label_, all});
  }

  ComponentFormulas& formulas_;
  TermArena& arena_;
  Solver& solver_;
  Eliminator& eliminator_;
  Term label_;
  const CallFormulas &above_, &below_;
  bool constructor_;
  std::vector<Term> others_, ends_, works_;
  Sites sites_;
};

/// The first set of candidates, smallest first, without which the call is not hopeless. That no
/// state allows it says that it is: labels may speak of more states than there are.
std::optional<Sites> fewest(UndecidedCall& call) {
  std::vector<std::string> candidates;
  for (const std::string& site : call.sites())
    if (call.is_candidate(site)) candidates.push_back(site);
  const auto helps = [&](const Sites& aside) {
    Sites counting = call.sites();
    for (const std::string& site : aside) counting.erase(site);
    return !call.hopeless(counting);
  };
  const Sites all(candidates.begin(), candidates.end());
  if (all.empty() || !helps(all)) return std::nullopt;
  for (const std::string& site : candidates)
    if (helps({site})) return Sites{site};
  if (most_tried_together > 1)
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (std::size_t j = i + 1; j < candidates.size(); ++j)
        if (helps({candidates[i], candidates[j]})) return Sites{candidates[i], candidates[j]};
  return all;
}

/// Whether what nobody knows is asked for right before the error: not state that was written by
/// what is not known, which calls before this one may have set.
bool asks_for_unknown(const Procedure& body, const std::string& site) {
  std::set<BlockId> erring;
  for (BlockId b = 0; b < body.blocks.size(); ++b)
    if (body.blocks[b].end.kind == TerminatorKind::Error &&
        to_string(body.blocks[b].end.site()) == site)
      erring.insert(b);
  const DecidedBy decided(body, [](const Statement& s) {
    return s.kind == StatementKind::Havoc && s.chooser == Chooser::Unknown;
  });
  return !erring.empty() &&
         std::ranges::all_of(erring, [&](BlockId b) { return decided.whether_run(b, erring); });
}

class AsideSearch {
public:
  /// Nothing found: everything is looked at, in all states.
  AsideSearch(const Interface* found, const Component& component, Budget& budget)
      : found_(found), component_(component), solver_(make_z3_solver({.budget = &budget})),
        eliminator_(component.arena(), {.budget = &budget}) {
    auto made = ComponentFormulas::create(component, *solver_, eliminator_);
    if (made) formulas_ = std::move(*made);
  }

  std::vector<SetAside> more() {
    std::vector<SetAside> made;
    if (!formulas_) return made;
    for (std::size_t c = 0; c < component_.calls().size(); ++c)
      if (!found_ || (!found_->states.empty() && never(component_.calls()[c].name)))
        add(component_.calls()[c].name, call(c), made);
    for (std::size_t k = 0; k < component_.constructors().size(); ++k)
      if (!found_ || never(component_.constructors()[k].name))
        add(component_.constructors()[k].name, constructor(k), made);
    return made;
  }

  /// Sites that no state and no arguments decide, where what nobody knows is asked for.
  std::vector<SetAside> undecidable() {
    std::vector<SetAside> made;
    const auto look = [&](const Call& call, UndecidedCall at) {
      for (const std::string& site : at.sites())
        if (asks_for_unknown(component_.body(call), site) && at.never_sure(site))
          made.push_back({call.name, site, at.because(site, false), false});
    };
    for (std::size_t c = 0; formulas_ && c < component_.calls().size(); ++c)
      look(component_.calls()[c], call(c));
    for (std::size_t k = 0; formulas_ && k < component_.constructors().size(); ++k)
      look(component_.constructors()[k], constructor(k));
    return made;
  }

  /// Whether a client that may be anywhere can meet the error.
  bool matters(const SetAside& site) {
    for (std::size_t c = 0; formulas_ && c < component_.calls().size(); ++c)
      if (component_.calls()[c].name == site.call) return call(c).may_err_at(site.site);
    return true;
  }

  bool surely(const SetAside& site) {
    for (std::size_t c = 0; formulas_ && c < component_.calls().size(); ++c)
      if (component_.calls()[c].name == site.call) {
        UndecidedCall at = call(c);
        return at.surely_hopeless(at.sites());
      }
    return false;
  }

private:
  bool never(const std::string& name) const { return !allows_somewhere(*found_, name); }

  UndecidedCall call(std::size_t c) {
    return {*formulas_,
            *solver_,
            eliminator_,
            label(),
            formulas_->call(c, Side::Above),
            formulas_->call(c, Side::Below),
            false};
  }

  UndecidedCall constructor(std::size_t k) {
    return {*formulas_,
            *solver_,
            eliminator_,
            component_.arena().truth(),
            formulas_->constructor(k, Side::Above),
            formulas_->constructor(k, Side::Below),
            true};
  }

  void add(const std::string& name, UndecidedCall at, std::vector<SetAside>& into) {
    if (at.sites().empty() || (!found_ && !at.hopeless(at.sites()))) return;
    const auto aside = fewest(at);
    if (!aside) return;
    Sites others = at.sites();
    for (const std::string& site : *aside) others.erase(site);
    for (const std::string& site : *aside) {
      Sites counting = others;
      counting.insert(site);
      const bool decided = at.surely_hopeless(counting);
      into.push_back({name, site, at.because(site, decided), decided});
    }
  }

  /// Where a client may be.
  Term label() const {
    TermArena& arena = component_.arena();
    const ModuleScope scope(component_.module());
    std::vector<Term> any;
    if (!found_) return arena.truth();
    for (const std::string& text : found_->evidence.safe) {
      const auto read = parse_expression(text, "label", arena, scope, arena.bool_sort());
      if (!read) return arena.truth();
      any.push_back(*read);
    }
    return found_->evidence.safe.empty() ? arena.truth() : arena.disj(std::move(any));
  }

  const Interface* found_;
  const Component& component_;
  std::unique_ptr<Solver> solver_;
  Eliminator eliminator_;
  std::unique_ptr<ComponentFormulas> formulas_;
};

} // namespace

std::vector<SetAside> sites_to_set_aside(const Interface& found, const Component& component,
                                         Budget& budget) {
  const auto never = [&](const Call& call) { return !allows_somewhere(found, call.name); };
  const bool hopeless = !found.states.empty() && std::ranges::any_of(component.calls(), never);
  if (!hopeless && std::ranges::none_of(component.constructors(), never)) return {};
  return AsideSearch(&found, component, budget).more();
}

std::vector<SetAside> sites_to_set_aside(const Component& component, Budget& budget) {
  AsideSearch search(nullptr, component, budget);
  std::vector<SetAside> made = search.undecidable();
  for (SetAside& site : search.more())
    if (std::ranges::none_of(made, [&](const SetAside& known) {
          return known.call == site.call && known.site == site.site;
        }))
      made.push_back(std::move(site));
  return made;
}

std::vector<SetAside> sites_that_matter(std::vector<SetAside> sites, const Interface& found,
                                        const Component& counting, Budget& budget) {
  std::erase_if(sites, [&](const SetAside& site) { return !allows_somewhere(found, site.call); });
  if (sites.empty()) return sites;
  AsideSearch search(&found, counting, budget);
  std::erase_if(sites, [&](const SetAside& site) { return !search.matters(site); });
  return sites;
}

void withdraw_decided(std::vector<SetAside>& sites, const Interface& found,
                      const Component& counting, Budget& budget) {
  if (std::ranges::none_of(sites, &SetAside::decided)) return;
  AsideSearch search(&found, counting, budget);
  for (SetAside& site : sites) site.decided = site.decided && search.surely(site);
}

bool allows_somewhere(const Interface& found, const std::string& call) {
  const auto at = std::ranges::find(found.calls, call, &InterfaceCall::name);
  if (at == found.calls.end())
    return std::ranges::find(found.initial, call, &InitialState::constructor) !=
           found.initial.end();
  const auto index = static_cast<std::size_t>(at - found.calls.begin());
  return std::ranges::any_of(found.states,
                             [&](const InterfaceState& q) { return q.allows[index]; });
}

} // namespace tacit
