#include "synthesis/finite/cegar.h"

#include <algorithm>
#include <map>

#include "base/should.h"
#include "oracle/hiding_view.h"
#include "synthesis/finish/conclude.h"
#include "synthesis/protocol/explore.h"

namespace tacit {
namespace {

/// One abstract run that disagrees with another on its last step.
struct AbstractTrace {
  std::size_t constructor = 0;
  std::vector<std::size_t> letters;
  std::vector<Region> cubes; // one more than letters
};

/// A word on which two abstract runs disagree: `claims` says what the last step of each run shows.
struct Conflict {
  AbstractTrace can, cannot;
  std::optional<std::size_t> errs_on; // the disagreement is whether this call errs …
  std::size_t letter = 0;             // … or whether this letter can happen
};

class Cegar {
public:
  Cegar(HidingOracle& oracle, const SynthesisOptions& options, Budget& budget)
      : oracle_(oracle), component_(oracle.component()), options_(options), budget_(budget),
        kept_(oracle.variables(), false) {}

  Result<Synthesis> run() {
    while (true) {
      ++iterations_;
      tell_abstraction();
      auto conflict = check();
      if (auto failure = oracle_.failure()) return std::unexpected(*failure);
      if (budget_.exhausted_now()) return give_up(oracle_, "cegar", options_, budget_);
      if (!conflict) return finished(determinised(), nullptr);
      if (!refine(*conflict)) return without_abstraction();
      if (auto failure = oracle_.failure()) return std::unexpected(*failure);
    }
  }

private:
  using Kept = HidingOracle::Kept;

  // Successors and errors of a cube, computed once per abstraction.
  struct Cube {
    std::vector<Region> erring;                  // per call: the part that errs
    std::vector<Region> able;                    // per letter: the part that can do it
    std::vector<std::vector<Region>> successors; // per letter: cubes
  };

  const Cube& cube(Region region) {
    auto [at, fresh] = cubes_.try_emplace(region);
    Cube& c = at->second;
    if (!fresh) return c;
    budget_.count_steps();
    for (std::size_t call = 0; call < component_.calls().size(); ++call)
      c.erring.push_back(oracle_.erring(region, call));
    for (std::size_t l = 0; l < component_.letters(); ++l) {
      const std::size_t call = component_.letter(l).call;
      const Region rest = oracle_.minus(region, c.erring[call]);
      c.able.push_back(oracle_.able(rest, l, std::nullopt));
      const Region next = oracle_.post(rest, l);
      c.successors.push_back(next == empty_region
                                 ? std::vector<Region>{}
                                 : oracle_.cubes(oracle_.cylinder(next, kept_), kept_));
    }
    return c;
  }

  std::vector<Region> start_cubes(std::size_t constructor) {
    const Region start = oracle_.start(constructor);
    if (start == empty_region) return {};
    return oracle_.cubes(oracle_.cylinder(start, kept_), kept_);
  }

  /// Breadth first over pairs of abstract states that the same word reaches. A letter moves the
  /// first half of a pair, then the second: pairs with many successors on both sides then cost
  /// their sum, not their product.
  class PairSearch {
  public:
    static constexpr std::uint32_t root = UINT32_MAX;

    struct Node {
      std::uint32_t first = 0, second = 0; // numbers of cubes
      std::uint32_t parent = root;
      std::uint32_t letter = 0; // of the step into it, or under way
      bool half = false;        // the second half has still to take the letter
      std::uint32_t constructor = 0;
    };

    explicit PairSearch(std::size_t letters) : seen_(letters + 1) {}

    void offer(Node node) {
      // Row 0 is for whole pairs, row l + 1 for those in the middle of letter l.
      auto& row = seen_[node.half ? node.letter + 1 : 0];
      if (row.size() <= node.first) row.resize(node.first + 1);
      auto& marks = row[node.first];
      if (marks.size() <= node.second)
        marks.resize(std::max<std::size_t>(node.second + 1, marks.size() * 2), false);
      if (marks[node.second]) return;
      marks[node.second] = true;
      nodes_.push_back(node);
    }

    const Node& operator[](std::size_t i) const { return nodes_[i]; }
    std::size_t size() const { return nodes_.size(); }

  private:
    std::vector<std::vector<std::vector<bool>>> seen_;
    std::vector<Node> nodes_;
  };

  std::uint32_t number(Region region) {
    auto [at, fresh] = numbers_.try_emplace(region, static_cast<std::uint32_t>(regions_.size()));
    if (fresh) regions_.push_back(region);
    return at->second;
  }

  AbstractTrace trace(const PairSearch& search, std::size_t index, bool first) const {
    AbstractTrace t;
    t.constructor = search[index].constructor;
    for (std::uint32_t i = static_cast<std::uint32_t>(index); i != PairSearch::root;) {
      const auto& node = search[i];
      if (!node.half) {
        t.cubes.push_back(regions_[first ? node.first : node.second]);
        if (node.parent != PairSearch::root) t.letters.push_back(node.letter);
      }
      i = node.parent;
    }
    std::ranges::reverse(t.cubes);
    std::ranges::reverse(t.letters);
    return t;
  }

  /// A call or letter on which the two abstract states disagree.
  std::optional<Conflict> disagreement(const PairSearch& search, std::size_t index) {
    const Region a = regions_[search[index].first], b = regions_[search[index].second];
    const Cube &x = cube(a), &y = cube(b);
    auto conflict = [&](bool first, std::optional<std::size_t> call, std::size_t letter) {
      return Conflict{trace(search, index, first), trace(search, index, !first), call, letter};
    };
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      if (x.erring[c] != empty_region && y.erring[c] != b) return conflict(true, c, 0);
      if (y.erring[c] != empty_region && x.erring[c] != a) return conflict(false, c, 0);
    }
    for (std::size_t l = 0; l < component_.letters(); ++l) {
      if (x.erring[component_.letter(l).call] != empty_region) continue; // both err, by the above
      if (x.able[l] != empty_region && y.able[l] != b) return conflict(true, std::nullopt, l);
      if (y.able[l] != empty_region && x.able[l] != a) return conflict(false, std::nullopt, l);
    }
    return std::nullopt;
  }

  std::optional<Conflict> check() {
    cubes_.clear();
    numbers_.clear();
    regions_.clear();
    PairSearch search(component_.letters());
    for (std::uint32_t k = 0; k < component_.constructors().size(); ++k) {
      const auto starts = start_cubes(k);
      for (Region a : starts)
        for (Region b : starts)
          search.offer({.first = number(a), .second = number(b), .constructor = k});
    }
    for (std::uint32_t i = 0; i < search.size(); ++i) {
      budget_.count_steps();
      if (budget_.exhausted() || oracle_.failure()) return std::nullopt;
      const PairSearch::Node node = search[i];
      if (node.half) {
        for (Region to : cube(regions_[node.second]).successors[node.letter])
          search.offer({node.first, number(to), i, node.letter, false, node.constructor});
        continue;
      }
      if (auto conflict = disagreement(search, i)) return conflict;
      for (std::uint32_t l = 0; l < component_.letters(); ++l)
        for (Region to : cube(regions_[node.first]).successors[l])
          search.offer({number(to), node.second, i, l, true, node.constructor});
    }
    return std::nullopt;
  }

  /// findSpuriousTrace: which of the two runs the component does not follow. Makes variables
  /// visible that separate the component's run from it. False when the component itself disagrees
  /// with itself on the word, or nothing is hidden.
  bool refine(const Conflict& conflict) {
    if (std::ranges::all_of(kept_, [](bool k) { return k; })) return false;
    const AbstractTrace& any = conflict.can;
    Region now = oracle_.start(any.constructor);
    for (std::size_t l : any.letters) now = oracle_.post(now, l);
    // The word may not be realizable at all: then both runs are spurious and the first is cut.
    bool can = false;
    if (now != empty_region) {
      const Region showing = shows(now, conflict);
      if (showing != empty_region && showing != now) {
        tell_word(any, conflict, "the component itself can do both");
        return false;
      }
      can = showing == now;
    }
    tell_word(any, conflict,
              can ? "the component shows it does: the run that says no is spurious"
                  : "the component shows it does not: the run that says yes is spurious");
    return split(can ? conflict.cannot : conflict.can, conflict, !can);
  }

  /// The part of a region that errs on the call in question, or can do the letter in question.
  Region shows(Region region, const Conflict& conflict) {
    return conflict.errs_on ? oracle_.erring(region, *conflict.errs_on)
                            : oracle_.able(region, conflict.letter, std::nullopt);
  }

  /// getNewVars: follows the component along the spurious run to the first step it does not take,
  /// and separates its state there from the states that cause the step.
  bool split(const AbstractTrace& spurious, const Conflict& conflict, bool claims_yes) {
    Region here = oracle_.intersect(oracle_.start(spurious.constructor), spurious.cubes[0]);
    should(here != empty_region, "an abstract run should start where the component may");
    for (std::size_t i = 0; i < spurious.letters.size(); ++i) {
      const std::size_t letter = spurious.letters[i];
      const Region calm = oracle_.minus(here, oracle_.erring(here, component_.letter(letter).call));
      const Region next = calm == empty_region ? empty_region
                                               : oracle_.intersect(oracle_.post(calm, letter),
                                                                   spurious.cubes[i + 1]);
      if (next == empty_region) {
        const Region cube = spurious.cubes[i];
        const Region rest =
            oracle_.minus(cube, oracle_.erring(cube, component_.letter(letter).call));
        return make_visible(oracle_.pick(here), oracle_.able(rest, letter, spurious.cubes[i + 1]));
      }
      here = next;
    }
    const Region cube = spurious.cubes.back();
    const Region yes = shows(cube, conflict);
    return make_visible(oracle_.pick(here), claims_yes ? yes : oracle_.minus(cube, yes));
  }

  /// splitState: fewest variables, greedily, on which `state` differs from all of `others`.
  bool make_visible(Region state, Region others) {
    bool grown = false;
    while (others != empty_region) {
      std::optional<std::size_t> best;
      double fewest = 0;
      Region rest = empty_region;
      for (std::size_t v = 0; v < kept_.size(); ++v) {
        if (kept_[v]) continue;
        const Region same = oracle_.agreeing(others, state, v);
        const double left = oracle_.count(same);
        if (!best || left < fewest) {
          best = v;
          fewest = left;
          rest = same;
        }
      }
      if (!best) return grown;
      kept_[*best] = true;
      grown = true;
      others = rest;
    }
    return grown;
  }

  /// Determinize: one successor per letter, any will do.
  Protocol determinised() {
    Protocol protocol(component_);
    std::map<Region, State> known;
    std::vector<Region> order;
    auto state_of = [&](Region region) {
      auto [at, fresh] = known.try_emplace(region, no_state);
      if (fresh) {
        std::vector<bool> allowed;
        for (Region erring : cube(region).erring) allowed.push_back(erring == empty_region);
        at->second = protocol.add_state(allowed);
        order.push_back(region);
      }
      return at->second;
    };
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      const auto starts = start_cubes(k);
      protocol.dfa.add_entry(starts.empty() ? no_state : state_of(starts.front()));
    }
    for (std::size_t i = 0; i < order.size(); ++i)
      for (Letter l = 0; l < component_.letters(); ++l) {
        const auto next = cube(order[i]).successors[l];
        if (!next.empty() && protocol.allows(static_cast<State>(i), component_.letter(l).call))
          protocol.dfa.set_next(static_cast<State>(i), l, state_of(next.front()));
      }
    options_.story.tell("cegar: visibly deterministic with {} abstract states", order.size());
    return protocol;
  }

  Result<Synthesis> without_abstraction() {
    options_.story.tell("cegar: going on without abstraction");
    kept_.assign(kept_.size(), true);
    auto explored = explore(oracle_, budget_);
    if (!explored) return std::unexpected(explored.error());
    if (!explored->complete)
      return conclude_incomplete(explored->protocol, oracle_, "cegar", options_, budget_,
                                 &explored->regions);
    return finished(explored->protocol, &explored->regions);
  }

  Result<Synthesis> finished(const Protocol& protocol, const std::vector<Region>* regions) {
    // Labels are seen through the abstraction: exact ones could take as many steps as the hidden
    // variables have values.
    HidingView view(oracle_, kept_);
    SetOracle& labels = regions ? static_cast<SetOracle&>(oracle_) : view;
    Synthesis result = conclude(protocol, labels, "cegar", options_, regions);
    result.interface.stats.set("iterations", iterations_);
    result.interface.stats.set("visible_variables",
                               static_cast<std::size_t>(std::ranges::count(kept_, true)));
    return result;
  }

  void tell_abstraction() const {
    if (!options_.story.told()) return;
    std::string names;
    for (std::size_t v = 0; v < kept_.size(); ++v)
      if (kept_[v]) names += (names.empty() ? "" : ", ") + oracle_.variable_name(v);
    options_.story.tell("cegar: iteration {}, visible: {}", iterations_,
                        names.empty() ? "nothing" : names);
  }

  void tell_word(const AbstractTrace& trace, const Conflict& conflict,
                 std::string_view verdict) const {
    if (!options_.story.told()) return;
    std::string word;
    for (std::size_t l : trace.letters) word += component_.letter_name(l) + " ";
    const std::string last =
        conflict.errs_on ? "whether " + component_.calls()[*conflict.errs_on].name + " errs"
                         : "whether " + component_.letter_name(conflict.letter) + " can happen";
    options_.story.tell("  after [{}] the abstraction leaves open {}: {}",
                        word.empty() ? "" : word.substr(0, word.size() - 1), last, verdict);
  }

  HidingOracle& oracle_;
  const Component& component_;
  const SynthesisOptions& options_;
  Budget& budget_;
  Kept kept_;
  std::map<Region, Cube> cubes_;
  std::map<Region, std::uint32_t> numbers_; // of cubes met, and back
  std::vector<Region> regions_;
  std::size_t iterations_ = 0;
};

} // namespace

Result<Synthesis> synthesise_cegar(const Component& component, const SynthesisOptions& options,
                                   Budget& budget) {
  auto oracle = make_oracle(component, options, budget);
  if (!oracle) return std::unexpected(oracle.error());
  if (options.hide_bits) (*oracle)->hide_bits();
  return Cegar(**oracle, options, budget).run();
}

} // namespace tacit
