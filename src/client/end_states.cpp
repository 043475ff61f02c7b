#include "client/end_states.h"

#include <algorithm>
#include <set>

#include <fmt/ranges.h>

#include "base/integer.h"

namespace tacit {

Result<EndStates> read_end_states(const Interface& interface,
                                  const std::vector<std::string>& texts) {
  EndStates made;
  if (texts.empty()) return made;
  std::set<State> states;
  std::vector<std::size_t> calls;
  for (const std::string& text : texts) {
    if (const auto number = parse_integer(text)) {
      if (*number < 0 || *number >= static_cast<Integer>(interface.states.size()))
        return fail("--must-end: there is no state {}; there are {}", text,
                    interface.states.size());
      states.insert(static_cast<State>(*number));
      continue;
    }
    const auto letter = parse_letter(interface, text);
    if (!letter) return fail("--must-end: {}", letter.error().message);
    calls.push_back(letter->call);
  }
  made.may.assign(interface.states.size(), true);
  made.wanted.resize(interface.states.size());
  for (State q = 0; q < interface.states.size(); ++q) {
    for (const std::size_t call : calls) {
      const auto moves = interface.outgoing(q, call);
      if (std::ranges::all_of(moves, [&](const InterfaceTransition& t) { return t.to == q; }))
        continue;
      made.may[q] = false;
      made.wanted[q] = interface.calls[call].name;
    }
    if (!states.empty() && !states.contains(q) && made.may[q]) {
      made.may[q] = false;
      made.wanted[q] = fmt::format("state {}", fmt::join(states, " or "));
    }
  }
  return made;
}

} // namespace tacit
