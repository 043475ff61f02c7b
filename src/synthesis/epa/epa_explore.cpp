#include "synthesis/epa/epa_explore.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include <fmt/ranges.h>

#include "abstraction/formula/concrete_inputs.h"
#include "logic/z3/z3_solver.h"

namespace tacit {
namespace {

constexpr std::size_t most_free_calls = 20;      // candidates are at most 2 to this
constexpr std::size_t most_undecided_calls = 10; // in one valuation

/// What one state and call (or one constructor) lead to.
struct Successor {
  CallSet set;
  bool shown = false; // the solver has a valuation, from above
  std::optional<LetterExample> example;
  std::optional<ConcreteRun> run;
};

using OnModel = std::function<void(Successor&)>;

/// Asks one solver for the sets that a step can lead to.
class SuccessorFinder {
public:
  SuccessorFinder(Solver& solver, const ExploreOptions& options, Budget& budget)
      : solver_(solver), options_(options), budget_(budget) {}

  std::vector<Successor> find(const std::vector<Term>& assumptions, const EpaPost& post,
                              const OnModel& on_model) {
    assumptions_ = assumptions;
    assumptions_.push_back(post.guard);
    found_.clear();
    breaks_ = false;
    if (options_.search == EpaSearch::Models) {
      if (!models(post, on_model) && !budget_.exhausted_now()) candidates(post, true, on_model);
    } else {
      candidates(post, options_.pruning, on_model);
    }
    return std::move(found_);
  }

  /// Whether the last step may end beyond the invariant.
  bool breaks() const { return breaks_; }

  const std::string& failure() const { return failure_; }

private:
  /// False when the solver gave up on the way.
  bool models(const EpaPost& post, const OnModel& on_model) {
    std::vector<Term> predicates;
    const auto place = [&](Term t) -> std::size_t {
      const auto at = std::ranges::find(predicates, t);
      if (at != predicates.end()) return static_cast<std::size_t>(at - predicates.begin());
      predicates.push_back(t);
      return predicates.size() - 1;
    };
    std::vector<std::pair<std::size_t, std::size_t>> where;
    for (std::size_t b = 0; b < post.above.size(); ++b) {
      const std::size_t above = place(post.above[b]);
      where.emplace_back(above, place(post.below[b]));
    }
    // States beyond the invariant are no successors, but worth knowing of.
    const std::size_t kept = place(post.invariant);
    const auto receive = [&](const std::vector<bool>& values) {
      if (!values[kept]) {
        breaks_ = true;
        return true;
      }
      Successor next{CallSet(where.size()), true, {}, {}};
      std::vector<std::size_t> undecided;
      for (std::size_t b = 0; b < where.size(); ++b) {
        next.set[b] = values[where[b].first] && values[where[b].second];
        if (values[where[b].first] && !values[where[b].second]) undecided.push_back(b);
      }
      if (undecided.size() > most_undecided_calls) {
        failure_ = "too many requires clauses could not be split";
        return false;
      }
      for (std::size_t bits = 0; bits < std::size_t{1} << undecided.size(); ++bits) {
        Successor one = next;
        for (std::size_t i = 0; i < undecided.size(); ++i) one.set[undecided[i]] = bits >> i & 1;
        if (known(one.set)) continue;
        if (undecided.empty()) on_model(one);
        found_.push_back(std::move(one));
      }
      return true;
    };
    return solver_.all_sat(assumptions_, predicates, receive) != Enumeration::Unknown;
  }

  void candidates(const EpaPost& post, bool pruning, const OnModel& on_model) {
    if (!is_false(post.broken) && ask({post.broken}) != Truth::Unsat) breaks_ = true;
    const std::size_t calls = post.above.size();
    CallSet base(calls);
    std::vector<std::size_t> free;
    for (std::size_t b = 0; b < calls; ++b) {
      if (pruning) {
        if (ask({post.above[b]}) == Truth::Unsat) continue; // in A-, B-
        if (ask({post.not_below[b]}) == Truth::Unsat) {     // in A+, B+
          base[b] = true;
          continue;
        }
      }
      free.push_back(b);
    }
    if (free.size() > most_free_calls) {
      failure_ = fmt::format("there are 2^{} candidate states", free.size());
      return;
    }
    for (std::size_t bits = 0; bits < std::size_t{1} << free.size(); ++bits) {
      if (budget_.exhausted()) return;
      CallSet set = base;
      for (std::size_t i = 0; i < free.size(); ++i) set[free[i]] = bits >> i & 1;
      if (known(set)) continue;
      std::vector<Term> more = SetLiterals::above(set, post);
      more.push_back(post.invariant);
      const Truth answer = ask(more);
      if (answer == Truth::Unsat) continue;
      Successor next{set, answer == Truth::Sat, {}, {}};
      if (next.shown) on_model(next);
      found_.push_back(std::move(next));
    }
  }

  bool known(const CallSet& set) const {
    return std::ranges::any_of(found_, [&](const Successor& s) { return s.set == set; });
  }

  Truth ask(const std::vector<Term>& more) {
    std::vector<Term> all = assumptions_;
    all.insert(all.end(), more.begin(), more.end());
    return solver_.check(all);
  }

  Solver& solver_;
  const ExploreOptions& options_;
  Budget& budget_;
  std::vector<Term> assumptions_;
  std::vector<Successor> found_;
  bool breaks_ = false;
  std::string failure_;
};

bool all_known(const ActionSystem& system) {
  return std::ranges::all_of(system.actions(), &Action::enabledness_known);
}

/// Everything about one call: used by one worker at a time.
class CallWorker {
public:
  CallWorker(const ActionSystem& system, const SetLiterals& literals, std::size_t call,
             const ExploreOptions& options, Budget& budget)
      : system_(system), literals_(literals), call_(call), options_(options), budget_(budget),
        post_(post_of(system, system.actions()[call].step_above)) {}

  struct Answer {
    std::size_t from = 0;
    std::vector<Successor> successors;
    bool may_break = false;
    bool complete = true; // there are no others
  };

  void run(const std::vector<CallSet>& sets, std::size_t first, std::size_t last) {
    answers.clear();
    for (std::size_t q = first; q < last; ++q)
      if (sets[q][call_] && !budget_.exhausted_now()) answers.push_back(expand(q, sets[q]));
  }

  std::vector<Answer> answers;
  std::string failure;

private:
  Answer expand(std::size_t state, const CallSet& set) {
    if (!solver_) solver_ = make_z3_solver({.budget = &budget_});
    Answer answer{state, {}, false};
    std::vector<Term> source{system_.facts(), system_.invariant()};
    for (Term literal : literals_.above(set)) source.push_back(literal);
    SuccessorFinder finder(*solver_, options_, budget_);
    answer.successors = finder.find(source, post_, [&](Successor& next) {
      next.example =
          confirmed_step(system_, literals_, call_, Side::Above, set, next.set, *solver_);
    });
    if (!finder.failure().empty()) failure = finder.failure();
    answer.may_break = finder.breaks();
    answer.complete = finder.failure().empty() && !budget_.exhausted_now();
    return answer;
  }

  const ActionSystem& system_;
  const SetLiterals& literals_;
  std::size_t call_;
  const ExploreOptions& options_;
  Budget& budget_;
  EpaPost post_;
  std::unique_ptr<Solver> solver_;
};

class Explorer {
public:
  Explorer(const ActionSystem& system, const ExploreOptions& options, Budget& budget)
      : system_(system), literals_(system), options_(options), budget_(budget),
        known_(all_known(system)) {
    for (std::size_t c = 0; c < system.actions().size(); ++c)
      workers_.push_back(std::make_unique<CallWorker>(system, literals_, c, options_, budget));
  }

  EpaGraph run() {
    for (std::size_t k = 0; k < system_.starts().size(); ++k) start(k);
    for (std::size_t first = 0; first < graph_.sets.size() && !budget_.exhausted_now();) {
      const std::size_t last = graph_.sets.size();
      layer(first, last);
      first = last;
    }
    for (std::size_t q = 0; q < graph_.sets.size(); ++q)
      for (std::size_t c = 0; c < workers_.size(); ++c)
        if (graph_.sets[q][c] && !explored_.contains({q, c})) graph_.open.emplace(q, c);
    if (!graph_.complete() && budget_.exhausted_now()) graph_.reason = budget_.reason();
    return std::move(graph_);
  }

private:
  std::size_t number(const CallSet& set) {
    const auto [at, added] = graph_.index.try_emplace(set, graph_.sets.size());
    if (added) graph_.sets.push_back(set);
    return at->second;
  }

  static void in_order(std::vector<Successor>& successors) {
    std::ranges::sort(successors, {}, &Successor::set);
  }

  void start(std::size_t k) {
    const ActionStart& start = system_.starts()[k];
    const auto solver = make_z3_solver({.budget = &budget_});
    const EpaPost post = post_of(system_, start.above);
    const Term facts = substitute(system_.arena(), system_.facts(), system_.formulas().initial());
    SuccessorFinder finder(*solver, options_, budget_);
    auto found = finder.find(
        {facts}, post, [&](Successor& next) { next.run = confirmed_start(k, next.set, *solver); });
    if (!finder.failure().empty() || budget_.exhausted_now()) graph_.open_starts.insert(k);
    fail_with(finder.failure());
    in_order(found);
    for (Successor& next : found) {
      const bool certain = (next.shown && known_ && start.exact) || next.run;
      const std::size_t q = number(next.set);
      options_.story.tell("line 6: {} may start in {}{}", start.name, to_string(system_, next.set),
                          certain ? "" : " (uncertain)");
      graph_.starts.push_back({k, q, certain, std::move(next.run)});
    }
    if (finder.breaks()) graph_.breaking_starts.push_back(k);
  }

  std::optional<ConcreteRun> confirmed_start(std::size_t k, const CallSet& set, Solver& solver) {
    const Component& component = system_.component();
    const BodyFormula& body = system_.formulas().constructor(k, Side::Above).body;
    ConcreteRun run;
    run.constructor = k;
    for (const StateVariable& v : component.module().state) {
      if (v.initial) continue;
      auto value = solver.value(v.term);
      if (!value) return std::nullopt;
      run.initial.push_back(*value);
    }
    const Interpreter interpreter(component.module());
    const auto initial = interpreter.initial(run.initial);
    if (!initial) return std::nullopt;
    Addresses addresses;
    auto inputs =
        concrete_inputs(component.module(), component.body(component.constructors()[k]), body,
                        *initial, addresses, [&](Term input) { return solver.value(input); });
    if (!inputs) return std::nullopt;
    run.constructor_inputs = std::move(*inputs);
    const StepResult result = run_constructor(component, run);
    if (result.how != RunEnd::Returned || !literals_.holds(set, result.after)) return std::nullopt;
    return run;
  }

  void layer(std::size_t first, std::size_t last) {
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
      for (std::size_t c; (c = next++) < workers_.size();)
        workers_[c]->run(graph_.sets, first, last);
    };
    std::vector<std::exception_ptr> broken(std::max<std::size_t>(options_.workers, 1));
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 1; i < broken.size(); ++i)
        threads.emplace_back([&, i] {
          try {
            work();
          } catch (...) {
            broken[i] = std::current_exception();
          }
        });
      work();
    }
    for (const std::exception_ptr& e : broken)
      if (e) std::rethrow_exception(e);
    for (std::size_t q = first; q < last; ++q)
      for (std::size_t c = 0; c < workers_.size(); ++c)
        for (CallWorker::Answer& answer : workers_[c]->answers)
          if (answer.from == q) take(c, answer);
    for (const auto& worker : workers_) fail_with(worker->failure);
  }

  void take(std::size_t call, CallWorker::Answer& answer) {
    in_order(answer.successors);
    if (answer.complete) explored_.emplace(answer.from, call);
    const Action& action = system_.actions()[call];
    const std::string from =
        options_.story.told() ? to_string(system_, graph_.sets[answer.from]) : "";
    if (answer.successors.empty() && answer.complete)
      options_.story.tell("line 16: {} from {} leads nowhere", action.name, from);
    for (Successor& next : answer.successors) {
      const bool certain = (next.shown && known_ && action.exact) || next.example;
      options_.story.tell("line 16: {} from {} leads to {}{}{}", action.name, from,
                          to_string(system_, next.set), certain ? "" : " ?",
                          answer.may_break ? " *" : "");
      graph_.edges.push_back({answer.from, call, number(next.set), certain, answer.may_break,
                              std::move(next.example), std::nullopt});
    }
  }

  void fail_with(const std::string& reason) {
    if (!reason.empty()) graph_.reason = reason;
  }

  const ActionSystem& system_;
  SetLiterals literals_;
  const ExploreOptions& options_;
  Budget& budget_;
  bool known_;
  std::vector<std::unique_ptr<CallWorker>> workers_;
  std::set<std::pair<std::size_t, std::size_t>> explored_; // state, call: all successors are known
  EpaGraph graph_;
};

} // namespace

std::optional<std::size_t> EpaGraph::find(const CallSet& set) const {
  const auto at = index.find(set);
  return at == index.end() ? std::nullopt : std::optional(at->second);
}

EpaPost post_of(const ActionSystem& system, const StepFormula& step) {
  TermArena& arena = system.arena();
  EpaPost post;
  post.guard = step.guard;
  post.invariant = substitute(arena, system.invariant(), step.after);
  post.broken = arena.negate(post.invariant);
  for (const Action& b : system.actions()) {
    post.above.push_back(substitute(arena, b.above, step.after));
    post.below.push_back(substitute(arena, b.below, step.after));
    post.not_above.push_back(arena.negate(post.above.back()));
    post.not_below.push_back(arena.negate(post.below.back()));
  }
  return post;
}

bool hidden_decides(const BodyFormula& body, const EpaPost& post) {
  std::set<Term> hidden;
  for (const FormulaInput& input : body.inputs)
    if (input.chooser == Chooser::Unknown && !input.fresh && !input.at_head)
      hidden.insert(input.variable);
  if (hidden.empty()) return false;
  const auto mentions = [&](Term t) {
    return std::ranges::any_of(variables(t), [&](Term v) { return hidden.contains(v); });
  };
  return mentions(post.guard) || mentions(post.invariant) ||
         std::ranges::any_of(post.above, mentions) || std::ranges::any_of(post.below, mentions);
}

SetLiterals::SetLiterals(const ActionSystem& system) : system_(system) {
  for (const Action& a : system.actions()) {
    not_above_.push_back(system.arena().negate(a.above));
    not_below_.push_back(system.arena().negate(a.below));
  }
}

std::vector<Term> SetLiterals::above(const CallSet& set) const {
  std::vector<Term> literals;
  for (std::size_t b = 0; b < set.size(); ++b)
    literals.push_back(set[b] ? system_.actions()[b].above : not_below_[b]);
  return literals;
}

std::vector<Term> SetLiterals::below(const CallSet& set) const {
  std::vector<Term> literals;
  for (std::size_t b = 0; b < set.size(); ++b)
    literals.push_back(set[b] ? system_.actions()[b].below : not_above_[b]);
  return literals;
}

std::vector<Term> SetLiterals::above(const CallSet& set, const EpaPost& post) {
  std::vector<Term> literals;
  for (std::size_t b = 0; b < set.size(); ++b)
    literals.push_back(set[b] ? post.above[b] : post.not_below[b]);
  return literals;
}

std::vector<Term> SetLiterals::below(const CallSet& set, const EpaPost& post) {
  std::vector<Term> literals;
  for (std::size_t b = 0; b < set.size(); ++b)
    literals.push_back(set[b] ? post.below[b] : post.not_above[b]);
  return literals;
}

bool SetLiterals::holds(const CallSet& set, const ConcreteState& state) const {
  const Module& module = system_.component().module();
  const Valuation valuation = [&](Term variable) {
    return state.values[*module.state_index(variable)];
  };
  std::vector<Term> literals = below(set);
  literals.push_back(system_.invariant());
  return std::ranges::all_of(literals, [&](Term literal) {
    const auto value = evaluate(literal, valuation);
    return value && value->truth();
  });
}

std::optional<LetterExample> confirmed_step(const ActionSystem& system, const SetLiterals& literals,
                                            std::size_t call, Side side, const CallSet& from,
                                            const CallSet& to, Solver& solver) {
  const Component& component = system.component();
  const Module& module = component.module();
  const BodyFormula& body = system.formulas().call(call, side).body;
  std::vector<Value> values;
  for (const StateVariable& v : module.state) {
    auto value = solver.value(v.term);
    if (!value || !contains(v.type, *value)) return std::nullopt;
    values.push_back(*value);
  }
  LetterExample example;
  example.before = concrete_state(module, std::move(values));
  if (!literals.holds(from, example.before)) return std::nullopt;
  Addresses addresses;
  auto inputs =
      concrete_inputs(module, component.body(component.calls()[call]), body, example.before,
                      addresses, [&](Term input) { return solver.value(input); });
  if (!inputs) return std::nullopt;
  example.step = {call, std::move(*inputs)};
  const StepResult result = run_step(component, example.before, example.step);
  // Addresses are not those of the valuation, so another way may have been taken.
  if (result.how != RunEnd::Returned && (result.how != RunEnd::Threw || body.approximate()))
    return std::nullopt;
  example.after = result.after;
  if (!literals.holds(to, example.after)) return std::nullopt;
  return example;
}

EpaGraph explore_epa(const ActionSystem& system, const ExploreOptions& options, Budget& budget) {
  return Explorer(system, options, budget).run();
}

std::string to_string(const ActionSystem& system, const CallSet& set) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < set.size(); ++c)
    if (set[c]) names.push_back(system.actions()[c].name);
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

} // namespace tacit
