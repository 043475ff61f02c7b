#include "automata/regex.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "automata/canonical.h"
#include "automata/expression.h"
#include "automata/minimise.h"
#include "automata/operations.h"

namespace tacit {

namespace {

// More states than this are not for people, and would nest too deep for the
// recursion over expressions.
constexpr std::size_t most_states = 1000;

// No expression for people is longer, and the work grows with the limit.
constexpr std::size_t longest_limit = 1 << 16;

// Up to this many states, each of them is tried as the last one to go. The last
// state is the hub around which the expression is written, so it matters most.
constexpr std::size_t most_states_to_vary = 12;

// The least automaton of the language of `start`, numbered breadth first, with
// `start` as its only entry.
Dfa least_automaton(const Dfa& dfa, State start) {
  Dfa part = [&] {
    Dfa copy(dfa.letters());
    copy.reserve(dfa.states());
    for (State q = 0; q < dfa.states(); ++q) copy.add_state(dfa.colour(q) != 0);
    for (State q = 0; q < dfa.states(); ++q)
      for (Letter a = 0; a < dfa.letters(); ++a) copy.set_next(q, a, dfa.next(q, a));
    copy.add_entry(start);
    return trim_coreachable(trim(copy).dfa).dfa;
  }();
  return canonical(minimise(part).dfa).dfa;
}

// A graph whose edges bear expressions. Besides the states there are one node
// before the entry and one behind the accepting states; they stay to the end.
class Elimination {
public:
  Elimination(Expressions& expressions, const Dfa& dfa)
      : expressions_(expressions), before_(static_cast<State>(dfa.states())), behind_(before_ + 1),
        out_(dfa.states() + 2), in_(dfa.states() + 2) {
    for (State q = 0; q < dfa.states(); ++q) {
      std::map<State, std::vector<Expression>> letters;
      for (Letter a = 0; a < dfa.letters(); ++a)
        if (State to = dfa.next(q, a); to != no_state)
          letters[to].push_back(expressions_.letter(a));
      for (auto& [to, list] : letters) connect(q, to, expressions_.unite(std::move(list)));
      if (dfa.accepting(q)) connect(q, behind_, expressions_.epsilon());
    }
    connect(before_, dfa.entries().front(), expressions_.epsilon());
  }

  // The expression for all words, or none as soon as the expressions in the
  // graph have more than `limit` bytes. `last` is eliminated last if it is a
  // state.
  std::optional<Expression> run(State last, std::size_t limit) {
    std::set<State> left;
    for (State q = 0; q < before_; ++q) left.insert(q);
    while (!left.empty()) {
      State cheapest = *left.begin();
      double least = -1;
      for (State q : left) {
        if (q == last && left.size() > 1) continue;
        const double weight = weight_of(q);
        if (least < 0 || weight < least) cheapest = q, least = weight;
      }
      eliminate(cheapest);
      left.erase(cheapest);
      if (total_ > limit) return std::nullopt;
    }
    auto edge = out_[before_].find(behind_);
    return edge == out_[before_].end() ? expressions_.nothing() : edge->second;
  }

private:
  double length(Expression e) const { return static_cast<double>(expressions_.length(e)); }

  // How much text the elimination of a state adds: each edge into it is copied
  // for each edge out of it and the other way round, the loop for each pair.
  double weight_of(State q) const {
    const auto loop = out_[q].find(q);
    const bool has_loop = loop != out_[q].end();
    const double ins = static_cast<double>(in_[q].size() - has_loop);
    const double outs = static_cast<double>(out_[q].size() - has_loop);
    double weight = has_loop ? length(loop->second) * (ins * outs - 1) : 0;
    for (State p : in_[q])
      if (p != q) weight += length(out_[p].at(q)) * (outs - 1);
    for (const auto& [to, expression] : out_[q])
      if (to != q) weight += length(expression) * (ins - 1);
    return std::max(weight, 0.0);
  }

  void connect(State from, State to, Expression expression) {
    auto [edge, is_new] = out_[from].try_emplace(to, expression);
    if (is_new) {
      in_[to].insert(from);
    } else {
      total_ -= expressions_.length(edge->second);
      edge->second = expressions_.unite({edge->second, expression});
    }
    total_ += expressions_.length(edge->second);
  }

  void disconnect(State from, State to) {
    auto edge = out_[from].find(to);
    total_ -= expressions_.length(edge->second);
    out_[from].erase(edge);
    in_[to].erase(from);
  }

  void eliminate(State q) {
    Expression loop = expressions_.epsilon();
    if (auto edge = out_[q].find(q); edge != out_[q].end()) {
      loop = expressions_.star(edge->second);
      disconnect(q, q);
    }
    const std::set<State> sources = in_[q];
    const std::map<State, Expression> targets = out_[q];
    for (State from : sources)
      for (const auto& [to, expression] : targets)
        connect(from, to, expressions_.concat({out_[from].at(q), loop, expression}));
    for (State from : sources) disconnect(from, q);
    for (const auto& [to, expression] : targets) disconnect(q, to);
  }

  Expressions& expressions_;
  State before_, behind_;
  std::vector<std::map<State, Expression>> out_;
  std::vector<std::set<State>> in_;
  std::size_t total_ = 0; // length of all edges
};

// The best expression found for an automaton with an entry, if any was found.
std::optional<Expression> describe(Expressions& expressions, const Dfa& dfa, std::size_t limit) {
  // All expressions in the graph end up in the result, though simplified.
  const std::size_t limit_on_the_way = 16 * std::min(limit, longest_limit);
  const Elimination graph(expressions, dfa);
  auto attempt = [&](State last) -> std::optional<Expression> {
    auto found = Elimination(graph).run(last, limit_on_the_way);
    if (found && expressions.length(*found) > limit) return std::nullopt;
    return found;
  };

  std::optional<Expression> best = attempt(no_state);
  if (dfa.states() > most_states_to_vary) return best;
  for (State q = 0; q < dfa.states(); ++q)
    if (auto found = attempt(q);
        found && (!best || expressions.length(*found) < expressions.length(*best)))
      best = found;
  // People like to see the way back to the start, if it costs less than half as much again.
  if (auto found = attempt(dfa.entries().front());
      found && expressions.length(*found) * 2 < expressions.length(*best) * 3)
    best = found;
  return best;
}

} // namespace

std::string regular_expression(const Dfa& dfa, State start,
                               const std::function<std::string(Letter)>& name, std::size_t limit) {
  Expressions expressions(name);
  std::optional<Expression> result = expressions.nothing();
  if (start != no_state) {
    const Dfa least = least_automaton(dfa, start);
    if (least.states() > std::min(limit, most_states)) return {};
    if (least.entries().front() != no_state) result = describe(expressions, least, limit);
  }
  if (!result || expressions.length(*result) > limit) return {};
  return expressions.print(*result);
}

} // namespace tacit
