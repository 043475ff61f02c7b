// One engine on one component, and before that on coarser views of it.
//
// Lowered code is full of what errors do not depend on (program/reduce/coarsen.h). An engine may
// name another one that looks at coarser views first (Engine::coarse): what is small enough is
// looked at whole for a while, then come the views from coarse to fine, each with a share of the
// time that is left, and then the whole again. What is proved for a view holds for the component;
// the answer says which view it is about, and carries it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "synthesis/protocol/engine.h"

namespace tacit {

struct ViewedSynthesis {
  Synthesis synthesis;
  std::shared_ptr<const Component> component; // that the evidence is about
};

/// An engine with its options.
struct EngineSetup {
  const Engine* engine = nullptr;
  SynthesisOptions options;
  std::vector<std::string> predicates; // as given; what they mean depends on the view
  double build_seconds = 0;            // what building the component took
};

/// `module` is what the component was built from.
Result<ViewedSynthesis> run_engine(const Module& module, std::shared_ptr<const Component> component,
                                   const EngineSetup& setup, Budget& budget);

} // namespace tacit
