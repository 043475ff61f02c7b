#include "logic/z3/eliminate.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <unordered_map>

#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <z3++.h>

#include "base/timer.h"
#include "logic/term/known.h"
#include "logic/term/reads.h"
#include "logic/term/size.h"
#include "logic/z3/back.h"
#include "logic/z3/engine.h"
#include "logic/z3/translation.h"

namespace tacit {

namespace {

constexpr std::size_t most_values = 16;       // of a variable that is tried value by value
constexpr std::size_t largest_formula = 4000; // nodes, beyond which values are not tried

constexpr std::size_t most_splits = 6;      // one within the other
constexpr std::size_t worth_a_split = 40;   // subterms: less is a matter of milliseconds
constexpr std::size_t most_steps = 2000;    // of one elimination
constexpr std::size_t most_lifted = 10'000; // equations: two conditional references multiply

// Z3's elimination heeds no limit, some formulas never end, and one that is stopped from outside
// may take the process with it. So what is not small is tried in a child first, for so long
// (milliseconds of processor time). After several that did not end Z3 is no longer asked.
constexpr unsigned elimination_patience = 3000;
constexpr std::size_t small_enough = 60; // nodes
constexpr std::size_t most_given_up = 8;

using Variables = std::vector<Term>; // sorted by id

Variables mentioned_of(Term formula, const Variables& bound) {
  const auto all = variables(formula);
  Variables found;
  std::ranges::set_intersection(all, bound, std::back_inserter(found), TermById{});
  return found;
}

} // namespace

class Eliminator::Session {
public:
  Session(TermArena& arena, const SolverOptions& options) : arena_(arena), options_(options) {}

  Result<Term> exists(Term formula, Variables bound) {
    formula = with_known_literals(arena_, formula);
    std::ranges::sort(bound, TermById{});
    bound = mentioned_of(formula, bound);
    if (bound.empty()) return formula;
    const auto key = std::pair(formula, bound);
    auto& done = done_[static_cast<std::size_t>(accuracy)];
    if (auto known = done.find(key); known != done.end()) return known->second;
    if (++depth_ == 1) {
      steps_ = 0;
      given_up_ = false;
    }
    auto found = ++steps_ > most_steps || out_of_budget()
                     ? fail("eliminating a choice takes too long")
                     : solve(formula, bound);
    --depth_;
    done.emplace(key, found);
    return found;
  }

  TermArena& arena() { return arena_; }
  SolverStatistics statistics;
  /// Compared with what was asked for, what is found may be stronger, or weaker.
  enum class Accuracy { Exact, Stronger, Weaker };
  Accuracy accuracy = Accuracy::Exact;

private:
  /// A step may take milliseconds, so the clock is looked at often.
  bool out_of_budget() const {
    constexpr std::size_t steps_per_look = 16;
    if (!options_.budget) return false;
    return steps_ % steps_per_look == 0 ? options_.budget->exhausted_now()
                                        : options_.budget->exhausted();
  }

  struct KeyOrder {
    bool operator()(const std::pair<Term, Variables>& a,
                    const std::pair<Term, Variables>& b) const {
      if (a.first != b.first) return a.first->id < b.first->id;
      return std::ranges::lexicographical_compare(a.second, b.second, TermById{});
    }
  };

  Result<Term> solve(Term formula, const Variables& bound) {
    if (formula->op == Op::Or) {
      std::vector<Term> parts;
      for (Term part : formula->args) {
        auto made = alternative(part, bound);
        if (!made) return made;
        parts.push_back(*made);
      }
      return arena_.disj(std::move(parts));
    }
    if (formula->op == Op::And) {
      if (auto split = independent_parts(formula, bound)) return *split;
      if (auto fixed = equation(formula, bound)) return *fixed;
    }
    if (auto tried = by_values(formula, bound)) return *tried;
    if (auto tried = by_elements(formula, bound)) return *tried;
    if (const Term lifted = lift_references(formula); lifted != formula)
      return exists(lifted, bound);
    if (auto tried = by_cases(formula, bound)) return *tried;
    if (auto tried = by_free_atom(formula, bound)) return *tried;
    auto found = through_z3(formula, bound);
    if (found) return found;
    if (auto tried = by_numbers(formula, bound)) return *tried;
    if (accuracy == Accuracy::Stronger)
      if (auto tried = by_candidates(formula, bound)) return *tried;
    return found;
  }

  /// One of several ways to make a formula true, which may be given up.
  Result<Term> alternative(Term formula, const Variables& bound) {
    auto made = exists(formula, bound);
    if (!made && accuracy == Accuracy::Stronger) return arena_.falsehood();
    if (!made && accuracy == Accuracy::Weaker) return arena_.truth();
    return made;
  }

  /// Terms that a variable is compared with, and other keys of the maps that it is a key of.
  std::optional<Result<Term>> by_candidates(Term formula, const Variables& bound) {
    const Term variable = bound.front();
    std::set<Term, TermById> candidates, seen;
    collect_candidates(formula, variable, bound, candidates, seen);
    if (variable->sort->kind == SortKind::Ref) candidates.insert(arena_.null());
    if (variable->sort->kind == SortKind::Int) candidates.insert(arena_.integer(0));
    if (candidates.empty() || candidates.size() > most_values) return std::nullopt;
    std::vector<Term> parts;
    for (Term candidate : candidates) {
      auto made = alternative(substitute(arena_, formula, {{variable, candidate}}), bound);
      if (!made) return made;
      parts.push_back(*made);
    }
    return Result<Term>(arena_.disj(std::move(parts)));
  }

  static void collect_candidates(Term term, Term variable, const Variables& bound,
                                 std::set<Term, TermById>& found, std::set<Term, TermById>& seen) {
    if (!seen.insert(term).second) return;
    const bool compares = term->op == Op::Eq || term->op == Op::Le || term->op == Op::Lt;
    auto offer = [&](Term t) {
      if (t->sort == variable->sort && t->op != Op::Ite && mentioned_of(t, bound).empty())
        found.insert(t);
    };
    if (compares && (term->args[0] == variable || term->args[1] == variable))
      for (Term side : term->args) offer(side);
    if (term->op == Op::Select || term->op == Op::Store) offer(term->args[1]);
    for (Term a : term->args) collect_candidates(a, variable, bound, found, seen);
  }

  /// Comparisons of references that are chosen by a condition, as choices between comparisons. The
  /// formula itself where that makes too much of it.
  Term lift_references(Term formula) {
    std::unordered_map<Term, Term> done;
    lifted_.clear();
    const Term made = lift_references(formula, done);
    return lifted_.size() <= most_lifted ? made : formula;
  }
  Term lift_references(Term t, std::unordered_map<Term, Term>& done) {
    if (t->args.empty()) return t;
    if (auto found = done.find(t); found != done.end()) return found->second;
    std::vector<Term> args;
    for (Term a : t->args) args.push_back(lift_references(a, done));
    const Term made = t->op == Op::Eq && args[0]->sort == arena_.ref_sort()
                          ? lifted_equation(args[0], args[1])
                          : arena_.rebuild(t, std::move(args));
    done.emplace(t, made);
    return made;
  }
  Term lifted_equation(Term a, Term b) {
    if (a->op != Op::Ite && b->op == Op::Ite) std::swap(a, b);
    if (a->op != Op::Ite || lifted_.size() > most_lifted) return arena_.eq(a, b);
    // Conditional references share their parts.
    const std::pair place{a, b};
    if (const auto known = lifted_.find(place); known != lifted_.end()) return known->second;
    const Term made =
        arena_.ite(a->args[0], lifted_equation(a->args[1], b), lifted_equation(a->args[2], b));
    lifted_.emplace(place, made);
    return made;
  }

  /// A reference that is only compared: it is one of the others, or differs from all of them.
  std::optional<Result<Term>> by_cases(Term formula, const Variables& bound) {
    for (Term v : bound) {
      if (v->sort != arena_.ref_sort()) continue;
      std::vector<Term> equations;
      std::set<Term, TermById> seen;
      if (!only_compared(formula, v, equations, seen)) continue;
      std::unordered_map<Term, Term> differs;
      for (Term e : equations) differs[e] = arena_.falsehood();
      std::vector<Term> cases{replace(formula, differs)};
      for (Term e : equations)
        cases.push_back(substitute(arena_, formula, {{v, e->args[e->args[0] == v ? 1 : 0]}}));
      return exists(arena_.disj(std::move(cases)), bound);
    }
    return std::nullopt;
  }

  static bool only_compared(Term term, Term variable, std::vector<Term>& equations,
                            std::set<Term, TermById>& seen) {
    if (term == variable) return false;
    if (!seen.insert(term).second) return true;
    if (term->op == Op::Eq && (term->args[0] == variable || term->args[1] == variable)) {
      equations.push_back(term);
      const Term other = term->args[term->args[0] == variable ? 1 : 0];
      return mentioned_of(other, {variable}).empty();
    }
    return std::ranges::all_of(term->args,
                               [&](Term a) { return only_compared(a, variable, equations, seen); });
  }

  /// What does not depend on the choice holds or does not, and each case is simpler: bodies ask for
  /// the same part of the state again and again.
  std::optional<Result<Term>> by_free_atom(Term formula, const Variables& bound) {
    if (splits_ >= most_splits || distinct_subterms(formula) < worth_a_split) return std::nullopt;
    std::set<Term, TermById> seen;
    const Term atom = free_atom(formula, bound, seen);
    if (!atom) return std::nullopt;
    ++splits_;
    const auto when = [&](Term holds) {
      std::unordered_map<Term, Term> known{{atom, holds},
                                           {arena_.negate(atom), arena_.negate(holds)}};
      return alternative(replace(formula, known), bound);
    };
    auto yes = when(arena_.truth());
    auto no = yes ? when(arena_.falsehood()) : yes;
    --splits_;
    if (!no || *yes == *no) return no;
    return arena_.disj(arena_.conj(atom, *yes), arena_.conj(arena_.negate(atom), *no));
  }

  static Term free_atom(Term term, const Variables& bound, std::set<Term, TermById>& seen) {
    if (!seen.insert(term).second || term->op == Op::BoolConst) return nullptr;
    const bool joins = term->op == Op::And || term->op == Op::Or || term->op == Op::Not ||
                       term->op == Op::Ite || term->args.empty();
    if (term->sort->kind == SortKind::Bool && (!joins || term->op == Op::Var) &&
        mentioned_of(term, bound).empty())
      return term;
    for (Term a : term->args)
      if (const Term found = free_atom(a, bound, seen)) return found;
    return nullptr;
  }

  /// A map that is only read: its elements are chosen instead, equal ones for equal keys.
  std::optional<Result<Term>> by_elements(Term formula, const Variables& bound) {
    const auto map =
        std::ranges::find_if(bound, [](Term v) { return v->sort->kind == SortKind::Map; });
    if (map == bound.end()) return std::nullopt;
    const Term pushed = push_reads(arena_, formula);
    std::vector<Term> reads;
    std::set<Term, TermById> seen;
    if (!only_read(pushed, *map, reads, seen)) return std::nullopt;
    // Inner reads first, so that a read within a key is gone when the outer one is replaced.
    std::ranges::sort(reads, TermById{});
    std::unordered_map<Term, Term> by;
    std::vector<Term> parts, keys, elements;
    Variables fewer = bound;
    std::erase(fewer, *map);
    for (Term read : reads) {
      std::unordered_map<Term, Term> memo = by;
      keys.push_back(replace(read->args[1], memo));
      elements.push_back(
          arena_.var((*map)->name + "[" + std::to_string(fresh_++) + "]", read->sort));
      by[read] = elements.back();
      fewer.push_back(elements.back());
      for (std::size_t i = 0; i + 1 < keys.size(); ++i)
        parts.push_back(arena_.implies(arena_.eq(keys[i], keys.back()),
                                       arena_.eq(elements[i], elements.back())));
    }
    parts.push_back(replace(pushed, by));
    return exists(arena_.conj(std::move(parts)), std::move(fewer));
  }

  /// Whether the map occurs only where an element of it is read.
  static bool only_read(Term term, Term map, std::vector<Term>& reads,
                        std::set<Term, TermById>& seen) {
    if (term == map) return false;
    if (!seen.insert(term).second) return true;
    if (term->op == Op::Select && term->args[0] == map) {
      reads.push_back(term);
      return only_read(term->args[1], map, reads, seen);
    }
    return std::ranges::all_of(term->args, [&](Term a) { return only_read(a, map, reads, seen); });
  }

  /// `by` grows by what was rebuilt.
  Term replace(Term term, std::unordered_map<Term, Term>& by) {
    if (auto found = by.find(term); found != by.end()) return found->second;
    if (term->args.empty()) return term;
    std::vector<Term> args;
    for (Term a : term->args) args.push_back(replace(a, by));
    const Term made = arena_.rebuild(term, std::move(args));
    by.emplace(term, made);
    return made;
  }

  /// A number that the conjunction keeps within small bounds is tried value by value.
  std::optional<Result<Term>> by_numbers(Term formula, const Variables& bound) {
    if (formula->op != Op::And) return std::nullopt;
    for (Term v : bound) {
      std::optional<Integer> low, high;
      for (Term part : formula->args) {
        if (part->op != Op::Le && part->op != Op::Lt) continue;
        const Term a = part->args[0], b = part->args[1];
        const Integer strict = part->op == Op::Lt ? 1 : 0;
        if (a == v && b->op == Op::IntConst)
          high = std::min(high.value_or(b->number - strict), b->number - strict);
        if (b == v && a->op == Op::IntConst)
          low = std::max(low.value_or(a->number + strict), a->number + strict);
      }
      if (!low || !high || *high - *low >= static_cast<Integer>(most_values)) continue;
      std::vector<Term> parts;
      for (Integer n = *low; n <= *high; ++n) {
        auto made = alternative(substitute(arena_, formula, {{v, arena_.integer(n)}}), bound);
        if (!made) return made;
        parts.push_back(*made);
      }
      return Result<Term>(arena_.disj(std::move(parts)));
    }
    return std::nullopt;
  }

  /// Conjuncts fall into groups that share no bound variable; each group is solved alone.
  std::optional<Result<Term>> independent_parts(Term formula, const Variables& bound) {
    struct Group {
      std::set<Term, TermById> shared;
      std::vector<Term> parts;
    };
    std::vector<Group> groups;
    std::vector<Term> outside;
    for (Term part : formula->args) {
      const auto mine = mentioned_of(part, bound);
      if (mine.empty()) {
        outside.push_back(part);
        continue;
      }
      Group merged{{mine.begin(), mine.end()}, {part}};
      std::erase_if(groups, [&](Group& g) {
        const bool meets = std::ranges::any_of(mine, [&](Term v) { return g.shared.contains(v); });
        if (!meets) return false;
        merged.shared.insert(g.shared.begin(), g.shared.end());
        merged.parts.insert(merged.parts.begin(), g.parts.begin(), g.parts.end());
        return true;
      });
      groups.push_back(std::move(merged));
    }
    if (groups.size() == 1 && outside.empty()) return std::nullopt;
    for (Group& g : groups) {
      auto made = exists(arena_.conj(std::move(g.parts)), bound);
      if (!made && accuracy == Accuracy::Weaker) continue;
      if (!made) return made;
      outside.push_back(*made);
    }
    return Result<Term>(arena_.conj(std::move(outside)));
  }

  /// `v == t` in the conjunction, t without v.
  std::optional<Result<Term>> equation(Term formula, const Variables& bound) {
    for (Term part : formula->args) {
      Term variable = nullptr, value = nullptr;
      if (part->op == Op::Var) {
        variable = part, value = arena_.truth();
      } else if (part->op == Op::Not && part->args[0]->op == Op::Var) {
        variable = part->args[0], value = arena_.falsehood();
      } else if (part->op == Op::Eq) {
        for (int side = 0; side < 2 && !variable; ++side) {
          const Term v = part->args[static_cast<std::size_t>(side)];
          const Term t = part->args[static_cast<std::size_t>(1 - side)];
          if (v->op != Op::Var || !std::ranges::binary_search(bound, v, TermById{})) continue;
          if (!mentioned_of(t, {v}).empty()) continue;
          variable = v, value = t;
        }
      }
      if (!variable || !std::ranges::binary_search(bound, variable, TermById{})) continue;
      // Maps are equal when they agree on the keys that exist; another map may differ elsewhere.
      if (variable->sort->kind == SortKind::Map) continue;
      return exists(substitute(arena_, formula, {{variable, value}}), bound);
    }
    return std::nullopt;
  }

  std::optional<Result<Term>> by_values(Term formula, const Variables& bound) {
    for (Term v : bound) {
      std::vector<Term> values;
      if (v->sort == arena_.bool_sort()) {
        values = {arena_.truth(), arena_.falsehood()};
      } else if (v->sort->kind == SortKind::Enum && v->sort->decl->values.size() <= most_values) {
        for (std::size_t i = 0; i < v->sort->decl->values.size(); ++i)
          values.push_back(arena_.enumerator(v->sort, i));
      }
      if (values.empty() || distinct_subterms(formula) > largest_formula) continue;
      std::vector<Term> parts;
      for (Term value : values) {
        auto made = alternative(substitute(arena_, formula, {{v, value}}), bound);
        if (!made) return made;
        parts.push_back(*made);
      }
      return Result<Term>(arena_.disj(std::move(parts)));
    }
    return std::nullopt;
  }

  Result<Term> through_z3(Term formula, const Variables& bound) {
    if (options_.budget && options_.budget->exhausted())
      return fail("{}", options_.budget->reason());
    if (given_up_ || times_given_up_ > most_given_up) return fail("it takes too long");
    ++statistics.queries;
    if (options_.budget) options_.budget->count_query();
    const Timer timer;
    // What is read from maps without a bound variable is a number like any other.
    std::unordered_map<Term, Term> names;
    Substitution reads;
    std::set<Term, TermById> seen;
    name_reads(formula, bound, names, reads, seen);
    auto found = ask_z3(reads.empty() ? formula : replace(formula, names), bound);
    if (found && !reads.empty()) found = substitute(arena_, *found, reads);
    statistics.seconds += timer.seconds();
    ++(found ? statistics.sat : statistics.unknown);
    return found;
  }

  void name_reads(Term t, const Variables& bound, std::unordered_map<Term, Term>& names,
                  Substitution& reads, std::set<Term, TermById>& seen) {
    if (t->args.empty() || !seen.insert(t).second) return;
    if (t->op == Op::Select && mentioned_of(t, bound).empty() &&
        (t->sort->kind == SortKind::Int || t->sort->kind == SortKind::Bool)) {
      const Term name = arena_.var("?read " + std::to_string(t->id), t->sort);
      names.emplace(t, name);
      reads.emplace(name, t);
      return;
    }
    for (Term a : t->args) name_reads(a, bound, names, reads, seen);
  }

  unsigned most_milliseconds() const {
    constexpr double most = elimination_patience, least = 100;
    const auto left = options_.budget ? options_.budget->seconds_left() : std::nullopt;
    return static_cast<unsigned>(std::clamp(left.value_or(most) * 1000, least, most));
  }

  double most_wall_seconds() const {
    constexpr double most = 10;
    const auto left = options_.budget ? options_.budget->seconds_left() : std::nullopt;
    return std::min(left.value_or(most), most);
  }

  /// Whether the work comes to an end in a child that starts where this process is.
  template <typename Work>
  static bool ends_in_time(unsigned milliseconds, double wall_seconds, const Work& work) {
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
      itimerval limit{};
      limit.it_value.tv_sec = milliseconds / 1000;
      limit.it_value.tv_usec = static_cast<suseconds_t>(milliseconds % 1000) * 1000;
      setitimer(ITIMER_PROF, &limit, nullptr);
      // A busy machine gives it less than it asks for; it may also wait for a lock that nobody
      // frees.
      itimerval last{};
      last.it_value.tv_sec = static_cast<time_t>(wall_seconds);
      last.it_value.tv_usec = 100'000;
      setitimer(ITIMER_REAL, &last, nullptr);
      try {
        work();
      } catch (...) {
        _exit(0); // this process will see the same
      }
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }

  /// Remainders make even a small formula take forever.
  static bool has_remainder(Term formula) {
    std::set<Term, TermById> seen;
    std::vector<Term> todo{formula};
    while (!todo.empty()) {
      const Term t = todo.back();
      todo.pop_back();
      if (t->args.empty() || !seen.insert(t).second) continue;
      if (t->op == Op::Wrap || t->op == Op::Mod || t->op == Op::Div) return true;
      todo.insert(todo.end(), t->args.begin(), t->args.end());
    }
    return false;
  }

  Result<Term> ask_z3(Term formula, const Variables& bound) {
    try {
      if (!z3_) z3_ = std::make_unique<Z3>(options_.rlimit);
      z3::context& context = z3_->context;
      Translation& translation = z3_->translation;
      z3::expr_vector parts(context), names(context);
      parts.push_back(translation.of(formula).expr);
      translation.for_facts(formula, [&](Term, const std::vector<z3::expr>& facts) {
        for (const z3::expr& fact : facts) parts.push_back(fact);
      });
      for (Term v : bound) names.push_back(translation.of(v).expr);
      z3::goal goal(context);
      goal.add(z3::exists(names, z3::mk_and(parts)));
      const z3::tactic eliminate = z3::tactic(context, "qe") & z3::tactic(context, "simplify");
      if ((distinct_subterms(formula) > small_enough || has_remainder(formula)) &&
          !ends_in_time(most_milliseconds(), most_wall_seconds(), [&] { eliminate(goal); })) {
        given_up_ = true;
        ++times_given_up_;
        return fail("no formula without the choice was found in time");
      }
      const z3::apply_result results = eliminate(goal);
      std::vector<Term> pieces;
      BackTranslation back(arena_, translation);
      for (unsigned i = 0; i < results.size(); ++i) {
        auto term = back.term(results[i].as_expr(), arena_.bool_sort());
        if (!term) return fail("no formula without the choice was found: {}", term.error().message);
        pieces.push_back(*term);
      }
      const Term made = arena_.disj(std::move(pieces));
      if (!mentioned_of(made, bound).empty()) return fail("the choice could not be eliminated");
      return made;
    } catch (const z3::exception& problem) {
      return fail("no formula without the choice was found: {}",
                  explain_unknown(problem.msg(), options_.rlimit));
    }
  }

  TermArena& arena_;
  /// Made when it is first needed: it costs milliseconds.
  struct Z3 {
    explicit Z3(std::uint32_t rlimit) : translation(context) {
      // Tactics know no limit of their own and take the context's.
      Z3_update_param_value(context, "rlimit", std::to_string(rlimit).c_str());
    }
    z3::context context;
    Translation translation;
  };

  SolverOptions options_;
  std::unique_ptr<Z3> z3_;
  std::size_t splits_ = 0;
  std::size_t depth_ = 0, steps_ = 0; // of the elimination at hand
  bool given_up_ = false;             // likewise
  std::size_t times_given_up_ = 0;
  std::size_t fresh_ = 0;                        // elements of maps that were named
  std::map<std::pair<Term, Term>, Term> lifted_; // equations of the lifting at hand
  std::map<std::pair<Term, Variables>, Result<Term>, KeyOrder> done_[3]; // by accuracy
};

Eliminator::Eliminator(TermArena& arena, SolverOptions options)
    : session_(std::make_unique<Session>(arena, options)) {}
Eliminator::~Eliminator() = default;

Result<Term> Eliminator::exists(Term formula, std::span<const Term> bound) {
  return session_->exists(formula, {bound.begin(), bound.end()});
}

Result<Term> Eliminator::some(Term formula, std::span<const Term> bound) {
  session_->accuracy = Session::Accuracy::Stronger;
  auto found = session_->exists(formula, {bound.begin(), bound.end()});
  session_->accuracy = Session::Accuracy::Exact;
  return found;
}

Term Eliminator::at_most(Term formula, std::span<const Term> bound) {
  session_->accuracy = Session::Accuracy::Weaker;
  auto found = session_->exists(formula, {bound.begin(), bound.end()});
  session_->accuracy = Session::Accuracy::Exact;
  return found.value_or(session_->arena().truth());
}

Result<Term> Eliminator::for_all(Term formula, std::span<const Term> bound) {
  TermArena& arena = session_->arena();
  auto none = exists(arena.negate(formula), bound);
  if (!none) return none;
  return arena.negate(*none);
}

const SolverStatistics& Eliminator::statistics() const { return session_->statistics; }

} // namespace tacit
