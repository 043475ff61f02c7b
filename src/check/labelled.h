// A proof setting with the labels and must-nodes of an interface read: what the obligations of all
// readings of arguments have in common (obligations.h, guarded.h).
#pragma once

#include "check/proof_setting.h"
#include "check/structure.h"

namespace tacit {

class LabelledSetting : public ProofSetting {
protected:
  LabelledSetting(const Interface& interface, const Component& component,
                  const Alignment& alignment, Budget* budget, Findings& findings)
      : ProofSetting(interface, component, budget, findings, claimed(interface.verdict)),
        alignment_(alignment) {}
  ~LabelledSetting() = default;

  /// Before all else. False when there is nothing to go on with, which has been reported then.
  bool read_evidence();

  /// The label that facts about all realizable words rest on.
  Term label(State q) const { return safe_.empty() ? permissive_[q] : safe_[q]; }
  /// Both labellings hold wherever a word leads.
  Term labels(State q) const {
    return safe_.empty() || permissive_.empty() ? label(q) : arena_.conj(safe_[q], permissive_[q]);
  }
  /// What was proved implies what is shown.
  void check_shown_labels();
  /// No run goes beyond a bound that the evidence names; `beyond` says that some run does.
  void check_loops(const CallRuns& runs, const Call& call, const std::string& where,
                   const Formula& beyond, ClaimSet touched);

  /// The predicate of the must-node that an entry of the evidence names; nullopt after a complaint.
  std::optional<Term> node_predicate(std::size_t node, State at, const std::string& obligation,
                                     ClaimSet touched);
  /// A claim rests on this must-node, so it has to be justified.
  void need(std::size_t node);
  /// The entry for one outcome of the component comes before one for the whole transition.
  static const MustNode::Incoming* incoming(const MustNode& node, std::size_t transition,
                                            const std::string& outcome);
  /// Constructors that throw give no object.
  static bool normal(const std::string& outcome) { return !outcome.starts_with("throws"); }

  const Alignment& alignment_;
  std::vector<Term> safe_, permissive_, must_; // erased
  std::vector<std::size_t> needed_;            // must-nodes, in the order in which they are met

private:
  std::optional<Term> read_label(const std::string& text, const std::string& what,
                                 ClaimSet touched);
  bool read_labels(const std::vector<std::string>& texts, const std::string& kind,
                   std::vector<Term>& labels, ClaimSet touched);
  bool read_must_nodes();
};

} // namespace tacit
