// Refinement, the same for all engines over predicates: a word that an abstraction judges wrongly,
// and predicates with which it judges it rightly.
//
// What is tried, in the order that the strategy says, until something is new:
//
//   orders          a <= b for each a == b at hand, when the word repeats itself
//   preconditions   the atoms of weakest preconditions backwards along the word
//   interpolants    between the steps of a word that cannot happen or err
//
// Of many new predicates those are selected that the word needs.
//
// What a word is worth is a `Lesson`. A word on which the component's own runs disagree has no
// predicates: its two runs differ in something that the client observes, which is a matter of
// letters, or in nothing, and then must-nodes have to show that every word into the state can err.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "logic/z3/interpolate.h"
#include "synthesis/predicate/setting.h"

namespace tacit {

struct Lesson {
  enum class Kind {
    Learnt,    // new predicates
    Nothing,   // none that is new
    Disagrees, // the call errs in one run along the word and not in another
  };
  Kind kind = Kind::Nothing;
  std::string_view how; // Learnt: by "wp", "craig" or "orders"

  bool learnt() const { return kind == Kind::Learnt; }
};

class Refiner {
public:
  explicit Refiner(PredicateSetting& setting) : setting_(setting) {}

  /// Adds to `set` what the word teaches an abstraction over its first `judged_with` predicates.
  /// `truth` is what the component says about it. Predicates that other words have brought since
  /// count as learnt.
  Lesson learn(const Trace& trace, Fact truth, PredicateSet& set, std::size_t judged_with);
  Lesson learn(const Trace& trace, Fact truth, PredicateSet& set) {
    return learn(trace, truth, set, set.size());
  }
  /// Adds the predicates of one set to another, as far as they are news there.
  void adopt(const PredicateSet& from, PredicateSet& into);

  /// What preconditions along the word would add to the known ones, for people to choose from.
  void suggest(const Trace& trace, const std::vector<Term>& known, PredicateSet& suggested);

  /// `why`, the last words that were learnt from and the last predicates.
  std::string run_away_text(const std::string& why, const PredicateSet& predicates) const;
  /// Learning starts again, with empty sets.
  void start_over();

  /// Of the setting's solvers and the refiner's.
  SolverStatistics spent() const;

private:
  enum class Source { Orders, Preconditions, Interpolants };

  std::vector<Source> sources(const Trace& trace, Fact truth) const;
  void add_from(Source source, const Trace& trace, Fact truth, PredicateSet& set);
  std::vector<Term> found_by(Source source, const Trace& trace, const PredicateSet& set);
  std::vector<Term> news(const std::vector<Term>& found, const PredicateSet& set);
  bool divides(Term predicate);
  bool differs(Term predicate, const PredicateSet& from);
  std::vector<Term> selected(const Trace& trace, Fact truth, const PredicateSet& known,
                             const std::vector<Term>& fresh);
  bool shows(const Trace& trace, Fact truth, const PredicateSet& known,
             const std::vector<Term>& some);

  PredicateSetting& setting_;
  std::unique_ptr<Interpolator> interpolator_; // made when it is first needed
  std::map<Term, bool, TermById> divides_;
  std::set<std::pair<const PredicateSet*, const void*>> known_; // equal to one of the set
  std::vector<std::string> words_;                              // that were learnt from
};

} // namespace tacit
