// From a module to an enabledness abstraction whose transitions a second solver has confirmed: the
// pipeline of synthesise.h for the engine `epa`.
#pragma once

#include <functional>
#include <memory>

#include "program/text/source_clauses.h"
#include "synthesis/epa/epa.h"

namespace tacit {

struct EnablednessRequest {
  ComponentOptions component;
  EpaOptions how;
  std::vector<SourceText> clause_texts = {}; // sources in which clauses may be written
  bool check = true;

  std::vector<std::string> sources = {}; // for the result's record
  double seconds_before = 0;             // that went into loading: they count as time of the run
  std::function<void(const std::string&)> phase = {};
};

struct EnablednessAnswer {
  Interface interface;
  std::shared_ptr<const Component> component;
  bool settled = false;             // explored to the end, and not contradicted
  std::vector<std::string> answers; // to EpaOptions::why_not
  /// The program with the clauses and the invariant that were used, for saving and editing.
  Module annotated;
};

/// The clock of the budget starts with the caller. Clauses are added to a copy of the module.
Result<EnablednessAnswer> abstract_enabledness(const Module& module,
                                               const EnablednessRequest& request, Budget& budget);

} // namespace tacit
