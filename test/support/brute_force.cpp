#include "support/brute_force.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {

// Runs

std::optional<std::vector<Value>> CallSemantics::values(const Variable& variable) {
  const auto size = domain_size(variable.type);
  if (!size || *size > 4096) {
    failure_ = fmt::format("'{}' has too many values to enumerate", variable.name());
    return std::nullopt;
  }
  std::vector<Value> all;
  for (std::uint64_t i = 0; i < *size; ++i) all.push_back(domain_value(variable.type, i));
  return all;
}

/// Extends `inputs` as long as the client is asked; then all runs of that argument follow.
void CallSemantics::arguments(const Procedure& body, const ConcreteState& before,
                              std::vector<Value>& inputs, std::vector<ArgumentRuns>& found) {
  const ProcedureRun run = interpreter_.run(body, before, inputs);
  if (run.how == RunEnd::NeedsInput && run.chooser == Chooser::Client) {
    const auto choices = values(*run.needs);
    if (!choices) return;
    for (const Value& v : *choices) {
      inputs.push_back(v);
      arguments(body, before, inputs, found);
      inputs.pop_back();
    }
    return;
  }
  found.emplace_back();
  runs(body, before, inputs, found.back());
}

void CallSemantics::runs(const Procedure& body, const ConcreteState& before,
                         std::vector<Value>& inputs, ArgumentRuns& found) {
  if (failure_) return;
  if (inputs.size() > max_choices_) {
    failure_ = "too many choices in one run";
    return;
  }
  ProcedureRun run = interpreter_.run(body, before, inputs);
  switch (run.how) {
  case RunEnd::NeedsInput: {
    const auto choices = values(*run.needs);
    if (!choices) return;
    for (const Value& v : *choices) {
      inputs.push_back(v);
      runs(body, before, inputs, found);
      inputs.pop_back();
    }
    return;
  }
  case RunEnd::Blocked: return;
  case RunEnd::GaveUp: failure_ = run.reason; return;
  case RunEnd::Erred: found.errs = true; return;
  case RunEnd::Returned:
  case RunEnd::Threw:
    if (!run.end->rejecting) found.accepted = true;
    found.ended.push_back(std::move(run));
    return;
  }
}

CallBehaviour CallSemantics::behaviour(const Call& call, const ConcreteState& before) {
  std::vector<ArgumentRuns> all;
  std::vector<Value> inputs;
  arguments(component_.body(call), before, inputs, all);
  const bool angelic = component_.options().arguments == Arguments::Angelic;
  const auto good = [](const ArgumentRuns& a) { return !a.errs && a.accepted; };
  CallBehaviour result;
  result.errs =
      std::ranges::any_of(all, &ArgumentRuns::errs) && !(angelic && std::ranges::any_of(all, good));
  for (const ArgumentRuns& a : all) {
    if (angelic && !good(a)) continue;
    for (const ProcedureRun& run : a.ended) {
      result.after[static_cast<std::size_t>(run.end->outcome)].insert(run.after);
      if (run.how == RunEnd::Returned) result.returned.insert(run.after);
    }
  }
  return result;
}

const CallBehaviour& CallSemantics::call(std::size_t call, const ConcreteState& before) {
  const auto key = std::pair(call, before);
  const auto known = calls_.find(key);
  if (known != calls_.end()) return known->second;
  return calls_.emplace(key, behaviour(component_.calls()[call], before)).first->second;
}

CallBehaviour CallSemantics::constructor(std::size_t constructor, const ConcreteState& before) {
  return behaviour(component_.constructors()[constructor], before);
}

std::vector<ConcreteState> CallSemantics::initial_states() const {
  std::vector<std::vector<Value>> inputs{{}};
  for (const StateVariable* v : interpreter_.uninitialised()) {
    std::vector<std::vector<Value>> longer;
    for (const auto& some : inputs)
      for (std::uint64_t i = 0; i < domain_size(v->type).value(); ++i) {
        longer.push_back(some);
        longer.back().push_back(domain_value(v->type, i));
      }
    inputs = std::move(longer);
  }
  std::vector<ConcreteState> states;
  for (const auto& some : inputs) states.push_back(interpreter_.initial(some).value());
  return states;
}

// Beliefs

namespace {

/// A call with an outcome into a dead state is refused; a state without calls is dead.
void prune(BruteForce& answer) {
  std::vector<bool> dead(answer.beliefs.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < answer.beliefs.size(); ++b) {
      Belief& belief = answer.beliefs[b];
      for (std::size_t c = 0; c < belief.allowed.size(); ++c) {
        const bool bad = std::ranges::any_of(belief.next[c],
                                             [&](const auto& step) { return dead[step.second]; });
        if (belief.allowed[c] && bad) {
          belief.allowed[c] = false;
          changed = true;
        }
      }
      if (!dead[b] && std::ranges::none_of(belief.allowed, [](bool a) { return a; })) {
        dead[b] = true;
        changed = true;
      }
    }
  }
  for (Belief& belief : answer.beliefs)
    for (std::size_t c = 0; c < belief.allowed.size(); ++c)
      if (!belief.allowed[c]) belief.next[c].clear();
  for (std::size_t k = 0; k < answer.start.size(); ++k)
    if (answer.start[k] && dead[*answer.start[k]]) {
      answer.start[k].reset();
      answer.pruned_start[k] = true;
    }
}

} // namespace

BruteForce brute_force(const Component& component, bool serial, const BruteForceLimits& limits) {
  CallSemantics semantics(component);
  BruteForce answer;
  answer.component = &component;
  std::map<std::set<ConcreteState>, std::size_t> known;
  std::set<ConcreteState> met;
  std::deque<std::size_t> work;
  const auto belief_of = [&](const std::set<ConcreteState>& states) {
    const auto [at, fresh] = known.emplace(states, answer.beliefs.size());
    if (fresh) {
      answer.beliefs.push_back({states, {}, {}});
      met.insert(states.begin(), states.end());
      work.push_back(at->second);
    }
    return at->second;
  };

  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    bool errs = false;
    std::set<ConcreteState> made;
    for (const ConcreteState& before : semantics.initial_states()) {
      const CallBehaviour behaviour = semantics.constructor(k, before);
      errs = errs || behaviour.errs;
      made.insert(behaviour.returned.begin(), behaviour.returned.end());
    }
    answer.constructor_errs.push_back(errs);
    answer.start.push_back(errs || made.empty() ? std::nullopt : std::optional(belief_of(made)));
  }
  answer.pruned_start.assign(answer.start.size(), false);
  while (!work.empty()) {
    if (semantics.failure()) {
      answer.too_large = *semantics.failure();
      return answer;
    }
    if (answer.beliefs.size() > limits.beliefs || met.size() > limits.states) {
      answer.too_large =
          fmt::format("{} beliefs over {} states", answer.beliefs.size(), met.size());
      return answer;
    }
    const std::size_t b = work.front();
    work.pop_front();
    const std::set<ConcreteState> states = answer.beliefs[b].states;
    std::vector<bool> allowed;
    std::vector<std::map<std::size_t, std::size_t>> next;
    for (std::size_t c = 0; c < component.calls().size(); ++c) {
      bool errs = false;
      std::map<std::size_t, std::set<ConcreteState>> after;
      for (const ConcreteState& s : states) {
        const CallBehaviour& behaviour = semantics.call(c, s);
        errs = errs || behaviour.errs;
        for (const auto& [outcome, some] : behaviour.after)
          after[outcome].insert(some.begin(), some.end());
      }
      allowed.push_back(!errs);
      next.emplace_back();
      if (errs) continue;
      for (const auto& [outcome, some] : after) next.back()[outcome] = belief_of(some);
    }
    answer.beliefs[b].allowed = std::move(allowed);
    answer.beliefs[b].next = std::move(next);
  }
  if (semantics.failure()) answer.too_large = *semantics.failure();
  if (serial) prune(answer);
  return answer;
}

// Comparing

namespace {

/// The place of a component's outcome in a result.
std::optional<std::size_t> written_outcome(const InterfaceCall& call, const std::string& outcome) {
  if (call.outcomes.size() == 1 && call.outcomes[0] == "any") return 0;
  const auto at = std::ranges::find(call.outcomes, outcome);
  if (at == call.outcomes.end()) return std::nullopt;
  return static_cast<std::size_t>(at - call.outcomes.begin());
}

struct Pair {
  std::size_t belief = 0;
  State state = 0;
  std::string word;
};

} // namespace

std::optional<std::string> compare(const BruteForce& expected, const Interface& found) {
  const Component& component = *expected.component;
  std::deque<Pair> work;
  std::set<std::pair<std::size_t, State>> seen;
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    const std::string& name = component.constructors()[k].name;
    const auto initial = std::ranges::find(found.initial, name, &InitialState::constructor);
    const bool allowed = initial != found.initial.end();
    if (allowed != expected.start[k].has_value())
      return fmt::format("constructor {} is {}allowed in the interface, {}by brute force", name,
                         allowed ? "" : "not ", allowed ? "but not " : "but it is ");
    const bool refused = std::ranges::any_of(found.forbidden, [&](const Refusal& r) {
      return !r.state && r.call < found.constructors.size() && found.constructors[r.call] == name;
    });
    if (refused != (expected.constructor_errs[k] || expected.pruned_start[k]))
      return fmt::format("constructor {} is {}among the refusals", name, refused ? "" : "not ");
    if (allowed && seen.emplace(*expected.start[k], initial->state).second)
      work.push_back({*expected.start[k], initial->state, name});
  }
  while (!work.empty()) {
    const Pair at = work.front();
    work.pop_front();
    const Belief& belief = expected.beliefs[at.belief];
    for (std::size_t c = 0; c < component.calls().size(); ++c) {
      const Call& call = component.calls()[c];
      const auto written = found.find_call(call.name);
      if (!written) return fmt::format("the interface has no call {}", call.name);
      const bool allowed = found.states[at.state].allows[*written];
      if (allowed != belief.allowed[c])
        return fmt::format("after '{}' (q{}) call {} is {}, but {} by brute force", at.word,
                           at.state, call.name, allowed ? "allowed" : "refused",
                           belief.allowed[c] ? "allowed" : "refused");
      const Refusal* refusal = found.find_refusal(at.state, *written);
      if ((refusal != nullptr) == allowed)
        return fmt::format("after '{}' (q{}) call {} has {} entry among the refusals", at.word,
                           at.state, call.name, refusal ? "an" : "no");
      for (std::size_t o = 0; o < call.outcomes.size(); ++o) {
        const auto outcome = written_outcome(found.calls[*written], call.outcomes[o]);
        const State to = outcome ? found.next(at.state, *written, *outcome) : no_state;
        const auto next = belief.next[c].find(o);
        const bool possible = belief.allowed[c] && next != belief.next[c].end();
        if ((to != no_state) != possible)
          return fmt::format(
              "after '{}' (q{}) outcome {}:{} {} a transition, but {} happen by brute force",
              at.word, at.state, call.name, call.outcomes[o], to != no_state ? "has" : "has not",
              possible ? "can" : "cannot");
        if (possible && seen.emplace(next->second, to).second)
          work.push_back({next->second, to, at.word + " " + call.name + ":" + call.outcomes[o]});
      }
    }
  }
  return std::nullopt;
}

std::size_t fewest_states(const BruteForce& answer) {
  std::set<std::size_t> reachable;
  std::vector<std::size_t> work;
  for (const auto& start : answer.start)
    if (start) work.push_back(*start);
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    if (!reachable.insert(b).second) continue;
    for (const auto& next : answer.beliefs[b].next)
      for (const auto& [outcome, to] : next) work.push_back(to);
  }
  std::map<std::size_t, std::size_t> part;
  for (std::size_t b : reachable) part[b] = 0;
  for (std::size_t count = reachable.empty() ? 0 : 1;;) {
    using Signature = std::pair<std::vector<bool>, std::vector<std::map<std::size_t, std::size_t>>>;
    std::map<std::pair<std::size_t, Signature>, std::size_t> parts;
    std::map<std::size_t, std::size_t> finer;
    for (std::size_t b : reachable) {
      Signature signature{answer.beliefs[b].allowed, answer.beliefs[b].next};
      for (auto& next : signature.second)
        for (auto& [outcome, to] : next) to = part[to];
      finer[b] = parts.emplace(std::pair(part[b], signature), parts.size()).first->second;
    }
    if (parts.size() == count) return count;
    count = parts.size();
    part = std::move(finer);
  }
}

// Replaying

std::optional<Value> read_value(const Component& component, const std::string& text, Sort sort) {
  const Module& module = component.module();
  if (text.starts_with("{otherwise: ")) {
    // {otherwise: v, k: v, …}, not nested: the generator has maps of scalars only.
    std::string rest = text.substr(1, text.size() - 2);
    std::optional<Value> map;
    while (!rest.empty()) {
      const auto comma = rest.find(", ");
      const std::string entry = rest.substr(0, comma);
      rest = comma == std::string::npos ? "" : rest.substr(comma + 2);
      const auto colon = entry.find(": ");
      const auto element = read_value(component, entry.substr(colon + 2), sort->value);
      if (!element) return std::nullopt;
      if (!map) {
        map = const_map(*element);
        continue;
      }
      const auto key = read_value(component, entry.substr(0, colon), sort->key);
      if (!key) return std::nullopt;
      map = store(*map, *key, *element);
    }
    return map;
  }
  const auto term = parse_expression(text, "value", *module.arena, ModuleScope(module), sort);
  if (!term || !variables(*term).empty()) return std::nullopt;
  const auto value = evaluate(*term, [](Term) { return Value(); });
  if (!value) return std::nullopt;
  return *value;
}

namespace {

/// Same map or number, whatever the representation.
bool same_value(const Value& a, const Value& b, const Type& type) {
  if (type.sort->kind != SortKind::Map) return a == b;
  for (std::uint64_t i = 0; i < domain_size(*type.key).value(); ++i) {
    const Value key(scalar_value(*type.key, i));
    if (!same_value(select(a, key), select(b, key), *type.value)) return false;
  }
  return true;
}

class RefusalReplay {
public:
  RefusalReplay(const Component& component, const Interface& found)
      : component_(component), found_(found), interpreter_(component.module()) {}

  std::optional<std::string> run() {
    for (const Refusal& r : found_.forbidden) {
      if (r.error == "no way on") continue;
      if (auto wrong = check(r))
        return fmt::format("run of '{}': {}", fmt::join(r.word, " "), *wrong);
    }
    return std::nullopt;
  }

private:
  std::optional<ProcedureRun> feed(const Call& call, const ConcreteState& before,
                                   const std::vector<std::string>& texts) {
    std::vector<Value> inputs;
    for (const std::string& text : texts) {
      const ProcedureRun run = interpreter_.run(component_.body(call), before, inputs);
      if (run.how != RunEnd::NeedsInput) return std::nullopt;
      const auto value = read_value(component_, text, run.needs->type.sort);
      if (!value) return std::nullopt;
      inputs.push_back(*value);
    }
    return interpreter_.run(component_.body(call), before, inputs);
  }

  std::optional<std::string> ends_in(const Refusal& r, const ProcedureRun& run) {
    if (run.how != RunEnd::Erred) return "the last call does not err";
    if (run.end->name != r.error)
      return fmt::format("it ends in error {} instead of {}", run.end->name, r.error);
    return std::nullopt;
  }

  std::optional<std::string> check(const Refusal& r) {
    if (!r.run) return "there is none";
    const auto open = interpreter_.uninitialised();
    if (open.size() != r.run->initial.size()) return "wrong number of initial values";
    std::vector<Value> initial;
    for (std::size_t i = 0; i < open.size(); ++i) {
      const auto value = read_value(component_, r.run->initial[i], open[i]->type.sort);
      if (!value) return fmt::format("'{}' is no value", r.run->initial[i]);
      initial.push_back(*value);
    }
    const auto before = interpreter_.initial(initial);
    if (!before) return "the initial values do not fit";
    const auto constructor =
        std::ranges::find(component_.constructors(), r.run->constructor, &Call::name);
    if (constructor == component_.constructors().end()) return "unknown constructor";
    auto run = feed(*constructor, *before, r.run->constructor_inputs);
    if (!run) return "inputs of the constructor do not fit";
    if (!r.state)
      return r.run->steps.empty() ? ends_in(r, *run) : "it goes on after the constructor";
    if (run->how != RunEnd::Returned) return "the constructor does not return";
    if (r.run->steps.size() != r.word.size()) return "it is not as long as the word";
    for (std::size_t i = 0; i < r.run->steps.size(); ++i) {
      const ExampleStep& step = r.run->steps[i];
      const auto letter = parse_letter(found_, r.word[i]);
      const auto call = component_.find_call(step.call);
      if (!letter || !call || found_.calls[letter->call].name != step.call)
        return "it does not follow the word";
      const ConcreteState state = run->after;
      run = feed(component_.calls()[*call], state, step.inputs);
      if (!run) return fmt::format("inputs of step {} do not fit", i + 1);
      if (i + 1 == r.run->steps.size()) return ends_in(r, *run);
      if (run->how != RunEnd::Returned && run->how != RunEnd::Threw)
        return fmt::format("step {} has no outcome", i + 1);
      const std::string& outcome =
          component_.calls()[*call].outcomes[static_cast<std::size_t>(run->end->outcome)];
      if (outcome != step.outcome)
        return fmt::format("step {} has the outcome {}, not {}", i + 1, outcome, step.outcome);
      if (letter->outcome &&
          written_outcome(found_.calls[letter->call], outcome) != letter->outcome)
        return fmt::format("step {} has another outcome than the word", i + 1);
      const auto& state_variables = component_.module().state;
      for (std::size_t v = 0; v < state_variables.size(); ++v) {
        const auto text = step.after.find(state_variables[v].name());
        const auto value = text == step.after.end()
                               ? std::nullopt
                               : read_value(component_, text->second, state_variables[v].type.sort);
        if (!value || !same_value(*value, run->after.values[v], state_variables[v].type))
          return fmt::format("{} differs after step {}", state_variables[v].name(), i + 1);
      }
    }
    return "it has no steps";
  }

  const Component& component_;
  const Interface& found_;
  Interpreter interpreter_;
};

} // namespace

std::optional<std::string> replay_refusals(const Component& component, const Interface& found) {
  return RefusalReplay(component, found).run();
}

} // namespace tacit
