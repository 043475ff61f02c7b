#include "unit/learning/teacher.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "automata/canonical.h"
#include "automata/minimise.h"
#include "automata/operations.h"
#include "automata/text.h"

namespace tacit::test {

namespace {

// A Dfa as to_dfa_with_sinks() writes it, or with missing edges for Illegal.
Hypothesis from_dfa(const Dfa& dfa) {
  Hypothesis result;
  result.letters = dfa.letters();
  std::vector<State> number(dfa.states(), illegal_sink);
  for (State q = 0; q < dfa.states(); ++q) {
    if (dfa.colour(q) == 1) number[q] = result.add_state({});
    if (dfa.colour(q) == 2) number[q] = cannot_happen_sink;
  }
  const auto target = [&](State q) { return q == no_state ? illegal_sink : number[q]; };
  for (State q = 0; q < dfa.states(); ++q)
    if (live(number[q]))
      for (Letter a = 0; a < dfa.letters(); ++a)
        result.set_target(number[q], a, target(dfa.next(q, a)));
  result.entry = target(dfa.entries()[0]);
  return canonical(result);
}

} // namespace

Hypothesis language(const Dfa& dfa) { return from_dfa(dfa); }

Hypothesis language(std::string_view text) {
  const auto read = read_text(text, "test");
  if (!read) throw std::invalid_argument(to_string(read.error()));
  return from_dfa(read->second);
}

Hypothesis minimal(const Hypothesis& language) {
  return from_dfa(minimise(canonical(language.to_dfa_with_sinks()).dfa).dfa);
}

Hypothesis sparse_language(std::uint32_t seed) {
  Dice dice(seed);
  for (;;) {
    const std::uint32_t states = dice.between(10, 200);
    const std::uint32_t letters = dice.between(5, 40);
    const double degree = dice.between(12, 30) / 10.0;
    Dfa dfa(letters);
    for (State q = 0; q < states; ++q) dfa.add_state();
    dfa.add_entry(0);
    for (State q = 1; q < states; ++q) {
      const State from = dice.between(q > 10 ? q - 10 : 0, q - 1);
      dfa.set_next(from, dice.between(0, letters - 1), q);
    }
    const auto extra = static_cast<std::uint32_t>(states * (degree - 1));
    for (std::uint32_t i = 0; i < extra; ++i) {
      const State from = dice.between(0, states - 1);
      const Letter letter = dice.between(0, letters - 1);
      if (dfa.next(from, letter) != no_state) continue;
      dfa.set_next(from, letter, dice.chance(0.3) ? from : dice.between(0, states - 1));
    }
    Hypothesis result = minimal(language(dfa));
    if (result.states() >= 10) return result;
  }
}

Hypothesis field_language(std::uint32_t seed) {
  struct Method {
    std::vector<std::pair<std::size_t, std::uint32_t>> tests, assignments;
  };
  Dice dice(seed);
  for (;;) {
    std::vector<std::uint32_t> domains(dice.between(3, 6));
    for (auto& domain : domains) domain = dice.between(2, 4);
    const auto pick = [&] {
      const std::size_t field = dice.between(0, static_cast<std::uint32_t>(domains.size() - 1));
      return std::pair(field, dice.between(0, domains[field] - 1));
    };
    std::vector<Method> methods(dice.between(5, 40));
    for (Method& method : methods) {
      for (auto i = dice.between(1, 2); i > 0; --i) method.tests.push_back(pick());
      for (auto i = dice.between(0, 2); i > 0; --i) method.assignments.push_back(pick());
    }
    Dfa dfa(methods.size());
    std::map<std::vector<std::uint32_t>, State> number;
    std::vector<std::vector<std::uint32_t>> found;
    const auto state_of = [&](const std::vector<std::uint32_t>& fields) {
      const auto [at, added] = number.try_emplace(fields, no_state);
      if (added) {
        at->second = dfa.add_state();
        found.push_back(fields);
      }
      return at->second;
    };
    dfa.add_entry(state_of(std::vector<std::uint32_t>(domains.size(), 0)));
    for (State q = 0; q < found.size(); ++q)
      for (Letter a = 0; a < methods.size(); ++a) {
        auto fields = found[q];
        const bool errs = std::ranges::any_of(
            methods[a].tests, [&](const auto& test) { return fields[test.first] == test.second; });
        if (errs) continue;
        for (const auto& [field, value] : methods[a].assignments) fields[field] = value;
        dfa.set_next(q, a, state_of(fields));
      }
    Hypothesis result = minimal(language(dfa));
    if (result.states() >= 10 && result.states() <= 200) return result;
  }
}

Hypothesis grouped_language(std::uint32_t seed, LetterGroups& groups) {
  Dice dice(seed);
  groups.clear();
  const std::uint32_t calls = dice.between(2, 12);
  for (std::uint32_t call = 0; call < calls; ++call)
    groups.insert(groups.end(), dice.between(1, 3), call);
  // Letters of a call need not be neighbours.
  for (std::size_t i = groups.size(); i > 1; --i)
    std::swap(groups[i - 1], groups[dice.between(0, static_cast<std::uint32_t>(i - 1))]);

  Hypothesis result;
  result.letters = groups.size();
  result.entry = 0;
  const std::uint32_t states = dice.between(1, 60);
  for (State q = 0; q < states; ++q) result.add_state({});
  for (State q = 0; q < states; ++q) {
    std::vector<bool> errs(calls);
    for (std::uint32_t call = 0; call < calls; ++call) errs[call] = dice.chance(0.6);
    for (Letter a = 0; a < groups.size(); ++a) {
      if (errs[groups[a]]) continue;
      result.set_target(q, a, dice.chance(0.3) ? cannot_happen_sink : dice.between(0, states - 1));
    }
  }
  return minimal(result);
}

Answer CheckingOracle::ask(const Word& word) {
  asked_.push_back(word);
  EXPECT_FALSE(answers_.contains(word)) << "the answer was known";
  Word prefix;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const auto known = answers_.find(prefix);
    EXPECT_TRUE(known == answers_.end() || known->second == Answer::Legal)
        << "a prefix of the question is known to lead to a sink";
    for (Letter a = 0; a < groups_.size(); ++a) {
      if (groups_[a] != groups_[word[i]]) continue;
      Word sibling = prefix;
      sibling.push_back(a);
      const auto other = answers_.find(sibling);
      EXPECT_TRUE(other == answers_.end() || other->second != Answer::Illegal)
          << "another letter of the same call is known to be illegal";
    }
    prefix.push_back(word[i]);
  }
  const Answer answer = inside_.ask(word);
  answers_[word] = answer;
  if (answer == Answer::Legal)
    for (Word shorter = word; !shorter.empty();) {
      shorter.pop_back();
      answers_[shorter] = answer;
    }
  return answer;
}

std::optional<Word> ExactTeacher::long_walk(const Hypothesis& hypothesis) {
  State left = language_.entry;
  State right = hypothesis.entry;
  const auto answers_differ = [&](Letter a) {
    return answer_of(language_.target(left, a)) != answer_of(hypothesis.target(right, a));
  };
  Word word;
  for (std::size_t i = 0; i < 400 && live(left) && live(right); ++i) {
    std::vector<Letter> differ, both_live;
    for (Letter a = 0; a < language_.letters; ++a) {
      if (answers_differ(a)) differ.push_back(a);
      if (live(language_.target(left, a)) && live(hypothesis.target(right, a)))
        both_live.push_back(a);
    }
    const auto any = [&](const std::vector<Letter>& letters) {
      return letters[dice_.between(0, static_cast<std::uint32_t>(letters.size() - 1))];
    };
    if (!differ.empty() && (i > 200 || both_live.empty())) {
      word.push_back(any(differ));
      return word;
    }
    if (both_live.empty()) break;
    word.push_back(any(both_live));
    left = language_.target(left, word.back());
    right = hypothesis.target(right, word.back());
  }
  return std::nullopt;
}

std::optional<Word> ExactTeacher::counterexample(const Hypothesis& hypothesis) {
  const auto is_one = [&](const Word& word) {
    return language_.classify(word) != hypothesis.classify(word);
  };
  if (kind_ == Counterexamples::Repeated && is_one(last_)) return last_;
  const auto difference = difference_by_colour(dfa_, hypothesis.to_dfa_with_sinks());
  if (!difference) return std::nullopt;
  last_ = difference->word;
  if (kind_ == Counterexamples::Shortest) return last_;
  for (int attempt = 0; attempt < 10; ++attempt)
    if (auto longer = long_walk(hypothesis); longer && longer->size() > last_.size())
      last_ = std::move(*longer);
  Word with_tail = last_;
  for (int i = 0; i < 20; ++i)
    with_tail.push_back(dice_.between(0, static_cast<std::uint32_t>(language_.letters - 1)));
  if (is_one(with_tail)) last_ = std::move(with_tail);
  return last_;
}

Hypothesis nasa_cev() {
  // The Crew Exploration Vehicle of the literature with explicit completion.
  return language(R"(
letters: srbIgnition stage1Separation lasJettison stage2Separation completion lsamRendezvous
letters: tliBurn deorbit enterOrbitOps edsSeparation loiBurn lsamSeparation teiBurn
letters: lsamAscentBurn lsamAscentRendezvous smSeparation failure_le5 failure_gt5 abort_lo_c
letters: abort_lo_n abort_hi_c abort_hi_n eiBurn_0_0 eiBurn_0_1 eiBurn_1_0 eiBurn_1_1
entries: q0
q0: srbIgnition>q1 failure_le5>q2 failure_gt5>q2
q1: stage1Separation>q3 abort_lo_c>q4 abort_lo_n>q4 abort_hi_c>q2 abort_hi_n>q5
q2: completion>q5
q3: lasJettison>q6 stage2Separation>q2 abort_lo_c>q2 abort_lo_n>q4 abort_hi_c>q2 abort_hi_n>q4
q4: completion>q7
q5:
q6: lasJettison>q6 stage2Separation>q8 abort_lo_c>q2 abort_lo_n>q4 abort_hi_c>q2 abort_hi_n>q4
q7: completion>q2
q8: completion>q9
q9: lsamRendezvous>q10
q10: lsamRendezvous>q10 tliBurn>q11
q11: edsSeparation>q12 loiBurn>q13
q12: edsSeparation>q12 loiBurn>q14
q13: completion>q15
q14: completion>q16
q15: lsamSeparation>q17
q16: lsamSeparation>q18
q17: completion>q19
q18: completion>q20
q19: lsamAscentBurn>q21
q20: lsamAscentBurn>q22
q21: lsamAscentRendezvous>q23
q22: lsamAscentRendezvous>q24
q23: completion>q25
q24: completion>q26
q25: lsamSeparation>q17 teiBurn>q27
q26: lsamSeparation>q18 teiBurn>q28
q27: smSeparation>q27
q28: smSeparation>q29
q29: smSeparation>q29 eiBurn_0_0>q30 eiBurn_0_1>q4 eiBurn_1_0>q4 eiBurn_1_1>q4
q30: completion>q4
)");
}

std::vector<Subject> catalogue() {
  std::vector<Subject> result;
  const auto add = [&](std::string name, std::string_view text) {
    result.push_back({std::move(name), minimal(language(text))});
  };
  add("nothing, not even the empty word", "letters: a b\nentries: -\n");
  add("the empty word cannot happen", "letters: a b\nentries: C\nC [2]: a>C b>C\n");
  add("only the empty word", "letters: a b\nentries: q0\nq0:\n");
  add("everything", "letters: a b\nentries: q0\nq0: a>q0 b>q0\n");
  add("no letters", "letters:\nentries: q0\nq0:\n");
  add("file", R"(
letters: open read close
entries: closed
closed: open>opened
opened: read>opened close>closed
)");
  add("iterator", R"(
letters: next.returns next.throws hasNext.true hasNext.false remove
entries: start
start: next.returns>taken next.throws>end hasNext.true>start hasNext.false>end
taken: next.returns>taken next.throws>takenEnd hasNext.true>taken hasNext.false>takenEnd remove>start
takenEnd: next.returns>C next.throws>takenEnd hasNext.true>C hasNext.false>takenEnd remove>end
end: next.returns>C next.throws>end hasNext.true>C hasNext.false>end
C [2]: next.returns>C next.throws>C hasNext.true>C hasNext.false>C remove>C
)");
  add("signature", R"(
letters: initSign initVerify update sign verify
entries: none
none: initSign>signing initVerify>verifying
signing: initSign>signing initVerify>verifying update>signing sign>signing
verifying: initSign>signing initVerify>verifying update>verifying verify>verifying
)");
  // No letter tells the states of the ring apart until it closes.
  Dfa chain(2);
  for (State q = 0; q < 25; ++q) chain.add_state();
  for (State q = 0; q < 24; ++q) chain.set_next(q, 0, q + 1);
  chain.set_next(24, 1, 0);
  chain.add_entry(0);
  result.push_back({"chain of 25", minimal(language(chain))});
  Dfa counter(3); // up, down, and test which is legal at 0 only; up to 12
  for (State q = 0; q <= 12; ++q) counter.add_state();
  for (State q = 0; q <= 12; ++q) {
    if (q < 12) counter.set_next(q, 0, q + 1);
    if (q > 0) counter.set_next(q, 1, q - 1);
  }
  counter.set_next(0, 2, 0);
  counter.add_entry(0);
  result.push_back({"counter to 12", minimal(language(counter))});
  result.push_back({"nasa_cev", nasa_cev()});
  return result;
}

} // namespace tacit::test
