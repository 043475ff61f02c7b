// Enabledness abstractions against Definition 3.7 of the paper, by brute force on random
// components: every state of the invariant, every argument, every choice.
#include <deque>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "check/check.h"
#include "interface/json.h"
#include "program/text/print.h"
#include "program/text/read.h"
#include "support/mutate_epa.h"
#include "support/random_component.h"
#include "support/volume.h"
#include "synthesis/epa/epa.h"

namespace tacit {
namespace {

constexpr std::uint64_t full_count = 1100, sample_count = 160, parts = 4;
constexpr std::size_t most_states = 400, most_runs = 60'000;

using Arrow = std::tuple<CallSet, std::size_t, CallSet>;

struct Expected {
  std::set<CallSet> starts, sets;
  std::set<Arrow> arrows;
  std::set<std::pair<CallSet, std::size_t>> breaking;
  bool too_large = false;
};

/// The definition, as plainly as possible.
class Definition {
public:
  Definition(const Component& component, bool mined, std::vector<Term> invariants)
      : component_(component), module_(component.module()), interpreter_(module_, 2000),
        mined_(mined), invariants_(std::move(invariants)) {}

  Expected run() {
    std::vector<ConcreteState> all{{}};
    for (const StateVariable& v : module_.state) {
      const auto size = domain_size(v.type);
      if (!size || all.size() * *size > most_states) return {.too_large = true};
      std::vector<ConcreteState> longer;
      for (const ConcreteState& s : all)
        for (std::uint64_t i = 0; i < *size; ++i) {
          longer.push_back(s);
          longer.back().values.push_back(domain_value(v.type, i));
        }
      all = std::move(longer);
    }
    std::erase_if(all, [&](const ConcreteState& s) { return !holds(invariants_, s, nullptr, {}); });
    std::map<CallSet, std::set<std::pair<std::size_t, CallSet>>> arrows;
    std::set<std::pair<CallSet, std::size_t>> breaking;
    for (const ConcreteState& s : all) {
      const CallSet from = enabled(s);
      for (std::size_t c = 0; c < component_.calls().size(); ++c)
        for (const ConcreteState& after : step(c, s)) {
          if (holds(invariants_, after, nullptr, {}))
            arrows[from].insert({c, enabled(after)});
          else
            breaking.insert({from, c});
        }
      if (expected_.too_large) return std::move(expected_);
    }
    begin();
    std::deque<CallSet> queue(expected_.starts.begin(), expected_.starts.end());
    expected_.sets = expected_.starts;
    while (!queue.empty()) {
      const CallSet from = queue.front();
      queue.pop_front();
      for (const auto& [call, to] : arrows[from]) {
        expected_.arrows.insert({from, call, to});
        if (expected_.sets.insert(to).second) queue.push_back(to);
      }
      for (std::size_t c = 0; c < from.size(); ++c)
        if (breaking.contains({from, c})) expected_.breaking.insert({from, c});
    }
    return std::move(expected_);
  }

  bool invariant(const ConcreteState& s) { return holds(invariants_, s, nullptr, {}); }

private:
  bool holds(const std::vector<Term>& terms, const ConcreteState& state, const Procedure* p,
             const std::vector<Value>& arguments) {
    std::map<Term, Value> values;
    for (std::size_t i = 0; i < module_.state.size(); ++i)
      values[module_.state[i].term] = state.values[i];
    if (p) {
      std::size_t next = 0;
      for (const Variable& v : p->parameters) values[v.term] = arguments.at(next++);
      for (const StateVariable& v : module_.state)
        if (v.client) values[v.term] = arguments.at(next++);
    }
    for (Term t : terms)
      if (!evaluate(t, [&](Term v) { return values.at(v); })->truth()) return false;
    return true;
  }

  struct Run {
    std::vector<Value> inputs;
    ProcedureRun end;
  };

  void extend(const Procedure& body, const ConcreteState& before, std::vector<Value>& inputs,
              std::vector<Run>& found) {
    if (++runs_ > most_runs) expected_.too_large = true;
    if (expected_.too_large) return;
    ProcedureRun run = interpreter_.run(body, before, inputs);
    if (run.how == RunEnd::GaveUp) expected_.too_large = true;
    if (run.how != RunEnd::NeedsInput) {
      found.push_back({inputs, std::move(run)});
      return;
    }
    const auto size = domain_size(run.needs->type);
    if (!size || *size > 64) {
      expected_.too_large = true;
      return;
    }
    for (std::uint64_t i = 0; i < *size; ++i) {
      inputs.push_back(domain_value(run.needs->type, i));
      extend(body, before, inputs, found);
      inputs.pop_back();
    }
  }

  const std::vector<Run>& runs(std::size_t c, const ConcreteState& s) {
    const auto [at, added] = known_.try_emplace({c, s});
    std::vector<Value> inputs;
    if (added) extend(component_.body(component_.calls()[c]), s, inputs, at->second);
    return at->second;
  }

  std::size_t arguments(const Procedure& body) const {
    std::size_t count = body.parameters.size();
    for (const StateVariable& v : module_.state) count += v.client;
    return count;
  }

  static bool good(const Run& run) {
    return run.end.how == RunEnd::Returned && !run.end.end->rejecting;
  }

  /// Arguments that satisfy the clause in the state. Without parameters, all of them at once.
  std::set<std::vector<Value>> accepted(std::size_t c, const ConcreteState& s) {
    const Procedure& body = component_.body(component_.calls()[c]);
    const std::size_t count = arguments(body);
    std::set<std::vector<Value>> found;
    if (mined_) {
      for (const Run& run : runs(c, s))
        if (good(run))
          found.insert(
              {run.inputs.begin(), run.inputs.begin() + static_cast<std::ptrdiff_t>(count)});
      return found;
    }
    std::vector<std::vector<Value>> all{{}};
    const auto grow = [&](const Type& type) {
      std::vector<std::vector<Value>> longer;
      for (const auto& row : all)
        for (std::uint64_t i = 0; i < domain_size(type).value_or(0); ++i) {
          longer.push_back(row);
          longer.back().push_back(domain_value(type, i));
        }
      all = std::move(longer);
    };
    for (const Variable& v : body.parameters) grow(v.type);
    for (const StateVariable& v : module_.state)
      if (v.client) grow(v.type);
    for (const auto& row : all)
      if (holds(body.preconditions, s, &body, row)) found.insert(row);
    return found;
  }

  CallSet enabled(const ConcreteState& s) {
    CallSet set;
    for (std::size_t c = 0; c < component_.calls().size(); ++c)
      set.push_back(!accepted(c, s).empty());
    return set;
  }

  std::vector<ConcreteState> step(std::size_t c, const ConcreteState& s) {
    std::vector<ConcreteState> after;
    const auto good_arguments = accepted(c, s);
    if (good_arguments.empty()) return after;
    const std::size_t count = arguments(component_.body(component_.calls()[c]));
    for (const Run& run : runs(c, s)) {
      if (run.end.how != RunEnd::Returned && run.end.how != RunEnd::Threw) continue;
      if (mined_ && !good(run) && (run.end.end->rejecting || !run.end.end->environment)) continue;
      if (good_arguments.contains(
              {run.inputs.begin(), run.inputs.begin() + static_cast<std::ptrdiff_t>(count)}))
        after.push_back(run.end.after);
    }
    return after;
  }

  void begin() {
    std::vector<std::vector<Value>> initial{{}};
    for (const StateVariable* v : interpreter_.uninitialised()) {
      std::vector<std::vector<Value>> longer;
      for (const auto& row : initial)
        for (std::uint64_t i = 0; i < domain_size(v->type).value(); ++i) {
          longer.push_back(row);
          longer.back().push_back(domain_value(v->type, i));
        }
      initial = std::move(longer);
    }
    for (const Call& call : component_.constructors())
      for (const auto& row : initial) {
        std::vector<Run> found;
        std::vector<Value> inputs;
        extend(component_.body(call), *interpreter_.initial(row), inputs, found);
        for (const Run& run : found)
          if (run.end.how == RunEnd::Returned && holds(invariants_, run.end.after, nullptr, {}))
            expected_.starts.insert(enabled(run.end.after));
      }
  }

  const Component& component_;
  const Module& module_;
  Interpreter interpreter_;
  bool mined_;
  std::vector<Term> invariants_;
  std::map<std::pair<std::size_t, ConcreteState>, std::vector<Run>> known_;
  std::size_t runs_ = 0;
  Expected expected_;
};

/// Random clauses over state and parameters, some of them mixing both.
class Clauses {
public:
  Clauses(Module& module, std::uint64_t seed) : module_(module), bits_(seed * 7919 + 17) {}

  void add() {
    for (Procedure& p : module_.procedures)
      if (p.kind == ProcedureKind::Method && pick(4) != 0) p.preconditions.push_back(clause(&p));
    if (pick(3) == 0) module_.invariants.push_back(clause(nullptr));
  }

private:
  std::uint64_t pick(std::uint64_t below) { return bits_() % below; }

  Term clause(const Procedure* p) {
    TermArena& arena = *module_.arena;
    const Term a = atom(p), b = atom(p);
    switch (pick(4)) {
    case 0: return arena.conj(a, b);
    case 1: return arena.disj(a, b);
    default: return a;
    }
  }

  Term atom(const Procedure* p) {
    TermArena& arena = *module_.arena;
    std::vector<Variable> all;
    for (const StateVariable& v : module_.state)
      if (v.type.sort->kind != SortKind::Map) all.push_back(v);
    if (p)
      for (const Variable& v : p->parameters) all.push_back(v);
    if (all.empty()) return arena.truth();
    const Variable v = all[pick(all.size())], w = all[pick(all.size())];
    if (v.type.sort == w.type.sort && v.term != w.term && pick(2) == 0)
      return v.type.sort->kind == SortKind::Int ? arena.le(v.term, w.term)
                                                : arena.eq(v.term, w.term);
    const auto size = domain_size(v.type).value_or(0);
    const Term value = size == 0 ? arena.integer(0)
                                 : to_term(arena, domain_value(v.type, pick(size)), v.type.sort);
    const Term same = arena.eq(v.term, value);
    return pick(2) == 0 ? same : arena.negate(same);
  }

  Module& module_;
  std::mt19937_64 bits_;
};

std::string text(const Component& component, const CallSet& set) {
  std::string names;
  for (std::size_t c = 0; c < set.size(); ++c)
    if (set[c]) names += component.calls()[c].name + " ";
  return "{ " + names + "}";
}

std::optional<std::string> difference(const Component& component, const Expected& expected,
                                      const Interface& found) {
  std::set<CallSet> starts, sets;
  std::set<Arrow> arrows;
  for (const InitialState& start : found.initial) starts.insert(found.states[start.state].allows);
  for (const InterfaceState& state : found.states) sets.insert(state.allows);
  for (const InterfaceTransition& t : found.transitions) {
    const Arrow arrow{found.states[t.from].allows, t.call, found.states[t.to].allows};
    arrows.insert(arrow);
    if (t.may_break != expected.breaking.contains({std::get<0>(arrow), t.call}))
      return "the invariant's mark is wrong for " + component.calls()[t.call].name;
    if (t.uncertain) return "uncertain: " + component.calls()[t.call].name;
  }
  if (starts != expected.starts) return "the starts differ";
  if (sets.size() != found.states.size()) return "two states enable the same calls";
  for (const auto& [these, those, how] :
       {std::tuple(&std::as_const(arrows), &expected.arrows, "too many"),
        std::tuple(&expected.arrows, &std::as_const(arrows), "missing")})
    for (const Arrow& arrow : *these)
      if (!those->contains(arrow))
        return std::string(how) + ": " + text(component, std::get<0>(arrow)) +
               component.calls()[std::get<1>(arrow)].name + " " +
               text(component, std::get<2>(arrow));
  if (sets != expected.sets) return "the states differ";
  return std::nullopt;
}

class Epa : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Epa, EqualsTheDefinition) {
  const Seeds seeds = random_seeds(full_count, sample_count);
  std::size_t compared = 0, large = 0, refused = 0;
  std::string notes;
  for (std::uint64_t seed = seeds.first + GetParam(); seed < seeds.end; seed += parts) {
    RandomComponent random = random_component(
        seed, {.nondeterministic = seed % 3 != 0, .bounded_state = true, .compare_maps = false});
    random.options.arguments = Arguments::Demonic;
    random.options.rejects.clear();
    auto module = read_module(random.tir(), "random.tir");
    ASSERT_TRUE(module.has_value()) << "seed " << seed;
    const bool mined = seed % 4 == 1;
    if (!mined) Clauses(*module, seed).add();
    auto component = build_component(*module, random.options);
    ASSERT_TRUE(component.has_value()) << "seed " << seed;
    Budget budget(BudgetLimits{.seconds = 30});
    EpaOptions how{.requires_from = mined ? RequiresFrom::Mined : RequiresFrom::Given,
                   .search = seed % 5 == 0 ? EpaSearch::Candidates : EpaSearch::Models,
                   .pruning = seed % 2 == 0,
                   .workers = 1 + seed % 2,
                   .for_readers = seed % 8 == 0};
    // The definition by itself first: what is too large for it is left out.
    std::vector<Term> invariants = component->module().invariants;
    std::optional<EpaResult> result;
    const auto compute = [&] {
      auto made = synthesise_epa(*module, *component, how, budget);
      if (made)
        result = std::move(*made);
      else
        notes += fmt::format("seed {} refused: {}\n", seed, to_string(made.error()));
    };
    if (mined) {
      compute();
      if (!result) {
        ++refused;
        continue;
      }
      invariants = result->annotated.invariants;
    }
    const Expected expected = Definition(*component, mined, invariants).run();
    if (expected.too_large) {
      ++large;
      continue;
    }
    if (!mined) compute();
    if (!result) {
      // Only an invariant that no state satisfies is refused.
      refused += !expected.starts.empty();
      continue;
    }
    ++compared;
    const auto wrong = difference(*component, expected, result->interface);
    EXPECT_FALSE(wrong.has_value())
        << "seed " << seed << (mined ? " mined\n" : "\n") << random.options_text()
        << print_module(*module) << to_json(result->interface) << *wrong;
    if (HasFailure()) return;
    result->interface.tir = print_module(*module);
    const CheckReport report = check_evidence(result->interface, *component, {});
    EXPECT_TRUE(report.accepted())
        << "seed " << seed << (mined ? " mined\n" : "\n") << random.options_text()
        << print_module(*module) << to_json(result->interface)
        << to_string(report.rejected.empty() ? report.unknown[0] : report.rejected[0]);
    // What the definition does not have is rejected.
    auto mutants = epa_mutants(result->interface);
    std::erase_if(mutants, [](const EpaMutant& m) { return m.change == "no invariant"; });
    if (expected.sets.empty()) continue; // then nothing is claimed
    for (std::size_t i = seed % 7; i < mutants.size(); i += 1 + mutants.size() / 4)
      EXPECT_FALSE(check_evidence(mutants[i].result, *component, {}).rejected.empty())
          << "seed " << seed << (mined ? " mined: " : ": ") << mutants[i].change << "\n"
          << random.options_text() << print_module(*module) << to_json(result->interface);
    if (HasFailure()) return;
  }
  fmt::print("{}{} compared, {} too large, {} refused\n", notes, compared, large, refused);
  EXPECT_EQ(refused, 0u);
  EXPECT_GE(compared * parts, full_volume() ? 1000u : 40u);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Epa, testing::Range(std::uint64_t{0}, parts));

} // namespace
} // namespace tacit
