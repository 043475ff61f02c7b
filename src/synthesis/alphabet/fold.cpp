#include "synthesis/alphabet/fold.h"

#include <algorithm>
#include <set>

#include "abstraction/formula/arguments.h"
#include "abstraction/formula/predicates.h"
#include "component/outs.h"
#include "logic/solver/simplify.h"
#include "logic/term/parse.h"
#include "logic/term/print.h"
#include "logic/term/reads.h"
#include "logic/term/size.h"
#include "program/ir/names.h"
#include "program/ir/scope.h"
#include "synthesis/alphabet/letter_names.h"
#include "synthesis/alphabet/linear.h"
#include "synthesis/alphabet/merge.h"
#include "synthesis/alphabet/variant_formulas.h"

namespace tacit {
namespace {

constexpr std::size_t most_decided = 200; // subterms of a value whose conditionals are asked about

/// One letter's step from a state: what becomes a part of a transition.
struct Piece {
  std::size_t fine = 0; // the transition of the refined interface
  std::size_t outcome = 0;
  Term cell = nullptr; // over parameters, `result` and the state
  State to = 0;
  TrackedUpdate set;
};

class Fold {
public:
  /// Without some of the tracked terms.
  Fold(const Interface& fine, Folding& by, const std::set<Term, TermById>& without)
      : fine_(fine), by_(by), component_(by.formulas.component()), arena_(by.formulas.arena()),
        letters_(by.formulas), solver_(by.solver),
        tracked_(arena_,
                 [this](Term v) {
                   const auto at = component_.module().state_index(v);
                   return at && !component_.module().state[*at].client;
                 }),
        names_of_(fine, component_, by.refined, by.alphabet) {
    for (Term term : by.alphabet.tracked)
      if (!without.contains(term)) terms_.push_back(term);
  }

  Result<Interface> run() {
    start();
    name_tracked();
    if (auto read = read_labels(); !read) return std::unexpected(read.error());
    if (auto made = initial(); !made) return std::unexpected(made.error());
    for (State q = 0; q < fine_.states.size(); ++q)
      for (std::size_t c = 0; c < component_.calls().size(); ++c)
        if (auto made = call(q, c); !made) return std::unexpected(made.error());
    if (unsaid_) return fail("a condition speaks of a value that is not followed");
    refusals();
    for (auto& [claim, text] : made_.verdict.details) names_of_.say_in_calls(text);
    evidence();
    if (auto made = permissive_labels(); !made) return std::unexpected(made.error());
    merge_outcomes();
    drop_idle_values();
    sort_all();
    name_outs();
    if (!made_.guarded()) plain_words();
    return std::move(made_);
  }

private:
  void start() {
    made_ = fine_;
    made_.options = component_.options();
    made_.calls.clear();
    made_.constructors.clear();
    for (const Call& call : component_.calls()) made_.calls.push_back({call.name, call.outcomes});
    for (const Call& call : component_.constructors()) made_.constructors.push_back(call.name);
    made_.initial.clear();
    made_.transitions.clear();
    made_.forbidden.clear();
    made_.guards.clear();
    made_.tracked.clear();
    made_.evidence.must.clear();
    made_.evidence.refusal_must.clear();
    made_.evidence.transition_must.clear();
    made_.evidence.outcome_must.clear();
    made_.permissive_bound.reset();
    made_.open_word.clear();
    for (InterfaceState& state : made_.states) state.allows.assign(made_.calls.size(), false);
    made_.verdict.minimal = false; // among interfaces with cells nobody has looked for the least
    if (by_.alphabet.splits()) {
      made_.verdict.full = Claim::Unknown;
      made_.verdict.details["full"] = "outcomes by arguments are not looked at";
    }
  }

  /// A field keeps its name; other terms get one that nothing has.
  void name_tracked() {
    std::set<std::string> passed{"result"}, used;
    for (const Procedure& p : component_.module().procedures)
      for (const Variable& v : p.parameters) passed.insert({v.name(), v.shown_name()});
    used = passed;
    for (const StateVariable& v : component_.module().state) used.insert(v.name());
    for (Term term : terms_) {
      const bool field = term->op == Op::Var;
      const std::string base = !field                        ? "n"
                               : passed.contains(term->name) ? "own_" + term->name
                                                             : "";
      std::string name = base.empty() ? term->name : base;
      if (!base.empty())
        for (int i = 2; !used.insert(name).second; ++i) name = base + std::to_string(i);
      const Term variable = arena_.var(name, term->sort);
      names_.push_back(variable);
      tracked_.add(term, variable);
      made_.tracked.push_back({name, type_text(term->sort), to_string(term), ""});
    }
  }

  static std::string type_text(Sort sort) {
    switch (sort->kind) {
    case SortKind::Bool: return "bool";
    case SortKind::Int: return "int";
    case SortKind::Ref: return "ref";
    case SortKind::Enum: return sort->decl->name;
    case SortKind::Map:
      if (sort->value->kind == SortKind::Bool) return "set<" + type_text(sort->key) + ">";
      return "map<" + type_text(sort->key) + "," + type_text(sort->value) + ">";
    }
    return "";
  }

  Result<void> read_labels() {
    const ModuleScope scope(component_.module());
    for (State q = 0; q < fine_.states.size(); ++q) {
      Term label = arena_.truth();
      if (q < fine_.evidence.safe.size()) {
        auto read =
            parse_expression(fine_.evidence.safe[q], "label", arena_, scope, arena_.bool_sort());
        if (!read) return std::unexpected(read.error());
        label = *read;
      }
      labels_.push_back(label);
      kept_labels_.push_back(without_clients_values(component_.module(), label));
    }
    return {};
  }

  /// With tracked terms by their names. Conditions of letters speak of tracked values alone, but
  /// one may have been left out.
  std::string text(Term term) {
    const auto said = tracked_.named(term);
    unsaid_ = unsaid_ || !said;
    return !said || is_true(*said) ? "" : to_string(*said);
  }

  Term type_facts(const Procedure& body) const {
    std::vector<Term> facts{by_.formulas.facts()};
    for (const Variable& p : body.parameters) facts.push_back(value_facts(arena_, p.type, p.term));
    return arena_.conj(std::move(facts));
  }

  /// The shortest way to say it where `under` holds.
  Term shortest(Term under, Term what) { return simplify(arena_, solver_, under, what); }

  // --- constructors ---

  Result<void> initial() {
    for (std::size_t k = 0; k < component_.constructors().size(); ++k) {
      const Procedure& body = component_.body(component_.constructors()[k]);
      std::map<std::pair<State, TrackedUpdate>, std::pair<std::vector<Term>, InitialState>> groups;
      for (const InitialState& start : fine_.initial) {
        const CallVariant& variant = names_of_.constructor(start.constructor);
        if (variant.call != k || !makes_object(k, variant)) continue;
        auto set = started(k, variant);
        if (!set) return std::unexpected(set.error());
        InitialState made = start;
        made.constructor = component_.constructors()[k].name;
        made.set = *set;
        if (made.example) names_of_.rename(*made.example);
        auto& group =
            groups.try_emplace({start.state, *set}, std::vector<Term>{}, made).first->second;
        group.first.push_back(variant.when);
      }
      for (auto& [key, group] : groups) {
        Term when = shortest(type_facts(body), arena_.disj(group.first));
        // What was there before the object is nothing that its client could look at.
        if (groups.size() == 1 && !speaks_of_parameters(body, when)) {
          if (refused_for_some(k)) {
            refused_whatever_was_there(k);
            continue;
          }
          when = arena_.truth();
        }
        group.second.when = text(when);
        made_.initial.push_back(std::move(group.second));
      }
    }
    return {};
  }

  static bool speaks_of_parameters(const Procedure& body, Term condition) {
    return std::ranges::all_of(variables(condition), [&](Term v) {
      return std::ranges::any_of(body.parameters, [&](const Variable& p) { return p.term == v; });
    });
  }

  bool refused_for_some(std::size_t k) {
    return std::ranges::any_of(fine_.forbidden, [&](const Refusal& refusal) {
      return !refusal.state && by_.refined.constructors[refusal.call].call == k;
    });
  }

  /// Where it depends on what nobody sees, no call of the constructor is safe.
  void refused_whatever_was_there(std::size_t k) {
    made_.verdict.permissive = Claim::Unknown;
    made_.verdict.details["permissive"] =
        fmt::format("whether {} fails depends on what was there before the object",
                    component_.constructors()[k].name);
  }

  /// Arguments with which there is none are refused (docs/semantics.md, 8).
  bool makes_object(std::size_t k, const CallVariant& variant) {
    return solver_.check({by_.formulas.facts(), letters_.started(k, variant)}) != Truth::Unsat;
  }

  Result<TrackedUpdate> started(std::size_t k, const CallVariant& variant) {
    const CallFormulas& formulas = by_.formulas.constructor(k, Side::Above);
    const Procedure& body = component_.body(component_.constructors()[k]);
    const StepFormula& step = formulas.outcomes[0];
    const Term under = letters_.started(k, variant);
    TrackedUpdate set;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Term after =
          substitute(arena_, substitute(arena_, terms_[i], step.after), by_.formulas.initial());
      const auto value = value_under(formulas, body, under, after, nullptr);
      if (!value) return lost(i, "what {} sets '{}' to cannot be followed", body.name);
      set[made_.tracked[i].name] = *value;
    }
    return set;
  }

  std::unexpected<Diagnostic> lost(std::size_t tracked,
                                   fmt::format_string<std::string&, std::string&> format,
                                   std::string call) {
    by_.lost = terms_[tracked];
    return fail(fmt::runtime(format), call, made_.tracked[tracked].term);
  }

  // --- calls ---

  const CallVariant& variant_of(std::size_t fine_call) const {
    return by_.refined.calls[fine_call];
  }

  Result<void> call(State q, std::size_t c) {
    std::vector<Term> allowed;
    std::size_t variants = 0;
    for (std::size_t f = 0; f < fine_.calls.size(); ++f) {
      if (variant_of(f).call != c) continue;
      ++variants;
      if (fine_.states[q].allows[f]) allowed.push_back(variant_of(f).when);
    }
    if (allowed.empty()) return {};
    const Procedure& body = component_.body(component_.calls()[c]);
    const Term here = arena_.conj(type_facts(body), kept_labels_[q]);
    const Term guard =
        allowed.size() < variants ? shortest(here, arena_.disj(allowed)) : arena_.truth();
    // Variants that are allowed because they cannot happen here.
    if (is_false(guard)) return {};
    made_.states[q].allows[c] = true;
    if (const std::string condition = text(guard); !condition.empty())
      made_.guards.push_back({q, c, condition});
    std::vector<Piece> pieces;
    for (std::size_t f = 0; f < fine_.calls.size(); ++f)
      if (variant_of(f).call == c && fine_.states[q].allows[f])
        if (auto added = add_pieces(q, f, pieces); !added) return added;
    add_transitions(q, c, arena_.conj(here, guard), pieces);
    return {};
  }

  Result<void> add_pieces(State q, std::size_t f, std::vector<Piece>& pieces) {
    const CallVariant& variant = variant_of(f);
    for (std::size_t t = 0; t < fine_.transitions.size(); ++t) {
      const InterfaceTransition& fine = fine_.transitions[t];
      if (fine.from != q || fine.call != f) continue;
      const std::string& name = fine_.calls[f].outcomes[fine.outcome];
      const auto& names = by_.refined.component.calls()[f].outcomes;
      for (std::size_t o = 0; o < names.size(); ++o) {
        if (name != "any" && name != names[o]) continue;
        Piece piece{t,
                    variant.outcomes[o].outcome,
                    arena_.conj(variant.when, variant.outcomes[o].when),
                    fine.to,
                    {}};
        auto possible = update(q, variant.call, piece);
        if (!possible) return std::unexpected(possible.error());
        if (*possible) pieces.push_back(std::move(piece));
      }
    }
    return {};
  }

  /// What becomes of the tracked values; false when the step cannot happen.
  Result<bool> update(State q, std::size_t c, Piece& piece) {
    const CallFormulas& formulas = by_.formulas.call(c, Side::Above);
    const Procedure& body = component_.body(component_.calls()[c]);
    const StepFormula& step = formulas.outcomes[piece.outcome];
    const bool blind = component_.calls()[c].blind;
    const Term value = blind ? nullptr : letters_.returned(formulas, piece.outcome);
    const Term under = letters_.taken(labels_[q], c, piece.outcome, piece.cell);
    if (solver_.check({under}) == Truth::Unsat) return false;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Term term = terms_[i];
      const Term after = substitute(arena_, term, step.after);
      const auto found = value_under(formulas, body, under, after, value, term);
      if (!found) return lost(i, "what {} does to '{}' cannot be followed", body.name);
      if (*found != made_.tracked[i].name) piece.set[made_.tracked[i].name] = *found;
    }
    return true;
  }

  /// The values at the ends of conditionals, also of those that something is computed from: an
  /// unsigned number that is taken something from wraps by cases.
  void leaves(Term term, std::vector<Term>& into) const {
    constexpr std::size_t most = 16;
    if (into.size() >= most) return;
    if (const Term choice = conditional_in(term)) {
      leaves(replaced(arena_, term, choice, choice->args[1]), into);
      leaves(replaced(arena_, term, choice, choice->args[2]), into);
    } else if (std::ranges::count(into, term) == 0) {
      into.push_back(term);
    }
  }

  /// Without conditionals that are decided wherever `under` holds, however deep: `n - (b ? 1 : 0)`.
  Term decided(Term under, Term term) {
    if (term->args.empty()) return term;
    if (term->op == Op::Ite) {
      if (solver_.check({under, arena_.negate(term->args[0])}) == Truth::Unsat)
        return decided(under, term->args[1]);
      if (solver_.check({under, term->args[0]}) == Truth::Unsat)
        return decided(under, term->args[2]);
    }
    std::vector<Term> args;
    for (Term a : term->args) args.push_back(decided(under, a));
    return arena_.rebuild(term, std::move(args));
  }

  static Term conditional_in(Term term) {
    if (term->op == Op::Ite) return term;
    if (term->op != Op::Add && term->op != Op::Sub && term->op != Op::Mul) return nullptr;
    for (const Term part : term->args)
      if (const Term found = conditional_in(part)) return found;
    return nullptr;
  }

  /// A term over parameters, result and tracked values that `after` equals wherever `under` holds.
  std::optional<std::string> value_under(const CallFormulas& formulas, const Procedure& body,
                                         Term under, Term after, Term value,
                                         Term unchanged = nullptr) {
    std::vector<Term> candidates;
    if (unchanged) candidates.push_back(unchanged);
    leaves(push_reads(arena_, after), candidates);
    if (value) candidates.push_back(value);
    for (Term candidate : candidates) {
      if (candidate->sort != after->sort) continue;
      const auto written = observable(formulas, body, under, candidate, value);
      if (written && solver_.check({under, arena_.ne(after, candidate)}) == Truth::Unsat)
        return written;
    }
    if (after->sort->kind != SortKind::Map && after->sort->kind != SortKind::Ref)
      if (const Term only = only_value(under, after)) return to_string(only);
    if (distinct_subterms(after) > most_decided) return std::nullopt;
    return observable(formulas, body, under, decided(under, after), value);
  }

  /// Without the result where that can be: it reads better, and outcomes can be merged.
  std::optional<std::string> observable(const CallFormulas& formulas, const Procedure& body,
                                        Term under, Term term, Term value) {
    if (auto said = said_of(formulas, body, under, term)) return said;
    if (!value) return std::nullopt;
    const Term result = result_variable(arena_, value->sort);
    return said_of(formulas, body, under, replaced(arena_, term, value, result));
  }

  std::optional<std::string> said_of(const CallFormulas& formulas, const Procedure& body,
                                     Term under, Term term) {
    Substitution names;
    std::set<Term, TermById> received;
    for (const FormulaInput& input : formulas.body.inputs)
      if (input.chooser == Chooser::Client) {
        const Term receiver = receiver_of(body, formulas.body, input);
        names[input.variable] = receiver;
        received.insert(receiver);
      }
    term = substitute(arena_, term, names);
    const auto foreign = [&](Term v) {
      return !received.contains(v) && v->name != "result" && !component_.module().state_index(v);
    };
    if (std::ranges::any_of(variables(term), foreign)) return std::nullopt;
    if (const auto said = tracked_.named(term)) return to_string(*said);
    // Fields that have one value here are that value.
    for (Term v : variables(term)) {
      if (received.contains(v) || v->name == "result" || tracked_.contains(v)) continue;
      if (v->sort->kind == SortKind::Map) return std::nullopt;
      if (const Term only = only_value(under, v)) term = replaced(arena_, term, v, only);
    }
    const auto said = tracked_.named(term);
    if (!said) return std::nullopt;
    return to_string(*said);
  }

  Term only_value(Term under, Term v) {
    if (solver_.check({under}) != Truth::Sat) return nullptr;
    const auto value = solver_.value(v);
    if (!value || value->map) return nullptr;
    const Term constant = arena_.constant(v->sort, value->number);
    return solver_.check({under, arena_.ne(v, constant)}) == Truth::Unsat ? constant : nullptr;
  }

  void add_transitions(State q, std::size_t c, Term here, const std::vector<Piece>& pieces) {
    using Key = std::tuple<std::size_t, State, TrackedUpdate, std::string>;
    std::map<Key, std::vector<const Piece*>> groups;
    for (const Piece& piece : pieces)
      groups[{piece.outcome, piece.to, piece.set, sources_of(piece.fine)}].push_back(&piece);
    std::map<std::size_t, std::size_t> of_outcome;
    for (const auto& [key, group] : groups) ++of_outcome[std::get<0>(key)];
    for (const auto& [key, group] : groups) {
      const InterfaceTransition& fine = fine_.transitions[group.front()->fine];
      InterfaceTransition made = fine;
      made.from = q;
      made.call = c;
      made.outcome = std::get<0>(key);
      made.to = std::get<1>(key);
      made.set = std::get<2>(key);
      if (of_outcome[made.outcome] > 1) {
        std::vector<Term> cells;
        for (const Piece* piece : group) cells.push_back(piece->cell);
        made.when = text(shortest(here, arena_.disj(std::move(cells))));
      }
      if (made.example) names_of_.rename(*made.example);
      // Letters of several outcomes may have been merged.
      if (made.example && (made.example->steps.empty() ||
                           made.example->steps[0].outcome != made_.calls[c].outcomes[made.outcome]))
        made.example.reset();
      if (!made.example) made.before.clear();
      for (const Piece* piece : group) folded_[piece->fine].insert(made_.transitions.size());
      made_.transitions.push_back(std::move(made));
    }
  }

  // --- what was said about letters ---

  /// Which must-nodes a transition serves, and from where: pieces that differ in that stay apart.
  std::string sources_of(std::size_t fine) const {
    std::string text;
    for (std::size_t n = 0; n < fine_.evidence.must.size(); ++n)
      for (const MustNode::Incoming& in : fine_.evidence.must[n].incoming)
        if (in.transition == fine)
          text += fmt::format("{}:{}:{};", n, in.source ? static_cast<long>(*in.source) : -1L,
                              in.outcome.value_or(""));
    return text;
  }

  /// One entry for these: the one with the shortest word that has a run.
  void refuse(std::size_t call, const std::vector<std::size_t>& fine,
              std::optional<std::size_t> node) {
    const std::size_t best = *std::ranges::min_element(fine, {}, [&](std::size_t i) {
      const Refusal& one = fine_.forbidden[i];
      return std::tuple(one.error == not_shown_safe, !one.run.has_value(), one.word.size());
    });
    Refusal made = fine_.forbidden[best];
    made.call = call;
    made.word = names_of_.word_of(fine_.forbidden[best]);
    if (made.run) names_of_.rename(*made.run);
    if (node) made_.evidence.refusal_must[made_.forbidden.size()] = *node;
    made_.forbidden.push_back(std::move(made));
  }

  void refusals() {
    std::map<std::pair<std::optional<State>, std::size_t>, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < fine_.forbidden.size(); ++i) {
      const Refusal& fine = fine_.forbidden[i];
      const std::size_t base =
          fine.state ? variant_of(fine.call).call : by_.refined.constructors[fine.call].call;
      found[{fine.state, base}].push_back(i);
    }
    for (const auto& [place, all] : found) {
      // What is refused may not be possible at all.
      if (place.first && made_.states[*place.first].allows[place.second] &&
          std::ranges::none_of(made_.guards, [&](const ArgumentGuard& g) {
            return g.state == *place.first && g.call == place.second;
          }))
        continue;
      refuse(place.second, all, std::nullopt);
      // Arguments may need different must-nodes: each has an entry of its own.
      std::map<std::size_t, std::vector<std::size_t>> by_node;
      for (std::size_t i : all)
        if (const auto node = fine_.evidence.refusal_must.find(i);
            node != fine_.evidence.refusal_must.end())
          by_node[node->second].push_back(i);
      if (by_node.empty()) continue;
      const auto first = by_node.begin();
      made_.evidence.refusal_must[made_.forbidden.size() - 1] = first->first;
      for (auto other = std::next(first); other != by_node.end(); ++other)
        refuse(place.second, other->second, other->first);
    }
    std::erase_if(made_.nondeterminism,
                  [&](const Disagreement& d) { return names_of_.told_apart(d); });
    for (Disagreement& d : made_.nondeterminism) {
      d.call = variant_of(d.call).call;
      for (std::string& letter : d.word) letter = names_of_.base_letter(letter);
      names_of_.rename(d.errs);
      names_of_.rename(d.works);
    }
  }

  /// Where no condition is left, words are words of calls.
  void plain_words() {
    for (Refusal& refusal : made_.forbidden)
      for (std::string& letter : refusal.word)
        if (const auto open = letter.find('(');
            open != std::string::npos && made_.find_call(letter.substr(0, open)))
          letter.erase(open, letter.rfind(')') - open + 1);
  }

  /// Steps were left out because the safe labels exclude them: the permissive ones have to say so.
  Result<void> permissive_labels() {
    const ModuleScope scope(component_.module());
    std::vector<std::string>& texts = made_.evidence.permissive;
    for (State q = 0; q < texts.size(); ++q) {
      const auto read = parse_expression(texts[q], "label", arena_, scope, arena_.bool_sort());
      if (!read) return std::unexpected(read.error());
      texts[q] = to_string(arena_.conj(*read, labels_[q]));
    }
    return {};
  }

  void evidence() {
    for (const MustNode& fine : fine_.evidence.must) {
      MustNode made{fine.state, fine.predicate, {}};
      std::set<std::size_t> done;
      for (const MustNode::Incoming& in : fine.incoming)
        if (const auto found = folded_.find(in.transition); found != folded_.end())
          for (std::size_t t : found->second)
            if (speaks_of(in, made_.transitions[t]) && done.insert(t).second) {
              made.incoming.push_back(in);
              made.incoming.back().transition = t;
              made.incoming.back().outcome.reset();
            }
      made_.evidence.must.push_back(std::move(made));
    }
    // What holds at the head of a loop for some arguments does not hold there.
    std::map<std::string, std::string> invariants;
    std::map<std::string, std::size_t> known;
    for (const auto& [head, text] : fine_.evidence.invariants) {
      auto [at, fresh] = invariants.try_emplace(base_head(head), text);
      if (!fresh && at->second != text) at->second = "(" + at->second + ") || (" + text + ")";
      ++known[base_head(head)];
    }
    std::erase_if(invariants, [&](const auto& entry) {
      return known[entry.first] != variants_of(entry.first.substr(0, entry.first.rfind('/')));
    });
    made_.evidence.invariants = std::move(invariants);
    // A bound that holds for some arguments is none.
    std::map<std::string, std::size_t> bounds, bounded;
    for (const auto& [head, rounds] : fine_.evidence.unwind) {
      bounds[base_head(head)] = std::max(bounds[base_head(head)], rounds);
      ++bounded[base_head(head)];
    }
    made_.evidence.unwind.clear();
    for (const auto& [head, rounds] : bounds)
      if (bounded[head] == variants_of(head.substr(0, head.rfind('/'))))
        made_.evidence.unwind[head] = rounds;
  }

  /// An entry may be about one of the outcomes that a letter does not tell apart.
  bool speaks_of(const MustNode::Incoming& fine, const InterfaceTransition& made) const {
    return !fine.outcome ||
           names_of_.base_outcome(fine_.calls[fine_.transitions[fine.transition].call].name,
                                  *fine.outcome) == made_.calls[made.call].outcomes[made.outcome];
  }

  std::size_t variants_of(const std::string& name) const {
    const auto count = [&](const std::vector<CallVariant>& variants,
                           const std::vector<Call>& calls) {
      return static_cast<std::size_t>(std::ranges::count_if(
          variants, [&](const CallVariant& v) { return calls[v.call].name == name; }));
    };
    return count(by_.refined.calls, component_.calls()) +
           count(by_.refined.constructors, component_.constructors());
  }

  std::string base_head(const std::string& head) const {
    const auto slash = head.rfind('/');
    return names_of_.base_call(head.substr(0, slash)) + head.substr(slash);
  }

  // --- less to read ---

  /// Outcomes that lead to the same place everywhere are one.
  void merge_outcomes() {
    for (std::size_t c = 0; c < made_.calls.size(); ++c) {
      if (made_.calls[c].outcomes.size() < 2 || !same_for_all_outcomes(c)) continue;
      std::vector<InterfaceTransition> kept;
      std::vector<std::size_t> moved(made_.transitions.size());
      std::map<std::tuple<State, State, std::string, TrackedUpdate>, std::size_t> seen;
      for (std::size_t t = 0; t < made_.transitions.size(); ++t) {
        InterfaceTransition& one = made_.transitions[t];
        if (one.call == c) {
          one.outcome = 0;
          const auto [at, fresh] =
              seen.try_emplace({one.from, one.to, one.when, one.set}, kept.size());
          moved[t] = at->second;
          if (!fresh) continue;
        } else {
          moved[t] = kept.size();
        }
        kept.push_back(std::move(one));
      }
      made_.transitions = std::move(kept);
      for (MustNode& node : made_.evidence.must)
        for (MustNode::Incoming& in : node.incoming) in.transition = moved[in.transition];
      made_.calls[c].outcomes = {"any"};
    }
  }

  bool same_for_all_outcomes(std::size_t c) const {
    for (State q = 0; q < made_.states.size(); ++q) {
      std::map<std::size_t, std::set<std::tuple<State, std::string, TrackedUpdate>>> by_outcome;
      for (const InterfaceTransition& t : made_.transitions)
        if (t.from == q && t.call == c) {
          const auto speaks_of_result = [&](const std::string& text) {
            return text.contains("result");
          };
          if (speaks_of_result(t.when)) return false;
          for (const auto& [name, value] : t.set)
            if (speaks_of_result(value)) return false;
          by_outcome[t.outcome].insert({t.to, t.when, t.set});
        }
      for (const auto& [outcome, moves] : by_outcome)
        if (moves != by_outcome.begin()->second) return false;
    }
    // Must-nodes that speak of one outcome only keep it apart.
    for (const MustNode& node : made_.evidence.must)
      for (const MustNode::Incoming& in : node.incoming)
        if (in.transition < made_.transitions.size() && made_.transitions[in.transition].call == c)
          return false;
    return true;
  }

  /// A tracked value that no guard, cell or other value needs is not worth following.
  void drop_idle_values() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < made_.tracked.size(); ++i) {
        const std::string name = made_.tracked[i].name;
        if (is_needed(name)) continue;
        for (InitialState& start : made_.initial) start.set.erase(name);
        for (InterfaceTransition& t : made_.transitions) t.set.erase(name);
        made_.tracked.erase(made_.tracked.begin() + static_cast<std::ptrdiff_t>(i));
        again = true;
        break;
      }
    }
  }

  /// What is returned may be what an out-parameter got.
  void name_outs() {
    for (InterfaceTransition& t : made_.transitions) {
      const Procedure& body = component_.body(component_.calls()[t.call]);
      t.when = with_out_named(body, t.when);
      for (auto& [name, value] : t.set) value = with_out_named(body, value);
    }
  }

  /// In the order that results have; evidence speaks of places in it.
  void sort_all() {
    const auto place = [&](const InterfaceTransition& t) {
      return std::tuple(t.from, made_.calls[t.call].name, made_.calls[t.call].outcomes[t.outcome]);
    };
    std::vector<std::size_t> order(made_.transitions.size()), moved(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return place(made_.transitions[i]); });
    std::vector<InterfaceTransition> sorted;
    for (std::size_t i = 0; i < order.size(); ++i) {
      moved[order[i]] = i;
      sorted.push_back(std::move(made_.transitions[order[i]]));
    }
    made_.transitions = std::move(sorted);
    for (MustNode& node : made_.evidence.must)
      for (MustNode::Incoming& in : node.incoming) in.transition = moved[in.transition];
    const auto refused = [&](std::size_t i) {
      const Refusal& r = made_.forbidden[i];
      return std::tuple(r.state, made_.refused_name(r));
    };
    std::vector<std::size_t> refusals(made_.forbidden.size());
    for (std::size_t i = 0; i < refusals.size(); ++i) refusals[i] = i;
    std::ranges::stable_sort(refusals, {}, refused);
    std::vector<Refusal> listed;
    std::map<std::size_t, std::size_t> must;
    for (std::size_t i = 0; i < refusals.size(); ++i) {
      if (const auto node = made_.evidence.refusal_must.find(refusals[i]);
          node != made_.evidence.refusal_must.end())
        must[i] = node->second;
      listed.push_back(std::move(made_.forbidden[refusals[i]]));
    }
    made_.forbidden = std::move(listed);
    made_.evidence.refusal_must = std::move(must);
  }

  bool is_needed(const std::string& name) const {
    const auto speaks_of_it = [&](const std::string& text) { return mentions_name(text, name); };
    for (const ArgumentGuard& g : made_.guards)
      if (speaks_of_it(g.condition)) return true;
    const auto others = [&](const TrackedUpdate& set) {
      return std::ranges::any_of(set, [&](const auto& entry) {
        return entry.first != name && speaks_of_it(entry.second);
      });
    };
    for (const InterfaceTransition& t : made_.transitions)
      if (speaks_of_it(t.when) || others(t.set)) return true;
    return false;
  }

  static bool mentions_name(const std::string& text, const std::string& name) {
    const auto part = [](char c) {
      return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.';
    };
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1))
      if ((at == 0 || !part(text[at - 1])) &&
          (at + name.size() == text.size() || !part(text[at + name.size()])))
        return true;
    return false;
  }

  const Interface& fine_;
  Folding& by_;
  const Component& component_;
  TermArena& arena_;
  VariantFormulas letters_;
  Solver& solver_;
  Interface made_;
  std::vector<Term> terms_, names_; // tracked, and as variables
  bool unsaid_ = false;             // a condition that needs another
  TrackedTerms tracked_;
  LetterNames names_of_;
  std::vector<Term> labels_;
  std::vector<Term> kept_labels_; // what is left of them when the client has written its own state
  std::map<std::size_t, std::set<std::size_t>> folded_; // fine transition -> transitions
};

} // namespace

Result<Interface> fold(const Interface& fine, Folding& by) {
  by.lost = nullptr;
  auto made = Fold(fine, by, {}).run();
  if (made || !by.lost) return made;
  // What cannot be followed may not be needed either.
  const Term first = by.lost;
  std::set<Term, TermById> without;
  while (by.lost && without.insert(by.lost).second) {
    by.lost = nullptr;
    if (auto less = Fold(fine, by, without).run()) return less;
  }
  by.lost = first;
  return made;
}

} // namespace tacit
