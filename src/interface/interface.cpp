#include "interface/interface.h"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "base/should.h"
#include "logic/term/parse.h"

namespace tacit {

std::string to_string(Claim claim) {
  switch (claim) {
  case Claim::Proved: return "proved";
  case Claim::Refuted: return "refuted";
  case Claim::Bounded: return "bounded";
  case Claim::Unknown: return "unknown";
  }
  should_not_be_reached("a claim should be one of the four");
}

std::optional<std::size_t> Interface::find_call(std::string_view name) const {
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].name == name) return i;
  return std::nullopt;
}

std::span<const InterfaceTransition> Interface::outgoing(State from) const {
  const auto range = std::ranges::equal_range(transitions, from, {}, &InterfaceTransition::from);
  return {range.begin(), range.end()};
}

std::span<const InterfaceTransition> Interface::outgoing(State from, std::size_t call) const {
  const auto all = outgoing(from);
  const auto name = [&](const InterfaceTransition& t) -> std::string_view {
    return calls[t.call].name;
  };
  const auto range = std::ranges::equal_range(all, std::string_view(calls[call].name), {}, name);
  return {range.begin(), range.end()};
}

State Interface::next(State from, std::size_t call, std::size_t outcome) const {
  for (const InterfaceTransition& t : outgoing(from, call))
    if (t.outcome == outcome) return t.to;
  return no_state;
}

const Refusal* Interface::find_refusal(std::optional<State> state, std::size_t call) const {
  for (const Refusal& refusal : std::ranges::equal_range(forbidden, state, {}, &Refusal::state))
    if (refusal.call == call) return &refusal;
  return nullptr;
}

std::string Refusal::shown_error() const { return raised.empty() ? error : "throws:" + raised; }

std::string Refusal::shown_at() const {
  if (called_at.empty()) return at;
  return fmt::format("{}, through {} ({})", called_at, through, at);
}

const std::string& Interface::refused_name(const Refusal& refusal) const {
  if (refusal.state) return calls.at(refusal.call).name;
  should(refusal.call < constructors.size(),
         "a result should list all constructors, the refused ones too");
  return constructors[refusal.call];
}

std::size_t Interface::undecided_sites() const {
  return static_cast<std::size_t>(std::ranges::count(aside, false, &SetAside::decided));
}

bool EpaAbout::is_open(State state, std::size_t call) const {
  return std::ranges::find(open, std::pair(state, call)) != open.end();
}

const ArgumentGuard* Interface::find_guard(State state, std::size_t call) const {
  if (options.arguments != Arguments::Guarded) return nullptr;
  for (const ArgumentGuard& guard : guards)
    if (guard.state == state && guard.call == call) return &guard;
  return nullptr;
}

bool Interface::guarded() const {
  const auto conditional = [](const auto& part) { return !part.when.empty() || !part.set.empty(); };
  return !tracked.empty() || (options.arguments == Arguments::Guarded && !guards.empty()) ||
         std::ranges::any_of(initial, conditional) || std::ranges::any_of(transitions, conditional);
}

std::vector<std::string> Interface::call_names() const {
  std::vector<std::string> names;
  for (const InterfaceCall& call : calls) names.push_back(call.name);
  return names;
}

std::vector<std::string> Interface::constructor_names() const {
  std::vector<std::string> names = constructors;
  for (const InitialState& start : initial)
    if (std::ranges::find(names, start.constructor) == names.end())
      names.push_back(start.constructor);
  return names;
}

std::vector<std::size_t> Interface::never_allowed() const {
  std::vector<std::size_t> never;
  for (std::size_t call = 0; call < calls.size(); ++call)
    if (std::ranges::none_of(states, [&](const InterfaceState& q) { return q.allows[call]; }))
      never.push_back(call);
  return never;
}

InterfaceLetters letters_of(const Interface& interface) {
  InterfaceLetters result;
  for (std::size_t call = 0; call < interface.calls.size(); ++call) {
    result.first.push_back(result.letters.size());
    for (std::size_t outcome = 0; outcome < interface.calls[call].outcomes.size(); ++outcome)
      result.letters.emplace_back(call, outcome);
  }
  return result;
}

Dfa automaton_of(const Interface& interface) {
  const InterfaceLetters letters = letters_of(interface);
  Dfa dfa(letters.letters.size());
  dfa.reserve(interface.states.size());
  std::map<std::vector<bool>, Colour> colours;
  for (const InterfaceState& state : interface.states)
    dfa.add_state(
        colours.try_emplace(state.allows, static_cast<Colour>(colours.size() + 1)).first->second);
  for (const InterfaceTransition& t : interface.transitions) {
    const Letter letter = static_cast<Letter>(letters.first[t.call] + t.outcome);
    should(dfa.next(t.from, letter) == no_state,
           "an interface that is made an automaton should be deterministic");
    dfa.set_next(t.from, letter, t.to);
  }
  for (const InitialState& start : interface.initial) dfa.add_entry(start.state);
  return dfa;
}

std::string to_string(const OpaqueNeed& need) {
  std::string text = fmt::format("{}{}, called by {}, {}", need.only ? "only if " : "here because ",
                                 need.callee, need.call, need.behaviour);
  for (std::size_t i = 0; i < need.arguments.size(); ++i)
    text += (i == 0 ? " for " : " and ") + need.arguments[i];
  return text;
}

std::string letter_name(const InterfaceCall& call, std::size_t outcome) {
  return call.outcomes.size() == 1 ? call.name : call.name + ":" + call.outcomes.at(outcome);
}

namespace {

/// The last colon without a colon on either side: `io::read:returns=0`.
std::size_t last_single_colon(std::string_view text) {
  for (std::size_t at = text.rfind(':'); at != std::string_view::npos;) {
    std::size_t first = at;
    while (first > 0 && text[first - 1] == ':') --first;
    if (first == at) return at;
    at = first == 0 ? std::string_view::npos : text.rfind(':', first - 1);
  }
  return std::string_view::npos;
}

bool spelt_like_an_outcome(std::string_view text) {
  constexpr std::string_view conditions = "=!<>";
  return text == "returns" ||
         (text.starts_with("returns") && text.size() > 8 && conditions.contains(text[7])) ||
         (text.starts_with("throws=") && text.size() > 7);
}

} // namespace

Result<WrittenLetter> parse_letter(const Interface& interface, std::string_view text) {
  if (const auto call = interface.find_call(text)) return WrittenLetter{*call, std::nullopt};
  const std::size_t colon = last_single_colon(text);
  const std::string_view name = text.substr(0, colon);
  const auto call = interface.find_call(name);
  if (!call) {
    std::vector<std::string> names;
    for (const InterfaceCall& known : interface.calls) names.push_back(known.name);
    return fail("unknown call '{}'{}", name, suggestion(name, names));
  }
  const std::string_view outcome = text.substr(colon + 1);
  const auto& outcomes = interface.calls[*call].outcomes;
  const auto found = std::ranges::find(outcomes, outcome);
  if (found != outcomes.end())
    return WrittenLetter{*call, static_cast<std::size_t>(found - outcomes.begin())};
  if (outcome == "any") return WrittenLetter{*call, std::nullopt};
  const bool merged = outcomes.size() == 1 && outcomes.front() == "any";
  if (merged && spelt_like_an_outcome(outcome)) return WrittenLetter{*call, 0};
  auto error =
      fail("call '{}' has no outcome '{}'{}", name, outcome, suggestion(outcome, outcomes));
  error.error().notes.push_back(fmt::format("its outcomes are {}", fmt::join(outcomes, ", ")));
  return error;
}

} // namespace tacit
