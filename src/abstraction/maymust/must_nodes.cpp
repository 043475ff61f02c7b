#include "abstraction/maymust/must_nodes.h"

#include <algorithm>
#include <set>

#include "logic/solver/simplify.h"
#include "logic/term/size.h"

namespace tacit {

namespace {

constexpr std::uint64_t tidy_queries = 120;    // spent on making one predicate short
constexpr std::size_t largest_predicate = 800; // nodes

} // namespace

MustNodes::MustNodes(ComponentFormulas& formulas, const Dfa& dfa, std::vector<Term> labels,
                     Solver& solver, Budget& budget)
    : formulas_(formulas), dfa_(dfa), labels_(std::move(labels)), solver_(solver), budget_(budget),
      into_(dfa.states()) {
  for (State q = 0; q < dfa.states(); ++q)
    for (Letter l = 0; l < dfa.letters(); ++l)
      if (const State to = dfa.next(q, l); to != no_state) into_[to].push_back({q, l});
}

class MustNodes::Gaps {
public:
  explicit Gaps(const PassOver& pass_over) : pass_over_(pass_over) {}

  void meet(Gap gap) {
    over_ = !pass_over_ || (gap.constructor && !pass_over_(gap));
    if (over_ && gap.constructor)
      found_ = std::move(gap);
    else if (!found_)
      found_ = std::move(gap);
  }
  void stop(const std::string& reason) {
    if (!found_) found_ = Gap{reason, {}, {}};
    over_ = true;
  }
  bool over() const { return over_; }
  const std::optional<Gap>& found() const { return found_; }

private:
  const PassOver& pass_over_;
  std::optional<Gap> found_;
  bool over_ = false;
};

std::expected<std::optional<std::size_t>, MustNodes::Gap> MustNodes::show(State state, Term goal,
                                                                          std::size_t most,
                                                                          const PassOver& pass_over,
                                                                          std::size_t most_past) {
  const std::size_t before = nodes_.size();
  pending_.clear();
  shared_.clear();
  Gaps gaps(pass_over);
  const auto top = claim(state, goal, std::nullopt, 0);
  for (std::size_t i = 0; i < pending_.size() && !gaps.over(); ++i) {
    if (budget_.exhausted_now())
      gaps.stop("the budget ran out: " + budget_.reason());
    else if (nodes_.size() - before > (gaps.found() ? most_past : most))
      gaps.stop("no end of the states from which it may happen");
    else
      justify(i, gaps);
  }
  if (!gaps.found()) return top;
  if (!gaps.over()) look_behind_shared(gaps);
  nodes_.resize(before);
  return std::unexpected(*gaps.found());
}

/// In every state of the label that satisfies `by`, the goal holds.
bool MustNodes::implied(State state, Term goal, Term by) {
  return solver_.check({formulas_.facts(), labels_[state], by, formulas_.arena().negate(goal)}) ==
         Truth::Unsat;
}

std::optional<std::size_t> MustNodes::claim(State state, Term goal,
                                            std::optional<std::size_t> serves, std::size_t letter) {
  TermArena& arena = formulas_.arena();
  if (implied(state, goal, arena.truth())) return std::nullopt;
  for (std::size_t n = 0; n < nodes_.size(); ++n)
    if (nodes_[n].state == state &&
        (nodes_[n].predicate == goal || implied(state, goal, nodes_[n].predicate)))
      return n;
  const Term under = arena.conj(formulas_.facts(), labels_[state]);
  const Term shorter = simplify(arena, solver_, under, goal, tidy_queries);
  nodes_.push_back({state, arena.conj(labels_[state], shorter), {}});
  pending_.push_back({nodes_.size() - 1, serves, letter});
  return nodes_.size() - 1;
}

bool MustNodes::possible(State from, std::size_t letter) {
  auto [at, fresh] = possible_.try_emplace({from, letter}, true);
  if (fresh)
    at->second = solver_.check({formulas_.facts(), labels_[from],
                                formulas_.letter(letter, Side::Above).guard}) != Truth::Unsat;
  return at->second;
}

void MustNodes::justify_starts(const Pending& pending, Gaps& gaps) {
  const Node& node = nodes_[pending.node];
  for (std::size_t k = 0; k < dfa_.entries().size() && !gaps.over(); ++k) {
    if (dfa_.entries()[k] != node.state) continue;
    const auto starts = formulas_.surely_starts(k, node.predicate);
    if (!starts) {
      gaps.meet({starts.error().message, {}, {}});
      continue;
    }
    if (solver_.check({formulas_.facts(), *starts}) == Truth::Sat) continue;
    Gap gap{"the constructor cannot produce such a state", k, {}};
    letters_from(pending, gap.letters);
    gaps.meet(std::move(gap));
  }
}

void MustNodes::letters_from(const Pending& pending, std::vector<std::size_t>& into) const {
  for (const Pending* at = &pending; at->serves;) {
    into.push_back(at->letter);
    at = &*std::ranges::find(pending_, *at->serves, &Pending::node);
  }
}

/// Where a letter cannot lead to the goal at all, every word before it is a gap; one that was
/// passed over for another letter says nothing about this one.
void MustNodes::look_behind_shared(Gaps& gaps) {
  const auto known = words();
  for (const Shared& one : shared_) {
    if (gaps.over() || budget_.exhausted_now()) return;
    if (!known[one.from] ||
        solver_.check({formulas_.facts(), nodes_[one.node].predicate}) != Truth::Unsat)
      continue;
    Gap gap = *known[one.from];
    gap.letters.push_back(one.letter);
    letters_from(pending_[one.pending], gap.letters);
    gaps.meet(std::move(gap));
  }
}

std::vector<std::optional<MustNodes::Gap>> MustNodes::words() const {
  std::vector<std::optional<Gap>> made(dfa_.states());
  std::vector<State> order;
  for (std::size_t k = 0; k < dfa_.entries().size(); ++k)
    if (const State q = dfa_.entries()[k]; q != no_state && !made[q]) {
      made[q] = Gap{"no such state is reached", k, {}};
      order.push_back(q);
    }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (Letter l = 0; l < dfa_.letters(); ++l)
      if (const State to = dfa_.next(order[i], l); to != no_state && !made[to]) {
        made[to] = made[order[i]];
        made[to]->letters.push_back(l);
        order.push_back(to);
      }
  return made;
}

void MustNodes::justify(std::size_t pending, Gaps& gaps) {
  justify_starts(pending_[pending], gaps);
  const std::size_t n = pending_[pending].node;
  const Term predicate = nodes_[n].predicate;
  for (const auto& [from, letter] : into_[nodes_[n].state]) {
    if (gaps.over()) return;
    if (!possible(from, letter)) continue;
    const auto leads = formulas_.surely_leads(letter, predicate);
    if (!leads) {
      gaps.meet({fmt::format("how '{}' may lead there: {}",
                             formulas_.component().letter_name(letter), leads.error().message),
                 {},
                 {}});
    } else if (distinct_subterms(*leads) > largest_predicate) {
      gaps.meet({"the condition under which it may happen grows too large", {}, {}});
    } else {
      const std::size_t known = nodes_.size();
      const auto source = claim(from, *leads, n, letter); // may move the nodes
      if (source && *source < known) shared_.push_back({pending, from, letter, *source});
      nodes_[n].sources.push_back({from, letter, source});
    }
  }
}

} // namespace tacit
