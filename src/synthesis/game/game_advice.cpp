#include "synthesis/game/game_advice.h"

#include <algorithm>
#include <deque>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "synthesis/game/game_predicates.h"
#include "synthesis/game/game_teacher.h"

namespace tacit {
namespace {

constexpr std::size_t most_words = 400; // that a text may stand for; more is no example any more

} // namespace

Result<WantedWord> wanted_word(const Component& component, const std::string& text) {
  std::vector<Word> words{{}};
  std::vector<std::string> known;
  for (const Call& c : component.calls()) known.push_back(c.name);
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string letter = text.substr(at, end - at);
    at = end;
    auto call = component.find_call(letter);
    std::vector<std::size_t> outcomes;
    if (!call) {
      const auto colon = letter.rfind(':');
      call = component.find_call(letter.substr(0, colon));
      if (!call || colon == std::string::npos)
        return fail("--must-allow '{}': there is no call '{}'{}", text, letter,
                    suggestion(letter.substr(0, colon), known));
      const auto& all = component.calls()[*call].outcomes;
      const auto found = std::ranges::find(all, letter.substr(colon + 1));
      if (found == all.end())
        return fail("--must-allow '{}': '{}' has no outcome '{}'{}", text,
                    component.calls()[*call].name, letter.substr(colon + 1),
                    suggestion(letter.substr(colon + 1), all));
      outcomes.push_back(static_cast<std::size_t>(found - all.begin()));
    } else {
      for (std::size_t o = 0; o < component.calls()[*call].outcomes.size(); ++o)
        outcomes.push_back(o);
    }
    std::vector<Word> longer;
    for (const Word& word : words)
      for (std::size_t o : outcomes) {
        longer.push_back(word);
        longer.back().push_back(static_cast<Letter>(component.letter_of(*call, o)));
      }
    if (longer.size() > most_words)
      return fail("--must-allow '{}': too many outcomes are left open", text);
    words = std::move(longer);
  }
  if (words[0].empty()) return fail("--must-allow '{}': the word is empty", text);
  return WantedWord{text, std::move(words)};
}

/// The component cannot err on the call after the word, and the word can happen.
bool GameAdvice::surely_legal(const Trace& trace) const {
  Path path(setting_.formulas(), trace.constructor, Side::Above);
  for (std::size_t l : trace.letters) path.extend(l);
  if (setting_.solver().check(path.conditions()) != Truth::Sat) return false;
  return setting_.never(trace);
}

void GameAdvice::find_disputes(std::set<std::size_t> calls) {
  struct Candidate {
    std::size_t constructor;
    State state;
    std::vector<std::size_t> letters;
  };
  std::deque<Candidate> work;
  const Dfa& dfa = protocol_.dfa;
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state) work.push_back({k, dfa.entries()[k], {}});
  for (std::size_t tries = 0; !work.empty() && !calls.empty(); ++tries) {
    if (tries >= setting_.strategy().most_word_tries || setting_.out_of_budget()) return;
    const Candidate at = std::move(work.front());
    work.pop_front();
    for (const std::size_t c : std::set(calls)) {
      const Trace trace{at.constructor, at.letters, c};
      if (protocol_.allows(at.state, c) || !surely_legal(trace)) continue;
      const Word word(at.letters.begin(), at.letters.end());
      disputed_.push_back((word.empty() ? "" : word_text(component_, word) + " ") +
                          component_.calls()[c].name);
      refiner_.suggest(trace, predicates_, suggested_);
      calls.erase(c);
    }
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(at.state, l); to != no_state) {
        work.push_back({at.constructor, to, at.letters});
        work.back().letters.push_back(l);
      }
  }
}

std::vector<std::string> GameAdvice::suggested() const {
  std::vector<std::string> texts;
  for (Term p : suggested_.all()) texts.push_back(to_string(p));
  return texts;
}

std::string GameAdvice::judge(const std::vector<WantedWord>& wanted) {
  std::string text;
  for (const auto& [written, words] : wanted) {
    bool allowed = false, legal = false;
    PredicateSet found(setting_.arena());
    for (const Word& word : words)
      for (std::size_t k = 0; k < protocol_.dfa.entries().size(); ++k) {
        State q = protocol_.dfa.entries()[k];
        Trace trace{k, {}, {}};
        for (std::size_t i = 0; q != no_state && i < word.size(); ++i) {
          const bool last = i + 1 == word.size();
          trace.call = component_.letter(word[i]).call;
          if (!protocol_.allows(q, *trace.call)) {
            if (last && surely_legal(trace)) {
              legal = true;
              refiner_.suggest(trace, predicates_, found);
            }
            break;
          }
          allowed = allowed || last;
          q = protocol_.dfa.next(q, word[i]);
          trace.letters.push_back(word[i]);
        }
      }
    if (allowed) {
      setting_.story().tell("wanted: '{}' is allowed", written);
      continue;
    }
    text += (text.empty() ? "" : "; ") + fmt::format("'{}' is not allowed: ", written);
    if (!legal) {
      text += "by these predicates it may err, and that it cannot was not shown";
      continue;
    }
    text += "the component does not err, but the predicates do not tell";
    std::vector<std::string> texts;
    for (Term p : found.all()) texts.push_back(to_string(p));
    if (!texts.empty()) text += "; try " + quoted(texts);
  }
  return text;
}

} // namespace tacit
