#include "synthesis/epa/epa_reachable.h"

#include <algorithm>
#include <deque>
#include <set>

namespace tacit {
namespace {

constexpr std::size_t most_pool_states = 40; // per set
constexpr std::size_t most_goals = 120;      // per transition

class Witnesses {
public:
  Witnesses(EpaGraph& graph, const ActionSystem& system, Solver& solver, Budget& budget)
      : graph_(graph), system_(system), arena_(system.arena()), solver_(solver), budget_(budget),
        literals_(system), pool_(graph.sets.size()) {
    for (const Action& action : system.actions())
      posts_.push_back(post_of(system, action.step_below));
  }

  void run() {
    for (const EpaStart& start : graph_.starts)
      if (start.run)
        pool_[start.state].push_back(
            {run_constructor(system_.component(), *start.run).after, *start.run});
    for (EpaEdge& edge : graph_.edges) {
      edge.certain = false;
      edge.example.reset();
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t e = 0; e < graph_.edges.size(); ++e)
        if (!graph_.edges[e].certain && pursue(e)) changed = true;
    }
  }

private:
  struct Reached {
    ConcreteState state;
    ConcreteRun run; // that ends there
  };

  struct Goal {
    std::size_t edge;
    Term need;                          // at the edge's origin
    std::optional<std::size_t> onwards; // the goal that this one leads to
  };

  /// Where the edge can be taken into `need`, over the state; null when that is not known.
  Term preimage(std::size_t e, Term need) {
    const EpaEdge& edge = graph_.edges[e];
    const BodyFormula& body = system_.formulas().call(edge.call, Side::Below).body;
    auto before = system_.formulas().surely(body, arena_.conj(step(edge, need)), true);
    return before ? *before : nullptr;
  }

  std::vector<Term> step(const EpaEdge& edge, Term need) {
    const EpaPost& post = posts_[edge.call];
    std::vector<Term> all = SetLiterals::below(graph_.sets[edge.to], post);
    all.push_back(post.guard);
    all.push_back(post.invariant);
    all.push_back(substitute(arena_, need, system_.actions()[edge.call].step_below.after));
    return all;
  }

  bool pursue(std::size_t target) {
    std::vector<Goal> goals;
    std::set<std::pair<std::size_t, Term>> seen;
    const auto add = [&](std::size_t e, Term into, std::optional<std::size_t> onwards) {
      if (goals.size() >= most_goals) return;
      const Term need = preimage(e, into);
      if (!need || is_false(need) || !seen.insert({e, need}).second) return;
      goals.push_back({e, need, onwards});
    };
    add(target, arena_.truth(), std::nullopt);
    for (std::size_t g = 0; g < goals.size() && !budget_.exhausted_now(); ++g) {
      const Goal goal = goals[g];
      for (const Reached& reached : pool_[graph_.edges[goal.edge].from])
        if (holds(goal.need, reached.state)) return forwards(goals, g, reached);
      for (std::size_t f = 0; f < graph_.edges.size(); ++f)
        if (graph_.edges[f].to == graph_.edges[goal.edge].from) add(f, goal.need, g);
    }
    return false;
  }

  /// Steps along the goals; each end is a state that a run reaches.
  bool forwards(const std::vector<Goal>& goals, std::size_t g, Reached at_hand) {
    for (std::optional<std::size_t> at = g; at; at = goals[*at].onwards) {
      EpaEdge& edge = graph_.edges[goals[*at].edge];
      if (hidden_decides(system_.formulas().call(edge.call, Side::Below).body, posts_[edge.call]))
        return false;
      const auto onwards = goals[*at].onwards;
      std::vector<Term> all = step(edge, onwards ? goals[*onwards].need : arena_.truth());
      const Module& module = system_.component().module();
      for (std::size_t i = 0; i < module.state.size(); ++i)
        all.push_back(arena_.eq(module.state[i].term, to_term(arena_, at_hand.state.values[i],
                                                              module.state[i].type.sort)));
      if (solver_.check(all) != Truth::Sat) return false;
      auto example = confirmed_step(system_, literals_, edge.call, Side::Below,
                                    graph_.sets[edge.from], graph_.sets[edge.to], solver_);
      if (!example) return false;
      // Addresses go on from where the run is, so that it can be replayed as a whole.
      example->before = at_hand.state;
      const StepResult again = run_step(system_.component(), at_hand.state, example->step);
      if ((again.how != RunEnd::Returned && again.how != RunEnd::Threw) ||
          !literals_.holds(graph_.sets[edge.to], again.after))
        return false;
      example->after = again.after;
      at_hand.state = again.after;
      at_hand.run.steps.push_back(example->step);
      auto& there = pool_[edge.to];
      if (there.size() < most_pool_states &&
          std::ranges::find(there, at_hand.state, &Reached::state) == there.end())
        there.push_back(at_hand);
      if (edge.certain) continue;
      edge.certain = true;
      edge.example = std::move(example);
      edge.run = at_hand.run;
    }
    return true;
  }

  bool holds(Term need, const ConcreteState& state) const {
    const Module& module = system_.component().module();
    const auto value =
        evaluate(need, [&](Term variable) { return state.values[*module.state_index(variable)]; });
    return value && value->truth();
  }

  EpaGraph& graph_;
  const ActionSystem& system_;
  TermArena& arena_;
  Solver& solver_;
  Budget& budget_;
  SetLiterals literals_;
  std::vector<EpaPost> posts_;
  std::vector<std::vector<Reached>> pool_; // per set
};

} // namespace

void witness_reachable(EpaGraph& graph, const ActionSystem& system, Solver& solver,
                       Budget& budget) {
  Witnesses(graph, system, solver, budget).run();
}

} // namespace tacit
