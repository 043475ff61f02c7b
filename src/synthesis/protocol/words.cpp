#include "synthesis/protocol/words.h"

#include <algorithm>

#include "learning/hypothesis.h"

namespace tacit {
namespace {

std::uint64_t key(Region region, std::size_t index) {
  return (std::uint64_t{region} << 32) | index;
}

} // namespace

LetterGroups letter_groups(const Component& component) {
  LetterGroups groups;
  for (std::size_t l = 0; l < component.letters(); ++l)
    groups.push_back(static_cast<std::uint32_t>(component.letter(l).call));
  return groups;
}

State add_hypothesis(Protocol& protocol, const Hypothesis& hypothesis, const Component& component) {
  if (!live(hypothesis.entry)) return no_state;
  const auto base = static_cast<State>(protocol.dfa.states());
  for (State q = 0; q < hypothesis.states(); ++q) {
    std::vector<bool> allowed(component.calls().size());
    for (std::size_t c = 0; c < allowed.size(); ++c)
      allowed[c] =
          hypothesis.target(q, static_cast<Letter>(component.letter_of(c, 0))) != illegal_sink;
    protocol.add_state(allowed);
  }
  for (State q = 0; q < hypothesis.states(); ++q)
    for (Letter l = 0; l < component.letters(); ++l)
      if (const State to = hypothesis.target(q, l); live(to))
        protocol.dfa.set_next(base + q, l, base + to);
  return base + hypothesis.entry;
}

bool ComponentWords::errs(Region region, std::size_t call) {
  auto [at, fresh] = errs_.try_emplace(key(region, call), false);
  if (fresh) at->second = oracle_.errs(region, call);
  return at->second;
}

Region ComponentWords::post(Region region, std::size_t letter) {
  auto [at, fresh] = posts_.try_emplace(key(region, letter), empty_region);
  if (fresh) at->second = oracle_.post(region, letter);
  return at->second;
}

Answer ComponentWords::ask(const Word& word) {
  Region region = start_;
  for (Letter letter : word) {
    if (errs(region, oracle_.component().letter(letter).call)) return Answer::Illegal;
    region = post(region, letter);
    if (region == empty_region) return Answer::CannotHappen;
  }
  return Answer::Legal;
}

std::optional<Word> ProductEquivalence::counterexample(const Hypothesis& hypothesis) {
  if (!live(hypothesis.entry)) return Word{};
  if (oracle_.symbolic())
    if (auto settled = by_sets(hypothesis)) return *settled;
  return RegionEquivalence(oracle_, start_, budget_).counterexample(hypothesis);
}

namespace {

/// Pairs of regions and states. Nearly every region meets one state only, so that one is kept in a
/// table.
class PairSet {
public:
  /// False when the pair was there.
  bool add(Region region, State state) {
    auto& table = first_[region >> 31];
    const std::size_t at = region & 0x7fffffffu;
    if (table.size() <= at) table.resize(std::max(at + 1, table.size() * 2), no_state);
    if (table[at] == no_state) {
      table[at] = state;
      return true;
    }
    return table[at] != state && others_.try_emplace(key(region, state), true).second;
  }

private:
  std::vector<State> first_[2];
  std::unordered_map<std::uint64_t, bool> others_;
};

} // namespace

/// Breadth first over pairs of region and hypothesis state.
std::optional<Word> RegionEquivalence::counterexample(const Hypothesis& hypothesis) {
  const Component& component = oracle_.component();
  if (!live(hypothesis.entry)) return Word{};
  struct Pair {
    Region region;
    State state;
    std::uint32_t parent;
    Letter letter;
  };
  std::vector<Pair> pairs{{start_, hypothesis.entry, 0, 0}};
  PairSet seen;
  seen.add(start_, hypothesis.entry);
  auto word_to = [&](std::size_t index, Letter last) {
    Word word{last};
    for (std::size_t i = index; i != 0; i = pairs[i].parent) word.push_back(pairs[i].letter);
    std::ranges::reverse(word);
    return word;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    budget_.count_steps();
    if (budget_.exhausted() || oracle_.failure()) return std::nullopt;
    const Pair at = pairs[i];
    for (Letter letter = 0; letter < component.letters(); ++letter) {
      const State target = hypothesis.target(at.state, letter);
      const bool errs = oracle_.errs(at.region, component.letter(letter).call);
      const Region next = errs ? empty_region : oracle_.post(at.region, letter);
      const Answer truth = errs                   ? Answer::Illegal
                           : next == empty_region ? Answer::CannotHappen
                                                  : Answer::Legal;
      if (truth != answer_of(target)) return word_to(i, letter);
      if (truth == Answer::Legal && seen.add(next, target))
        pairs.push_back({next, target, static_cast<std::uint32_t>(i), letter});
    }
  }
  return std::nullopt;
}

/// Layers of new states per hypothesis state. A suspicion is a part of a layer whose states
/// contradict the hypothesis; it is real when the word into it does so for the component as a
/// whole.
std::optional<std::optional<Word>> ProductEquivalence::by_sets(const Hypothesis& hypothesis) {
  const std::size_t n = hypothesis.states();
  std::vector<Region> known(n, empty_region);
  std::vector<std::vector<Region>> layers(1, std::vector<Region>(n, empty_region));
  layers[0][hypothesis.entry] = start_;

  // The word that leads into `part` of layer `depth` at state q, backwards.
  auto word_into = [&](std::size_t depth, State q, Region part) {
    Word word;
    for (; depth > 0; --depth) {
      bool found = false;
      for (State p = 0; p < n && !found; ++p) {
        if (layers[depth - 1][p] == empty_region) continue;
        for (Letter l = 0; l < component_.letters() && !found; ++l) {
          if (hypothesis.target(p, l) != q) continue;
          const Region before = oracle_.able(layers[depth - 1][p], l, part);
          if (before == empty_region) continue;
          word.push_back(l);
          part = before;
          q = p;
          found = true;
        }
      }
    }
    std::ranges::reverse(word);
    return word;
  };

  bool ambiguous = false;
  for (std::size_t depth = 0; depth < layers.size(); ++depth) {
    std::vector<std::vector<Region>> next(n);
    for (State q = 0; q < n; ++q) {
      const Region fresh = layers[depth][q];
      if (fresh == empty_region) continue;
      budget_.count_steps(64); // a step on sets costs about as much as so many on states
      if (budget_.exhausted_now() || oracle_.failure()) return std::optional<Word>();
      known[q] = oracle_.unite({known[q], fresh});
      auto suspect = [&](Region part, Letter letter) -> std::optional<Word> {
        if (part == empty_region) return std::nullopt;
        Word word = word_into(depth, q, part);
        word.push_back(letter);
        if (words_.ask(word) != hypothesis.classify(word)) return word;
        ambiguous = true;
        return std::nullopt;
      };
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        const auto first = static_cast<Letter>(component_.letter_of(c, 0));
        const std::size_t outcomes = component_.calls()[c].outcomes.size();
        const Region erring = oracle_.erring(fresh, c);
        const bool refused = hypothesis.target(q, first) == illegal_sink;
        if (auto word = suspect(refused ? oracle_.minus(fresh, erring) : erring, first))
          return word;
        if (refused) continue;
        for (Letter l = first; l < first + outcomes; ++l) {
          const State target = hypothesis.target(q, l);
          const Region able = oracle_.able(fresh, l, std::nullopt);
          if (target == illegal_sink) {
            if (auto word = suspect(fresh, l)) return word;
          } else if (!live(target)) {
            if (auto word = suspect(able, l)) return word;
          } else {
            if (auto word = suspect(oracle_.minus(fresh, able), l)) return word;
            next[target].push_back(oracle_.post(fresh, l));
          }
        }
      }
    }
    std::vector<Region> layer(n, empty_region);
    bool any = false;
    for (State q = 0; q < n; ++q) {
      if (next[q].empty()) continue;
      layer[q] = oracle_.minus(oracle_.unite(next[q]), known[q]);
      any = any || layer[q] != empty_region;
    }
    if (any) layers.push_back(std::move(layer));
  }
  if (ambiguous) return std::nullopt;
  return std::optional<Word>();
}

} // namespace tacit
