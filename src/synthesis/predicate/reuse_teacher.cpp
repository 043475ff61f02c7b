#include "synthesis/predicate/reuse_teacher.h"

namespace tacit {

ReuseTeacher::ReuseTeacher(MayMustAbstractions& both, std::size_t constructor, Budget& turn)
    : both_(both), component_(both.component()), constructor_(constructor), turn_(turn) {
  if (both.options().seed) seed_words(*both.options().seed);
}

Word ReuseTeacher::Doubt::word(const Component& component) const {
  Word made(trace.letters.begin(), trace.letters.end());
  if (trace.call) made.push_back(static_cast<Letter>(component.letter_of(*trace.call, 0)));
  return made;
}

Answer ReuseTeacher::ask(const Word& word) {
  asked_ = both_.story().told() ? text(word) : "";
  const Answer answer = query(word);
  const bool plain = !std::exchange(asked_, "").empty();
  if (over()) return answer;
  if (plain)
    tell("query {}: {}", text(word), to_string(answer));
  else
    tell("  answer: {}", to_string(answer));
  return answer;
}

Answer ReuseTeacher::query(const Word& word) {
  while (!over()) {
    const auto answer = try_query(word);
    if (answer) return *answer;
  }
  return Answer::Illegal;
}

bool ReuseTeacher::over() {
  if (both_.stopped() || both_.outcomes_run_away()) turn_.cancel();
  return turn_.exhausted_now();
}

/// No value when the abstractions have learnt something, so that the word has to be asked again.
std::optional<Answer> ReuseTeacher::try_query(const Word& word) {
  const auto abstraction = both_.may();
  Trace trace{constructor_, {}, {}};
  Region region = abstraction->may().start(constructor_);
  for (Letter letter : word) {
    const std::size_t call = component_.letter(letter).call;
    if (abstraction->may_err(region, call)) {
      trace.call = call;
      const auto errs = judge_error(trace, region);
      if (!errs) return std::nullopt;
      if (*errs) return Answer::Illegal;
      trace.call.reset();
    }
    trace.letters.push_back(letter);
    region = abstraction->may().post(region, letter);
    if (region == empty_region) return Answer::CannotHappen;
  }
  if (word.empty() || abstraction->must(trace) || both_.setting().judge(trace) != Fact::No)
    return Answer::Legal;
  remark("  {}: it cannot happen, and the may abstraction does not know", both_.text(trace));
  if (both_.refine_outcomes(trace)) return std::nullopt;
  return Answer::CannotHappen;
}

/// Whether a word that may err can; no value when something was learnt about it.
std::optional<bool> ReuseTeacher::judge_error(const Trace& trace, Region region) {
  if (both_.may()->must(trace)) return true;
  const Fact fact = both_.setting().judge(trace);
  // Whatever the word leads to errs; that it can happen at all needs no predicates.
  if (fact == Fact::Yes && both_.may()->must_err(region, *trace.call)) return true;
  if (fact != Fact::No) {
    remark("  {}: errs in the may abstraction, not in the must abstraction; in truth it does",
           both_.text(trace));
    if (fact == Fact::Yes && both_.refine(trace, fact)) return std::nullopt;
    return true;
  }
  remark("  {}: errs in the may abstraction, not in the must abstraction; in truth it does not",
         both_.text(trace));
  Trace prefix = trace;
  prefix.call.reset();
  const bool learnt = !prefix.letters.empty() && both_.setting().judge(prefix) == Fact::No
                          ? both_.refine_outcomes(prefix)
                          : both_.refine(trace, fact);
  if (learnt) return std::nullopt;
  return false;
}

std::optional<Word> ReuseTeacher::counterexample(const Hypothesis& hypothesis) {
  ++both_.equivalence_queries;
  ++conjectures_;
  both_.story().tell("conjecture {}: {} state{}", conjectures_, hypothesis.states(),
                     hypothesis.states() == 1 ? "" : "s");
  if (!live(hypothesis.entry)) return Word{};
  for (; next_seed_ < seed_words_.size() && !over(); ++next_seed_)
    if (query(seed_words_[next_seed_]) != hypothesis.classify(seed_words_[next_seed_])) {
      both_.story().tell("  by the older result: {}", text(seed_words_[next_seed_]));
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
      both_.story().tell("  Oracle 1: safe for the may abstraction; Oracle 2: permissive for the "
                         "must abstraction{}",
                         hard_.empty() ? "" : ", if must-nodes confirm it");
      break;
    }
    if (auto word = counterexample_by(*doubt, hypothesis)) return word;
  }
  return std::nullopt;
}

/// No value: the hypothesis is right about it, or nothing more can be asked.
std::optional<Word> ReuseTeacher::counterexample_by(const Doubt& doubt,
                                                    const Hypothesis& hypothesis) {
  both_.story().tell("  {}: {} {}", doubt.permissive ? "Oracle 2" : "Oracle 1",
                     both_.text(doubt.trace), doubt.what);
  Word word = doubt.word(component_);
  const std::size_t before = both_.predicates().size();
  const Answer answer = query(word);
  if (over()) return std::nullopt;
  if (answer != hypothesis.classify(word)) {
    both_.story().tell("  counterexample: {} is {}", text(word), to_string(answer));
    return word;
  }
  if (both_.predicates().size() == before && !explain(doubt)) {
    unsettled_ = text(word) + ": no predicate was found that settles it";
    turn_.cancel();
  }
  return std::nullopt;
}

/// Algorithms 3 and 4: safe for may, permissive for must, the shortest word first.
std::optional<ReuseTeacher::Doubt> ReuseTeacher::first_doubt(const Protocol& protocol) {
  MayOracle& may = both_.may()->may();
  const CubeLabels labels = cube_labels(protocol.dfa, may);
  if (auto word = unsafe_word(protocol, may, labels))
    return Doubt{*word, false, 0,
                 word->call ? "errs in the may abstraction" : "is possible in the may abstraction"};
  return unpermissive(protocol, labels);
}

std::optional<ReuseTeacher::Doubt> ReuseTeacher::unpermissive(const Protocol& protocol,
                                                              const CubeLabels& labels) {
  MayMust& abstraction = *both_.may();
  for (const auto& [q, cube] : labels.order)
    for (Letter l = 0; l < component_.letters(); ++l) {
      const auto [c, outcome] = component_.letter(l);
      Doubt made{{constructor_, {}, {}}, true, q, "is not possible in the must abstraction"};
      if (!protocol.allows(q, c)) {
        if (outcome != 0 || hard_.contains({q, c}) || abstraction.must_err(cube)[c]) continue;
        made.what = "does not err in the must abstraction";
        made.trace = {constructor_, labels.word(q, cube), c};
        return made;
      }
      if (protocol.dfa.next(q, l) == no_state || abstraction.must_happen(cube, l)) continue;
      made.trace.letters = labels.word(q, cube);
      made.trace.letters.push_back(l);
      if (possible_.insert(made.word(component_)).second) return made;
    }
  return std::nullopt;
}

/// The hypothesis is right about the word and the abstractions cannot tell. False: neither can
/// anything else.
bool ReuseTeacher::explain(const Doubt& doubt) {
  if (!doubt.permissive) return false;
  if (!doubt.trace.call) return true; // once asked, left to must-nodes
  if (both_.setting().judge(doubt.trace) == Fact::Yes && both_.refine(doubt.trace, Fact::Yes))
    return true;
  both_.story().tell("  it errs in one run and not in another: left to must-nodes");
  hard_.insert({doubt.state, *doubt.trace.call});
  return true;
}

/// The words of a transition cover of the older result, by the letters that both results know.
void ReuseTeacher::seed_words(const Interface& seed) {
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

} // namespace tacit
