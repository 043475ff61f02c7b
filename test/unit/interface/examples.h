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

/// A player: `seek` within what was loaded, a counter of open streams, a mode by argument.
inline Interface player() {
  Interface result;
  result.component_name = "Player";
  result.language = "tir";
  result.sources = {"player.tir"};
  result.tir = R"(component Player
enum Mode { Slow = 1, Fast = 4 }
record string { size : int [0..] }
state loaded : bool = false
state length : int [0..] = 0
state streams : int [0..] = 0
state mode : Mode = Slow
constructor Player(limit : int) { if (limit < 1) error Limit @player.tir:3; return; }
method load(url : ref string, duration : int) {
  if (url == null || url.size == 0) error Empty @player.tir:5;
  if (duration < 0) error Range @player.tir:6;
  loaded := true; length := duration; return;
}
method seek(ms : int) : bool {
  if (!loaded) error State @player.tir:8;
  if (ms < 0 || length < ms) error Range @player.tir:9;
  return ms < length;
}
method open() : int { var id : int; havoc id; streams := streams + 1; return id; }
method close() { if (streams == 0) error State @player.tir:14; streams := streams - 1; return; }
method speed(wanted : Mode) { if (wanted == mode) error Mode @player.tir:15; mode := wanted; return; }
)";
  result.options.arguments = Arguments::Guarded;
  result.engine = "permissive";
  result.errors = {"error:Range", "error:State"};
  result.error_sites = {{"error:Range", 2}, {"error:State", 2}};
  result.constants = {{"Mode", {{"Fast", 4}, {"Slow", 1}}}};
  result.tracked = {
      {"d", "int", "length", "duration()"}, {"n", "int", "streams", ""}, {"m", "Mode", "mode", ""}};
  result.calls = {{"load", {"any"}},  {"seek", {"returns=true", "returns=false"}},
                  {"open", {"any"}},  {"close", {"any"}},
                  {"speed", {"any"}}, {"stop", {"any"}}};
  result.constructors = {"Player"};
  result.initial = {{"Player", 0, "1 <= limit", {{"d", "0"}, {"n", "0"}, {"m", "Slow"}}}};
  result.states = {{{true, false, true, true, true, false}, "!loaded"},
                   {{true, true, true, true, true, false}, "loaded"}};
  const TrackedUpdate loaded{{"d", "duration"}}, more{{"n", "n + 1"}}, less{{"n", "n - 1"}},
      mode{{"m", "wanted"}};
  result.transitions = {{0, 3, 0, 0, {}, less},      {0, 0, 0, 1, {}, loaded},
                        {0, 2, 0, 0, {}, more},      {0, 4, 0, 0, {}, mode},
                        {1, 3, 0, 1, {}, less},      {1, 0, 0, 1, {}, loaded},
                        {1, 2, 0, 1, {}, more},      {1, 1, 0, 1, "ms < d", {}},
                        {1, 1, 1, 1, "d <= ms", {}}, {1, 4, 0, 1, {}, mode}};
  for (const State q : {State{0}, State{1}}) {
    result.guards.push_back({q, 0, "url != null && url.size > 0 && 0 <= duration"});
    if (q == 1) result.guards.push_back({q, 1, "0 <= ms && ms <= d"});
    result.guards.push_back({q, 3, "n > 0"});
    result.guards.push_back({q, 4, "wanted != m"});
    if (q == 0) result.forbidden.push_back({q, 1, "State", "player.tir:8", {"seek"}, {}});
    result.forbidden.push_back({q, 5, "State", "player.tir:20", {"stop"}, {}});
  }
  result.forbidden.insert(
      result.forbidden.end() - 1,
      {State{1}, 1, "Range", "player.tir:9", {"load(\"a\", 5)", "seek(-1)"}, {}});
  result.left_out = {{"position", "never fails and changes nothing"}};
  result.aside = {{"load", "player.tir:7", "disk.read() decides", true}};
  result.verdict.safe = result.verdict.permissive = Claim::Proved;
  return result;
}

} // namespace tacit::test
