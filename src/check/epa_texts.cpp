#include "check/epa_texts.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "logic/term/parse.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

/// What is listed when a mined clause takes arguments to be objects with any contents.
constexpr std::string_view contents_assumption =
    "the client can pass objects with any contents as arguments";

/// Commas outside parentheses separate.
std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names{""};
  int depth = 0;
  for (char c : text) {
    if (c == '{' || c == '}' || c == ' ') continue;
    depth += (c == '(') - (c == ')');
    if (c == ',' && depth == 0)
      names.emplace_back();
    else
      names.back() += c;
  }
  std::erase(names, "");
  return names;
}

class Reader {
public:
  Reader(const Interface& interface, const Component& component, Findings& findings)
      : interface_(interface), component_(component), findings_(findings),
        arena_(component.arena()) {}

  std::optional<EpaTexts> run() {
    if (!interface_.epa) return broken("nothing says what the abstraction was computed from");
    if (!calls() || !origin() || !automaton() || !clauses() || !invariant()) return std::nullopt;
    return std::move(made_);
  }

private:
  std::nullopt_t broken(std::string message, std::string detail = "") {
    findings_.reject({}, "structure", std::move(message), std::move(detail));
    return std::nullopt;
  }
  bool wrong(std::string message, std::string detail = "") {
    broken(std::move(message), std::move(detail));
    return false;
  }

  std::optional<Term> condition(const std::string& text, const std::string& what) {
    const auto term =
        parse_expression(text, what, arena_, ModuleScope(component_.module()), arena_.bool_sort());
    if (term) return *term;
    findings_.reject({}, what, "it cannot be read", term.error().message);
    return std::nullopt;
  }

  bool calls() {
    std::vector<bool> met(component_.calls().size());
    for (const InterfaceCall& call : interface_.calls) {
      const auto index = component_.find_call(call.name);
      if (!index) return wrong(fmt::format("the component has no call '{}'", call.name));
      if (met[*index]) return wrong(fmt::format("call '{}' is listed twice", call.name));
      met[*index] = true;
      made_.calls.push_back({.name = call.name, .index = *index, .choices = {}});
    }
    for (std::size_t i = 0; i < met.size(); ++i)
      if (!met[i])
        return wrong(
            fmt::format("the component's call '{}' is missing", component_.calls()[i].name));
    const auto& known = component_.constructors();
    for (const InitialState& start : interface_.initial)
      if (std::ranges::find(known, start.constructor, &Call::name) == known.end())
        return wrong(fmt::format("the component has no constructor '{}'", start.constructor));
    return true;
  }

  bool origin() {
    const auto& clauses = interface_.epa->clauses;
    std::set<std::size_t> met;
    for (const EpaAbout::Clause& clause : clauses) {
      if (clause.from != clauses.front().from) return wrong("clauses come from different places");
      if (!met.insert(clause.call).second)
        return wrong(fmt::format("call '{}' has two clauses", interface_.calls[clause.call].name));
    }
    if (met.size() != interface_.calls.size())
      return wrong(fmt::format("there are {} clauses for {} calls", clauses.size(),
                               interface_.calls.size()));
    const std::string from = clauses.empty() ? "given" : clauses.front().from;
    made_.given = from == "given" || from == "both";
    made_.mined = from == "mined" || from == "both";
    if (!made_.given && !made_.mined) return wrong(fmt::format("clauses are from '{}'", from));
    return true;
  }

  bool automaton() {
    const std::size_t states = interface_.states.size(), calls = interface_.calls.size();
    std::set<std::vector<bool>> sets;
    for (State q = 0; q < states; ++q) {
      if (interface_.states[q].allows.size() != calls)
        return wrong(fmt::format("S{} does not say of every call whether it is enabled", q));
      if (!sets.insert(interface_.states[q].allows).second)
        return wrong(fmt::format("S{} enables the same calls as another state", q));
    }
    std::set<std::tuple<State, std::size_t, State>> transitions;
    std::vector<bool> met(states);
    std::vector<State> queue;
    const auto meet = [&](State q) {
      if (!met[q]) queue.push_back(q);
      met[q] = true;
    };
    std::set<std::pair<std::string, State>> starts;
    for (const InitialState& start : interface_.initial) {
      if (start.state >= states) return wrong("a start state does not exist");
      if (!starts.emplace(start.constructor, start.state).second)
        return wrong(fmt::format("S{} is a start of {} twice", start.state, start.constructor));
      meet(start.state);
    }
    for (const InterfaceTransition& t : interface_.transitions) {
      if (t.from >= states || t.to >= states || t.call >= calls)
        return wrong("a transition points outside the result");
      const std::string& name = interface_.calls[t.call].name;
      if (!interface_.states[t.from].allows[t.call])
        return wrong(
            fmt::format("S{} has a transition by {}, which it does not enable", t.from, name));
      if (!transitions.emplace(t.from, t.call, t.to).second)
        return wrong(fmt::format("S{} has two transitions by {} to S{}", t.from, name, t.to));
    }
    while (!queue.empty()) {
      const State q = queue.back();
      queue.pop_back();
      for (const InterfaceTransition& t : interface_.outgoing(q)) meet(t.to);
    }
    for (State q = 0; q < states; ++q)
      if (!met[q]) return wrong(fmt::format("no way leads to S{}", q));
    return true;
  }

  bool clauses() {
    for (const EpaAbout::Clause& clause : interface_.epa->clauses) {
      EpaCall& call = made_.calls[clause.call];
      const std::string what = "clause of " + call.name;
      const auto above = condition(clause.enabled, what);
      if (!above) return false;
      call.above = call.below = *above;
      if (!clause.surely.empty()) {
        const auto below = condition(clause.surely, what);
        if (!below) return false;
        call.below = *below;
      }
      call.any_contents = clause.any_contents;
      call.loops_end = clause.loops_end;
      if (call.any_contents) assumes(std::string(contents_assumption));
      if (call.loops_end) assumes(call.name + " can return wherever what is known of it allows it");
      for (const std::string& row : clause.choices)
        if (!choices(call, row, what)) return false;
    }
    return true;
  }

  void assumes(const std::string& what) {
    const auto& listed = interface_.verdict.assumptions;
    if (std::ranges::find(listed, what) == listed.end())
      findings_.reject({}, "assumptions", fmt::format("the result does not list '{}'", what));
  }

  /// "index := blockIndex, size := 0".
  bool choices(EpaCall& call, const std::string& row, const std::string& what) {
    const Procedure& body = component_.body(component_.calls()[call.index]);
    std::map<std::string, Term> values;
    for (std::size_t at = 0; at < row.size();) {
      const std::size_t assign = row.find(" := ", at);
      if (assign == std::string::npos) return wrong("the arguments of " + what + " cannot be read");
      const std::string name = row.substr(at, assign - at);
      // The next assignment starts after the last comma before it.
      const std::size_t following = row.find(" := ", assign + 4);
      const std::size_t end =
          following == std::string::npos ? row.size() : row.rfind(", ", following);
      const Variable* parameter = body.find_local(name);
      if (parameter == nullptr) return true; // state that the client may write
      const auto term = parse_expression(row.substr(assign + 4, end - assign - 4), what, arena_,
                                         ModuleScope(component_.module()), parameter->type.sort);
      if (!term) return wrong("the arguments of " + what + " cannot be read", term.error().message);
      values.emplace(name, *term);
      at = end == row.size() ? end : end + 2;
    }
    call.choices.push_back(std::move(values));
    return true;
  }

  bool invariant() {
    const EpaAbout& about = *interface_.epa;
    const auto whole = condition(about.invariant, "invariant");
    if (!whole) return false;
    made_.invariant = *whole;
    std::vector<Term> given;
    if (made_.given) given = component_.module().invariants;
    for (const std::string& text : about.invariants) {
      const auto term = condition(text, "invariant");
      if (!term) return false;
      given.push_back(*term);
    }
    for (const std::string& text : about.facts) {
      const auto term = fact(text);
      if (!term) return false;
      given.push_back(*term);
    }
    made_.given_invariant = arena_.conj(std::move(given));
    return true;
  }

  std::optional<Term> fact(const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) return broken(fmt::format("'{}' is no fact", text));
    const auto names = names_in(text.substr(0, colon));
    std::vector<Term> there;
    for (const EpaCall& call : made_.calls)
      there.push_back(std::ranges::find(names, call.name) != names.end()
                          ? call.below
                          : arena_.negate(call.above));
    const auto then = condition(text.substr(colon + 2), "fact");
    if (!then) return std::nullopt;
    return arena_.implies(arena_.conj(std::move(there)), *then);
  }

  const Interface& interface_;
  const Component& component_;
  Findings& findings_;
  TermArena& arena_;
  EpaTexts made_;
};

} // namespace

std::optional<EpaTexts> read_epa(const Interface& interface, const Component& component,
                                 Findings& findings) {
  return Reader(interface, component, findings).run();
}

} // namespace tacit
