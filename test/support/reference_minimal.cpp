// minimal: "no two states can be merged and no cell or tracked value dropped", compared by concrete
// words. What is merged or dropped leaves an interface whose answers are still a function of what
// is left; nobody has to find the guards that say so.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "support/reference_product.h"

namespace tacit {

namespace {

using Answer = Judgement::Answer;
using Values = std::vector<Value>;

class Minimal {
public:
  Minimal(const Interface& interface, const GuardedReading& reading, const Product& product)
      : interface_(interface), reading_(reading), product_(product) {}

  Judgement run() {
    for (State q = 0; q < interface_.states.size() && product_.complete; ++q)
      if (std::ranges::none_of(product_.nodes, [&](const ProductNode& n) { return n.q == q; }))
        return {Answer::Fails, fmt::format("q{} is never reached", q), ""};
    for (State p = 0; p < interface_.states.size(); ++p)
      for (State q = p + 1; q < interface_.states.size(); ++q)
        if (mergeable(p, q))
          return {Answer::Fails, fmt::format("q{} and q{} can be merged", p, q), ""};
    for (std::size_t x = 0; x < interface_.tracked.size(); ++x)
      if (droppable(x))
        return {Answer::Fails, fmt::format("{} need not be tracked", interface_.tracked[x].name),
                ""};
    return cells();
  }

private:
  /// Two nodes that an interface no longer tells apart: whether their answers agree, up to `same`
  /// states and `left` of the tracked values. Calls that only one of them can have do not disagree.
  template <class Same, class Left>
  bool agree(std::size_t a, std::size_t b, const Same& same, const Left& left) const {
    if (!product_.calls[a] || !product_.calls[b]) return true;
    for (const ProductCall& one : *product_.calls[a])
      for (const ProductCall& other : *product_.calls[b]) {
        if (one.call != other.call || one.arguments != other.arguments) continue;
        if (one.allowed != other.allowed) return false;
        for (const ProductCall::Step& s : one.steps)
          for (const ProductCall::Step& t : other.steps) {
            if (!(s.seen == t.seen)) continue;
            const ProductNode &to_s = product_.nodes[s.to], &to_t = product_.nodes[t.to];
            if (!same(to_s.q, to_t.q) || left(to_s.tracked) != left(to_t.tracked)) return false;
          }
      }
    return true;
  }

  /// Merging two states merges what they lead to by the same letter and tracked values, and so on;
  /// it works if at the end no two nodes in merged states with equal tracked values disagree.
  bool mergeable(State p, State q) const {
    std::vector<State> part(interface_.states.size());
    std::iota(part.begin(), part.end(), State{0});
    const auto join = [&](State a, State b) {
      const State from = part[b], to = part[a];
      for (State& s : part)
        if (s == from) s = to;
    };
    join(p, q);
    const auto everything = [](const Values& v) { return v; };
    for (bool changed = true; changed;) {
      changed = false;
      std::map<std::pair<State, Values>, std::vector<std::size_t>> groups;
      for (std::size_t n = 0; n < product_.nodes.size(); ++n)
        groups[{part[product_.nodes[n].q], product_.nodes[n].tracked}].push_back(n);
      for (const auto& [key, nodes] : groups)
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (std::size_t b = a + 1; b < nodes.size(); ++b) {
            if (product_.nodes[nodes[a]].q == product_.nodes[nodes[b]].q) continue;
            const auto joining = [&](State x, State y) {
              if (part[x] != part[y]) {
                join(x, y);
                changed = true;
              }
              return true;
            };
            if (!agree(nodes[a], nodes[b], joining, everything)) return false;
          }
    }
    return true;
  }

  /// A tracked value can be dropped if nodes that differ in nothing else agree.
  bool droppable(std::size_t x) const {
    const auto rest = [&](Values v) {
      v.erase(v.begin() + static_cast<std::ptrdiff_t>(x));
      return v;
    };
    const auto equal_states = [](State a, State b) { return a == b; };
    std::map<std::pair<State, Values>, std::vector<std::size_t>> groups;
    for (std::size_t n = 0; n < product_.nodes.size(); ++n)
      groups[{product_.nodes[n].q, rest(product_.nodes[n].tracked)}].push_back(n);
    for (const auto& [key, nodes] : groups)
      for (std::size_t a = 0; a < nodes.size(); ++a)
        for (std::size_t b = a + 1; b < nodes.size(); ++b)
          if (!(product_.nodes[nodes[a]].tracked == product_.nodes[nodes[b]].tracked) &&
              !agree(nodes[a], nodes[b], equal_states, rest))
            return false;
    return true;
  }

  /// A cell can be dropped if nothing ever takes it, or if another one of the same state, call and
  /// outcome could take all that it takes, with the same end.
  Judgement cells() const {
    std::vector<std::vector<std::pair<std::size_t, const ProductCall::Step*>>> taken(
        interface_.transitions.size());
    std::vector<std::vector<const ProductCall*>> by(interface_.transitions.size());
    for (std::size_t n = 0; n < product_.nodes.size(); ++n)
      if (product_.calls[n])
        for (const ProductCall& call : *product_.calls[n])
          for (const ProductCall::Step& s : call.steps) {
            taken[s.transition].emplace_back(n, &s);
            by[s.transition].push_back(&call);
          }
    for (std::size_t t = 0; t < taken.size(); ++t) {
      if (taken[t].empty() && product_.complete)
        return {Answer::Fails, fmt::format("transition {} is never taken", t), ""};
      for (std::size_t other = 0; other < taken.size(); ++other) {
        const InterfaceTransition &a = interface_.transitions[t],
                                  &b = interface_.transitions[other];
        if (t == other || a.from != b.from || a.call != b.call || a.outcome != b.outcome ||
            a.to != b.to || taken[t].empty() || taken[other].empty())
          continue;
        bool same = true;
        for (std::size_t i = 0; i < taken[t].size() && same; ++i) {
          const auto& [n, s] = taken[t][i];
          same = reading_.updated(other, by[t][i]->arguments, s->seen.result,
                                  product_.nodes[n].tracked) == product_.nodes[s->to].tracked;
        }
        if (same)
          return {Answer::Fails, fmt::format("transition {} can take what {} takes", other, t), ""};
      }
    }
    return {};
  }

  const Interface& interface_;
  const GuardedReading& reading_;
  const Product& product_;
};

} // namespace

Judgement judge_minimal(const Interface& interface, const GuardedReading& reading,
                        const Product& product) {
  return Minimal(interface, reading, product).run();
}

} // namespace tacit
