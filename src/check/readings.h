// The runs of one call as formulas over the state before it, by how arguments are read
// (docs/semantics.md, 2.3 and 2.4).
//
//   guarded   argument by argument (guarded.h); only `may_by_arguments` and `must_by_arguments`
//   demonic   the call errs if some argument and some behaviour of the environment make it err;
//   every run counts angelic   an argument is good if it cannot err and some run with it is not
//   rejected; the call errs if some argument
//             errs and none is good; the runs of good arguments count
//
// Choices that a summary hides (Chooser::Unknown) must not decide a claim either way. So there are
// two versions of each question: *may* is true when some value of the hidden choices makes it true,
// *must* when all of them do. A claim that something cannot happen is checked against may, one that
// it can happen against must.
#pragma once

#include <functional>
#include <vector>

#include "check/cvc5/formula.h"
#include "check/encode.h"

namespace tacit {

class CallRuns {
public:
  /// The two encodings of one call, with `before` put in for state variables (empty for calls; the
  /// initial values for constructors).
  CallRuns(const Component& component, Erasure& erasure, BodyEncoding upper, BodyEncoding lower,
           const Substitution& before);

  /// Reads arguments by examples: `tried` maps choices of the client to terms over the state,
  /// `taken` says, over these choices, that the call takes the arguments at all. From then on a
  /// call is known not to err only where one of them neither errs nor is rejected, and to err only
  /// by what happens before the environment chooses anything. That claims less, and needs no nested
  /// quantifiers.
  void read_by(std::vector<Substitution> tried, Term taken);

  /// All runs, and possibly more when there are loops without a bound.
  const BodyEncoding& upper() const { return upper_.encoding; }
  /// Real runs only: loops without a bound are followed for some rounds.
  const BodyEncoding& lower() const { return lower_.encoding; }
  /// Whether the runs are exact; when not, a claim that fails may still be true.
  bool exact() const { return upper_.encoding.unbounded.empty(); }

  // Over state and choices, for `any_run` and `may_…`:
  Term errors() const { return upper_.errors; }
  Term beyond() const { return upper_.beyond; }
  /// Ends with the outcome; with a predicate over the erased state, in a state that satisfies it.
  Term ends(std::size_t outcome, Term predicate = nullptr) const {
    return ends(upper_, outcome, predicate);
  }
  // For `must_run`:
  Term surely_ends(std::size_t outcome, Term predicate = nullptr) const {
    return ends(lower_, outcome, predicate);
  }
  /// Likewise, with a condition on how it ends.
  using AtExit = std::function<Term(const Exit&)>;
  Term ends(std::size_t outcome, const AtExit& condition) const {
    return ends(upper_, outcome, condition);
  }
  Term surely_ends(std::size_t outcome, const AtExit& condition) const {
    return ends(lower_, outcome, condition);
  }
  Term surely_errs() const { return lower_.errors; }
  /// Or an `assume` ends the run whatever the environment does. Of a whole label: a word that went
  /// on ends in a state that has a run for what the hidden values are.
  Term surely_errs_if_at_all() const { return arena_.disj(lower_.errors, lower_.stopped); }
  /// A term over the erased state, as it is at an exit.
  Term after(const Exit& exit, Term term) const;

  // Over the state:
  Formula may_err() const;
  Formula must_err() const;
  /// Some run that counts satisfies `run`, a formula over state and choices.
  Formula may_run(Term run) const;
  Formula must_run(Term run) const;
  /// Some run, whether it counts or not: at least may_run, and without nested quantifiers.
  Formula any_run(Term run) const;
  /// Likewise, of real runs only and whatever is hidden; `run` is over the lower side.
  Formula any_sure_run(Term run) const { return client(must(run)); }
  // For given arguments, in terms of the client's choices; the others are bound.
  Formula may(Term run) const;
  Formula must(Term run) const;
  /// "There are arguments".
  Formula client(Formula inner) const;
  // Likewise for given arguments; where the next allocation is does not count as one.
  Formula may_by_arguments(Term run) const;
  Formula must_by_arguments(Term run) const;
  /// They cannot err, and some run is served.
  Formula good_by_arguments() const;
  std::vector<Term> arguments() const;

private:
  struct Side {
    BodyEncoding encoding;
    Term errors, beyond, served; // served: ends in an outcome that is no rejection
    Term rejected;
    Term plain_errors, plain_rejected; // decided by state and arguments alone
    Term stopped;                      // by an `assume`, whatever the environment does
  };

  Side side(BodyEncoding encoding, const Substitution& before) const;
  Term whatever_happens(const BodyEncoding& encoding) const;
  Term ends(const Side& side, std::size_t outcome, Term predicate) const;
  Term ends(const Side& side, std::size_t outcome, const AtExit& condition) const;
  static std::vector<Term> fresh(const BodyEncoding& encoding);
  Term facts(const BodyEncoding& encoding, Term run, bool hidden) const;
  Formula maybe_good() const;
  Formula surely_good() const;
  bool by_examples() const { return taken_ != nullptr; }
  Formula spoilt(const Substitution& arguments) const;

  TermArena& arena_;
  const Component& component_;
  std::vector<Term> state_;
  Side upper_, lower_;
  std::vector<Substitution> tried_;
  Term taken_ = nullptr; // null: arguments are not read by examples
};

} // namespace tacit
