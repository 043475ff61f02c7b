#include "logic/z3/choices.h"

#include <algorithm>
#include <unordered_set>

namespace tacit {

namespace {

constexpr std::size_t max_candidates = 24;

/// Visits every subexpression once, those nearer to the root first.
template <class Visit> void for_each_part(const z3::expr& root, const Visit& visit) {
  std::unordered_set<unsigned> seen{root.id()};
  std::vector<z3::expr> queue{root};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const z3::expr part = queue[i];
    visit(part);
    if (!part.is_app()) continue;
    for (unsigned j = 0; j < part.num_args(); ++j)
      if (seen.insert(part.arg(j).id()).second) queue.push_back(part.arg(j));
  }
}

bool mentions(const z3::expr& expr, const z3::expr_vector& constants) {
  bool found = false;
  for_each_part(expr, [&](const z3::expr& part) {
    for (unsigned i = 0; i < constants.size() && !found; ++i) found = z3::eq(part, constants[i]);
  });
  return found;
}

bool same_row(const std::vector<z3::expr>& a, const std::vector<z3::expr>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return z3::eq(x, y); });
}

} // namespace

Choices::Choices(Translation& translation, Term goal, std::span<const Term> bound)
    : translation_(translation), context_(translation.context()),
      bound_(bound.begin(), bound.end()), constants_(context_), goal_(translation.of(goal).expr),
      facts_(context_.bool_val(true)) {
  for (Term variable : variables(goal))
    if (std::ranges::find(bound_, variable) == bound_.end()) outside_.push_back(variable);
  for (Term variable : bound_) constants_.push_back(translation.of(variable).expr);

  z3::expr_vector ranges(context_), facts(context_);
  for (Term variable : bound_)
    translation.for_facts(variable, [&](Term, const std::vector<z3::expr>& made) {
      for (const z3::expr& fact : made) ranges.push_back(fact);
    });
  translation.for_facts(goal, [&](Term node, const std::vector<z3::expr>& made) {
    if (std::ranges::find(bound_, node) != bound_.end()) return;
    // A fact about two maps names a key of its own, which each row would need anew.
    for (const z3::expr& fact : made) {
      if (node->op == Op::Eq && mentions(fact, constants_))
        throw z3::exception("equality of maps of enumerators cannot be chosen for");
      facts.push_back(fact);
    }
  });
  ranges.push_back(goal_);
  goal_ = z3::mk_and(ranges);
  if (!facts.empty()) facts_ = z3::mk_and(facts);
  const Translation::Entry& entry = translation.of(goal);
  linear_ = !entry.maps && !entry.nonlinear;
  collect_candidates();
}

bool Choices::add_candidate(std::size_t index, const z3::expr& term) {
  auto& known = candidates_[index];
  if (known.size() >= max_candidates) return false;
  if (std::ranges::any_of(known, [&](const z3::expr& other) { return z3::eq(other, term); }))
    return false;
  known.push_back(term);
  return true;
}

/// Equalities first: they leave no choice.
void Choices::collect_candidates() {
  candidates_.resize(bound_.size());
  for (const bool equalities : {true, false})
    for_each_part(goal_, [&](const z3::expr& part) {
      if (!part.is_app() || part.num_args() != 2) return;
      const auto kind = part.decl().decl_kind();
      if (equalities ? kind != Z3_OP_EQ
                     : kind != Z3_OP_LE && kind != Z3_OP_GE && kind != Z3_OP_LT &&
                           kind != Z3_OP_GT && kind != Z3_OP_EQ)
        return;
      for (unsigned side = 0; side < 2; ++side)
        for (unsigned i = 0; i < constants_.size(); ++i) {
          const z3::expr term = part.arg(1 - side);
          if (!z3::eq(part.arg(side), constants_[i]) || mentions(term, constants_)) continue;
          add_candidate(i, term);
          if (equalities || !term.is_int()) continue;
          add_candidate(i, (term - 1).simplify());
          add_candidate(i, (term + 1).simplify());
        }
    });
  for (Term variable : std::vector(outside_)) suggest(variable);
}

void Choices::suggest(Term variable) {
  if (std::ranges::find(bound_, variable) != bound_.end()) return;
  bool used = false;
  for (std::size_t i = 0; i < bound_.size(); ++i)
    if (bound_[i]->sort == variable->sort) used |= add_candidate(i, translation_.of(variable).expr);
  if (used && std::ranges::find(outside_, variable) == outside_.end()) outside_.push_back(variable);
}

z3::expr Choices::among_candidates() const {
  z3::expr_vector parts(context_);
  for (std::size_t i = 0; i < bound_.size(); ++i) {
    if (bound_[i]->sort->kind == SortKind::Bool || candidates_[i].empty()) continue;
    z3::expr_vector cases(context_);
    for (const z3::expr& candidate : candidates_[i])
      cases.push_back(constants_[static_cast<unsigned>(i)] == candidate);
    parts.push_back(z3::mk_or(cases));
  }
  return z3::mk_and(parts);
}

void Choices::add(std::vector<z3::expr> row) {
  if (std::ranges::any_of(rows_, [&](const auto& known) { return same_row(known, row); })) return;
  z3::expr_vector by(context_);
  for (const z3::expr& term : row) by.push_back(term);
  z3::expr goal = goal_, facts = facts_;
  if (!row.empty()) {
    goal = goal.substitute(constants_, by).simplify();
    facts = facts.substitute(constants_, by).simplify();
  }
  regions_.push_back({goal, facts});
  rows_.push_back(std::move(row));
}

void Choices::add_projection(const z3::model& model) {
  std::vector<Z3_app> apps;
  for (unsigned i = 0; i < constants_.size(); ++i)
    apps.push_back(Z3_to_app(context_, constants_[i]));
  const Z3_ast raw =
      Z3_qe_model_project(context_, model, static_cast<unsigned>(apps.size()), apps.data(), goal());
  context_.check_error();
  const z3::expr region(context_, raw);

  // Projection may leave names of its own behind, which stand under a quantifier we do not see.
  std::unordered_set<unsigned> known;
  for_each_part(goal(), [&](const z3::expr& part) {
    if (part.is_const()) known.insert(part.id());
  });
  for (unsigned i = 0; i < constants_.size(); ++i) known.erase(constants_[i].id());
  bool closed = true;
  for_each_part(region, [&](const z3::expr& part) {
    if (part.is_const() && part.decl().decl_kind() == Z3_OP_UNINTERPRETED)
      closed = closed && known.contains(part.id());
    closed = closed && part.is_app();
  });
  if (!closed || !model.eval(region, true).is_true()) return;
  projected_ = true;
  regions_.push_back({region, context_.bool_val(true)});
}

void Choices::learn(const z3::model& model, bool project) {
  std::vector<z3::expr> by_value, by_term;
  for (unsigned i = 0; i < constants_.size(); ++i) {
    z3::expr value = model.eval(constants_[i], true);
    if (bound_[i]->sort->kind == SortKind::Map) {
      // A map's value may be a function that only this model knows; spell it out.
      const auto plain = translation_.read(value, bound_[i]->sort, &model);
      if (!plain) throw z3::exception(plain.error().message.c_str());
      value = translation_.of(*plain, bound_[i]->sort);
    }
    by_value.push_back(value);
    by_term.push_back(value);
    for (const z3::expr& candidate : candidates_[i])
      if (z3::eq(model.eval(candidate, true), value)) {
        by_term.back() = candidate;
        break;
      }
  }
  add(std::move(by_term));
  add(std::move(by_value));
  if (project && !bound_.empty()) add_projection(model);
}

} // namespace tacit
