#include "logic/term/known.h"

#include <algorithm>
#include <unordered_map>

namespace tacit {
namespace {

class Knowing {
public:
  explicit Knowing(TermArena& arena) : arena_(arena) {}

  /// Parts first: what they become are the literals of the whole.
  Term simplified(Term term) {
    if (term->args.empty()) return term;
    if (const auto known = done_.find(term); known != done_.end()) return known->second;
    std::vector<Term> args;
    for (Term a : term->args) args.push_back(simplified(a));
    Term made = arena_.rebuild(term, std::move(args));
    if (made->op == Op::And || made->op == Op::Or) made = joined(made);
    done_.emplace(term, made);
    return made;
  }

private:
  using Values = std::unordered_map<Term, Term>;

  static bool is_literal(Term t) {
    return t->op != Op::And && t->op != Op::Or && t->op != Op::BoolConst;
  }

  /// All parts at once: a literal can only occur in larger ones, so that none rests on itself.
  Term joined(Term term) {
    Values values;
    const Term holds = arena_.boolean(term->op == Op::And);
    for (Term part : term->args)
      if (is_literal(part)) {
        values.emplace(part, holds);
        values.emplace(arena_.negate(part), arena_.negate(holds));
      }
    if (values.empty()) return term;
    Values memo = values;
    std::vector<Term> parts;
    for (Term part : term->args) parts.push_back(part_with(part, values, memo));
    return term->op == Op::And ? arena_.conj(std::move(parts)) : arena_.disj(std::move(parts));
  }

  /// The part itself stays, whatever is known of it by being there.
  Term part_with(Term part, const Values& values, Values& memo) {
    if (!values.contains(part)) return replace(part, memo);
    const bool negated = part->op == Op::Not;
    const Term atom = negated ? part->args[0] : part;
    if (atom->args.empty()) return part;
    std::vector<Term> args;
    for (Term a : atom->args) args.push_back(replace(a, memo));
    const Term made = arena_.rebuild(atom, std::move(args));
    return negated ? arena_.negate(made) : made;
  }

  Term replace(Term term, Values& memo) {
    if (const auto known = memo.find(term); known != memo.end()) return known->second;
    if (term->args.empty()) return term;
    std::vector<Term> args;
    for (Term a : term->args) args.push_back(replace(a, memo));
    const bool same = std::ranges::equal(args, term->args);
    const Term made = same ? term : arena_.rebuild(term, std::move(args));
    memo.emplace(term, made);
    return made;
  }

  TermArena& arena_;
  std::unordered_map<Term, Term> done_;
};

} // namespace

Term with_known_literals(TermArena& arena, Term formula) {
  return Knowing(arena).simplified(formula);
}

} // namespace tacit
