#include <algorithm>
#include <set>

#include "synthesis/predicate/maymust_learners.h"
#include "synthesis/predicate/unreachable.h"
#include "synthesis/protocol/words.h"

namespace tacit {
namespace {

constexpr std::size_t most_unreachable_tries = 40;

/// LearnInterface: teaches the language of the must abstraction, as it is at this time. A call is
/// illegal in a region of which all cubes surely err, and where a word is known to err although
/// other runs of it do not.
class MustTeacher : public WordOracle, public EquivalenceOracle {
public:
  MustTeacher(MayMustContext& context, std::size_t constructor,
              const std::set<std::pair<Region, std::size_t>>& forced)
      : context_(context), must_(context.must()), component_(context.component()),
        start_(must_.may().start(constructor)), forced_(forced) {}

  Answer ask(const Word& word) override {
    Region region = start_;
    for (Letter letter : word) {
      if (illegal(region, component_.letter(letter).call)) return Answer::Illegal;
      region = must_.may().post(region, letter);
      if (region == empty_region) return Answer::CannotHappen;
    }
    return Answer::Legal;
  }

  /// Exact: breadth first over pairs of region and hypothesis state.
  std::optional<Word> counterexample(const Hypothesis& hypothesis) override {
    ++context_.equivalence_queries;
    struct Pair {
      Region region;
      State state;
      Word word;
    };
    if (!live(hypothesis.entry)) return Word{};
    std::vector<Pair> pairs{{start_, hypothesis.entry, {}}};
    std::set<std::pair<Region, State>> seen{{start_, hypothesis.entry}};
    for (std::size_t i = 0; i < pairs.size() && !context_.stopped(); ++i)
      for (Letter letter = 0; letter < component_.letters(); ++letter) {
        const Region region = pairs[i].region;
        const State target = hypothesis.target(pairs[i].state, letter);
        const bool errs = illegal(region, component_.letter(letter).call);
        const Region next = errs ? empty_region : must_.may().post(region, letter);
        const Answer truth = errs                   ? Answer::Illegal
                             : next == empty_region ? Answer::CannotHappen
                                                    : Answer::Legal;
        Word word = pairs[i].word;
        word.push_back(letter);
        if (truth != answer_of(target)) return word;
        if (truth == Answer::Legal && seen.insert({next, target}).second)
          pairs.push_back({next, target, std::move(word)});
      }
    return std::nullopt;
  }

private:
  bool illegal(Region region, std::size_t call) {
    return forced_.contains({region, call}) || must_.must_err(region, call);
  }

  MayMustContext& context_;
  MayMust& must_;
  const Component& component_;
  Region start_;
  const std::set<std::pair<Region, std::size_t>>& forced_;
};

class BuildInterface {
public:
  explicit BuildInterface(MayMustContext& context)
      : context_(context), component_(context.component()), story_(context.options().story) {}

  void run() {
    while (!context_.stopped()) {
      auto protocol = learn_must();
      if (!protocol) return;
      story_.tell("iteration {}: the interface of the must abstraction has {} states",
                  context_.iterations, protocol->dfa.states());
      switch (check_safe(*protocol)) {
      case Next::Again: continue;
      case Next::Stop: return;
      case Next::Done: break;
      }
      story_.tell("  it is safe for the may abstraction");
      if (!settled(std::move(*protocol))) continue;
      context_.try_coarser();
      return;
    }
  }

private:
  enum class Next { Done, Again, Stop };

  std::optional<Protocol> learn_must() {
    ++context_.iterations;
    std::set<std::pair<Region, std::size_t>> forced;
    for (const Trace& trace : known_illegal_)
      forced.insert({context_.must().region(trace.constructor, trace.letters), *trace.call});
    Protocol protocol(component_);
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      if (context_.must().may().start(k) == empty_region) {
        protocol.dfa.add_entry(no_state);
        continue;
      }
      MustTeacher teacher(context_, k, forced);
      auto learner =
          make_learner(context_.options().learner.value_or(LearnerKind::Tree), component_.letters(),
                       teacher, {letter_groups(component_), &context_.budget()});
      const LearnResult result = learn(*learner, teacher, context_.budget());
      context_.membership_queries += result.statistics.membership_queries;
      if (context_.stopped() || !result.complete) return std::nullopt;
      protocol.dfa.add_entry(add_hypothesis(protocol, result.hypothesis, component_));
    }
    return minimal(protocol, component_).protocol;
  }

  /// A word that the interface allows and that errs in the may abstraction.
  std::optional<Trace> unsafe_word(const Protocol& protocol) {
    const CubeLabels labels = cube_labels(protocol.dfa, context_.may().may());
    for (const auto& [q, cube] : labels.order)
      for (std::size_t c = 0; c < component_.calls().size(); ++c)
        if (protocol.allows(q, c) && context_.may().may_err(cube)[c])
          return Trace{labels.origins.at({q, cube}).constructor, labels.word(q, cube), c};
    return std::nullopt;
  }

  Next check_safe(const Protocol& protocol) {
    while (true) {
      const auto trace = unsafe_word(protocol);
      if (context_.stopped()) return Next::Stop;
      if (!trace) return Next::Done;
      const Fact fact = context_.judge(*trace);
      story_.tell("  CheckSafe: {} may err; {}", context_.text(*trace),
                  fact == Fact::No ? "it cannot (infeasible)" : "it can (feasible)");
      if (context_.refine(*trace, fact)) {
        if (fact == Fact::No && context_.options().refinement == Refinement::RefineMay) continue;
        return Next::Again;
      }
      // No predicate tells more about it: another run of the word works, or nothing is known.
      if (!refused_.insert({trace->constructor, trace->letters, *trace->call}).second) {
        context_.leave_open(context_.text(*trace) + ": no predicate was found that settles it");
        return Next::Stop;
      }
      story_.tell("  it is refused from now on");
      known_illegal_.push_back(*trace);
      return Next::Again;
    }
  }

  /// False when something was learnt that makes another interface.
  bool settled(Protocol protocol) {
    if (const auto doubt = context_.settle(std::move(protocol))) {
      story_.tell("  {} {}", context_.text(*doubt),
                  doubt->call ? "is legal or cannot happen" : "cannot happen");
      const bool learnt = doubt->call
                              ? context_.refine(*doubt, Fact::No, MayMustContext::Learns::Both)
                              : context_.refine_outcomes(*doubt);
      if (context_.outcomes_run_away()) {
        story_.tell("which outcomes are possible is not settled: the interface need not know, and "
                    "is built anew");
        context_.start_over();
        known_illegal_.clear();
        refused_.clear();
        return false;
      }
      if (!learnt)
        context_.leave_open(context_.text(*doubt) + ": no predicate was found that settles it");
      return !learnt;
    }
    if (!context_.protocol() || unreachable_tries_ >= most_unreachable_tries) return true;
    for (const Trace& trace :
         unreachable_states(context_.formulas(), context_.solver(), context_.protocol()->dfa)) {
      story_.tell("  {} cannot happen, and nothing else leads to its state", context_.text(trace));
      ++unreachable_tries_;
      if (context_.refine(trace, Fact::No, MayMustContext::Learns::Both)) return false;
    }
    return true;
  }

  MayMustContext& context_;
  const Component& component_;
  const Story& story_;
  std::vector<Trace> known_illegal_;
  std::set<std::tuple<std::size_t, std::vector<std::size_t>, std::size_t>> refused_;
  std::size_t unreachable_tries_ = 0;
};

} // namespace

void build_interface(MayMustContext& context) { BuildInterface(context).run(); }

} // namespace tacit
