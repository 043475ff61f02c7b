#include "logic/z3/z3_solver.h"

#include <algorithm>
#include <map>
#include <optional>
#include <ostream>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/should.h"
#include "logic/z3/back.h"
#include "logic/z3/choices.h"
#include "logic/z3/engine.h"
#include "logic/z3/translation.h"

namespace tacit {

namespace {

/// From this round on, refute_forall_exists also projects.
constexpr std::uint32_t first_projected_round = 8;

/// How many questions a literal without maps may sit out before it counts as unused.
constexpr std::uint64_t patience = 32;

/// Terms up to this size are evaluated by the evaluator, others, which may share much, by Z3.
constexpr unsigned small_term = 200;

Fragment fragment_of(const Translation::Entry& entry) {
  if (entry.const_maps) return Fragment::General;
  return entry.maps || entry.nonlinear ? Fragment::Maps : Fragment::Linear;
}

// Z3's scopes, bottom up: the caller's, and on top of each at most one of ours that holds the
// definitions of literals. An unused definition costs something in every query (with maps, more
// than defining it anew), so ours is popped once its unused definitions have cost as much as
// defining all of it again would.
class Z3Solver final : public Solver {
public:
  explicit Z3Solver(const SolverOptions& options)
      : options_(options), translation_(context_, declaration_logger()),
        engine_(context_, options_, statistics_, true),
        chooser_(context_, options_, statistics_, false) {
    if (options_.log) *options_.log << "(set-option :global-declarations true)\n(set-logic ALL)\n";
    scopes_.push_back({.callers = true});
  }

  void push() override;
  void pop() override;
  void add(Term fact) override;

  using Solver::check;
  Truth check(std::span<const Term> assumptions) override {
    if (!begin(assumptions, {})) return answer(Truth::Unknown);
    if (contradiction_) return answer(Truth::Unsat);
    return answer(ask());
  }

  Result<Value> value(Term term) override;
  std::vector<Term> core() override;
  std::string reason_unknown() override;

  Enumeration all_sat(std::span<const Term> assumptions, std::span<const Term> predicates,
                      const std::function<bool(const std::vector<bool>&)>& receiver) override;
  Truth refute_forall_exists(std::span<const Term> assumptions, Term goal,
                             std::span<const Term> bound) override;
  Result<std::vector<std::vector<Term>>> choices(TermArena& arena) override;

private:
  enum class State { Idle, Sat, Unsat, Unknown };

  struct Literal {
    z3::expr literal;
    unsigned weight = 1;
    bool maps = false;
    bool defined = false;
    std::uint64_t last_used = 0; // number of a question
  };

  struct Frame {
    bool callers = false;
    std::string broken;         // why an assertion here could not be made
    std::vector<Term> asserted; // by the caller; repeated after a restart
    std::vector<Term> defined;  // literals
    std::vector<Term> facts;    // terms whose facts are asserted here
  };

  /// A scope of ours that ends with the block.
  class OwnScope {
  public:
    explicit OwnScope(Z3Solver& solver) : solver_(solver) { solver_.open_scope(false); }
    ~OwnScope() { solver_.drop_scope(); }
    OwnScope(const OwnScope&) = delete;
    OwnScope& operator=(const OwnScope&) = delete;

  private:
    Z3Solver& solver_;
  };

  std::function<void(const z3::expr&)> declaration_logger() {
    if (!options_.log) return nullptr;
    return [this](const z3::expr& constant) {
      *options_.log << "(declare-const " << constant << " " << constant.get_sort() << ")\n";
    };
  }

  template <class Body> bool guarded(const Body& body) {
    try {
      body();
      return true;
    } catch (const z3::exception& problem) {
      reason_ = explain_unknown(problem.msg(), options_.rlimit);
      return false;
    }
  }

  Truth answer(Truth truth) {
    state_ = truth == Truth::Sat     ? State::Sat
             : truth == Truth::Unsat ? State::Unsat
                                     : State::Unknown;
    return truth;
  }

  Truth ask() {
    model_.reset();
    values_.clear();
    const Truth truth = engine_.check(literals_now_);
    if (truth == Truth::Unknown) reason_ = engine_.reason();
    return truth;
  }

  bool begin(std::span<const Term> assumptions, std::span<const Term> others);
  void restart_for(Fragment fragment);
  void open_scope(bool callers);
  void drop_scope();
  void flush_if_stale();
  void assert_facts(Term term);
  void assert_term(Term term);
  z3::expr literal(Term term);
  z3::expr name_of(Term predicate);
  const z3::model& model();
  Result<Value> variable_value(Term variable);
  Truth seek_counterexample(Choices& choices);
  Truth choose(Choices& choices, bool project);

  const SolverOptions options_;
  z3::context context_;
  Translation translation_;
  QueryEngine engine_;
  QueryEngine chooser_; // finds values of bound variables, for refute_forall_exists
  std::vector<Frame> scopes_;
  std::unordered_map<Term, Literal> literals_;
  std::unordered_map<Term, z3::expr> names_; // of predicates, in all_sat
  std::unordered_set<Term> facts_asserted_;
  std::map<std::pair<Term, std::vector<Term>>, std::unique_ptr<Choices>> choices_;
  std::uint64_t questions_ = 0;
  bool enumerating_ = false;
  std::uint64_t rent_ = 0; // what unused definitions in the top scope have cost so far

  // About the last question.
  State state_ = State::Idle;
  Term contradiction_ = nullptr;  // an assumption that is false by itself
  std::vector<Term> assumptions_; // those that have a literal
  std::vector<z3::expr> literals_now_;
  std::optional<z3::model> model_;
  std::unordered_map<Term, Value> values_; // of variables
  std::optional<std::vector<Term>> core_;
  const Choices* proof_ = nullptr;
  std::string reason_;
};

void Z3Solver::push() {
  state_ = State::Idle;
  open_scope(true);
}

void Z3Solver::pop() {
  state_ = State::Idle;
  if (!scopes_.back().callers) drop_scope();
  should(scopes_.size() > 1, "pop should have a matching push");
  drop_scope();
}

void Z3Solver::add(Term fact) {
  state_ = State::Idle;
  if (!scopes_.back().callers) drop_scope();
  const bool done = guarded([&] {
    const Translation::Entry& entry = translation_.of(fact);
    restart_for(fragment_of(entry));
    scopes_.back().asserted.push_back(fact);
    assert_term(fact);
  });
  if (!done) scopes_.back().broken = reason_;
}

void Z3Solver::open_scope(bool callers) {
  engine_.push();
  scopes_.push_back({.callers = callers});
}

void Z3Solver::drop_scope() {
  for (Term term : scopes_.back().defined) literals_.at(term).defined = false;
  for (Term term : scopes_.back().facts) facts_asserted_.erase(term);
  scopes_.pop_back();
  engine_.pop(1);
  rent_ = 0;
}

/// Measured on random queries: an unused definition without maps costs each query about a fifteenth
/// of defining it anew, one with maps about as much as that. So the latter count as unused at once.
void Z3Solver::flush_if_stale() {
  if (scopes_.back().callers) return;
  std::uint64_t all = 0;
  for (Term term : scopes_.back().defined) {
    const Literal& literal = literals_.at(term);
    all += literal.weight;
    if (literal.last_used + (literal.maps ? 0 : patience) < questions_) rent_ += literal.weight;
  }
  if (rent_ < all || all == 0) return;
  drop_scope();
  ++statistics_.flushes;
}

/// Once a map or a product occurs, a fragment that knows them takes over for good.
void Z3Solver::restart_for(Fragment fragment) {
  if (fragment <= engine_.fragment()) return;
  engine_.restart(fragment);
  std::vector<Frame> before = std::exchange(scopes_, {});
  facts_asserted_.clear();
  for (auto& [term, literal] : literals_) literal.defined = false;
  for (Frame& frame : before) {
    if (!frame.callers) continue;
    if (!scopes_.empty()) engine_.push();
    scopes_.push_back({.callers = true, .broken = frame.broken, .asserted = frame.asserted});
    for (Term term : frame.asserted) assert_term(term);
  }
}

void Z3Solver::assert_facts(Term term) {
  translation_.for_facts(term, [&](Term node, const std::vector<z3::expr>& facts) {
    if (!facts_asserted_.insert(node).second) return;
    scopes_.back().facts.push_back(node);
    for (const z3::expr& fact : facts) engine_.add(fact);
  });
}

void Z3Solver::assert_term(Term term) {
  assert_facts(term);
  engine_.add(translation_.of(term).expr);
}

z3::expr Z3Solver::literal(Term term) {
  const Translation::Entry& entry = translation_.of(term);
  if (term->op == Op::Var) return entry.expr;
  if (term->op == Op::Not && term->args[0]->op == Op::Var) return entry.expr;
  auto found = literals_.find(term);
  if (found == literals_.end())
    found = literals_
                .emplace(term, Literal{.literal = translation_.fresh_bool("assume"),
                                       .weight = entry.size,
                                       .maps = entry.maps})
                .first;
  Literal& literal = found->second;
  literal.last_used = questions_;
  if (!literal.defined) {
    if (scopes_.back().callers) open_scope(false);
    assert_facts(term);
    engine_.define(literal.literal, entry.expr);
    literal.defined = true;
    scopes_.back().defined.push_back(term);
    ++statistics_.literals;
  }
  return literal.literal;
}

bool Z3Solver::begin(std::span<const Term> assumptions, std::span<const Term> others) {
  should(!enumerating_, "all_sat's receiver should ask no questions");
  model_.reset();
  values_.clear();
  core_.reset();
  proof_ = nullptr;
  contradiction_ = nullptr;
  assumptions_.clear();
  literals_now_.clear();
  for (const Frame& frame : scopes_)
    if (!frame.broken.empty()) {
      reason_ = frame.broken;
      return false;
    }
  return guarded([&] {
    flush_if_stale();
    ++questions_;
    const auto prepare = [&](Term term) {
      should(term->sort->kind == SortKind::Bool, "an assumption should be Boolean");
      const Translation::Entry& entry = translation_.of(term);
      restart_for(fragment_of(entry));
    };
    std::ranges::for_each(assumptions, prepare);
    std::ranges::for_each(others, prepare);
    for (Term term : assumptions) {
      if (is_true(term)) continue;
      if (is_false(term) && !contradiction_) contradiction_ = term;
      assumptions_.push_back(term);
      literals_now_.push_back(literal(term));
    }
  });
}

std::vector<Term> Z3Solver::core() {
  should(state_ == State::Unsat, "a core should be asked for after Unsat");
  if (core_) return *core_;
  core_.emplace();
  if (contradiction_) {
    core_->push_back(contradiction_);
    return *core_;
  }
  std::unordered_set<unsigned> literals;
  const bool done = guarded([&] {
    for (const z3::expr& literal : engine_.core()) literals.insert(literal.id());
  });
  for (std::size_t i = 0; i < assumptions_.size(); ++i)
    if (!done || literals.erase(literals_now_[i].id()) > 0) core_->push_back(assumptions_[i]);
  return *core_;
}

std::string Z3Solver::reason_unknown() {
  should(state_ == State::Unknown, "a reason should be asked for after Unknown");
  return reason_;
}

const z3::model& Z3Solver::model() {
  if (!model_) model_ = engine_.model();
  return *model_;
}

Result<Value> Z3Solver::variable_value(Term variable) {
  if (auto found = values_.find(variable); found != values_.end()) return found->second;
  const z3::expr constant = translation_.of(variable).expr;
  auto value = translation_.read(model().eval(constant, true), variable->sort, &model());
  if (value) values_.emplace(variable, *value);
  return value;
}

Result<Value> Z3Solver::value(Term term) {
  should(state_ == State::Sat, "a value should be asked for after Sat");
  Result<Value> result = Value(0);
  const bool done = guarded([&] {
    std::optional<Diagnostic> problem;
    const auto of = [&](Term variable) {
      auto value = variable_value(variable);
      if (!value) problem = value.error();
      return value.value_or(default_value(variable->sort));
    };
    if (const Translation::Entry& entry = translation_.of(term); entry.size <= small_term) {
      result = evaluate(term, of);
    } else {
      z3::expr_vector from(context_), to(context_);
      for (Term variable : variables(term)) {
        from.push_back(translation_.of(variable).expr);
        to.push_back(translation_.of(of(variable), variable->sort));
      }
      z3::expr whole = entry.expr;
      z3::model empty(context_);
      result = translation_.read(empty.eval(whole.substitute(from, to), true), term->sort, &empty);
    }
    if (problem) result = std::unexpected(*problem);
  });
  if (!done) return fail("{}", reason_);
  return result;
}

z3::expr Z3Solver::name_of(Term predicate) {
  const z3::expr expr = translation_.of(predicate).expr;
  if (is_constant(predicate) || predicate->op == Op::Var) return expr;
  auto found = names_.find(predicate);
  if (found == names_.end())
    found = names_.emplace(predicate, translation_.fresh_bool("holds")).first;
  assert_facts(predicate);
  engine_.add(found->second == expr);
  return found->second;
}

Enumeration Z3Solver::all_sat(std::span<const Term> assumptions, std::span<const Term> predicates,
                              const std::function<bool(const std::vector<bool>&)>& receiver) {
  if (!begin(assumptions, predicates)) {
    answer(Truth::Unknown);
    return Enumeration::Unknown;
  }
  Enumeration end = Enumeration::Complete;
  if (contradiction_) {
    answer(Truth::Unsat);
    return end;
  }
  const OwnScope scope(*this);
  const bool done = guarded([&] {
    std::vector<z3::expr> names;
    for (Term predicate : predicates) names.push_back(name_of(predicate));
    std::vector<bool> valuation(predicates.size());
    Truth truth = ask();
    for (; truth == Truth::Sat; truth = ask()) {
      z3::expr_vector others(context_);
      for (std::size_t i = 0; i < names.size(); ++i) {
        valuation[i] = model().eval(names[i], true).is_true();
        others.push_back(valuation[i] ? !names[i] : names[i]);
      }
      answer(Truth::Sat);
      enumerating_ = true;
      const bool more = receiver(valuation);
      enumerating_ = false;
      if (!more) {
        end = Enumeration::Stopped;
        break;
      }
      engine_.add(z3::mk_or(others));
    }
    if (truth == Truth::Unknown) end = Enumeration::Unknown;
  });
  if (!done) end = Enumeration::Unknown;
  state_ = end == Enumeration::Unknown ? State::Unknown : State::Idle;
  return end;
}

Truth Z3Solver::refute_forall_exists(std::span<const Term> assumptions, Term goal,
                                     std::span<const Term> bound) {
  // Values of maps that are put in for bound ones are constant maps.
  if (std::ranges::any_of(bound, [](Term t) { return t->sort->kind == SortKind::Map; }))
    restart_for(Fragment::General);
  const Term goals[] = {goal};
  if (!begin(assumptions, goals)) return answer(Truth::Unknown);
  Truth truth = Truth::Unknown;
  const bool done = guarded([&] {
    auto& choices = choices_[{goal, {bound.begin(), bound.end()}}];
    if (!choices) choices = std::make_unique<Choices>(translation_, goal, bound);
    proof_ = choices.get();
    if (!choices->linear() && chooser_.fragment() != Fragment::General)
      chooser_.restart(Fragment::General); // values of maps are constant maps
    truth = contradiction_ ? Truth::Unsat : seek_counterexample(*choices);
  });
  return answer(done ? truth : Truth::Unknown);
}

Truth Z3Solver::seek_counterexample(Choices& choices) {
  const OwnScope scope(*this);
  std::size_t used = 0;
  for (std::uint32_t round = 0; round < options_.forall_exists_rounds; ++round) {
    for (; used < choices.regions().size(); ++used) {
      engine_.add(choices.regions()[used].facts);
      engine_.add(!choices.regions()[used].condition);
    }
    const Truth truth = ask();
    if (truth == Truth::Unknown) return truth;
    if (truth == Truth::Unsat) {
      answer(truth);
      core(); // while its scope is open
      return truth;
    }
    model(); // while its scope is open
    if (round == 0) {
      std::vector<Term> around = assumptions_;
      for (const Frame& frame : scopes_)
        around.insert(around.end(), frame.asserted.begin(), frame.asserted.end());
      for (Term variable : variables(around)) choices.suggest(variable);
    }
    switch (choose(choices, round >= first_projected_round)) {
    case Truth::Unsat: return Truth::Sat;
    case Truth::Unknown: return Truth::Unknown;
    case Truth::Sat: break;
    }
    if (used == choices.regions().size()) {
      reason_ = "no choice covers more than the cases looked at";
      return Truth::Unknown;
    }
  }
  reason_ = fmt::format("{} cases were not enough", options_.forall_exists_rounds);
  return Truth::Unknown;
}

/// Can the goal be had for the values that the engine just found for the other variables?
Truth Z3Solver::choose(Choices& choices, bool project) {
  struct Scopes {
    QueryEngine& engine;
    unsigned open = 0;
    void push() {
      engine.push();
      ++open;
    }
    ~Scopes() { engine.pop(open); }
  } scopes{chooser_};
  scopes.push();
  for (Term variable : choices.outside()) {
    const auto value = variable_value(variable);
    if (!value) {
      reason_ = value.error().message;
      return Truth::Unknown;
    }
    chooser_.add(translation_.of(variable).expr == translation_.of(*value, variable->sort));
  }
  chooser_.add(choices.goal());
  // By a term where possible: it will do for other values too.
  scopes.push();
  chooser_.add(choices.among_candidates());
  Truth truth = chooser_.check({});
  if (truth != Truth::Sat) {
    chooser_.pop(1);
    --scopes.open;
    truth = chooser_.check({});
  }
  if (truth == Truth::Unknown) reason_ = chooser_.reason();
  if (truth == Truth::Sat) choices.learn(chooser_.model(), project);
  return truth;
}

Result<std::vector<std::vector<Term>>> Z3Solver::choices(TermArena& arena) {
  should(state_ == State::Unsat && proof_ != nullptr,
         "choices should be asked for after a proof that there are some");
  if (proof_->projected()) return fail("the proof names no terms to choose");
  std::vector<std::vector<Term>> rows;
  BackTranslation back(arena, translation_);
  for (const std::vector<z3::expr>& row : proof_->rows()) {
    rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      auto term = back.term(row[i], proof_->bound()[i]->sort);
      if (!term) return std::unexpected(term.error());
      rows.back().push_back(*term);
    }
  }
  return rows;
}

} // namespace

std::unique_ptr<Solver> make_z3_solver(SolverOptions options) {
  return std::make_unique<Z3Solver>(options);
}

} // namespace tacit
