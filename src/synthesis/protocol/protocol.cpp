#include "synthesis/protocol/protocol.h"

#include <algorithm>
#include <tuple>

#include "automata/canonical.h"
#include "automata/minimise.h"

namespace tacit {

Colour Protocol::colour_of(const std::vector<bool>& allowed, std::size_t kind) {
  const auto [at, fresh] =
      colours_.try_emplace({allowed, kind}, static_cast<Colour>(allowed_.size() + 1));
  if (fresh) allowed_.push_back(allowed);
  return at->second;
}

std::vector<Letter> alphabetical_letters(const Component& component) {
  std::vector<Letter> order(component.letters());
  for (Letter l = 0; l < order.size(); ++l) order[l] = l;
  auto key = [&](Letter l) {
    const CallOutcome at = component.letter(l);
    const Call& call = component.calls()[at.call];
    return std::tie(call.name, call.outcomes[at.outcome]);
  };
  std::ranges::sort(order, [&](Letter a, Letter b) { return key(a) < key(b); });
  return order;
}

MinimalProtocol minimal(const Protocol& protocol, const Component& component) {
  MinimalProtocol result{protocol, {}};
  auto merged = minimise(protocol.dfa);
  auto numbered = canonical(merged.dfa, alphabetical_letters(component));
  result.origin.assign(numbered.dfa.states(), no_state);
  for (State q = static_cast<State>(merged.class_of.size()); q-- > 0;)
    if (merged.class_of[q] != no_state && numbered.new_id[merged.class_of[q]] != no_state)
      result.origin[numbered.new_id[merged.class_of[q]]] = q;
  result.protocol.dfa = std::move(numbered.dfa);
  return result;
}

namespace {

/// Classes of states that are being merged, each with the successors any member has.
class Merging {
public:
  explicit Merging(const Protocol& protocol) : protocol_(&protocol) {
    const Dfa& dfa = protocol.dfa;
    for (State q = 0; q < dfa.states(); ++q) {
      parent_.push_back(q);
      next_.emplace_back(dfa.row(q).begin(), dfa.row(q).end());
    }
  }

  State find(State q) const {
    while (parent_[q] != q) q = parent_[q];
    return q;
  }

  /// Merges two states and, as determinism asks, their successors. False when some pair may not be
  /// merged; the object is then to be thrown away.
  bool merge(State a, State b) {
    std::vector<std::pair<State, State>> work{{a, b}};
    while (!work.empty()) {
      auto [x, y] = work.back();
      work.pop_back();
      x = find(x);
      y = find(y);
      if (x == y) continue;
      if (protocol_->dfa.colour(x) != protocol_->dfa.colour(y)) return false;
      if (y < x) std::swap(x, y);
      parent_[y] = x;
      for (Letter l = 0; l < next_[x].size(); ++l) {
        if (next_[y][l] == no_state) continue;
        if (next_[x][l] == no_state)
          next_[x][l] = next_[y][l];
        else
          work.push_back({next_[x][l], next_[y][l]});
      }
    }
    return true;
  }

  State next(State representative, Letter letter) const {
    const State to = next_[representative][letter];
    return to == no_state ? no_state : find(to);
  }

private:
  const Protocol* protocol_;
  std::vector<State> parent_;
  std::vector<std::vector<State>> next_;
};

} // namespace

Protocol coarsened(const Protocol& protocol, const Component& component) {
  const Dfa& dfa = protocol.dfa;
  Merging merging(protocol);
  for (State b = 1; b < dfa.states(); ++b)
    for (State a = 0; a < b; ++a) {
      if (merging.find(a) != a || merging.find(b) == a) continue;
      Merging attempt = merging;
      if (attempt.merge(a, b)) {
        merging = std::move(attempt);
        break;
      }
    }
  Protocol result = protocol;
  result.dfa = Dfa(dfa.letters());
  std::vector<State> number(dfa.states(), no_state);
  for (State q = 0; q < dfa.states(); ++q)
    if (merging.find(q) == q) number[q] = result.dfa.add_state(dfa.colour(q));
  for (State q = 0; q < dfa.states(); ++q)
    for (Letter l = 0; number[q] != no_state && l < dfa.letters(); ++l)
      if (const State to = merging.next(q, l); to != no_state)
        result.dfa.set_next(number[q], l, number[to]);
  for (State entry : dfa.entries())
    result.dfa.add_entry(entry == no_state ? no_state : number[merging.find(entry)]);
  return minimal(result, component).protocol;
}

PrunedProtocol prune(const Protocol& protocol, const Component& component) {
  const Dfa& dfa = protocol.dfa;
  const std::size_t n = dfa.states(), calls = protocol.calls();
  // Predecessors by counting, then a worklist of dead states.
  std::vector<std::size_t> first(n + 1, 0);
  for (State q = 0; q < n; ++q)
    for (State to : dfa.row(q))
      if (to != no_state) ++first[to + 1];
  for (std::size_t i = 0; i < n; ++i) first[i + 1] += first[i];
  std::vector<std::pair<State, Letter>> into(first[n]);
  auto at = first;
  for (State q = 0; q < n; ++q)
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l); to != no_state) into[at[to]++] = {q, l};

  std::vector<bool> usable(n * calls);
  std::vector<std::size_t> left(n, 0);
  std::vector<State> dead;
  for (State q = 0; q < n; ++q) {
    for (std::size_t c = 0; c < calls; ++c)
      if (protocol.allows(q, c)) {
        usable[q * calls + c] = true;
        ++left[q];
      }
    if (left[q] == 0) dead.push_back(q);
  }
  std::vector<bool> is_dead(n, false);
  for (State q : dead) is_dead[q] = true;
  while (!dead.empty()) {
    const State q = dead.back();
    dead.pop_back();
    for (std::size_t i = first[q]; i < first[q + 1]; ++i) {
      const auto [from, letter] = into[i];
      const std::size_t call = component.letter(letter).call;
      if (!usable[from * calls + call]) continue;
      usable[from * calls + call] = false;
      if (--left[from] == 0 && !is_dead[from]) {
        is_dead[from] = true;
        dead.push_back(from);
      }
    }
  }

  PrunedProtocol result{Protocol(component), {}};
  std::vector<State> number(n, no_state);
  for (State q = 0; q < n; ++q) {
    if (is_dead[q]) continue;
    std::vector<bool> allowed(calls);
    for (std::size_t c = 0; c < calls; ++c) allowed[c] = usable[q * calls + c];
    number[q] = result.protocol.add_state(allowed);
    result.origin.push_back(q);
  }
  for (State q = 0; q < n; ++q) {
    if (is_dead[q]) continue;
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l);
          to != no_state && usable[q * calls + component.letter(l).call])
        result.protocol.dfa.set_next(number[q], l, number[to]);
  }
  for (State entry : dfa.entries())
    result.protocol.dfa.add_entry(entry == no_state ? no_state : number[entry]);
  return result;
}

} // namespace tacit
