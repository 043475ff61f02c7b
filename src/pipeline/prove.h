// The proof of a protocol that somebody else made (`tacit verify --prove`): is it safe and
// permissive for this component? Answers with evidence that the second solver has confirmed, or
// with a word and a run that object.
//
//   whole calls        "Permissive Interfaces", Algorithm 2 (synthesis/predicate/prove.h)
//   guarded arguments  where arguments matter, an interface of the component's own is made first: a
//                      concrete word on which the two differ is an objection, and else its evidence
//                      is carried over to the given one and checked there
#pragma once

#include "check/report.h"
#include "interface/intended.h"
#include "pipeline/request.h"

namespace tacit {

struct ProveRequest {
  ComponentOptions component;
  IntendedProtocol given;
  std::shared_ptr<const Interface> result; // that `given` is of; guards and cells are in it alone
  std::vector<std::string> sources = {};
  Story story = {};
  std::function<void(const std::string&)> phase = {};
};

/// For people and for tests: what is wrong, with words as they are written.
struct ShownObjection {
  bool safe = false;   // against safety; else against permissiveness
  std::string problem; // `errs`, `cannot err`, `is not foreseen`
  std::string constructor;
  std::vector<std::string> word; // the call in question at its end
  bool shortest = false;
  std::optional<Example> run;
  std::string error, at;
};

struct ProveAnswer {
  std::optional<ShownObjection> objection;
  std::optional<Interface> interface;  // with evidence; where there is no objection, if it is safe
  std::string open;                    // why safety is not known
  std::vector<std::string> not_spoken; // calls that the protocol never names: it refuses them
  std::optional<CheckReport> check;

  bool proved() const {
    return interface && interface->verdict.safe == Claim::Proved &&
           interface->verdict.permissive == Claim::Proved;
  }
};

Result<ProveAnswer> prove(const Module& module, const ProveRequest& request, Budget& budget);

} // namespace tacit
