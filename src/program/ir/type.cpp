#include "program/ir/type.h"

#include <set>

#include "base/should.h"
#include "logic/term/print.h"

namespace tacit {

bool operator==(const Type& a, const Type& b) {
  auto same = [](const std::shared_ptr<const Type>& x, const std::shared_ptr<const Type>& y) {
    return static_cast<bool>(x) == static_cast<bool>(y) && (!x || *x == *y);
  };
  return a.sort == b.sort && a.low == b.low && a.high == b.high && a.record == b.record &&
         same(a.key, b.key) && same(a.value, b.value);
}

bool may_follow_type(std::string_view word) {
  static const std::set<std::string_view> words = {
      "assumption", "at",       "beside",    "client",      "component", "conventions", "ensures",
      "enum",       "errors",   "exception", "constructor", "extern",    "invariant",   "language",
      "left_out",   "literal",  "made_by",   "method",      "object",    "origin",      "procedure",
      "record",     "requires", "shown",     "state",       "throws",    "writes"};
  return words.contains(word);
}

namespace {

/// The enumeration of all exceptions is called `exception`, which is a type by that name.
std::string enum_name(const std::string& name) {
  static const std::set<std::string_view> types = {"bool", "int", "map", "ref"};
  return types.contains(name) ? "`" + name + "`" : quote_name(name);
}

} // namespace

std::string to_string(const Type& type) {
  switch (type.sort->kind) {
  case SortKind::Int: {
    if (!type.ranged()) return "int";
    return "int [" + (type.low ? to_string(*type.low) : "") + ".." +
           (type.high ? to_string(*type.high) : "") + "]";
  }
  case SortKind::Ref:
    if (type.record.empty()) return "ref";
    return "ref " +
           (may_follow_type(type.record) ? "`" + type.record + "`" : quote_name(type.record));
  case SortKind::Map: return "map [" + to_string(*type.key) + "] " + to_string(*type.value);
  case SortKind::Enum: return enum_name(type.sort->decl->name);
  case SortKind::Bool: return "bool";
  }
  return "?";
}

std::optional<std::uint64_t> domain_size(const Type& type) {
  constexpr std::uint64_t limit = std::uint64_t{1} << 62;
  switch (type.sort->kind) {
  case SortKind::Bool: return 2;
  case SortKind::Enum: return type.sort->decl->values.size();
  case SortKind::Ref: return std::nullopt;
  case SortKind::Int: {
    if (!type.low || !type.high) return std::nullopt;
    const Integer size = *type.high - *type.low + 1;
    if (size > static_cast<Integer>(limit)) return std::nullopt;
    return static_cast<std::uint64_t>(size);
  }
  case SortKind::Map: {
    const auto keys = domain_size(*type.key), values = domain_size(*type.value);
    if (!keys || !values) return std::nullopt;
    std::uint64_t size = 1;
    for (std::uint64_t i = 0; i < *keys; ++i) {
      if (*values != 0 && size > limit / *values) return std::nullopt;
      size *= *values;
      if (size <= 1 && i > 64) break;
    }
    return size;
  }
  }
  return std::nullopt;
}

Integer scalar_value(const Type& type, std::uint64_t index) {
  const Integer i = static_cast<Integer>(index);
  return type.sort->kind == SortKind::Int ? *type.low + i : i;
}

std::optional<std::uint64_t> scalar_index(const Type& type, Integer number) {
  const Integer i = type.sort->kind == SortKind::Int ? number - *type.low : number;
  const auto size = domain_size(type);
  if (i < 0 || !size || i >= static_cast<Integer>(*size)) return std::nullopt;
  return static_cast<std::uint64_t>(i);
}

Value domain_value(const Type& type, std::uint64_t index) {
  if (type.sort->kind != SortKind::Map) return Value(scalar_value(type, index));
  const std::uint64_t keys = *domain_size(*type.key), values = *domain_size(*type.value);
  Value map = const_map(domain_value(*type.value, 0));
  for (std::uint64_t k = keys; k-- > 0;) {
    map = store(map, Value(scalar_value(*type.key, k)), domain_value(*type.value, index % values));
    index /= values;
  }
  return map;
}

bool contains(const Type& type, const Value& value) {
  if (type.sort->kind == SortKind::Int)
    return !(type.low && value.number < *type.low) && !(type.high && value.number > *type.high);
  if (type.sort->kind == SortKind::Map) {
    const auto keys = domain_size(*type.key);
    if (!(keys && value.map->entries.size() >= *keys) &&
        !contains(*type.value, value.map->otherwise))
      return false;
    for (const auto& [key, v] : value.map->entries)
      if (!contains(*type.value, v)) return false;
  }
  return true;
}

Term range_fact(TermArena& arena, const Type& type, Term term) {
  if (type.sort->kind != SortKind::Int) return arena.truth();
  std::vector<Term> parts;
  if (type.low) parts.push_back(arena.ge(term, arena.integer(*type.low)));
  if (type.high) parts.push_back(arena.le(term, arena.integer(*type.high)));
  return arena.conj(std::move(parts));
}

namespace {

bool has_range(const Type& type) { return type.ranged() || (type.value && has_range(*type.value)); }

bool within(const Type& inner, const Type& outer) {
  if (outer.value) return inner.value && within(*inner.value, *outer.value);
  return (!outer.low || (inner.low && *inner.low >= *outer.low)) &&
         (!outer.high || (inner.high && *inner.high <= *outer.high));
}

/// The declared type of what a selection from typed variables yields, or null.
const Type* declared(Term term, const TypeOf& type_of) {
  if (term->op == Op::Var) return type_of(term);
  if (term->op != Op::Select) return nullptr;
  const Type* map = declared(term->args[0], type_of);
  return map != nullptr ? map->value.get() : nullptr;
}

} // namespace

Term in_type(TermArena& arena, const Type& type, Term value, const TypeOf& type_of) {
  if (!has_range(type)) return arena.truth();
  if (type.sort->kind == SortKind::Int) return range_fact(arena, type, value);
  const auto both = [&](Term a, Term b) { return a && b ? arena.conj(a, b) : nullptr; };
  switch (value->op) {
  case Op::Store:
    return both(in_type(arena, type, value->args[0], type_of),
                in_type(arena, *type.value, value->args[2], type_of));
  case Op::ConstMap: return in_type(arena, *type.value, value->args[0], type_of);
  case Op::Ite: {
    const Term yes = in_type(arena, type, value->args[1], type_of);
    const Term no = in_type(arena, type, value->args[2], type_of);
    return yes && no ? arena.ite(value->args[0], yes, no) : nullptr;
  }
  default: {
    const Type* known = declared(value, type_of);
    return known != nullptr && within(*known, type) ? arena.truth() : nullptr;
  }
  }
}

} // namespace tacit
