#include "finite/bdd/symbolic.h"

#include "base/should.h"
#include "finite/shape.h"
#include "logic/term/print.h"

namespace tacit {
namespace {

Cell cell(Number number) { return std::make_shared<const Number>(std::move(number)); }
SymbolicValue scalar(Number number, Bdd fails) {
  return {{cell(std::move(number))}, std::move(fails)};
}

Cell choose_cell(const Bdd& condition, const Cell& then_, const Cell& else_) {
  if (then_ == else_ || condition.is_true()) return then_;
  if (condition.is_false()) return else_;
  return cell(choose(condition, *then_, *else_));
}

} // namespace

Bdd in_type(const Type& type, const Number& value) {
  Bdd inside(true);
  if (type.sort->kind != SortKind::Int) return inside;
  if (type.low) inside &= less_equal(Number::constant(*type.low), value);
  if (type.high) inside &= less_equal(value, Number::constant(*type.high));
  return inside;
}

SymbolicValue SymbolicEvaluator::value(Term term, const Type* wanted) {
  if (auto found = known_.find(term); found != known_.end()) return found->second;
  SymbolicValue made = compute(term, wanted);
  // The same constant map can have different keys elsewhere.
  if (term->sort->kind != SortKind::Map) known_.emplace(term, made);
  return made;
}

SymbolicValue SymbolicEvaluator::compute(Term term, const Type* wanted) {
  switch (term->op) {
  case Op::IntConst:
    if (term->number > INT64_MAX || term->number < INT64_MIN)
      throw BddGaveUp{"the number " + to_string(term->number) +
                      " is too large for finite exploration"};
    [[fallthrough]];
  case Op::BoolConst:
  case Op::EnumConst:
  case Op::RefConst: return scalar(Number::constant(term->number), Bdd(false));
  case Op::Var: {
    const CellRange& range = ranges_.at(term);
    const auto first = environment_.begin() + static_cast<std::ptrdiff_t>(range.first);
    return {Cells(first, first + static_cast<std::ptrdiff_t>(range.count)), Bdd(false)};
  }
  case Op::Not: {
    SymbolicValue a = value(term->args[0], nullptr);
    return scalar(Number::truth(!a.cells[0]->holds()), a.fails);
  }
  case Op::And:
  case Op::Or: return junction(term);
  case Op::Ite: {
    const Type* type = type_of(term, wanted);
    const SymbolicValue c = value(term->args[0], nullptr);
    const Bdd condition = c.cells[0]->holds();
    SymbolicValue a = value(term->args[1], type), b = value(term->args[2], type);
    SymbolicValue result{{}, c.fails | ite(condition, a.fails, b.fails)};
    for (std::size_t i = 0; i < a.cells.size(); ++i)
      result.cells.push_back(choose_cell(condition, a.cells[i], b.cells[i]));
    return result;
  }
  case Op::Eq: {
    const Type *left = nullptr, *right = nullptr;
    if (term->args[0]->sort->kind == SortKind::Map) {
      left = type_of(term->args[0], nullptr);
      right = type_of(term->args[1], left);
      if (left == nullptr) left = right;
    }
    const SymbolicValue a = value(term->args[0], left), b = value(term->args[1], right);
    Bdd all(true);
    for (std::size_t i = a.cells.size(); i-- > 0;) all &= equal(*a.cells[i], *b.cells[i]);
    return scalar(Number::truth(all), a.fails | b.fails);
  }
  case Op::Lt:
  case Op::Le: {
    const SymbolicValue a = value(term->args[0], nullptr), b = value(term->args[1], nullptr);
    const Number x = ordered(term->args[0], *a.cells[0]), y = ordered(term->args[1], *b.cells[0]);
    return scalar(Number::truth(term->op == Op::Lt ? less(x, y) : less_equal(x, y)),
                  a.fails | b.fails);
  }
  case Op::Add:
  case Op::Sub:
  case Op::Neg:
  case Op::Mul:
  case Op::Div:
  case Op::Mod:
  case Op::Wrap: return arithmetic(term);
  case Op::ToInt: {
    const SymbolicValue a = value(term->args[0], nullptr);
    return scalar(ordered(term->args[0], *a.cells[0]), a.fails);
  }
  case Op::Select: return selection(term);
  case Op::Store: return update(term, wanted);
  case Op::ConstMap: {
    const Type& type = map_type(term, wanted);
    const SymbolicValue element = value(term->args[0], type.value.get());
    SymbolicValue all{{}, element.fails};
    while (all.cells.size() < width_of(type))
      all.cells.insert(all.cells.end(), element.cells.begin(), element.cells.end());
    return all;
  }
  }
  should_not_be_reached("every operator should be evaluated");
}

SymbolicValue SymbolicEvaluator::junction(Term term) {
  const bool is_and = term->op == Op::And;
  Bdd result(is_and), fails(false);
  for (Term part : term->args) {
    const SymbolicValue a = value(part, nullptr);
    const Bdd open = is_and ? result : !result;
    fails |= open & a.fails;
    result = is_and ? result & a.cells[0]->holds() : result | a.cells[0]->holds();
    if (result.is_constant() && result.is_true() != is_and) break;
  }
  return scalar(Number::truth(result), std::move(fails));
}

SymbolicValue SymbolicEvaluator::arithmetic(Term term) {
  const SymbolicValue a = value(term->args[0], nullptr);
  const Number& x = *a.cells[0];
  Bdd fails = a.fails;
  Number result = Number::constant(0);
  if (term->args.size() == 1) {
    const bool is_signed = term->number < 0;
    result = term->op == Op::Neg
                 ? negate(x)
                 : wrap(x, static_cast<std::size_t>(is_signed ? -term->number : term->number),
                        is_signed);
  } else {
    const SymbolicValue b = value(term->args[1], nullptr);
    const Number& y = *b.cells[0];
    fails |= b.fails;
    switch (term->op) {
    case Op::Add: result = add(x, y); break;
    case Op::Sub: result = subtract(x, y); break;
    case Op::Mul: result = multiply(x, y); break;
    case Op::Div: result = divide(x, y).quotient; break;
    default: result = divide(x, y).remainder; break;
    }
  }
  const Bdd overflow = beyond_64_bits(result);
  if (!overflow.is_false()) failure_ = "a number is too large for finite exploration";
  return scalar(result.cut(64), fails | overflow);
}

SymbolicValue SymbolicEvaluator::selection(Term term) {
  const Type& type = map_type(term->args[0], nullptr);
  const SymbolicValue map = value(term->args[0], &type), key = value(term->args[1], nullptr);
  const Number& index = *key.cells[0];
  const std::size_t inner = width_of(*type.value);
  SymbolicValue result{{}, map.fails | key.fails};
  Bdd outside(true);
  for (std::size_t k = map.cells.size() / inner; k-- > 0;) {
    const Bdd here = equal(index, Number::constant(scalar_value(*type.key, k)));
    outside = without(outside, here);
    if (here.is_false() && !result.cells.empty()) continue;
    for (std::size_t i = 0; i < inner; ++i) {
      const Cell& element = map.cells[k * inner + i];
      if (result.cells.size() <= i)
        result.cells.push_back(element);
      else
        result.cells[i] = choose_cell(here, element, result.cells[i]);
    }
  }
  if (!outside.is_false()) failure_ = "an index is outside of " + to_string(*type.key);
  result.fails |= outside;
  return result;
}

SymbolicValue SymbolicEvaluator::update(Term term, const Type* wanted) {
  const Type& type = map_type(term, wanted);
  SymbolicValue result = value(term->args[0], &type);
  const SymbolicValue key = value(term->args[1], nullptr),
                      element = value(term->args[2], type.value.get());
  const Number& index = *key.cells[0];
  const std::size_t inner = element.cells.size();
  Bdd outside(true);
  for (std::size_t k = result.cells.size() / inner; k-- > 0;) {
    const Bdd here = equal(index, Number::constant(scalar_value(*type.key, k)));
    outside = without(outside, here);
    for (std::size_t i = 0; i < inner; ++i) {
      Cell& old = result.cells[k * inner + i];
      old = choose_cell(here, element.cells[i], old);
    }
  }
  if (!outside.is_false()) failure_ = "an index is outside of " + to_string(*type.key);
  result.fails |= key.fails | element.fails | outside;
  return result;
}

/// The type of a map-valued term; constant maps take it from the context.
const Type* SymbolicEvaluator::type_of(Term term, const Type* wanted) const {
  switch (term->op) {
  case Op::Var: return ranges_.at(term).type;
  case Op::Store: return type_of(term->args[0], wanted);
  case Op::Ite: {
    const Type* first = type_of(term->args[1], nullptr);
    return first ? first : type_of(term->args[2], wanted);
  }
  case Op::Select: {
    const Type* map = type_of(term->args[0], nullptr);
    return map ? map->value.get() : nullptr;
  }
  default: return wanted;
  }
}

const Type& SymbolicEvaluator::map_type(Term term, const Type* wanted) const {
  const Type* type = type_of(term, wanted);
  if (type == nullptr) throw BddGaveUp{"cannot tell the type of the map '" + to_string(term) + "'"};
  if (width_of(*type) == 0)
    throw BddGaveUp{"the map '" + to_string(term) + "' has no finite shape"};
  return *type;
}

/// Enumerators compare by their values.
Number SymbolicEvaluator::ordered(Term term, const Number& value) {
  if (term->sort->kind != SortKind::Enum) return value;
  const auto& values = term->sort->decl->values;
  bool counted = true;
  for (std::size_t i = 0; i < values.size(); ++i)
    counted = counted && values[i].value == static_cast<Integer>(i);
  if (counted) return value;
  Number result = Number::constant(values.back().value);
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    result = choose(equal(value, Number::constant(static_cast<Integer>(i))),
                    Number::constant(values[i].value), result);
  return result;
}

} // namespace tacit
