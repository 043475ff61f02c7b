#include "automata/minimise.h"

#include <algorithm>
#include <map>
#include <utility>

#include "automata/operations.h"
#include "automata/refinable_partition.h"
#include "base/should.h"

namespace tacit {

namespace {

// The automaton of classes. `reachable` is the trimmed automaton, class_of[q]
// says, in any numbering below `classes`, which of its states are to be merged.
Minimised quotient(const Renumbered& reachable, const std::vector<State>& class_of,
                   std::size_t classes) {
  const Dfa& dfa = reachable.dfa;
  Minimised result{Dfa(dfa.letters()), std::vector<State>(reachable.new_id.size(), no_state)};
  result.dfa.reserve(classes);

  // Number the classes by their least member.
  std::vector<State> number(classes, no_state);
  std::vector<State> least;
  for (State q = 0; q < dfa.states(); ++q)
    if (number[class_of[q]] == no_state) {
      number[class_of[q]] = result.dfa.add_state(dfa.colour(q));
      least.push_back(q);
    }
  auto image = [&](State q) { return q == no_state ? no_state : number[class_of[q]]; };

  for (State c = 0; c < least.size(); ++c)
    for (Letter a = 0; a < dfa.letters(); ++a)
      result.dfa.set_next(c, a, image(dfa.next(least[c], a)));
  for (State q : dfa.entries()) result.dfa.add_entry(image(q));
  for (std::size_t old = 0; old < reachable.new_id.size(); ++old)
    result.class_of[old] = image(reachable.new_id[old]);
  return result;
}

// The colours in use, ascending; the rank of a colour is its index here.
std::vector<Colour> colours_of(const Dfa& dfa) {
  std::vector<Colour> colours;
  for (State q = 0; q < dfa.states(); ++q)
    if (colours.empty() || colours.back() != dfa.colour(q)) colours.push_back(dfa.colour(q));
  std::sort(colours.begin(), colours.end());
  colours.erase(std::unique(colours.begin(), colours.end()), colours.end());
  return colours;
}

// The existing transitions, numbered by source, then by letter.
struct Transitions {
  explicit Transitions(const Dfa& dfa) : into_first(dfa.states() + 1, 0) {
    for (State q = 0; q < dfa.states(); ++q)
      for (State to : dfa.row(q))
        if (to != no_state) ++into_first[to];
    std::size_t total = 0;
    for (std::uint32_t& offset : into_first) {
      total += offset;
      should(total < UINT32_MAX, "an automaton should have less than 2^32 transitions");
      offset = static_cast<std::uint32_t>(total);
    }
    source.reserve(total);
    into.resize(total);
    for (State q = 0; q < dfa.states(); ++q)
      for (State to : dfa.row(q)) {
        if (to == no_state) continue;
        into[--into_first[to]] = static_cast<std::uint32_t>(source.size());
        source.push_back(q);
      }
  }

  std::vector<State> source;
  // The transitions into q are into[into_first[q]] … into[into_first[q+1] - 1].
  std::vector<std::uint32_t> into_first;
  std::vector<std::uint32_t> into;
};

} // namespace

Minimised minimise(const Dfa& dfa) { return minimise_hopcroft(dfa); }

Minimised minimise_hopcroft(const Dfa& dfa) {
  const Renumbered reachable = trim(dfa);
  const Dfa& part = reachable.dfa;

  // Blocks are sets of states; cords are sets of transitions with one letter
  // and into one block. Blocks and cords split each other until stable: a cord
  // splits a block into the states that have a transition in it and the others,
  // a block splits a cord by target. Each set is used once after it has got its
  // final number; the larger half of a set that splits later keeps the old
  // number and need not be used again, because the new half does its work.
  const std::vector<Colour> colours = colours_of(part);
  RefinablePartition blocks(part.states(), colours.size(), [&](State q) {
    return std::lower_bound(colours.begin(), colours.end(), part.colour(q)) - colours.begin();
  });

  const Transitions transitions(part);
  RefinablePartition cords = [&] {
    std::vector<Letter> letter;
    letter.reserve(transitions.source.size());
    for (State q = 0; q < part.states(); ++q)
      for (Letter a = 0; a < part.letters(); ++a)
        if (part.next(q, a) != no_state) letter.push_back(a);
    return RefinablePartition(letter.size(), part.letters(), [&](auto t) { return letter[t]; });
  }();

  // All cords are used, the initial ones included: that is what tells a missing
  // successor apart from any existing one. The first block need not be, being
  // what the other initial blocks leave over.
  std::size_t block = 1;
  for (std::size_t cord = 0; cord < cords.sets(); ++cord) {
    for (auto t : cords.members(static_cast<State>(cord))) blocks.mark(transitions.source[t]);
    blocks.split();
    for (; block < blocks.sets(); ++block) {
      for (State q : blocks.members(static_cast<State>(block)))
        for (auto i = transitions.into_first[q]; i < transitions.into_first[q + 1]; ++i)
          cords.mark(transitions.into[i]);
      cords.split();
    }
  }

  std::vector<State> class_of(part.states());
  for (State q = 0; q < part.states(); ++q) class_of[q] = blocks.set_of(q);
  return quotient(reachable, class_of, blocks.sets());
}

Minimised minimise_moore(const Dfa& dfa) {
  const Renumbered reachable = trim(dfa);
  const Dfa& part = reachable.dfa;

  std::vector<State> class_of(part.states());
  std::size_t classes = 0;
  auto refine = [&](auto signature) {
    std::map<std::vector<State>, State> numbers;
    std::vector<State> refined(part.states());
    for (State q = 0; q < part.states(); ++q)
      refined[q] = numbers.emplace(signature(q), static_cast<State>(numbers.size())).first->second;
    class_of = std::move(refined);
    return std::exchange(classes, numbers.size()) != numbers.size();
  };

  refine([&](State q) { return std::vector<State>{part.colour(q)}; });
  auto by_successors = [&](State q) {
    std::vector<State> signature{class_of[q]};
    for (State to : part.row(q)) signature.push_back(to == no_state ? no_state : class_of[to]);
    return signature;
  };
  while (refine(by_successors)) {
  }
  return quotient(reachable, class_of, classes);
}

} // namespace tacit
