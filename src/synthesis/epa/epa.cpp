#include "synthesis/epa/epa.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <sstream>

#include <fmt/ranges.h>

#include "abstraction/actions/infer_invariant.h"
#include "base/should.h"
#include "logic/solver/simplify.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "logic/z3/z3_solver.h"
#include "program/ir/scope.h"
#include "synthesis/epa/epa_findings.h"
#include "synthesis/epa/epa_reachable.h"
#include "synthesis/finish/run_writer.h"

namespace tacit {
namespace {

std::string_view name_of(RequiresFrom from) {
  switch (from) {
  case RequiresFrom::Given: return "given";
  case RequiresFrom::Mined: return "mined";
  case RequiresFrom::Both: return "both";
  }
  should_not_be_reached("clauses should come from somewhere");
}

std::string_view name_of(Splitting splitting) {
  switch (splitting) {
  case Splitting::Precise: return "precise";
  case Splitting::ByChoice: return "by choice";
  case Splitting::Approximated: return "approximated";
  }
  should_not_be_reached("a clause should be split somehow");
}

constexpr std::size_t most_blocks = 1500; // of all calls, for more effort on loops

class EpaEngine {
public:
  EpaEngine(const Module& module, const Component& component, const EpaOptions& options,
            Budget& budget)
      : module_(module), component_(component), options_(options), budget_(budget),
        solver_(make_z3_solver({.budget = &budget})),
        eliminator_(component.arena(), {.budget = &budget}) {}

  Result<EpaResult> run() {
    effort_ = LoopEffort::Light;
    if (auto done = abstract(); !done) return std::unexpected(done.error());
    const bool open = std::ranges::any_of(graph_.edges, std::not_fn(&EpaEdge::certain)) ||
                      std::ranges::any_of(graph_.starts, std::not_fn(&EpaStart::certain));
    if (open && effort_ == LoopEffort::Light && formulas_->has_cuts() && worth_more()) {
      options_.story.tell("some transitions are uncertain: once more, with more effort on loops");
      effort_ = LoopEffort::Full;
      if (auto done = abstract(); !done) return std::unexpected(done.error());
    }
    if (options_.reachable) witness_reachable(graph_, *system_, *solver_, budget_);
    EpaResult result;
    number_states();
    result.interface = interface();
    result.settled = graph_.complete();
    for (const std::string& question : options_.why_not) {
      auto answer = why_not(result.interface, question);
      if (!answer) return std::unexpected(answer.error());
      result.answers.push_back(std::move(*answer));
    }
    result.annotated = annotated();
    return result;
  }

private:
  TermArena& arena() { return component_.arena(); }

  /// More effort on loops takes long where bodies are large.
  bool worth_more() const {
    std::size_t blocks = 0;
    for (const Call& call : component_.calls()) blocks += component_.body(call).blocks.size();
    return blocks <= most_blocks && !budget_.exhausted_now();
  }

  Result<void> abstract() {
    literals_.reset();
    system_.reset();
    predicates_.clear();
    below_posts_.clear();
    auto formulas = ComponentFormulas::create(component_, *solver_, eliminator_, effort_);
    if (!formulas) return std::unexpected(formulas.error());
    formulas_ = std::move(*formulas);
    if (auto made = make_system(); !made) return std::unexpected(made.error());
    // Loops may leave mined clauses open; then more effort is worth it before anything is explored.
    if (from_ != RequiresFrom::Given && effort_ == LoopEffort::Light && system_->open_by_loops() &&
        worth_more()) {
      effort_ = LoopEffort::Full;
      return abstract();
    }
    if (from_ == RequiresFrom::Mined) system_->take_from_above();
    for (const Action& action : system_->actions()) tell_clause(action);
    if (from_ != RequiresFrom::Given || options_.reachable) infer();
    literals_.emplace(*system_);
    graph_ = explore_epa(*system_,
                         {.search = options_.search,
                          .pruning = options_.pruning,
                          .workers = options_.workers,
                          .story = options_.story},
                         budget_);
    if (graph_.starts.empty() && invariant_from_ == "given" &&
        solver_->check({system_->facts(), system_->invariant()}) == Truth::Unsat)
      return fail("the invariant can never hold: {}", to_string(system_->invariant()));
    for (EpaEdge& edge : graph_.edges)
      if (!edge.certain || hides(edge.call)) settle(edge);
    for (EpaStart& start : graph_.starts)
      if (!start.certain || hides(start)) settle(start);
    return {};
  }

  // ---- the action system

  Result<void> make_system() {
    from_ =
        options_.requires_from.value_or(has_clauses() ? RequiresFrom::Given : RequiresFrom::Mined);
    ActionOptions how{.from = from_, .invariant = nullptr, .facts = {}};
    std::vector<Term> invariants;
    for (const std::string& text : options_.invariants) {
      auto term = condition(text, "--invariant");
      if (!term) return std::unexpected(term.error());
      invariants.push_back(*term);
    }
    if (!invariants.empty()) how.invariant = arena().conj(std::move(invariants));
    for (const std::string& text : options_.facts) {
      auto fact = state_fact(text);
      if (!fact) return std::unexpected(fact.error());
      how.facts.push_back(std::move(*fact));
    }
    for (const auto& [kind, texts] : {std::pair(Approximation::Kind::Over, &options_.over),
                                      std::pair(Approximation::Kind::Under, &options_.under)})
      for (const std::string& text : *texts) {
        auto given = approximation(kind, text);
        if (!given) return std::unexpected(given.error());
        how.approximations.push_back(*given);
      }
    auto system = ActionSystem::create(*formulas_, *solver_, eliminator_, how);
    if (!system) return std::unexpected(system.error());
    system_ = std::move(*system);
    invariant_from_ = is_true(system_->invariant()) ? "none" : "given";
    return {};
  }

  void infer() {
    auto inferred = infer_invariant(*system_, *solver_, budget_);
    if (!inferred) {
      inference_failed_ = inferred.error().message;
      return;
    }
    options_.story.tell("inferred invariant over {} predicates: {}", inferred->predicates.size(),
                        to_string(inferred->invariant));
    for (Term p : inferred->predicates) predicates_.push_back(to_string(p));
    system_->strengthen(inferred->invariant);
    invariant_from_ = invariant_from_ == "given" ? "given and inferred" : "inferred";
  }

  bool has_clauses() const {
    return std::ranges::any_of(component_.calls(), [&](const Call& call) {
      return !component_.body(call).preconditions.empty();
    });
  }

  Result<Term> condition(const std::string& text, const std::string& option) {
    return parse_expression(text, option, arena(), ModuleScope(component_.module()),
                            arena().bool_sort());
  }

  Result<Approximation> approximation(Approximation::Kind kind, const std::string& text) {
    const std::string option = kind == Approximation::Kind::Over ? "--over" : "--under";
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) return fail("{} '{}': expected 'CALL: COND'", option, text);
    const std::string name = text.substr(0, colon);
    const auto call = component_.find_call(name);
    if (!call) return fail("{}: there is no call '{}'", option, name);
    if (from_ != RequiresFrom::Given)
      return fail("{}: only requires clauses that are given are approximated by hand", option);
    auto term = condition(text.substr(colon + 2), option);
    if (!term) return std::unexpected(term.error());
    return Approximation{kind, *call, *term};
  }

  Result<StateFact> state_fact(const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) return fail("--fact '{}': expected 'CALLS: COND'", text);
    auto calls = call_set(text.substr(0, colon), "--fact");
    if (!calls) return std::unexpected(calls.error());
    StateFact fact;
    for (std::size_t c = 0; c < calls->size(); ++c)
      if ((*calls)[c]) fact.calls.push_back(c);
    auto term = condition(text.substr(colon + 2), "--fact");
    if (!term) return std::unexpected(term.error());
    fact.condition = *term;
    return fact;
  }

  /// Names with commas between them, perhaps in braces.
  Result<CallSet> call_set(std::string text, std::string_view option) {
    CallSet set(component_.calls().size());
    std::erase_if(text, [](char c) { return c == '{' || c == '}' || c == ' '; });
    std::istringstream names(text);
    std::vector<std::string> known;
    for (const Call& call : component_.calls()) known.push_back(call.name);
    for (std::string name; std::getline(names, name, ',');) {
      const auto call = component_.find_call(name);
      if (!call) return fail("{}: there is no call '{}'{}", option, name, suggestion(name, known));
      set[*call] = true;
    }
    return set;
  }

  void tell_clause(const Action& action) {
    options_.story.tell("{} is enabled when {} ({}{})", action.name, to_string(action.above),
                        name_of(from_),
                        action.splitting == Splitting::Precise
                            ? ""
                            : fmt::format(", split {}", name_of(action.splitting)));
  }

  // ---- certainty

  const EpaPost& below_post(std::size_t call) {
    if (below_posts_.empty()) below_posts_.resize(system_->actions().size());
    auto& post = below_posts_[call];
    if (!post) post = post_of(*system_, system_->actions()[call].step_below);
    return *post;
  }

  bool hides(std::size_t call) {
    return hidden_decides(formulas_->call(call, Side::Below).body, below_post(call));
  }
  bool hides(const EpaStart& start) {
    return hidden_decides(formulas_->constructor(start.constructor, Side::Below).body,
                          post_of(*system_, system_->starts()[start.constructor].below));
  }

  /// From below: a real run, or a proof that there is one whatever is hidden.
  void settle(EpaEdge& edge) {
    const bool hidden = hides(edge.call);
    edge.certain = false;
    const CallSet &from = graph_.sets[edge.from], &to = graph_.sets[edge.to];
    const EpaPost& post = below_post(edge.call);
    std::vector<Term> source{system_->facts(), system_->invariant()};
    for (Term literal : literals_->below(from)) source.push_back(literal);
    std::vector<Term> step = SetLiterals::below(to, post);
    step.push_back(post.guard);
    step.push_back(post.invariant);
    const BodyFormula& body = formulas_->call(edge.call, Side::Below).body;
    if (!edge.example) {
      std::vector<Term> all = source;
      all.insert(all.end(), step.begin(), step.end());
      if (solver_->check(all) != Truth::Sat) return;
      edge.example =
          confirmed_step(*system_, *literals_, edge.call, Side::Below, from, to, *solver_);
      edge.certain = !hidden && (edge.example || !body.approximate());
      if (edge.certain) return;
    }
    const auto surely = formulas_->surely(body, arena().conj(step), true);
    if (surely && (!edge.example || !holds(*surely, edge.example->before))) {
      edge.example.reset();
      source.push_back(*surely);
      edge.certain = solver_->check(source) == Truth::Sat;
    } else {
      edge.certain = surely.has_value();
    }
    if (!edge.certain) edge.example.reset();
  }

  bool holds(Term term, const ConcreteState& state) const {
    const Module& module = component_.module();
    const auto value = evaluate(term, [&](Term v) { return state.values[*module.state_index(v)]; });
    return value && value->truth();
  }

  void settle(EpaStart& start) {
    const bool hidden = hides(start);
    if (hidden) start.run.reset();
    start.certain = false;
    if (!component_.body(component_.constructors()[start.constructor]).preconditions.empty())
      return;
    std::vector<Term> into = literals_->below(graph_.sets[start.state]);
    into.push_back(system_->invariant());
    const auto surely = formulas_->surely_starts(start.constructor, arena().conj(into));
    if (!surely) return;
    const Term facts = substitute(arena(), system_->facts(), formulas_->initial());
    start.certain = solver_->check({facts, *surely}) == Truth::Sat;
  }

  // ---- the result

  /// Breadth first from the starts, calls in alphabetical order; with --reachable, states that only
  /// the invariant allows come last.
  void number_states() {
    number_.assign(graph_.sets.size(), no_state);
    std::deque<std::size_t> queue;
    State next = 0;
    const auto visit = [&](std::size_t q) {
      if (number_[q] != no_state) return;
      number_[q] = next++;
      queue.push_back(q);
    };
    for (const EpaStart& start : graph_.starts) visit(start.state);
    std::vector<const EpaEdge*> edges;
    for (const EpaEdge& edge : graph_.edges) edges.push_back(&edge);
    std::ranges::stable_sort(edges, {}, [&](const EpaEdge* e) {
      return std::tuple(component_.calls()[e->call].name, graph_.sets[e->to]);
    });
    while (!queue.empty()) {
      const std::size_t q = queue.front();
      queue.pop_front();
      for (const EpaEdge* edge : edges)
        if (edge->from == q) visit(edge->to);
    }
    for (std::size_t q = 0; q < number_.size(); ++q) visit(q);
  }

  Interface interface() {
    Interface made;
    made.kind = "epa";
    made.engine = "epa";
    made.component_name = component_.name();
    made.language = component_.module().language;
    made.options = component_.options();
    made.errors = component_.errors();
    for (const Call& call : component_.calls()) made.calls.push_back({call.name, {"any"}});
    for (const Call& call : component_.constructors()) made.constructors.push_back(call.name);
    for (const EpaStart& start : graph_.starts) made.initial.push_back(initial(start));
    made.states.resize(graph_.sets.size());
    for (std::size_t q = 0; q < graph_.sets.size(); ++q)
      made.states[number_[q]] = {graph_.sets[q], label(graph_.sets[q])};
    for (const EpaEdge& edge : graph_.edges) made.transitions.push_back(transition(edge));
    std::ranges::sort(made.transitions, {}, [&](const InterfaceTransition& t) {
      return std::tuple(t.from, made.calls[t.call].name, t.to);
    });
    made.predicates = predicates_;
    for (const auto& [key, invariant] : formulas_->invariants())
      made.evidence.invariants[key] = to_string(invariant);
    made.evidence.unwind = formulas_->unwind();
    verdict(made.verdict);
    made.epa = about();
    made.stats.set("uncertain", static_cast<std::size_t>(
                                    std::ranges::count(graph_.edges, false, &EpaEdge::certain)));
    return made;
  }

  std::string label(const CallSet& set) {
    const Term whole = arena().conj(literals_->above(set));
    if (!options_.for_readers || budget_.exhausted_now()) return to_string(whole);
    return to_string(
        simplify(arena(), *solver_, arena().conj(system_->facts(), system_->invariant()), whole));
  }

  InitialState initial(const EpaStart& start) {
    InitialState made{component_.constructors()[start.constructor].name, number_[start.state]};
    made.uncertain = !start.certain;
    made.may_break = std::ranges::find(graph_.breaking_starts, start.constructor) !=
                     graph_.breaking_starts.end();
    if (start.run) made.example = RunWriter(component_).write(*start.run);
    return made;
  }

  InterfaceTransition transition(const EpaEdge& edge) {
    InterfaceTransition t;
    t.from = number_[edge.from];
    t.call = edge.call;
    t.to = number_[edge.to];
    t.uncertain = !edge.certain;
    t.may_break = edge.may_break;
    if (!edge.example) return t;
    const RunWriter writer(component_);
    const Call& call = component_.calls()[edge.call];
    const LetterExample& step = *edge.example;
    const StepResult result = run_step(component_, step.before, step.step);
    Example shown;
    shown.steps.push_back({call.name, writer.inputs(call, step.before, step.step.inputs),
                           call.outcomes[result.outcome], writer.state(result.after)});
    t.before = writer.state(step.before);
    t.example = std::move(shown);
    if (edge.run) t.run = writer.write(*edge.run);
    return t;
  }

  void verdict(Verdict& verdict) {
    verdict.assumptions = component_.assumptions();
    if (!graph_.complete()) verdict.details["epa"] = "not explored to the end: " + graph_.reason;
    if (from_ == RequiresFrom::Mined && !component_.module().invariants.empty())
      verdict.details["given invariant"] = "not used with mined clauses (--requires both uses it)";
    if (!inference_failed_.empty()) verdict.details["invariant"] = inference_failed_;
    const auto open = std::ranges::count(graph_.starts, false, &EpaStart::certain);
    if (open > 0) verdict.details["starts"] = fmt::format("{} of the starts are uncertain", open);
    if (system_->free_contents())
      verdict.assumptions.push_back("the client can pass objects with any contents as arguments");
    for (const Action& action : system_->actions())
      if (action.from_above)
        verdict.assumptions.push_back(action.name +
                                      " can return wherever what is known of it allows it");
    if (invariant_from_ == "given")
      verdict.assumptions.push_back("the invariant that is given holds: " +
                                    to_string(system_->invariant()));
  }

  EpaAbout about() {
    EpaAbout about;
    about.reachable = options_.reachable;
    about.invariant = to_string(system_->invariant());
    about.invariant_from = invariant_from_;
    for (std::size_t c = 0; c < system_->actions().size(); ++c) {
      const Action& action = system_->actions()[c];
      about.clauses.push_back({c, action.clause ? to_string(action.clause) : "",
                               to_string(action.above),
                               action.enabledness_known() ? "" : to_string(action.below),
                               action.any_contents, action.from_above, std::string(name_of(from_)),
                               std::string(name_of(action.splitting)), choices(c)});
    }
    about.invariants = options_.invariants;
    about.facts = options_.facts;
    for (const auto& [q, call] : graph_.open) about.open.push_back({number_[q], call});
    std::ranges::sort(about.open);
    for (std::size_t k : graph_.open_starts)
      about.open_starts.push_back(component_.constructors()[k].name);
    if (options_.for_readers && graph_.complete())
      about.findings = epa_findings({*system_, graph_, number_, *solver_, budget_});
    return about;
  }

  std::vector<std::string> choices(std::size_t call) const {
    std::vector<std::string> texts;
    const Procedure& procedure = component_.body(component_.calls()[call]);
    std::vector<std::string> names;
    for (const FormulaInput& input : formulas_->call(call, Side::Above).body.inputs)
      if (input.chooser == Chooser::Client)
        names.push_back(input.parameter ? procedure.parameters[*input.parameter].name()
                                        : input.variable->name);
    for (const std::vector<Term>& row : system_->actions()[call].choices) {
      std::vector<std::string> parts;
      for (std::size_t i = 0; i < std::min(row.size(), names.size()); ++i)
        parts.push_back(names[i] + " := " + to_string(row[i]));
      texts.push_back(fmt::format("{}", fmt::join(parts, ", ")));
    }
    return texts;
  }

  Module annotated() {
    Module copy = clone(module_);
    for (const Action& action : system_->actions())
      if (Procedure* procedure = copy.find_procedure(action.name); procedure && !action.clause) {
        procedure->preconditions.clear();
        if (!is_true(action.above)) procedure->preconditions = {action.above};
      }
    copy.invariants.clear();
    if (!is_true(system_->invariant())) copy.invariants = {system_->invariant()};
    return copy;
  }

  // ---- questions

  Result<std::size_t> state_named(const std::string& text) {
    if (text.starts_with("{")) {
      auto set = call_set(text, "--why-not");
      if (!set) return std::unexpected(set.error());
      const auto found = graph_.find(*set);
      if (!found) return fail("--why-not: no state enables exactly {}", text);
      return *found;
    }
    const std::string digits = text.starts_with("S") ? text.substr(1) : text;
    for (std::size_t q = 0; q < number_.size(); ++q)
      if (digits == std::to_string(number_[q])) return q;
    return fail("--why-not: there is no state '{}' (states: S0 to S{})", text,
                number_.empty() ? 0 : number_.size() - 1);
  }

  Result<std::string> why_not(const Interface& made, const std::string& question) {
    std::istringstream words(question);
    std::string from_text, call_text, to_text, more;
    if (!(words >> from_text >> call_text >> to_text) || words >> more)
      return fail("--why-not '{}': expected 'STATE CALL STATE', as in 'S1 remove S0'", question);
    auto from = state_named(from_text), to = state_named(to_text);
    if (!from) return std::unexpected(from.error());
    if (!to) return std::unexpected(to.error());
    const auto call = component_.find_call(call_text);
    if (!call) return fail("--why-not: there is no call '{}'", call_text);
    const std::string what = fmt::format("S{} {} S{}: ", number_[*from], call_text, number_[*to]);
    const Action& action = system_->actions()[*call];
    if (!graph_.sets[*from][*call])
      return what + fmt::format("{} is not enabled in S{}, it needs {}", call_text, number_[*from],
                                to_string(action.above));
    for (const InterfaceTransition& t : made.transitions)
      if (t.from == number_[*from] && t.call == *call && t.to == number_[*to])
        return what + (t.uncertain ? "there may be such a transition: it is uncertain"
                                   : "there is such a transition");
    return what + reason(*from, *call, *to);
  }

  /// A core of "what the target enables", so that the answer names the calls that matter.
  std::string reason(std::size_t from, std::size_t call, std::size_t to) {
    const Action& action = system_->actions()[call];
    const EpaPost post = post_of(*system_, action.step_above);
    std::vector<Term> all{system_->facts(), system_->invariant(), post.guard, post.invariant};
    for (Term literal : literals_->above(graph_.sets[from])) all.push_back(literal);
    const std::vector<Term> target = SetLiterals::above(graph_.sets[to], post);
    all.insert(all.end(), target.begin(), target.end());
    if (solver_->check(all) != Truth::Unsat) return "the solver does not settle it";
    const std::vector<Term> core = minimise_core(*solver_, solver_->core());
    std::vector<std::string> parts;
    for (std::size_t b = 0; b < target.size(); ++b)
      if (std::ranges::find(core, target[b]) != core.end())
        parts.push_back(fmt::format("{} is always {} afterwards", system_->actions()[b].name,
                                    graph_.sets[to][b] ? "disabled" : "enabled"));
    const bool needs_invariant = std::ranges::find(core, post.invariant) != core.end();
    if (parts.empty())
      return "proved absent: the call does not end in a state of the invariant from there";
    return fmt::format("proved absent: {}{}{}", parts.size() > 1 ? "not both can be avoided: " : "",
                       fmt::join(parts, "; "), needs_invariant ? " where the invariant holds" : "");
  }

  const Module& module_;
  const Component& component_;
  const EpaOptions& options_;
  Budget& budget_;
  std::unique_ptr<Solver> solver_;
  Eliminator eliminator_;
  std::unique_ptr<ComponentFormulas> formulas_;
  std::unique_ptr<ActionSystem> system_;
  std::optional<SetLiterals> literals_;
  RequiresFrom from_ = RequiresFrom::Given;
  LoopEffort effort_ = LoopEffort::Light;
  std::string invariant_from_, inference_failed_;
  std::vector<std::string> predicates_;
  EpaGraph graph_;
  std::vector<State> number_;
  std::vector<std::optional<EpaPost>> below_posts_;
};

} // namespace

Result<EpaResult> synthesise_epa(const Module& module, const Component& component,
                                 const EpaOptions& options, Budget& budget) {
  return EpaEngine(module, component, options, budget).run();
}

} // namespace tacit
