#include <set>

#include "synthesis/predicate/maymust_learners.h"
#include "synthesis/protocol/words.h"

namespace tacit {
namespace {

/// Answers for the component itself, from abstractions that are refined until they agree about the
/// word. One per constructor.
class Teacher : public WordOracle, public EquivalenceOracle {
public:
  /// `turn` ends when nothing more can be asked.
  Teacher(MayMustContext& context, std::size_t constructor, Budget& turn)
      : context_(context), component_(context.component()), story_(context.options().story),
        constructor_(constructor), turn_(turn) {
    if (context.options().seed) seed_words(*context.options().seed);
  }

  /// Algorithm 2, Query.
  Answer ask(const Word& word) override {
    asked_ = story_.told() ? text(word) : "";
    const Answer answer = query(word);
    const bool plain = !std::exchange(asked_, "").empty();
    if (over()) return answer;
    if (plain)
      tell("query {}: {}", text(word), to_string(answer));
    else
      tell("  answer: {}", to_string(answer));
    return answer;
  }

  std::optional<Word> counterexample(const Hypothesis& hypothesis) override {
    ++context_.equivalence_queries;
    ++conjectures_;
    story_.tell("conjecture {}: {} state{}", conjectures_, hypothesis.states(),
                hypothesis.states() == 1 ? "" : "s");
    if (!live(hypothesis.entry)) return Word{};
    for (; next_seed_ < seed_words_.size() && !over(); ++next_seed_)
      if (query(seed_words_[next_seed_]) != hypothesis.classify(seed_words_[next_seed_])) {
        story_.tell("  by the older result: {}", text(seed_words_[next_seed_]));
        return seed_words_[next_seed_];
      }
    Protocol protocol(component_);
    const State entry = add_hypothesis(protocol, hypothesis, component_);
    for (std::size_t k = 0; k < component_.constructors().size(); ++k)
      protocol.dfa.add_entry(k == constructor_ ? entry : no_state);
    hard_.clear();
    while (!over()) {
      const auto doubt = first_doubt(protocol);
      if (over()) break;
      if (!doubt) {
        story_.tell("  Oracle 1: safe for the may abstraction; Oracle 2: permissive for the must "
                    "abstraction{}",
                    hard_.empty() ? "" : ", if must-nodes confirm it");
        return std::nullopt;
      }
      story_.tell("  {}: {} {}", doubt->permissive ? "Oracle 2" : "Oracle 1",
                  context_.text(doubt->trace), doubt->what);
      const Word word = doubt->word(component_);
      const std::size_t before = context_.predicates().size();
      const Answer answer = query(word);
      if (over()) break;
      if (answer != hypothesis.classify(word)) {
        story_.tell("  counterexample: {} is {}", text(word), to_string(answer));
        return word;
      }
      if (context_.predicates().size() > before) continue;
      if (!explain(*doubt)) {
        context_.leave_open(text(word) + ": no predicate was found that settles it");
        turn_.cancel();
      }
    }
    return std::nullopt;
  }

  /// What is known about a word, asked again.
  Answer query(const Word& word) {
    while (!over()) {
      const auto answer = try_query(word);
      if (answer) return *answer;
    }
    return Answer::Illegal;
  }

private:
  /// A place where may and must do not agree with a hypothesis.
  struct Doubt {
    Trace trace; // with a call, or with a last letter
    bool permissive = false;
    State state = 0;
    std::string_view what;

    Word word(const Component& component) const {
      Word made(trace.letters.begin(), trace.letters.end());
      if (trace.call) made.push_back(static_cast<Letter>(component.letter_of(*trace.call, 0)));
      return made;
    }
  };

  /// What comes up while a word is asked; the word itself is told first.
  template <class... Args> void remark(fmt::format_string<Args...> format, Args&&... args) {
    if (!asked_.empty()) tell("query {}", std::exchange(asked_, ""));
    tell(format, std::forward<Args>(args)...);
  }

  template <class... Args> void tell(fmt::format_string<Args...> format, Args&&... args) {
    constexpr std::size_t most_told = 400;
    if (++told_ <= most_told)
      story_.tell(format, std::forward<Args>(args)...);
    else if (told_ == most_told + 1)
      story_.tell("further questions are not told");
  }

  std::string text(const Word& word) const {
    return context_.text({constructor_, std::vector<std::size_t>(word.begin(), word.end()), {}});
  }

  bool over() {
    if (context_.stopped() || context_.outcomes_run_away()) turn_.cancel();
    return turn_.exhausted_now();
  }

  /// No value when the abstractions have learnt something, so that the word has to be asked again.
  std::optional<Answer> try_query(const Word& word) {
    MayMust& abstraction = context_.may();
    Trace trace{constructor_, {}, {}};
    Region region = abstraction.may().start(constructor_);
    for (Letter letter : word) {
      const std::size_t call = component_.letter(letter).call;
      if (abstraction.may_err(region, call)) {
        trace.call = call;
        const auto errs = judge_error(trace, region);
        if (!errs) return std::nullopt;
        if (*errs) return Answer::Illegal;
        trace.call.reset();
      }
      trace.letters.push_back(letter);
      region = abstraction.may().post(region, letter);
      if (region == empty_region) return Answer::CannotHappen;
    }
    if (word.empty() || abstraction.must(trace) || context_.judge(trace) != Fact::No)
      return Answer::Legal;
    remark("  {}: it cannot happen, and the may abstraction does not know", context_.text(trace));
    if (context_.refine_outcomes(trace)) return std::nullopt;
    return Answer::CannotHappen;
  }

  /// Whether a word that may err can; no value when something was learnt about it.
  std::optional<bool> judge_error(const Trace& trace, Region region) {
    if (context_.may().must(trace)) return true;
    const Fact fact = context_.judge(trace);
    // Whatever the word leads to errs; that it can happen at all needs no predicates.
    if (fact == Fact::Yes && context_.may().must_err(region, *trace.call)) return true;
    if (fact != Fact::No) {
      remark("  {}: errs in the may abstraction, not in the must abstraction; in truth it does",
             context_.text(trace));
      if (fact == Fact::Yes && context_.refine(trace, fact)) return std::nullopt;
      return true;
    }
    remark("  {}: errs in the may abstraction, not in the must abstraction; in truth it does not",
           context_.text(trace));
    Trace prefix = trace;
    prefix.call.reset();
    const bool learnt = !prefix.letters.empty() && context_.judge(prefix) == Fact::No
                            ? context_.refine_outcomes(prefix)
                            : context_.refine(trace, fact);
    if (learnt) return std::nullopt;
    return false;
  }

  /// Algorithms 3 and 4: safe for may, permissive for must, the shortest word first.
  std::optional<Doubt> first_doubt(const Protocol& protocol) {
    MayMust& abstraction = context_.may();
    const CubeLabels labels = cube_labels(protocol.dfa, abstraction.may());
    auto doubt = [&](State q, Cube cube, std::optional<std::size_t> call,
                     std::optional<std::size_t> letter, bool permissive, std::string_view what) {
      Doubt made{{constructor_, labels.word(q, cube), call}, permissive, q, what};
      if (letter) made.trace.letters.push_back(*letter);
      return made;
    };
    for (const auto& [q, cube] : labels.order)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (!protocol.allows(q, c)) continue;
        if (abstraction.may_err(cube)[c])
          return doubt(q, cube, c, {}, false, "errs in the may abstraction");
        for (std::size_t o = 0; o < component_.calls()[c].outcomes.size(); ++o) {
          const auto l = static_cast<Letter>(component_.letter_of(c, o));
          if (protocol.dfa.next(q, l) == no_state && !abstraction.may().post_cubes(cube, l).empty())
            return doubt(q, cube, {}, l, false, "is possible in the may abstraction");
        }
      }
    for (const auto& [q, cube] : labels.order)
      for (std::size_t c = 0; c < component_.calls().size(); ++c) {
        if (!protocol.allows(q, c)) {
          if (!abstraction.must_err(cube)[c] && !hard_.contains({q, c}))
            return doubt(q, cube, c, {}, true, "does not err in the must abstraction");
          continue;
        }
        for (std::size_t o = 0; o < component_.calls()[c].outcomes.size(); ++o) {
          const auto l = static_cast<Letter>(component_.letter_of(c, o));
          if (protocol.dfa.next(q, l) == no_state || abstraction.must_happen(cube, l)) continue;
          Doubt made = doubt(q, cube, {}, l, true, "is not possible in the must abstraction");
          if (possible_.insert(made.word(component_)).second) return made;
        }
      }
    return std::nullopt;
  }

  /// The hypothesis is right about the word and the abstractions cannot tell. False: neither can
  /// anything else.
  bool explain(const Doubt& doubt) {
    if (!doubt.permissive) return false;
    if (!doubt.trace.call) return true; // once asked, left to must-nodes
    if (context_.judge(doubt.trace) == Fact::Yes && context_.refine(doubt.trace, Fact::Yes))
      return true;
    story_.tell("  it errs in one run and not in another: left to must-nodes");
    hard_.insert({doubt.state, *doubt.trace.call});
    return true;
  }

  /// The words of a transition cover, by the letters that both results know.
  void seed_words(const Interface& seed);

  MayMustContext& context_;
  const Component& component_;
  const Story& story_;
  std::size_t constructor_;
  Budget& turn_;
  std::string asked_; // being asked, and not told yet
  std::size_t told_ = 0, conjectures_ = 0;
  std::set<std::pair<State, std::size_t>> hard_; // refusals that labels do not show
  std::set<Word> possible_;                      // asked because must did not know
  std::vector<Word> seed_words_;
  std::size_t next_seed_ = 0;
};

void Teacher::seed_words(const Interface& seed) {
  std::vector<std::optional<Word>> access(seed.states.size());
  std::vector<State> order;
  for (const InitialState& i : seed.initial)
    if (i.constructor == component_.constructors()[constructor_].name && !access[i.state]) {
      access[i.state] = Word{};
      order.push_back(i.state);
    }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const InterfaceTransition& t : seed.outgoing(order[i])) {
      const auto call = component_.find_call(seed.calls[t.call].name);
      if (!call) continue;
      const Call& here = component_.calls()[*call];
      for (std::size_t o = 0; o < here.outcomes.size(); ++o) {
        const std::string& wanted = seed.calls[t.call].outcomes[t.outcome];
        if (wanted != "any" && wanted != here.outcomes[o]) continue;
        Word word = *access[order[i]];
        word.push_back(static_cast<Letter>(component_.letter_of(*call, o)));
        if (!access[t.to]) {
          access[t.to] = word;
          order.push_back(t.to);
        }
        seed_words_.push_back(std::move(word));
      }
    }
  // Behind each transition, what the older result says about every call of its target.
  const std::size_t transitions = seed_words_.size();
  for (std::size_t i = 0; i < transitions; ++i)
    for (std::size_t c = 0; c < component_.calls().size(); ++c) {
      Word word = seed_words_[i];
      word.push_back(static_cast<Letter>(component_.letter_of(c, 0)));
      seed_words_.push_back(std::move(word));
    }
}

class LearnReuse {
public:
  explicit LearnReuse(MayMustContext& context)
      : context_(context), component_(context.component()) {}

  bool run() {
    ++context_.iterations;
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      if (context_.may().may().start(k) == empty_region) {
        pupils_.emplace_back();
        continue;
      }
      auto teacher = std::make_unique<Teacher>(context_, k, turn_);
      auto learner =
          make_learner(context_.options().learner.value_or(LearnerKind::Tree), component_.letters(),
                       *teacher, {letter_groups(component_), &turn_});
      pupils_.push_back({std::move(teacher), std::move(learner)});
    }
    learn_all();
    for (const Pupil& pupil : pupils_)
      if (pupil.learner) context_.membership_queries += pupil.learner->queries();
    if (context_.stopped()) return true;
    return !context_.outcomes_run_away() && (context_.open().empty() || context_.options().full);
  }

private:
  struct Pupil {
    std::unique_ptr<Teacher> teacher; // none: the constructor gives nothing
    std::unique_ptr<Learner> learner;
  };

  void learn_all() {
    while (true) {
      Protocol protocol(component_);
      for (Pupil& pupil : pupils_) {
        if (!pupil.learner) {
          protocol.dfa.add_entry(no_state);
          continue;
        }
        const LearnResult result = learn(*pupil.learner, *pupil.teacher, turn_);
        if (!result.complete || turn_.exhausted_now()) return;
        protocol.dfa.add_entry(add_hypothesis(protocol, result.hypothesis, component_));
      }
      const auto doubt = context_.settle(minimal(protocol, component_).protocol);
      if (context_.stopped()) return;
      if (!doubt) break;
      if (!teach(*doubt)) {
        context_.leave_open(context_.text(*doubt) + ": no predicate was found that settles it");
        break;
      }
    }
    context_.try_coarser();
  }

  /// A word that must-nodes found.
  bool teach(const Trace& doubt) {
    Pupil& pupil = pupils_[doubt.constructor];
    Word word(doubt.letters.begin(), doubt.letters.end());
    if (doubt.call) word.push_back(static_cast<Letter>(component_.letter_of(*doubt.call, 0)));
    const Answer answer = pupil.teacher->query(word);
    if (turn_.exhausted_now() || answer == pupil.learner->hypothesis().classify(word)) return false;
    context_.options().story.tell("must-nodes: {} is {}", context_.text(doubt), to_string(answer));
    pupil.learner->refine(word);
    return true;
  }

  MayMustContext& context_;
  const Component& component_;
  Budget turn_; // ends when nothing more can be asked
  std::vector<Pupil> pupils_;
};

} // namespace

bool learn_reuse(MayMustContext& context) { return LearnReuse(context).run(); }

} // namespace tacit
