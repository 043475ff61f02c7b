#include "logic/z3/back.h"

#include <algorithm>
#include <utility>

namespace tacit {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw z3::exception(why.c_str()); }

Z3_decl_kind kind_of(const z3::expr& expr) {
  if (!expr.is_app()) refuse("a quantifier cannot be said as a term");
  return expr.decl().decl_kind();
}

Integer checked(std::optional<Integer> number) {
  if (!number) refuse("a number is too large");
  return *number;
}

Integer gcd(Integer a, Integer b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a < 0 ? -a : a;
}

Integer floor_div(Integer a, Integer b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

} // namespace

Result<Term> BackTranslation::term(const z3::expr& expr, Sort sort) {
  try {
    return of_sort(expr, sort);
  } catch (const z3::exception& problem) {
    return fail("{}", problem.msg());
  }
}

Term BackTranslation::boolean(const z3::expr& expr) {
  if (auto found = booleans_.find(expr.id()); found != booleans_.end()) return found->second;
  const Term made = build_boolean(expr);
  booleans_.emplace(expr.id(), made);
  alive_.push_back(expr);
  return made;
}

Term BackTranslation::build_boolean(const z3::expr& expr) {
  if (const auto bounds = atom(expr)) return write(*bounds);
  switch (kind_of(expr)) {
  case Z3_OP_TRUE: return arena_.truth();
  case Z3_OP_FALSE: return arena_.falsehood();
  case Z3_OP_NOT: return arena_.negate(boolean(expr.arg(0)));
  case Z3_OP_AND: return junction(expr, true);
  case Z3_OP_OR: return junction(expr, false);
  case Z3_OP_IMPLIES: return arena_.implies(boolean(expr.arg(0)), boolean(expr.arg(1)));
  case Z3_OP_XOR: return arena_.ne(boolean(expr.arg(0)), boolean(expr.arg(1)));
  case Z3_OP_ITE:
    return arena_.ite(boolean(expr.arg(0)), boolean(expr.arg(1)), boolean(expr.arg(2)));
  case Z3_OP_IFF:
  case Z3_OP_EQ: {
    const z3::expr a = expr.arg(0), b = expr.arg(1);
    if (a.is_bool()) return arena_.eq(boolean(a), boolean(b));
    Sort sort = sort_of(a);
    if (!sort) sort = sort_of(b);
    if (!sort) sort = guessed_sort(a, nullptr);
    return arena_.eq(map(a, sort), map(b, sort));
  }
  case Z3_OP_DISTINCT: {
    std::vector<Term> parts;
    for (unsigned i = 0; i < expr.num_args(); ++i)
      for (unsigned j = 0; j < i; ++j) parts.push_back(boolean(expr.arg(j) != expr.arg(i)));
    return arena_.conj(std::move(parts));
  }
  default: return scalar(expr);
  }
}

/// An `or` is handled as the negation of an `and`, so that bounds are joined in both.
Term BackTranslation::junction(const z3::expr& expr, bool is_and) {
  std::vector<Term> terms;
  std::vector<Bounds> all;
  const auto visit = [&](const auto& self, const z3::expr& part) -> void {
    if (kind_of(part) == (is_and ? Z3_OP_AND : Z3_OP_OR)) {
      for (unsigned i = 0; i < part.num_args(); ++i) self(self, part.arg(i));
      return;
    }
    auto found = atom(is_and ? part : !part);
    if (!found) {
      terms.push_back(boolean(part));
      return;
    }
    auto same = std::ranges::find_if(all, [&](const Bounds& other) {
      return !other.outside && !found->outside && other.parts == found->parts;
    });
    if (same == all.end()) {
      all.push_back(std::move(*found));
      return;
    }
    if (found->low && (!same->low || *same->low < *found->low)) same->low = found->low;
    if (found->high && (!same->high || *found->high < *same->high)) same->high = found->high;
  };
  visit(visit, expr);
  for (const Bounds& bounds : all)
    terms.push_back(is_and ? write(bounds) : arena_.negate(write(bounds)));
  return is_and ? arena_.conj(std::move(terms)) : arena_.disj(std::move(terms));
}

std::optional<BackTranslation::Bounds> BackTranslation::atom(const z3::expr& expr) {
  const auto kind = kind_of(expr);
  if (kind == Z3_OP_NOT) {
    auto inner = atom(expr.arg(0));
    if (!inner) return std::nullopt;
    if (inner->outside || (inner->low && inner->high)) {
      inner->outside = !inner->outside;
    } else if (inner->low) {
      inner->high = *inner->low - 1;
      inner->low.reset();
    } else {
      inner->low = *inner->high + 1;
      inner->high.reset();
    }
    return inner;
  }
  const bool relation = kind == Z3_OP_EQ || kind == Z3_OP_LE || kind == Z3_OP_LT ||
                        kind == Z3_OP_GE || kind == Z3_OP_GT;
  if (!relation || !expr.arg(0).is_int()) return std::nullopt;
  Sum difference = sum(expr.arg(0));
  const Sum right = sum(expr.arg(1));
  for (const auto& [part, factor] : right.parts)
    difference.parts[part] = checked(checked_sub(difference.parts[part], factor));
  difference.constant = checked(checked_sub(difference.constant, right.constant));
  switch (kind) {
  case Z3_OP_EQ: return bounds(std::move(difference), 0, 0);
  case Z3_OP_LE: return bounds(std::move(difference), std::nullopt, 0);
  case Z3_OP_LT: return bounds(std::move(difference), std::nullopt, -1);
  case Z3_OP_GE: return bounds(std::move(difference), 0, std::nullopt);
  default: return bounds(std::move(difference), 1, std::nullopt);
  }
}

BackTranslation::Bounds BackTranslation::bounds(Sum sum, std::optional<Integer> low,
                                                std::optional<Integer> high) {
  std::erase_if(sum.parts, [](const auto& part) { return part.second == 0; });
  Integer divisor = 0;
  for (const auto& [part, factor] : sum.parts) divisor = gcd(divisor, factor);
  if (divisor == 0) divisor = 1;
  if (low) low = checked(checked_sub(*low, sum.constant));
  if (high) high = checked(checked_sub(*high, sum.constant));
  if (!sum.parts.empty() && sum.parts.begin()->second < 0) {
    divisor = -divisor;
    std::swap(low, high);
  }
  for (auto& [part, factor] : sum.parts) factor /= divisor;
  // Dividing by a negative number has swapped the two; rounding is towards the inside.
  if (low) low = -floor_div(-*low, divisor);
  if (high) high = floor_div(*high, divisor);
  return {std::move(sum.parts), low, high, false};
}

Term BackTranslation::write(const Bounds& bounds) {
  if (bounds.outside) {
    Bounds inside = bounds;
    inside.outside = false;
    return arena_.negate(write(inside));
  }
  if (bounds.low && bounds.high && *bounds.low > *bounds.high) return arena_.falsehood();
  if (!bounds.low && !bounds.high) return arena_.truth();
  if (bounds.parts.empty())
    return arena_.boolean((!bounds.low || *bounds.low <= 0) && (!bounds.high || 0 <= *bounds.high));

  const bool point = bounds.low && bounds.low == bounds.high;
  const auto& [first, factor] = *bounds.parts.begin();
  if (first->sort->kind == SortKind::Enum)
    if (const auto made = write_enum(bounds)) return *made;
  if (first->sort->kind == SortKind::Ref && point) {
    if (bounds.parts.size() == 1) return arena_.eq(first, arena_.reference(*bounds.low));
    const auto& [second, other] = *bounds.parts.rbegin();
    if (bounds.parts.size() == 2 && second->sort == first->sort && factor == 1 && other == -1 &&
        *bounds.low == 0)
      return arena_.eq(first, second);
  }
  return write_sum(bounds);
}

/// One enumeration variable, or two of the same enumeration compared.
std::optional<Term> BackTranslation::write_enum(const Bounds& bounds) {
  const auto& [first, factor] = *bounds.parts.begin();
  const auto count = static_cast<Integer>(first->sort->decl->values.size());
  if (bounds.parts.size() == 1 && factor == 1) {
    const Integer low = std::max<Integer>(0, bounds.low.value_or(0));
    const Integer high = std::min<Integer>(count - 1, bounds.high.value_or(count - 1));
    const auto is = [&](Integer index) {
      return arena_.eq(first, arena_.constant(first->sort, index));
    };
    // Few enumerators are listed, nearly all are written as what is missing.
    if (low > high) return arena_.falsehood();
    std::vector<Term> in, out;
    for (Integer i = 0; i < count; ++i) (low <= i && i <= high ? in : out).push_back(is(i));
    if (out.size() < in.size()) return arena_.negate(arena_.disj(std::move(out)));
    return arena_.disj(std::move(in));
  }
  const auto& [second, other] = *bounds.parts.rbegin();
  if (bounds.parts.size() != 2 || second->sort != first->sort || factor != 1 || other != -1)
    return std::nullopt;
  if (bounds.low && bounds.high) {
    if (*bounds.low == 0 && *bounds.high == 0) return arena_.eq(first, second);
    return std::nullopt;
  }
  if (!ascending(first->sort)) return std::nullopt;
  if (bounds.high == Integer{0}) return arena_.le(first, second);
  if (bounds.high == Integer{-1}) return arena_.lt(first, second);
  if (bounds.low == Integer{0}) return arena_.le(second, first);
  if (bounds.low == Integer{1}) return arena_.lt(second, first);
  return std::nullopt;
}

/// Positive parts on the left, negative ones on the right, the constant where it is positive or
/// alone.
Term BackTranslation::write_sum(const Bounds& bounds) {
  Sum left, right;
  for (const auto& [part, factor] : bounds.parts)
    (factor > 0 ? left : right).parts[part] = factor > 0 ? factor : -factor;
  const auto shifted = [&](Integer by) {
    Sum l = left, r = right;
    (by < 0 && !r.parts.empty() ? l : r).constant = by < 0 && !r.parts.empty() ? -by : by;
    return std::pair(integer(l), integer(r));
  };
  std::vector<Term> parts;
  if (bounds.low && bounds.low == bounds.high) {
    const auto [l, r] = shifted(*bounds.low);
    return arena_.eq(l, r);
  }
  const bool two_sided = !right.parts.empty();
  if (bounds.low) {
    if (two_sided && *bounds.low == 1) {
      parts.push_back(arena_.lt(integer(right), integer(left)));
    } else {
      const auto [l, r] = shifted(*bounds.low);
      parts.push_back(arena_.le(r, l));
    }
  }
  if (bounds.high) {
    if (two_sided && *bounds.high == -1) {
      parts.push_back(arena_.lt(integer(left), integer(right)));
    } else {
      const auto [l, r] = shifted(*bounds.high);
      parts.push_back(arena_.le(l, r));
    }
  }
  return arena_.conj(std::move(parts));
}

const BackTranslation::Sum& BackTranslation::sum(const z3::expr& expr) {
  if (auto found = sums_.find(expr.id()); found != sums_.end()) return found->second;
  Sum made = build_sum(expr);
  alive_.push_back(expr);
  return sums_.emplace(expr.id(), std::move(made)).first->second;
}

BackTranslation::Sum BackTranslation::build_sum(const z3::expr& expr) {
  if (expr.is_numeral()) return {.constant = checked(number_of(expr))};
  if (const auto wrapped = our_wrap(expr)) return {.parts = {{*wrapped, 1}}};
  Sum total;
  const auto add = [&](const Sum& other, Integer times) {
    for (const auto& [part, factor] : other.parts)
      total.parts[part] =
          checked(checked_add(total.parts[part], checked(checked_mul(factor, times))));
    total.constant =
        checked(checked_add(total.constant, checked(checked_mul(other.constant, times))));
  };
  switch (kind_of(expr)) {
  case Z3_OP_ADD:
  case Z3_OP_SUB:
    for (unsigned i = 0; i < expr.num_args(); ++i)
      add(sum(expr.arg(i)), i > 0 && kind_of(expr) == Z3_OP_SUB ? -1 : 1);
    break;
  case Z3_OP_UMINUS: add(sum(expr.arg(0)), -1); break;
  case Z3_OP_MUL: {
    Integer factor = 1;
    Term product = nullptr;
    const Sum* scaled = nullptr;
    for (unsigned i = 0; i < expr.num_args(); ++i) {
      const Sum& part = sum(expr.arg(i));
      if (part.parts.empty()) {
        factor = checked(checked_mul(factor, part.constant));
        continue;
      }
      product = product ? arena_.mul(product, integer(part)) : integer(part);
      scaled = scaled ? nullptr : &part;
    }
    if (!product)
      total.constant = factor;
    else
      add(scaled ? *scaled : Sum{.parts = {{product, 1}}}, factor);
    break;
  }
  default: total.parts[scalar(expr)] = 1;
  }
  std::erase_if(total.parts, [](const auto& part) { return part.second == 0; });
  return total;
}

/// A variable, what is read from a map, a conditional, a division: what arithmetic does not open.
Term BackTranslation::scalar(const z3::expr& expr) {
  switch (kind_of(expr)) {
  case Z3_OP_UNINTERPRETED: {
    const Term variable = translation_.variable(expr);
    if (!variable) refuse("a name that the solver invented is left over");
    return variable;
  }
  case Z3_OP_SELECT: {
    Sort sort = sort_of(expr.arg(0));
    if (!sort) sort = guessed_sort(expr.arg(0), sort_of(expr.arg(1)));
    return arena_.select(map(expr.arg(0), sort), key(expr.arg(1), sort->key));
  }
  case Z3_OP_ITE: return conditional(expr);
  case Z3_OP_IDIV:
  case Z3_OP_MOD:
  case Z3_OP_REM: return euclidean(expr);
  default: refuse("an operator of the solver has no counterpart");
  }
}

Term BackTranslation::conditional(const z3::expr& expr) {
  if (const auto division = our_division(expr)) return *division;
  const Term condition = boolean(expr.arg(0));
  const Sort sort = sort_of(expr);
  if (sort && sort->kind != SortKind::Int)
    return arena_.ite(condition, of_sort(expr.arg(1), sort), of_sort(expr.arg(2), sort));
  return arena_.ite(condition, integer(sum(expr.arg(1))), integer(sum(expr.arg(2))));
}

/// Recognises the encoding of a truncating division by building it again.
std::optional<Term> BackTranslation::our_division(const z3::expr& expr) {
  z3::expr inner = expr;
  if (kind_of(inner.arg(2)) == Z3_OP_ITE) inner = inner.arg(2);
  const z3::expr whole = inner.arg(1);
  const auto kind = kind_of(whole);
  if (kind != Z3_OP_IDIV && kind != Z3_OP_MOD) return std::nullopt;
  const z3::expr a = whole.arg(0), b = whole.arg(1);
  const bool is_div = kind == Z3_OP_IDIV;
  const z3::expr again =
      is_div ? Translation::truncated_div(a, b) : Translation::truncated_mod(a, b);
  if (!z3::eq(again, expr)) return std::nullopt;
  const Term x = integer(sum(a)), y = integer(sum(b));
  return is_div ? arena_.div(x, y) : arena_.mod(x, y);
}

std::optional<Term> BackTranslation::our_wrap(const z3::expr& expr) {
  const auto kind = kind_of(expr);
  const bool is_signed = kind == Z3_OP_SUB;
  if (!is_signed && kind != Z3_OP_MOD) return std::nullopt;
  const z3::expr reduced = is_signed ? expr.arg(0) : expr;
  if (kind_of(reduced) != Z3_OP_MOD) return std::nullopt;
  const auto size = number_of(reduced.arg(1));
  for (const int bits : {8, 16, 32, 64}) {
    if (size != Integer{1} << bits) continue;
    z3::expr inner = reduced.arg(0);
    if (is_signed) {
      if (kind_of(inner) != Z3_OP_ADD || inner.num_args() != 2) return std::nullopt;
      inner = inner.arg(0);
    }
    if (!z3::eq(translation_.wrapped(inner, bits, is_signed), expr)) return std::nullopt;
    return arena_.wrap(bits, is_signed, integer(sum(inner)));
  }
  return std::nullopt;
}

Term BackTranslation::euclidean(const z3::expr& expr) {
  const auto divisor = number_of(expr.arg(1));
  if (kind_of(expr) == Z3_OP_REM || !divisor || *divisor == 0)
    refuse("Euclidean division by a variable cannot be said as a term");
  const Integer size = *divisor < 0 ? -*divisor : *divisor;
  const Term a = integer(sum(expr.arg(0)));
  const Term truncated = arena_.mod(a, arena_.integer(size));
  const Term remainder = arena_.ite(arena_.lt(truncated, arena_.integer(0)),
                                    arena_.add(truncated, arena_.integer(size)), truncated);
  if (kind_of(expr) == Z3_OP_MOD) return remainder;
  return arena_.div(arena_.sub(a, remainder), arena_.integer(*divisor));
}

Term BackTranslation::integer(const Sum& sum) {
  Term total = nullptr;
  const auto part = [&](Term term, Integer factor) {
    return factor == 1 ? number(term) : arena_.mul(number(term), arena_.integer(factor));
  };
  for (const auto& [term, factor] : sum.parts)
    if (factor > 0) total = total ? arena_.add(total, part(term, factor)) : part(term, factor);
  for (const auto& [term, factor] : sum.parts)
    if (factor < 0)
      total = total          ? arena_.sub(total, part(term, -factor))
              : factor == -1 ? arena_.neg(number(term))
                             : part(term, factor);
  if (!total) return arena_.integer(sum.constant);
  return arena_.add(total, arena_.integer(sum.constant));
}

/// A part of a sum as an int: the index of an enumerator.
Term BackTranslation::number(Term part) {
  if (part->sort->kind == SortKind::Int) return part;
  if (part->sort->kind != SortKind::Enum) refuse("references have no order and no arithmetic");
  if (value_is_index(part->sort)) return arena_.to_int(part);
  const std::size_t count = std::max<std::size_t>(1, part->sort->decl->values.size());
  Term index = arena_.integer(static_cast<Integer>(count) - 1);
  for (std::size_t i = count - 1; i-- > 0;)
    index = arena_.ite(arena_.eq(part, arena_.enumerator(part->sort, i)),
                       arena_.integer(static_cast<Integer>(i)), index);
  return index;
}

Term BackTranslation::of_sort(const z3::expr& expr, Sort sort) {
  switch (sort->kind) {
  case SortKind::Bool: return boolean(expr);
  case SortKind::Map: return map(expr, sort);
  case SortKind::Int: return integer(sum(expr));
  case SortKind::Enum:
  case SortKind::Ref: break;
  }
  if (!expr.is_numeral() && kind_of(expr) == Z3_OP_ITE)
    return arena_.ite(boolean(expr.arg(0)), of_sort(expr.arg(1), sort), of_sort(expr.arg(2), sort));
  const Sum& whole = sum(expr);
  if (whole.parts.empty()) {
    if (sort->kind == SortKind::Ref) return arena_.reference(whole.constant);
    if (0 <= whole.constant && whole.constant < static_cast<Integer>(sort->decl->values.size()))
      return arena_.constant(sort, whole.constant);
  }
  if (whole.parts.size() == 1 && whole.constant == 0 && whole.parts.begin()->second == 1 &&
      whole.parts.begin()->first->sort == sort)
    return whole.parts.begin()->first;
  refuse("references and enumerators have no arithmetic");
}

Term BackTranslation::key(const z3::expr& expr, Sort sort) {
  if (sort->kind != SortKind::Bool) return of_sort(expr, sort);
  if (const auto number = number_of(expr); number == Integer{0} || number == Integer{1})
    return arena_.boolean(*number == 1);
  if (kind_of(expr) != Z3_OP_ITE) refuse("a Boolean key is computed with");
  return arena_.ite(boolean(expr.arg(0)), key(expr.arg(1), sort), key(expr.arg(2), sort));
}

Term BackTranslation::map(const z3::expr& expr, Sort sort) {
  Term made = nullptr;
  switch (kind_of(expr)) {
  case Z3_OP_STORE:
    made = arena_.store(map(expr.arg(0), sort), key(expr.arg(1), sort->key),
                        of_sort(expr.arg(2), sort->value));
    break;
  case Z3_OP_CONST_ARRAY: made = arena_.const_map(sort, of_sort(expr.arg(0), sort->value)); break;
  case Z3_OP_ITE:
    made = arena_.ite(boolean(expr.arg(0)), map(expr.arg(1), sort), map(expr.arg(2), sort));
    break;
  default: made = scalar(expr);
  }
  if (made->sort != sort) refuse("a map is used as one of another sort");
  return made;
}

/// The sort of the variables inside; null where only constants are.
Sort BackTranslation::sort_of(const z3::expr& expr) {
  if (expr.is_numeral()) return nullptr;
  switch (kind_of(expr)) {
  case Z3_OP_UNINTERPRETED: {
    const Term variable = translation_.variable(expr);
    return variable ? variable->sort : nullptr;
  }
  case Z3_OP_STORE: return sort_of(expr.arg(0));
  case Z3_OP_SELECT: {
    const Sort sort = sort_of(expr.arg(0));
    return sort ? sort->value : nullptr;
  }
  case Z3_OP_ITE: {
    const Sort sort = sort_of(expr.arg(1));
    return sort ? sort : sort_of(expr.arg(2));
  }
  case Z3_OP_CONST_ARRAY: return nullptr;
  default: return expr.is_bool() ? arena_.bool_sort() : arena_.int_sort();
  }
}

/// A map without variables is over what it is asked for or made of; numbers, where that is silent.
Sort BackTranslation::guessed_sort(const z3::expr& expr, Sort key) {
  Sort value = nullptr;
  z3::expr part = expr;
  for (;; part = part.arg(kind_of(part) == Z3_OP_ITE ? 1 : 0)) {
    const auto kind = kind_of(part);
    if (kind == Z3_OP_STORE && !key) key = sort_of(part.arg(1));
    if (kind == Z3_OP_STORE && !value) value = sort_of(part.arg(2));
    if (kind == Z3_OP_CONST_ARRAY && !value) value = sort_of(part.arg(0));
    if (kind != Z3_OP_STORE && kind != Z3_OP_ITE) break;
  }
  const z3::sort range = expr.get_sort().array_range();
  if (!value && range.is_array()) refuse("the sort of a map is not known");
  if (!value) value = range.is_bool() ? arena_.bool_sort() : arena_.int_sort();
  return arena_.map_sort(key ? key : arena_.int_sort(), value);
}

} // namespace tacit
