// What the tests of this layer share: automata from text, random automata from
// seeds, and enumeration of all short words.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "automata/dfa.h"
#include "automata/text.h"

namespace tacit::test {

/// Throws if the text is no automaton.
inline std::pair<Alphabet, Dfa> read(std::string_view text) {
  auto result = read_text(text, "test");
  if (!result) throw std::runtime_error(to_string(result.error()));
  return std::move(*result);
}
inline Dfa dfa(std::string_view text) { return read(text).second; }

/// Small automata of every odd shape, each with two letters, a and b, and one entry.
struct Example {
  std::string_view name;
  std::string_view text;
};
inline constexpr Example catalogue[] = {
    {"empty", "letters: a b\nentries: -"},
    {"everything", "letters: a b\nentries: p\np: a>p b>p"},
    {"only epsilon", "letters: a b\nentries: p\np:"},
    {"explicit rejection", "letters: a b\nentries: p\np [0]: a>p b>p"},
    {"alternation", "letters: a b\nentries: p\np: a>q\nq: b>p"},
    {"even a", "letters: a b\nentries: p\np: a>q b>p\nq [0]: a>p b>q"},
    {"ends with ab", "letters: a b\nentries: p\np [0]: a>q b>p\nq [0]: a>q b>r\nr: a>q b>p"},
    {"counter to three",
     "letters: a b\nentries: c0\nc0: a>c1\nc1: a>c2 b>c0\nc2: a>c3 b>c1\nc3: b>c2"},
    {"twins that merge",
     "letters: a b\nentries: p\np: a>q b>r\nq: a>s b>q\nr: a>s b>r\ns [2]: a>s"},
    {"unreachable part", "letters: a b\nentries: q\np: a>q\nq: b>q\nr: a>r b>p"},
    {"rejecting trap", "letters: a b\nentries: p\np: a>p b>t\nt [0]: a>t b>t"},
    {"colours", "letters: a b\nentries: p\np: a>q b>r\nq [2]: a>p\nr [3]: a>p b>r"},
};

class Random {
public:
  explicit Random(std::uint32_t seed) : engine_(seed) {}
  /// A number below the bound. Not std::uniform_int_distribution, which differs by library.
  std::uint32_t below(std::size_t bound) { return static_cast<std::uint32_t>(engine_() % bound); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  template <class T> void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

private:
  std::mt19937 engine_;
};

struct Shape {
  std::size_t states = 6;
  std::size_t letters = 2;
  std::size_t colours = 2;
  std::size_t entries = 1;
  std::size_t missing_one_in = 4;
};

inline Dfa random_dfa(Random& random, Shape shape = {}) {
  Dfa dfa(shape.letters);
  for (std::size_t i = 0; i < shape.states; ++i) dfa.add_state(random.below(shape.colours));
  for (State q = 0; q < shape.states; ++q)
    for (Letter a = 0; a < shape.letters; ++a)
      if (!random.one_in(shape.missing_one_in)) dfa.set_next(q, a, random.below(shape.states));
  for (std::size_t i = 0; i < shape.entries; ++i)
    dfa.add_entry(random.one_in(8) ? no_state : random.below(shape.states));
  return dfa;
}

/// Two copies of each state with transitions into either copy: there is much to merge.
inline Dfa doubled(Random& random, const Dfa& dfa) {
  const State n = static_cast<State>(dfa.states());
  Dfa result(dfa.letters());
  for (State q = 0; q < 2 * n; ++q) result.add_state(dfa.colour(q % n));
  for (State q = 0; q < 2 * n; ++q)
    for (Letter a = 0; a < dfa.letters(); ++a)
      if (State to = dfa.next(q % n, a); to != no_state)
        result.set_next(q, a, to + n * random.below(2));
  for (State q : dfa.entries()) result.add_entry(q == no_state ? q : q + n * random.below(2));
  return result;
}

/// The same automaton with its states renumbered at random.
inline Dfa shuffled(Random& random, const Dfa& dfa) {
  std::vector<State> to_new(dfa.states());
  std::iota(to_new.begin(), to_new.end(), State{0});
  random.shuffle(to_new);
  Dfa result(dfa.letters());
  for (State q = 0; q < dfa.states(); ++q) result.add_state();
  auto image = [&](State q) { return q == no_state ? q : to_new[q]; };
  for (State q = 0; q < dfa.states(); ++q) {
    result.set_colour(to_new[q], dfa.colour(q));
    for (Letter a = 0; a < dfa.letters(); ++a) result.set_next(to_new[q], a, image(dfa.next(q, a)));
  }
  for (State q : dfa.entries()) result.add_entry(image(q));
  return result;
}

/// All words up to this length, by length, then lexicographically.
inline std::vector<Word> words_up_to(std::size_t length, std::size_t letters) {
  std::vector<Word> words{{}};
  for (std::size_t i = 0; i < words.size() && words[i].size() < length; ++i)
    for (Letter a = 0; a < letters; ++a) {
      Word longer = words[i];
      longer.push_back(a);
      words.push_back(std::move(longer));
    }
  return words;
}

/// The colour of the state that a word leads to from an entry, 0 if there is none.
inline Colour colour_of(const Dfa& dfa, std::size_t entry, const Word& word) {
  const State state = dfa.run(dfa.entries()[entry], word);
  return state == no_state ? 0 : dfa.colour(state);
}

} // namespace tacit::test
