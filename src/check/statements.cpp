#include "check/statements.h"

#include <algorithm>
#include <set>

namespace tacit {

namespace {

class Statements {
public:
  Statements(const Interface& interface, const Component& component, Findings& findings)
      : interface_(interface), component_(component), findings_(findings) {}

  void run() {
    identity();
    errors();
    constants();
    aside();
    left_out();
    needs();
    strengths();
    odds();
  }

private:
  void wrong(std::string obligation, std::string message, std::string detail = "",
             ClaimSet touched = {}) {
    findings_.reject(touched, std::move(obligation), std::move(message), std::move(detail));
  }

  void identity() {
    const Module& module = component_.module();
    if (interface_.component_name != module.name)
      wrong("component",
            fmt::format("it is called '{}', not '{}'", module.name, interface_.component_name));
    if (!interface_.language.empty() && interface_.language != module.language)
      wrong("component",
            fmt::format("its language is '{}', not '{}'", module.language, interface_.language));
  }

  /// The errors that a specification comes to.
  static bool counts(const std::string& spec, const std::string& error) {
    return spec == error || spec == "error:*" || spec == "error:" + error;
  }

  void errors() {
    if (interface_.errors != component_.errors())
      wrong("errors",
            fmt::format("the errors that count are {}", fmt::join(component_.errors(), ", ")),
            fmt::format("{}", fmt::join(interface_.errors, ", ")), ClaimSet::all());
    for (const auto& [spec, count] : interface_.error_sites) {
      std::set<std::pair<std::string, std::string>> sites;
      for (const auto* calls : {&component_.calls(), &component_.constructors()})
        for (const Call& call : *calls)
          for (const ErrorSite& site : component_.error_sites(call))
            if (counts(spec, site.error)) sites.emplace(site.error, to_string(site.where));
      if (sites.size() != count)
        wrong("errors", fmt::format("'{}' has {} sites, not {}", spec, sites.size(), count));
    }
  }

  void constants() {
    const auto& module = component_.module();
    for (const auto& [name, values] : interface_.constants) {
      const auto known =
          std::ranges::find_if(module.enums, [&](Sort sort) { return sort->decl->name == name; });
      if (known == module.enums.end()) {
        wrong("constants", fmt::format("there is no enumeration '{}'", name));
        continue;
      }
      std::map<std::string, long long> actual;
      for (const Enumerator& value : (*known)->decl->values)
        actual[value.name] = static_cast<long long>(value.value);
      if (actual != values)
        wrong("constants", fmt::format("enumeration '{}' has other values", name));
    }
  }

  void aside() {
    std::set<std::string> written;
    for (const SetAside& site : interface_.aside)
      if (!written.insert(site.call + "@" + site.site).second)
        wrong("set aside", fmt::format("{}@{} is listed twice", site.call, site.site));
    const std::set<std::string> given(component_.options().aside.begin(),
                                      component_.options().aside.end());
    for (const std::string& site : given)
      if (!written.contains(site))
        wrong("set aside", fmt::format("the result does not list '{}'", site), "", ClaimSet::all());
    for (const std::string& site : written)
      if (!given.contains(site))
        wrong("set aside", fmt::format("'{}' counts as an error by the options", site), "",
              ClaimSet::all());
    if (std::ranges::any_of(interface_.aside, [](const SetAside& s) { return !s.because.empty(); }))
      findings_.unchecked("the reasons of sites that are set aside");
  }

  void left_out() {
    for (const LeftOut& call : interface_.left_out)
      if (component_.find_call(call.call))
        wrong("left out", fmt::format("'{}' is a call of the component", call.call));
    if (!interface_.left_out.empty()) findings_.unchecked("why calls were left out");
  }

  /// That the callee exists and is called in that step; the rest is on trust.
  void needs() {
    for (const Refusal& refusal : interface_.forbidden)
      for (const OpaqueNeed& need : refusal.needs) {
        const std::string name = fmt::format("needs of {}", interface_.refused_name(refusal));
        findings_.unchecked("what opaque callees have to do for a refused call to err");
        const Call* call = find(need.call);
        if (call == nullptr)
          wrong(name, fmt::format("there is no call '{}'", need.call));
        else if (!calls(*call, need.callee))
          wrong(name, fmt::format("'{}' does not call '{}'", need.call, need.callee));
        else if (refusal.run && !is_step(*refusal.run, need))
          wrong(name, fmt::format("step {} of the run is not '{}'", need.step, need.call));
      }
  }

  const Call* find(const std::string& name) const {
    for (const auto* calls : {&component_.calls(), &component_.constructors()})
      for (const Call& call : *calls)
        if (call.name == name) return &call;
    return nullptr;
  }

  bool calls(const Call& call, const std::string& callee) const {
    return std::ranges::any_of(component_.body(call).blocks, [&](const Block& block) {
      return std::ranges::any_of(block.statements, [&](const Statement& s) {
        return s.opaque && s.opaque->callee == callee;
      });
    });
  }

  static bool is_step(const Example& run, const OpaqueNeed& need) {
    if (need.step == 0) return run.constructor == need.call;
    return need.step <= run.steps.size() && run.steps[need.step - 1].call == need.call;
  }

  void strengths() {
    const auto look = [&](Claim claim, const char* name) {
      if (claim == Claim::Refuted || claim == Claim::Bounded)
        findings_.unchecked(fmt::format("that '{}' is {}", name, to_string(claim)));
    };
    look(interface_.verdict.safe, "safe");
    look(interface_.verdict.permissive, "permissive");
    look(interface_.verdict.full, "full");
    if (!interface_.verdict.details.empty()) findings_.unchecked("the details of the verdict");
    if (interface_.permissive_bound) findings_.unchecked("the bound from above");
    if (!interface_.parts.empty()) findings_.unchecked("that the parts together are the whole");
    if (std::ranges::any_of(interface_.tracked,
                            [](const TrackedValue& v) { return !v.shown.empty(); }))
      findings_.unchecked("how tracked values are shown");
  }

  /// What no interface has.
  void odds() {
    if (interface_.epa) wrong("structure", "only enabledness abstractions have clauses");
    for (const InterfaceTransition& t : interface_.transitions)
      if (t.uncertain || t.may_break || t.run)
        return wrong("structure", "only enabledness abstractions have uncertain transitions");
    for (const InitialState& start : interface_.initial)
      if (start.uncertain || start.may_break || start.example)
        return wrong("structure", "only enabledness abstractions have uncertain starts");
    if (!interface_.evidence.arguments.empty() &&
        component_.options().arguments != Arguments::Angelic)
      wrong("evidence", "arguments are named, but they are not read that way", "", ClaimSet::all());
    if (!guarded(component_) && interface_.guarded())
      wrong("structure", "conditions belong to guarded arguments, these are not", "",
            ClaimSet::all());
    if (component_.options().arguments == Arguments::Demonic && !interface_.guards.empty())
      wrong("guards", "arguments are read as a whole, so there is nothing to guard");
  }

  const Interface& interface_;
  const Component& component_;
  Findings& findings_;
};

} // namespace

void check_statements(const Interface& interface, const Component& component, Findings& findings) {
  Statements(interface, component, findings).run();
}

} // namespace tacit
