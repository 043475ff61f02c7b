#include "finite/explicit.h"

#include <algorithm>
#include <map>

#include "base/should.h"
#include "finite/describe.h"

namespace tacit {
namespace {

constexpr std::size_t many_edges = std::size_t{1} << 16;
// One answer about a set of states that passes them all the arguments of a call: what needs more
// has too many of both for lists of them.
constexpr std::size_t most_arguments = std::size_t{1} << 23;
constexpr std::uint64_t unexpanded = ~std::uint64_t{0};
constexpr Region set_bit = Region{1}
                           << 31; // regions of several states; without it, a single state plus one

} // namespace

Result<std::unique_ptr<ExplicitOracle>> ExplicitOracle::create(const Component& component,
                                                               Budget* budget) {
  auto compiled = CompiledComponent::compile(component);
  if (!compiled) return std::unexpected(compiled.error());
  std::unique_ptr<ExplicitOracle> made(new ExplicitOracle(std::move(*compiled)));
  made->watch(budget);
  made->start_up();
  made->watch(nullptr);
  if (made->failure_) return std::unexpected(*made->failure_);
  return made;
}

ExplicitOracle::ExplicitOracle(std::unique_ptr<CompiledComponent> compiled)
    : compiled_(std::move(compiled)), store_(compiled_->slots()) {}

/// Before the runs of one more argument.
bool ExplicitOracle::go_on() {
  if (!budget_) return true;
  if (++arguments_ > most_arguments)
    failure_ = Diagnostic{{}, "there are too many states and arguments", {}};
  else if (budget_->exhausted())
    failure_ = Diagnostic{{}, "the budget ran out: " + budget_->reason(), {}};
  return !failure_;
}

/// Runs a body for all choices and combines them. Demonic: it errs if some argument does. Angelic:
/// if some argument errs and none is good, where a good one cannot err and has a run that is not a
/// rejection; only good arguments count for the successors. `seen` is told every exit that is part
/// of the effect, while the inputs are at hand.
ExplicitOracle::CallEffect
ExplicitOracle::effect(const Call& call, const Frame& state,
                       const std::function<void(const RunExit&, StateId)>& seen) {
  const bool angelic = component().options().arguments == Arguments::Angelic;
  CallEffect total;
  bool some_errs = false, some_good = false;
  // Of the argument whose runs are being visited:
  bool errs = false, accepted = false;
  std::vector<Edge> pending;
  auto finish_argument = [&] {
    some_errs = some_errs || errs;
    const bool good = !errs && accepted;
    some_good = some_good || good;
    if (!angelic || good) total.edges.insert(total.edges.end(), pending.begin(), pending.end());
    errs = accepted = false;
    pending.clear();
  };
  auto argument = [&] {
    finish_argument();
    return go_on();
  };
  auto visit = [&](const RunExit& exit, const Frame& after) {
    if (exit.error) {
      errs = true;
      if (seen) seen(exit, 0);
      return;
    }
    accepted = accepted || !exit.rejecting;
    const StateId to = store_.intern(after);
    pending.push_back({static_cast<std::uint32_t>(exit.outcome), to});
    if (pending.size() >= many_edges) { // most of them are the same
      std::ranges::sort(pending);
      const auto same = std::ranges::unique(pending);
      pending.erase(same.begin(), same.end());
    }
    if (seen) seen(exit, to);
  };
  auto done = compiled_->for_each_run(call.procedure, state, argument, visit);
  finish_argument();
  if (!done && !failure_) failure_ = done.error();
  total.errs = angelic ? some_errs && !some_good : some_errs;
  if (total.errs) total.edges.clear();
  std::ranges::sort(total.edges);
  const auto repeated = std::ranges::unique(total.edges);
  total.edges.erase(repeated.begin(), repeated.end());
  return total;
}

void ExplicitOracle::start_up() {
  for (const Call& constructor : component().constructors()) {
    StartInfo info;
    auto visit = [&](const Frame& frame, const std::vector<Value>&) {
      CallEffect made = effect(constructor, frame, nullptr);
      info.errs = info.errs || made.errs;
      for (const Edge& e : made.edges)
        if (!constructor.outcomes[e.letter].starts_with("throws")) info.states.push_back(e.to);
    };
    if (auto done = compiled_->for_each_initial(visit); !done) failure_ = done.error();
    if (failure_) return;
    std::ranges::sort(info.states);
    const auto repeated = std::ranges::unique(info.states);
    info.states.erase(repeated.begin(), repeated.end());
    starts_.push_back(std::move(info));
  }
}

void ExplicitOracle::expand(StateId state) {
  if (first_edge_.size() < store_.size()) {
    first_edge_.resize(store_.size(), unexpanded);
    edge_count_.resize(store_.size(), 0);
  }
  if (first_edge_[state] != unexpanded) return;
  const auto& calls = component().calls();
  Frame frame;
  store_.unpack(state, frame);
  const std::size_t first = edges_.size();
  if (errs_.size() < store_.size() * calls.size())
    errs_.resize(store_.size() * calls.size(), false);
  for (std::size_t c = 0; c < calls.size() && !failure_; ++c) {
    const CallEffect made = effect(calls[c], frame, nullptr);
    errs_[state * calls.size() + c] = made.errs;
    for (const Edge& e : made.edges)
      edges_.push_back({static_cast<std::uint32_t>(component().letter_of(c, e.letter)), e.to});
  }
  first_edge_[state] = first;
  edge_count_[state] = static_cast<std::uint32_t>(edges_.size() - first);
  if (edges_.size() > (std::size_t{1} << 32))
    failure_ = Diagnostic{{}, "the state space is too large", {}};
}

std::span<const ExplicitOracle::Edge> ExplicitOracle::edges(StateId state) {
  expand(state);
  return std::span(edges_).subspan(first_edge_[state], edge_count_[state]);
}

Region ExplicitOracle::intern(std::vector<StateId> states) {
  if (states.empty()) return empty_region;
  if (states.size() == 1) return states[0] + 1;
  return sets_.intern(states) | set_bit;
}

std::vector<StateId> ExplicitOracle::states(Region region) const {
  if (region == empty_region) return {};
  if ((region & set_bit) == 0) return {region - 1};
  const auto set = sets_.at(region & ~set_bit);
  return {set.begin(), set.end()};
}

Region ExplicitOracle::start(std::size_t constructor) {
  const StartInfo& info = starts_[constructor];
  return info.errs ? empty_region : intern(info.states);
}

bool ExplicitOracle::constructor_errs(std::size_t constructor) { return starts_[constructor].errs; }

bool ExplicitOracle::state_errs(StateId state, std::size_t call) {
  expand(state);
  return errs_[state * component().calls().size() + call];
}

bool ExplicitOracle::errs(Region region, std::size_t call) {
  arguments_ = 0;
  if (region == empty_region) return false;
  if ((region & set_bit) == 0) return state_errs(region - 1, call);
  for (StateId s : states(region)) {
    if (state_errs(s, call)) return true;
    if (failure_) return false;
  }
  return false;
}

std::vector<StateId> ExplicitOracle::post_states(std::span<const StateId> from,
                                                 std::size_t letter) {
  std::vector<StateId> to;
  for (StateId s : from)
    for (const Edge& e : edges(s))
      if (e.letter == letter) to.push_back(e.to);
  std::ranges::sort(to);
  const auto repeated = std::ranges::unique(to);
  to.erase(repeated.begin(), repeated.end());
  return to;
}

Region ExplicitOracle::post(Region region, std::size_t letter) {
  if (region == empty_region) return empty_region;
  if ((region & set_bit) != 0) return intern(post_states(states(region), letter));
  // The usual case: one state, at most one successor.
  Region single = empty_region;
  std::size_t found = 0;
  for (const Edge& e : edges(region - 1))
    if (e.letter == letter) {
      single = e.to + 1;
      ++found;
    }
  if (found <= 1) return single;
  const StateId state = region - 1;
  return intern(post_states(std::span(&state, 1), letter));
}

std::vector<StateId> ExplicitOracle::successors(StateId state, std::size_t letter) {
  return post_states(std::span(&state, 1), letter);
}

ConcreteState ExplicitOracle::concrete(StateId state) const {
  Frame frame;
  store_.unpack(state, frame);
  return compiled_->concrete(frame);
}

Region ExplicitOracle::unite(const std::vector<Region>& regions) {
  std::vector<StateId> all;
  for (Region r : regions) {
    const auto some = states(r);
    all.insert(all.end(), some.begin(), some.end());
  }
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return intern(std::move(all));
}

Region ExplicitOracle::minus(Region a, Region b) {
  std::vector<StateId> rest;
  std::ranges::set_difference(states(a), states(b), std::back_inserter(rest));
  return intern(std::move(rest));
}

/// State by state: a pair is visited once, and no set is interned before it is complete.
std::vector<Region> ExplicitOracle::reachable(const Dfa& dfa) {
  std::vector<std::vector<StateId>> members(dfa.states());
  std::vector<std::vector<bool>> seen(dfa.states());
  std::vector<std::pair<StateId, State>> work;
  auto offer = [&](StateId s, State q) {
    if (seen[q].size() <= s) seen[q].resize(std::max<std::size_t>(s + 1, store_.size()), false);
    if (seen[q][s]) return;
    seen[q][s] = true;
    members[q].push_back(s);
    work.push_back({s, q});
  };
  for (std::size_t k = 0; k < dfa.entries().size(); ++k)
    if (dfa.entries()[k] != no_state)
      for (StateId s : states(start(k))) offer(s, dfa.entries()[k]);
  while (!work.empty()) {
    const auto [s, q] = work.back();
    work.pop_back();
    expand(s);
    const std::size_t first = first_edge_[s], last = first + edge_count_[s];
    for (std::size_t i = first; i < last; ++i)
      if (const State to = dfa.next(q, edges_[i].letter); to != no_state) offer(edges_[i].to, to);
  }
  std::vector<Region> regions;
  for (auto& set : members) {
    std::ranges::sort(set);
    regions.push_back(intern(std::move(set)));
  }
  return regions;
}

Region ExplicitOracle::erring(Region region, std::size_t call) {
  auto all = states(region);
  std::erase_if(all, [&](StateId s) { return !state_errs(s, call); });
  return intern(std::move(all));
}

Region ExplicitOracle::able(Region region, std::size_t letter, std::optional<Region> into) {
  const auto targets = into ? states(*into) : std::vector<StateId>{};
  auto all = states(region);
  std::erase_if(all, [&](StateId s) {
    for (const Edge& e : edges(s))
      if (e.letter == letter && (!into || std::ranges::binary_search(targets, e.to))) return false;
    return true;
  });
  return intern(std::move(all));
}

std::optional<Term> ExplicitOracle::describe(Region region) {
  std::vector<Frame> rows;
  for (StateId s : states(region)) {
    rows.emplace_back();
    store_.unpack(s, rows.back());
  }
  return describe_rows(component(), compiled_->slots(), std::move(rows));
}

std::optional<LetterExample> ExplicitOracle::example(Region region, std::size_t letter) {
  const CallOutcome wanted = component().letter(letter);
  std::optional<LetterExample> found;
  for (StateId s : states(region)) {
    const auto allowed = successors(s, letter);
    if (allowed.empty()) continue;
    Frame frame;
    store_.unpack(s, frame);
    effect(component().calls()[wanted.call], frame, [&](const RunExit& exit, StateId to) {
      if (!found && !exit.error && exit.outcome == wanted.outcome &&
          std::ranges::binary_search(allowed, to))
        found = LetterExample{concrete(s), {wanted.call, compiled_->inputs()}, concrete(to)};
    });
    if (found) break;
  }
  return found;
}

std::optional<ErrorSite> ExplicitOracle::error_site(Region region, std::size_t call) {
  std::optional<ErrorSite> found;
  for (StateId s : states(region)) {
    if (!state_errs(s, call)) continue;
    Frame frame;
    store_.unpack(s, frame);
    effect(component().calls()[call], frame, [&](const RunExit& exit, StateId) {
      if (!found && exit.error)
        found = ErrorSite{exit.end->name, exit.end->site(), exit.end->procedure};
    });
    break;
  }
  return found;
}

std::map<std::string, std::size_t> ExplicitOracle::loop_bounds() const {
  return compiled_->loop_bounds();
}

/// Forward through the sets of states that the letters reach, remembering for each state how it was
/// reached; then back from the state that errs (or from any).
std::optional<ConcreteRun> ExplicitOracle::run_along(std::size_t constructor,
                                                     const std::vector<std::size_t>& letters,
                                                     std::optional<std::size_t> errs_on) {
  struct Origin {
    StateId from = 0;
    std::vector<Value> inputs, initial;
  };
  std::vector<std::map<StateId, Origin>> layers(1);
  const Call& start = component().constructors()[constructor];
  auto from_initial = [&](const Frame& frame, const std::vector<Value>& initial) {
    effect(start, frame, [&](const RunExit& exit, StateId to) {
      if (!exit.error && !start.outcomes[exit.outcome].starts_with("throws") &&
          std::ranges::binary_search(starts_[constructor].states, to))
        layers[0].try_emplace(to, Origin{0, compiled_->inputs(), initial});
    });
  };
  (void)compiled_->for_each_initial(from_initial);
  for (std::size_t letter : letters) {
    std::map<StateId, Origin> next;
    const CallOutcome wanted = component().letter(letter);
    for (const auto& [state, origin] : layers.back()) {
      const StateId from = state;
      const auto allowed = successors(from, letter);
      if (allowed.empty()) continue;
      Frame frame;
      store_.unpack(from, frame);
      effect(component().calls()[wanted.call], frame, [&](const RunExit& exit, StateId to) {
        if (!exit.error && exit.outcome == wanted.outcome &&
            std::ranges::binary_search(allowed, to))
          next.try_emplace(to, Origin{from, compiled_->inputs(), {}});
      });
    }
    layers.push_back(std::move(next));
  }

  std::optional<StateId> last;
  RunStep final_step;
  for (const auto& [state, origin] : layers.back()) {
    if (!errs_on) {
      last = state;
      break;
    }
    if (!state_errs(state, *errs_on)) continue;
    Frame frame;
    store_.unpack(state, frame);
    effect(component().calls()[*errs_on], frame, [&](const RunExit& exit, StateId) {
      if (last || !exit.error) return;
      last = state;
      final_step = {*errs_on, compiled_->inputs()};
    });
    if (last) break;
  }
  if (!last) return std::nullopt;

  ConcreteRun run;
  run.constructor = constructor;
  if (errs_on) run.steps.push_back(final_step);
  StateId at = *last;
  for (std::size_t i = letters.size(); i > 0; --i) {
    const Origin& origin = layers[i].at(at);
    run.steps.insert(run.steps.begin(), {component().letter(letters[i - 1]).call, origin.inputs});
    at = origin.from;
  }
  run.initial = layers[0].at(at).initial;
  run.constructor_inputs = layers[0].at(at).inputs;
  return run;
}

std::optional<ConcreteRun> ExplicitOracle::failing_constructor(std::size_t constructor) {
  std::optional<ConcreteRun> found;
  (void)compiled_->for_each_initial([&](const Frame& frame, const std::vector<Value>& initial) {
    if (found) return;
    const bool errs = effect(component().constructors()[constructor], frame, nullptr).errs;
    if (!errs) return;
    effect(component().constructors()[constructor], frame, [&](const RunExit& exit, StateId) {
      if (!found && exit.error) found = ConcreteRun{initial, constructor, compiled_->inputs(), {}};
    });
  });
  return found;
}

} // namespace tacit
