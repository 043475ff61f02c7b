#include "automata/operations.h"

#include <algorithm>

#include "automata/id_table.h"
#include "automata/predecessors.h"
#include "automata/restrict.h"
#include "base/should.h"

namespace tacit {

namespace {

struct Pair {
  State first, second; // at most one of them is no_state
  friend bool operator==(const Pair&, const Pair&) = default;
};

// The pairs met so far, numbered in the order of appearance.
class Pairs {
public:
  // The number of the pair; it is new exactly if it was size() before.
  State number(Pair pair) {
    State id = table_.find_or_add(
        hash_of(pair), [&](State other) { return pairs_[other] == pair; },
        [&](State other) { return hash_of(pairs_[other]); });
    if (id == pairs_.size()) pairs_.push_back(pair);
    return id;
  }
  Pair operator[](State id) const { return pairs_[id]; }
  std::size_t size() const { return pairs_.size(); }

private:
  static std::uint64_t hash_of(Pair pair) {
    return mix((std::uint64_t{pair.first} << 32) | pair.second);
  }

  IdTable table_;
  std::vector<Pair> pairs_;
};

void should_fit(const Dfa& a, const Dfa& b) {
  should(a.letters() == b.letters(), "the automata should have the same letters");
  should(a.entries().size() == b.entries().size(), "the automata should have the same entries");
}

Colour colour_of(const Dfa& dfa, State q) { return q == no_state ? 0 : dfa.colour(q); }
State next_of(const Dfa& dfa, State q, Letter a) {
  return q == no_state ? no_state : dfa.next(q, a);
}

// The reachable product. absent(pair) says which pairs count as missing, colour
// gives the colour of the others.
template <class Absent, class ColourOf>
Dfa product(const Dfa& a, const Dfa& b, Absent absent, ColourOf colour) {
  should_fit(a, b);
  Dfa result(a.letters());
  Pairs pairs;
  auto state_of = [&](Pair pair) {
    if (absent(pair)) return no_state;
    State id = pairs.number(pair);
    if (id == result.states())
      result.add_state(colour(colour_of(a, pair.first), colour_of(b, pair.second)));
    return id;
  };
  for (std::size_t i = 0; i < a.entries().size(); ++i)
    result.add_entry(state_of({a.entries()[i], b.entries()[i]}));
  for (State from = 0; from < result.states(); ++from)
    for (Letter letter = 0; letter < a.letters(); ++letter) {
      const Pair pair = pairs[from];
      State to = state_of({next_of(a, pair.first, letter), next_of(b, pair.second, letter)});
      result.set_next(from, letter, to);
    }
  return result;
}

// Breadth-first search for the least word to a pair of colours that `differ`.
//
// Words are met in the order (length, letters, entry). For that the queue is
// made of groups: the pairs that one and the same word leads to, in the order of
// entries. A group is extended letter by letter, and only then pair by pair. A
// pair met a second time is dropped; all that follows from it is no less than
// what followed from the first meeting.
template <class Differ>
std::optional<Difference> search(const Dfa& a, const Dfa& b, Differ differ) {
  should_fit(a, b);
  struct Step {
    State parent;
    std::uint32_t letter; // of a root: the entry
  };
  Pairs pairs;
  std::vector<Step> steps;         // by number of pair
  std::vector<State> group_end{0}; // ends of the groups, by number of pair

  auto word_to = [&](State id) {
    const Pair pair = pairs[id];
    const Colour first = colour_of(a, pair.first), second = colour_of(b, pair.second);
    Difference found{{}, first != 0, 0, first, second};
    for (; steps[id].parent != no_state; id = steps[id].parent)
      found.word.push_back(steps[id].letter);
    std::reverse(found.word.begin(), found.word.end());
    found.entry = steps[id].letter;
    return found;
  };
  // Whether the pair, met by this step, is the one to be found.
  auto meet = [&](Pair pair, Step step) {
    if (pair == Pair{no_state, no_state}) return false;
    State id = pairs.number(pair);
    if (id < steps.size()) return false;
    steps.push_back(step);
    return differ(colour_of(a, pair.first), colour_of(b, pair.second));
  };
  auto last = [&] { return static_cast<State>(pairs.size() - 1); };
  auto end_group = [&] {
    if (group_end.back() != pairs.size()) group_end.push_back(static_cast<State>(pairs.size()));
  };

  for (std::size_t i = 0; i < a.entries().size(); ++i)
    if (meet({a.entries()[i], b.entries()[i]}, {no_state, static_cast<std::uint32_t>(i)}))
      return word_to(last());
  end_group();

  for (std::size_t group = 1; group < group_end.size(); ++group) {
    const State begin = group_end[group - 1], end = group_end[group];
    for (Letter letter = 0; letter < a.letters(); ++letter) {
      for (State id = begin; id < end; ++id) {
        const Pair pair = pairs[id];
        if (meet({next_of(a, pair.first, letter), next_of(b, pair.second, letter)}, {id, letter}))
          return word_to(last());
      }
      end_group();
    }
  }
  return std::nullopt;
}

} // namespace

Dfa intersect(const Dfa& a, const Dfa& b) {
  return product(
      a, b, [](Pair pair) { return pair.first == no_state || pair.second == no_state; },
      [](Colour first, Colour second) { return second == 0 ? 0 : first; });
}

Dfa unite(const Dfa& a, const Dfa& b) {
  return product(
      a, b, [](Pair pair) { return pair.first == no_state && pair.second == no_state; },
      [](Colour first, Colour second) { return first != 0 ? first : second; });
}

Dfa complete(const Dfa& dfa) {
  Dfa result = dfa;
  const State old_states = static_cast<State>(dfa.states());
  State sink = no_state;
  auto get_sink = [&] {
    if (sink == no_state) {
      sink = result.add_state(0);
      for (Letter a = 0; a < result.letters(); ++a) result.set_next(sink, a, sink);
    }
    return sink;
  };
  for (State q = 0; q < old_states; ++q)
    for (Letter a = 0; a < dfa.letters(); ++a)
      if (dfa.next(q, a) == no_state) {
        State to = get_sink();
        result.set_next(q, a, to);
      }
  for (std::size_t i = 0; i < dfa.entries().size(); ++i)
    if (dfa.entries()[i] == no_state) result.set_entry(i, get_sink());
  return result;
}

Dfa complement(const Dfa& dfa) {
  Dfa result = complete(dfa);
  for (State q = 0; q < result.states(); ++q) result.set_colour(q, result.colour(q) == 0 ? 1 : 0);
  return result;
}

Renumbered trim(const Dfa& dfa) {
  std::vector<bool> keep(dfa.states(), false);
  std::vector<State> worklist;
  auto reach = [&](State q) {
    if (q == no_state || keep[q]) return;
    keep[q] = true;
    worklist.push_back(q);
  };
  for (State q : dfa.entries()) reach(q);
  while (!worklist.empty()) {
    State q = worklist.back();
    worklist.pop_back();
    for (State to : dfa.row(q)) reach(to);
  }
  return restrict_to(dfa, keep);
}

Renumbered trim_coreachable(const Dfa& dfa) {
  std::vector<bool> keep(dfa.states(), false);
  std::vector<State> worklist;
  auto reach = [&](State q) {
    if (keep[q]) return;
    keep[q] = true;
    worklist.push_back(q);
  };
  const Predecessors predecessors(dfa);
  for (State q = 0; q < dfa.states(); ++q)
    if (dfa.accepting(q)) reach(q);
  while (!worklist.empty()) {
    State q = worklist.back();
    worklist.pop_back();
    for (State from : predecessors.of(q)) reach(from);
  }
  return restrict_to(dfa, keep);
}

std::optional<Difference> difference(const Dfa& a, const Dfa& b) {
  return search(a, b, [](Colour first, Colour second) { return (first != 0) != (second != 0); });
}

std::optional<Difference> included(const Dfa& a, const Dfa& b) {
  return search(a, b, [](Colour first, Colour second) { return first != 0 && second == 0; });
}

std::optional<Difference> difference_by_colour(const Dfa& a, const Dfa& b) {
  return search(a, b, [](Colour first, Colour second) { return first != second; });
}

} // namespace tacit
