#include "interface/consistency.h"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>

namespace tacit {

std::string to_string(const Contradiction& contradiction) {
  return fmt::format("{}[{}]: {}", contradiction.part, contradiction.index, contradiction.message);
}

namespace {

using Report = std::function<void(std::string part, std::size_t index, std::string message)>;

/// Whether a type is one that can be tracked: `int`, `set<int>`, `map<ref,Mode>`.
bool known_type(std::string_view type) {
  const auto element = [](std::string_view name) {
    return !name.empty() && name.find_first_of("<>, ") == std::string_view::npos;
  };
  if (!type.ends_with('>')) return element(type);
  const std::size_t open = type.find('<');
  const std::string_view inside = type.substr(open + 1, type.size() - open - 2);
  const std::size_t comma = inside.find(',');
  if (type.starts_with("set<")) return element(inside);
  return type.starts_with("map<") && comma != std::string_view::npos &&
         element(inside.substr(0, comma)) && element(inside.substr(comma + 1));
}

/// Guards, conditions and tracked values.
void guarded_contradictions(const Interface& interface, const Report& report) {
  if (interface.guarded() && interface.options.arguments != Arguments::Guarded)
    report("guards", 0, "conditions and tracked values belong to guarded arguments, these are not");
  std::set<std::pair<State, std::size_t>> guarded;
  for (std::size_t i = 0; i < interface.guards.size(); ++i) {
    const ArgumentGuard& guard = interface.guards[i];
    const std::string& call = interface.calls[guard.call].name;
    if (!guarded.insert({guard.state, guard.call}).second)
      report("guards", i, fmt::format("call '{}' has two guards in state {}", call, guard.state));
    if (!interface.states[guard.state].allows[guard.call])
      report(
          "guards", i,
          fmt::format("call '{}' has a guard, but state {} does not allow it", call, guard.state));
    if (interface.options.arguments == Arguments::Guarded &&
        (guard.condition == "true" || guard.condition == "false"))
      report("guards", i, "a guard should be neither true nor false");
  }
  for (std::size_t i = 0; i < interface.tracked.size(); ++i) {
    const TrackedValue& value = interface.tracked[i];
    if (!known_type(value.type))
      report("tracked", i, fmt::format("'{}' is not a type that can be tracked", value.type));
    const bool map = value.type.starts_with("map<"), set = value.type.starts_with("set<");
    if ((!value.keys.empty() && !map) || (!value.size.empty() && !map && !set))
      report("tracked", i, "only sets and maps have a size, and only maps have keys");
    for (std::size_t j = 0; j < interface.initial.size(); ++j)
      if (!interface.initial[j].set.contains(value.name))
        report("initial", j,
               fmt::format("should say what tracked value '{}' begins with", value.name));
  }
}

/// A function of a client is said to follow where the proof is one of safety and allows it.
void client_contradictions(const Interface& interface, const Report& report) {
  if (!interface.client) return;
  for (std::size_t i = 0; i < interface.client->follow.size(); ++i) {
    const ClientClaim& claim = interface.client->follow[i];
    const auto call = interface.find_call(claim.call);
    if (!call) {
      report("client", i, fmt::format("'{}' is not one of the calls", claim.call));
      continue;
    }
    std::size_t allowed = 0;
    for (const InterfaceState& state : interface.states) allowed += state.allows[*call];
    if (interface.verdict.safe != Claim::Proved)
      report("client", i, "nothing follows from what is not proved safe");
    else if (allowed == 0 || (claim.always && allowed < interface.states.size()))
      report("client", i, fmt::format("call '{}' is refused", claim.call));
  }
}

} // namespace

std::vector<Contradiction> contradictions(const Interface& interface, std::size_t limit) {
  std::vector<Contradiction> found;
  const bool epa = interface.kind == "epa";
  const bool entries_wanted =
      !epa && std::ranges::find(interface.omitted, "forbidden") == interface.omitted.end();
  const auto report = [&](std::string part, std::size_t index, std::string message) {
    if (found.size() < limit) found.push_back({std::move(part), index, std::move(message)});
  };

  guarded_contradictions(interface, report);
  client_contradictions(interface, report);

  // Transitions and refusals are sorted by state, so one walk along the states meets them all.
  auto refusal = interface.forbidden.begin();
  std::vector<bool> refused(interface.constructors.size());
  for (; refusal != interface.forbidden.end() && !refusal->state; ++refusal)
    refused[refusal->call] = true;
  for (std::size_t i = 0; i < interface.constructors.size(); ++i) {
    const std::string& name = interface.constructors[i];
    const auto always = [&](const InitialState& start) {
      return start.constructor == name && start.when.empty();
    };
    if (refused[i] && std::ranges::any_of(interface.initial, always))
      report("constructors", i, fmt::format("constructor '{}' is both allowed and refused", name));
  }

  auto transition = interface.transitions.begin();
  std::vector<bool> leads(interface.calls.size());
  refused.resize(interface.calls.size());
  for (State q = 0; q < interface.states.size() && found.size() < limit; ++q) {
    std::fill(leads.begin(), leads.end(), false);
    std::fill(refused.begin(), refused.end(), false);
    const std::vector<bool>& allows = interface.states[q].allows;
    for (; transition != interface.transitions.end() && transition->from == q; ++transition) {
      if (!allows[transition->call] && !leads[transition->call])
        report("transitions", static_cast<std::size_t>(transition - interface.transitions.begin()),
               fmt::format("state {} does not allow call '{}'", q,
                           interface.calls[transition->call].name));
      leads[transition->call] = true;
    }
    for (; refusal != interface.forbidden.end() && refusal->state == q; ++refusal) {
      if (allows[refusal->call] && !refused[refusal->call] &&
          !interface.find_guard(q, refusal->call))
        report("forbidden", static_cast<std::size_t>(refusal - interface.forbidden.begin()),
               fmt::format("call '{}' is both allowed and refused in state {}",
                           interface.calls[refusal->call].name, q));
      refused[refusal->call] = true;
    }
    for (std::size_t call = 0; call < interface.calls.size(); ++call) {
      if (!allows[call] && !refused[call] && entries_wanted)
        report("states", q,
               fmt::format("call '{}' is not allowed, but no entry of 'forbidden' says why",
                           interface.calls[call].name));
    }
  }
  return found;
}

} // namespace tacit
