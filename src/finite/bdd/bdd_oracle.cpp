#include "finite/bdd/bdd_oracle.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <unordered_map>

#include "base/should.h"
#include "finite/bdd/call_model.h"
#include "finite/bdd/describe_set.h"
#include "logic/term/print.h"

namespace tacit {

using Codes = Encoding::Codes;

/// Everything that is made of diagrams. The session comes first, so that it goes last.
class BddOracle::Space {
public:
  Space(const Component& of, Budget& limits, std::shared_ptr<BddSession> session,
        std::unique_ptr<Encoding> bits)
      : session_(std::move(session)), budget(limits), component(of), encoding(std::move(bits)),
        to_current_(current_and_next(*encoding)) {
    regions_.emplace_back();
    numbers_[0] = empty_region;
  }

  /// Runs something on diagrams; gives up for good when it does.
  template <class Answer, class Question>
  Answer ask(Answer otherwise, Question question, Watch watch = Watch::LongOperations) {
    if (failure) return otherwise;
    const BddScope scope(budget, watch);
    try {
      return question();
    } catch (const BddGaveUp& why) {
      failure = Diagnostic{{}, why.reason, {}};
      return otherwise;
    }
  }

  Result<void> build() {
    ask(
        false,
        [&] {
          const Arguments arguments = component.options().arguments;
          for (const Call& c : component.constructors())
            constructors.emplace_back(*encoding, c, arguments);
          for (const Call& c : component.calls()) calls.emplace_back(*encoding, c, arguments);
          initial = initial_states();
          for (std::size_t k = 0; k < constructors.size(); ++k) start_with(k);
          return true;
        },
        Watch::AllOperations);
    if (failure) return std::unexpected(*failure);
    return {};
  }

  const Bdd& set(Region region) const {
    should(region < regions_.size(), "a region should come from this oracle");
    return regions_[region];
  }

  Region intern(const Bdd& states) {
    const auto [at, fresh] =
        numbers_.try_emplace(states.id(), static_cast<Region>(regions_.size()));
    if (fresh) regions_.push_back(states);
    return at->second;
  }

  /// A run from the states that cannot be followed ends everything.
  void follow(const Bdd& states, const Call& call, const CallModel& model) {
    if (model.fails().is_false()) return;
    const Bdd bad = states & model.fails();
    if (bad.is_false()) return;
    const Codes from = encoding->least(bad);
    const Bdd state = encoding->state(from);
    for (const BodyFailure& f : model.body().failures())
      if (!(f.path & state).is_false()) {
        failure = Diagnostic{component.body(call).where,
                             fmt::format("in '{}' from {}: {}", call.name,
                                         to_string(component.module(), encoding->concrete(from)),
                                         f.reason),
                             {}};
        return;
      }
  }

  Bdd post(const Bdd& states, std::size_t letter) {
    const CallOutcome at = component.letter(letter);
    follow(states, component.calls()[at.call], calls[at.call]);
    if (failure) return Bdd();
    return calls[at.call].post(states, at.outcome, to_current_);
  }

  struct Start {
    bool errs = false;
    Bdd states;
  };

private:
  std::shared_ptr<BddSession> session_;

public:
  Budget& budget;
  const Component& component;
  std::unique_ptr<Encoding> encoding;
  std::vector<CallModel> calls, constructors;
  Bdd initial;
  std::vector<Start> starts;
  std::optional<Diagnostic> failure;

private:
  static Renaming current_and_next(const Encoding& bits) {
    Bits current, next;
    for (std::size_t s = 0; s < bits.slots().size(); ++s) {
      current.insert(current.end(), bits.current(s).begin(), bits.current(s).end());
      next.insert(next.end(), bits.next(s).begin(), bits.next(s).end());
    }
    return Renaming(next, current);
  }

  Bdd initial_states() const {
    Bdd all(true);
    std::size_t slot = 0;
    for (const StateVariable& v : component.module().state) {
      if (!v.initial) {
        for (std::size_t i = 0; i < width_of(v.type); ++i) all &= encoding->valid_slot(slot++);
        continue;
      }
      const auto value = evaluate(v.initial, [](Term) { return Value(0); });
      if (!value) throw BddGaveUp{value.error().message};
      for (Integer scalar : scalars_of(v.type, *value)) {
        const Slot& at = encoding->slots()[slot];
        const Integer code = scalar - at.low;
        if (code < 0 || code >= static_cast<Integer>(at.size))
          throw BddGaveUp{
              fmt::format("the initial value of '{}' is outside of its range", v.name())};
        all &= Encoding::code_is(encoding->current(slot++), static_cast<std::uint64_t>(code));
      }
    }
    return all;
  }

  void start_with(std::size_t k) {
    const Call& call = component.constructors()[k];
    follow(initial, call, constructors[k]);
    if (failure) return;
    Start start{!(initial & constructors[k].errs()).is_false(), Bdd()};
    for (std::size_t o = 0; o < call.outcomes.size(); ++o)
      if (!call.outcomes[o].starts_with("throws"))
        start.states |= constructors[k].post(initial, o, to_current_);
    starts.push_back(std::move(start));
  }

  Renaming to_current_;
  std::deque<Bdd> regions_;                 // by number; they stay where they are
  std::unordered_map<int, Region> numbers_; // of diagrams
};

Result<std::unique_ptr<BddOracle>> BddOracle::create(const Component& component, Budget& budget) {
  auto session = BddSession::open();
  if (!session) return std::unexpected(session.error());
  std::unique_ptr<Space> space;
  try {
    const BddScope scope(budget, Watch::AllOperations);
    auto encoding = Encoding::create(component, *session);
    if (!encoding) return std::unexpected(encoding.error());
    space = std::make_unique<Space>(component, budget, *session, std::move(*encoding));
  } catch (const BddGaveUp& why) {
    return fail("{}", why.reason);
  }
  if (auto built = space->build(); !built) return std::unexpected(built.error());
  return std::unique_ptr<BddOracle>(new BddOracle(std::move(space)));
}

BddOracle::BddOracle(std::unique_ptr<Space> space) : space_(std::move(space)) {}
BddOracle::~BddOracle() = default;

const Component& BddOracle::component() const { return space_->component; }
std::optional<Diagnostic> BddOracle::failure() const { return space_->failure; }

Region BddOracle::start(std::size_t constructor) {
  const Space::Start& start = space_->starts[constructor];
  return start.errs ? empty_region : space_->intern(start.states);
}

bool BddOracle::constructor_errs(std::size_t constructor) {
  return space_->starts[constructor].errs;
}

bool BddOracle::errs(Region region, std::size_t call) {
  return space_->ask(false, [&] {
    const CallModel& model = space_->calls[call];
    space_->follow(space_->set(region), component().calls()[call], model);
    return !model.errs().is_false() && !(space_->set(region) & model.errs()).is_false();
  });
}

Region BddOracle::post(Region region, std::size_t letter) {
  return space_->ask(empty_region,
                     [&] { return space_->intern(space_->post(space_->set(region), letter)); });
}

Region BddOracle::unite(const std::vector<Region>& regions) {
  return space_->ask(empty_region, [&] {
    Bdd all;
    for (Region r : regions) all |= space_->set(r);
    return space_->intern(all);
  });
}

Region BddOracle::minus(Region a, Region b) {
  return space_->ask(empty_region,
                     [&] { return space_->intern(without(space_->set(a), space_->set(b))); });
}

Region BddOracle::erring(Region region, std::size_t call) {
  return space_->ask(empty_region, [&] {
    space_->follow(space_->set(region), component().calls()[call], space_->calls[call]);
    return space_->intern(space_->set(region) & space_->calls[call].errs());
  });
}

Region BddOracle::able(Region region, std::size_t letter, std::optional<Region> into) {
  return space_->ask(empty_region, [&] {
    const CallOutcome at = component().letter(letter);
    const CallModel& model = space_->calls[at.call];
    space_->follow(space_->set(region), component().calls()[at.call], model);
    const Bdd from = into ? model.pre(at.outcome, space_->set(*into)) : model.origins(at.outcome);
    return space_->intern(space_->set(region) & from);
  });
}

std::optional<Term> BddOracle::describe(Region region) {
  return space_->ask(std::optional<Term>(),
                     [&] { return describe_set(*space_->encoding, space_->set(region)); });
}

std::optional<LetterExample> BddOracle::example(Region region, std::size_t letter) {
  return space_->ask(std::optional<LetterExample>(), [&]() -> std::optional<LetterExample> {
    const CallOutcome at = component().letter(letter);
    const Bdd from = space_->set(region) & space_->calls[at.call].origins(at.outcome);
    if (from.is_false()) return std::nullopt;
    const Codes state = space_->encoding->least(from);
    auto run = space_->calls[at.call].run(*space_->encoding, state, at.outcome, nullptr);
    if (!run) return std::nullopt;
    return LetterExample{space_->encoding->concrete(state),
                         {at.call, std::move(run->inputs)},
                         space_->encoding->concrete(run->after)};
  });
}

std::optional<ErrorSite> BddOracle::error_site(Region region, std::size_t call) {
  return space_->ask(std::optional<ErrorSite>(), [&]() -> std::optional<ErrorSite> {
    const CallModel& model = space_->calls[call];
    const Bdd from = space_->set(region) & model.errs();
    if (from.is_false()) return std::nullopt;
    const auto run = model.erring_run(*space_->encoding, space_->encoding->least(from));
    if (!run) return std::nullopt;
    return ErrorSite{run->end->name, run->end->site(), run->end->procedure};
  });
}

std::map<std::string, std::size_t> BddOracle::loop_bounds() const {
  std::map<std::string, std::size_t> bounds;
  auto add = [&](const std::vector<Call>& calls, const std::vector<CallModel>& models) {
    for (std::size_t i = 0; i < calls.size(); ++i)
      for (const auto& [block, rounds] : models[i].body().rounds())
        bounds[calls[i].name + "/" + std::to_string(block)] = rounds;
  };
  add(component().constructors(), space_->constructors);
  add(component().calls(), space_->calls);
  return bounds;
}

namespace {

/// The values of the state variables that have no initial value.
std::vector<Value> open_values(const Module& module, const ConcreteState& state) {
  std::vector<Value> values;
  for (std::size_t i = 0; i < module.state.size(); ++i)
    if (!module.state[i].initial) values.push_back(state.values[i]);
  return values;
}

} // namespace

/// Forward through the sets that the letters reach, then back from one state, each time to a state
/// that leads to it.
std::optional<ConcreteRun> BddOracle::run_along(std::size_t constructor,
                                                const std::vector<std::size_t>& letters,
                                                std::optional<std::size_t> errs_on) {
  return space_->ask(std::optional<ConcreteRun>(), [&]() -> std::optional<ConcreteRun> {
    const Encoding& encoding = *space_->encoding;
    std::vector<Bdd> layers{space_->starts[constructor].states};
    for (std::size_t letter : letters) layers.push_back(space_->post(layers.back(), letter));
    Bdd last = layers.back();
    if (errs_on) last &= space_->calls[*errs_on].errs();
    if (last.is_false()) return std::nullopt;

    ConcreteRun run;
    run.constructor = constructor;
    Codes at = encoding.least(last);
    if (errs_on) {
      auto end = space_->calls[*errs_on].erring_run(encoding, at);
      if (!end) return std::nullopt;
      run.steps.push_back({*errs_on, std::move(end->inputs)});
    }
    for (std::size_t i = letters.size(); i > 0; --i) {
      const CallOutcome letter = component().letter(letters[i - 1]);
      const CallModel& model = space_->calls[letter.call];
      const Bdd from = layers[i - 1] & model.pre(letter.outcome, encoding.state(at));
      if (from.is_false()) return std::nullopt;
      const Codes before = encoding.least(from);
      auto step = model.run(encoding, before, letter.outcome, &at);
      if (!step) return std::nullopt;
      run.steps.insert(run.steps.begin(), {letter.call, std::move(step->inputs)});
      at = before;
    }
    const Call& start = component().constructors()[constructor];
    for (std::size_t o = 0; o < start.outcomes.size(); ++o) {
      if (start.outcomes[o].starts_with("throws")) continue;
      const Bdd from =
          space_->initial & space_->constructors[constructor].pre(o, encoding.state(at));
      if (from.is_false()) continue;
      const Codes before = encoding.least(from);
      auto made = space_->constructors[constructor].run(encoding, before, o, &at);
      if (!made) return std::nullopt;
      run.initial = open_values(component().module(), encoding.concrete(before));
      run.constructor_inputs = std::move(made->inputs);
      return run;
    }
    return std::nullopt;
  });
}

std::optional<ConcreteRun> BddOracle::failing_constructor(std::size_t constructor) {
  return space_->ask(std::optional<ConcreteRun>(), [&]() -> std::optional<ConcreteRun> {
    const CallModel& model = space_->constructors[constructor];
    const Bdd from = space_->initial & model.errs();
    if (from.is_false()) return std::nullopt;
    const Codes before = space_->encoding->least(from);
    auto run = model.erring_run(*space_->encoding, before);
    if (!run) return std::nullopt;
    return ConcreteRun{open_values(component().module(), space_->encoding->concrete(before)),
                       constructor,
                       std::move(run->inputs),
                       {}};
  });
}

std::size_t BddOracle::variables() const { return space_->encoding->slots().size(); }

std::string BddOracle::variable_name(std::size_t variable) const {
  return to_string(slot_term(component(), space_->encoding->slots()[variable]));
}

Region BddOracle::everything() {
  return space_->ask(empty_region,
                     [&] { return space_->intern(space_->encoding->valid_states()); });
}

Region BddOracle::cylinder(Region region, const Kept& kept) {
  return space_->ask(empty_region, [&] {
    const Encoding& encoding = *space_->encoding;
    Bits hidden;
    for (std::size_t s = 0; s < kept.size(); ++s)
      if (!kept[s])
        hidden.insert(hidden.end(), encoding.current(s).begin(), encoding.current(s).end());
    return space_->intern(exists(space_->set(region), variable_set(hidden)) &
                          encoding.valid_states());
  });
}

std::vector<Region> BddOracle::cubes(Region cylinder, const Kept& kept) {
  return space_->ask(std::vector<Region>(), [&] {
    const Encoding& encoding = *space_->encoding;
    Bits order;
    for (std::size_t s = 0; s < kept.size(); ++s)
      if (kept[s])
        order.insert(order.end(), encoding.current(s).rbegin(), encoding.current(s).rend());
    std::vector<Region> result;
    // `left` is what the values chosen so far leave of the cylinder, `chosen` their literals.
    std::function<void(std::size_t, const Bdd&, const Bdd&)> split =
        [&](std::size_t at, const Bdd& left, const Bdd& chosen) {
          if (left.is_false()) return;
          if (at == order.size()) {
            check_budget();
            result.push_back(space_->intern(left & chosen));
            return;
          }
          for (bool value : {false, true}) {
            const Bdd literal = Bdd::literal(order[at], value);
            split(at + 1, cofactor(left, literal), chosen & literal);
          }
        };
    split(0, space_->set(cylinder), Bdd(true));
    return result;
  });
}

Region BddOracle::pick(Region region) {
  if (region == empty_region) return empty_region;
  return space_->ask(empty_region, [&] {
    return space_->intern(space_->encoding->state(space_->encoding->least(space_->set(region))));
  });
}

Region BddOracle::agreeing(Region region, Region state, std::size_t variable) {
  if (state == empty_region) return empty_region;
  return space_->ask(empty_region, [&] {
    const Encoding& encoding = *space_->encoding;
    const Codes codes = encoding.least(space_->set(state));
    return space_->intern(space_->set(region) &
                          Encoding::code_is(encoding.current(variable), codes[variable]));
  });
}

Region BddOracle::intersect(Region a, Region b) {
  return space_->ask(empty_region, [&] { return space_->intern(space_->set(a) & space_->set(b)); });
}

double BddOracle::count(Region region) {
  return space_->ask(0.0, [&] {
    const Encoding& encoding = *space_->encoding;
    Bits bits;
    for (std::size_t s = 0; s < encoding.slots().size(); ++s)
      bits.insert(bits.end(), encoding.current(s).begin(), encoding.current(s).end());
    std::ranges::sort(bits);
    auto rank = [&](const Bdd& set) {
      if (set.is_constant()) return bits.size();
      return static_cast<std::size_t>(std::ranges::lower_bound(bits, set.top()) - bits.begin());
    };
    std::unordered_map<int, double> known;
    // Valuations of the bits from the diagram's first variable on.
    std::function<double(const Bdd&)> valuations = [&](const Bdd& set) -> double {
      if (set.is_constant()) return set.is_true() ? 1 : 0;
      if (auto found = known.find(set.id()); found != known.end()) return found->second;
      double sum = 0;
      for (const Bdd& side : {set.low(), set.high()})
        sum += std::ldexp(valuations(side), static_cast<int>(rank(side) - rank(set) - 1));
      known.emplace(set.id(), sum);
      return sum;
    };
    const Bdd& all = space_->set(region);
    return std::ldexp(valuations(all), static_cast<int>(rank(all)));
  });
}

bool BddOracle::contains(Region region, const ConcreteState& state) {
  return space_->ask(false, [&] {
    return !(space_->set(region) & space_->encoding->state(space_->encoding->codes(state)))
                .is_false();
  });
}

std::size_t BddOracle::nodes(Region region) const { return node_count(space_->set(region)); }

} // namespace tacit
