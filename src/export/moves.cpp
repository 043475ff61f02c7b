#include "export/moves.h"

#include <algorithm>
#include <map>

namespace tacit {

namespace {

/// Of transitions that are shown as one: `?` when one is uncertain, `*` when the invariant may
/// break.
std::string marks(const Interface& interface, const std::vector<std::size_t>& transitions) {
  const auto any = [&](bool InterfaceTransition::* mark) {
    return std::ranges::any_of(transitions,
                               [&](std::size_t t) { return interface.transitions[t].*mark; });
  };
  return std::string(any(&InterfaceTransition::uncertain) ? "?" : "") +
         (any(&InterfaceTransition::may_break) ? "*" : "");
}

} // namespace

std::vector<MergedMove> moves_of(const Interface& interface, State from, const GuardedText& texts) {
  std::vector<MergedMove> moves;
  const auto add = [&](State to, DrawnLetter letter) {
    auto move = std::ranges::find(moves, to, &MergedMove::to);
    if (move == moves.end()) move = moves.insert(moves.end(), MergedMove{to, {}});
    move->letters.push_back(std::move(letter));
  };
  const auto all = interface.outgoing(from);
  const auto index = [&](auto t) {
    return static_cast<std::size_t>(&*t - interface.transitions.data());
  };
  for (auto t = all.begin(); t != all.end();) {
    const auto end = std::find_if(
        t, all.end(), [&](const InterfaceTransition& other) { return other.call != t->call; });
    const InterfaceCall& call = interface.calls[t->call];
    // A call may reach several states with one outcome, so each target is judged by itself.
    std::vector<State> done;
    for (auto first = t; first != end; ++first) {
      if (std::ranges::find(done, first->to) != done.end()) continue;
      done.push_back(first->to);
      DrawnLetter whole{texts.whole_call(*first), {}};
      bool alike = true; // cells and updates tell outcomes apart
      for (auto other = first; other != end; ++other) {
        if (other->to != first->to) continue;
        whole.transitions.push_back(index(other));
        alike &= other->when.empty() && other->set == first->set;
      }
      if (alike && whole.transitions.size() == call.outcomes.size()) {
        whole.text += marks(interface, whole.transitions);
        add(first->to, std::move(whole));
        continue;
      }
      for (const std::size_t i : whole.transitions)
        add(first->to, {texts.edge(interface.transitions[i]) + marks(interface, {i}), {i}});
    }
    t = end;
  }
  return moves;
}

std::vector<std::string> letter_texts(const MergedMove& move) {
  std::vector<std::string> texts;
  for (const DrawnLetter& letter : move.letters) texts.push_back(letter.text);
  return texts;
}

std::vector<RefusalGroup> refusal_groups(const Interface& interface) {
  std::vector<RefusalGroup> groups;
  std::map<std::tuple<bool, std::size_t, std::string, std::string>, std::size_t> known;
  for (const Refusal& refusal : interface.forbidden) {
    const auto [found, added] = known.try_emplace(
        {!refusal.state, refusal.call, refusal.shown_error(), refusal.shown_at()}, groups.size());
    if (added)
      groups.push_back({interface.refused_name(refusal),
                        !refusal.state,
                        refusal.shown_error(),
                        refusal.shown_at(),
                        {},
                        refusal.word,
                        refusal.needs});
    RefusalGroup& group = groups[found->second];
    // One state has several entries where arguments need different must-nodes.
    if (refusal.state && std::ranges::count(group.states, *refusal.state) == 0)
      group.states.push_back(*refusal.state);
    const bool shorter = group.word.empty() || refusal.word.size() < group.word.size();
    if (refusal.word.empty() || !shorter) continue;
    group.word = refusal.word;
    group.needs = refusal.needs;
  }
  return groups;
}

} // namespace tacit
