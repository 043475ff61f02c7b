#include "export/guarded_text.h"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "interface/calling.h"
#include "interface/conditions.h"
#include "logic/term/print.h"
#include "program/ir/names.h"
#include "program/text/read.h"

namespace tacit {

namespace {

std::vector<std::string> parameter_names(const Procedure* procedure) {
  std::vector<std::string> names;
  if (procedure)
    for (const Variable& parameter : procedure->parameters)
      names.emplace_back(source_name(parameter.name()));
  return names;
}

/// Whether a condition or update mentions one of the names.
bool mentions(std::string_view text, const std::vector<std::string>& names) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  return std::ranges::any_of(names, [&](const std::string& name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      const bool starts = at == 0 || (!part(text[at - 1]) && text[at - 1] != '.');
      if (starts && (end == text.size() || !part(text[end]) || text[end] == '_')) return true;
    }
    return false;
  });
}

bool mentions(const TrackedUpdate& set, const std::vector<std::string>& names) {
  return std::ranges::any_of(set, [&](const auto& item) { return mentions(item.second, names); });
}

std::string with_condition(std::string text, const std::string& when, const std::string& set) {
  if (!when.empty()) text += " when " + when;
  if (!set.empty()) text += " / " + set;
  return text;
}

std::string called(std::string_view name, const std::vector<std::string>& parameters) {
  return fmt::format("{}({})", bare_name(name), fmt::join(parameters, ", "));
}

} // namespace

GuardedText::GuardedText(const Interface& interface)
    : interface_(interface), words_(interface), parameters_(interface.calls.size()) {
  for (const InterfaceCall& call : interface.calls) calls_.push_back(call.name);
  if (!interface.guarded() || interface.tir.empty()) return;
  const auto module = read_module(interface.tir, interface.component_name + ".tir");
  if (!module) return;
  const Calling calling(interface, *module);
  std::vector<bool> matters(interface.calls.size());
  for (std::size_t call = 0; call < interface.calls.size(); ++call)
    parameters_[call] = parameter_names(calling.procedure(interface.calls[call].name));
  for (const ArgumentGuard& guard : interface.guards)
    if (mentions(guard.condition, parameters_[guard.call])) matters[guard.call] = true;
  for (const InterfaceTransition& t : interface.transitions)
    if (mentions(t.when, parameters_[t.call]) || mentions(t.set, parameters_[t.call]))
      matters[t.call] = true;
  std::map<std::string, std::size_t> overloads; // names of parameters may not tell them apart
  for (std::size_t call = 0; call < interface.calls.size(); ++call)
    ++overloads[called(interface.calls[call].name, parameters_[call])];
  for (std::size_t call = 0; call < interface.calls.size(); ++call)
    if (std::string text = called(interface.calls[call].name, parameters_[call]);
        matters[call] && overloads[text] == 1)
      calls_[call] = std::move(text);
  for (const InitialState& start : interface.initial) {
    const auto names = parameter_names(calling.procedure(start.constructor));
    if (mentions(start.when, names) || mentions(start.set, names))
      constructors_.emplace_back(start.constructor, called(start.constructor, names));
  }
}

std::string GuardedText::guard(State state, std::size_t call) const {
  const ArgumentGuard* guard = interface_.find_guard(state, call);
  return guard ? words_.guard(interface_.calls[call].name, guard->condition) : "";
}

std::string GuardedText::letter(const InterfaceTransition& transition) const {
  const InterfaceCall& call = interface_.calls[transition.call];
  const std::string& name = calls_[transition.call];
  return call.outcomes.size() == 1 ? name : name + ":" + call.outcomes.at(transition.outcome);
}

std::string GuardedText::when(const InterfaceTransition& transition) const {
  const ArgumentGuard* guard = interface_.find_guard(transition.from, transition.call);
  return words_.guard(interface_.calls[transition.call].name, guard ? guard->condition : "",
                      transition.when);
}

std::string GuardedText::edge(const InterfaceTransition& transition) const {
  return with_condition(letter(transition), when(transition), updates(transition.set));
}

std::string GuardedText::whole_call(const InterfaceTransition& transition) const {
  return with_condition(calls_[transition.call], when(transition), updates(transition.set));
}

std::string GuardedText::start(const InitialState& start) const {
  const auto found =
      std::ranges::find(constructors_, start.constructor,
                        [](const auto& pair) -> const std::string& { return pair.first; });
  return with_condition(found == constructors_.end() ? start.constructor : found->second,
                        words_.guard(start.constructor, start.when), updates(start.set));
}

std::string GuardedText::updates(const TrackedUpdate& set) const {
  // What a query returns is asked for, not written to: such values keep their names.
  const bool asked = std::ranges::any_of(
      interface_.tracked, [](const TrackedValue& value) { return !value.shown.empty(); });
  std::vector<std::string> parts;
  for (const auto& [name, value] : set) {
    if (std::string keys = words_.key_update(name, value); !keys.empty()) {
      parts.push_back(std::move(keys));
      continue;
    }
    parts.push_back(asked ? name + " := " + value
                          : words_.condition(quote_name(name)) + " := " + words_.condition(value));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> tracked_lines(const Interface& interface) {
  std::vector<std::string> lines;
  const SourceWords words(interface);
  for (const TrackedValue& value : interface.tracked) {
    if (const std::string owner = words.keys_owner(value.name); !owner.empty()) {
      lines.push_back("the keys of " + owner);
      continue;
    }
    const bool many = value.type.contains('<'), asked = !value.shown.empty();
    const std::string name = asked ? value.name : words.condition(quote_name(value.name)),
                      term = many || asked ? value.term : words.condition(value.term);
    std::string text = fmt::format("{} : {}", name, value.type);
    if (asked) text += ", " + value.shown;
    if (term != (asked ? value.shown : name)) text += fmt::format(" ({})", term);
    lines.push_back(std::move(text));
  }
  return lines;
}

std::vector<std::string> aside_lines(const Interface& interface) {
  std::vector<std::string> lines;
  for (const SetAside& aside : interface.aside)
    lines.push_back(aside.decided ? fmt::format("{} may also err at {}, whatever you do: {}",
                                                aside.call, aside.site, aside.because)
                                  : fmt::format("{} is not decided at {}: {}", aside.call,
                                                aside.site, aside.because));
  return lines;
}

std::vector<std::string> left_out_lines(const Interface& interface) {
  std::vector<std::string> lines;
  for (const LeftOut& out : interface.left_out) lines.push_back(out.call + ": " + out.reason);
  return lines;
}

std::vector<std::string> error_lines(const Interface& interface) {
  std::vector<std::string> lines;
  for (const std::string& error : interface.errors) {
    const auto sites = interface.error_sites.find(error);
    if (sites == interface.error_sites.end()) {
      if (interface.error_sites.empty()) lines.push_back(error);
      continue;
    }
    std::vector<std::string> kinds;
    if (const auto known = interface.error_kinds.find(error); known != interface.error_kinds.end())
      for (const auto& [kind, count] : known->second)
        kinds.push_back(fmt::format("{} {}", kind, count));
    lines.push_back(fmt::format("{} ({} {}{}{})", error, sites->second,
                                sites->second == 1 ? "site" : "sites", kinds.empty() ? "" : ": ",
                                fmt::join(kinds, ", ")));
  }
  return lines;
}

std::vector<std::string> never_names(const Interface& interface) {
  std::vector<std::string> names;
  if (interface.kind == "interface" && !interface.states.empty())
    for (const std::size_t call : interface.never_allowed())
      names.push_back(interface.calls[call].name);
  return names;
}

} // namespace tacit
