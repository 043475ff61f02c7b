#include "client/test_plan.h"

#include <algorithm>
#include <map>
#include <queue>
#include <set>

#include <fmt/ranges.h>

#include "interface/choices.h"
#include "program/ir/names.h"
#include "program/ir/reals.h"
#include "program/observe/instrument.h"

namespace tacit {

namespace {

/// A word that rests on an outcome that the interface does not decide is as good as one that is so
/// much longer; it rests on less with the arguments of a run that had this outcome.
constexpr std::size_t cost_of_hope = 100, cost_with_example = 10;

struct Node {
  Place place;
  std::vector<PlannedStep> steps;
  PlannedStep start;
  std::size_t cost = 0;
};

/// A value of an example as a test can write it.
std::optional<WrittenValue> example_value(const std::string& text, const Type& type) {
  using V = WrittenValue::Kind;
  switch (type.sort->kind) {
  case SortKind::Bool: return WrittenValue{V::Bool, {}, text == "true" ? 1 : 0, {}};
  case SortKind::Int:
    if (const auto number = parse_integer(text))
      return is_real(type) ? WrittenValue{V::Other, real_text(*number), 0, {}}
                           : WrittenValue{V::Number, {}, *number, {}};
    return std::nullopt;
  case SortKind::Enum: return WrittenValue{V::Bare, text, 0, {}};
  case SortKind::Ref:
    if (text == "null") return WrittenValue{V::Null, {}, 0, {}};
    return WrittenValue{V::Object, "<" + text + ">", 0, {}};
  case SortKind::Map: break;
  }
  return std::nullopt;
}

/// Those of an example of a call, as far as a test can write them; what the environment chose
/// follows them in the example.
std::optional<std::vector<WrittenValue>>
example_arguments(const InterfaceProgram& program, const TestLanguage& language,
                  const std::string& name, bool constructor, const Procedure& procedure,
                  const std::vector<std::string>& inputs) {
  std::vector<WrittenValue> tuple;
  for (std::size_t i = 0; i < procedure.parameters.size(); ++i) {
    if (i >= inputs.size()) return std::nullopt;
    auto value = example_value(inputs[i], procedure.parameters[i].type);
    const auto fits = [&] { return language.can_write(name, constructor, i, *value); };
    // Pointers that are followed are taken to be valid, in examples as well.
    if (value && value->kind == WrittenValue::Kind::Null &&
        program.module().conventions.valid_pointers)
      value = WrittenValue{WrittenValue::Kind::Object, "<a>", 0, {}};
    // An object may be a text.
    if (value && value->kind == WrittenValue::Kind::Object && !fits())
      value = WrittenValue{WrittenValue::Kind::Text, "a", 0, {}};
    if (!value || !fits()) return std::nullopt;
    tuple.push_back(std::move(*value));
  }
  return tuple;
}

class Planner {
public:
  Planner(const InterfaceProgram& program, const Walk& walk, const TestLanguage& language,
          const TestLimits& limits)
      : program_(program), interface_(program.interface()), walk_(walk), language_(language),
        limits_(limits) {
    choices_.add_terms(walk);
  }

  TestPlan run() {
    add_goals();
    if (interface_.verdict.safe != Claim::Proved) {
      for (TestGoal& goal : plan_.goals)
        goal.missing = "the result is not proved safe: nothing says that the calls work";
      return std::move(plan_);
    }
    starts();
    while (!queue_.empty() && places_ < limits_.places) {
      const std::size_t at = queue_.top().second;
      queue_.pop();
      ++places_;
      expand(at);
    }
    explain();
    return std::move(plan_);
  }

private:
  // ---- What is to be shown.

  std::size_t add_goal(TestGoal::Kind kind, std::string what) {
    plan_.goals.push_back({kind, std::move(what), {}, {}});
    return plan_.goals.size() - 1;
  }

  void add_goals() {
    for (std::size_t i = 0; i < interface_.initial.size(); ++i) {
      const InitialState& one = interface_.initial[i];
      start_goals_.push_back(add_goal(TestGoal::Kind::Start,
                                      fmt::format("{} → state {}{}", one.constructor, one.state,
                                                  one.when.empty() ? "" : " when " + one.when)));
    }
    for (const InterfaceTransition& t : interface_.transitions)
      transition_goals_.push_back(add_goal(
          TestGoal::Kind::Transition, fmt::format("state {}: {} → state {}{}", t.from,
                                                  letter_name(interface_.calls[t.call], t.outcome),
                                                  t.to, t.when.empty() ? "" : " when " + t.when)));
    for (std::size_t i = 0; i < interface_.forbidden.size(); ++i) {
      const Refusal& refusal = interface_.forbidden[i];
      const auto key =
          std::pair(refusal.state ? std::optional(*refusal.state) : std::nullopt, refusal.call);
      if (refusal_goals_.contains(key)) continue;
      refusal_goals_[key] = add_goal(
          TestGoal::Kind::Refusal,
          fmt::format("{}{} is refused: {}",
                      refusal.state ? fmt::format("state {}: ", *refusal.state) : std::string(),
                      interface_.refused_name(refusal), refusal.shown_error()));
    }
  }

  // ---- Whether a refusal shows when the component runs.

  std::string why_not_shown(const Refusal& refusal) const {
    if (interface_.verdict.permissive != Claim::Proved)
      return "the result is not proved permissive: the call may work";
    if (!refusal.needs.empty()) return to_string(refusal.needs.front());
    for (const Disagreement& d : interface_.nondeterminism)
      if (d.state == refusal.state && d.call == refusal.call)
        return "whether it errs depends on what no client sees";
    if (refusal.error == "no object") return "";
    const auto spec = parse_error_spec(refusal.error);
    if (!spec) return fmt::format("'{}' cannot be observed", refusal.error);
    switch (spec->kind) {
    case ErrorSpec::Kind::Assert:
    case ErrorSpec::Kind::Throws:
    case ErrorSpec::Kind::Returns: return "";
    default: return fmt::format("'{}' cannot be observed from outside", refusal.error);
    }
  }

  const Refusal* refusal_of(std::optional<State> state, std::size_t call) const {
    return interface_.find_refusal(state, call);
  }

  // ---- Arguments that examples had.

  /// Those of the run that shows a transition, as far as a test can write them.
  std::optional<std::vector<WrittenValue>> example_of(const InterfaceTransition& t) const {
    if (!t.example || t.example->steps.empty()) return std::nullopt;
    const ProgramCall& call = program_.calls()[t.call];
    return example_arguments(program_, language_, call.name, false, *call.procedure,
                             t.example->steps.front().inputs);
  }

  /// By the transitions of a state and a call that have one.
  std::map<std::size_t, std::vector<WrittenValue>> examples(State state, std::size_t call) const {
    std::map<std::size_t, std::vector<WrittenValue>> all;
    for (const InterfaceTransition& t : interface_.outgoing(state, call))
      if (auto tuple = example_of(t))
        all.emplace(static_cast<std::size_t>(&t - interface_.transitions.data()),
                    std::move(*tuple));
    return all;
  }

  // ---- Tests.

  void add_test(PlannedTest test, const std::vector<std::size_t>& goals) {
    if (plan_.tests.size() >= limits_.tests) return;
    for (const std::size_t goal : goals) plan_.goals[goal].covered.push_back(plan_.tests.size());
    plan_.tests.push_back(std::move(test));
  }

  /// Whether this is a side of the boundaries that no test stands on yet.
  bool new_standing(const std::string& where, bool allowed, std::vector<int> standing) {
    auto& known = standings_[{where, allowed}];
    return known.size() < limits_.boundaries && known.insert(std::move(standing)).second;
  }

  std::vector<std::vector<WrittenValue>> tuples(const std::string& name, bool constructor,
                                                const Procedure& procedure,
                                                const Place* place) const {
    bool complete = true;
    auto all = choices_.arguments(procedure, place, complete);
    std::erase_if(all, [&](const std::vector<WrittenValue>& tuple) {
      for (std::size_t i = 0; i < tuple.size(); ++i)
        if (!language_.can_write(name, constructor, i, tuple[i])) return true;
      return false;
    });
    // Null is passed only where conditions tell it from others: code that does not ask follows it.
    std::ranges::stable_sort(all, {}, [](const std::vector<WrittenValue>& tuple) {
      return std::ranges::count(tuple, WrittenValue::Kind::Null, &WrittenValue::kind);
    });
    return all;
  }

  void starts() {
    for (std::size_t c = 0; c < interface_.constructors.size(); ++c) {
      const std::string& name = interface_.constructors[c];
      if (!language_.cannot_call(name, true).empty()) continue;
      const Procedure& procedure = walk_.procedure(name);
      for (const auto& tuple : tuples(name, true, procedure, nullptr)) {
        const auto values = walk_.calling().arguments(procedure, name, tuple);
        const Start start = walk_.start(c, &values);
        if (!start.allowed) continue;
        PlannedStep step{.call = c, .arguments = tuple};
        const bool fresh = new_standing(name, *start.allowed, walk_.standing_at_start(c, values));
        if (*start.allowed)
          begin(step, start, fresh);
        else if (fresh)
          refuse_start(step);
      }
    }
  }

  void begin(const PlannedStep& step, const Start& start, bool fresh) {
    if (start.places.size() != 1) return;
    if (fresh) {
      std::vector<std::size_t> goals;
      for (std::size_t i = 0; i < interface_.initial.size(); ++i)
        if (interface_.initial[i].constructor == interface_.constructors[step.call] &&
            interface_.initial[i].state == start.places[0].state)
          goals.push_back(start_goals_[i]);
      PlannedTest test{
          PlannedTest::Kind::Start,
          fmt::format("{} -> state {}", shown_step(interface_, step, true), start.places[0].state),
          step,
          {},
          false};
      add_test(std::move(test), goals);
    }
    visit({start.places[0], {}, step, 0});
  }

  void refuse_start(const PlannedStep& step) {
    const Refusal* refusal = refusal_of(std::nullopt, step.call);
    if (!refusal || !why_not_shown(*refusal).empty()) return;
    add_test({PlannedTest::Kind::Refusal,
              fmt::format("{} is refused", shown_step(interface_, step, true)),
              step,
              {},
              true},
             {refusal_goals_.at({std::nullopt, step.call})});
  }

  void visit(Node node) {
    std::vector<std::size_t>& here = by_state_[node.place.state];
    for (const std::size_t known : here)
      if (same_place(nodes_[known].place, node.place)) return;
    here.push_back(nodes_.size());
    // Near places first, so that the state of every word is reached as simply as it can be.
    queue_.emplace(node.cost, nodes_.size());
    nodes_.push_back(std::move(node));
  }

  void expand(std::size_t at) {
    for (std::size_t call = 0; call < interface_.calls.size(); ++call) {
      const ProgramCall& known = program_.calls()[call];
      if (!language_.cannot_call(known.name, false).empty()) continue;
      const Place place = nodes_[at].place;
      examples_ = examples(place.state, call);
      auto all = tuples(known.name, false, *known.procedure, &place);
      for (const auto& [transition, tuple] : examples_)
        if (std::ranges::find(all, tuple) == all.end()) all.push_back(tuple);
      for (const auto& tuple : all) {
        if (++tried_ > limits_.tried) return;
        try_call(at, call, tuple);
      }
    }
  }

  void try_call(std::size_t at, std::size_t call, const std::vector<WrittenValue>& tuple) {
    const ProgramCall& known = program_.calls()[call];
    const Place place = nodes_[at].place;
    ConcreteCall concrete{.call = call,
                          .arguments =
                              walk_.calling().arguments(*known.procedure, known.name, tuple),
                          .outcomes = {},
                          .result = unknown_value()};
    if (known.letter && walk_.letters({call}, *concrete.arguments).empty()) return;
    const auto allowed = walk_.allows(place, concrete);
    if (!allowed) {
      undecided_.insert({place.state, call});
      return;
    }
    PlannedStep step{
        .call = call,
        .arguments = tuple,
        .may_err = std::ranges::any_of(interface_.aside,
                                       [&](const SetAside& one) { return one.call == known.name; }),
        .from = place.state};
    const bool fresh = new_standing(fmt::format("{} {}", place.state, known.name), *allowed,
                                    walk_.standing(place, concrete));
    if (*allowed)
      allow(at, concrete, step, fresh);
    else if (fresh)
      refuse(at, step);
  }

  void refuse(std::size_t at, const PlannedStep& step) {
    const Refusal* refusal = refusal_of(step.from, step.call);
    if (!refusal || step.may_err || !why_not_shown(*refusal).empty()) return;
    PlannedTest test{
        PlannedTest::Kind::Refusal,
        fmt::format("state {}: {} is refused", step.from, shown_step(interface_, step, false)),
        nodes_[at].start, nodes_[at].steps, true};
    test.steps.push_back(step);
    add_test(std::move(test), {refusal_goals_.at({step.from, step.call})});
  }

  const ProgramCase* case_of(const PlannedStep& step) const {
    for (const ProgramCase& one : program_.calls()[step.call].cases)
      if (one.state == step.from) return &one;
    return nullptr;
  }

  /// The outcomes of the component that a transition stands for and that its state does not
  /// exclude.
  std::vector<std::string> outcomes_of(const PlannedStep& step,
                                       const InterfaceTransition& t) const {
    const ProgramCase* known = case_of(step);
    const auto moves = interface_.outgoing(t.from, t.call);
    const std::string& name = interface_.calls[t.call].outcomes[t.outcome];
    for (const ProgramStep& one : known ? known->steps : std::vector<ProgramStep>{}) {
      const bool same =
          name == "any" || std::ranges::find(one.outcomes, name) != one.outcomes.end();
      if (same && one.to == t.to) return one.outcomes;
    }
    // Left out of the program: no state of the label has it. Without a program nothing is known.
    return known && !moves.empty() ? std::vector<std::string>{} : std::vector<std::string>{name};
  }

  void allow(std::size_t at, ConcreteCall concrete, const PlannedStep& step, bool fresh) {
    struct Way {
      std::size_t transition;
      std::vector<std::string> outcomes;
      Place place;
    };
    std::vector<Way> ways;
    std::vector<std::string> all;
    const Place place = nodes_[at].place;
    for (std::size_t o = 0; o < interface_.calls[step.call].outcomes.size(); ++o) {
      concrete.outcomes = {o};
      const auto taken = walk_.taken(place, concrete);
      bool sure = true;
      const auto places = walk_.step(place, concrete, &sure);
      for (const std::size_t index : taken) {
        const auto outcomes = outcomes_of(step, interface_.transitions[index]);
        all.insert(all.end(), outcomes.begin(), outcomes.end());
        if (sure && taken.size() == 1 && places.size() == 1 && !outcomes.empty())
          ways.push_back({index, outcomes, places[0]});
        else
          unsure_.insert(index);
      }
    }
    for (const Way& way : ways) {
      PlannedStep one = step;
      one.wanted = way.outcomes;
      for (const std::string& outcome : all)
        if (std::ranges::find(way.outcomes, outcome) == way.outcomes.end())
          one.possible.push_back(outcome);
      const auto example = examples_.find(way.transition);
      // Others would hope in vain where it is known with which arguments this happens.
      if (!one.possible.empty() && example != examples_.end() && example->second != step.arguments)
        continue;
      const std::size_t hope = example != examples_.end() ? cost_with_example : cost_of_hope;
      Node next{way.place, nodes_[at].steps, nodes_[at].start,
                nodes_[at].cost + 1 + (one.possible.empty() ? 0 : hope)};
      next.steps.push_back(one);
      const std::size_t goal = transition_goals_[way.transition];
      const bool covered = !plan_.goals[goal].covered.empty();
      if (!covered || fresh)
        add_test({covered ? PlannedTest::Kind::Boundary : PlannedTest::Kind::Transition,
                  fmt::format("state {}: {} -> state {}", step.from,
                              shown_step(interface_, one, false), way.place.state),
                  next.start, next.steps, false},
                 {goal});
      visit(std::move(next));
    }
  }

  // ---- Why something is missing.

  std::string why_no_call(const std::string& name, std::optional<State> state, std::size_t call) {
    if (std::string why = language_.cannot_call(name, !state); !why.empty()) return why;
    if (!state) return "no arguments that a test can write decide its condition";
    if (!by_state_.contains(*state)) return fmt::format("no test gets to state {}", *state);
    if (undecided_.contains({*state, call}))
      return "its guard cannot be evaluated for arguments that a test can write";
    return "no arguments were found";
  }

  void explain() {
    for (std::size_t i = 0; i < interface_.initial.size(); ++i)
      if (TestGoal& goal = plan_.goals[start_goals_[i]]; goal.covered.empty())
        goal.missing = why_no_call(interface_.initial[i].constructor, std::nullopt, 0);
    for (std::size_t i = 0; i < interface_.transitions.size(); ++i) {
      TestGoal& goal = plan_.goals[transition_goals_[i]];
      if (!goal.covered.empty()) continue;
      const InterfaceTransition& t = interface_.transitions[i];
      goal.missing = unsure_.contains(i)
                         ? "what a test can write does not decide whether it is taken: it rests on "
                           "the result, or its outcome cannot happen there"
                         : why_no_call(interface_.calls[t.call].name, t.from, t.call);
    }
    for (const Refusal& refusal : interface_.forbidden) {
      TestGoal& goal = plan_.goals[refusal_goals_.at({refusal.state, refusal.call})];
      if (!goal.covered.empty()) continue;
      goal.missing = why_not_shown(refusal);
      if (goal.missing.empty())
        goal.missing = why_no_call(interface_.refused_name(refusal), refusal.state, refusal.call);
    }
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const Walk& walk_;
  const TestLanguage& language_;
  const TestLimits& limits_;
  ClientChoices choices_;
  TestPlan plan_;
  std::vector<std::size_t> start_goals_, transition_goals_;
  std::map<std::pair<std::optional<State>, std::size_t>, std::size_t> refusal_goals_;
  std::vector<Node> nodes_;
  std::map<State, std::vector<std::size_t>> by_state_;
  using Waiting = std::pair<std::size_t, std::size_t>; // cost, node
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue_;
  std::map<std::pair<std::string, bool>, std::set<std::vector<int>>> standings_;
  std::map<std::size_t, std::vector<WrittenValue>> examples_; // of the call that is tried
  std::set<std::pair<State, std::size_t>> undecided_;
  std::set<std::size_t> unsure_;
  std::size_t places_ = 0, tried_ = 0;
};

/// Of an abstraction to sets of enabled calls: for every transition with a run from a constructor
/// (--reachable), that run. It says what these calls return and that they do; what is enabled
/// afterwards is seen where a longer run goes on.
class RunPlanner {
public:
  RunPlanner(const InterfaceProgram& program, const TestLanguage& language)
      : program_(program), interface_(program.interface()), language_(language) {}

  TestPlan run() {
    for (const InterfaceTransition& t : interface_.transitions) {
      const std::string& name = interface_.calls[t.call].name;
      TestGoal goal{TestGoal::Kind::Transition,
                    fmt::format("state {}: {} → state {}", t.from, name, t.to),
                    {},
                    {}};
      if (t.uncertain)
        goal.missing = "the transition is uncertain";
      else if (!t.run)
        goal.missing = "no run from a constructor is known: epa --reachable looks for them";
      else if (auto test = planned(t, goal.missing)) {
        goal.covered.push_back(plan_.tests.size());
        plan_.tests.push_back(std::move(*test));
      }
      plan_.goals.push_back(std::move(goal));
    }
    return std::move(plan_);
  }

private:
  std::optional<PlannedTest> planned(const InterfaceTransition& t, std::string& why) {
    const Example& run = *t.run;
    const auto built = std::ranges::find(interface_.constructors, run.constructor);
    if (built == interface_.constructors.end()) {
      why = "its run begins with another constructor";
      return std::nullopt;
    }
    const auto index = static_cast<std::size_t>(built - interface_.constructors.begin());
    PlannedTest test{PlannedTest::Kind::Transition, "", {}, {}, false};
    const Procedure* constructor = program_.starts()[index].procedure;
    static const Procedure none;
    auto start =
        step(run.constructor, true, constructor ? *constructor : none, run.constructor_inputs, why);
    if (!start) return std::nullopt;
    start->call = index;
    test.start = std::move(*start);
    for (const ExampleStep& one : run.steps) {
      const auto call = interface_.find_call(one.call);
      if (!call) return std::nullopt;
      const ProgramCall& known = program_.calls()[*call];
      auto next = step(one.call, false, *known.procedure, one.inputs, why);
      if (!next) return std::nullopt;
      next->call = *call;
      next->from = t.from;
      next->wanted = {one.outcome};
      // The environment may choose otherwise.
      if (one.inputs.size() > known.procedure->parameters.size())
        for (const std::string& outcome : known.outcomes)
          if (outcome != one.outcome) next->possible.push_back(outcome);
      test.steps.push_back(std::move(*next));
    }
    if (test.steps.empty()) return std::nullopt;
    test.title = fmt::format("state {}: {} -> state {}", t.from,
                             shown_step(interface_, test.steps.back(), false), t.to);
    return test;
  }

  std::optional<PlannedStep> step(const std::string& name, bool constructor,
                                  const Procedure& procedure,
                                  const std::vector<std::string>& inputs, std::string& why) {
    why = language_.cannot_call(name, constructor);
    if (!why.empty()) return std::nullopt;
    // What is in an object or text is chosen behind the parameters, and no test knows how.
    const bool contents = inputs.size() > procedure.parameters.size() &&
                          std::ranges::any_of(procedure.parameters, [](const Variable& parameter) {
                            return parameter.type.sort->kind == SortKind::Ref;
                          });
    auto arguments = example_arguments(program_, language_, name, constructor, procedure, inputs);
    if (contents || !arguments) {
      why = "its run has arguments that a test cannot write";
      return std::nullopt;
    }
    return PlannedStep{.arguments = std::move(*arguments)};
  }

  const InterfaceProgram& program_;
  const Interface& interface_;
  const TestLanguage& language_;
  TestPlan plan_;
};

} // namespace

std::string shown_step(const Interface& interface, const PlannedStep& step, bool constructor) {
  const std::string& name =
      constructor ? interface.constructors[step.call] : interface.calls[step.call].name;
  std::vector<std::string> arguments;
  for (const WrittenValue& value : step.arguments) arguments.push_back(to_string(value));
  return fmt::format("{}({})", bare_name(name), fmt::join(arguments, ", "));
}

TestPlan plan_tests(const InterfaceProgram& program, const Walk& walk, const TestLanguage& language,
                    const TestLimits& limits) {
  if (program.interface().kind == "epa") return RunPlanner(program, language).run();
  return Planner(program, walk, language, limits).run();
}

void drop_tests(TestPlan& plan, const std::vector<std::pair<std::size_t, std::string>>& dropped) {
  std::map<std::size_t, std::string> reasons(dropped.begin(), dropped.end());
  std::vector<PlannedTest> kept;
  std::map<std::size_t, std::size_t> moved;
  for (std::size_t i = 0; i < plan.tests.size(); ++i) {
    if (reasons.contains(i)) continue;
    moved[i] = kept.size();
    kept.push_back(std::move(plan.tests[i]));
  }
  plan.tests = std::move(kept);
  for (TestGoal& goal : plan.goals) {
    std::vector<std::size_t> covered;
    std::string reason;
    for (const std::size_t test : goal.covered)
      if (const auto where = moved.find(test); where != moved.end())
        covered.push_back(where->second);
      else
        reason = reasons.at(test);
    if (covered.empty() && !goal.covered.empty()) goal.missing = reason;
    goal.covered = std::move(covered);
  }
}

std::string print_coverage(const TestPlan& plan) {
  std::string text;
  const std::pair<TestGoal::Kind, const char*> kinds[] = {
      {TestGoal::Kind::Start, "constructors"},
      {TestGoal::Kind::Transition, "transitions"},
      {TestGoal::Kind::Refusal, "refusals"}};
  std::vector<std::string> counts;
  std::size_t boundaries = 0;
  for (const PlannedTest& test : plan.tests) boundaries += test.kind == PlannedTest::Kind::Boundary;
  for (const auto& [kind, name] : kinds) {
    std::size_t all = 0, covered = 0;
    for (const TestGoal& goal : plan.goals)
      if (goal.kind == kind) ++all, covered += !goal.covered.empty();
    counts.push_back(fmt::format("{} of {} {}", covered, all, name));
  }
  text = fmt::format("{} tests: {}; {} more for boundaries of guards and cells\n",
                     plan.tests.size(), fmt::join(counts, ", "), boundaries);
  std::vector<std::string> reasons;
  for (const TestGoal& goal : plan.goals)
    if (goal.covered.empty() && std::ranges::find(reasons, goal.missing) == reasons.end())
      reasons.push_back(goal.missing);
  for (const std::string& reason : reasons) {
    text += fmt::format("not covered, because {}:\n", reason);
    for (const TestGoal& goal : plan.goals)
      if (goal.covered.empty() && goal.missing == reason) text += fmt::format("  {}\n", goal.what);
  }
  return text;
}

std::vector<std::string> error_exceptions(const InterfaceProgram& program) {
  const Module& module = program.module();
  std::set<std::string> names;
  for (const std::string& text : program.interface().errors) {
    const auto spec = parse_error_spec(text);
    if (!spec || spec->kind != ErrorSpec::Kind::Throws) continue;
    if (spec->subject == "*") names.insert("*");
    names.insert(spec->subject);
    for (const Exception& one : module.exceptions)
      if (module.exception_is(one.name, spec->subject)) names.insert(one.name);
  }
  if (names.contains("*")) return {"*"};
  return {names.begin(), names.end()};
}

std::vector<Term> error_results(const InterfaceProgram& program, const ProgramCall& call) {
  std::vector<Term> all;
  const Term result = call.procedure->returns ? program.result(*call.procedure) : nullptr;
  if (!result) return all;
  for (const std::string& text : program.interface().errors) {
    const auto spec = parse_error_spec(text);
    if (!spec || spec->kind != ErrorSpec::Kind::Returns) continue;
    if (!spec->concerns(call.method)) continue;
    if (const auto condition = returned_error(program.module(), *spec, result))
      all.push_back(*condition);
  }
  return all;
}

} // namespace tacit
