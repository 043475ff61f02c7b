#include "synthesis/finish/finish.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <set>

#include "automata/shortest.h"
#include "base/should.h"
#include "logic/term/print.h"
#include "synthesis/finish/evidence.h"
#include "synthesis/finish/run_writer.h"

namespace tacit {
namespace {

constexpr std::size_t max_word_letters = 4'000'000; // of all refusals together
// Squares of the lengths of words along which runs are looked for: each letter may add a state to
// the set that the next one starts from. Behind that, refusals have a site and no run.
constexpr std::size_t max_run_work = 2'000'000;
constexpr std::size_t most_states_for_runs = 300;
constexpr std::size_t most_disagreements = 20;
constexpr std::size_t most_word_tries = 2000, most_words_per_state = 8;

std::string site(const Location& where) { return to_string(Location{where.file, where.line, 0}); }

bool ended_normally(const StepResult& result) {
  return result.how == RunEnd::Returned || result.how == RunEnd::Threw;
}

class Finisher {
public:
  Finisher(Oracle& oracle, Labeller& labeller, const FinishOptions& options)
      : oracle_(oracle), labeller_(labeller), options_(options), component_(oracle.component()),
        writer_(component_) {}

  Interface run(const Protocol& found) {
    const MinimalProtocol least = minimal(found, component_);
    if (options_.regions)
      for (State q : least.origin) samples_.push_back((*options_.regions)[q]);
    options_.story.tell("minimise: {} states become {}", found.dfa.states(),
                        least.protocol.dfa.states());
    Interface whole = build(least.protocol, nullptr);
    tell_states(whole);
    if (!options_.serial) return whole;

    const PrunedProtocol pruned = prune(least.protocol, component_);
    const MinimalProtocol rest = minimal(pruned.protocol, component_);
    options_.story.tell(
        "prune: {} of {} states have an infinite safe continuation, and {} of those differ",
        pruned.protocol.dfa.states(), least.protocol.dfa.states(), rest.protocol.dfa.states());
    std::vector<State> origin;
    for (State q : rest.origin) origin.push_back(pruned.origin[q]);
    std::vector<Region> samples;
    if (!samples_.empty())
      for (State q : origin) samples.push_back(samples_[q]);
    samples_ = std::move(samples);
    const Interface before = whole;
    Interface result = build(rest.protocol, &before);
    if (result.states.empty())
      result.verdict.details["serial"] = "every use of the component comes to an end in an error: "
                                         "no infinite sequence of calls is safe";
    result.before_pruning = std::make_shared<Interface>(std::move(whole));
    return result;
  }

private:
  /// `unpruned` is given when `protocol` is what pruning left of it.
  Interface build(const Protocol& protocol, const Interface* unpruned) {
    letters_.clear();
    Interface result;
    result.component_name = component_.name();
    result.language = component_.module().language;
    result.options = component_.options();
    result.serial = unpruned != nullptr;
    result.engine = options_.engine;
    result.errors = component_.errors();
    for (const Call& constructor : component_.constructors())
      result.constructors.push_back(constructor.name);
    result.verdict = options_.verdict;
    result.verdict.minimal = true;
    const bool large = protocol.dfa.states() > options_.size_limit;

    calls(result, protocol);
    states(result, protocol);
    transitions(result, protocol);
    refusals(result, protocol, large);
    if (large) {
      for (const char* left_out : {"labels", "examples", "evidence"})
        result.omitted.emplace_back(left_out);
      result.evidence.omitted = true;
      return result;
    }
    if (unpruned) {
      labeller_.label_pruned(result, protocol);
    } else if (!labeller_.label(result, protocol)) {
      result.omitted.push_back("labels");
      result.omitted.push_back("evidence");
      result.evidence.omitted = true;
    }
    if (!oracle_.failure()) examples(result, protocol);
    if (!oracle_.failure() && !unpruned) disagreements(result);
    return result;
  }

  /// Where a refusal needs a must-node, the states of one word may disagree: the run that errs is
  /// shown beside one that does not. Likewise where the engine says that they do.
  void disagreements(Interface& result) {
    for (const auto& [index, node] : result.evidence.refusal_must) {
      const Refusal& refusal = result.forbidden[index];
      const auto word = letters_.find(index);
      if (word == letters_.end() || !refusal.run) continue;
      const auto constructor = std::ranges::find(result.constructors, refusal.run->constructor) -
                               result.constructors.begin();
      disagreement(result, {*refusal.state, static_cast<std::size_t>(constructor), word->second,
                            refusal.call});
    }
    for (const DisputedCall& disputed : options_.disputed) disagreement(result, disputed);
  }

  void disagreement(Interface& result, const DisputedCall& at) {
    if (result.nondeterminism.size() >= most_disagreements) return;
    const auto errs = oracle_.run_along(at.constructor, at.letters, at.call);
    if (!errs || replay(component_, *errs).back().how != RunEnd::Erred) return;
    for (std::size_t o = 0; o < component_.calls()[at.call].outcomes.size(); ++o) {
      auto letters = at.letters;
      letters.push_back(component_.letter_of(at.call, o));
      const auto works = oracle_.run_along(at.constructor, letters, std::nullopt);
      if (!works || !ended_normally(replay(component_, *works).back())) continue;
      std::vector<std::string> word;
      for (std::size_t l : at.letters) word.push_back(letter_text(result, static_cast<Letter>(l)));
      word.push_back(component_.calls()[at.call].name);
      result.nondeterminism.push_back(
          {at.state, at.call, std::move(word), writer_.write(*errs), writer_.write(*works)});
      return;
    }
  }

  void tell_states(const Interface& result) const {
    if (!options_.story.told() || result.states.size() > 40) return;
    for (State q = 0; q < result.states.size(); ++q) {
      std::string allowed;
      for (std::size_t c = 0; c < result.calls.size(); ++c)
        if (result.states[q].allows[c]) allowed += " " + result.calls[c].name;
      options_.story.tell("  state {} ({}) allows{}", q, result.states[q].label,
                          allowed.empty() ? " nothing" : allowed);
    }
  }

  /// Merges the outcomes of a call to `any` when they lead to the same state everywhere.
  void calls(Interface& result, const Protocol& protocol) {
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      const Call& call = component_.calls()[c];
      bool same = true;
      for (State q = 0; q < protocol.dfa.states() && same; ++q)
        for (std::size_t o = 1; o < call.outcomes.size(); ++o)
          same = same && next(protocol, q, c, o) == next(protocol, q, c, 0);
      result.calls.push_back({call.name, same ? std::vector<std::string>{"any"} : call.outcomes});
    }
  }

  State next(const Protocol& protocol, State q, std::size_t call, std::size_t outcome) const {
    return protocol.dfa.next(q, static_cast<Letter>(component_.letter_of(call, outcome)));
  }

  void states(Interface& result, const Protocol& protocol) {
    for (State q = 0; q < protocol.dfa.states(); ++q)
      result.states.push_back({protocol.allowed(q), ""});
    for (std::size_t k = 0; k < protocol.dfa.entries().size(); ++k)
      if (protocol.dfa.entries()[k] != no_state)
        result.initial.push_back({component_.constructors()[k].name, protocol.dfa.entries()[k]});
  }

  std::vector<std::size_t> calls_by_name() const {
    std::vector<std::size_t> order(component_.calls().size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [this](std::size_t c) { return component_.calls()[c].name; });
    return order;
  }

  void transitions(Interface& result, const Protocol& protocol) {
    const auto order = calls_by_name();
    for (State q = 0; q < protocol.dfa.states(); ++q)
      for (std::size_t c : order)
        for (std::size_t o = 0; o < result.calls[c].outcomes.size(); ++o)
          if (const State to = next(protocol, q, c, o); to != no_state)
            result.transitions.push_back({q, c, o, to, {}, {}});
  }

  std::string letter_text(const Interface& result, Letter letter) const {
    const CallOutcome at = component_.letter(letter);
    const InterfaceCall& call = result.calls[at.call];
    if (call.outcomes.size() == 1 && call.outcomes[0] == "any") return call.name;
    return call.name + ":" + call.outcomes[at.outcome];
  }

  void refusals(Interface& result, const Protocol& protocol, bool large) {
    constructors(result, protocol);
    const ShortestWords shortest(protocol.dfa, alphabetical_letters(component_));
    const auto order = calls_by_name();
    std::size_t letters_written = 0;
    std::size_t run_work = 0;
    bool words_left_out = false;
    for (State q = 0; q < protocol.dfa.states(); ++q)
      for (std::size_t c : order) {
        if (protocol.allows(q, c)) continue;
        Refusal refusal{.state = q, .call = c};
        letters_written += shortest.length(q) + 1;
        const bool write = !large || letters_written <= max_word_letters;
        words_left_out = words_left_out || !write;
        if (write) {
          Word word = shortest.to(q);
          run_work += word.size() * word.size();
          if (!large && run_work <= max_run_work)
            witness(refusal, protocol, shortest.entry(q), word);
          if (refusal.run) letters_[result.forbidden.size()] = {word.begin(), word.end()};
          for (Letter l : word) refusal.word.push_back(letter_text(result, l));
          refusal.word.push_back(component_.calls()[c].name);
        }
        if (refusal.error.empty()) sited(refusal, q, c);
        result.forbidden.push_back(std::move(refusal));
      }
    if (words_left_out) result.omitted.push_back("words");
  }

  /// Constructors that may not be used.
  void constructors(Interface& result, const Protocol& protocol) {
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      if (protocol.dfa.entries()[k] != no_state) continue; // whatever the oracle can still say
      const std::string& name = component_.constructors()[k].name;
      if (!oracle_.constructor_errs(k)) {
        if (!result.serial || oracle_.start(k) == empty_region) continue;
        result.forbidden.push_back({std::nullopt, k, no_way_on, "", {name}, {}});
        continue;
      }
      Refusal refusal{.call = k, .error = not_shown_safe, .word = {name}};
      if (const auto run = oracle_.failing_constructor(k)) {
        const StepResult last = replay(component_, *run).back();
        if (last.how == RunEnd::Erred) {
          refusal.error = last.error;
          refusal.at = site(last.where);
          refusal.run = writer_.write(*run);
        }
      }
      result.forbidden.push_back(std::move(refusal));
    }
  }

  /// The run that shows a refusal. Along a shortest word of the automaton if the component can
  /// follow that; an interface that is not full has words that cannot happen, and then the shortest
  /// one that can is looked for.
  void witness(Refusal& refusal, const Protocol& protocol, std::size_t constructor, Word& word) {
    std::vector<std::size_t> letters(word.begin(), word.end());
    auto run = erring_run(constructor, letters, refusal.call);
    if (!run && oracle_.precision() == Precision::Over && !options_.serial)
      run = realizable_run(protocol, *refusal.state, refusal.call, letters);
    if (!run) {
      refusal.error = options_.serial ? no_way_on : not_shown_safe;
      return;
    }
    const StepResult last = replay(component_, *run).back();
    refusal.error = last.error;
    refusal.at = site(last.where);
    refusal.run = writer_.write(*run);
    word.assign(letters.begin(), letters.end());
  }

  /// A run along the word that errs on the call, and does so when it is run.
  std::optional<ConcreteRun> erring_run(std::size_t constructor,
                                        const std::vector<std::size_t>& letters, std::size_t call) {
    auto run = oracle_.run_along(constructor, letters, call);
    if (run && replay(component_, *run).back().how != RunEnd::Erred) run.reset();
    return run;
  }

  /// A word that the component can follow, and where it leads.
  struct RealWord {
    std::size_t constructor;
    State state;
    std::vector<std::size_t> letters;
  };

  /// Breadth first over words that the component can follow, which are found once for all refusals.
  std::optional<ConcreteRun> realizable_run(const Protocol& protocol, State wanted,
                                            std::size_t call, std::vector<std::size_t>& letters) {
    const Dfa& dfa = protocol.dfa;
    if (met_.empty()) {
      met_.resize(dfa.states(), 0);
      for (std::size_t k = 0; k < dfa.entries().size(); ++k)
        if (dfa.entries()[k] != no_state) real_words_.push_back({k, dfa.entries()[k], {}});
    }
    for (std::size_t i = 0;; ++i) {
      while (i == real_words_.size() && word_tries_ < most_word_tries &&
             (lengthened_ < i || !stale_words_.empty())) {
        if (lengthened_ == i) {
          ++met_[stale_words_.front().state];
          real_words_.push_back(std::move(stale_words_.front()));
          stale_words_.pop_front();
        } else {
          lengthen(dfa, real_words_[lengthened_++]);
        }
      }
      if (i == real_words_.size()) return std::nullopt;
      const RealWord& word = real_words_[i];
      if (word.state != wanted) continue;
      if (auto run = erring_run(word.constructor, word.letters, call)) {
        letters = word.letters;
        return run;
      }
    }
  }

  /// Words that end where others did have less to show, and wait.
  void lengthen(const Dfa& dfa, RealWord word) {
    for (Letter l : alphabetical_letters(component_)) {
      const State to = dfa.next(word.state, l);
      // One state may stand for as much as all calls can do one by one.
      if (to == no_state || met_[to] >= std::max(most_words_per_state, component_.calls().size()))
        continue;
      RealWord longer{word.constructor, to, word.letters};
      longer.letters.push_back(l);
      ++word_tries_;
      const auto run = oracle_.run_along(longer.constructor, longer.letters, std::nullopt);
      if (!run) continue;
      if (!ends_.emplace(to, writer_.state(replay(component_, *run).back().after)).second) {
        stale_words_.push_back(std::move(longer));
        continue;
      }
      ++met_[to];
      real_words_.push_back(std::move(longer));
    }
  }

  void sited(Refusal& refusal, State q, std::size_t call) {
    std::optional<ErrorSite> found;
    if (!samples_.empty())
      found = oracle_.error_site(samples_[q], call);
    else if (!options_.serial && options_.verdict.permissive == Claim::Proved)
      found = labeller_.error_site(q, call);
    if (found) {
      refusal.error = found->error;
      refusal.at = site(found->where);
    } else {
      refusal.error = options_.serial ? no_way_on : not_shown_safe;
    }
  }

  /// The component's letters that a transition stands for.
  std::vector<std::size_t> letters_of(const Interface& result, const InterfaceTransition& t) const {
    const Call& call = component_.calls()[t.call];
    const bool merged = result.calls[t.call].outcomes[t.outcome] == "any";
    std::vector<std::size_t> letters;
    for (std::size_t o = 0; o < call.outcomes.size(); ++o)
      if (merged || o == t.outcome) letters.push_back(component_.letter_of(t.call, o));
    return letters;
  }

  /// One step for every transition: the last one of a run along a shortest word, or for large
  /// interfaces from any state of the label.
  void examples(Interface& result, const Protocol& protocol) {
    const bool by_runs = result.states.size() <= most_states_for_runs;
    const ShortestWords shortest(protocol.dfa, alphabetical_letters(component_));
    for (InterfaceTransition& t : result.transitions)
      for (std::size_t letter : letters_of(result, t)) {
        const auto step =
            by_runs ? last_step(shortest, t.from, letter) : labeller_.example(t.from, letter);
        if (oracle_.failure()) return;
        if (!step) continue;
        show(t, letter, *step);
        break;
      }
  }

  std::optional<LetterExample> last_step(const ShortestWords& shortest, State from,
                                         std::size_t letter) {
    const Word word = shortest.to(from);
    std::vector<std::size_t> letters(word.begin(), word.end());
    letters.push_back(letter);
    const auto run = oracle_.run_along(shortest.entry(from), letters, std::nullopt);
    if (!run) return std::nullopt;
    const auto results = replay(component_, *run);
    // What is in memory that nobody has written may differ from what the oracle took it to be.
    if (results.size() != run->steps.size() + 1) return std::nullopt;
    for (std::size_t i = 0; i < letters.size(); ++i)
      if (!ended_normally(results[i + 1]) ||
          results[i + 1].outcome != component_.letter(letters[i]).outcome)
        return std::nullopt;
    return LetterExample{results[results.size() - 2].after, run->steps.back(),
                         results.back().after};
  }

  void show(InterfaceTransition& t, std::size_t letter, const LetterExample& step) {
    const CallOutcome at = component_.letter(letter);
    const Call& call = component_.calls()[at.call];
    // The state after is the interpreter's: equal maps can be written in several ways.
    const StepResult after = run_step(component_, step.before, step.step);
    Example shown;
    shown.steps.push_back({call.name, writer_.inputs(call, step.before, step.step.inputs),
                           call.outcomes[at.outcome], writer_.state(after.after)});
    t.before = writer_.state(step.before);
    t.example = std::move(shown);
  }

  Oracle& oracle_;
  Labeller& labeller_;
  const FinishOptions& options_;
  const Component& component_;
  RunWriter writer_;
  std::vector<RealWord> real_words_;
  std::deque<RealWord> stale_words_;
  std::set<std::pair<State, std::map<std::string, std::string>>> ends_;
  std::vector<std::size_t> met_; // words per state
  std::size_t lengthened_ = 0, word_tries_ = 0;
  std::vector<Region> samples_;                             // per state of the minimal protocol
  std::map<std::size_t, std::vector<std::size_t>> letters_; // of the word of a refusal with a run
};

} // namespace

Interface finish(const Protocol& protocol, Oracle& oracle, Labeller& labeller,
                 const FinishOptions& options) {
  return Finisher(oracle, labeller, options).run(protocol);
}

Interface finish(const Protocol& protocol, SetOracle& oracle, const FinishOptions& options) {
  SetLabeller labeller(oracle);
  return finish(protocol, oracle, labeller, options);
}

} // namespace tacit
