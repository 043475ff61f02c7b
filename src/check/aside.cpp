// Sites that were set aside as decided. The component is built once more with all sites counted;
// the call must be able to err there from every state of the labels, for all arguments.
#include <algorithm>

#include "check/client_conditions.h"
#include "check/proof_setting.h"
#include "check/statements.h"
#include "interface/json.h"

namespace tacit {

namespace {

class AsideSiteCheck : private ProofSetting {
public:
  AsideSiteCheck(const Interface& interface, const Component& component, Budget* budget,
                 Findings& findings)
      : ProofSetting(interface, component, budget, findings, {}) {}

  std::size_t run(const SetAside& site) {
    const std::string name = fmt::format("set aside {}@{}", site.call, site.site);
    const auto call = component_.find_call(site.call);
    if (!call) {
      findings_.reject({}, name, "there is no such call");
      return 0;
    }
    if (!read_invariants()) return 0;
    const CallRuns* runs = this->runs(*call);
    if (runs == nullptr) return solver_.queries();
    // Where another error comes first, nobody gets to the site.
    std::vector<Term> there;
    for (const Exit& exit : runs->lower().exits)
      if (exit.kind == Exit::Kind::Error) there.push_back(exit.condition);
    std::vector<Term> any{runs->errors(), runs->beyond()};
    for (std::size_t outcome = 0; outcome < component_.calls()[*call].outcomes.size(); ++outcome)
      any.push_back(runs->ends(outcome));
    // What has no run at all says nothing.
    const Formula harmless =
        both(runs->may_by_arguments(arena_.disj(std::move(any))),
             negation(arena_, runs->must_by_arguments(arena_.disj(std::move(there)))));
    for (State q = 0; q < interface_.states.size() && !findings_.stop(); ++q)
      in_state(q, *runs, harmless, name);
    return solver_.queries();
  }

private:
  void in_state(State q, const CallRuns& runs, const Formula& harmless, const std::string& name) {
    const std::string& text =
        interface_.evidence.safe.empty() ? interface_.states[q].label : interface_.evidence.safe[q];
    std::string why_not;
    const auto label = text.empty() ? std::optional(arena_.truth())
                                    : read_label(interface_, component_, text, why_not);
    if (!label) {
      findings_.undecided({}, name, "a label means nothing where the site counts", why_not);
      return;
    }
    findings_.obligation();
    refute(name, both(erasure_.term(*label), harmless),
           {fmt::format("in q{} it need not err there", q), !runs.exact(), &runs, {}}, {});
  }
};

} // namespace

std::size_t check_aside(const Interface& interface, const Component& component, Budget* budget,
                        Findings& findings) {
  std::size_t queries = 0;
  for (const SetAside& site : interface.aside) {
    if (!site.decided) continue;
    const std::string text = site.call + "@" + site.site;
    Interface counting;
    counting.component_name = interface.component_name;
    counting.sources = interface.sources;
    counting.tir = interface.tir;
    counting.options = component.options();
    counting.options.aside.clear();
    if (counting.tir.empty()) {
      findings.undecided({}, "set aside " + text, "the result has no text of the component");
      continue;
    }
    const auto with_site = component_of(counting);
    if (!with_site) {
      findings.reject({}, "set aside " + text, "there is no such component",
                      with_site.error().message);
      continue;
    }
    queries += AsideSiteCheck(interface, *with_site, budget, findings).run(site);
  }
  return queries;
}

} // namespace tacit
