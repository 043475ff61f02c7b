// What the engine `game` tells its user, who chose the predicates: which words should be legal and
// are not, which words are refused although the component surely does not err, and predicates that
// would help.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "automata/alphabet.h"
#include "synthesis/predicate/refiner.h"
#include "synthesis/protocol/protocol.h"

namespace tacit {

/// `--must-allow`: a text, and the words that it stands for; where an outcome is left out, any.
struct WantedWord {
  std::string text;
  std::vector<Word> words;
};
/// Fails on calls and outcomes that there are not.
Result<WantedWord> wanted_word(const Component& component, const std::string& text);

class GameAdvice {
public:
  /// About a protocol found with these predicates. All outlive the advice.
  GameAdvice(PredicateSetting& setting, const std::vector<Term>& predicates,
             const Protocol& protocol)
      : setting_(setting), component_(setting.component()), predicates_(predicates),
        protocol_(protocol), refiner_(setting), suggested_(setting.arena()) {}

  /// Looks for words that are refused although the component surely does not err on one of these
  /// calls: the first for each, breadth first.
  void find_disputes(std::set<std::size_t> calls);
  const std::vector<std::string>& disputed() const { return disputed_; }
  std::vector<std::string> suggested() const;

  /// What became of the words that should be legal; empty when all are.
  std::string judge(const std::vector<WantedWord>& wanted);

private:
  bool surely_legal(const Trace& trace) const;

  PredicateSetting& setting_;
  const Component& component_;
  const std::vector<Term>& predicates_;
  const Protocol& protocol_;
  Refiner refiner_;
  PredicateSet suggested_;
  std::vector<std::string> disputed_;
};

} // namespace tacit
