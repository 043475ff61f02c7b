#include "logic/z3/translation.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_set>

namespace tacit {

std::optional<Integer> number_of(const z3::expr& numeral) {
  if (!numeral.is_numeral()) return std::nullopt;
  std::int64_t small = 0;
  if (numeral.is_numeral_i64(small)) return small;
  return parse_integer(Z3_get_numeral_string(numeral.ctx(), numeral));
}

namespace {

Integer count(Sort enumeration) {
  return std::max<Integer>(1, static_cast<Integer>(enumeration->decl->values.size()));
}

/// Maps whose unread entries may not exist: an index out of range, or a key out of range.
bool has_ghost_entries(Sort sort) {
  if (sort->kind == SortKind::Enum) return true;
  return sort->kind == SortKind::Map && (key_count(sort) || has_ghost_entries(sort->value));
}

bool has_finite_keys(Sort sort) {
  return sort->kind == SortKind::Map && (key_count(sort) || has_finite_keys(sort->value));
}

} // namespace

std::optional<Integer> key_count(Sort map) {
  switch (map->key->kind) {
  case SortKind::Bool: return 2;
  case SortKind::Enum: return count(map->key);
  default: return std::nullopt;
  }
}

bool ascending(Sort enumeration) {
  return std::ranges::is_sorted(enumeration->decl->values, std::less_equal<>{}, &Enumerator::value);
}

bool value_is_index(Sort enumeration) {
  Integer index = 0;
  return std::ranges::all_of(enumeration->decl->values,
                             [&](const Enumerator& e) { return e.value == index++; });
}

/// Z3 knows addresses only as numbers that differ; the negative ones it may pick go elsewhere.
static Integer address_of(Integer number) {
  constexpr Integer beyond_others = 1'000'000;
  return number >= 0 ? number : beyond_others - number;
}

z3::expr Translation::numeral(Integer number) {
  if (number >= std::numeric_limits<std::int64_t>::min() &&
      number <= std::numeric_limits<std::int64_t>::max())
    return context_.int_val(static_cast<std::int64_t>(number));
  return context_.int_val(to_string(number).c_str());
}

z3::sort Translation::of(Sort sort) {
  switch (sort->kind) {
  case SortKind::Bool: return context_.bool_sort();
  case SortKind::Map: return context_.array_sort(context_.int_sort(), of(sort->value));
  default: return context_.int_sort();
  }
}

z3::expr Translation::of(const Value& value, Sort sort) {
  if (sort->kind == SortKind::Bool) return context_.bool_val(value.truth());
  if (sort->kind != SortKind::Map) return numeral(value.number);
  z3::expr map = z3::const_array(context_.int_sort(), of(value.map->otherwise, sort->value));
  for (const auto& [key, entry] : value.map->entries)
    map = z3::store(map, numeral(key), of(entry, sort->value));
  return map;
}

z3::expr Translation::constant(const std::string& name, const z3::sort& sort) {
  // Two variables of one name and different sorts, such as an int and an enumeration, are two
  // constants; and no name needs more than the bars of SMT-LIB around it.
  std::string plain = name;
  for (char& c : plain)
    if (c == '|' || c == '\\') c = '_';
  const unsigned again = names_[plain]++;
  if (again > 0) return constant(plain + "!" + std::to_string(again + 1), sort);
  z3::expr made = context_.constant(plain.c_str(), sort);
  if (declared_) declared_(made);
  return made;
}

z3::expr Translation::fresh_bool(const std::string& prefix) {
  return constant(prefix, context_.bool_sort());
}

Term Translation::variable(const z3::expr& constant) const {
  auto found = variables_.find(constant.id());
  return found == variables_.end() ? nullptr : found->second;
}

const Translation::Entry& Translation::of(Term root) {
  if (auto found = entries_.find(root); found != entries_.end()) return found->second;
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term term = stack.back();
    const std::size_t before = stack.size();
    if (!entries_.contains(term)) {
      for (Term arg : term->args)
        if (!entries_.contains(arg)) stack.push_back(arg);
      if (stack.size() > before) continue;
      entries_.emplace(term, build(term));
    }
    stack.pop_back();
  }
  return entries_.at(root);
}

Translation::Entry Translation::build(Term term) {
  std::vector<z3::expr> args;
  Entry entry{.expr = context_.bool_val(true)};
  for (Term arg : term->args) {
    const Entry& made = entries_.at(arg);
    args.push_back(made.expr);
    entry.size = std::min(entry.size + made.size, 1'000'000u);
    entry.facts |= made.facts;
    entry.maps |= made.maps;
    entry.const_maps |= made.const_maps;
    entry.nonlinear |= made.nonlinear;
  }
  entry.const_maps |= term->op == Op::ConstMap;
  entry.maps |= term->sort->kind == SortKind::Map;
  std::vector<z3::expr> facts;

  const auto make = [&]() -> z3::expr {
    switch (term->op) {
    case Op::BoolConst: return context_.bool_val(term->number != 0);
    case Op::IntConst:
    case Op::EnumConst:
    case Op::RefConst: return numeral(term->number);
    case Op::Var: {
      z3::expr made = constant(term->name, of(term->sort));
      variables_.emplace(made.id(), term);
      if (term->sort->kind == SortKind::Enum) facts.push_back(in_range(made, term->sort));
      return made;
    }
    case Op::Not: return !args[0];
    case Op::And:
    case Op::Or: {
      z3::expr_vector parts(context_);
      for (const z3::expr& arg : args) parts.push_back(arg);
      return term->op == Op::And ? z3::mk_and(parts) : z3::mk_or(parts);
    }
    case Op::Ite: return z3::ite(args[0], args[1], args[2]);
    case Op::Eq: return equal(args[0], args[1], term->args[0]->sort, facts);
    case Op::Lt:
    case Op::Le: return compare(term->op, term->args[0], term->args[1]);
    case Op::Add: return args[0] + args[1];
    case Op::Sub: return args[0] - args[1];
    case Op::Neg: return -args[0];
    case Op::Mul:
      entry.nonlinear |= !args[0].is_numeral() && !args[1].is_numeral();
      return args[0] * args[1];
    case Op::Div:
    case Op::Mod:
      entry.nonlinear |= !args[1].is_numeral();
      return term->op == Op::Div ? truncated_div(args[0], args[1])
                                 : truncated_mod(args[0], args[1]);
    case Op::Wrap: {
      const bool is_signed = term->number < 0;
      return wrapped(args[0], static_cast<int>(is_signed ? -term->number : term->number),
                     is_signed);
    }
    case Op::ToInt: return enum_value(args[0], term->args[0]->sort);
    case Op::Select: {
      z3::expr made = z3::select(args[0], key(args[1], term->args[1]->sort));
      if (term->sort->kind == SortKind::Enum) facts.push_back(in_range(made, term->sort));
      return made;
    }
    case Op::Store: return z3::store(args[0], key(args[1], term->args[1]->sort), args[2]);
    case Op::ConstMap: return z3::const_array(context_.int_sort(), args[0]);
    }
    throw z3::exception("an operator is not known");
  };
  entry.expr = make();
  if (!facts.empty()) {
    entry.facts = true;
    facts_.emplace(term, std::move(facts));
  }
  return entry;
}

void Translation::for_facts(
    Term root, const std::function<void(Term node, const std::vector<z3::expr>& facts)>& visit) {
  if (!of(root).facts) return;
  std::unordered_set<Term> seen{root};
  std::vector<Term> stack{root};
  while (!stack.empty()) {
    const Term term = stack.back();
    stack.pop_back();
    if (auto found = facts_.find(term); found != facts_.end()) visit(term, found->second);
    for (Term arg : term->args)
      if (entries_.at(arg).facts && seen.insert(arg).second) stack.push_back(arg);
  }
}

z3::expr Translation::key(const z3::expr& key, Sort sort) {
  if (sort->kind != SortKind::Bool) return key;
  return z3::ite(key, context_.int_val(1), context_.int_val(0));
}

z3::expr Translation::compare(Op op, Term left, Term right) {
  z3::expr a = entries_.at(left).expr, b = entries_.at(right).expr;
  if (left->sort->kind == SortKind::Enum && !ascending(left->sort)) {
    a = enum_value(a, left->sort);
    b = enum_value(b, left->sort);
  }
  return op == Op::Lt ? a < b : a <= b;
}

z3::expr Translation::enum_value(const z3::expr& index, Sort sort) {
  if (value_is_index(sort)) return index;
  const std::vector<Enumerator>& values = sort->decl->values;
  z3::expr chain = numeral(values.empty() ? 0 : values.back().value);
  for (std::size_t i = values.size(); i-- > 1;)
    chain =
        z3::ite(index == numeral(static_cast<Integer>(i - 1)), numeral(values[i - 1].value), chain);
  return chain;
}

z3::expr Translation::in_range(const z3::expr& index, Sort sort) {
  return 0 <= index && index <= numeral(count(sort) - 1);
}

z3::expr Translation::equal(const z3::expr& a, const z3::expr& b, Sort sort,
                            std::vector<z3::expr>& facts) {
  if (sort->kind != SortKind::Map || !has_ghost_entries(sort)) return a == b;
  if (const auto keys = key_count(sort)) {
    z3::expr_vector entries(context_);
    for (Integer i = 0; i < *keys; ++i) {
      const z3::expr x = z3::select(a, numeral(i)), y = z3::select(b, numeral(i));
      if (sort->value->kind == SortKind::Enum) {
        facts.push_back(in_range(x, sort->value));
        facts.push_back(in_range(y, sort->value));
      }
      entries.push_back(equal(x, y, sort->value, facts));
    }
    return z3::mk_and(entries);
  }
  if (has_finite_keys(sort->value))
    throw z3::exception("equality of maps to maps with finitely many keys is not supported");
  facts.push_back(a == b || differ_visibly(a, b, sort));
  return a == b;
}

z3::expr Translation::differ_visibly(const z3::expr& a, const z3::expr& b, Sort sort) {
  if (sort->kind == SortKind::Map) {
    const z3::expr at = constant("differs", context_.int_sort());
    return differ_visibly(z3::select(a, at), z3::select(b, at), sort->value);
  }
  return a != b && in_range(a, sort) && in_range(b, sort);
}

// Z3's div and mod are Euclidean: for a dividend that is not negative they truncate, whatever the
// sign of the divisor.

z3::expr Translation::truncated_div(const z3::expr& a, const z3::expr& b) {
  z3::context& context = a.ctx();
  if (number_of(b) == Integer{0}) return context.int_val(0);
  const z3::expr quotient = z3::ite(a >= 0, a / b, -((-a) / b));
  return b.is_numeral() ? quotient : z3::ite(b == 0, context.int_val(0), quotient);
}

z3::expr Translation::truncated_mod(const z3::expr& a, const z3::expr& b) {
  z3::context& context = a.ctx();
  if (number_of(b) == Integer{0}) return context.int_val(0);
  const z3::expr remainder = z3::ite(a >= 0, z3::mod(a, b), -z3::mod(-a, b));
  return b.is_numeral() ? remainder : z3::ite(b == 0, context.int_val(0), remainder);
}

z3::expr Translation::wrapped(const z3::expr& a, int bits, bool is_signed) {
  const Integer size = Integer{1} << bits;
  if (!is_signed) return z3::mod(a, numeral(size));
  return z3::mod(a + numeral(size / 2), numeral(size)) - numeral(size / 2);
}

Result<Value> Translation::read(const z3::expr& value, Sort sort, const z3::model* model) {
  if (sort->kind == SortKind::Map) return read_map(value, sort, model);
  if (sort->kind == SortKind::Bool) {
    if (value.is_true()) return Value(1);
    if (value.is_false()) return Value(0);
    return fail("the solver's value of a Boolean is not a constant");
  }
  const auto number = number_of(value);
  if (!number) return fail("the solver's value of a number is too large");
  if (sort->kind == SortKind::Enum && (*number < 0 || *number >= count(sort))) return Value(0);
  return Value(sort->kind == SortKind::Ref ? address_of(*number) : *number);
}

namespace {

/// The numerals in the definition of a function that is constant but for finitely many arguments.
void collect_numerals(const z3::expr& expr, std::set<Integer>& found) {
  if (expr.is_quantifier()) return collect_numerals(expr.body(), found);
  if (const auto number = number_of(expr)) found.insert(*number);
  if (expr.is_app())
    for (unsigned i = 0; i < expr.num_args(); ++i) collect_numerals(expr.arg(i), found);
}

} // namespace

Result<Value> Translation::read_map(const z3::expr& value, Sort sort, const z3::model* model) {
  // Look at the map at each number that its definition mentions, and at one that it does not.
  std::set<Integer> keys;
  if (const auto finite = key_count(sort)) {
    for (Integer i = 0; i < *finite; ++i) keys.insert(i);
  } else {
    z3::expr base = value;
    for (; base.is_app() && base.decl().decl_kind() == Z3_OP_STORE; base = base.arg(0)) {
      const auto key = number_of(base.arg(1));
      if (!key) return fail("the solver's value of a map has a key that is too large");
      keys.insert(*key);
    }
    if (base.is_app() && base.decl().decl_kind() == Z3_OP_AS_ARRAY && model) {
      const z3::func_decl function(context_, Z3_get_as_array_func_decl(context_, base));
      z3::func_interp meaning = model->get_func_interp(function);
      for (unsigned i = 0; i < meaning.num_entries(); ++i)
        collect_numerals(meaning.entry(i).arg(0), keys);
      collect_numerals(meaning.else_value(), keys);
    } else if (!(base.is_app() && base.decl().decl_kind() == Z3_OP_CONST_ARRAY)) {
      collect_numerals(base, keys);
    }
  }
  const auto at = [&](Integer key) {
    const z3::expr entry = z3::select(value, numeral(key));
    return read(model ? model->eval(entry, true) : entry.simplify(), sort->value, model);
  };
  const bool finite = key_count(sort).has_value();
  auto otherwise = at(keys.empty() ? 0 : finite ? *keys.begin() : *keys.rbegin() + 1);
  if (!otherwise) return otherwise;
  Value map = const_map(*otherwise);
  for (Integer key : keys) {
    auto entry = at(key);
    if (!entry) return entry;
    map = store(map, Value(sort->key->kind == SortKind::Ref ? address_of(key) : key), *entry);
  }
  return map;
}

} // namespace tacit
