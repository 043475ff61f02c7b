#include "check/labelled.h"

#include <algorithm>

#include "check/client_conditions.h"

namespace tacit {

std::optional<Term> LabelledSetting::read_label(const std::string& text, const std::string& what,
                                                ClaimSet touched) {
  std::string why_not;
  if (const auto term = tacit::read_label(interface_, component_, text, why_not))
    return erasure_.term(*term);
  findings_.reject(touched, what, "the label cannot be read", why_not);
  return std::nullopt;
}

bool LabelledSetting::read_labels(const std::vector<std::string>& texts, const std::string& kind,
                                  std::vector<Term>& labels, ClaimSet touched) {
  if (texts.size() != interface_.states.size()) {
    findings_.reject(
        touched, kind + "labels",
        fmt::format("there are {} labels for {} states", texts.size(), interface_.states.size()));
    return false;
  }
  for (std::size_t q = 0; q < texts.size(); ++q) {
    const auto label = read_label(texts[q], fmt::format("{}label of q{}", kind, q), touched);
    if (!label) return false;
    labels.push_back(*label);
  }
  return true;
}

bool LabelledSetting::read_evidence() {
  if (!read_invariants()) return false;
  const Evidence& evidence = interface_.evidence;
  const bool omitted =
      evidence.omitted ||
      std::ranges::find(interface_.omitted, "labels") != interface_.omitted.end() ||
      std::ranges::find(interface_.omitted, "evidence") != interface_.omitted.end();
  std::vector<std::string> safe = evidence.safe;
  if (safe.empty() &&
      std::ranges::all_of(interface_.states, [](const auto& s) { return !s.label.empty(); }))
    for (const InterfaceState& state : interface_.states) safe.push_back(state.label);
  const auto missing = [&](ClaimSet touched, std::string_view claim) {
    if (omitted)
      findings_.undecided(touched, fmt::format("evidence for {}", claim), "left out for size");
    else
      findings_.reject(touched, fmt::format("evidence for {}", claim),
                       "claimed as proved, but without evidence");
  };
  if (safe.empty() && !interface_.states.empty()) {
    if (claims_.safe) missing({.safe = true}, "safe");
    claims_.safe = false;
    if (evidence.permissive.empty()) {
      if (claims_.permissive) missing({.permissive = true}, "permissive");
      if (claims_.full) missing({.full = true}, "full");
      return false;
    }
  }
  if (!safe.empty() && !read_labels(safe, "", safe_, ClaimSet::all())) return false;
  if (!evidence.permissive.empty() &&
      !read_labels(evidence.permissive, "permissive ", permissive_, {.permissive = true}))
    return false;
  return read_must_nodes();
}

bool LabelledSetting::read_must_nodes() {
  const ClaimSet touched{.permissive = true, .full = true};
  for (std::size_t i = 0; i < interface_.evidence.must.size(); ++i) {
    const MustNode& node = interface_.evidence.must[i];
    if (node.state >= interface_.states.size()) {
      findings_.reject(touched, fmt::format("must-node {}", i), "its state does not exist");
      return false;
    }
    const auto predicate =
        read_label(node.predicate, fmt::format("must-node {} at q{}", i, node.state), touched);
    if (!predicate) return false;
    must_.push_back(*predicate);
  }
  return true;
}

void LabelledSetting::check_shown_labels() {
  for (State q = 0; q < interface_.states.size(); ++q) {
    const std::string& shown = interface_.states[q].label;
    if (shown.empty()) continue;
    const std::string name = fmt::format("shown label of q{}", q);
    const auto term = read_label(shown, name, {});
    if (!term || *term == safe_[q]) continue;
    findings_.obligation();
    refute(name, arena_.conj(safe_[q], arena_.negate(*term)),
           {"the label that was proved does not imply it", false, nullptr, {}}, {});
  }
}

void LabelledSetting::check_loops(const CallRuns& runs, const Call& call, const std::string& where,
                                  const Formula& beyond, ClaimSet touched) {
  if (is_false(runs.beyond())) return;
  std::vector<std::string> heads;
  for (const Exit& exit : runs.upper().exits)
    if (exit.kind == Exit::Kind::Beyond)
      heads.push_back(fmt::format("{}/{}", call.name, exit.head));
  heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
  findings_.obligation();
  refute(fmt::format("loop bound of {} {}", fmt::join(heads, ", "), where), beyond,
         {"a loop goes on beyond its bound", false, nullptr, {}}, touched);
}

std::optional<Term> LabelledSetting::node_predicate(std::size_t node, State at,
                                                    const std::string& obligation,
                                                    ClaimSet touched) {
  if (node < must_.size() && interface_.evidence.must[node].state == at) return must_[node];
  findings_.reject(touched, obligation, fmt::format("must-node {} is not one of q{}", node, at));
  return std::nullopt;
}

void LabelledSetting::need(std::size_t node) {
  if (node < must_.size() && std::ranges::find(needed_, node) == needed_.end())
    needed_.push_back(node);
}

const MustNode::Incoming* LabelledSetting::incoming(const MustNode& node, std::size_t transition,
                                                    const std::string& outcome) {
  const MustNode::Incoming* found = nullptr;
  for (const MustNode::Incoming& entry : node.incoming) {
    if (entry.transition != transition) continue;
    if (entry.outcome == outcome) return &entry;
    if (!entry.outcome) found = &entry;
  }
  return found;
}

} // namespace tacit
