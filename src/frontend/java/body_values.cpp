// Values: from the machine's kinds to terms and back, and operators that terms lack.
#include <algorithm>
#include <array>
#include <utility>

#include "base/should.h"
#include "frontend/java/body_values.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

namespace {
/// A conditional whose leaves are all constants: comparing it with a constant needs no arithmetic.
bool constant_leaves(Term term, int depth = 0) {
  if (term->op == Op::IntConst) return true;
  return term->op == Op::Ite && depth < 40 && constant_leaves(term->args[1], depth + 1) &&
         constant_leaves(term->args[2], depth + 1);
}

Term over_leaves(TermArena& arena, Term term, const std::function<Term(Term)>& leaf) {
  if (term->op != Op::Ite) return leaf(term);
  return arena.ite(term->args[0], over_leaves(arena, term->args[1], leaf),
                   over_leaves(arena, term->args[2], leaf));
}

} // namespace

const std::map<std::string, std::pair<char, std::string>>& boxes() {
  static const std::map<std::string, std::pair<char, std::string>> all{
      {"java/lang/Integer", {'I', "intValue"}},    {"java/lang/Long", {'J', "longValue"}},
      {"java/lang/Short", {'S', "shortValue"}},    {"java/lang/Byte", {'B', "byteValue"}},
      {"java/lang/Character", {'C', "charValue"}}, {"java/lang/Boolean", {'Z', "booleanValue"}}};
  return all;
}

/// Whether who is handed a value may run code of a client with it.
bool BodyValues::may_run_code(const JavaValue& value, const JavaType& declared) {
  if (!declared.is_reference() || value.type == "null" || value.constant) return false;
  if (value.type.empty() || value.type.starts_with("[")) return context_.leads_to_code(declared);
  return context_.leads_to_code({'L', value.type});
}

/// What is put where it is not followed has left the method, as far as clients are concerned.
void BodyValues::note_handed(const JavaValue& value, const JavaType& declared) {
  if (!context_.handed() || value.kind != Kind::Reference || !may_run_code(value, declared)) return;
  JavaValue one = value;
  emit({.kind = StatementKind::Assign, .target = context_.handed(), .value = reference(one)});
}

/// A final field of a constant of an enumeration, which its constructor sets to a constant.
std::optional<JavaValue> BodyValues::constant_field(const JavaValue& object, const ClassFile& owner,
                                                    const Field& field, const JavaType& type) {
  const auto values = context_.constant_fields(owner, field);
  if (values.empty() || context_.enum_sort(owner.name) != object.term->sort) return std::nullopt;
  Term made = arena_.integer(values.front());
  for (std::size_t i = 1; i < values.size(); ++i)
    made = arena_.ite(arena_.eq(object.term, arena_.enumerator(object.term->sort, i + 1)),
                      arena_.integer(values[i]), made);
  return JavaValue{.kind = context_.kind_of(type), .term = made, .truth = type.letter == 'Z'};
}

bool is_zero_or_one(Term term) {
  if (term->op == Op::IntConst) return term->number == 0 || term->number == 1;
  return term->op == Op::Ite && is_zero_or_one(term->args[1]) && is_zero_or_one(term->args[2]);
}

JavaValue BodyValues::string(const std::string& content) {
  JavaValue made = object("java/lang/String");
  made.text = context_.string_number(content);
  return made;
}

Term BodyValues::text_of(JavaValue& value) {
  if (value.text && value.lazy != 0) return arena_.integer(*value.text);
  if (value.code && value.lazy != 0) return value.code;
  if (value.derived && value.lazy != 0)
    return arena_.select(context_.string_fact(value.derived->second + "text"),
                         value.derived->first);
  return arena_.select(context_.string_text(), reference(value));
}

JavaValue BodyValues::boxed(const std::string& type, Term value) {
  if (value->op != Op::IntConst) {
    const Term copy = temporary("number", {.sort = arena_.int_sort()});
    assign(copy, value);
    value = copy;
  }
  JavaValue made = coded(type, value);
  made.nonnull = true;
  return made;
}

JavaValue BodyValues::coded(const std::string& type, Term code) {
  JavaValue made = object(type);
  made.code = code;
  made.nonnull = false;
  return made;
}

Term BodyValues::code_of(JavaValue& value) {
  if (value.type == "null") return context_.null_code();
  if (value.code && value.lazy != 0) return value.code;
  const Term absent = is_null(value);
  const Term says = value.type == "java/lang/String"
                        ? text_of(value)
                        : arena_.select(context_.boxed_value(), reference(value));
  return arena_.ite(absent, context_.null_code(), says);
}

/// Whether two values equal each other, null being equal to itself; nothing when own code, or
/// nobody, says what that means.
std::optional<Term> BodyValues::equal_values(JavaValue& a, JavaValue& b) {
  const bool first = a.kind == Kind::Reference && a.type == "null";
  const bool second = b.kind == Kind::Reference && b.type == "null";
  if (first && second) return arena_.truth();
  if (first || second) return is_null(first ? b : a);
  if (a.kind == Kind::Enumeration && b.kind == Kind::Enumeration && a.type == b.type)
    return arena_.eq(a.term, b.term);
  const bool says = a.kind == Kind::Reference && b.kind == Kind::Reference && a.type == b.type &&
                    a.receiver < 0 && b.receiver < 0 && !a.held && !b.held &&
                    (a.type == "java/lang/String" || Context::is_number_box(a.type));
  if (!says) return std::nullopt;
  const Term code = code_of(a);
  return arena_.eq(code, code_of(b));
}

/// Which of several equal objects a reference means is not tracked: strings are shared as the
/// machine likes, boxes of small numbers too.
bool BodyValues::without_identity(const JavaValue& value) {
  return value.kind == Kind::Reference && value.receiver < 0 &&
         (value.type == "java/lang/String" || value.type == "java/lang/Class" ||
          boxes().contains(value.type));
}

Term BodyValues::stored(const JavaType& type, JavaValue slot) {
  give_entry(slot);
  const Kind kind = context_.kind_of(type);
  JavaValue given = converted(std::move(slot), kind, type.name);
  if (!problem_.empty()) return arena_.integer(0);
  if (type.letter == 'Z') return truth(given.term);
  return kind == Kind::Reference ? reference(given) : given.term;
}

Term BodyValues::truth(Term integer) { return compare(1, integer, arena_.integer(0)); }

/// eq 0, ne 1, lt 2, ge 3, gt 4, le 5: the order of the instructions.
Term BodyValues::compare(int relation, Term a, Term b) {
  auto plain = [&](Term x, Term y) {
    switch (relation) {
    case 0: return arena_.eq(x, y);
    case 1: return arena_.ne(x, y);
    case 2: return arena_.lt(x, y);
    case 3: return arena_.ge(x, y);
    case 4: return arena_.gt(x, y);
    default: return arena_.le(x, y);
    }
  };
  if (b->op == Op::IntConst && a->op == Op::Ite && constant_leaves(a))
    return over_leaves(arena_, a, [&](Term leaf) { return plain(leaf, b); });
  if (a->op == Op::IntConst && b->op == Op::Ite && constant_leaves(b))
    return over_leaves(arena_, b, [&](Term leaf) { return plain(a, leaf); });
  return plain(a, b);
}

/// Shifts and bitwise operators, as far as they are arithmetic: by constants, and on 0 and 1.
Term BodyValues::bits(unsigned op, int width, const JavaValue& first, const JavaValue& second) {
  Term a = first.term, b = second.term;
  bool truth_a = first.truth, truth_b = second.truth;
  enum : unsigned { Shl = 0, Shr = 1, Ushr = 2, And = 3, Or = 4, Xor = 5 };
  const Kind kind = width == 32 ? Kind::Int : Kind::Long;
  auto is_const = [](Term t) { return t->op == Op::IntConst; };
  auto power = [&](Integer k) { return arena_.integer(Integer{1} << static_cast<int>(k)); };
  // Floor division by 2^k of any integer.
  auto floor_div = [&](Term x, Integer k) {
    if (k == 0) return x;
    const Term p = power(k);
    return arena_.ite(arena_.ge(x, arena_.integer(0)), arena_.div(x, p),
                      arena_.div(arena_.sub(x, arena_.sub(p, arena_.integer(1))), p));
  };
  // The low k bits.
  auto low_bits = [&](Term x, Integer k) {
    const Term r = arena_.mod(x, power(k));
    return arena_.ite(arena_.lt(r, arena_.integer(0)), arena_.add(r, power(k)), r);
  };
  auto bit = [&](Term x, Integer k) {
    return arena_.eq(low_bits(floor_div(x, k), 1), arena_.integer(1));
  };
  if (op >= And && is_const(a) && !is_const(b)) {
    std::swap(a, b);
    std::swap(truth_a, truth_b);
  }
  if (op <= Ushr && is_const(b)) {
    const Integer k = b->number & (width - 1);
    if (is_const(a) || k == 0 || op == Shl || op == Shr) {
      if (k == 0) return a;
      if (op == Shl) return arena_.wrap(width, true, arena_.mul(a, power(k)));
      if (op == Shr) return floor_div(a, k);
    }
    if (op == Ushr) {
      const Term positive =
          arena_.ite(arena_.ge(a, arena_.integer(0)), a, arena_.add(a, power(width)));
      return arena_.div(positive, power(k));
    }
  }
  if (op >= And && is_const(a) && is_const(b)) {
    const auto x = static_cast<std::int64_t>(a->number), y = static_cast<std::int64_t>(b->number);
    return arena_.integer(op == And ? x & y : op == Or ? x | y : x ^ y);
  }
  auto as_truth = [&](Term t, bool known) -> Term {
    return known || is_zero_or_one(t) ? compare(1, t, arena_.integer(0)) : nullptr;
  };
  if (op >= And && as_truth(a, truth_a) && as_truth(b, truth_b)) {
    const Term x = as_truth(a, truth_a), y = as_truth(b, truth_b);
    const Term both = op == And  ? arena_.conj(x, y)
                      : op == Or ? arena_.disj(x, y)
                                 : arena_.negate(arena_.eq(x, y));
    return arena_.ite(both, arena_.integer(1), arena_.integer(0));
  }
  if (op >= And && is_const(b)) {
    const auto mask = static_cast<std::uint64_t>(static_cast<std::int64_t>(b->number)) &
                      (width == 32 ? 0xffffffffULL : ~0ULL);
    if (b->number == 0) return op == And ? arena_.integer(0) : a;
    if (b->number == -1)
      return op == And  ? a
             : op == Or ? arena_.integer(-1)
                        : arena_.sub(arena_.neg(a), arena_.integer(1));
    const bool one_bit = (mask & (mask - 1)) == 0 && b->number > 0;
    if (one_bit) {
      const int k = __builtin_ctzll(mask);
      const Term set = bit(a, k), p = power(k), zero = arena_.integer(0);
      if (op == And) return arena_.ite(set, p, zero);
      if (op == Or) return arena_.ite(set, a, arena_.add(a, p));
      return arena_.ite(set, arena_.sub(a, p), arena_.add(a, p));
    }
    const std::uint64_t absent = ~mask & (width == 32 ? 0xffffffffULL : ~0ULL);
    if (op == And && (absent & (absent - 1)) == 0 && b->number < 0) {
      const int k = __builtin_ctzll(absent);
      if (k < width - 1) return arena_.ite(bit(a, k), arena_.sub(a, power(k)), a);
    }
    // A run of ones: cut out.
    const int from = __builtin_ctzll(mask), count = __builtin_popcountll(mask);
    if (op == And && b->number > 0 &&
        mask == ((count == 64 ? ~0ULL : (1ULL << count) - 1) << from)) {
      const Term cut = low_bits(floor_div(a, from), count);
      return arena_.mul(cut, power(from));
    }
  }
  approximate("bit operations on unknown operands are not tracked");
  return havoc("bits", context_.machine_type(kind), Chooser::Unknown);
}

/// A field of an object that the client hands over is the client's to choose, until something else
/// runs. Null when it may have changed since.
Term BodyValues::argument_field(const JavaValue& object, const MemberRef& field,
                                const JavaType& type) {
  if (object.parameter < 0 || !object.term || state_.called ||
      what_.kind == ProcedureKind::Internal)
    return nullptr;
  Term& term = argument_fields_[object.term->name + "." + field.name];
  if (!term) term = temporary(object.term->name + "_" + field.name, context_.type_of(type));
  return term;
}

/// Whether a reference is of a type. Of an argument the client decides once per call.
Term BodyValues::type_test(JavaValue& value, const std::string& type) {
  ClassPool& pool = context_.pool;
  if (value.kind == Kind::Exception) {
    if (pool.is_subtype(value.type, type)) return arena_.truth();
    if (value.exact || !pool.is_subtype(type, "java/lang/Throwable")) return arena_.falsehood();
    context_.again |= context_.discovered.told_apart.insert(type).second;
    return context_.is_exception(value.term, type);
  }
  if (value.kind == Kind::Enumeration) {
    const Term present = arena_.ne(value.term, context_.enum_null(value.type));
    if (pool.is_subtype(value.type, type)) return present;
    const Term is = havoc("is", {.sort = arena_.bool_sort()}, Chooser::Unknown);
    return arena_.conj(present, is);
  }
  if (value.type == "null") return arena_.falsehood();
  if (value.receiver >= 0)
    return arena_.boolean(pool.is_subtype(
        context_.receivers()[static_cast<std::size_t>(value.receiver)].type->name, type));
  const Term present = arena_.negate(is_null(value));
  if (!value.type.empty() && value.type[0] != '[' && pool.is_subtype(value.type, type))
    return present;
  if (value.type == type || type == "java/lang/Object") return present;
  // Of two classes neither of which extends the other no object is of both.
  const ClassFile *mine = pool.find(value.type), *asked = pool.find(type);
  if (mine && asked && !mine->is(access::is_interface) && !asked->is(access::is_interface) &&
      !pool.is_subtype(type, value.type))
    return arena_.falsehood();
  if (value.parameter >= 0 && value.term) {
    const TypeTest test{static_cast<std::size_t>(value.parameter), type};
    for (const auto& [known, flag] : entry_choices_)
      if (known == test) return arena_.conj(present, flag);
    if (what_.kind == ProcedureKind::Internal) {
      auto& tests =
          context_.discovered
              .type_tests[Context::procedure_key(*what_.owner, *what_.method, what_.receiver)];
      tests.emplace_back(test.parameter, type);
      context_.again = true;
    }
    const Term flag =
        temporary(fmt::format("{}_is_{}", value.term->name, class_type(type).simple()),
                  {.sort = arena_.bool_sort()});
    entry_choices_.emplace_back(test, flag);
    return arena_.conj(present, flag);
  }
  if (const Term is = class_test(value, type)) return arena_.conj(present, is);
  const Term is = havoc("is", {.sort = arena_.bool_sort()},
                        value.opaque ? Chooser::Environment : Chooser::Unknown);
  return arena_.conj(present, is);
}

/// Whether an object that own code may have made is of a type, by the class it was made of. Null:
/// not known that way.
Term BodyValues::class_test(JavaValue& value, const std::string& type) {
  if (value.opaque || value.foreign || !context_.is_own(type)) return nullptr;
  const Term of = arena_.select(context_.class_of_objects(), reference(value));
  std::vector<Term> cases;
  for (const std::string& name : context_.discovered.made)
    if (const Term is = context_.class_constant(name); is && context_.pool.is_subtype(name, type))
      cases.push_back(arena_.eq(of, is));
  Term is = arena_.disj(std::move(cases));
  if (!context_.knows_classes(type)) {
    const Term other = havoc("is", {.sort = arena_.bool_sort()}, Chooser::Unknown);
    const Term none = arena_.enumerator(context_.class_sort(), 0);
    is = arena_.ite(arena_.eq(of, none), other, is);
  }
  for (std::size_t r = 0; r < context_.receivers().size(); ++r) {
    const std::string& receiver = context_.receivers()[r].type->name;
    const bool may_be = value.type.empty() || value.type == "java/lang/Object" ||
                        context_.pool.is_subtype(receiver, value.type);
    if (may_be)
      is = arena_.ite(arena_.eq(reference(value), context_.receiver_term(r)),
                      arena_.boolean(context_.pool.is_subtype(receiver, type)), is);
  }
  return is;
}

/// Whoever gets an entry may set its value.
void BodyValues::give_entry(const JavaValue& value) {
  if (value.entry) context_.again |= !std::exchange(context_.discovered.sets_entries, true);
}

} // namespace tacit::java
