#include "automata/nfa.h"

#include <algorithm>
#include <numeric>

#include "automata/id_table.h"
#include "base/should.h"

namespace tacit {

namespace {

void sort_unique(std::vector<State>& states) {
  std::sort(states.begin(), states.end());
  states.erase(std::unique(states.begin(), states.end()), states.end());
}

} // namespace

State Nfa::add_state(Colour colour) {
  should(!frozen_, "a frozen Nfa should not get states");
  colours_.push_back(colour);
  return static_cast<State>(colours_.size() - 1);
}

void Nfa::add_edge(State from, Letter letter, State to) {
  should(!frozen_, "a frozen Nfa should not get edges");
  should(from < states() && to < states() && letter < letters_,
         "an edge should join states of the Nfa by one of its letters");
  gathered_.push_back({from, letter, to});
}

void Nfa::add_entry(std::span<const State> states) {
  should(!frozen_, "a frozen Nfa should not get entries");
  std::vector<State> entry(states.begin(), states.end());
  sort_unique(entry);
  should(entry.empty() || entry.back() < this->states(), "an entry should hold states of the Nfa");
  entries_.push_back(std::move(entry));
}

void Nfa::freeze() {
  should(!frozen_, "an Nfa should be frozen once");
  std::sort(gathered_.begin(), gathered_.end());
  gathered_.erase(std::unique(gathered_.begin(), gathered_.end()), gathered_.end());
  first_.assign(states() + 1, 0);
  edge_letters_.reserve(gathered_.size());
  edge_targets_.reserve(gathered_.size());
  for (const Edge& edge : gathered_) {
    ++first_[edge.from + 1];
    edge_letters_.push_back(edge.letter);
    edge_targets_.push_back(edge.to);
  }
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<Edge>().swap(gathered_);
  frozen_ = true;
}

std::span<const State> Nfa::next(State from, Letter letter) const {
  should(frozen_, "an Nfa should be frozen before it is read");
  auto [low, high] = std::equal_range(edge_letters_.begin() + first_[from],
                                      edge_letters_.begin() + first_[from + 1], letter);
  return {edge_targets_.data() + (low - edge_letters_.begin()),
          static_cast<std::size_t>(high - low)};
}

namespace {

// The subsets met so far, one after the other in one vector.
class Subsets {
public:
  // The number of this sorted subset, a new one if it was not met before.
  State number(const std::vector<State>& subset) {
    const std::uint64_t hash = hash_of(subset);
    State id = table_.find_or_add(
        hash, [&](State other) { return std::ranges::equal(of(other), subset); },
        [&](State other) { return hash_of(of(other)); });
    if (id + 1 == first_.size()) {
      states_.insert(states_.end(), subset.begin(), subset.end());
      first_.push_back(states_.size());
    }
    return id;
  }

  std::span<const State> of(State id) const {
    return {states_.data() + first_[id], first_[id + 1] - first_[id]};
  }
  std::size_t size() const { return first_.size() - 1; }

private:
  static std::uint64_t hash_of(std::span<const State> subset) {
    std::uint64_t hash = subset.size();
    for (State q : subset) hash = mix(hash + 0x9e3779b97f4a7c15u + q);
    return hash;
  }

  IdTable table_;
  std::vector<std::size_t> first_{0};
  std::vector<State> states_;
};

} // namespace

Dfa determinise(const Nfa& nfa) {
  return determinise(nfa, [](Colour a, Colour b) { return std::max(a, b); });
}

Dfa determinise(const Nfa& nfa, const CombineColours& combine) {
  should(nfa.frozen(), "an Nfa should be frozen before it is determinised");
  Dfa dfa(nfa.letters());
  Subsets subsets;

  auto state_of = [&](const std::vector<State>& subset) {
    if (subset.empty()) return no_state;
    State state = subsets.number(subset);
    if (state == dfa.states()) {
      Colour colour = nfa.colour(subset.front());
      for (std::size_t i = 1; i < subset.size(); ++i)
        colour = combine(colour, nfa.colour(subset[i]));
      dfa.add_state(colour);
    }
    return state;
  };

  std::vector<State> subset;
  for (std::size_t i = 0; i < nfa.entries(); ++i) {
    subset.assign(nfa.entry(i).begin(), nfa.entry(i).end());
    dfa.add_entry(state_of(subset));
  }
  for (State from = 0; from < dfa.states(); ++from)
    for (Letter a = 0; a < nfa.letters(); ++a) {
      subset.clear();
      for (State q : subsets.of(from)) {
        auto targets = nfa.next(q, a);
        subset.insert(subset.end(), targets.begin(), targets.end());
      }
      sort_unique(subset);
      // In two steps: state_of() may add the state that set_next wants.
      State to = state_of(subset);
      dfa.set_next(from, a, to);
    }
  return dfa;
}

} // namespace tacit
