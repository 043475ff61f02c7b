// What is asked of the pipeline: plain values, from a command line or from other code.
//
// An option that has no effect is a mistake of the asker: check_request finds, before any work,
// what the engine does not take (synthesis/engines.cpp says what it does) and what does not go
// together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "synthesis/decompose.h"
#include "synthesis/engines.h"

namespace tacit {

struct SynthesisRequest {
  ComponentOptions component;
  std::string engine = "auto";
  bool serial = false;
  bool full = false;
  std::optional<Representation> representation;
  std::optional<bool> hide_bits;
  std::optional<LearnerKind> learner;
  std::optional<Refinement> refinement;
  std::shared_ptr<const Interface> seed; // an older result, whose predicates are tried first
  std::vector<std::string> predicates;   // in the vocabulary of the module
  std::vector<std::string> must_allow;   // words
  std::optional<Decomposition> parts;    // also give smaller interfaces

  /// Refuse calls that may err whatever the client does, instead of setting such sites aside.
  bool all_errors = false;
  bool nothing = false; // where nothing counts as an error, that is an answer and no mistake
  bool needs = true;    // look for what opaque callees have to do
  bool check = true;    // re-check the evidence; what was not re-checked is not claimed

  std::vector<std::string> sources = {}; // for the result's record
  double seconds_before = 0;             // that went into loading: they count as time of the run
  Story story = {};
  /// Told what is going on, in a few words.
  std::function<void(const std::string&)> phase = {};
};

/// The engine, if the request makes sense.
Result<const Engine*> check_request(const SynthesisRequest& request);

/// What engines read of it. Predicates are read once there is a component.
SynthesisOptions synthesis_options(const SynthesisRequest& request);

} // namespace tacit
