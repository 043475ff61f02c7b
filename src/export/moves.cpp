#include "export/moves.h"

#include <algorithm>
#include <map>

namespace tacit {

std::vector<MergedMove> moves_of(const Interface& interface, State from) {
  std::vector<MergedMove> moves;
  const auto add = [&](State to, std::string letter) {
    auto move = std::ranges::find(moves, to, &MergedMove::to);
    if (move == moves.end()) move = moves.insert(moves.end(), MergedMove{to, {}});
    move->letters.push_back(std::move(letter));
  };
  const auto all = interface.outgoing(from);
  for (auto t = all.begin(); t != all.end();) {
    const auto end = std::find_if(
        t, all.end(), [&](const InterfaceTransition& other) { return other.call != t->call; });
    const InterfaceCall& call = interface.calls[t->call];
    const bool one_target =
        std::all_of(t, end, [&](const InterfaceTransition& other) { return other.to == t->to; });
    if (one_target && static_cast<std::size_t>(end - t) == call.outcomes.size())
      add(t->to, call.name);
    else
      for (auto other = t; other != end; ++other) add(other->to, letter_name(call, other->outcome));
    t = end;
  }
  return moves;
}

std::vector<RefusalGroup> refusal_groups(const Interface& interface) {
  std::vector<RefusalGroup> groups;
  std::map<std::tuple<bool, std::size_t, std::string, std::string>, std::size_t> known;
  for (const Refusal& refusal : interface.forbidden) {
    const auto [found, added] =
        known.try_emplace({!refusal.state, refusal.call, refusal.error, refusal.at}, groups.size());
    if (added)
      groups.push_back({interface.refused_name(refusal),
                        !refusal.state,
                        refusal.error,
                        refusal.at,
                        {},
                        refusal.word});
    RefusalGroup& group = groups[found->second];
    if (refusal.state) group.states.push_back(*refusal.state);
    const bool shorter = group.word.empty() || refusal.word.size() < group.word.size();
    if (!refusal.word.empty() && shorter) group.word = refusal.word;
  }
  return groups;
}

} // namespace tacit
