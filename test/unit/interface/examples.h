// Results made by hand, for tests of everything that reads or shows results.
#pragma once

#include "interface/interface.h"

namespace tacit::test {

/// A lock that may be busy. `Lock` starts free, `Lock(bool)` held, and `Lock(null)` is refused.
inline Interface lock() {
  Interface result;
  result.component_name = "Lock";
  result.language = "tir";
  result.sources = {"lock.tir"};
  result.tir = "component Lock\nstate held : bool = false\n";
  result.options.errors = {"assert"};
  result.engine = "permissive";
  result.errors = {"assert"};
  result.calls = {
      {"lock", {"returns=true", "returns=false"}}, {"unlock", {"any"}}, {"query", {"any"}}};
  result.constructors = {"Lock", "Lock(bool)", "Lock(null)"};
  result.initial = {{"Lock", 0}, {"Lock(bool)", 1}};
  result.states = {{{true, false, true}, "!held"}, {{false, true, true}, "held"}};
  result.transitions = {{0, 0, 0, 1, {}, {}},
                        {0, 0, 1, 0, {}, {}},
                        {0, 2, 0, 0, {}, {}},
                        {1, 2, 0, 1, {}, {}},
                        {1, 1, 0, 0, {}, {}}};
  result.transitions[0].example =
      Example{{}, "", {}, {{"lock", {"true"}, "returns=true", {{"held", "true"}}}}};
  result.transitions[0].before = {{"held", "false"}};
  result.forbidden = {{std::nullopt, 2, "assert", "lock.tir:3", {"Lock(null)"}, {}},
                      {State{0}, 1, "assert", "lock.tir:12", {"unlock"}, {}},
                      {State{1}, 0, "assert", "lock.tir:7", {"lock:returns=true", "lock"}, {}}};
  result.forbidden[1].run = Example{{"7"}, "Lock", {"1"}, {{"unlock", {}, "", {}}}};
  result.verdict.safe = result.verdict.permissive = result.verdict.full = Claim::Proved;
  result.verdict.minimal = true;
  result.verdict.details = {{"full", "visibly deterministic"}};
  result.verdict.assumptions = {"no overflow", "clock() does not call back"};
  result.evidence.safe = {"!held", "held"};
  result.stats.set("seconds", 0.25);
  result.stats.set("queries", 12);
  result.stats.set("solver", "z3");
  result.predicates = {"held"};
  return result;
}

/// A chain with a loop at each state; `count` states, three calls, the third refused except in the
/// last.
inline Interface chain(std::size_t count) {
  Interface result;
  result.component_name = "Chain";
  result.calls = {
      {"again", {"any"}}, {"next", {"returns=true", "returns=false"}}, {"stop", {"any"}}};
  result.constructors = {"Chain"};
  result.initial = {{"Chain", 0}};
  for (State q = 0; q < count; ++q) {
    const bool last = q + 1 == count;
    result.states.push_back({{true, true, last}, ""});
    result.transitions.push_back({q, 0, 0, q, {}, {}});
    result.transitions.push_back({q, 1, 0, last ? 0 : q + 1, {}, {}});
    result.transitions.push_back({q, 1, 1, q, {}, {}});
    if (last)
      result.transitions.push_back({q, 2, 0, q, {}, {}});
    else
      result.forbidden.push_back({q, 2, "early", "chain.c:9", {}, {}});
  }
  result.omitted = {"labels", "examples", "words"};
  result.evidence.omitted = true;
  return result;
}

} // namespace tacit::test
