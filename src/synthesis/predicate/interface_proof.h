// The proof of one interface over predicates, the same for all engines: which claims hold, claim by
// claim and refused call by refused call.
//
//   safe         labels, the cubes that words into a state reach: no allowed call errs there, and
//                outcomes without a transition cannot happen
//   permissive   every refused call errs: everywhere in the label of a second abstraction, or in a
//                must-node (abstraction/maymust/must_nodes.h) that every word into the state can
//                reach. Each pair of a state and a call is settled on its own.
//   full         every outcome with a transition can happen after every word into its state
//
// How a claim stands is a `Standing`: shown; in doubt, with a word that disproves it and that an
// abstraction should learn from; or open, with the reason.
//
//   InterfaceProof proof(setting, protocol, abstraction);
//   proof.show_safe();
//   proof.leave_rest_to_nodes(abstraction);            // or word by word: suspicions,
//   leave_to_nodes if (proof.show_refusals().doubt()) ...             // learn from the word, find
//   a better interface if (proof.show_outcomes(true).doubt()) ... proof.finished({...})
//
// Abstractions are held as long as the proof. A proof is neither copied nor moved.
#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>

#include "synthesis/predicate/predicate_labels.h"
#include "synthesis/predicate/setting.h"

namespace tacit {

struct Standing {
  enum class Kind { Shown, Doubt, Open };
  Kind kind = Kind::Open;
  std::string reason;        // why it is open
  std::optional<Trace> word; // that disproves it; or about which it is open, if there is one

  static Standing as_shown() { return {Kind::Shown, "", {}}; }
  static Standing in_doubt(Trace word) { return {Kind::Doubt, "", std::move(word)}; }
  static Standing open_for(std::string reason, std::optional<Trace> word = {}) {
    return {Kind::Open, std::move(reason), std::move(word)};
  }
  bool shown() const { return kind == Kind::Shown; }
  bool doubt() const { return kind == Kind::Doubt; }
  bool open() const { return kind == Kind::Open; }
};

/// A refused call of a state.
struct RefusedPair {
  State state = 0;
  std::size_t call = 0;
  auto operator<=>(const RefusedPair&) const = default;
};

class InterfaceProof {
public:
  /// Labels are what words reach in the abstraction.
  InterfaceProof(PredicateSetting& setting, Protocol protocol, std::shared_ptr<MayMust> safe);
  /// With labels that hold; nothing can be shown about them but refusals.
  InterfaceProof(PredicateSetting& setting, Protocol protocol, std::vector<Term> labels);
  /// The interface that refuses all calls, and the constructors that are not shown to be safe.
  static std::unique_ptr<InterfaceProof> of_nothing(PredicateSetting& setting, Solver& solver);
  /// A bound from below: the largest that the first of the predicates show safe, if that is found
  /// soon, or else the one that refuses everything.
  static std::unique_ptr<InterfaceProof> of_first(PredicateSetting& setting,
                                                  std::vector<Term> predicates, Solver& solver);

  InterfaceProof(const InterfaceProof&) = delete;
  InterfaceProof& operator=(const InterfaceProof&) = delete;

  const Protocol& protocol() const { return protocol_; }

  /// Open, never in doubt: the abstraction may be too coarse.
  Standing show_safe();

  // Permissive
  /// Words after which a refused call may not err by the labels of the abstraction: the first for
  /// each call, shortest first. Pairs that are left to must-nodes or open are not asked about.
  std::vector<Trace> suspicions(const std::shared_ptr<MayMust>& abstraction);
  /// Labels cannot show the refusal that the word ends in.
  void leave_to_nodes(const Trace& word);
  /// All that the labels of the abstraction do not show.
  void leave_rest_to_nodes(const std::shared_ptr<MayMust>& abstraction);
  /// Settles the pairs that were left, and refused constructors. Stops at the first word that
  /// disproves one; pairs that stay open do not keep others from being shown.
  const Standing& show_refusals();
  /// By must-nodes, and if they fail, that is that.
  bool show_plainly(RefusedPair pair);
  bool label_shows(RefusedPair pair);
  /// Nothing can be learnt from a word that is a doubt: its pair is open, the others can go on.
  void leave_open(const Trace& doubt, const std::string& reason);
  /// The claim as a whole is open for another reason.
  void leave_open(const std::string& reason) { permissive_ = Standing::open_for(reason); }

  // Full
  /// With `asked` the word on which it fails is judged; otherwise it is tried for a while.
  const Standing& show_outcomes(bool asked);
  void leave_not_full(const std::string& reason);

  const Standing& permissive() const { return permissive_; }
  const Standing& full() const { return full_; }
  /// Pairs that were tried and are not shown, each with its reason.
  std::map<RefusedPair, Standing> open_pairs() const;
  /// Whether something stayed open on the way, so that doubts are about the rest.
  bool past_open() const { return past_open_; }
  /// Whether a refusal rests on a must-node.
  bool by_node(RefusedPair pair) const { return proof_.refusals.contains({pair.state, pair.call}); }
  const std::shared_ptr<MayMust>& abstraction() const { return safe_; }

  /// Fewer states by not telling which outcomes cannot happen, with a proof that goes as far as
  /// this one but for fullness. Null when there are none, or it does not.
  std::unique_ptr<InterfaceProof> coarser();

  struct Closing {
    std::string engine;
    MayOracle& runs; // asked for runs, and for labels of what pruning leaves
    Solver& solver;  // the engine's, or another when the budget ran out
    /// Where permissiveness is open, the first of them make a bound from above.
    const std::vector<Term>& bound_predicates;
  };
  /// The result, with bounds where it is open.
  Synthesis finished(const Closing& closing);
  /// The same with a verdict of the engine's own and nothing besides.
  Interface written(FinishOptions options, MayOracle& runs, Solver& solver);

private:
  /// A refusal that labels do not show.
  struct Left {
    Trace word; // into the state, and the call
    std::optional<Standing> standing;
  };

  const std::vector<Term>& safe_labels();
  MustNodes& nodes();
  std::vector<bool> refused(State state) const;
  Standing show_pair(RefusedPair pair);
  Standing show_constructors();
  Standing show_outcome(State state, Letter letter, Term can, bool asked);
  void conclude_pairs();
  Verdict verdict() const;
  std::vector<DisputedCall> disputed() const;
  bool safe_labels_suffice(Solver& solver);
  void complete(Solver& solver);
  void add_arguments();
  void add_bounds(Interface& interface, const Closing& closing) const;
  void add_guards(Interface& interface) const;

  PredicateSetting& setting_;
  const Component& component_;
  Protocol protocol_;
  std::shared_ptr<MayMust> safe_, errs_; // errs_: whose labels showed refusals
  PredicateProof proof_;
  std::unique_ptr<MustNodes> nodes_; // on the safe labels
  std::map<RefusedPair, Left> left_;
  bool past_open_ = false;
  Standing permissive_ = Standing::open_for("nothing was tried");
  Standing full_ = Standing::open_for("permissiveness comes first, and that is open");
};

/// Queries and seconds, for the statistics of a result.
void add_solver_figures(Interface& interface, const SolverStatistics& spent);

} // namespace tacit
