#include "support/mutate.h"

#include <algorithm>
#include <array>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "program/ir/scope.h"

namespace tacit {
namespace {

enum class Kind {
  NegateLabel,
  WeakenLabel,
  StrengthenLabel,
  LabelTrue,
  LabelFalse,
  SwapLabels,
  MoveTransition,
  AllowCall,
  ForbidCall,
  DropTransition,
  MoveStart,
  ForbidConstructor,
  MustPredicate,
  MustSource,
  DropMustEntry,
  DropClaim,
  ClaimWithoutEvidence,
  PermissiveLabels,
  Word,
  Error,
  Run,
  ExampleOfTransition,
  SplitState,
  Count
};

class Mutator {
public:
  Mutator(const Interface& original, const Component& component, std::mt19937_64& random)
      : result_(original), component_(component), random_(random) {}

  std::optional<Mutant> run(Kind kind) {
    if (!change(kind)) return std::nullopt;
    return Mutant{std::move(result_), what_};
  }

private:
  std::size_t pick(std::size_t below) { return random_() % below; }
  bool chance(unsigned percent) { return pick(100) < percent; }
  Evidence& evidence() { return result_.evidence; }
  std::size_t states() const { return result_.states.size(); }
  template <class... Args> bool done(fmt::format_string<Args...> format, Args&&... args) {
    what_ = fmt::format(format, std::forward<Args>(args)...);
    return true;
  }

  bool change(Kind kind) {
    const bool labelled = evidence().safe.size() == states() && states() > 0;
    switch (kind) {
    case Kind::NegateLabel:
    case Kind::WeakenLabel:
    case Kind::StrengthenLabel:
    case Kind::LabelTrue:
    case Kind::LabelFalse: return labelled && change_label(kind);
    case Kind::SwapLabels: return labelled && swap_labels();
    case Kind::MoveTransition: return move_transition();
    case Kind::AllowCall: return allow_call();
    case Kind::ForbidCall: return forbid_call();
    case Kind::DropTransition: return drop_transition();
    case Kind::MoveStart: return move_start();
    case Kind::ForbidConstructor: return forbid_constructor();
    case Kind::MustPredicate: return must_predicate();
    case Kind::MustSource: return must_source();
    case Kind::DropMustEntry: return drop_must_entry();
    case Kind::DropClaim: return drop_claim();
    case Kind::ClaimWithoutEvidence: return claim_without_evidence();
    case Kind::PermissiveLabels: return labelled && permissive_labels();
    case Kind::Word: return change_word();
    case Kind::Error: return change_error();
    case Kind::Run: return change_run();
    case Kind::ExampleOfTransition: return change_example();
    case Kind::SplitState: return labelled && split_state();
    case Kind::Count: break;
    }
    return false;
  }

  // Labels

  std::optional<Term> parse(const std::string& text) {
    const Module& module = component_.module();
    auto term = parse_expression(text, "label", *module.arena, ModuleScope(module),
                                 module.arena->bool_sort());
    if (!term) return std::nullopt;
    return *term;
  }

  /// A comparison of some state variable with some value.
  std::string atom() {
    const Module& module = component_.module();
    if (module.state.empty()) return "false";
    const StateVariable& v = module.state[pick(module.state.size())];
    std::string read = quote_name(v.name());
    const Type* type = &v.type;
    while (type->sort->kind == SortKind::Map) {
      read += fmt::format("[{}]",
                          to_string(Value(scalar_value(*type->key, pick(*domain_size(*type->key)))),
                                    type->key->sort));
      type = type->value.get();
    }
    const auto size = domain_size(*type);
    const Value value = size ? domain_value(*type, pick(*size)) : Value(Integer(pick(3)));
    return fmt::format("{} {} {}", read, chance(60) ? "==" : "!=", to_string(value, type->sort));
  }

  /// Drops one argument of an outermost `op`, or nullopt.
  std::optional<std::string> without_part(const std::string& label, Op op) {
    const auto term = parse(label);
    if (!term || (*term)->op != op) return std::nullopt;
    std::vector<Term> parts = (*term)->args;
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(pick(parts.size())));
    TermArena& arena = component_.arena();
    return to_string(op == Op::And ? arena.conj(parts) : arena.disj(parts));
  }

  std::string changed(Kind kind, const std::string& label) {
    switch (kind) {
    case Kind::NegateLabel: return "!(" + label + ")";
    case Kind::WeakenLabel:
      if (chance(60))
        if (const auto less = without_part(label, Op::And)) return *less;
      return fmt::format("({}) || {}", label, atom());
    case Kind::StrengthenLabel:
      if (chance(60))
        if (const auto less = without_part(label, Op::Or)) return *less;
      return fmt::format("({}) && {}", label, atom());
    case Kind::LabelTrue: return "true";
    default: return "false";
    }
  }

  bool change_label(Kind kind) {
    const State q = static_cast<State>(pick(states()));
    const std::string before = evidence().safe[q], after = changed(kind, before);
    if (after == before) return false;
    const bool shown_too = chance(70);
    if (shown_too || chance(70)) {
      evidence().safe[q] = after;
      if (shown_too) result_.states[q].label = after;
      return done("label of q{}{}: '{}' becomes '{}'", q, shown_too ? "" : " (as proved)", before,
                  after);
    }
    result_.states[q].label = after;
    return done("label of q{} (as shown): '{}' becomes '{}'", q, before, after);
  }

  bool swap_labels() {
    if (states() < 2) return false;
    const std::size_t a = pick(states()), b = (a + 1 + pick(states() - 1)) % states();
    std::swap(evidence().safe[a], evidence().safe[b]);
    std::swap(result_.states[a].label, result_.states[b].label);
    return done("labels of q{} and q{} are swapped", a, b);
  }

  // Transitions. Evidence and refusals name them by number, so removing one renumbers.

  void remove_transition(std::size_t gone) {
    result_.transitions.erase(result_.transitions.begin() + static_cast<std::ptrdiff_t>(gone));
    const auto moved = [&](std::size_t t) { return t > gone ? t - 1 : t; };
    for (MustNode& node : evidence().must) {
      std::erase_if(node.incoming, [&](const auto& entry) { return entry.transition == gone; });
      for (auto& entry : node.incoming) entry.transition = moved(entry.transition);
    }
    std::map<std::size_t, std::size_t> transition_must;
    for (const auto& [t, node] : evidence().transition_must)
      if (t != gone) transition_must.emplace(moved(t), node);
    evidence().transition_must = std::move(transition_must);
    std::map<std::pair<std::size_t, std::string>, std::size_t> outcome_must;
    for (const auto& [key, node] : evidence().outcome_must)
      if (key.first != gone) outcome_must.emplace(std::pair(moved(key.first), key.second), node);
    evidence().outcome_must = std::move(outcome_must);
  }

  std::size_t add_transition(InterfaceTransition added) {
    const auto key = [&](const InterfaceTransition& t) {
      return std::tuple(t.from, result_.calls[t.call].name, t.outcome);
    };
    const auto at = std::ranges::upper_bound(result_.transitions, key(added), {}, key);
    const auto place = static_cast<std::size_t>(at - result_.transitions.begin());
    result_.transitions.insert(at, std::move(added));
    const auto moved = [&](std::size_t t) { return t >= place ? t + 1 : t; };
    for (MustNode& node : evidence().must)
      for (auto& entry : node.incoming) entry.transition = moved(entry.transition);
    std::map<std::size_t, std::size_t> transition_must;
    for (const auto& [t, node] : evidence().transition_must)
      transition_must.emplace(moved(t), node);
    evidence().transition_must = std::move(transition_must);
    std::map<std::pair<std::size_t, std::string>, std::size_t> outcome_must;
    for (const auto& [k, node] : evidence().outcome_must)
      outcome_must.emplace(std::pair(moved(k.first), k.second), node);
    evidence().outcome_must = std::move(outcome_must);
    return place;
  }

  std::string arrow(const InterfaceTransition& t) const {
    return fmt::format("q{} --{}--> q{}", t.from, letter_name(result_.calls[t.call], t.outcome),
                       t.to);
  }

  bool move_transition() {
    if (result_.transitions.empty() || states() < 2) return false;
    const std::size_t t = pick(result_.transitions.size());
    InterfaceTransition& transition = result_.transitions[t];
    const std::string before = arrow(transition);
    transition.to = static_cast<State>((transition.to + 1 + pick(states() - 1)) % states());
    if (chance(50)) transition.example.reset();
    if (chance(50))
      for (MustNode& node : evidence().must)
        if (node.state != transition.to)
          std::erase_if(node.incoming, [&](const auto& entry) { return entry.transition == t; });
    return done("{} goes to q{}", before, transition.to);
  }

  bool drop_transition() {
    if (result_.transitions.empty()) return false;
    const std::size_t t = pick(result_.transitions.size());
    const std::string before = arrow(result_.transitions[t]);
    remove_transition(t);
    return done("{} is dropped", before);
  }

  // Refusals

  void remove_refusal(std::size_t gone) {
    result_.forbidden.erase(result_.forbidden.begin() + static_cast<std::ptrdiff_t>(gone));
    std::map<std::size_t, std::size_t> nodes;
    for (const auto& [r, node] : evidence().refusal_must)
      if (r != gone) nodes.emplace(r > gone ? r - 1 : r, node);
    evidence().refusal_must = std::move(nodes);
  }

  void add_refusal(Refusal added) {
    const auto key = [&](const Refusal& r) { return std::pair(r.state, result_.refused_name(r)); };
    const auto at = std::ranges::upper_bound(result_.forbidden, key(added), {}, key);
    const auto place = static_cast<std::size_t>(at - result_.forbidden.begin());
    result_.forbidden.insert(at, std::move(added));
    std::map<std::size_t, std::size_t> nodes;
    for (const auto& [r, node] : evidence().refusal_must)
      nodes.emplace(r >= place ? r + 1 : r, node);
    evidence().refusal_must = std::move(nodes);
  }

  std::optional<std::size_t> pick_refusal(bool in_a_state) {
    std::vector<std::size_t> some;
    for (std::size_t r = 0; r < result_.forbidden.size(); ++r)
      if (!in_a_state || result_.forbidden[r].state) some.push_back(r);
    if (some.empty()) return std::nullopt;
    return some[pick(some.size())];
  }

  bool allow_call() {
    const auto r = pick_refusal(true);
    if (!r) return false;
    const State q = *result_.forbidden[*r].state;
    const std::size_t call = result_.forbidden[*r].call;
    remove_refusal(*r);
    result_.states[q].allows[call] = true;
    const std::size_t variant = pick(4);
    std::vector<std::string> added;
    for (std::size_t o = 0; variant != 0 && o < result_.calls[call].outcomes.size(); ++o) {
      if (variant == 1 && chance(50)) continue;
      const InterfaceTransition t{q, call, o, static_cast<State>(pick(states())), {}, {}};
      added.push_back(arrow(t));
      add_transition(t);
    }
    return done("{} is allowed in q{}: {}", result_.calls[call].name, q, fmt::join(added, ", "));
  }

  /// A shortest word to a state; nullopt when there is none.
  std::optional<std::vector<std::string>> word_to(State goal) const {
    std::map<State, std::vector<std::string>> words;
    std::deque<State> work;
    for (const InitialState& i : result_.initial)
      if (words.try_emplace(i.state).second) work.push_back(i.state);
    while (!work.empty() && !words.contains(goal)) {
      const State q = work.front();
      work.pop_front();
      for (const InterfaceTransition& t : result_.transitions) {
        if (t.from != q || words.contains(t.to)) continue;
        std::vector<std::string> word = words.at(q);
        word.push_back(letter_name(result_.calls[t.call], t.outcome));
        words.emplace(t.to, std::move(word));
        work.push_back(t.to);
      }
    }
    const auto found = words.find(goal);
    if (found == words.end()) return std::nullopt;
    return found->second;
  }

  void blame(Refusal& refusal, const Call& call) {
    std::vector<const Terminator*> sites;
    for (const Block& b : component_.body(call).blocks)
      if (b.end.kind == TerminatorKind::Error) sites.push_back(&b.end);
    if (sites.empty()) {
      refusal.error = "Bad0";
      return;
    }
    const Terminator& site = *sites[pick(sites.size())];
    refusal.error = site.name;
    refusal.at = fmt::format("{}:{}", site.where.file, site.where.line);
  }

  bool forbid_call() {
    std::vector<std::pair<State, std::size_t>> allowed;
    for (State q = 0; q < states(); ++q)
      for (std::size_t c = 0; c < result_.calls.size(); ++c)
        if (result_.states[q].allows[c]) allowed.emplace_back(q, c);
    if (allowed.empty()) return false;
    const auto [q, call] = allowed[pick(allowed.size())];
    result_.states[q].allows[call] = false;
    for (std::size_t t = result_.transitions.size(); t-- > 0;)
      if (result_.transitions[t].from == q && result_.transitions[t].call == call)
        remove_transition(t);
    Refusal refusal{.state = q, .call = call};
    if (auto word = word_to(q)) refusal.word = std::move(*word);
    refusal.word.push_back(result_.calls[call].name);
    blame(refusal, component_.calls()[*component_.find_call(result_.calls[call].name)]);
    if (chance(80)) add_refusal(std::move(refusal));
    return done("{} is refused in q{}", result_.calls[call].name, q);
  }

  bool change_word() {
    const auto r = pick_refusal(false);
    if (!r) return false;
    Refusal& refusal = result_.forbidden[*r];
    const std::string before = fmt::format("{}", fmt::join(refusal.word, " "));
    if (chance(40)) refusal.run.reset();
    switch (pick(4)) {
    case 0: refusal.word.pop_back(); break;
    case 1: refusal.word.insert(refusal.word.begin(), refusal.word.front()); break;
    case 2: refusal.word.erase(refusal.word.begin()); break;
    default:
      // Another word to the same state: right if it is as short.
      if (result_.transitions.empty()) return false;
      const InterfaceTransition& t = result_.transitions[pick(result_.transitions.size())];
      refusal.word[pick(refusal.word.size())] = letter_name(result_.calls[t.call], t.outcome);
    }
    return done("word '{}' becomes '{}'", before, fmt::join(refusal.word, " "));
  }

  bool change_error() {
    const auto r = pick_refusal(false);
    if (!r) return false;
    Refusal& refusal = result_.forbidden[*r];
    const std::string before = refusal.error + " at " + refusal.at;
    if (chance(40)) refusal.run.reset();
    switch (pick(3)) {
    case 0: refusal.error += "x"; break;
    case 1: refusal.at = chance(50) ? "" : refusal.at + "0"; break;
    default: {
      const Refusal& other = result_.forbidden[pick(result_.forbidden.size())];
      const std::string error = other.error, at = other.at;
      refusal.error = error;
      refusal.at = at;
    }
    }
    return done("error {} becomes {} at {}", before, refusal.error, refusal.at);
  }

  bool change_run() {
    const auto r = pick_refusal(false);
    if (!r || !result_.forbidden[*r].run) return false;
    Example& run = *result_.forbidden[*r].run;
    const std::string name = fmt::format("run of '{}'", fmt::join(result_.forbidden[*r].word, " "));
    switch (pick(6)) {
    case 0:
      if (run.steps.empty()) return false;
      run.steps.pop_back();
      return done("{} loses its last step", name);
    case 1: {
      const Refusal& other = result_.forbidden[pick(result_.forbidden.size())];
      if (!other.run) return false;
      const Example copy = *other.run;
      run = copy;
      return done("{} is replaced by that of '{}'", name, fmt::join(other.word, " "));
    }
    case 2:
      for (ExampleStep& step : run.steps)
        for (std::string& input : step.inputs)
          if (input == "true" || input == "false") {
            input = input == "true" ? "false" : "true";
            return done("{}: an input becomes {}", name, input);
          }
      return false;
    case 3:
      for (ExampleStep& step : run.steps)
        if (!step.inputs.empty()) {
          step.inputs.pop_back();
          return done("{}: an input is missing", name);
        }
      return false;
    case 4: result_.forbidden[*r].run.reset(); return done("{} is left out", name);
    default:
      for (ExampleStep& step : run.steps)
        if (!step.after.empty()) {
          step.after.erase(step.after.begin());
          return done("{}: a value after a step is left out", name);
        }
      return false;
    }
  }

  bool change_example() {
    std::vector<std::size_t> some;
    for (std::size_t t = 0; t < result_.transitions.size(); ++t)
      if (result_.transitions[t].example) some.push_back(t);
    if (some.empty()) return false;
    InterfaceTransition& t = result_.transitions[some[pick(some.size())]];
    const InterfaceTransition& other = result_.transitions[some[pick(some.size())]];
    switch (pick(3)) {
    case 0: t.example.reset(); return done("example of {} is left out", arrow(t));
    case 1: {
      const auto before = other.before;
      if (before == t.before) return false;
      t.before = before;
      return done("example of {} starts where that of {} does", arrow(t), arrow(other));
    }
    default: {
      const auto after = other.example->steps[0].after;
      if (after == t.example->steps[0].after) return false;
      t.example->steps[0].after = after;
      return done("example of {} ends where that of {} does", arrow(t), arrow(other));
    }
    }
  }

  // Starts

  bool move_start() {
    if (result_.initial.empty() || states() < 2) return false;
    InitialState& start = result_.initial[pick(result_.initial.size())];
    const State before = start.state;
    start.state = static_cast<State>((start.state + 1 + pick(states() - 1)) % states());
    return done("{} starts in q{} instead of q{}", start.constructor, start.state, before);
  }

  bool forbid_constructor() {
    if (result_.initial.empty()) return false;
    const std::size_t at = pick(result_.initial.size());
    const std::string name = result_.initial[at].constructor;
    result_.initial.erase(result_.initial.begin() + static_cast<std::ptrdiff_t>(at));
    if (chance(50)) return done("{} has no start state", name);
    const auto call = std::ranges::find(component_.constructors(), name, &Call::name);
    const auto index = static_cast<std::size_t>(std::ranges::find(result_.constructors, name) -
                                                result_.constructors.begin());
    Refusal refusal{.state = std::nullopt, .call = index, .word = {name}};
    blame(refusal, *call);
    add_refusal(std::move(refusal));
    return done("{} is refused", name);
  }

  // Must-nodes

  bool must_predicate() {
    if (evidence().must.empty()) return false;
    const std::size_t n = pick(evidence().must.size());
    MustNode& node = evidence().must[n];
    static constexpr std::array kinds = {Kind::NegateLabel, Kind::WeakenLabel,
                                         Kind::StrengthenLabel, Kind::LabelTrue, Kind::LabelFalse};
    const std::string before = node.predicate;
    node.predicate = changed(kinds[pick(kinds.size())], before);
    return done("must-node {} at q{}: '{}' becomes '{}'", n, node.state, before, node.predicate);
  }

  bool must_source() {
    std::vector<std::pair<std::size_t, std::size_t>> entries;
    for (std::size_t n = 0; n < evidence().must.size(); ++n)
      for (std::size_t i = 0; i < evidence().must[n].incoming.size(); ++i)
        entries.emplace_back(n, i);
    if (entries.empty()) return false;
    const auto [n, i] = entries[pick(entries.size())];
    auto& entry = evidence().must[n].incoming[i];
    const auto before = entry.source;
    entry.source = chance(40) ? std::nullopt : std::optional(pick(evidence().must.size()));
    if (chance(15)) entry.outcome.reset();
    if (entry.source == before && entry.outcome) return false;
    return done("must-node {}, entry {}: source {} becomes {}{}", n, i,
                before ? std::to_string(*before) : "label",
                entry.source ? std::to_string(*entry.source) : "label",
                entry.outcome ? "" : ", for all outcomes");
  }

  bool drop_must_entry() {
    Evidence& e = evidence();
    switch (pick(3)) {
    case 0: {
      std::vector<std::size_t> some;
      for (std::size_t n = 0; n < e.must.size(); ++n)
        if (!e.must[n].incoming.empty()) some.push_back(n);
      if (some.empty()) return false;
      MustNode& node = e.must[some[pick(some.size())]];
      const std::size_t i = pick(node.incoming.size());
      const std::size_t t = node.incoming[i].transition;
      node.incoming.erase(node.incoming.begin() + static_cast<std::ptrdiff_t>(i));
      return done("a must-node at q{} has no source along {}", node.state,
                  arrow(result_.transitions[t]));
    }
    case 1: {
      if (e.refusal_must.empty()) return false;
      const auto at = std::next(e.refusal_must.begin(),
                                static_cast<std::ptrdiff_t>(pick(e.refusal_must.size())));
      const std::string word = fmt::format("{}", fmt::join(result_.forbidden[at->first].word, " "));
      e.refusal_must.erase(at);
      return done("no must-node for the refusal '{}'", word);
    }
    default: {
      if (e.outcome_must.empty()) return false;
      const auto at = std::next(e.outcome_must.begin(),
                                static_cast<std::ptrdiff_t>(pick(e.outcome_must.size())));
      const std::string name =
          arrow(result_.transitions[at->first.first]) + " with " + at->first.second;
      e.outcome_must.erase(at);
      return done("no must-node for {}", name);
    }
    }
  }

  // Claims

  /// Fewer claims, and one thing broken that only the dropped claims may rest on.
  bool drop_claim() {
    std::string claims;
    const auto drop = [&](Claim& claim, const char* name) {
      if (claim != Claim::Proved) return;
      claim = Claim::Unknown;
      claims += std::string(claims.empty() ? "" : ", ") + name;
    };
    const bool permissive = chance(60);
    if (permissive) drop(result_.verdict.permissive, "permissive");
    if (!permissive || chance(60)) drop(result_.verdict.full, "full");
    if (claims.empty()) return false;
    static constexpr std::array kinds = {
        Kind::WeakenLabel,    Kind::StrengthenLabel, Kind::LabelTrue,    Kind::ForbidCall,
        Kind::DropTransition, Kind::MustPredicate,   Kind::DropMustEntry};
    for (int tries = 0; tries < 5; ++tries)
      if (chance(80) && change(kinds[pick(kinds.size())])) {
        if (chance(50)) result_.verdict.minimal = false;
        return done("{} not claimed; {}", claims, std::string(what_));
      }
    return done("{} not claimed", claims);
  }

  /// From unknown, without must-nodes, to proved.
  bool claim_without_evidence() {
    Evidence& e = evidence();
    if (e.must.empty()) return false;
    e.must.clear();
    e.refusal_must.clear();
    e.transition_must.clear();
    e.outcome_must.clear();
    const std::size_t which = pick(3);
    result_.verdict.permissive = which == 1 ? Claim::Unknown : Claim::Proved;
    result_.verdict.full = which == 0 ? Claim::Unknown : Claim::Proved;
    return done("{} claimed without must-nodes", which == 0   ? "permissive"
                                                 : which == 1 ? "full"
                                                              : "all");
  }

  bool permissive_labels() {
    evidence().permissive = evidence().safe;
    if (chance(20)) return done("permissive labels are those of safety");
    const State q = static_cast<State>(pick(states()));
    static constexpr std::array kinds = {Kind::WeakenLabel, Kind::StrengthenLabel, Kind::LabelTrue,
                                         Kind::LabelFalse};
    std::string& label = evidence().permissive[q];
    const std::string before = label;
    label = changed(kinds[pick(kinds.size())], before);
    return done("permissive label of q{}: '{}' becomes '{}'", q, before, label);
  }

  /// A copy of a state with some transitions led there: right, but not minimal.
  bool split_state() {
    if (!evidence().must.empty() || !evidence().permissive.empty()) return false;
    const State q = static_cast<State>(pick(states())), copy = static_cast<State>(states());
    std::vector<std::size_t> into;
    for (std::size_t t = 0; t < result_.transitions.size(); ++t)
      if (result_.transitions[t].to == q) into.push_back(t);
    if (into.empty()) return false;
    result_.transitions[into[pick(into.size())]].to = copy;
    result_.states.push_back(InterfaceState(result_.states[q]));
    evidence().safe.push_back(std::string(evidence().safe[q]));
    std::vector<InterfaceTransition> more;
    for (const InterfaceTransition& t : result_.transitions)
      if (t.from == q) more.push_back(t);
    for (InterfaceTransition& t : more) {
      t.from = copy;
      add_transition(t);
    }
    std::vector<Refusal> refusals;
    for (const Refusal& r : result_.forbidden)
      if (r.state == q) refusals.push_back(r);
    for (Refusal& r : refusals) {
      r.state = copy;
      r.run.reset();
      add_refusal(r);
    }
    // Distances may have changed, so all words are found anew; runs no longer fit them.
    for (Refusal& r : result_.forbidden) {
      if (!r.state) continue;
      if (auto word = word_to(*r.state)) {
        r.word = std::move(*word);
        r.word.push_back(result_.calls[r.call].name);
        r.run.reset();
      }
    }
    if (chance(60)) result_.verdict.minimal = false;
    return done("q{} is copied to q{}{}", q, copy,
                result_.verdict.minimal ? "" : ", minimal not claimed");
  }

  Interface result_;
  const Component& component_;
  std::mt19937_64& random_;
  std::string what_;
};

} // namespace

std::size_t mutation_kinds() { return static_cast<std::size_t>(Kind::Count); }

std::optional<Mutant> mutate(const Interface& original, const Component& component,
                             std::size_t kind, std::mt19937_64& random) {
  return Mutator(original, component, random).run(static_cast<Kind>(kind));
}

} // namespace tacit
