#include "support/reference_words.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/guarded_reading.h"

namespace tacit {

bool operator<(const Observation& a, const Observation& b) {
  return std::tie(a.outcome, a.result, a.left) < std::tie(b.outcome, b.result, b.left);
}

bool operator==(const Observation& a, const Observation& b) { return !(a < b) && !(b < a); }

bool operator<(const Ending& a, const Ending& b) {
  return std::tie(a.errs, a.error, a.at, a.returned, a.seen, a.after) <
         std::tie(b.errs, b.error, b.at, b.returned, b.seen, b.after);
}

std::string to_string(Legality legality) {
  switch (legality) {
  case Legality::Legal: return "legal";
  case Legality::Illegal: return "illegal";
  case Legality::Undecided: return "undecided";
  case Legality::NoRun: return "impossible";
  }
  return "";
}

namespace {

std::string list(const std::vector<Variable>& variables, const std::vector<Value>& values) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < values.size(); ++i)
    texts.push_back(to_string(values[i], variables[i].type.sort));
  return fmt::format("({})", fmt::join(texts, ", "));
}

} // namespace

ConcreteSemantics::ConcreteSemantics(const Component& component, const ReferenceLimits& limits)
    : component_(component), limits_(limits), interpreter_(component.module(), limits.steps) {}

// Inputs

std::vector<Value> ConcreteSemantics::values(const Type& type) {
  std::vector<Value> all;
  if (const auto size = domain_size(type); size && *size <= 64) {
    for (std::uint64_t i = 0; i < *size; ++i) all.push_back(domain_value(type, i));
    return all;
  }
  sampled_ = true;
  Integer low = limits_.low, high = limits_.high;
  if (type.sort->kind == SortKind::Int) {
    // The end that a range has is where things happen.
    if (type.low && *type.low > low) high += *type.low - low, low = *type.low;
    if (type.high && *type.high < high)
      low = std::max(low, *type.high - (high - low)), high = *type.high;
  } else if (type.sort->kind == SortKind::Ref) {
    low = 0, high = limits_.objects;
  } else {
    fail_with(fmt::format("the values of {} cannot be tried", to_string(type)));
    return all;
  }
  for (Integer n = low; n <= high; ++n) all.emplace_back(n);
  return all;
}

const std::vector<std::vector<Value>>& ConcreteSemantics::arguments(const Call& call) {
  const auto [at, fresh] = arguments_.emplace(&call, std::vector<std::vector<Value>>{{}});
  if (!fresh) return at->second;
  for (const Variable& v : argument_variables(component_, call)) {
    std::vector<std::vector<Value>> longer;
    for (const auto& some : at->second)
      for (const Value& value : values(v.type)) {
        longer.push_back(some);
        longer.back().push_back(value);
      }
    at->second = std::move(longer);
  }
  return at->second;
}

/// Variables without an initial value have any: the environment's choice.
std::vector<ConcreteState> ConcreteSemantics::initial_states() {
  std::vector<std::vector<Value>> inputs{{}};
  for (const StateVariable* v : interpreter_.uninitialised()) {
    std::vector<std::vector<Value>> longer;
    for (const auto& some : inputs)
      for (const Value& value : values(v->type)) {
        longer.push_back(some);
        longer.back().push_back(value);
      }
    inputs = std::move(longer);
  }
  std::vector<ConcreteState> states;
  for (const auto& some : inputs) states.push_back(interpreter_.initial(some).value());
  return states;
}

// Runs of one call

Ending ConcreteSemantics::ending(const Call& call, const ProcedureRun& run) const {
  Ending end;
  if (run.how == RunEnd::Erred) {
    end.errs = true;
    end.error = run.end->name;
    end.at = to_string(Location{run.end->where.file, run.end->where.line, 0});
    return end;
  }
  end.returned = run.how == RunEnd::Returned;
  end.after = run.after;
  if (call.blind) return end;
  end.seen.outcome = static_cast<std::size_t>(run.end->outcome);
  if (end.returned && component_.body(call).returns) end.seen.result = run.value;
  for (std::size_t i = 0; i < component_.module().state.size(); ++i)
    if (component_.module().state[i].client) end.seen.left.push_back(run.after.values[i]);
  return end;
}

/// Both happen: every pair of resolutions is one of the two together.
Resolutions ConcreteSemantics::together(const Resolutions& some, const Resolutions& others) {
  Resolutions all;
  for (const Endings& a : some)
    for (const Endings& b : others) {
      Endings both = a;
      both.insert(b.begin(), b.end());
      all.insert(std::move(both));
      if (all.size() > limits_.resolutions) {
        fail_with("too many ways to resolve what is unknown");
        return all;
      }
    }
  return all;
}

/// All runs that go on from these inputs. Where the environment chooses, all its choices are runs
/// of the same resolution; where something is unknown, each value is a resolution of its own.
Resolutions ConcreteSemantics::extend(const Call& call, const ConcreteState& before,
                                      std::vector<Value>& inputs) {
  if (failure_) return {Endings{}};
  const ProcedureRun run = interpreter_.run(component_.body(call), before, inputs);
  if (run.how == RunEnd::Blocked) return {Endings{}};
  if (run.how == RunEnd::GaveUp || inputs.size() > limits_.inputs) {
    fail_with(run.how == RunEnd::GaveUp ? run.reason : "too many inputs of one run");
    return {Endings{}};
  }
  if (run.how != RunEnd::NeedsInput) return {Endings{ending(call, run)}};
  Resolutions all;
  if (run.chooser == Chooser::Environment) all.insert(Endings{});
  for (const Value& value : values(run.needs->type)) {
    inputs.push_back(value);
    Resolutions some = extend(call, before, inputs);
    inputs.pop_back();
    if (run.chooser == Chooser::Environment)
      all = together(all, some);
    else
      all.merge(some);
  }
  return all;
}

const Resolutions& ConcreteSemantics::runs(const Call& call, const ConcreteState& before,
                                           const std::vector<Value>& arguments) {
  const auto key = std::tuple(&call, before, arguments);
  if (const auto known = known_.find(key); known != known_.end()) return known->second;
  std::vector<Value> inputs = arguments;
  return known_.emplace(key, extend(call, before, inputs)).first->second;
}

// Worlds

namespace {

/// A resolution in which there is no run at all is not one in which the word can happen.
Resolutions with_runs(Resolutions all) {
  all.erase(Endings{});
  return all;
}

bool errs(const Endings& endings) {
  return std::ranges::any_of(endings, [](const Ending& e) { return e.errs; });
}

bool makes_an_object(const Endings& endings) {
  return std::ranges::any_of(endings, [](const Ending& e) { return !e.errs && e.returned; });
}

Legality by_count(std::size_t bad, std::size_t all) {
  if (all == 0) return Legality::NoRun;
  if (bad == 0) return Legality::Legal;
  return bad == all ? Legality::Illegal : Legality::Undecided;
}

} // namespace

Resolutions ConcreteSemantics::ways(const Worlds& worlds, std::size_t call,
                                    const std::vector<Value>& arguments) {
  Resolutions all;
  for (const StateBelief& belief : worlds) {
    Resolutions one{Endings{}};
    for (const ConcreteState& s : belief)
      one = together(one, runs(component_.calls()[call], s, arguments));
    all.merge(one);
  }
  return with_runs(std::move(all));
}

Resolutions ConcreteSemantics::constructor_ways(std::size_t constructor,
                                                const std::vector<Value>& arguments) {
  Resolutions one{Endings{}};
  for (const ConcreteState& s : initial_states())
    one = together(one, runs(component_.constructors()[constructor], s, arguments));
  return with_runs(std::move(one));
}

Legality ConcreteSemantics::legality(const Resolutions& ways) {
  return by_count(static_cast<std::size_t>(std::ranges::count_if(ways, errs)), ways.size());
}

Legality ConcreteSemantics::constructor_legality(const Resolutions& ways) {
  const auto bad = [](const Endings& e) { return errs(e) || !makes_an_object(e); };
  return by_count(static_cast<std::size_t>(std::ranges::count_if(ways, bad)), ways.size());
}

Worlds ConcreteSemantics::after(const Resolutions& ways, const Observation& seen, bool returned) {
  Worlds worlds;
  for (const Endings& endings : ways) {
    if (errs(endings)) continue;
    StateBelief belief;
    for (const Ending& e : endings)
      if (e.seen == seen && (e.returned || !returned)) belief.insert(e.after);
    if (!belief.empty()) worlds.insert(std::move(belief));
  }
  return worlds;
}

std::set<Observation> ConcreteSemantics::seen(const Resolutions& ways, bool returned) {
  std::set<Observation> all;
  for (const Endings& endings : ways)
    if (!errs(endings))
      for (const Ending& e : endings)
        if (e.returned || !returned) all.insert(e.seen);
  return all;
}

Legality ConcreteSemantics::judge(const ConcreteWord& word) {
  Resolutions ways = constructor_ways(word.constructor, word.arguments);
  Legality so_far = constructor_legality(ways);
  bool undecided = so_far == Legality::Undecided;
  Worlds worlds = after(ways, word.made, true);
  const auto step = [&](std::size_t call, const std::vector<Value>& arguments) {
    ways = this->ways(worlds, call, arguments);
    so_far = legality(ways);
    undecided = undecided || so_far == Legality::Undecided;
  };
  const auto ended = [&] { return so_far == Legality::Illegal || so_far == Legality::NoRun; };
  for (const ConcreteLetter& letter : word.letters) {
    if (ended()) return so_far;
    step(letter.call, letter.arguments);
    worlds = after(ways, letter.seen);
    if (worlds.empty() && !ended()) return Legality::NoRun;
  }
  if (word.last && !ended()) step(*word.last, word.last_arguments);
  return undecided && !ended() ? Legality::Undecided : so_far;
}

// Showing

namespace {

std::string made(const Component& component, const Call& call, const std::vector<Value>& arguments,
                 const Observation* seen) {
  std::string text = call.name + list(argument_variables(component, call), arguments);
  if (!seen || call.blind) return text;
  const std::string& outcome = call.outcomes[seen->outcome];
  if (seen->result)
    text += "=" + to_string(*seen->result, component.body(call).returns->sort);
  else if (outcome != "returns")
    text += ":" + outcome;
  return text;
}

} // namespace

std::string to_string(const Component& component, const ConcreteWord& word) {
  std::string text = made(component, component.constructors()[word.constructor], word.arguments,
                          word.last || !word.letters.empty() ? &word.made : nullptr);
  for (const ConcreteLetter& letter : word.letters)
    text += " " + made(component, component.calls()[letter.call], letter.arguments, &letter.seen);
  if (word.last)
    text += " " + made(component, component.calls()[*word.last], word.last_arguments, nullptr);
  return text;
}

} // namespace tacit
