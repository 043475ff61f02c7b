// Values: from the machine's kinds to terms and back, and operators that terms lack.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/body.h"

namespace tacit::java {

namespace {

constexpr std::size_t largest_expression = 40;

std::size_t tree_size(Term term, std::size_t limit) {
  std::size_t size = 1;
  for (const Term a : term->args) {
    if (size >= limit) return limit;
    size += tree_size(a, limit - size);
  }
  return size;
}

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

bool is_zero_or_one(Term term) {
  if (term->op == Op::IntConst) return term->number == 0 || term->number == 1;
  return term->op == Op::Ite && is_zero_or_one(term->args[1]) && is_zero_or_one(term->args[2]);
}

void BodyLowering::wrong(const std::string& what) {
  if (problem_.empty()) problem_ = what;
  dead_ = true;
}

void BodyLowering::approximate(const std::string& what) { approximations_.insert(what); }

void BodyLowering::push(JavaValue slot) {
  if (state_.stack.size() > 70000) return wrong("the stack overflows");
  if (slot.term && slot.kind != Kind::Nothing) slot.term = small(slot.term, slot.kind);
  state_.stack.push_back(std::move(slot));
}

void BodyLowering::push(Kind kind, Term term) { push(JavaValue{.kind = kind, .term = term}); }

JavaValue BodyLowering::pop() {
  if (state_.stack.empty()) {
    wrong("the stack is empty where a value is needed");
    return {.kind = Kind::Int, .term = arena_.integer(0)};
  }
  JavaValue slot = std::move(state_.stack.back());
  state_.stack.pop_back();
  return slot;
}

JavaValue BodyLowering::pop(Kind kind) {
  JavaValue slot = pop();
  const bool referring = slot.kind == Kind::Reference || slot.kind == Kind::Exception ||
                         slot.kind == Kind::Enumeration;
  if (slot.kind == kind || (kind == Kind::Reference && referring)) return slot;
  wrong("a value of another kind is needed");
  return kind == Kind::Reference ? JavaValue{.kind = kind, .term = arena_.null(), .type = "null"}
                                 : JavaValue{.kind = kind, .term = arena_.integer(0)};
}

/// A large expression gets a name, so that what is printed stays short.
Term BodyLowering::small(Term term, Kind kind) {
  if (term->args.empty() || tree_size(term, largest_expression) < largest_expression) return term;
  if (kind == Kind::Enumeration || kind == Kind::Exception || kind == Kind::Nothing) return term;
  const Term copy = temporary("t", context_.machine_type(kind));
  assign(copy, term);
  return copy;
}

Term BodyLowering::reference(JavaValue& slot) {
  if (slot.kind == Kind::Exception) {
    // An exception as an object: some reference, of which nothing is known but that it is there.
    const Term made = havoc("object", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    emit({.kind = StatementKind::Assume, .value = arena_.ne(made, arena_.null())});
    return made;
  }
  if (slot.kind == Kind::Enumeration) {
    const Term made = havoc("object", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    emit({.kind = StatementKind::Assume,
          .value = arena_.eq(arena_.eq(made, arena_.null()),
                             arena_.eq(slot.term, context_.enum_null(slot.type)))});
    return made;
  }
  if (slot.receiver >= 0) return context_.receiver_term(static_cast<std::size_t>(slot.receiver));
  if (slot.held) { // this round's result is thrown away
    context_.leak(*slot.held->of);
    return context_.held_reference(*slot.held);
  }
  if (slot.term) return slot.term;
  should(slot.lazy != 0, "a value should have a term");
  if (slot.function && !at_once_)
    context_.again |= context_.discovered.kept_functions.insert(*slot.function).second;
  const int lazy = slot.lazy;
  Term made = nullptr;
  if (slot.text) {
    // Which object a constant is does not matter, see identity().
    made = havoc("text", {.sort = arena_.ref_sort()}, Chooser::Environment);
    emit({.kind = StatementKind::Assume,
          .value = arena_.conj(std::vector<Term>{
              arena_.ne(made, arena_.null()),
              arena_.eq(arena_.select(context_.string_text(), made), arena_.integer(*slot.text)),
              answers(made, context_.string_content(*slot.text))})});
  } else if (slot.code) {
    // A text of which more is asked than what it says may not be chosen: what else it is follows.
    const bool text = slot.type == "java/lang/String";
    const bool more = text && !context_.discovered.text_questions.empty();
    made = havoc(text ? "text" : "box", {.sort = arena_.ref_sort()},
                 more ? Chooser::Unknown : Chooser::Environment);
    const Term absent = is_null(slot), is = arena_.eq(made, arena_.null());
    const Term value = arena_.select(text ? context_.string_text() : context_.boxed_value(), made);
    emit({.kind = StatementKind::Assume,
          .value = arena_.conj(arena_.eq(is, absent),
                               arena_.disj(absent, arena_.eq(value, slot.code)))});
  } else if (slot.table) {
    bool changes = false;
    for (const auto& [when, table] : slot.table->cases) changes |= table->ever_changes();
    if (changes && !slot.table->field.empty()) context_.leak_table(slot.table->field);
    const Term absent = is_null(slot);
    made = havoc("table", {.sort = arena_.ref_sort()}, Chooser::Unknown);
    emit({.kind = StatementKind::Assume,
          .value = arena_.eq(arena_.eq(made, arena_.null()), absent)});
  } else if (slot.type == "java/lang/String") {
    made = unknown_object("text");
  } else {
    context_.need_record("Object");
    made = temporary("object", {.sort = arena_.ref_sort()});
    emit({.kind = StatementKind::New, .target = made, .record = "Object"});
  }
  auto settle = [&](JavaValue& s) {
    if (s.lazy != lazy) return;
    s.term = made;
    s.lazy = 0;
    s.text.reset();
    s.derived.reset();
    s.nonnull = s.nonnull || (!s.code && !s.table);
    s.code = nullptr;
    s.table.reset();
  };
  settle(slot);
  for (JavaValue& s : state_.stack) settle(s);
  for (JavaValue& s : state_.locals) settle(s);
  return made;
}

JavaValue BodyLowering::string(const std::string& content) {
  JavaValue made = object("java/lang/String");
  made.text = context_.string_number(content);
  return made;
}

Term BodyLowering::text_of(JavaValue& value) {
  if (value.text && value.lazy != 0) return arena_.integer(*value.text);
  if (value.code && value.lazy != 0) return value.code;
  if (value.derived && value.lazy != 0)
    return arena_.select(context_.string_fact(value.derived->second + "text"),
                         value.derived->first);
  return arena_.select(context_.string_text(), reference(value));
}

namespace {

const std::map<std::string, std::pair<char, std::string>>& boxes() {
  static const std::map<std::string, std::pair<char, std::string>> all{
      {"java/lang/Integer", {'I', "intValue"}},    {"java/lang/Long", {'J', "longValue"}},
      {"java/lang/Short", {'S', "shortValue"}},    {"java/lang/Byte", {'B', "byteValue"}},
      {"java/lang/Character", {'C', "charValue"}}, {"java/lang/Boolean", {'Z', "booleanValue"}}};
  return all;
}

} // namespace

JavaValue BodyLowering::boxed(const std::string& type, Term value) {
  if (value->op != Op::IntConst) {
    const Term copy = temporary("number", {.sort = arena_.int_sort()});
    assign(copy, value);
    value = copy;
  }
  JavaValue made = coded(type, value);
  made.nonnull = true;
  return made;
}

JavaValue BodyLowering::coded(const std::string& type, Term code) {
  JavaValue made = object(type);
  made.code = code;
  made.nonnull = false;
  return made;
}

Term BodyLowering::code_of(JavaValue& value) {
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
std::optional<Term> BodyLowering::equal_values(JavaValue& a, JavaValue& b) {
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
bool BodyLowering::without_identity(const JavaValue& value) {
  return value.kind == Kind::Reference && value.receiver < 0 &&
         (value.type == "java/lang/String" || value.type == "java/lang/Class" ||
          boxes().contains(value.type));
}

/// Methods of strings and boxes that depend on what these hold.
bool BodyLowering::value_method(const MemberRef& callee, const Signature& signature,
                                std::vector<JavaValue>& arguments,
                                std::optional<JavaValue>& object) {
  const auto truth = [&](Term t) {
    push(Kind::Int, arena_.ite(t, arena_.integer(1), arena_.integer(0)));
    return true;
  };
  if (callee.owner == "java/lang/String" && object) {
    if (callee.name == "equals" && arguments.size() == 1) {
      JavaValue& other = arguments[0];
      if (other.kind != Kind::Reference || other.receiver >= 0) return truth(arena_.falsehood());
      if (other.type == "null") return truth(arena_.falsehood());
      const Term is = type_test(other, "java/lang/String");
      const Term mine = text_of(*object);
      return truth(arena_.conj(is, arena_.eq(mine, text_of(other))));
    }
    if (callee.name == "isEmpty" && arguments.empty() && !object->derived) {
      // Where lengths matter, the empty text is the one without any.
      if (object->lazy == 0 && context_.discovered.text_questions.contains("length"))
        if (const auto length = answer(*object, "length", {'I', ""}))
          return truth(arena_.eq(length->term, arena_.integer(0)));
      return truth(arena_.eq(text_of(*object), arena_.integer(0)));
    }
    if (callee.name == "hashCode" && arguments.empty()) {
      const Type type = context_.machine_type(Kind::Int);
      const Term made = context_.discovered.equal_hashes ? havoc("hash", type, Chooser::Unknown)
                                                         : temporary("hash", type);
      if (!context_.discovered.equal_hashes)
        emit({.kind = StatementKind::Assign, .target = made, .value = text_of(*object)});
      context_.assume("different strings have different hash codes");
      push(Kind::Int, made);
      return true;
    }
    return ask_text(callee, signature, arguments, *object);
  }
  if (callee.owner == "java/util/Objects" && callee.name == "equals" && arguments.size() == 2)
    if (const auto equal = equal_values(arguments[0], arguments[1])) return truth(*equal);
  const auto box = boxes().find(callee.owner);
  if (box == boxes().end()) return false;
  if (callee.name == "equals" && object && arguments.size() == 1)
    if (const auto equal = equal_values(*object, arguments[0])) return truth(*equal);
  const auto& [letter, getter] = box->second;
  if (callee.name == "valueOf" && !object && arguments.size() == 1 &&
      signature.parameters[0].letter == letter) {
    push(boxed(callee.owner, arguments[0].term));
    return true;
  }
  if (callee.name == getter && object && arguments.empty() && object->kind == Kind::Reference) {
    const Term value = object->code && object->lazy != 0
                           ? object->code
                           : arena_.select(context_.boxed_value(), reference(*object));
    if (letter == 'Z') return truth(arena_.ne(value, arena_.integer(0)));
    const Term made = temporary("unboxed", context_.type_of(signature.result));
    emit({.kind = StatementKind::Assign, .target = made, .value = value});
    push(context_.kind_of(signature.result), made);
    return true;
  }
  return false;
}

JavaValue BodyLowering::object(const std::string& type) {
  return {.kind = Kind::Reference,
          .lazy = next_lazy_++,
          .type = type,
          .nonnull = true,
          .homemade = true};
}

JavaValue BodyLowering::converted(JavaValue slot, Kind kind, const std::string& type) {
  if (slot.kind == kind && (kind != Kind::Enumeration || slot.type == type)) return slot;
  if (kind == Kind::Reference) {
    JavaValue made{.kind = kind, .nonnull = slot.nonnull};
    made.term = reference(slot);
    return made;
  }
  if (kind == Kind::Enumeration &&
      (slot.kind == Kind::Reference || slot.kind == Kind::Enumeration)) {
    JavaValue made{.kind = kind, .type = type};
    if (slot.kind == Kind::Reference && slot.type == "null") {
      made.term = context_.enum_null(type);
      return made;
    }
    const Term is_null =
        slot.kind == Kind::Enumeration       ? arena_.eq(slot.term, context_.enum_null(slot.type))
        : slot.nonnull || slot.receiver >= 0 ? arena_.falsehood()
                                             : arena_.eq(reference(slot), arena_.null());
    made.term = havoc("value", {.sort = context_.enum_sort(type)},
                      slot.opaque ? Chooser::Environment : Chooser::Unknown);
    emit({.kind = StatementKind::Assume,
          .value = arena_.eq(arena_.eq(made.term, context_.enum_null(type)), is_null)});
    return made;
  }
  if (kind == Kind::Exception && slot.kind == Kind::Reference) {
    JavaValue made{.kind = kind, .type = "java/lang/Throwable", .nonnull = true};
    made.term = havoc("thrown", context_.exception_type(), Chooser::Unknown);
    return made;
  }
  wrong("a value of another kind is needed");
  return slot;
}

JavaValue BodyLowering::loaded(const JavaType& type, Term term) {
  JavaValue slot{.kind = context_.kind_of(type), .term = term};
  if (type.letter == 'Z') slot.term = arena_.ite(term, arena_.integer(1), arena_.integer(0));
  if (type.is_reference()) slot.type = type.name;
  return slot;
}

Term BodyLowering::stored(const JavaType& type, JavaValue slot) {
  give_entry(slot);
  const Kind kind = context_.kind_of(type);
  JavaValue given = converted(std::move(slot), kind, type.name);
  if (!problem_.empty()) return arena_.integer(0);
  if (type.letter == 'Z') return truth(given.term);
  return kind == Kind::Reference ? reference(given) : given.term;
}

Term BodyLowering::truth(Term integer) { return compare(1, integer, arena_.integer(0)); }

/// eq 0, ne 1, lt 2, ge 3, gt 4, le 5: the order of the instructions.
Term BodyLowering::compare(int relation, Term a, Term b) {
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
Term BodyLowering::bits(unsigned op, int width, const JavaValue& first, const JavaValue& second) {
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
Term BodyLowering::argument_field(const JavaValue& object, const MemberRef& field,
                                  const JavaType& type) {
  if (object.parameter < 0 || !object.term || state_.called ||
      what_.kind == ProcedureKind::Internal)
    return nullptr;
  Term& term = argument_fields_[object.term->name + "." + field.name];
  if (!term) term = temporary(object.term->name + "_" + field.name, context_.type_of(type));
  return term;
}

/// Whether a reference is of a type. Of an argument the client decides once per call.
Term BodyLowering::type_test(JavaValue& value, const std::string& type) {
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
Term BodyLowering::class_test(JavaValue& value, const std::string& type) {
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

} // namespace tacit::java
