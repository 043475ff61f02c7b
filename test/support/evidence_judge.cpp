#include "support/evidence_judge.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

void flatten(const Value& value, const Type& type, std::vector<Integer>& into) {
  if (type.sort->kind != SortKind::Map) {
    into.push_back(value.number);
    return;
  }
  for (std::uint64_t i = 0; i < domain_size(*type.key).value(); ++i)
    flatten(select(value, Value(scalar_value(*type.key, i))), *type.value, into);
}

bool claims(Claim claim) { return claim == Claim::Proved; }

} // namespace

std::optional<std::size_t> EvidenceJudge::valuations(const Component& component,
                                                     std::size_t limit) {
  std::size_t count = 1;
  for (const StateVariable& v : component.module().state) {
    const auto size = domain_size(v.type);
    if (!size || *size > limit) return std::nullopt;
    count *= *size;
    if (count > limit) return std::nullopt;
  }
  return count;
}

EvidenceJudge::EvidenceJudge(const Component& component)
    : component_(component), semantics_(component), interpreter_(component.module()) {
  states_.emplace_back();
  for (const StateVariable& v : component.module().state) {
    std::vector<ConcreteState> longer;
    for (const ConcreteState& s : states_)
      for (std::uint64_t i = 0; i < domain_size(v.type).value(); ++i) {
        longer.push_back(s);
        longer.back().values.push_back(domain_value(v.type, i));
      }
    states_ = std::move(longer);
  }
  for (std::size_t i = 0; i < states_.size(); ++i) {
    std::vector<Integer> key;
    for (std::size_t v = 0; v < states_[i].values.size(); ++v)
      flatten(states_[i].values[v], component.module().state[v].type, key);
    index_.emplace(std::move(key), i);
  }
  for (std::size_t c = 0; c < component.calls().size(); ++c) {
    calls_.emplace_back();
    for (const ConcreteState& s : states_) {
      const CallBehaviour& b = semantics_.call(c, s);
      Behaviour& indexed = calls_.back().emplace_back();
      indexed.errs = b.errs;
      for (const auto& [outcome, after] : b.after)
        for (const ConcreteState& a : after) indexed.after[outcome].push_back(index_of(a));
    }
  }
  for (std::size_t k = 0; k < component.constructors().size(); ++k) {
    Construction& made = constructors_.emplace_back();
    for (const ConcreteState& before : semantics_.initial_states()) {
      const CallBehaviour b = semantics_.constructor(k, before);
      made.errs = made.errs || b.errs;
      for (const ConcreteState& a : b.returned) made.after.push_back(index_of(a));
    }
  }
}

std::size_t EvidenceJudge::index_of(const ConcreteState& state) const {
  std::vector<Integer> key;
  for (std::size_t v = 0; v < state.values.size(); ++v)
    flatten(state.values[v], component_.module().state[v].type, key);
  return index_.at(key);
}

const EvidenceJudge::Set& EvidenceJudge::set_of(const std::string& label) {
  const auto [at, fresh] = sets_.try_emplace(label);
  if (!fresh) return at->second;
  const Module& module = component_.module();
  const auto term = parse_expression(label, "label", *module.arena, ModuleScope(module),
                                     module.arena->bool_sort());
  if (!term) {
    complain("label cannot be read: " + label);
    at->second.assign(states_.size(), false);
    return at->second;
  }
  for (const ConcreteState& s : states_) {
    const auto value =
        evaluate(*term, [&](Term v) { return s.values[module.state_index(v).value()]; });
    at->second.push_back(value && value->truth());
  }
  return at->second;
}

std::vector<std::string> EvidenceJudge::wrong(const Interface& result) {
  result_ = &result;
  wrong_.clear();
  call_of_.clear();
  vocabulary();
  if (!wrong_.empty()) return wrong_;
  automaton();
  if (!wrong_.empty()) return wrong_;
  read_labels();
  refusals();
  runs();
  examples();
  if (result.verdict.minimal) minimal();
  const Verdict& v = result.verdict;
  if (claims(v.safe) || claims(v.permissive) || claims(v.full)) {
    shown_labels();
    constructors();
    labelling(safe_, true);
    if (claims(v.permissive)) {
      if (!permissive_.empty()) labelling(permissive_, false);
      permissive();
    }
    if (claims(v.permissive) || claims(v.full)) must_nodes();
    if (claims(v.full)) full();
  }
  return wrong_;
}

// Structure

void EvidenceJudge::vocabulary() {
  if (result_->calls.size() != component_.calls().size()) return complain("other calls");
  for (const InterfaceCall& call : result_->calls) {
    const auto known = component_.find_call(call.name);
    if (!known) return complain("unknown call");
    call_of_.push_back(*known);
  }
  for (const InitialState& i : result_->initial)
    if (i.state >= result_->states.size()) complain("start state does not exist");
  for (const InterfaceTransition& t : result_->transitions)
    if (t.from >= result_->states.size() || t.to >= result_->states.size())
      complain("transition leads nowhere");
}

std::vector<std::size_t> EvidenceJudge::outcomes_of(const InterfaceTransition& t) const {
  const auto& known = component_.calls()[call_of_[t.call]].outcomes;
  const std::string& written = result_->calls[t.call].outcomes[t.outcome];
  std::vector<std::size_t> outcomes;
  for (std::size_t o = 0; o < known.size(); ++o)
    if (written == "any" || written == known[o]) outcomes.push_back(o);
  return outcomes;
}

std::optional<std::size_t> EvidenceJudge::transition_at(State from, std::size_t call,
                                                        std::size_t outcome) const {
  for (std::size_t t = 0; t < result_->transitions.size(); ++t) {
    const InterfaceTransition& transition = result_->transitions[t];
    if (transition.from != from || call_of_[transition.call] != call) continue;
    if (std::ranges::count(outcomes_of(transition), outcome) > 0) return t;
  }
  return std::nullopt;
}

void EvidenceJudge::automaton() {
  std::map<std::tuple<State, std::size_t, std::size_t>, int> seen;
  for (const InterfaceTransition& t : result_->transitions) {
    if (!result_->states[t.from].allows[t.call]) complain("transition of a refused call");
    if (++seen[{t.from, t.call, t.outcome}] > 1) complain("two transitions with the same letter");
  }
  std::map<std::string, int> starts;
  for (const InitialState& i : result_->initial)
    if (++starts[i.constructor] > 1) complain("two start states of a constructor");
}

void EvidenceJudge::refusals() {
  std::vector<std::size_t> distance(result_->states.size(), SIZE_MAX);
  std::deque<State> work;
  for (const InitialState& i : result_->initial)
    if (distance[i.state] == SIZE_MAX) {
      distance[i.state] = 0;
      work.push_back(i.state);
    }
  while (!work.empty()) {
    const State q = work.front();
    work.pop_front();
    for (const InterfaceTransition& t : result_->transitions)
      if (t.from == q && distance[t.to] == SIZE_MAX) {
        distance[t.to] = distance[q] + 1;
        work.push_back(t.to);
      }
  }

  std::map<std::pair<State, std::size_t>, int> entries;
  for (const Refusal& r : result_->forbidden) {
    const std::string name = result_->refused_name(r);
    const Call* call = nullptr;
    if (r.state) {
      call = &component_.calls()[call_of_[r.call]];
      if (result_->states[*r.state].allows[r.call]) complain(name + " is allowed and refused");
      if (++entries[{*r.state, r.call}] > 1) complain(name + " is refused twice");
    } else {
      call = &*std::ranges::find(component_.constructors(), name, &Call::name);
      if (std::ranges::count(result_->initial, name, &InitialState::constructor) > 0)
        complain(name + " is allowed and refused");
    }
    const bool sited = std::ranges::any_of(component_.body(*call).blocks, [&](const Block& b) {
      const std::string place = fmt::format("{}:{}", b.end.where.file, b.end.where.line);
      return b.end.kind == TerminatorKind::Error && b.end.name == r.error &&
             (r.at.empty() || r.at == place || r.at == to_string(b.end.where));
    });
    if (!sited) complain(fmt::format("{} has no error {} at {}", name, r.error, r.at));
    if (!r.state) {
      if (r.word != std::vector<std::string>{name}) complain("word of a refused constructor");
      continue;
    }
    const auto last = r.word.empty() ? fail("no word") : parse_letter(*result_, r.word.back());
    if (!last || last->call != r.call) {
      complain("word does not end in the refused call");
      continue;
    }
    bool leads = false;
    for (const InitialState& i : result_->initial) {
      State at = i.state;
      for (std::size_t l = 0; l + 1 < r.word.size() && at != no_state; ++l) {
        const auto letter = parse_letter(*result_, r.word[l]);
        State next = no_state;
        for (const InterfaceTransition& t : result_->transitions)
          if (letter && t.from == at && t.call == letter->call &&
              (letter->outcome ? t.outcome == *letter->outcome
                               : result_->calls[t.call].outcomes.size() == 1))
            next = t.to;
        at = next;
      }
      leads = leads || at == *r.state;
    }
    if (!leads)
      complain(fmt::format("word '{}' does not lead to q{}", fmt::join(r.word, " "), *r.state));
    if (distance[*r.state] != r.word.size() - 1) complain("word is not a shortest one");
  }
  for (State q = 0; q < result_->states.size(); ++q)
    for (std::size_t c = 0; c < result_->calls.size(); ++c)
      if (!result_->states[q].allows[c] && !entries.contains({q, c}))
        complain("refused call without entry");
}

std::optional<ProcedureRun> EvidenceJudge::feed(const Call& call, const ConcreteState& before,
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

bool EvidenceJudge::agrees(const ConcreteState& state,
                           const std::map<std::string, std::string>& written) {
  for (const auto& [name, text] : written) {
    const StateVariable* v = component_.module().find_state(name);
    if (v == nullptr) return false;
    const auto value = read_value(component_, text, v->type.sort);
    if (!value) return false;
    std::vector<Integer> a, b;
    flatten(*value, v->type, a);
    flatten(state.values[static_cast<std::size_t>(v - component_.module().state.data())], v->type,
            b);
    if (a != b) return false;
  }
  return true;
}

std::optional<std::string> EvidenceJudge::refusal_run(const Refusal& r) {
  const Example& e = *r.run;
  const auto open = interpreter_.uninitialised();
  if (open.size() != e.initial.size()) return "initial values";
  std::vector<Value> initial;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto value = read_value(component_, e.initial[i], open[i]->type.sort);
    if (!value) return "initial value";
    initial.push_back(*value);
  }
  const auto before = interpreter_.initial(initial);
  if (!before) return "initial values do not fit";
  const auto constructor = std::ranges::find(component_.constructors(), e.constructor, &Call::name);
  if (constructor == component_.constructors().end()) return "constructor";
  auto run = feed(*constructor, *before, e.constructor_inputs);
  if (!run) return "inputs of the constructor";
  const auto errs = [&]() -> std::optional<std::string> {
    if (run->how != RunEnd::Erred || run->end->name != r.error) return "does not err as told";
    const std::string place = fmt::format("{}:{}", run->end->where.file, run->end->where.line);
    if (!r.at.empty() && r.at != place && r.at != to_string(run->end->where))
      return "errs elsewhere";
    return std::nullopt;
  };
  if (!r.state) {
    if (result_->constructors[r.call] != e.constructor || !e.steps.empty())
      return "another constructor";
    return errs();
  }
  if (run->how != RunEnd::Returned) return "the constructor does not return";
  const auto start = std::ranges::find(result_->initial, e.constructor, &InitialState::constructor);
  if (start == result_->initial.end()) return "the constructor is not allowed";
  State at = start->state;
  if (e.steps.size() != r.word.size()) return "length of the word";
  for (std::size_t i = 0; i < e.steps.size(); ++i) {
    const ExampleStep& step = e.steps[i];
    const auto call = component_.find_call(step.call);
    if (!call) return "unknown call";
    const ConcreteState state = run->after;
    run = feed(component_.calls()[*call], state, step.inputs);
    if (!run) return "inputs";
    const auto letter = parse_letter(*result_, r.word[i]);
    if (!letter || call_of_[letter->call] != *call) return "does not follow the word";
    if (i + 1 == e.steps.size()) {
      if (call_of_[r.call] != *call || at != *r.state) return "ends elsewhere";
      return errs();
    }
    if (run->how != RunEnd::Returned && run->how != RunEnd::Threw) return "no outcome";
    const auto outcome = static_cast<std::size_t>(run->end->outcome);
    if (component_.calls()[*call].outcomes[outcome] != step.outcome) return "another outcome";
    if (!agrees(run->after, step.after)) return "another state";
    const auto t = transition_at(at, *call, outcome);
    if (!t) return "no transition";
    if (letter->outcome && result_->transitions[*t].outcome != *letter->outcome)
      return "another letter";
    at = result_->transitions[*t].to;
  }
  return "no steps";
}

void EvidenceJudge::runs() {
  for (const Refusal& r : result_->forbidden)
    if (r.run)
      if (auto problem = refusal_run(r))
        complain(fmt::format("run of '{}': {}", fmt::join(r.word, " "), *problem));
}

std::optional<std::string> EvidenceJudge::example(const InterfaceTransition& t) {
  if (t.example->steps.size() != 1) return "not one step";
  const ExampleStep& step = t.example->steps[0];
  const Call& call = component_.calls()[call_of_[t.call]];
  if (step.call != call.name) return "another call";
  ConcreteState before;
  for (const StateVariable& v : component_.module().state) {
    const auto text = t.before.find(v.name());
    if (text == t.before.end()) return "state before is not complete";
    const auto value = read_value(component_, text->second, v.type.sort);
    if (!value || !contains(v.type, *value)) return "no value";
    before.values.push_back(*value);
  }
  if (!safe_.empty() && !safe_[t.from][index_of(before)]) return "state before is not in the label";
  const auto run = feed(call, before, step.inputs);
  if (!run || (run->how != RunEnd::Returned && run->how != RunEnd::Threw)) return "no such run";
  const auto outcome = static_cast<std::size_t>(run->end->outcome);
  if (call.outcomes[outcome] != step.outcome) return "another outcome";
  if (std::ranges::count(outcomes_of(t), outcome) == 0) return "another transition";
  if (!agrees(run->after, step.after)) return "another state";
  if (!safe_.empty() && !safe_[t.to][index_of(run->after)])
    return "state after is not in the label";
  return std::nullopt;
}

void EvidenceJudge::examples() {
  for (const InterfaceTransition& t : result_->transitions)
    if (t.example)
      if (auto problem = example(t))
        complain(fmt::format("example of q{} --{}--> q{}: {}", t.from, result_->calls[t.call].name,
                             t.to, *problem));
}

void EvidenceJudge::minimal() {
  std::vector<std::size_t> part(result_->states.size(), 0);
  std::size_t count = 1;
  while (true) {
    std::map<std::tuple<std::size_t, std::vector<bool>,
                        std::map<std::pair<std::size_t, std::size_t>, std::size_t>>,
             std::size_t>
        parts;
    std::vector<std::size_t> finer;
    for (State q = 0; q < result_->states.size(); ++q) {
      std::map<std::pair<std::size_t, std::size_t>, std::size_t> next;
      for (const InterfaceTransition& t : result_->transitions)
        if (t.from == q) next[{t.call, t.outcome}] = part[t.to];
      finer.push_back(
          parts.emplace(std::tuple(part[q], result_->states[q].allows, next), parts.size())
              .first->second);
    }
    part = std::move(finer);
    if (parts.size() == count) break;
    count = parts.size();
  }
  std::set<State> reachable;
  std::vector<State> work;
  for (const InitialState& i : result_->initial) work.push_back(i.state);
  while (!work.empty()) {
    const State q = work.back();
    work.pop_back();
    if (!reachable.insert(q).second) continue;
    for (const InterfaceTransition& t : result_->transitions)
      if (t.from == q) work.push_back(t.to);
  }
  if (reachable.size() != result_->states.size() ||
      (count != result_->states.size() && !result_->states.empty()))
    complain("not minimal");
}

// Claims

void EvidenceJudge::read_labels() {
  safe_.clear();
  permissive_.clear();
  must_.clear();
  const Evidence& e = result_->evidence;
  for (const std::string& label : e.safe) safe_.push_back(set_of(label));
  for (const std::string& label : e.permissive) permissive_.push_back(set_of(label));
  for (const MustNode& node : e.must) must_.push_back(set_of(node.predicate));
  if (safe_.size() != result_->states.size()) {
    complain("not one label per state");
    safe_.assign(result_->states.size(), Set(states_.size(), true));
  }
  if (!permissive_.empty() && permissive_.size() != result_->states.size()) {
    complain("not one permissive label per state");
    permissive_.clear();
  }
}

void EvidenceJudge::shown_labels() {
  for (State q = 0; q < result_->states.size(); ++q) {
    if (result_->states[q].label.empty()) continue;
    const Set& shown = set_of(result_->states[q].label);
    for (std::size_t v = 0; v < states_.size(); ++v)
      if (safe_[q][v] && !shown[v]) return complain(fmt::format("shown label of q{}", q));
  }
}

void EvidenceJudge::constructors() {
  for (std::size_t k = 0; k < constructors_.size(); ++k) {
    const std::string& name = component_.constructors()[k].name;
    if (std::ranges::count(result_->initial, name, &InitialState::constructor) > 0) {
      if (claims(result_->verdict.safe) && constructors_[k].errs)
        complain("allowed constructor errs: " + name);
      continue;
    }
    if (!claims(result_->verdict.permissive)) continue;
    const bool refused = std::ranges::any_of(result_->forbidden, [&](const Refusal& r) {
      return !r.state && result_->constructors[r.call] == name;
    });
    if (refused ? !constructors_[k].errs : !constructors_[k].after.empty())
      complain("constructor should be allowed: " + name);
  }
}

/// Initiation, consecution; for the primary labels also safety and impossible outcomes.
void EvidenceJudge::labelling(const std::vector<Set>& labels, bool primary) {
  for (const InitialState& i : result_->initial) {
    const auto k = static_cast<std::size_t>(
        std::ranges::find(component_.constructors(), i.constructor, &Call::name) -
        component_.constructors().begin());
    for (std::size_t v : constructors_[k].after)
      if (!labels[i.state][v]) {
        complain(fmt::format("initiation of {}", i.constructor));
        break;
      }
  }
  for (State q = 0; q < result_->states.size(); ++q)
    for (std::size_t written = 0; written < result_->calls.size(); ++written) {
      if (!result_->states[q].allows[written]) continue;
      const std::size_t c = call_of_[written];
      std::map<std::size_t, State> to;
      for (const InterfaceTransition& t : result_->transitions)
        if (t.from == q && t.call == written)
          for (std::size_t o : outcomes_of(t)) to[o] = t.to;
      std::set<std::string> found;
      for (std::size_t v = 0; v < states_.size(); ++v) {
        if (!labels[q][v]) continue;
        const Behaviour& b = calls_[c][v];
        if (primary && claims(result_->verdict.safe) && b.errs) found.insert("safety");
        for (const auto& [o, after] : b.after) {
          const auto target = to.find(o);
          if (target == to.end()) {
            if (primary) found.insert("absence");
            continue;
          }
          for (std::size_t a : after)
            if (!labels[target->second][a]) found.insert("consecution");
        }
      }
      for (const std::string& f : found)
        complain(fmt::format("{} of {} in q{}", f, result_->calls[written].name, q));
    }
}

std::optional<EvidenceJudge::Set> EvidenceJudge::node_at(std::size_t node, State at) {
  if (node < must_.size() && result_->evidence.must[node].state == at) return must_[node];
  complain(fmt::format("must-node {} is not at q{}", node, at));
  return std::nullopt;
}

void EvidenceJudge::permissive() {
  std::map<std::pair<State, std::size_t>, std::size_t> named;
  for (const auto& [refusal, node] : result_->evidence.refusal_must) {
    if (refusal >= result_->forbidden.size() || !result_->forbidden[refusal].state) {
      complain("must-node of no refusal");
      continue;
    }
    named.emplace(std::pair(*result_->forbidden[refusal].state, result_->forbidden[refusal].call),
                  node);
  }
  for (State q = 0; q < result_->states.size(); ++q)
    for (std::size_t c = 0; c < result_->calls.size(); ++c) {
      if (result_->states[q].allows[c]) continue;
      Set from = safe_[q]; // both labellings hold wherever a word leads
      if (!permissive_.empty())
        for (std::size_t v = 0; v < from.size(); ++v) from[v] = from[v] && permissive_[q][v];
      if (const auto node = named.find({q, c}); node != named.end()) {
        const auto set = node_at(node->second, q);
        if (!set) continue;
        from = *set;
      }
      for (std::size_t v = 0; v < states_.size(); ++v)
        if (from[v] && !calls_[call_of_[c]][v].errs) {
          complain(fmt::format("permissiveness of {} in q{}", result_->calls[c].name, q));
          break;
        }
    }
}

bool EvidenceJudge::possible(const InterfaceTransition& t, std::size_t outcome) const {
  for (std::size_t v = 0; v < states_.size(); ++v)
    if (safe_[t.from][v] && calls_[call_of_[t.call]][v].after.contains(outcome)) return true;
  return false;
}

/// Those that a claim rests on, and their sources; others prove nothing and may say anything.
void EvidenceJudge::must_nodes() {
  const Evidence& e = result_->evidence;
  std::vector<std::size_t> needed;
  const auto need = [&](std::size_t n) {
    if (n < e.must.size() && std::ranges::count(needed, n) == 0) needed.push_back(n);
  };
  if (claims(result_->verdict.permissive))
    for (const auto& [refusal, n] : e.refusal_must) need(n);
  if (claims(result_->verdict.full)) {
    for (const auto& [transition, n] : e.transition_must) need(n);
    for (const auto& [key, n] : e.outcome_must) need(n);
  }
  for (std::size_t i = 0; i < needed.size(); ++i) {
    const std::size_t n = needed[i];
    const MustNode& node = e.must[n];
    if (node.state >= result_->states.size()) {
      complain("must-node at no state");
      continue;
    }
    for (const InitialState& start : result_->initial) {
      if (start.state != node.state) continue;
      const auto k = static_cast<std::size_t>(
          std::ranges::find(component_.constructors(), start.constructor, &Call::name) -
          component_.constructors().begin());
      if (std::ranges::none_of(constructors_[k].after, [&](std::size_t v) { return must_[n][v]; }))
        complain(fmt::format("must-node {} from {}", n, start.constructor));
    }
    for (const MustNode::Incoming& entry : node.incoming)
      if (entry.transition >= result_->transitions.size() ||
          result_->transitions[entry.transition].to != node.state)
        complain(fmt::format("must-node {} names a transition elsewhere", n));
    for (std::size_t t = 0; t < result_->transitions.size(); ++t) {
      const InterfaceTransition& transition = result_->transitions[t];
      if (transition.to != node.state) continue;
      for (std::size_t o : outcomes_of(transition)) {
        if (!possible(transition, o)) continue; // no realizable word takes it
        const std::string& name = component_.calls()[call_of_[transition.call]].outcomes[o];
        const MustNode::Incoming* entry = nullptr;
        for (const MustNode::Incoming& some : node.incoming) {
          if (some.transition != t) continue;
          if (some.outcome == name) {
            entry = &some;
            break;
          }
          if (!some.outcome) entry = &some;
        }
        if (entry == nullptr) {
          complain(fmt::format("must-node {} has no source along transition {}", n, t));
          continue;
        }
        Set source = safe_[transition.from];
        if (entry->source) {
          const auto set = node_at(*entry->source, transition.from);
          if (!set) continue;
          source = *set;
          need(*entry->source);
        }
        for (std::size_t v = 0; v < states_.size(); ++v) {
          if (!source[v]) continue;
          const auto& after = calls_[call_of_[transition.call]][v].after;
          const auto ends = after.find(o);
          if (ends == after.end() ||
              std::ranges::none_of(ends->second, [&](std::size_t a) { return must_[n][a]; })) {
            complain(fmt::format("must-node {} along transition {}", n, t));
            break;
          }
        }
      }
    }
  }
}

void EvidenceJudge::full() {
  const Evidence& e = result_->evidence;
  for (std::size_t t = 0; t < result_->transitions.size(); ++t) {
    const InterfaceTransition& transition = result_->transitions[t];
    for (std::size_t o : outcomes_of(transition)) {
      const std::string& name = component_.calls()[call_of_[transition.call]].outcomes[o];
      std::optional<std::size_t> node;
      if (const auto named = e.transition_must.find(t); named != e.transition_must.end())
        node = named->second;
      if (const auto named = e.outcome_must.find({t, name}); named != e.outcome_must.end())
        node = named->second;
      Set from = safe_[transition.from];
      if (node) {
        const auto set = node_at(*node, transition.from);
        if (!set) continue;
        from = *set;
      }
      for (std::size_t v = 0; v < states_.size(); ++v)
        if (from[v] && !calls_[call_of_[transition.call]][v].after.contains(o)) {
          complain(fmt::format("possibility of transition {} with {}", t, name));
          break;
        }
    }
  }
}

} // namespace tacit
