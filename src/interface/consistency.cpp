#include "interface/consistency.h"

#include <algorithm>

#include <fmt/format.h>

namespace tacit {

std::string to_string(const Contradiction& contradiction) {
  return fmt::format("{}[{}]: {}", contradiction.part, contradiction.index, contradiction.message);
}

std::vector<Contradiction> contradictions(const Interface& interface, std::size_t limit) {
  std::vector<Contradiction> found;
  const bool epa = interface.kind == "epa";
  const bool entries_wanted =
      !epa && std::ranges::find(interface.omitted, "forbidden") == interface.omitted.end();
  const auto report = [&](std::string part, std::size_t index, std::string message) {
    if (found.size() < limit) found.push_back({std::move(part), index, std::move(message)});
  };

  // Transitions and refusals are sorted by state, so one walk along the states meets them all.
  auto refusal = interface.forbidden.begin();
  std::vector<bool> refused(interface.constructors.size());
  for (; refusal != interface.forbidden.end() && !refusal->state; ++refusal)
    refused[refusal->call] = true;
  for (std::size_t i = 0; i < interface.constructors.size(); ++i) {
    const std::string& name = interface.constructors[i];
    const bool allowed = std::ranges::find(interface.initial, name, &InitialState::constructor) !=
                         interface.initial.end();
    if (allowed && refused[i])
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
      if (allows[refusal->call] && !refused[refusal->call])
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
