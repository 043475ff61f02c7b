#include "check/cvc5/solver.h"

#include <algorithm>

#include <cvc5/cvc5.h>

#include <optional>
#include <sstream>
#include <unordered_map>

#include "base/should.h"

namespace tacit {

/// One cvc5 solver with the translations made for it.
class SecondSolver::Session {
public:
  Session(std::uint64_t resource_limit, std::optional<double> seconds) {
    solver_.setLogic("ALL");
    solver_.setOption("incremental", "true");
    solver_.setOption("produce-models", "true");
    solver_.setOption("rlimit-per", std::to_string(resource_limit));
    if (seconds)
      solver_.setOption("tlimit-per",
                        std::to_string(static_cast<std::uint64_t>(std::max(1.0, *seconds) * 1000)));
  }

  Answer check(const Formula& formula, TermModel* model, std::string& reason) {
    solver_.push();
    solver_.assertFormula(translate(formula));
    const cvc5::Result result = solver_.checkSat();
    Answer answer = Answer::Unknown;
    if (result.isUnsat()) answer = Answer::Unsat;
    if (result.isSat()) answer = Answer::Sat;
    if (answer == Answer::Unknown) {
      std::ostringstream text;
      text << result.getUnknownExplanation();
      reason = "the second solver gave up (" + text.str() + ")";
    }
    if (answer == Answer::Sat && model != nullptr) {
      model->clear();
      for (Term variable : free_variables(formula))
        if (auto value = value_of(solver_.getValue(translate(variable))))
          model->emplace(variable, *value);
    }
    solver_.pop();
    return answer;
  }

private:
  cvc5::Sort translate(Sort sort) {
    switch (sort->kind) {
    case SortKind::Bool: return solver_.getBooleanSort();
    case SortKind::Map: return solver_.mkArraySort(translate(sort->key), translate(sort->value));
    default: return solver_.getIntegerSort();
    }
  }

  cvc5::Term number(Integer value) { return solver_.mkInteger(to_string(value)); }

  cvc5::Term translate(const Formula& formula) {
    switch (formula.kind) {
    case Formula::Kind::Plain: return translate(formula.term);
    case Formula::Kind::And:
    case Formula::Kind::Or: {
      std::vector<cvc5::Term> parts;
      for (const Formula& part : formula.parts) parts.push_back(translate(part));
      return solver_.mkTerm(formula.kind == Formula::Kind::And ? cvc5::AND : cvc5::OR, parts);
    }
    case Formula::Kind::Exists:
    case Formula::Kind::Forall: {
      std::vector<cvc5::Term> bound;
      for (Term variable : formula.bound) {
        // A variable may be bound by several quantifiers that do not enclose each other.
        auto [place, made] = terms_.try_emplace(variable);
        if (made) place->second = solver_.mkVar(translate(variable->sort), variable->name);
        bound.push_back(place->second);
      }
      const cvc5::Term list = solver_.mkTerm(cvc5::VARIABLE_LIST, bound);
      return solver_.mkTerm(formula.kind == Formula::Kind::Exists ? cvc5::EXISTS : cvc5::FORALL,
                            {list, translate(formula.parts.front())});
    }
    }
    should_not_be_reached("every kind of formula should be translated");
  }

  cvc5::Term translate(Term term) {
    if (const auto known = terms_.find(term); known != terms_.end()) return known->second;
    std::vector<cvc5::Term> args;
    for (Term arg : term->args) args.push_back(translate(arg));
    const cvc5::Term made = apply(term, args);
    terms_.emplace(term, made);
    return made;
  }

  cvc5::Term apply(Term term, const std::vector<cvc5::Term>& args) {
    switch (term->op) {
    case Op::BoolConst: return solver_.mkBoolean(term->number != 0);
    case Op::IntConst:
    case Op::EnumConst:
    case Op::RefConst: return number(term->number);
    case Op::Var: return solver_.mkConst(translate(term->sort), term->name);
    case Op::Not: return solver_.mkTerm(cvc5::NOT, args);
    case Op::And: return solver_.mkTerm(cvc5::AND, args);
    case Op::Or: return solver_.mkTerm(cvc5::OR, args);
    case Op::Ite: return solver_.mkTerm(cvc5::ITE, args);
    case Op::Eq: return solver_.mkTerm(cvc5::EQUAL, args);
    case Op::Lt: return solver_.mkTerm(cvc5::LT, args);
    case Op::Le: return solver_.mkTerm(cvc5::LEQ, args);
    case Op::Add: return solver_.mkTerm(cvc5::ADD, args);
    case Op::Sub: return solver_.mkTerm(cvc5::SUB, args);
    case Op::Neg: return solver_.mkTerm(cvc5::NEG, args);
    case Op::Mul: return solver_.mkTerm(cvc5::MULT, args);
    case Op::Div: return truncated(cvc5::INTS_DIVISION, term, args);
    case Op::Mod: return truncated(cvc5::INTS_MODULUS, term, args);
    case Op::Wrap: return wrapped(term->number, args[0]);
    case Op::Select: return solver_.mkTerm(cvc5::SELECT, args);
    case Op::Store: return solver_.mkTerm(cvc5::STORE, args);
    case Op::ConstMap: return solver_.mkConstArray(translate(term->sort), args[0]);
    case Op::ToInt: break;
    }
    should_not_be_reached("a term for the second solver should be free of enumerations");
  }

  /// SMT-LIB's division leaves a remainder that is never negative, so it agrees with truncation for
  /// dividends that are not negative; the others are mirrored.
  cvc5::Term truncated(cvc5::Kind kind, Term term, const std::vector<cvc5::Term>& args) {
    const cvc5::Term zero = solver_.mkInteger(0);
    const cvc5::Term positive = solver_.mkTerm(kind, args);
    const cvc5::Term mirrored = solver_.mkTerm(
        cvc5::NEG, {solver_.mkTerm(kind, {solver_.mkTerm(cvc5::NEG, {args[0]}), args[1]})});
    const cvc5::Term result =
        solver_.mkTerm(cvc5::ITE, {solver_.mkTerm(cvc5::GEQ, {args[0], zero}), positive, mirrored});
    if (term->args[1]->op == Op::IntConst && term->args[1]->number != 0) return result;
    return solver_.mkTerm(cvc5::ITE, {solver_.mkTerm(cvc5::EQUAL, {args[1], zero}), zero, result});
  }

  cvc5::Term wrapped(Integer payload, const cvc5::Term& arg) {
    const bool is_signed = payload < 0;
    const int bits = static_cast<int>(is_signed ? -payload : payload);
    const cvc5::Term size = number(Integer{1} << bits);
    if (!is_signed) return solver_.mkTerm(cvc5::INTS_MODULUS, {arg, size});
    const cvc5::Term half = number(Integer{1} << (bits - 1));
    const cvc5::Term shifted = solver_.mkTerm(cvc5::ADD, {arg, half});
    return solver_.mkTerm(cvc5::SUB, {solver_.mkTerm(cvc5::INTS_MODULUS, {shifted, size}), half});
  }

  /// nullopt for a number that Integer cannot hold.
  static std::optional<Value> value_of(const cvc5::Term& term) {
    if (term.isBooleanValue()) return Value(term.getBooleanValue() ? 1 : 0);
    if (term.isIntegerValue()) {
      const auto parsed = parse_integer(term.getIntegerValue());
      if (!parsed) return std::nullopt;
      return Value(*parsed);
    }
    if (term.isConstArray()) {
      const auto otherwise = value_of(term.getConstArrayBase());
      if (!otherwise) return std::nullopt;
      return const_map(*otherwise);
    }
    if (term.getKind() == cvc5::STORE) {
      const auto map = value_of(term[0]), key = value_of(term[1]), value = value_of(term[2]);
      if (!map || !key || !value) return std::nullopt;
      return store(*map, *key, *value);
    }
    return std::nullopt;
  }

  cvc5::Solver solver_;
  std::unordered_map<Term, cvc5::Term> terms_;
};

SecondSolver::SecondSolver(std::uint64_t resource_limit) : resource_limit_(resource_limit) {}
SecondSolver::~SecondSolver() = default;

SecondSolver::Answer SecondSolver::check(const Formula& formula, TermModel* model) {
  ++queries_;
  reason_.clear();
  try {
    if (has_quantifier(formula))
      return Session(resource_limit_, seconds_).check(formula, model, reason_);
    if (!session_) session_ = std::make_unique<Session>(resource_limit_, seconds_);
    return session_->check(formula, model, reason_);
  } catch (const InternalError&) {
    throw;
  } catch (const std::exception& error) {
    session_.reset(); // its scopes may be unbalanced
    reason_ = std::string("the second solver failed: ") + error.what();
    return Answer::Unknown;
  }
}

} // namespace tacit
