#include "agreement.h"

#include <algorithm>
#include <deque>

#include "finite/bdd/bdd_oracle.h"
#include "finite/explicit.h"
#include "logic/term/print.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

constexpr std::size_t max_valuations = 3000, max_regions = 300, max_pairs = 40;

/// All states within the types; nullopt when there are many.
std::optional<std::vector<ConcreteState>> all_states(const Module& module) {
  std::vector<ConcreteState> states{{}};
  for (const StateVariable& v : module.state) {
    const auto size = domain_size(v.type);
    if (!size || *size * states.size() > max_valuations) return std::nullopt;
    std::vector<ConcreteState> more;
    for (const ConcreteState& s : states)
      for (std::uint64_t i = 0; i < *size; ++i) {
        more.push_back(s);
        more.back().values.push_back(domain_value(v.type, i));
      }
    states = std::move(more);
  }
  return states;
}

bool mentions_map_equality(Term term) {
  if (term->op == Op::Eq && term->args[0]->sort->kind == SortKind::Map) return true;
  return std::ranges::any_of(term->args, mentions_map_equality);
}

/// The interpreter's maps are total: two that agree on all keys of their type may still differ for
/// it.
bool compares_maps(const Module& module) {
  for (const Procedure& p : module.procedures)
    for (const Block& b : p.blocks) {
      if (b.end.value && mentions_map_equality(b.end.value)) return true;
      for (const Statement& s : b.statements)
        if (s.value && mentions_map_equality(s.value)) return true;
    }
  return false;
}

/// On the keys of their types.
bool agree(const Type& type, const Value& a, const Value& b) {
  if (type.sort->kind != SortKind::Map) return a == b;
  for (std::uint64_t k = 0; k < *domain_size(*type.key); ++k) {
    const Value key = scalar_value(*type.key, k);
    if (!agree(*type.value, select(a, key), select(b, key))) return false;
  }
  return true;
}

class Comparison {
public:
  Comparison(const Component& component, BddOracle& symbolic, ExplicitOracle& concrete,
             AgreementTally& tally)
      : component_(component), symbolic_(symbolic), explicit_(concrete), tally_(tally),
        replayable_(!compares_maps(component.module())) {}

  std::optional<std::string> run() {
    Budget budget;
    auto expected = explore(explicit_, budget);
    auto found = explore(symbolic_, budget);
    if (expected.has_value() != found.has_value())
      return fmt::format("one fails: {}", to_string(expected ? found.error() : expected.error()));
    if (!expected) {
      ++tally_.failures;
      return std::nullopt;
    }
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      if (explicit_.constructor_errs(k) != symbolic_.constructor_errs(k))
        return "constructor_errs differs";
      if (auto wrong = failing_constructor(k)) return wrong;
    }
    if (!(minimal(expected->protocol, component_).protocol.dfa ==
          minimal(found->protocol, component_).protocol.dfa))
      return "the minimal automata differ";
    if (!(expected->protocol.dfa == found->protocol.dfa)) return "the automata differ";
    tally_.states += found->regions.size();
    for (const auto& [key, rounds] : explicit_.loop_bounds()) {
      const auto bounds = symbolic_.loop_bounds();
      if (!bounds.contains(key) || bounds.at(key) < rounds)
        return "too small a bound for the loop " + key;
    }
    valuations_ = all_states(component_.module());
    if (valuations_)
      if (auto wrong = hiding(found->regions)) return wrong;
    if (found->regions.size() > max_regions) return std::nullopt;
    if (auto wrong = runs(found->protocol.dfa, found->regions)) return wrong;
    for (State q = 0; q < found->regions.size(); ++q)
      if (auto wrong = region(expected->regions[q], found->regions[q])) return wrong;
    std::size_t pairs = 0;
    for (State q = 0; q < found->regions.size() && pairs < max_pairs; ++q)
      for (State r = q; r < found->regions.size() && pairs < max_pairs; ++r, ++pairs) {
        const auto [eq, er] = std::pair(expected->regions[q], expected->regions[r]);
        const auto [bq, br] = std::pair(found->regions[q], found->regions[r]);
        if (auto wrong = same_set("union", explicit_.unite({eq, er}), symbolic_.unite({bq, br})))
          return wrong;
        if (auto wrong = same_set("difference", explicit_.minus(eq, er), symbolic_.minus(bq, br)))
          return wrong;
        for (std::size_t l = 0; l < component_.letters(); ++l)
          if (auto wrong =
                  same_set("able into", explicit_.able(eq, l, er), symbolic_.able(bq, l, br)))
            return wrong;
      }
    if (auto why = symbolic_.failure()) return to_string(*why);
    return std::nullopt;
  }

private:
  bool holds(Term predicate, const ConcreteState& state) const {
    const auto value = evaluate(predicate, [&](Term variable) {
      return state.values[component_.module().state_index(variable).value()];
    });
    return value.has_value() && value->truth();
  }

  std::optional<std::string> same_set(const std::string& what, Region expected, Region found) {
    ++tally_.sets_compared;
    if ((expected == empty_region) != (found == empty_region)) return what + ": one set is empty";
    const auto wanted = explicit_.describe(expected), got = symbolic_.describe(found);
    if (wanted && got && to_string(*wanted) != to_string(*got))
      return fmt::format("{}: described as {}, explicitly as {}", what, to_string(*got),
                         to_string(*wanted));
    if (!wanted || !got || !valuations_) return std::nullopt;
    ++tally_.sets_checked;
    double members = 0;
    for (const ConcreteState& s : *valuations_) {
      const bool in = symbolic_.contains(found, s);
      members += in ? 1 : 0;
      if (holds(*wanted, s) != in)
        return fmt::format("{}: {} should be {}, for {}", what, to_string(*got), to_string(*wanted),
                           to_string(component_.module(), s));
      if (holds(*got, s) != in)
        return fmt::format("{}: the description {} is wrong for {}", what, to_string(*got),
                           to_string(component_.module(), s));
    }
    if (symbolic_.count(found) != members) return what + ": the count is wrong";
    return std::nullopt;
  }

  std::optional<std::string> region(Region expected, Region found) {
    if (auto wrong = same_set("region", expected, found)) return wrong;
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      const Region erring = symbolic_.erring(found, c);
      if (auto wrong = same_set("erring", explicit_.erring(expected, c), erring)) return wrong;
      if (explicit_.error_site(expected, c).has_value() !=
          symbolic_.error_site(found, c).has_value())
        return "error_site differs";
    }
    for (std::size_t l = 0; l < component_.letters(); ++l) {
      const Region able = symbolic_.able(found, l, std::nullopt);
      if (auto wrong = same_set("able", explicit_.able(expected, l, std::nullopt), able))
        return wrong;
      const auto example = symbolic_.example(found, l);
      if (example.has_value() != (able != empty_region))
        return "example: one should exist exactly where it can";
      if (!example) continue;
      ++tally_.examples;
      if (!replayable_) continue;
      if (!symbolic_.contains(found, example->before)) return "example: not from the region";
      const StepResult step = run_step(component_, example->before, example->step);
      const CallOutcome letter = component_.letter(l);
      if ((step.how != RunEnd::Returned && step.how != RunEnd::Threw) ||
          step.outcome != letter.outcome)
        return "example: the interpreter disagrees about " + component_.letter_name(l);
      for (std::size_t v = 0; v < component_.module().state.size(); ++v)
        if (!agree(component_.module().state[v].type, step.after.values[v],
                   example->after.values[v]))
          return "example: the state after it is wrong";
      if (!symbolic_.contains(symbolic_.post(able, l), step.after))
        return "example: post does not hold its result";
    }
    return std::nullopt;
  }

  std::optional<std::string> failing_constructor(std::size_t k) {
    const auto run = symbolic_.failing_constructor(k);
    if (run.has_value() != symbolic_.constructor_errs(k))
      return "a failing constructor should have a run";
    if (run && replayable_ && run_constructor(component_, *run).how != RunEnd::Erred)
      return "the run of a constructor does not err";
    return std::nullopt;
  }

  /// A shortest word to every state, replayed; and every error after it.
  std::optional<std::string> runs(const Dfa& dfa, const std::vector<Region>& regions) {
    for (std::size_t k = 0; k < dfa.entries().size(); ++k) {
      std::vector<std::optional<std::vector<std::size_t>>> word(dfa.states());
      std::deque<State> work;
      if (dfa.entries()[k] == no_state) continue;
      word[dfa.entries()[k]].emplace();
      work.push_back(dfa.entries()[k]);
      for (; !work.empty(); work.pop_front()) {
        const State q = work.front();
        if (auto wrong = replayed(k, *word[q], std::nullopt, regions[q])) return wrong;
        for (std::size_t c = 0; c < component_.calls().size(); ++c)
          if (symbolic_.errs(regions[q], c))
            if (auto wrong = replayed(k, *word[q], c, regions[q])) return wrong;
        for (Letter l = 0; l < dfa.letters(); ++l)
          if (const State to = dfa.next(q, l); to != no_state && !word[to]) {
            word[to] = word[q];
            word[to]->push_back(l);
            work.push_back(to);
          }
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> replayed(std::size_t constructor,
                                      const std::vector<std::size_t>& letters,
                                      std::optional<std::size_t> errs_on, Region region) {
    const auto run = symbolic_.run_along(constructor, letters, errs_on);
    if (!run) return "a word that can happen should have a run";
    if (!replayable_) return std::nullopt;
    ++tally_.runs_replayed;
    const auto results = replay(component_, *run);
    if (results.size() != letters.size() + 1 + (errs_on ? 1 : 0)) return "the run stops early";
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const CallOutcome letter = component_.letter(letters[i]);
      if (run->steps[i].call != letter.call || results[i + 1].outcome != letter.outcome ||
          (results[i + 1].how != RunEnd::Returned && results[i + 1].how != RunEnd::Threw))
        return "the run does not follow " + component_.letter_name(letters[i]);
    }
    if (errs_on ? results.back().how != RunEnd::Erred : results.back().how == RunEnd::Erred)
      return "the run does not end as it should";
    if (!symbolic_.contains(region, results[letters.size()].after))
      return "the run ends outside of the region";
    return std::nullopt;
  }

  /// Cylinders and cubes by brute force over all valuations, hiding every other variable and then
  /// the others.
  std::optional<std::string> hiding(const std::vector<Region>& regions) {
    if (auto wrong = hiding_units(regions)) return wrong;
    symbolic_.hide_bits();
    explicit_.hide_bits();
    if (symbolic_.variables() != explicit_.variables()) return "there are more bits in one of them";
    for (std::size_t v = 0; v < symbolic_.variables(); ++v)
      if (symbolic_.variable_name(v) != explicit_.variable_name(v)) return "bits have two names";
    return hiding_units(regions);
  }

  std::optional<std::string> hiding_units(const std::vector<Region>& regions) {
    const std::size_t n = symbolic_.variables();
    if (symbolic_.count(symbolic_.everything()) != static_cast<double>(valuations_->size()))
      return "everything is not everything";
    for (std::size_t turn = 0; turn < 3; ++turn) {
      HidingOracle::Kept kept(n);
      for (std::size_t i = 0; i < n; ++i) kept[i] = turn == 2 || i % 2 == turn;
      for (std::size_t q = 0; q < std::min<std::size_t>(regions.size(), 12); ++q) {
        const Region region = regions[q], cylinder = symbolic_.cylinder(region, kept);
        if (symbolic_.minus(region, cylinder) != empty_region) return "a cylinder is too small";
        if (symbolic_.cylinder(cylinder, kept) != cylinder)
          return "a cylinder of a cylinder is larger";
        if (turn == 2 && cylinder != region)
          return "a cylinder over all variables changes the region";
        const auto cubes = symbolic_.cubes(cylinder, kept);
        double total = 0;
        for (Region cube : cubes) {
          total += symbolic_.count(cube);
          if (cube == empty_region || symbolic_.cylinder(symbolic_.pick(cube), kept) != cube)
            return "a cube is not the cylinder of its states";
          if (symbolic_.intersect(cube, region) == empty_region)
            return "a cube does not meet the region";
        }
        if (symbolic_.unite(cubes) != cylinder || total != symbolic_.count(cylinder))
          return "cubes do not add up";
        const Region state = symbolic_.pick(region);
        if (symbolic_.count(state) != 1 || symbolic_.minus(state, region) != empty_region)
          return "pick is wrong";
        Region rest = symbolic_.everything();
        for (std::size_t v = 0; v < n; ++v) rest = symbolic_.agreeing(rest, state, v);
        if (rest != state) return "agreeing on everything should leave the state";
      }
    }
    return std::nullopt;
  }

  const Component& component_;
  BddOracle& symbolic_;
  ExplicitOracle& explicit_;
  AgreementTally& tally_;
  const bool replayable_;
  std::optional<std::vector<ConcreteState>> valuations_;
};

} // namespace

std::string to_string(const AgreementTally& t) {
  return fmt::format("{} components, {} not finite, {} fail; {} regions, {} sets ({} state by "
                     "state), {} runs, {} examples",
                     t.components, t.not_finite, t.failures, t.states, t.sets_compared,
                     t.sets_checked, t.runs_replayed, t.examples);
}

std::optional<std::string> disagreement(const Component& component, AgreementTally& tally) {
  Budget budget;
  auto concrete = ExplicitOracle::create(component);
  auto symbolic = BddOracle::create(component, budget);
  if (!concrete || !symbolic) {
    ++tally.not_finite;
    if (!concrete && symbolic)
      return "only the explicit oracle refuses: " + to_string(concrete.error());
    if (concrete) {
      for (const StateVariable& v : component.module().state)
        if (!domain_size(v.type)) return std::nullopt;
      return "only the symbolic oracle refuses: " + to_string(symbolic.error());
    }
    return std::nullopt;
  }
  ++tally.components;
  return Comparison(component, **symbolic, **concrete, tally).run();
}

} // namespace tacit
