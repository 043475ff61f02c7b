#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "support/guarded_reading.h"
#include "support/random_guarded.h"

namespace tacit {

namespace {

class Mutator {
public:
  Mutator(const Interface& original, const Component& component, std::mt19937_64& random)
      : component_(component), random_(random), made_{original, ""} {}

  GuardedMutant run() {
    using Change = bool (Mutator::*)();
    static constexpr Change changes[] = {
        &Mutator::weaken_guard,  &Mutator::strengthen_guard,
        &Mutator::drop_guard,    &Mutator::refuse,
        &Mutator::allow,         &Mutator::change_target,
        &Mutator::move_values,   &Mutator::widen_cell,
        &Mutator::narrow_cell,   &Mutator::drop_cell,
        &Mutator::change_update, &Mutator::change_start,
        &Mutator::start_value,   &Mutator::merge_states,
        &Mutator::change_term,   &Mutator::swap_targets,
        &Mutator::weaken_guard,  &Mutator::strengthen_guard,
        &Mutator::move_values,   &Mutator::change_update,
    };
    for (int attempt = 0; attempt < 50 && made_.change.empty(); ++attempt)
      if (!(this->*changes[pick(std::size(changes))])()) made_.change.clear();
    sort();
    return std::move(made_);
  }

private:
  std::size_t pick(std::size_t below) { return static_cast<std::size_t>(random_() % below); }
  Interface& i() { return made_.result; }

  bool changed(std::string what) {
    made_.change = std::move(what);
    return true;
  }

  const Call& call(std::size_t written) const {
    return component_.calls()[*component_.find_call(made_.result.calls[written].name)];
  }

  /// An equation about an argument, a tracked value or a result; "" when there is none to be made.
  std::string equation(const Call& about, bool tracked, bool result) {
    std::vector<std::pair<std::string, const Type*>> names;
    const std::vector<Variable> arguments = argument_variables(component_, about);
    for (const Variable& v : arguments) names.emplace_back(v.name(), &v.type);
    for (const TrackedValue& t : i().tracked)
      if (tracked)
        if (const StateVariable* v = component_.module().find_state(t.term))
          names.emplace_back(t.name, &v->type);
    const auto& returns = component_.body(about).returns;
    if (result && returns && !about.blind) names.emplace_back("result", &*returns);
    if (names.empty()) return "";
    const auto& [name, type] = names[pick(names.size())];
    const Value value = domain_value(*type, pick(*domain_size(*type)));
    return fmt::format("{} == {}", name, to_string(value, type->sort));
  }

  // Guards

  std::string guard_text(State q, std::size_t c) {
    const ArgumentGuard* guard = i().find_guard(q, c);
    return guard ? guard->condition : i().states[q].allows[c] ? "true" : "false";
  }

  void set_guard(State q, std::size_t c, const std::string& text) {
    std::erase_if(i().guards, [&](const ArgumentGuard& g) { return g.state == q && g.call == c; });
    if (text != "true") i().guards.push_back({q, c, text});
  }

  std::optional<std::pair<State, std::size_t>> allowed_call() {
    const State q = static_cast<State>(pick(i().states.size()));
    const std::size_t c = pick(i().calls.size());
    if (!i().states[q].allows[c]) return std::nullopt;
    return std::pair(q, c);
  }

  bool weaken_guard() {
    const auto at = allowed_call();
    if (!at || !i().find_guard(at->first, at->second)) return false;
    const std::string more = equation(call(at->second), true, false);
    if (more.empty()) return false;
    set_guard(at->first, at->second,
              fmt::format("({}) || {}", guard_text(at->first, at->second), more));
    return changed(fmt::format("{} also when {}", where(*at), more));
  }

  bool strengthen_guard() {
    const auto at = allowed_call();
    if (!at) return false;
    const std::string less = equation(call(at->second), true, false);
    if (less.empty()) return false;
    set_guard(at->first, at->second,
              fmt::format("({}) && !({})", guard_text(at->first, at->second), less));
    return changed(fmt::format("{} not when {}", where(*at), less));
  }

  bool drop_guard() {
    const auto at = allowed_call();
    if (!at || !i().find_guard(at->first, at->second)) return false;
    set_guard(at->first, at->second, "true");
    return changed(where(*at) + " always");
  }

  bool refuse() {
    const auto at = allowed_call();
    if (!at) return false;
    set_guard(at->first, at->second, "true");
    i().states[at->first].allows[at->second] = false;
    std::erase_if(i().transitions, [&](const InterfaceTransition& t) {
      return t.from == at->first && t.call == at->second;
    });
    return changed(where(*at) + " never");
  }

  /// With transitions as from another state, or to itself.
  bool allow() {
    const State q = static_cast<State>(pick(i().states.size()));
    const std::size_t c = pick(i().calls.size());
    if (i().states[q].allows[c]) return false;
    i().states[q].allows[c] = true;
    const State like = static_cast<State>(pick(i().states.size()));
    std::vector<InterfaceTransition> added;
    for (const InterfaceTransition& t : i().transitions)
      if (t.from == like && t.call == c) {
        added.push_back(t);
        added.back().from = q;
      }
    if (added.empty())
      for (std::size_t o = 0; o < i().calls[c].outcomes.size(); ++o) added.push_back({q, c, o, q});
    i().transitions.insert(i().transitions.end(), added.begin(), added.end());
    const std::string when = equation(call(c), true, false);
    if (!when.empty() && pick(3) != 0) set_guard(q, c, when);
    return changed(fmt::format("{} allowed when {}", where({q, c}), when));
  }

  std::string where(std::pair<State, std::size_t> at) {
    return fmt::format("{} in q{}", i().calls[at.second].name, at.first);
  }

  // Transitions

  InterfaceTransition* transition() {
    return i().transitions.empty() ? nullptr : &i().transitions[pick(i().transitions.size())];
  }

  std::string name(const InterfaceTransition& t) {
    return fmt::format("{}:{} from q{}", i().calls[t.call].name,
                       i().calls[t.call].outcomes[t.outcome], t.from);
  }

  bool change_target() {
    InterfaceTransition* t = transition();
    const State to = static_cast<State>(pick(i().states.size()));
    if (!t || t->to == to) return false;
    t->to = to;
    return changed(fmt::format("{} to q{}", name(*t), to));
  }

  /// Another transition of the same state, call and outcome.
  InterfaceTransition* sibling(const InterfaceTransition& of) {
    std::vector<InterfaceTransition*> found;
    for (InterfaceTransition& t : i().transitions)
      if (&t != &of && t.from == of.from && t.call == of.call && t.outcome == of.outcome)
        found.push_back(&t);
    return found.empty() ? nullptr : found[pick(found.size())];
  }

  std::string cell_equation(const InterfaceTransition& t) {
    const std::string& outcome = i().calls[t.call].outcomes[t.outcome];
    return equation(call(t.call), true, outcome.starts_with("returns"));
  }

  static std::string text(const InterfaceTransition& t) { return t.when.empty() ? "true" : t.when; }

  /// From one cell to another, or to a new one that leads elsewhere.
  bool move_values() {
    InterfaceTransition* from = transition();
    if (!from) return false;
    const std::string moved = cell_equation(*from);
    if (moved.empty()) return false;
    InterfaceTransition* to = sibling(*from);
    const std::string before = text(*from);
    from->when = fmt::format("({}) && !({})", before, moved);
    const std::string what = fmt::format("{} loses {}", name(*from), moved);
    if (to) {
      to->when = fmt::format("({}) || (({}) && {})", text(*to), before, moved);
    } else {
      InterfaceTransition other = *from;
      other.when = fmt::format("({}) && {}", before, moved);
      other.to = static_cast<State>(pick(i().states.size()));
      i().transitions.push_back(other);
    }
    return changed(what);
  }

  bool widen_cell() {
    InterfaceTransition* t = transition();
    if (!t || t->when.empty()) return false;
    const std::string more = cell_equation(*t);
    if (more.empty()) return false;
    t->when = fmt::format("({}) || {}", t->when, more);
    return changed(fmt::format("{} also when {}", name(*t), more));
  }

  bool narrow_cell() {
    InterfaceTransition* t = transition();
    if (!t) return false;
    const std::string less = cell_equation(*t);
    if (less.empty()) return false;
    t->when = fmt::format("({}) && !({})", text(*t), less);
    return changed(fmt::format("{} not when {}", name(*t), less));
  }

  bool drop_cell() {
    InterfaceTransition* t = transition();
    if (!t || !sibling(*t)) return false;
    const std::string what = name(*t) + " is gone";
    i().transitions.erase(i().transitions.begin() + (t - i().transitions.data()));
    return changed(what);
  }

  bool swap_targets() {
    InterfaceTransition *a = transition(), *b = transition();
    if (!a || !b || a->to == b->to) return false;
    std::swap(a->to, b->to);
    return changed(fmt::format("{} and {} change targets", name(*a), name(*b)));
  }

  // Tracked values

  /// Some text of the sort of a tracked value; "" when it is not that of a state variable.
  std::string value_of(const TrackedValue& t, const Call* about) {
    const StateVariable* v = component_.module().find_state(t.term);
    if (!v) return "";
    std::vector<std::string> ways{
        to_string(domain_value(v->type, pick(*domain_size(v->type))), v->type.sort)};
    if (about)
      for (const Variable& p : argument_variables(component_, *about))
        if (p.type.sort == v->type.sort) ways.push_back(p.name());
    if (about && v->type.sort->kind == SortKind::Int) ways.push_back(t.name + " + 1");
    return ways[pick(ways.size())];
  }

  bool change_update() {
    InterfaceTransition* t = transition();
    if (!t || i().tracked.empty()) return false;
    const TrackedValue& value = i().tracked[pick(i().tracked.size())];
    if (t->set.contains(value.name) && pick(3) == 0) {
      t->set.erase(value.name);
      return changed(fmt::format("{} keeps {}", name(*t), value.name));
    }
    const std::string to = value_of(value, &call(t->call));
    if (to.empty()) return false;
    t->set[value.name] = to;
    return changed(fmt::format("{} sets {} := {}", name(*t), value.name, to));
  }

  bool change_term() {
    if (i().tracked.empty()) return false;
    TrackedValue& value = i().tracked[pick(i().tracked.size())];
    for (const StateVariable& v : component_.module().state)
      if (v.name() != value.term && to_string(v.type.sort) == value.type) {
        value.term = v.name();
        return changed(fmt::format("{} stands for {}", value.name, v.name()));
      }
    return false;
  }

  bool start_value() {
    if (i().tracked.empty() || i().initial.empty()) return false;
    InitialState& start = i().initial[pick(i().initial.size())];
    const TrackedValue& value = i().tracked[pick(i().tracked.size())];
    const std::string to = value_of(value, nullptr);
    if (to.empty()) return false;
    start.set[value.name] = to;
    return changed(fmt::format("{} starts with {} := {}", start.constructor, value.name, to));
  }

  // Starts and states

  bool change_start() {
    if (i().initial.empty()) return false;
    InitialState& start = i().initial[pick(i().initial.size())];
    const auto made = std::ranges::find(component_.constructors(), start.constructor, &Call::name);
    const std::string some = equation(*made, false, false);
    const std::size_t how = some.empty() ? 2 : pick(3);
    const std::string before = start.when.empty() ? "true" : start.when;
    if (how == 0) start.when = fmt::format("({}) || {}", before, some);
    if (how == 1) start.when = fmt::format("({}) && !({})", before, some);
    if (how == 2) start.state = static_cast<State>(pick(i().states.size()));
    return changed(fmt::format("{} starts when {} in q{}", start.constructor,
                               start.when.empty() ? "always" : start.when, start.state));
  }

  /// What led to one leads to the other.
  bool merge_states() {
    const State a = static_cast<State>(pick(i().states.size()));
    const State b = static_cast<State>(pick(i().states.size()));
    if (a == b) return false;
    for (InterfaceTransition& t : i().transitions)
      if (t.to == b) t.to = a;
    for (InitialState& start : i().initial)
      if (start.state == b) start.state = a;
    return changed(fmt::format("q{} stands for q{}", a, b));
  }

  void sort() {
    Interface& result = i();
    std::ranges::stable_sort(result.transitions, [&](const auto& a, const auto& b) {
      const auto key = [&](const InterfaceTransition& t) {
        return std::tuple(t.from, result.calls[t.call].name,
                          result.calls[t.call].outcomes[t.outcome]);
      };
      return key(a) < key(b);
    });
    std::ranges::stable_sort(result.guards, {},
                             [](const ArgumentGuard& g) { return std::pair(g.state, g.call); });
  }

  const Component& component_;
  std::mt19937_64& random_;
  GuardedMutant made_;
};

} // namespace

GuardedMutant mutate_guarded(const Interface& original, const Component& component,
                             std::mt19937_64& random) {
  return Mutator(original, component, random).run();
}

} // namespace tacit
