#include "check/structure.h"

#include <algorithm>
#include <set>

#include "automata/minimise.h"
#include "automata/shortest.h"
#include "interface/written_value.h"

namespace tacit {

namespace {

bool omits(const Interface& interface, std::string_view what) {
  return std::ranges::find(interface.omitted, what) != interface.omitted.end();
}

/// Numbers that point outside, which the reader should have refused.
bool numbers_fit(const Interface& interface) {
  const std::size_t states = interface.states.size(), calls = interface.calls.size();
  for (const InterfaceState& state : interface.states)
    if (state.allows.size() != calls) return false;
  for (const InterfaceTransition& t : interface.transitions)
    if (t.from >= states || t.to >= states || t.call >= calls ||
        t.outcome >= interface.calls[t.call].outcomes.size())
      return false;
  for (const InitialState& initial : interface.initial)
    if (initial.state >= states) return false;
  for (const Refusal& refusal : interface.forbidden)
    if (refusal.state ? *refusal.state >= states || refusal.call >= calls
                      : refusal.call >= interface.constructors.size())
      return false;
  return true;
}

class Aligner {
public:
  Aligner(const Interface& interface, const Component& component, Findings& findings)
      : interface_(interface), component_(component), findings_(findings) {}

  std::optional<Alignment> run() {
    if (!numbers_fit(interface_))
      return broken("numbers of states, calls or outcomes point outside the result");
    if (!calls() || !constructors() || !table()) return std::nullopt;
    return std::move(result_);
  }

private:
  std::optional<Alignment> broken(std::string message) {
    findings_.reject(ClaimSet::all(), "structure", std::move(message));
    return std::nullopt;
  }

  bool wrong(std::string message) {
    broken(std::move(message));
    return false;
  }

  bool calls() {
    const auto& known = component_.calls();
    result_.written_call.resize(known.size());
    result_.written.resize(known.size());
    std::vector<bool> met(known.size());
    for (std::size_t i = 0; i < interface_.calls.size(); ++i) {
      const InterfaceCall& written = interface_.calls[i];
      const auto call = component_.find_call(written.name);
      if (!call) return wrong(fmt::format("the component has no call '{}'", written.name));
      if (met[*call]) return wrong(fmt::format("call '{}' is listed twice", written.name));
      met[*call] = true;
      result_.call.push_back(*call);
      result_.written_call[*call] = i;
      if (!outcomes(written, *call)) return false;
    }
    for (std::size_t call = 0; call < known.size(); ++call)
      if (!met[call])
        return wrong(fmt::format("the component's call '{}' is missing", known[call].name));
    return true;
  }

  bool outcomes(const InterfaceCall& written, std::size_t call) {
    const auto& known = component_.calls()[call].outcomes;
    std::vector<std::uint32_t> places(known.size(), Alignment::none);
    std::vector<std::vector<std::size_t>> stands_for(written.outcomes.size());
    for (std::size_t i = 0; i < written.outcomes.size(); ++i) {
      const std::string& name = written.outcomes[i];
      const bool merged = name == "any" && written.outcomes.size() == 1;
      for (std::size_t outcome = 0; outcome < known.size(); ++outcome) {
        if (!merged && known[outcome] != name) continue;
        if (places[outcome] != Alignment::none)
          return wrong(
              fmt::format("outcome '{}' of call '{}' is listed twice", name, written.name));
        places[outcome] = static_cast<std::uint32_t>(i);
        stands_for[i].push_back(outcome);
      }
      if (stands_for[i].empty())
        return wrong(fmt::format("call '{}' has no outcome '{}'", written.name, name));
    }
    result_.written[call] = std::move(places);
    result_.stands_for.push_back(std::move(stands_for));
    return true;
  }

  bool constructors() {
    const auto& known = component_.constructors();
    const auto find = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(known, name, &Call::name) - known.begin());
    };
    for (const std::string& name : interface_.constructors)
      if (find(name) == known.size())
        return wrong(fmt::format("the component has no constructor '{}'", name));
    result_.start.assign(known.size(), no_state);
    result_.starts.resize(known.size());
    for (std::size_t i = 0; i < interface_.initial.size(); ++i) {
      const InitialState& initial = interface_.initial[i];
      const std::size_t index = find(initial.constructor);
      if (index == known.size())
        return wrong(fmt::format("the component has no constructor '{}'", initial.constructor));
      if (result_.start[index] != no_state && !guarded(component_))
        return wrong(fmt::format("constructor '{}' has two start states", initial.constructor));
      if (result_.start[index] == no_state) result_.start[index] = initial.state;
      result_.starts[index].push_back(i);
    }
    return true;
  }

  bool table() {
    result_.letters = component_.letters();
    result_.transitions.assign(interface_.states.size() * result_.letters, Alignment::none);
    result_.sibling.assign(interface_.transitions.size(), Alignment::none);
    std::vector<std::uint32_t> last(interface_.transitions.size(), Alignment::none);
    bool fine = true;
    for (std::size_t i = 0; i < interface_.transitions.size(); ++i) {
      const InterfaceTransition& t = interface_.transitions[i];
      const std::string& name = interface_.calls[t.call].name;
      if (!interface_.states[t.from].allows[t.call])
        fine = wrong(fmt::format("state q{} has a transition with call '{}', which it refuses",
                                 t.from, name));
      for (std::size_t outcome : result_.stands_for[t.call][t.outcome]) {
        auto& place = result_.transitions[t.from * result_.letters +
                                          component_.letter_of(result_.call[t.call], outcome)];
        const auto mine = static_cast<std::uint32_t>(i);
        if (place == Alignment::none) {
          place = last[i] = mine;
        } else if (guarded(component_)) {
          // The outcomes that a transition stands for are those of its siblings.
          if (last[place] == mine) continue;
          result_.sibling[last[place]] = mine;
          last[place] = mine;
        } else {
          return wrong(fmt::format("state q{} has two transitions with '{}'", t.from,
                                   letter_name(interface_.calls[t.call], t.outcome)));
        }
      }
    }
    return fine;
  }

  const Interface& interface_;
  const Component& component_;
  Findings& findings_;
  Alignment result_;
};

/// An `error` terminator of this name at this place; an empty place means any.
bool has_site(const Procedure& body, const std::string& error, const std::string& at) {
  return std::ranges::any_of(body.blocks, [&](const Block& block) {
    return block.end.kind == TerminatorKind::Error && block.end.name == error &&
           (at.empty() || same_place(at, block.end.site()));
  });
}

} // namespace

std::optional<Alignment> align(const Interface& interface, const Component& component,
                               Findings& findings) {
  return Aligner(interface, component, findings).run();
}

std::span<const std::string> without_constructor(const Interface& interface,
                                                 std::span<const std::string> word,
                                                 std::optional<std::size_t>& constructor) {
  constructor.reset();
  if (word.empty() || interface.find_call(word[0])) return word;
  const auto named = [&](std::string_view text) {
    return std::ranges::find(interface.constructors, text);
  };
  auto found = named(word[0]);
  if (found == interface.constructors.end() && !parse_letter_of(interface, word[0])) {
    const auto written = parse_written_call(word[0], [&](std::string_view text) {
      return named(text) != interface.constructors.end();
    });
    if (written) found = named(written->name);
  }
  if (found == interface.constructors.end()) return word;
  constructor = static_cast<std::size_t>(found - interface.constructors.begin());
  return word.subspan(1);
}

Result<WrittenLetter> parse_letter_of(const Interface& interface, std::string_view text) {
  auto letter = parse_letter(interface, text);
  if (letter) return letter;
  const auto written = parse_written_call(
      text, [&](std::string_view name) { return interface.find_call(name).has_value(); });
  if (!written) return letter;
  return parse_letter(interface, written->outcome.empty() ? written->name
                                                          : written->name + ":" + written->outcome);
}

std::set<State> follow_word(const Interface& interface, const Alignment& alignment, State start,
                            std::span<const std::string> word) {
  std::set<State> states{start};
  for (const std::string& text : word) {
    const auto letter = parse_letter_of(interface, text);
    if (!letter) return {};
    const auto& outcomes = alignment.stands_for[letter->call];
    if (!letter->outcome && outcomes.size() != 1) return {}; // which one?
    std::set<State> next;
    for (State state : states)
      for (const InterfaceTransition& t : interface.outgoing(state, letter->call))
        if (t.outcome == letter->outcome.value_or(0)) next.insert(t.to);
    states = std::move(next);
  }
  return states;
}

namespace {

/// The refusals of a result, one by one: who refuses what, by which word, at which site.
class Refusals {
public:
  Refusals(const Interface& interface, const Component& component, const Alignment& alignment,
           bool pruned, Findings& findings)
      : interface_(interface), component_(component), alignment_(alignment), pruned_(pruned),
        findings_(findings), accounted_(interface.states.size() * interface.calls.size()) {
    if (!guarded(component)) shortest_.emplace(automaton_of(interface));
  }

  void run() {
    for (const Refusal& refusal : interface_.forbidden) {
      if (findings_.stop()) return;
      check(refusal);
    }
    if (omits(interface_, "forbidden")) return;
    for (State q = 0; q < interface_.states.size() && !findings_.stop(); ++q)
      for (std::size_t call = 0; call < interface_.calls.size(); ++call)
        if (!interface_.states[q].allows[call] && !accounted_[q * interface_.calls.size() + call])
          findings_.reject({.permissive = true},
                           fmt::format("refusal of {} in q{}", interface_.calls[call].name, q),
                           "the call is refused, but no entry of 'forbidden' says why");
  }

private:
  void check(const Refusal& refusal) {
    const std::string& name = interface_.refused_name(refusal);
    const Call& call =
        refusal.state ? component_.calls()[alignment_.call[refusal.call]] : constructor(name);
    if (refusal.state)
      in_state(refusal, name);
    else if (const auto& starts = alignment_.starts[index_of(call)]; std::ranges::any_of(
                 starts, [&](std::size_t i) { return interface_.initial[i].when.empty(); }))
      findings_.reject(ClaimSet::all(), fmt::format("refusal of {}", name),
                       "the constructor is allowed");
    check_word(refusal, name);
    check_site(refusal, name, call);
  }

  const Call& constructor(const std::string& name) const {
    return *std::ranges::find(component_.constructors(), name, &Call::name);
  }
  std::size_t index_of(const Call& constructor) const {
    return static_cast<std::size_t>(&constructor - component_.constructors().data());
  }

  /// A call that has a guard may be refused too: for other arguments.
  void in_state(const Refusal& refusal, const std::string& name) {
    const std::string obligation = fmt::format("refusal of {} in q{}", name, *refusal.state);
    const bool some = interface_.find_guard(*refusal.state, refusal.call) != nullptr;
    if (interface_.states[*refusal.state].allows[refusal.call] && !some)
      findings_.reject(ClaimSet::all(), obligation, "the call is allowed there");
    auto accounted = accounted_[*refusal.state * interface_.calls.size() + refusal.call];
    if (accounted && !guarded(component_))
      findings_.reject({}, obligation, "the refusal is listed twice");
    accounted = true;
  }

  void check_word(const Refusal& refusal, const std::string& name) {
    const std::string obligation = refusal.state
                                       ? fmt::format("word of {} in q{}", name, *refusal.state)
                                       : fmt::format("word of {}", name);
    const std::string text = fmt::format("{}", fmt::join(refusal.word, " "));
    const auto wrong = [&](std::string message) {
      findings_.reject({}, obligation, std::move(message), text);
    };
    if (refusal.word.empty()) {
      if (!omits(interface_, "words")) findings_.reject({}, obligation, "the refusal has no word");
      return;
    }
    if (!refusal.state) {
      if (refusal.word.size() != 1 || call_name(refusal.word[0]) != name)
        wrong("the word should be the constructor");
      return;
    }
    std::optional<std::size_t> constructor;
    const auto word = without_constructor(interface_, refusal.word, constructor);
    const auto last = word.empty() ? fail("") : parse_letter_of(interface_, word.back());
    if (!last || last->call != refusal.call)
      return wrong("the word does not end in the refused call");
    const auto before = word.first(word.size() - 1);
    std::set<State> ends;
    for (const InitialState& initial : interface_.initial)
      if (!constructor || interface_.constructors[*constructor] == initial.constructor)
        ends.merge(follow_word(interface_, alignment_, initial.state, before));
    if (!ends.contains(*refusal.state))
      return wrong(fmt::format("the word does not lead to q{}", *refusal.state));
    // With guarded arguments more may be needed to satisfy the guards on the way.
    if (shortest_ && before.size() != shortest_->length(*refusal.state) &&
        (interface_.verdict.full == Claim::Proved || !refusal.run))
      wrong(fmt::format("the word is not a shortest one; {} letters suffice",
                        shortest_->length(*refusal.state) + 1));
  }

  std::string call_name(const std::string& letter) const {
    const auto& names = interface_.constructors;
    const auto written = parse_written_call(letter, [&](std::string_view text) {
      return std::ranges::find(names, text) != names.end();
    });
    return written ? written->name : "";
  }

  /// Where permissiveness is not claimed, a call may be refused only because it was not shown safe.
  void check_site(const Refusal& refusal, const std::string& name, const Call& call) {
    const bool unproved =
        interface_.verdict.permissive != Claim::Proved && refusal.error == not_shown_safe;
    if (unproved || (pruned_ && refusal.error == no_way_on)) return;
    if (!has_site(component_.body(call), refusal.error, refusal.at))
      findings_.reject({},
                       refusal.state ? fmt::format("error of {} in q{}", name, *refusal.state)
                                     : fmt::format("error of {}", name),
                       fmt::format("the call has no error '{}' at {}", refusal.error,
                                   refusal.at.empty() ? "any place" : refusal.at));
  }

  const Interface& interface_;
  const Component& component_;
  const Alignment& alignment_;
  bool pruned_;
  Findings& findings_;
  std::vector<bool> accounted_;
  std::optional<ShortestWords> shortest_;
};

} // namespace

void check_refusals(const Interface& interface, const Component& component,
                    const Alignment& alignment, bool pruned, Findings& findings) {
  Refusals(interface, component, alignment, pruned, findings).run();
}

bool is_minimal(const Interface& interface) {
  return minimise(automaton_of(interface)).dfa.states() == interface.states.size();
}

bool same_place(const std::string& written, const Location& where) {
  if (written == to_string(where)) return true;
  return written == to_string(Location{where.file, where.line, 0});
}

std::string arrow(const Component& component, State from, std::size_t letter, State to) {
  return fmt::format("q{} --{}--> q{}", from, component.letter_name(letter), to);
}

} // namespace tacit
