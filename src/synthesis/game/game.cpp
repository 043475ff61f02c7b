#include "synthesis/game/game.h"

#include <algorithm>
#include <deque>
#include <set>

#include "abstraction/formula/predicates.h"
#include "abstraction/formula/trace.h"
#include "abstraction/maymust/must_nodes.h"
#include "base/should.h"
#include "finite/bdd/bdd_oracle.h"
#include "logic/solver/simplify.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "logic/z3/z3_solver.h"
#include "synthesis/game/game_teacher.h"
#include "synthesis/predicate/predicate_labels.h"

namespace tacit {
namespace {

constexpr std::size_t most_words = 400;      // of one word with outcomes left open
constexpr std::size_t most_word_tries = 200; // on the way to a disputed word
constexpr std::size_t most_suggested = 6;

/// Solver, formulas and predicates of one run.
class GameSetting {
public:
  static Result<std::unique_ptr<GameSetting>>
  create(const Component& component, const SynthesisOptions& options, Budget& budget) {
    auto made = std::unique_ptr<GameSetting>(new GameSetting(component, budget));
    auto formulas = ComponentFormulas::create(component, *made->solver, made->eliminator);
    if (!formulas) return std::unexpected(formulas.error());
    made->formulas = std::move(*formulas);
    auto chosen = made->choose(options);
    if (!chosen) return std::unexpected(chosen.error());
    return made;
  }

  Result<BooleanProgram> program() {
    if (formulas->has_cuts())
      if (auto found = formulas->find_invariants(predicates.all()); !found)
        return std::unexpected(found.error());
    return boolean_program(component, predicates.all(), formulas->invariants(), *solver);
  }

  /// True in every state, or false in every state.
  bool settled(Term predicate) {
    const Term facts = formulas->facts();
    return solver->check({facts, predicate}) == Truth::Unsat ||
           solver->check({facts, component.arena().negate(predicate)}) == Truth::Unsat;
  }

  const Component& component;
  std::unique_ptr<Solver> solver;
  Eliminator eliminator;
  std::unique_ptr<ComponentFormulas> formulas;
  PredicateSet predicates;
  std::vector<Term> state;
  // Predicates that were left out: true everywhere or false everywhere; about nothing that matters.
  std::vector<std::string> constant, irrelevant;

private:
  GameSetting(const Component& of, Budget& budget)
      : component(of), solver(make_z3_solver({.budget = &budget})),
        eliminator(of.arena(), {.budget = &budget}), predicates(of.arena()) {
    for (const StateVariable& v : of.module().state) state.push_back(v.term);
  }

  /// Those of the user, or the guards of errors.
  Result<void> choose(const SynthesisOptions& options) {
    const WrittenPredicates& given = options.predicates;
    if (given.none()) {
      for (std::size_t k = 0; k < component.constructors().size(); ++k)
        predicates.add_atoms(formulas->constructor(k, Side::Above).errs, state);
      for (std::size_t c = 0; c < component.calls().size(); ++c)
        predicates.add_atoms(formulas->call(c, Side::Above).errs, state);
    }
    irrelevant = given.irrelevant;
    for (std::size_t i = 0; i < given.predicates.size(); ++i) {
      if (settled(given.predicates[i]))
        constant.push_back(given.texts[i]);
      else
        predicates.add(given.predicates[i]);
    }
    if (predicates.size() > max_predicates)
      return fail("{} predicates are too many: at most {}", predicates.size(), max_predicates);
    return {};
  }
};

class GameEngine {
public:
  GameEngine(GameSetting& setting, const BooleanProgram& program, const Component& abstract,
             SetOracle* oracle, const SynthesisOptions& options, Budget& budget)
      : setting_(setting), component_(setting.component), program_(program), abstract_(abstract),
        oracle_(oracle), options_(options), budget_(budget), protocol_(abstract) {}

  Result<Synthesis> run() {
    tell_predicates();
    for (const std::string& text : options_.must_allow) {
      auto words = wanted(text);
      if (!words) return std::unexpected(words.error());
      rules_.wanted.insert(rules_.wanted.end(), words->begin(), words->end());
      wanted_.push_back({text, std::move(*words)});
    }
    if (oracle_) {
      if (auto played = play(); !played) return std::unexpected(played.error());
      protocol_ = minimal(protocol_, component_).protocol;
      coarsen();
    } else {
      allow_nothing();
    }
    return finished();
  }

private:
  void tell_predicates() const {
    if (!options_.story.told()) return;
    std::string names;
    for (Term p : program_.predicates) names += (names.empty() ? "" : ", ") + to_string(p);
    options_.story.tell("predicates: {}", names.empty() ? "none" : names);
    for (const std::string& text : setting_.constant)
      options_.story.tell("'{}' has one value in every state and is left out", text);
    for (const std::string& text : setting_.irrelevant)
      options_.story.tell("'{}' is about nothing that any call depends on and is left out", text);
    options_.story.tell("Boolean program: {} predicates, {} derived, {} variables",
                        program_.predicates.size(), program_.derived, program_.variables);
  }

  /// The words that a text stands for: where an outcome is left out, any.
  Result<std::vector<Word>> wanted(const std::string& text) const {
    std::vector<Word> words{{}};
    std::vector<std::string> known;
    for (const Call& c : component_.calls()) known.push_back(c.name);
    for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string::npos;) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string letter = text.substr(at, end - at);
      at = end;
      auto call = component_.find_call(letter);
      std::vector<std::size_t> outcomes;
      if (!call) {
        const auto colon = letter.rfind(':');
        call = component_.find_call(letter.substr(0, colon));
        if (!call || colon == std::string::npos)
          return fail("--must-allow '{}': there is no call '{}'{}", text, letter,
                      suggestion(letter.substr(0, colon), known));
        const auto& all = component_.calls()[*call].outcomes;
        const auto found = std::ranges::find(all, letter.substr(colon + 1));
        if (found == all.end())
          return fail("--must-allow '{}': '{}' has no outcome '{}'{}", text,
                      component_.calls()[*call].name, letter.substr(colon + 1),
                      suggestion(letter.substr(colon + 1), all));
        outcomes.push_back(static_cast<std::size_t>(found - all.begin()));
      } else {
        for (std::size_t o = 0; o < component_.calls()[*call].outcomes.size(); ++o)
          outcomes.push_back(o);
      }
      std::vector<Word> longer;
      for (const Word& word : words)
        for (std::size_t o : outcomes) {
          longer.push_back(word);
          longer.back().push_back(static_cast<Letter>(component_.letter_of(*call, o)));
        }
      if (longer.size() > most_words)
        return fail("--must-allow '{}': too many outcomes are left open", text);
      words = std::move(longer);
    }
    if (words[0].empty()) return fail("--must-allow '{}': the word is empty", text);
    return words;
  }

  /// When the budget ran out before anything was known.
  void allow_nothing() {
    complete_ = false;
    const State only = protocol_.add_state(std::vector<bool>(component_.calls().size(), false));
    for (std::size_t k = 0; k < component_.constructors().size(); ++k)
      protocol_.dfa.add_entry(only);
  }

  /// L* for each way to start.
  Result<void> play() {
    std::map<Region, State> learned; // constructors that start alike share what was learned
    for (std::size_t k = 0; k < abstract_.constructors().size(); ++k) {
      const Region start = oracle_->start(k);
      if (start == empty_region) {
        protocol_.dfa.add_entry(no_state);
        continue;
      }
      if (!learned.contains(start)) {
        ComponentWords words(*oracle_, start);
        GameTeacher teacher(*oracle_, start, words, rules_, options_.story, budget_);
        auto learner =
            make_learner(options_.learner.value_or(LearnerKind::Table), abstract_.letters(), words,
                         {letter_groups(abstract_), &budget_});
        const LearnResult result = learn(*learner, teacher, budget_);
        if (auto failure = oracle_->failure(); failure && !budget_.exhausted_now())
          return std::unexpected(*failure);
        add(teacher.counts());
        counts_.membership += result.statistics.membership_queries;
        if (result.complete) {
          end_ = std::max(end_, teacher.end());
          learned[start] = add_hypothesis(result.hypothesis);
        } else {
          complete_ = false;
          learned[start] = protocol_.add_state(std::vector<bool>(component_.calls().size(), false));
        }
      }
      protocol_.dfa.add_entry(learned[start]);
    }
    return {};
  }

  void add(const GameCounts& more) {
    counts_.membership += more.membership;
    counts_.subset += more.subset;
    counts_.superset += more.superset;
    counts_.one_step += more.one_step;
    counts_.one_step_found += more.one_step_found;
    counts_.exact += more.exact;
    counts_.exact_found += more.exact_found;
    counts_.beliefs = std::max(counts_.beliefs, more.beliefs);
  }

  State add_hypothesis(const Hypothesis& hypothesis) {
    if (!live(hypothesis.entry)) return no_state;
    const auto base = static_cast<State>(protocol_.dfa.states());
    for (State q = 0; q < hypothesis.states(); ++q) {
      std::vector<bool> allowed(component_.calls().size());
      for (std::size_t c = 0; c < allowed.size(); ++c)
        allowed[c] =
            hypothesis.target(q, static_cast<Letter>(component_.letter_of(c, 0))) != illegal_sink;
      protocol_.add_state(allowed);
    }
    for (State q = 0; q < hypothesis.states(); ++q)
      for (Letter l = 0; l < component_.letters(); ++l)
        if (const State to = hypothesis.target(q, l); live(to))
          protocol_.dfa.set_next(base + q, l, base + to);
    return base + hypothesis.entry;
  }

  /// Fewer states by not telling which outcomes cannot happen, if that is still safe.
  void coarsen() {
    Protocol fewer = coarsened(protocol_, component_);
    if (fewer.dfa.states() >= protocol_.dfa.states()) return;
    const auto reached = oracle_->reachable(fewer.dfa);
    for (State q = 0; q < fewer.dfa.states(); ++q)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (fewer.allows(q, c)) {
          if (oracle_->erring(reached[q], c) != empty_region) return;
          for (std::size_t o = 0; o < component_.calls()[c].outcomes.size(); ++o) {
            const std::size_t l = component_.letter_of(c, o);
            if (fewer.dfa.next(q, static_cast<Letter>(l)) == no_state &&
                oracle_->able(reached[q], l, std::nullopt) != empty_region)
              return;
          }
        }
      }
    options_.story.tell("outcomes that cannot happen are not told apart: {} states suffice",
                        fewer.dfa.states());
    protocol_ = std::move(fewer);
  }

  /// What the predicates say about the component's states in each state of the interface.
  bool label() {
    if (!oracle_) {
      proof_.safe.assign(protocol_.dfa.states(), component_.arena().truth());
      return true;
    }
    for (const Region region : oracle_->reachable(protocol_.dfa)) {
      const auto term = oracle_->describe(region);
      if (!term) return false;
      proof_.safe.push_back(simplify(component_.arena(), *setting_.solver,
                                     setting_.formulas->facts(), program_.meaning(*term)));
    }
    for (const auto& [head, invariant] : setting_.formulas->invariants())
      proof_.invariants[head] =
          simplify(component_.arena(), *setting_.solver, setting_.formulas->facts(), invariant);
    proof_.unwind = setting_.formulas->unwind();
    return true;
  }

  /// Every refused call errs in the component itself; otherwise those for which that is open.
  std::set<std::size_t> show_refusals() {
    MustNodes must(*setting_.formulas, protocol_.dfa, proof_.safe, *setting_.solver, budget_);
    std::set<std::size_t> open;
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      std::optional<Term> goal;
      for (State q = 0; q < protocol_.dfa.states(); ++q) {
        if (protocol_.allows(q, c)) continue;
        if (!goal) {
          const auto errs = setting_.formulas->surely_errs(c);
          if (errs)
            goal =
                simplify(component_.arena(), *setting_.solver, setting_.formulas->facts(), *errs);
        }
        const auto node = goal ? must.show(q, *goal) : std::unexpected(MustNodes::Gap{});
        if (!node)
          open.insert(c);
        else if (*node)
          proof_.refusals[{q, c}] = **node;
      }
    }
    proof_.nodes = must.nodes();
    return open;
  }

  /// The component cannot err on the call after the word, and the word can happen.
  bool surely_legal(std::size_t constructor, const std::vector<std::size_t>& letters,
                    std::size_t call) {
    Path path(*setting_.formulas, constructor, Side::Above);
    for (std::size_t l : letters) path.extend(l);
    auto conditions = path.conditions();
    if (setting_.solver->check(conditions) != Truth::Sat) return false;
    const CallFormulas& last = setting_.formulas->call(call, Side::Above);
    conditions.push_back(path.at_end(last.errs, &last.body));
    return setting_.solver->check(conditions) == Truth::Unsat;
  }

  /// One refinement of `permissive`: the atoms of weakest preconditions along the word.
  void suggest(const Trace& trace, PredicateSet& found) {
    PredicateSet known(component_.arena());
    for (Term p : program_.predicates) known.add(p);
    for (Term condition : preconditions(*setting_.formulas, setting_.eliminator, trace)) {
      PredicateSet some(component_.arena());
      some.add_atoms(condition, setting_.state);
      for (Term p : some.all()) {
        PredicateSet both = known;
        if (found.size() < most_suggested && both.add(p) && !setting_.settled(p)) found.add(p);
      }
    }
  }

  /// Words that are refused although the component surely does not err: the first for each call,
  /// breadth first.
  void disputes(const std::set<std::size_t>& open) {
    struct Candidate {
      std::size_t constructor;
      State state;
      std::vector<std::size_t> letters;
    };
    PredicateSet found(component_.arena());
    std::set<std::size_t> left = open;
    std::deque<Candidate> work;
    const Dfa& dfa = protocol_.dfa;
    for (std::size_t k = 0; k < dfa.entries().size(); ++k)
      if (dfa.entries()[k] != no_state) work.push_back({k, dfa.entries()[k], {}});
    for (std::size_t tries = 0; !work.empty() && !left.empty() && tries < most_word_tries;
         ++tries) {
      const Candidate at = std::move(work.front());
      work.pop_front();
      if (budget_.exhausted_now()) break;
      for (auto c = left.begin(); c != left.end();) {
        if (protocol_.allows(at.state, *c) || !surely_legal(at.constructor, at.letters, *c)) {
          ++c;
          continue;
        }
        Word word(at.letters.begin(), at.letters.end());
        disputed_.push_back((word.empty() ? "" : word_text(component_, word) + " ") +
                            component_.calls()[*c].name);
        suggest({at.constructor, at.letters, *c}, found);
        c = left.erase(c);
      }
      for (Letter l = 0; l < dfa.letters(); ++l)
        if (const State to = dfa.next(at.state, l); to != no_state) {
          work.push_back({at.constructor, to, at.letters});
          work.back().letters.push_back(l);
        }
    }
    for (Term p : found.all()) suggested_.push_back(to_string(p));
  }

  /// What became of the words that should be legal.
  std::string judge_wanted() {
    std::string text;
    for (const auto& [written, words] : wanted_) {
      bool allowed = false, legal = false;
      PredicateSet found(component_.arena());
      for (const Word& word : words)
        for (std::size_t k = 0; k < protocol_.dfa.entries().size(); ++k) {
          State q = protocol_.dfa.entries()[k];
          std::vector<std::size_t> before;
          for (std::size_t i = 0; q != no_state && i < word.size(); ++i) {
            const std::size_t call = component_.letter(word[i]).call;
            if (protocol_.allows(q, call)) {
              allowed = allowed || i + 1 == word.size();
            } else {
              if (i + 1 == word.size() && surely_legal(k, before, call)) {
                legal = true;
                suggest({k, before, call}, found);
              }
              break;
            }
            q = protocol_.dfa.next(q, word[i]);
            before.push_back(word[i]);
          }
        }
      if (allowed) {
        options_.story.tell("wanted: '{}' is allowed", written);
        continue;
      }
      text += (text.empty() ? "" : "; ") + fmt::format("'{}' is not allowed: ", written);
      if (!legal) {
        text += "by these predicates it may err, and that it cannot was not shown";
        continue;
      }
      text += "the component does not err, but the predicates do not tell";
      std::string list;
      for (Term p : found.all())
        list += (list.empty() ? "" : ", ") + fmt::format("'{}'", to_string(p));
      if (!list.empty()) text += "; try " + list;
    }
    return text;
  }

  std::string answer() const {
    if (!complete_) return "the budget ran out";
    return end_ == GameEnd::Open ? "safe and maximal, perhaps not most permissive"
                                 : "most permissive for these predicates";
  }

  Result<Synthesis> finished();
  void add_figures(Interface& interface) const;

  GameSetting& setting_;
  const Component& component_;
  const BooleanProgram& program_;
  const Component& abstract_;
  SetOracle* oracle_; // null: the budget ran out before there was one
  const SynthesisOptions& options_;
  Budget& budget_;
  GameRules rules_;
  Protocol protocol_;
  PredicateProof proof_;
  GameCounts counts_;
  GameEnd end_ = GameEnd::Superset;
  bool complete_ = true;
  std::vector<std::pair<std::string, std::vector<Word>>> wanted_;
  std::vector<std::string> disputed_, suggested_;
};

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& t : texts) all += (all.empty() ? "'" : ", '") + t + "'";
  return all;
}

void GameEngine::add_figures(Interface& interface) const {
  Statistics& stats = interface.stats;
  stats.set("answer", answer());
  stats.set("settled_by", end_ == GameEnd::Superset ? "superset query"
                          : end_ == GameEnd::Exact  ? "exact game"
                                                    : "nothing");
  stats.set("predicates_given", program_.predicates.size());
  stats.set("derived_predicates", program_.derived);
  stats.set("boolean_variables", program_.variables);
  stats.set("membership_queries", counts_.membership);
  stats.set("subset_queries", counts_.subset);
  stats.set("superset_queries", counts_.superset);
  stats.set("one_step_further", counts_.one_step == 0         ? "not needed"
                                : counts_.one_step_found != 0 ? "found a counterexample"
                                                              : "found nothing");
  if (counts_.exact) {
    stats.set("exact_games", counts_.exact);
    stats.set("exact_counterexamples", counts_.exact_found);
    stats.set("beliefs", counts_.beliefs);
  }
  if (!suggested_.empty()) stats.set("suggested_predicates", joined(suggested_));
  stats.set("solver_queries", static_cast<std::size_t>(setting_.solver->statistics().queries));
}

Result<Synthesis> GameEngine::finished() {
  MayOracle concrete(*setting_.formulas, program_.predicates, *setting_.solver);
  FinishOptions finishing{.engine = "game", .serial = options_.serial, .story = options_.story};
  Verdict& verdict = finishing.verdict;
  verdict.assumptions = component_.assumptions();
  const bool labelled = label();
  std::vector<std::size_t> not_started; // constructors that only the abstraction refuses
  for (std::size_t k = 0; k < component_.constructors().size(); ++k)
    if (protocol_.dfa.entries()[k] == no_state && !concrete.constructor_errs(k) &&
        concrete.start(k) != empty_region)
      not_started.push_back(k);
  std::set<std::size_t> open;
  if (labelled) {
    verdict.safe = Claim::Proved;
    if (complete_ && not_started.empty()) open = show_refusals();
    if (complete_ && not_started.empty() && open.empty()) verdict.permissive = Claim::Proved;
    if (!open.empty()) disputes(open);
  } else {
    verdict.details["safe"] = "the labels that would prove it are too large";
    proof_.safe.assign(protocol_.dfa.states(), component_.arena().truth());
  }
  if (verdict.permissive == Claim::Proved)
    options_.story.tell("{}, and for the component itself", answer());
  if (verdict.permissive != Claim::Proved) {
    std::string why = answer();
    if (!complete_)
      why += ": " + budget_.reason();
    else
      why += "; not proved for the component itself";
    if (!disputed_.empty()) why += ", which surely does not err on " + joined(disputed_);
    if (!suggested_.empty()) why += "; predicates that may help: " + joined(suggested_);
    options_.story.tell("{}", why);
    verdict.details["permissive"] = why;
  }
  verdict.details["full"] = "the game is about calls, not about outcomes that cannot happen";
  const std::string refused = judge_wanted();
  if (!refused.empty()) verdict.details["must_allow"] = refused;
  std::string left_out;
  if (!setting_.constant.empty())
    left_out = "left out, as they have one value in every state: " + joined(setting_.constant);
  if (!setting_.irrelevant.empty())
    left_out += (left_out.empty() ? "" : "; ") +
                std::string("left out, as no call depends on what they are about: ") +
                joined(setting_.irrelevant);
  if (!left_out.empty()) verdict.details["predicates"] = left_out;
  ProofLabeller labeller(proof_, component_, concrete, *setting_.solver);
  Synthesis result{finish(protocol_, concrete, labeller, finishing), true};
  Interface& interface = result.interface;
  if (!labelled) interface.verdict.safe = Claim::Unknown;
  withdraw_unlabelled(result);
  for (auto k = not_started.rbegin(); k != not_started.rend(); ++k)
    interface.forbidden.insert(
        interface.forbidden.begin(),
        {.call = *k, .error = not_shown_safe, .word = {component_.constructors()[*k].name}});
  std::ranges::stable_sort(interface.forbidden, [](const Refusal& a, const Refusal& b) {
    return !a.state && (b.state || a.call < b.call);
  });
  for (Refusal& refusal : interface.forbidden)
    if (!refusal.state && refusal.error.empty()) refusal.error = not_shown_safe;
  for (const Refusal& refusal : interface.forbidden)
    if (refusal.error == not_shown_safe && interface.verdict.permissive == Claim::Proved) {
      interface.verdict.permissive = Claim::Unknown;
      interface.verdict.details["permissive"] = answer() +
                                                "; no run was found that ends in the error of '" +
                                                interface.refused_name(refusal) + "'";
    }
  result.settled =
      interface.verdict.permissive == Claim::Proved && refused.empty() && !options_.full;
  for (Term p : program_.predicates) interface.predicates.push_back(to_string(p));
  add_figures(interface);
  return result;
}

} // namespace

Result<BooleanProgram> game_program(const Component& component, const SynthesisOptions& options,
                                    Budget& budget) {
  auto setting = GameSetting::create(component, options, budget);
  if (!setting) return std::unexpected(setting.error());
  return (*setting)->program();
}

Result<Synthesis> synthesise_game(const Component& component, const SynthesisOptions& options,
                                  Budget& budget) {
  auto setting = GameSetting::create(component, options, budget);
  if (!setting) return std::unexpected(setting.error());
  const auto program = (*setting)->program();
  if (!program) return std::unexpected(program.error());
  const auto abstract = abstract_component(component, *program);
  if (!abstract) return std::unexpected(abstract.error());
  auto oracle = BddOracle::create(*abstract, budget);
  if (!oracle && !budget.exhausted_now()) return std::unexpected(oracle.error());
  return GameEngine(**setting, *program, *abstract, oracle ? oracle->get() : nullptr, options,
                    budget)
      .run();
}

} // namespace tacit
