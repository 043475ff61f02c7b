#include "pipeline/views.h"

#include <algorithm>

#include "synthesis/alphabet/guarded.h"
#include "synthesis/engines.h"

namespace tacit {
namespace {

constexpr double coarse_share = 0.3; // of the time that is left, for one view
// Which arguments are good often depends on what coarser views leave out.
constexpr double arguments_share = 0.7;
// What is not too large is often settled at once; then the views would only take longer.
constexpr double quick_seconds = 8, quick_share = 0.5;
constexpr std::size_t quick_weight = 5000;

struct Level {
  Detail detail;
  const char* name;
};
constexpr Level levels[] = {{Detail::Flags, "the conditions of errors"},
                            {Detail::Guards, "what flows into the conditions of errors"},
                            {Detail::Slice, "what decides whether errors happen"}};

/// How much there is to look at.
std::size_t weight(const Component& component) {
  std::size_t sum = component.module().state.size();
  for (const Procedure& p : component.module().procedures)
    for (const Block& b : p.blocks) sum += 1 + b.statements.size();
  return sum;
}

/// The share of calls that are allowed somewhere and everywhere; more is better.
double allowance(const Interface& interface) {
  std::size_t allowed = 0, all = 0;
  for (const InterfaceState& state : interface.states) {
    all += state.allows.size();
    allowed += static_cast<std::size_t>(std::ranges::count(state.allows, true));
  }
  return all == 0 ? 0 : static_cast<double>(allowed) / static_cast<double>(all);
}

/// Of two answers that are not settled, the one that says more.
bool says_more(const Interface& a, const Interface& b) {
  if (a.verdict.safe != b.verdict.safe) return a.verdict.safe == Claim::Proved;
  return allowance(a) > allowance(b);
}

class Views {
public:
  Views(const Module& module, std::shared_ptr<const Component> component, const EngineSetup& setup,
        Budget& budget)
      : module_(module), component_(std::move(component)), setup_(setup), budget_(budget),
        story_(setup.options.story), all_(weight(*component_)), before_(all_) {}

  Result<ViewedSynthesis> whole(Budget& budget) const {
    return look(*setup_.engine, component_, budget);
  }

  Result<ViewedSynthesis> from_coarse_to_fine() {
    if (all_ <= quick_weight) {
      const bool finished = look_quickly();
      if (settled()) return std::move(*best_);
      // Coarser views know less, and a second look sees the same.
      if (finished) return told();
    }
    for (const Level& level : levels) {
      auto stop = look_at(level);
      if (!stop) return std::unexpected(stop.error());
      if (*stop) break;
    }
    if (const auto left = budget_.seconds_left();
        best_ && (budget_.exhausted_now() || (left && *left < setup_.build_seconds)))
      return told();
    if (settled()) return std::move(*best_);
    story_.tell("auto: everything");
    auto finest = whole(budget_);
    if (!finest) return best_ ? Result<ViewedSynthesis>(std::move(*best_)) : std::move(finest);
    if (better(finest->synthesis)) return finest;
    return told();
  }

private:
  Result<ViewedSynthesis> look(const Engine& engine, std::shared_ptr<const Component> component,
                               Budget& budget) const {
    SynthesisOptions options = setup_.options;
    auto given = parse_predicates(*component, &module_, setup_.predicates);
    if (!given) return std::unexpected(given.error());
    options.predicates = std::move(*given);
    auto result = component->options().arguments == Arguments::Guarded
                      ? synthesise_guarded(*component, {engine, tracking(engine)}, options, budget)
                      : engine.run(*component, options, budget);
    if (!result) return std::unexpected(result.error());
    // Where readings of arguments are one, the simplest was taken.
    if (const Arguments read = result->interface.options.arguments;
        read != component->options().arguments)
      component = std::make_shared<const Component>(component->read_as(read));
    return ViewedSynthesis{std::move(*result), std::move(component)};
  }

  static const Engine& tracking(const Engine& engine) {
    return engine.coarse.empty() ? engine : *find_engine(engine.coarse);
  }

  /// With a part of the time that is left, at most `most` seconds.
  Result<ViewedSynthesis> with_share(double part, std::optional<double> most, const auto& run) {
    Budget share(budget_.share(part, most));
    auto result = run(share);
    budget_.count_queries(share.queries());
    return result;
  }

  bool settled() const { return best_ && best_->synthesis.settled; }
  bool better(const Synthesis& found) const {
    return !best_ || found.settled || says_more(found.interface, best_->synthesis.interface);
  }

  /// The best so far. Shares of the budget are not what the user asked for.
  ViewedSynthesis told() {
    best_->synthesis = in_terms_of(budget_, std::move(best_->synthesis));
    return std::move(*best_);
  }

  /// True when it was not for want of time that something stayed open.
  bool look_quickly() {
    const bool most = component_->options().arguments != Arguments::Demonic;
    story_.tell("auto: everything, for {}",
                most ? "most of the time" : fmt::format("{} s at most", quick_seconds));
    bool finished = false;
    auto quick = with_share(most ? arguments_share : quick_share,
                            most ? std::nullopt : std::optional(quick_seconds), [&](Budget& share) {
                              auto found = whole(share);
                              finished = found && !share.exhausted_now() &&
                                         !ran_out(found->synthesis) &&
                                         found->synthesis.interface.verdict.safe == Claim::Proved;
                              return found;
                            });
    if (quick) best_ = std::move(*quick);
    return finished && component_->options().arguments == Arguments::Guarded;
  }

  /// True when there is no need, or no time, to go on.
  Result<bool> look_at(const Level& level) {
    // Building a view has no limit of its own; it takes as long as the whole took.
    if (const auto left = budget_.seconds_left(); best_ && left && *left < setup_.build_seconds)
      return true;
    ComponentOptions coarse = component_->options();
    coarse.detail = level.detail;
    auto built = build_component(module_, coarse);
    if (!built) return std::unexpected(built.error());
    const auto view = std::make_shared<const Component>(std::move(*built));
    const std::size_t size = weight(*view);
    if (size >= all_ || (best_ && size == before_)) return false;
    before_ = size;
    story_.tell("auto: {} alone, {} of {} statements", level.name, size, all_);
    auto result = with_share(coarse_share, std::nullopt, [&](Budget& share) {
      return look(*find_engine(setup_.engine->coarse), view, share);
    });
    if (!result) {
      story_.tell("auto: {}", result.error().message);
      return false;
    }
    result->synthesis.interface.stats.set("auto", fmt::format("saw {} alone", level.name));
    if (better(result->synthesis)) best_ = std::move(*result);
    return settled() || budget_.exhausted_now();
  }

  const Module& module_;
  std::shared_ptr<const Component> component_;
  const EngineSetup& setup_;
  Budget& budget_;
  const Story& story_;
  std::size_t all_, before_; // how much there is to see, and was seen last
  std::optional<ViewedSynthesis> best_;
};

} // namespace

Result<ViewedSynthesis> run_engine(const Module& module, std::shared_ptr<const Component> component,
                                   const EngineSetup& setup, Budget& budget) {
  const bool lowered = module.conventions.reducible;
  const bool views =
      lowered && !setup.engine->coarse.empty() && component->options().detail == Detail::All;
  Views all(module, std::move(component), setup, budget);
  return views ? all.from_coarse_to_fine() : all.whole(budget);
}

} // namespace tacit
