#include "synthesis/epa/epa_findings.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <ranges>
#include <set>

#include <fmt/ranges.h>

#include "logic/term/print.h"

namespace tacit {
namespace {

using Remark = EpaAbout::Remark;

std::string joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

class Reader {
public:
  explicit Reader(const FindingContext& context)
      : system_(context.system), graph_(context.graph), number_(context.number),
        solver_(context.solver), budget_(context.budget), arena_(system_.arena()),
        literals_(system_) {
    for (const Action& action : system_.actions())
      posts_.push_back(post_of(system_, action.step_above));
  }

  std::vector<Remark> run() {
    invariant_breaks();
    clauses();
    never_enabled();
    never_leaves();
    dead_ends();
    idle_calls_that_matter();
    stays_disabled();
    pending_work();
    near_partitions();
    nondeterminism();
    return std::move(remarks_);
  }

private:
  const std::string& name(std::size_t call) const { return system_.actions()[call].name; }
  std::string state(std::size_t q) const { return fmt::format("S{}", number_[q]); }
  std::size_t calls() const { return system_.actions().size(); }

  void add(std::string kind, std::string text, std::vector<std::string> calls,
           const std::vector<std::size_t>& states = {}) {
    std::vector<State> numbers;
    for (std::size_t q : states) numbers.push_back(number_[q]);
    std::ranges::sort(numbers);
    remarks_.push_back({std::move(kind), std::move(text), std::move(calls), std::move(numbers)});
  }

  std::vector<const EpaEdge*> edges_of(std::size_t call) const {
    std::vector<const EpaEdge*> edges;
    for (const EpaEdge& e : graph_.edges)
      if (e.call == call) edges.push_back(&e);
    return edges;
  }

  std::vector<Term> source(std::size_t q) const {
    std::vector<Term> all{system_.facts(), system_.invariant()};
    for (Term literal : literals_.above(graph_.sets[q])) all.push_back(literal);
    return all;
  }

  /// A step from one state by a call into another, more conditions added.
  bool possible(std::size_t from, std::size_t call, std::size_t to, std::vector<Term> more) {
    std::vector<Term> all = source(from);
    all.push_back(posts_[call].guard);
    all.push_back(posts_[call].invariant);
    for (Term literal : SetLiterals::above(graph_.sets[to], posts_[call])) all.push_back(literal);
    all.insert(all.end(), more.begin(), more.end());
    return solver_.check(all) == Truth::Sat;
  }

  bool writes(std::size_t call, Term variable) const {
    const auto& after = system_.actions()[call].step_above.after;
    const auto at = after.find(variable);
    return at != after.end() && at->second != variable;
  }

  bool is_start(std::size_t q) const {
    return std::ranges::any_of(graph_.starts, [&](const EpaStart& s) { return s.state == q; });
  }

  // ---- clauses and the invariant

  void invariant_breaks() {
    for (std::size_t k : graph_.breaking_starts)
      add("invariant broken",
          fmt::format("{} may leave a state in which the invariant does not hold: {}",
                      system_.starts()[k].name, to_string(system_.invariant())),
          {system_.starts()[k].name});
    for (std::size_t c = 0; c < calls(); ++c) {
      std::set<std::size_t> from;
      for (std::size_t q = 0; q < graph_.sets.size(); ++q)
        if (graph_.sets[q][c] && breaks(q, c)) from.insert(q);
      if (from.empty()) continue;
      std::vector<std::size_t> states(from.begin(), from.end());
      std::vector<std::string> names;
      for (std::size_t q : states) names.push_back(state(q));
      add("invariant broken",
          fmt::format("{} from {} may end in a state in which the invariant does not hold: {}",
                      name(c), joined(names), to_string(system_.invariant())),
          {name(c)}, states);
    }
  }

  bool breaks(std::size_t q, std::size_t c) {
    bool any = false;
    for (const EpaEdge& e : graph_.edges)
      if (e.from == q && e.call == c) {
        if (e.may_break) return true;
        any = true;
      }
    if (any || is_false(posts_[c].broken)) return false;
    std::vector<Term> all = source(q);
    all.push_back(posts_[c].guard);
    all.push_back(posts_[c].broken);
    return solver_.check(all) != Truth::Unsat;
  }

  void clauses() {
    for (std::size_t c = 0; c < calls(); ++c) {
      const Action& action = system_.actions()[c];
      if (action.splitting == Splitting::Approximated)
        add("clause not split",
            fmt::format(
                "whether arguments for {} exist could not be settled, so what depends on it "
                "is uncertain: {}",
                action.name, action.clause ? to_string(action.clause) : "mined"),
            {action.name});
      if (action.clause && !is_false(action.errs) &&
          solver_.check({system_.facts(), system_.invariant(), action.errs}) == Truth::Sat)
        add("may err",
            fmt::format("{} may run into an error although its clause holds: {}", action.name,
                        to_string(action.clause)),
            {action.name});
      std::vector<std::size_t> stuck;
      for (std::size_t q = 0; q < graph_.sets.size(); ++q)
        if (graph_.sets[q][c] &&
            std::ranges::none_of(graph_.edges,
                                 [&](const EpaEdge& e) { return e.from == q && e.call == c; }) &&
            !breaks(q, c))
          stuck.push_back(q);
      if (stuck.empty()) continue;
      std::vector<std::string> names;
      for (std::size_t q : stuck) names.push_back(state(q));
      add("never returns",
          fmt::format("{} is enabled in {} but never returns from there", name(c), joined(names)),
          {name(c)}, stuck);
    }
  }

  void never_enabled() {
    for (std::size_t c = 0; c < calls(); ++c) {
      if (std::ranges::any_of(graph_.sets, [&](const CallSet& set) { return bool(set[c]); }))
        continue;
      const Action& action = system_.actions()[c];
      const bool unsatisfiable = solver_.check({system_.facts(), action.above}) == Truth::Unsat;
      add("never enabled",
          fmt::format(
              "{} is enabled in no state; it needs {}{}", action.name, to_string(action.above),
              unsatisfiable
                  ? (action.clause ? ", and its clause can never hold: " + to_string(action.clause)
                                   : ", which can never hold")
                  : ""),
          {action.name});
    }
  }

  // ---- shapes

  /// A call that needs some amount, which others change and it does not.
  void never_leaves() {
    for (std::size_t c = 0; c < calls(); ++c) {
      const auto edges = edges_of(c);
      if (edges.empty() ||
          std::ranges::any_of(edges, [](const EpaEdge* e) { return e->from != e->to; }))
        continue;
      const Action& action = system_.actions()[c];
      if (action.step_above.after.empty()) continue; // it is not meant to change anything
      for (Term amount : compared(action.above)) {
        const bool others =
            std::ranges::any_of(std::views::iota(std::size_t{0}, calls()),
                                [&](std::size_t b) { return b != c && changes(b, amount); });
        if (changes(c, amount) || !others) continue;
        std::vector<std::size_t> states;
        for (const EpaEdge* e : edges) states.push_back(e->from);
        std::ranges::sort(states);
        states.erase(std::ranges::unique(states).begin(), states.end());
        add("never leaves",
            fmt::format("{} never leads out of {}: it needs {}, and other calls change {}, but {} "
                        "itself never does",
                        action.name, state(states.front()), to_string(action.above),
                        to_string(amount), action.name),
            {action.name}, states);
        break;
      }
    }
  }

  /// Sides of comparisons by order: `size` of `size > 0`.
  std::vector<Term> compared(Term t) const {
    std::vector<Term> found;
    std::set<Term> seen;
    const auto visit = [&](auto&& self, Term term) -> void {
      if (!seen.insert(term).second) return;
      const bool order = term->op == Op::Lt || term->op == Op::Le;
      for (Term part : term->args) {
        if (!order)
          self(self, part);
        else if (!is_constant(part) && part->sort->kind == SortKind::Int)
          found.push_back(part);
      }
    };
    visit(visit, t);
    return found;
  }

  bool changes(std::size_t c, Term amount) {
    const Action& action = system_.actions()[c];
    const Term after = substitute(arena_, amount, action.step_above.after);
    if (after == amount) return false;
    std::vector<Term> references;
    std::set<Term> seen;
    collect_keys(amount, references, seen);
    std::vector<Term> all{system_.facts(), system_.invariant(), posts_[c].guard,
                          arena_.ne(after, amount)};
    // Another object's amount is another amount.
    for (Term key : references)
      all.push_back(arena_.eq(substitute(arena_, key, action.step_above.after), key));
    return solver_.check(all) == Truth::Sat;
  }

  static void collect_keys(Term t, std::vector<Term>& keys, std::set<Term>& seen) {
    if (!seen.insert(t).second) return;
    if (t->op == Op::Select) keys.push_back(t->args[1]);
    for (Term part : t->args) collect_keys(part, keys, seen);
  }

  void dead_ends() {
    for (std::size_t q = 0; q < graph_.sets.size(); ++q) {
      const bool out = std::ranges::any_of(
          graph_.edges, [&](const EpaEdge& e) { return e.from == q && e.to != q; });
      if (out || graph_.sets.size() == 1) continue;
      const bool nothing = std::ranges::none_of(graph_.sets[q], [](bool b) { return b; });
      std::set<std::string> by;
      for (const EpaEdge& e : graph_.edges)
        if (e.to == q && e.from != q) by.insert(name(e.call));
      for (const EpaStart& s : graph_.starts)
        if (s.state == q) by.insert(system_.starts()[s.constructor].name);
      add("no way out",
          fmt::format("{} {}; {} may lead there", state(q),
                      nothing ? "enables nothing" : "is never left",
                      joined({by.begin(), by.end()})),
          {by.begin(), by.end()}, {q});
    }
  }

  /// Commands whose names say that they do nothing.
  /// Whether the last words of a name (`smtp_noop`, `doNothing`) are those of a no-op.
  static bool sounds_idle(const std::string& call) {
    const std::string_view name = std::string_view(call).substr(0, call.find('('));
    std::vector<std::string> words;
    bool within = false;
    for (std::size_t i = 0; i < name.size(); ++i) {
      const auto c = static_cast<unsigned char>(name[i]);
      if (!std::isalnum(c)) {
        within = false;
        continue;
      }
      const bool hump =
          std::isupper(c) && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
      if (!within || hump) words.emplace_back();
      within = true;
      words.back() += static_cast<char>(std::tolower(c));
    }
    if (words.empty()) return false;
    const std::string one = words.back(), two = words.size() > 1 ? words.end()[-2] + one : one;
    const bool set = words.front() == "set" || words.front() == "get";
    return !set && (one == "noop" || one == "nop" || one == "ping" || two == "noop" ||
                    two == "keepalive" || two == "donothing");
  }

  void idle_calls_that_matter() {
    for (std::size_t c = 0; c < calls(); ++c) {
      if (!sounds_idle(name(c))) continue;
      for (const EpaEdge* e : edges_of(c)) {
        if (e->from == e->to) continue;
        std::vector<std::string> gained, lost, fields;
        for (std::size_t b = 0; b < calls(); ++b) {
          if (graph_.sets[e->to][b] && !graph_.sets[e->from][b]) gained.push_back(name(b));
          if (!graph_.sets[e->to][b] && graph_.sets[e->from][b]) lost.push_back(name(b));
        }
        for (const StateVariable& v : system_.component().module().state)
          if (writes(c, v.term)) fields.push_back(v.name());
        add("no-op with an effect",
            fmt::format("{} changes what is enabled, from {} to {}:{}{}{}; it writes {}", name(c),
                        state(e->from), state(e->to),
                        gained.empty() ? "" : " it enables " + joined(gained),
                        gained.empty() || lost.empty() ? "" : ",",
                        lost.empty() ? "" : " it disables " + joined(lost), joined(fields)),
            {name(c)}, {e->from, e->to});
      }
    }
  }

  /// A state that enables all calls of a start but one, which another call than that one led to and
  /// from which yet another call enables it again.
  void stays_disabled() {
    for (const EpaStart& start : graph_.starts)
      for (std::size_t q = 0; q < graph_.sets.size(); ++q) {
        if (is_start(q)) continue;
        std::vector<std::size_t> missing;
        bool within = true;
        for (std::size_t c = 0; c < calls(); ++c) {
          if (graph_.sets[q][c] && !graph_.sets[start.state][c]) within = false;
          if (!graph_.sets[q][c] && graph_.sets[start.state][c]) missing.push_back(c);
        }
        if (!within || missing.size() != 1 || std::ranges::count(graph_.sets[q], true) < 2)
          continue;
        const std::size_t m = missing[0];
        std::set<std::string> into, back;
        for (const EpaEdge& e : graph_.edges) {
          if (e.to == q && e.from != q && e.call != m) into.insert(name(e.call));
          if (e.from == q && graph_.sets[e.to][m]) back.insert(name(e.call));
        }
        if (into.empty() || back.empty()) continue;
        add("stays disabled",
            fmt::format("after {} ({}) every call of the start {} is enabled again but {}, which "
                        "comes back only after {}",
                        joined({into.begin(), into.end()}), state(q), state(start.state), name(m),
                        joined({back.begin(), back.end()})),
            {name(m)}, {q});
      }
  }

  /// Two calls end in the same dead end; one waits for a flag, the other does not look at it.
  void pending_work() {
    for (const EpaEdge& careful : graph_.edges) {
      if (std::ranges::any_of(graph_.sets[careful.to], [](bool b) { return b; })) continue;
      for (const StateVariable& v : system_.component().module().state) {
        if (v.type.sort->kind != SortKind::Bool || budget_.exhausted_now()) continue;
        const bool with = possible(careful.from, careful.call, careful.to, {v.term});
        const bool without =
            possible(careful.from, careful.call, careful.to, {arena_.negate(v.term)});
        if (with == without) continue;
        const Term missing = with ? arena_.negate(v.term) : v.term;
        // It waits only if the state does not say so already.
        std::vector<Term> here = source(careful.from);
        here.push_back(missing);
        if (solver_.check(here) != Truth::Sat) continue;
        for (const EpaEdge& hasty : graph_.edges) {
          if (hasty.to != careful.to || hasty.call == careful.call) continue;
          if (!possible(hasty.from, hasty.call, hasty.to, {missing})) continue;
          const std::string what = fmt::format(
              "{} in {} ends in {} although {} may hold, which {} waits for: work may be pending",
              name(hasty.call), state(hasty.from), state(hasty.to), to_string(missing),
              name(careful.call));
          if (std::ranges::none_of(remarks_, [&](const Remark& r) { return r.text == what; }))
            add("work pending", what, {name(hasty.call), name(careful.call)}, {hasty.from});
        }
      }
    }
  }

  /// A flag that tells most states apart and is hardly ever changed.
  void near_partitions() {
    constexpr std::size_t least = 3, most_bridges = 3;
    for (const StateVariable& v : system_.component().module().state) {
      if (v.type.sort->kind != SortKind::Bool || graph_.sets.size() < 2 * least) continue;
      std::vector<int> side(graph_.sets.size()); // 1: holds, -1: does not, 0: both
      std::size_t on = 0, off = 0, both = 0;
      for (std::size_t q = 0; q < side.size(); ++q) {
        const auto can = [&](Term value) {
          std::vector<Term> all = source(q);
          all.push_back(value);
          return solver_.check(all) != Truth::Unsat;
        };
        const bool yes = can(v.term), no = can(arena_.negate(v.term));
        side[q] = yes && no ? 0 : yes ? 1 : -1;
        (side[q] == 1 ? on : side[q] == -1 ? off : both) += 1;
      }
      // A flag that decides by itself what is enabled partitions trivially.
      if (on < least || off < least || 3 * both > side.size()) continue;
      std::size_t bridges = 0;
      for (const EpaEdge& e : graph_.edges) bridges += side[e.from] * side[e.to] < 0;
      if (bridges > most_bridges) continue;
      std::set<std::string> differ;
      for (std::size_t c = 0; c < calls(); ++c) {
        const auto all_of = [&](int which, bool enabled) {
          for (std::size_t q = 0; q < side.size(); ++q)
            if (side[q] == which && graph_.sets[q][c] != enabled) return false;
          return true;
        };
        if (all_of(1, true) != all_of(-1, true) && (all_of(1, true) || all_of(-1, true)))
          differ.insert(name(c));
      }
      add("near-partition",
          fmt::format("{} splits the states in two: it holds in {} of them, not in {}, {} with it "
                      "open, and {} transitions lead across{}",
                      v.name(), on, off, both, bridges,
                      differ.empty() ? ""
                                     : "; always enabled on one side only: " +
                                           joined({differ.begin(), differ.end()})),
          {differ.begin(), differ.end()});
    }
  }

  // ---- nondeterminism

  void nondeterminism() {
    std::map<std::pair<std::size_t, std::string>, std::vector<std::size_t>> found;
    for (std::size_t q = 0; q < graph_.sets.size(); ++q)
      for (std::size_t c = 0; c < calls(); ++c) {
        std::vector<const EpaEdge*> edges;
        for (const EpaEdge& e : graph_.edges)
          if (e.from == q && e.call == c && e.certain) edges.push_back(&e);
        if (edges.size() < 2 || budget_.exhausted_now()) continue;
        found[{c, cause(*edges[0], *edges[1])}].push_back(q);
      }
    for (const auto& [what, states] : found) {
      const auto& [c, why] = what;
      std::vector<std::string> names;
      for (std::size_t q : states) names.push_back(state(q));
      add("nondeterminism",
          fmt::format("{} from {} leads to several states, by {}", name(c), joined(names), why),
          {name(c)}, states);
    }
  }

  /// What two runs with different ends have different.
  std::string cause(const EpaEdge& first, const EpaEdge& second) {
    const std::size_t c = first.call;
    const BodyFormula& body = system_.formulas().call(c, Side::Above).body;
    const auto renamed = [&](Term t) { return arena_.var(t->name + "'", t->sort); };
    const auto twice = [&](const std::set<Chooser>& free, const std::vector<Term>& free_state) {
      Substitution other;
      std::vector<Term> all = source(first.from);
      for (const FormulaInput& input : body.inputs)
        if (free.contains(input.chooser)) other[input.variable] = renamed(input.variable);
      for (Term v : free_state) other[v] = renamed(v);
      const std::vector<Term> before = all;
      const auto end = [&](const EpaEdge& e) {
        std::vector<Term> terms = SetLiterals::above(graph_.sets[e.to], posts_[c]);
        terms.push_back(posts_[c].guard);
        terms.push_back(posts_[c].invariant);
        return terms;
      };
      for (Term t : end(first)) all.push_back(t);
      for (Term t : end(second)) all.push_back(substitute(arena_, t, other));
      for (Term t : before) all.push_back(substitute(arena_, t, other));
      return solver_.check(all) == Truth::Sat;
    };
    if (twice({Chooser::Client}, {})) return "an argument";
    if (twice({Chooser::Environment, Chooser::Unknown}, {}))
      return allocates(c) ? "an allocation that may fail" : "what the environment does";
    std::vector<std::string> fields;
    for (const StateVariable& v : system_.component().module().state)
      if (twice({}, {v.term})) fields.push_back(v.name());
    return fields.empty() ? "hidden state" : "hidden state, the value of " + joined(fields);
  }

  bool allocates(std::size_t c) const {
    const Component& component = system_.component();
    for (const Block& block : component.body(component.calls()[c]).blocks)
      for (const Statement& s : block.statements)
        if (s.kind == StatementKind::New) return true;
    return false;
  }

  const ActionSystem& system_;
  const EpaGraph& graph_;
  const std::vector<State>& number_;
  Solver& solver_;
  Budget& budget_;
  TermArena& arena_;
  SetLiterals literals_;
  std::vector<EpaPost> posts_;
  std::vector<Remark> remarks_;
};

} // namespace

std::vector<EpaAbout::Remark> epa_findings(const FindingContext& context) {
  return Reader(context).run();
}

} // namespace tacit
