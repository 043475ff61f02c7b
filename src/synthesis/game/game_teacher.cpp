#include "synthesis/game/game_teacher.h"

#include <algorithm>
#include <set>

namespace tacit {

void GameCounts::add(const GameCounts& more) {
  membership += more.membership;
  subset += more.subset;
  superset += more.superset;
  one_step += more.one_step;
  one_step_found += more.one_step_found;
  exact += more.exact;
  exact_found += more.exact_found;
  beliefs = std::max(beliefs, more.beliefs);
}

std::string word_text(const Component& component, const Word& word) {
  std::string text;
  for (Letter l : word) {
    const Call& call = component.calls()[component.letter(l).call];
    text += (text.empty() ? "" : " ") +
            (call.outcomes.size() == 1 ? call.name : component.letter_name(l));
  }
  return text.empty() ? "nothing" : text;
}

Answer GameTeacher::member(const Word& word) {
  ++counts_.membership;
  return words_.ask(word);
}

/// Backwards from a part of a layer.
Word GameTeacher::word_into(const Hypothesis& hypothesis, std::size_t depth, State state,
                            Region part) {
  Word word;
  for (; depth > 0; --depth) {
    bool found = false;
    for (State p = 0; p < hypothesis.states() && !found; ++p) {
      const Region before = layers_[depth - 1].fresh[p];
      if (before == empty_region) continue;
      for (Letter l = 0; l < component_.letters() && !found; ++l) {
        if (hypothesis.target(p, l) != state) continue;
        const Region able = oracle_.able(before, l, part);
        if (able == empty_region) continue;
        word.push_back(l);
        part = able;
        state = p;
        found = true;
      }
    }
  }
  std::ranges::reverse(word);
  return word;
}

std::optional<Word> GameTeacher::subset(const Hypothesis& hypothesis) {
  ++counts_.subset;
  const std::size_t n = hypothesis.states();
  std::vector<Region> known(n, empty_region);
  layers_.assign(1, Layer{std::vector<Region>(n, empty_region)});
  layers_[0].fresh[hypothesis.entry] = start_;
  for (std::size_t depth = 0; depth < layers_.size(); ++depth) {
    std::vector<std::vector<Region>> next(n);
    for (State q = 0; q < n; ++q) {
      const Region fresh = layers_[depth].fresh[q];
      if (fresh == empty_region) continue;
      budget_.count_steps(64);
      if (budget_.exhausted_now() || oracle_.failure()) return std::nullopt;
      known[q] = oracle_.unite({known[q], fresh});
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        const Letter first = first_letter(c);
        if (hypothesis.target(q, first) == illegal_sink) continue;
        auto found = [&](Region part, Letter letter) {
          Word word = word_into(hypothesis, depth, q, part);
          word.push_back(letter);
          return word;
        };
        if (const Region erring = oracle_.erring(fresh, c); erring != empty_region)
          return found(erring, first);
        for (Letter l = first; l < first + component_.calls()[c].outcomes.size(); ++l) {
          const State target = hypothesis.target(q, l);
          if (live(target)) {
            if (const Region after = oracle_.post(fresh, l); after != empty_region)
              next[target].push_back(after);
          } else if (const Region able = oracle_.able(fresh, l, std::nullopt);
                     able != empty_region) {
            return found(able, l);
          }
        }
      }
    }
    Layer layer{std::vector<Region>(n, empty_region)};
    bool any = false;
    for (State q = 0; q < n; ++q) {
      if (next[q].empty()) continue;
      layer.fresh[q] = oracle_.minus(oracle_.unite(next[q]), known[q]);
      any = any || layer.fresh[q] != empty_region;
    }
    if (any) layers_.push_back(std::move(layer));
  }
  return std::nullopt;
}

std::optional<Word> GameTeacher::superset(const Hypothesis& hypothesis) {
  ++counts_.superset;
  for (std::size_t depth = 0; depth < layers_.size(); ++depth)
    for (State q = 0; q < hypothesis.states(); ++q) {
      const Region fresh = layers_[depth].fresh[q];
      if (fresh == empty_region) continue;
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (hypothesis.target(q, first_letter(c)) != illegal_sink) continue;
        const Region safe = oracle_.minus(fresh, oracle_.erring(fresh, c));
        if (safe == empty_region) continue;
        Word word = word_into(hypothesis, depth, q, safe);
        word.push_back(first_letter(c));
        return word;
      }
    }
  return std::nullopt;
}

std::optional<Word> GameTeacher::one_step_further(const Hypothesis& hypothesis) {
  ++counts_.one_step;
  for (State q = 0; q < hypothesis.states(); ++q)
    for (Letter l = 0; l < component_.letters(); ++l) {
      const State target = hypothesis.target(q, l);
      if (!live(target)) continue;
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (hypothesis.target(target, first_letter(c)) != illegal_sink) continue;
        if (budget_.exhausted_now()) return std::nullopt;
        Word word = hypothesis.access[q];
        word.push_back(l);
        word.push_back(first_letter(c));
        if (member(word) == Answer::Illegal || hypothesis.classify(word) != Answer::Illegal)
          continue;
        ++counts_.one_step_found;
        return word;
      }
    }
  return std::nullopt;
}

std::optional<std::optional<Word>> GameTeacher::exactly(const Hypothesis& hypothesis) {
  struct Pair {
    Region belief;
    State state;
    std::size_t parent;
    Letter letter;
  };
  ++counts_.exact;
  std::vector<Pair> pairs{{start_, hypothesis.entry, 0, 0}};
  std::set<std::pair<Region, State>> seen{{start_, hypothesis.entry}};
  auto word_to = [&](std::size_t index, Letter last) {
    Word word{last};
    for (std::size_t i = index; i != 0; i = pairs[i].parent) word.push_back(pairs[i].letter);
    std::ranges::reverse(word);
    return word;
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    budget_.count_steps();
    counts_.beliefs = std::max(counts_.beliefs, pairs.size());
    if (pairs.size() > rules_.most_beliefs || budget_.exhausted_now() || oracle_.failure())
      return std::nullopt;
    const Pair at = pairs[i];
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      const Letter first = first_letter(c);
      if (hypothesis.target(at.state, first) == illegal_sink) {
        if (words_.errs(at.belief, c)) continue;
        ++counts_.exact_found;
        return std::optional(word_to(i, first));
      }
      for (Letter l = first; l < first + component_.calls()[c].outcomes.size(); ++l) {
        const State target = hypothesis.target(at.state, l);
        if (!live(target)) continue;
        const Region after = words_.post(at.belief, l);
        if (after != empty_region && seen.insert({after, target}).second)
          pairs.push_back({after, target, i, l});
      }
    }
  }
  return std::optional<Word>();
}

std::optional<Word> GameTeacher::counterexample(const Hypothesis& hypothesis) {
  if (!live(hypothesis.entry)) return Word{};
  story_.tell("conjecture with {} states", hypothesis.states());
  if (auto word = subset(hypothesis)) {
    story_.tell("  Subset: no, after '{}'", word_text(component_, *word));
    return word;
  }
  story_.tell("  Subset: yes, it is safe");
  for (const Word& word : rules_.wanted)
    if (hypothesis.classify(word) == Answer::Illegal && member(word) != Answer::Illegal) {
      story_.tell("  wanted: '{}' is legal, and was refused", word_text(component_, word));
      return word;
    }
  disputed_ = superset(hypothesis);
  if (budget_.exhausted_now()) return std::nullopt;
  if (!disputed_) {
    story_.tell("  Superset: yes, every refused call errs in every state");
    end_ = GameEnd::Superset;
    return std::nullopt;
  }
  if (member(*disputed_) != Answer::Illegal) {
    story_.tell("  Superset: no, '{}' is legal", word_text(component_, *disputed_));
    return disputed_;
  }
  story_.tell("  Superset: not decided; a run along '{}' does not err, but another one does",
              word_text(component_, *disputed_));
  if (rules_.one_step_further) {
    if (auto word = one_step_further(hypothesis)) {
      story_.tell("  OneStepFurther: '{}' is legal", word_text(component_, *word));
      return word;
    }
    story_.tell("  OneStepFurther: finds nothing");
  }
  end_ = GameEnd::Open;
  if (!rules_.exact) return std::nullopt;
  const auto settled = exactly(hypothesis);
  if (!settled) {
    story_.tell("  exact game: more than {} beliefs, given up", rules_.most_beliefs);
    return std::nullopt;
  }
  if (*settled) {
    story_.tell("  exact game: '{}' is legal", word_text(component_, **settled));
    return *settled;
  }
  story_.tell("  exact game: most permissive, after {} beliefs", counts_.beliefs);
  end_ = GameEnd::Exact;
  return std::nullopt;
}

} // namespace tacit
