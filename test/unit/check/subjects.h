// Components from `.tir` text and interfaces for them from a few lines, for tests of the evidence
// checker.
//
//   start Lock 0                constructor, state
//   label 0 !held               state, predicate
//   0 lock 1                    a transition; its call's outcomes are merged to `any`
//   0 try:returns=true 1        or not
//
// and with guarded arguments
//
//   track n int items           a tracked value: name, type, term
//   start Lock 0 when p > 0 set n = 0, m = p
//   guard 0 push x > n          state, call, condition
//   0 push 1 when x > 0 set n = n + 1
//   must 1 !ok from 0 2=1       a must-node: state, predicate; transitions with their sources
//   (none:
//                               the label), by their place after sorting
//
// Calls without transition in a state are refused there; shortest words and error sites are filled
// in.
#pragma once

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "automata/shortest.h"
#include "check/check.h"
#include "program/text/read.h"

namespace tacit {

inline Component component_from(const std::string& tir, const ComponentOptions& options = {}) {
  const auto module = read_module(tir, "test.tir");
  if (!module) throw std::runtime_error(to_string(module.error()));
  auto component = build_component(*module, options);
  if (!component) throw std::runtime_error(to_string(component.error()));
  return std::move(*component);
}

inline void set_site(const Component& component, const Call& call, Refusal& refusal) {
  for (const Block& block : component.body(call).blocks) {
    if (block.end.kind != TerminatorKind::Error) continue;
    refusal.error = block.end.name;
    refusal.at = to_string(block.end.where);
    return;
  }
}

/// Words and sites of all refusals, and which calls have none yet.
inline void fill_refusals(const Component& component, Interface& interface) {
  interface.forbidden.clear();
  for (std::size_t k = 0; k < interface.constructors.size(); ++k) {
    const std::string& name = interface.constructors[k];
    if (std::ranges::find(interface.initial, name, &InitialState::constructor) !=
        interface.initial.end())
      continue;
    Refusal refusal;
    refusal.call = k;
    refusal.word = {name};
    set_site(component, component.constructors()[k], refusal);
    if (!refusal.error.empty()) interface.forbidden.push_back(refusal);
  }
  // With cells there may be several ways on; then words are left out.
  const bool words = interface.options.arguments != Arguments::Guarded;
  if (!words) interface.omitted = {"words"};
  const ShortestWords shortest(words ? automaton_of(interface) : Dfa(0));
  const auto letters = letters_of(interface);
  for (State q = 0; q < interface.states.size(); ++q) {
    std::vector<std::pair<std::string, std::size_t>> refused;
    for (std::size_t call = 0; call < interface.calls.size(); ++call)
      if (!interface.states[q].allows[call]) refused.emplace_back(interface.calls[call].name, call);
    std::ranges::sort(refused);
    for (const auto& [name, call] : refused) {
      Refusal refusal;
      refusal.state = q;
      refusal.call = call;
      if (words && shortest.reachable(q))
        for (Letter letter : shortest.to(q)) {
          const auto [c, o] = letters.letters[letter];
          refusal.word.push_back(letter_name(interface.calls[c], o));
        }
      if (words) refusal.word.push_back(name);
      set_site(component, component.calls()[*component.find_call(name)], refusal);
      interface.forbidden.push_back(std::move(refusal));
    }
  }
}

inline std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// What follows a keyword, which is cut off; empty when there is none.
inline std::string cut(std::string& line, const std::string& keyword) {
  const auto at = line.find(" " + keyword + " ");
  if (at == std::string::npos) return "";
  const std::string rest = trimmed(line.substr(at + keyword.size() + 2));
  line.resize(at);
  return rest;
}

/// `n = n + 1, m = p`.
inline TrackedUpdate update_from(std::string text) {
  TrackedUpdate update;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string one = text.substr(0, comma);
    const auto equals = one.find(" = ");
    update[trimmed(one.substr(0, equals))] = trimmed(one.substr(equals + 3));
    text = comma == std::string::npos ? "" : text.substr(comma + 1);
  }
  return update;
}

inline Interface interface_from(const Component& component, const std::string& text) {
  struct Line {
    State from, to;
    std::string call, outcome, when;
    TrackedUpdate set;
  };
  std::vector<std::tuple<State, std::string, std::string>> guards;
  Interface interface;
  interface.component_name = component.name();
  interface.options = component.options();
  interface.errors = component.errors();
  interface.verdict = {Claim::Proved,          Claim::Proved, Claim::Proved, true, {},
                       component.assumptions()};
  std::vector<Line> lines;
  std::set<std::string> split;
  std::istringstream in(text);
  const auto state = [&](State q) {
    if (q >= interface.states.size()) interface.states.resize(q + 1);
    return q;
  };
  for (std::string line; std::getline(in, line);) {
    const bool plain = line.starts_with("label") || line.starts_with("guard") ||
                       line.starts_with("track") || line.starts_with("must");
    const TrackedUpdate set = plain ? TrackedUpdate{} : update_from(cut(line, "set"));
    const std::string when = plain ? "" : cut(line, "when");
    std::istringstream words(line);
    std::string first, second;
    if (!(words >> first)) continue;
    State number = 0;
    if (first == "start") {
      words >> second >> number;
      interface.initial.push_back({second, state(number), when, set});
    } else if (first == "track") {
      TrackedValue value;
      words >> value.name >> value.type;
      std::getline(words >> std::ws, value.term);
      interface.tracked.push_back(value);
    } else if (first == "guard") {
      std::string condition;
      words >> number >> second;
      std::getline(words >> std::ws, condition);
      guards.emplace_back(state(number), second, condition);
    } else if (first == "must") {
      std::istringstream sources(cut(line, "from"));
      MustNode node;
      std::istringstream rest(line);
      rest >> first >> node.state;
      std::getline(rest >> std::ws, node.predicate);
      for (std::string source; sources >> source;) {
        MustNode::Incoming entry;
        entry.transition = std::stoul(source);
        if (const auto at = source.find('='); at != std::string::npos)
          entry.source = std::stoul(source.substr(at + 1));
        node.incoming.push_back(entry);
      }
      interface.evidence.must.push_back(node);
    } else if (first == "label") {
      words >> number;
      std::string label;
      std::getline(words >> std::ws, label);
      interface.states[state(number)].label = label;
    } else {
      words >> second >> number;
      Line t{state(static_cast<State>(std::stoul(first))), state(number), second, "", when, set};
      if (const auto colon = second.find(':'); colon != std::string::npos) {
        t.call = second.substr(0, colon);
        t.outcome = second.substr(colon + 1);
        split.insert(t.call);
      }
      lines.push_back(t);
    }
  }
  for (const Call& call : component.calls())
    interface.calls.push_back(
        {call.name, split.contains(call.name) ? call.outcomes : std::vector<std::string>{"any"}});
  for (const Call& call : component.constructors()) interface.constructors.push_back(call.name);
  for (InterfaceState& s : interface.states) {
    s.allows.resize(interface.calls.size());
    interface.evidence.safe.push_back(s.label);
  }
  for (const Line& line : lines) {
    InterfaceTransition t;
    t.from = line.from;
    t.to = line.to;
    t.call = interface.find_call(line.call).value();
    const auto& outcomes = interface.calls[t.call].outcomes;
    if (!line.outcome.empty())
      t.outcome =
          static_cast<std::size_t>(std::ranges::find(outcomes, line.outcome) - outcomes.begin());
    if (t.outcome >= outcomes.size()) throw std::runtime_error("no outcome " + line.outcome);
    t.when = line.when;
    t.set = line.set;
    interface.states[t.from].allows[t.call] = true;
    interface.transitions.push_back(t);
  }
  std::ranges::stable_sort(interface.transitions, {}, [&](const InterfaceTransition& t) {
    return std::tuple(t.from, interface.calls[t.call].name,
                      interface.calls[t.call].outcomes[t.outcome]);
  });
  for (const auto& [q, call, condition] : guards)
    interface.guards.push_back({q, interface.find_call(call).value(), condition});
  fill_refusals(component, interface);
  return interface;
}

inline std::string text_of(const CheckReport& report) {
  std::string text;
  for (const Finding& finding : report.rejected) text += "rejected " + to_string(finding) + "\n";
  for (const Finding& finding : report.unknown) text += "unknown " + to_string(finding) + "\n";
  return text;
}

inline CheckReport check(const Interface& interface, const Component& component) {
  return check_evidence(interface, component, {});
}

inline bool rejects(const CheckReport& report, const std::string& obligation) {
  return std::ranges::find(report.rejected, obligation, &Finding::obligation) !=
         report.rejected.end();
}
inline bool undecided(const CheckReport& report, const std::string& obligation) {
  return std::ranges::find(report.unknown, obligation, &Finding::obligation) !=
         report.unknown.end();
}

} // namespace tacit
