// One instruction at a time.
#include <algorithm>

#include "frontend/java/body.h"

namespace tacit::java {

namespace {
/// A long as an int: a conversion that the source asks for, so it is exact also where arithmetic is
/// taken not to overflow, which a plain reduction to 32 bits is not (program/reduce/wraps.h).
Term low_half(TermArena& arena, Term number) {
  if (number->op == Op::IntConst) return arena.wrap(32, true, number);
  const Integer edge = Integer{1} << 31;
  const Term fits =
      arena.conj(arena.le(arena.integer(-edge), number), arena.lt(number, arena.integer(edge)));
  const Term size = arena.integer(65536), low = arena.wrap(16, false, number);
  const Term high = arena.wrap(16, true, arena.div(arena.sub(number, low), size));
  return arena.ite(fits, number, arena.add(arena.mul(high, size), low));
}
} // namespace

JavaValue* BodyLowering::local(int index) {
  if (index < 0 || static_cast<std::size_t>(index) >= state_.locals.size()) {
    wrong("a local is out of range");
    return nullptr;
  }
  return &state_.locals[static_cast<std::size_t>(index)];
}

void BodyLowering::load_local(int index, Kind kind) {
  const JavaValue* slot = local(index);
  if (!slot) return;
  JavaValue value = *slot;
  const bool referring = value.kind == Kind::Reference || value.kind == Kind::Exception ||
                         value.kind == Kind::Enumeration;
  if (value.kind != kind && !(kind == Kind::Reference && referring))
    return wrong("a local holds a value of another kind");
  push(std::move(value));
}

void BodyLowering::store_local(int index, Kind kind) {
  JavaValue* slot = local(index);
  JavaValue value = pop(kind);
  if (slot) *slot = std::move(value);
  if (slot && (kind == Kind::Long || kind == Kind::Double) && local(index + 1))
    *local(index + 1) = JavaValue{};
}

void BodyLowering::increment(const Instruction& i) {
  JavaValue* slot = local(i.operand);
  if (!slot) return;
  if (slot->kind != Kind::Int) return wrong("iinc of something that is no int");
  JavaValue made{.kind = Kind::Int};
  made.term =
      small(arena_.wrap(32, true, arena_.add(slot->term, arena_.integer(i.second))), Kind::Int);
  *slot = made;
}

void BodyLowering::step(const Instruction& i) {
  const unsigned op = i.op;
  constexpr Kind kinds[] = {Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference};
  if (op == 0) return;
  if (op == 1) return push({.kind = Kind::Reference, .term = arena_.null(), .type = "null"});
  if (op <= 8) return push(Kind::Int, arena_.integer(static_cast<int>(op) - 3));
  if (op <= 10) return push(Kind::Long, arena_.integer(static_cast<int>(op) - 9));
  if (op <= 13) return push(Kind::Float, arena_.integer(static_cast<int>(op) - 11));
  if (op <= 15) return push(Kind::Double, arena_.integer(static_cast<int>(op) - 14));
  if (op <= 17) return push(Kind::Int, arena_.integer(i.operand));
  if (op <= 20) return load_constant(static_cast<unsigned>(i.operand));
  if (op <= 0x19) return load_local(i.operand, kinds[op - 0x15]);
  if (op <= 0x2d) return load_local(static_cast<int>(op - 0x1a) % 4, kinds[(op - 0x1a) / 4]);
  if (op <= 0x35) return array_load(op);
  if (op <= 0x3a) return store_local(i.operand, kinds[op - 0x36]);
  if (op <= 0x4e) return store_local(static_cast<int>(op - 0x3b) % 4, kinds[(op - 0x3b) / 4]);
  if (op <= 0x56) return array_store(op);
  if (op <= 0x5f) return stack_operation(op);
  if (op == 0x84) return increment(i);
  if (op <= 0x98) return arithmetic(op);
  if (op <= 0xa6 || op == 0xc6 || op == 0xc7) return condition(i);
  if (op == 0xa7 || op == 0xc8) return jump(graph_.block_of[i.targets[0]]);
  switch (op) {
  case 0xa8:
  case 0xa9:
  case 0xc9: unsupported_ = "subroutines (jsr)"; return;
  case 0xaa:
  case 0xab: return switch_on(i);
  case 0xac:
  case 0xad:
  case 0xae:
  case 0xaf:
  case 0xb0:
  case 0xb1: return return_value(i);
  case 0xb2: return get_static(i);
  case 0xb3: return put_static(i);
  case 0xb4: return get_field(i);
  case 0xb5: return put_field(i);
  case 0xb6:
  case 0xb7:
  case 0xb8:
  case 0xb9: return invoke(i);
  case 0xba: return invoke_dynamic(i);
  case 0xbb: return new_object(i);
  case 0xbc: {
    static constexpr const char* names[] = {"[Z", "[C", "[F", "[D", "[B", "[S", "[I", "[J"};
    if (i.operand < 4 || i.operand > 11) return wrong("newarray of an unknown type");
    return new_array(pop(Kind::Int), names[i.operand - 4]);
  }
  case 0xbd: {
    const auto name = what_.owner->class_at(static_cast<unsigned>(i.operand));
    if (!name || name->empty()) return wrong("a class constant is needed");
    return new_array(pop(Kind::Int), (*name)[0] == '[' ? "[" + *name : "[L" + *name + ";");
  }
  case 0xbe: {
    JavaValue array = pop(Kind::Reference);
    null_check(array);
    if (dead_) return;
    if (array.table) return push(Kind::Int, table_size(*array.table));
    if (array.held) return push(Kind::Int, held_length(*array.held));
    return push(Kind::Int, arena_.select(context_.array_length(), reference(array)));
  }
  case 0xbf: return throw_value();
  case 0xc0:
  case 0xc1: return cast(i);
  case 0xc2: {
    JavaValue lock = pop(Kind::Reference);
    if (!problem_.empty()) return;
    null_check(lock);
    return enter_monitor(lock, false);
  }
  case 0xc3: {
    JavaValue lock = pop(Kind::Reference);
    if (!problem_.empty()) return;
    return enter_monitor(lock, true);
  }
  case 0xc5: return new_arrays(i);
  default: wrong(fmt::format("there is no instruction {:#x}", op));
  }
}

/// Arrays of arrays.
void BodyLowering::new_arrays(const Instruction& i) {
  const auto name = what_.owner->class_at(static_cast<unsigned>(i.operand));
  if (!name || i.second < 1) return wrong("multianewarray of no type");
  JavaValue length;
  std::vector<JavaValue> lengths;
  for (int k = 0; k < i.second; ++k) lengths.push_back(pop(Kind::Int));
  if (!problem_.empty()) return;
  for (std::size_t k = 0; k + 1 < lengths.size(); ++k)
    throw_if(arena_.lt(lengths[k].term, arena_.integer(0)), "java/lang/NegativeArraySizeException");
  return new_array(lengths.back(), *name);
}

void BodyLowering::load_constant(unsigned index) {
  const auto& pool = what_.owner->pool;
  if (index >= pool.size()) return wrong("a constant is out of range");
  const Constant& c = pool[index];
  switch (c.tag) {
  case ConstantTag::Integer:
    return push(Kind::Int, arena_.integer(static_cast<std::int32_t>(c.bits)));
  case ConstantTag::Long:
    return push(Kind::Long, arena_.integer(static_cast<std::int64_t>(c.bits)));
  case ConstantTag::Float: return push(Kind::Float, arena_.integer(static_cast<Integer>(c.bits)));
  case ConstantTag::Double: return push(Kind::Double, arena_.integer(static_cast<Integer>(c.bits)));
  case ConstantTag::String:
    return push(c.first < what_.owner->pool.size() ? string(what_.owner->pool[c.first].text)
                                                   : object("java/lang/String"));
  case ConstantTag::Class: return push(object("java/lang/Class"));
  case ConstantTag::MethodHandle:
  case ConstantTag::MethodType: return push(object("java/lang/Object"));
  case ConstantTag::Dynamic: {
    const auto dynamic = what_.owner->dynamic_at(index);
    const auto type = dynamic ? parse_type(dynamic->descriptor) : std::nullopt;
    if (!type || type->letter == 'V') return wrong("a dynamic constant has no type");
    approximate("dynamic constants are not tracked");
    return push(loaded(*type, havoc("constant", context_.type_of(*type), Chooser::Unknown)));
  }
  default: wrong("a constant of this kind cannot be loaded");
  }
}

void BodyLowering::stack_operation(unsigned op) {
  auto wide = [](const JavaValue& s) { return s.kind == Kind::Long || s.kind == Kind::Double; };
  switch (op) {
  case 0x57: pop(); return; // pop
  case 0x58:                // pop2
    if (!wide(pop())) pop();
    return;
  case 0x59: { // dup
    JavaValue a = pop();
    push(a);
    return push(a);
  }
  case 0x5a: { // dup_x1
    JavaValue a = pop(), b = pop();
    push(a);
    push(b);
    return push(a);
  }
  case 0x5b: { // dup_x2
    JavaValue a = pop(), b = pop();
    if (wide(b)) {
      push(a);
      push(b);
      return push(a);
    }
    JavaValue c = pop();
    push(a);
    push(c);
    push(b);
    return push(a);
  }
  case 0x5c: { // dup2
    JavaValue a = pop();
    if (wide(a)) {
      push(a);
      return push(a);
    }
    JavaValue b = pop();
    push(b);
    push(a);
    push(b);
    return push(a);
  }
  case 0x5d: { // dup2_x1
    JavaValue a = pop(), b = pop();
    if (wide(a)) {
      push(a);
      push(b);
      return push(a);
    }
    JavaValue c = pop();
    push(b);
    push(a);
    push(c);
    push(b);
    return push(a);
  }
  case 0x5e: { // dup2_x2
    std::vector<JavaValue> top{pop()}, below;
    if (!wide(top[0])) top.push_back(pop());
    below.push_back(pop());
    if (!wide(below[0])) below.push_back(pop());
    for (const auto* part : {&top, &below, &top})
      for (auto it = part->rbegin(); it != part->rend(); ++it) push(*it);
    return;
  }
  default: { // swap
    JavaValue a = pop(), b = pop();
    push(a);
    return push(b);
  }
  }
}

void BodyLowering::arithmetic(unsigned op) {
  constexpr Kind kinds[] = {Kind::Int, Kind::Long, Kind::Float, Kind::Double};
  auto floating = [&](Kind kind) {
    approximate("floating point is not tracked");
    push(kind, havoc("number", context_.machine_type(kind), Chooser::Unknown));
  };
  if (op >= 0x60 && op <= 0x77) {
    const Kind kind = kinds[(op - 0x60) % 4];
    const unsigned what = (op - 0x60) / 4; // add sub mul div rem neg
    const Term b = number(kind), a = what < 5 ? number(kind) : b;
    if (!problem_.empty()) return;
    if (kind == Kind::Float || kind == Kind::Double) return floating(kind);
    const int width = kind == Kind::Int ? 32 : 64;
    if (what == 3 || what == 4)
      throw_if(arena_.eq(b, arena_.integer(0)), "java/lang/ArithmeticException");
    Term made = nullptr;
    switch (what) {
    case 0: made = arena_.add(a, b); break;
    case 1: made = arena_.sub(a, b); break;
    case 2: made = arena_.mul(a, b); break;
    case 3: made = arena_.div(a, b); break;
    case 4: return push(kind, arena_.mod(a, b));
    default: made = arena_.neg(b);
    }
    return push(kind, arena_.wrap(width, true, made));
  }
  if (op >= 0x78 && op <= 0x83) {
    const unsigned what = (op - 0x78) / 2; // shl shr ushr and or xor
    const Kind kind = (op - 0x78) % 2 ? Kind::Long : Kind::Int;
    const JavaValue b = pop(what < 3 ? Kind::Int : kind), a = pop(kind);
    if (!problem_.empty()) return;
    return push(kind, bits(what, kind == Kind::Int ? 32 : 64, a, b));
  }
  if (op >= 0x85 && op <= 0x93) {
    static constexpr Kind from[] = {Kind::Int,   Kind::Int,    Kind::Int,    Kind::Long,
                                    Kind::Long,  Kind::Long,   Kind::Float,  Kind::Float,
                                    Kind::Float, Kind::Double, Kind::Double, Kind::Double,
                                    Kind::Int,   Kind::Int,    Kind::Int};
    static constexpr Kind to[] = {Kind::Long,   Kind::Float,  Kind::Double, Kind::Int,
                                  Kind::Float,  Kind::Double, Kind::Int,    Kind::Long,
                                  Kind::Double, Kind::Int,    Kind::Long,   Kind::Float,
                                  Kind::Int,    Kind::Int,    Kind::Int};
    const Term a = number(from[op - 0x85]);
    if (!problem_.empty()) return;
    switch (op) {
    case 0x85: return push(Kind::Long, a);
    case 0x88: return push(Kind::Int, low_half(arena_, a));
    case 0x91: return push(Kind::Int, arena_.wrap(8, true, a));
    case 0x92: return push(Kind::Int, arena_.wrap(16, false, a));
    case 0x93: return push(Kind::Int, arena_.wrap(16, true, a));
    default: return floating(to[op - 0x85]);
    }
  }
  if (op == 0x94) { // lcmp
    const Term b = number(Kind::Long), a = number(Kind::Long);
    if (!problem_.empty()) return;
    JavaValue made{.kind = Kind::Int};
    made.term = arena_.ite(arena_.lt(a, b), arena_.integer(-1),
                           arena_.ite(arena_.eq(a, b), arena_.integer(0), arena_.integer(1)));
    made.left = a;
    made.right = b;
    return push(made);
  }
  const Kind kind = op <= 0x96 ? Kind::Float : Kind::Double;
  number(kind);
  number(kind);
  approximate("floating point is not tracked");
  push(Kind::Int,
       havoc("compared", {.sort = arena_.int_sort(), .low = -1, .high = 1}, Chooser::Unknown));
}

void BodyLowering::array_load(unsigned op) {
  const Term index = number(Kind::Int);
  JavaValue array = pop(Kind::Reference);
  if (!problem_.empty()) return;
  if (array.field) return push(Kind::Int, switch_table(*array.field, index));
  null_check(array);
  if (dead_) return;
  static constexpr const char* elements = "IJFDLBCS";
  JavaType type{elements[op - 0x2e], ""};
  if (array.table && load_element(array, index, type)) return;
  if (dead_) return;
  if (array.held) return load_held(*array.held, index, type);
  const Term length = arena_.select(context_.array_length(), reference(array));
  throw_if(out_of_bounds(index, length), "java/lang/ArrayIndexOutOfBoundsException");
  if (type.letter == 'L') {
    type.name = "java/lang/Object";
    if (array.type.size() > 1 && array.type[0] == '[')
      type = parse_type(std::string_view(array.type).substr(1)).value_or(type);
    if (!type.is_reference()) return wrong("an array holds no references");
  }
  approximate("elements of arrays are not tracked");
  push(loaded(type, havoc("element", context_.type_of(type), Chooser::Unknown)));
}

void BodyLowering::array_store(unsigned op) {
  constexpr Kind kinds[] = {Kind::Int,       Kind::Long, Kind::Float, Kind::Double,
                            Kind::Reference, Kind::Int,  Kind::Int,   Kind::Int};
  JavaValue value = pop(kinds[op - 0x4f]);
  const Term index = number(Kind::Int);
  JavaValue array = pop(Kind::Reference);
  if (!problem_.empty()) return;
  null_check(array);
  if (dead_) return;
  if (array.held) return store_held(*array.held, index, value);
  const Term length = arena_.select(context_.array_length(), reference(array));
  throw_if(out_of_bounds(index, length), "java/lang/ArrayIndexOutOfBoundsException");
  constexpr unsigned store_reference = 0x53;
  if (dead_) return;
  // From there anybody may get it.
  if (op == store_reference && (value.held || value.table)) reference(value);
  if (op == store_reference) check_store(array, value);
  if (op == store_reference && !dead_) note_handed(value, {'L', "java/lang/Object"});
}

void BodyLowering::new_array(const JavaValue& length, const std::string& type) {
  if (!problem_.empty()) return;
  throw_if(arena_.lt(length.term, arena_.integer(0)), "java/lang/NegativeArraySizeException");
  if (dead_ || make_held_array(length.term, type)) return;
  const Term lengths = context_.array_length();
  const Term made = temporary("array", {.sort = arena_.ref_sort()});
  const Term size = length.term;
  emit({.kind = StatementKind::New, .target = made, .record = "array"});
  set_state(lengths, arena_.store(lengths, made, size));
  constexpr Integer plenty = 1 << 16; // elements that nobody has to worry about
  if (size->op != Op::IntConst || size->number > plenty)
    context_.assume("there is enough memory: no OutOfMemoryError");
  push({.kind = Kind::Reference, .term = made, .type = type, .nonnull = true, .exact = true});
}

void BodyLowering::condition(const Instruction& i) {
  const std::uint32_t then = graph_.block_of[i.targets[0]];
  const CodeBlock& block = graph_.blocks[block_];
  if (block.successors.size() < 2) return wrong("control runs off the end of the code");
  const std::uint32_t otherwise = block.successors[1];
  const unsigned op = i.op;
  Term test = nullptr;
  if (op <= 0x9e) {
    const JavaValue a = pop(Kind::Int);
    if (!problem_.empty()) return;
    const int relation = static_cast<int>(op - 0x99);
    test =
        a.left ? compare(relation, a.left, a.right) : compare(relation, a.term, arena_.integer(0));
  } else if (op <= 0xa4) {
    const Term b = number(Kind::Int), a = number(Kind::Int);
    if (!problem_.empty()) return;
    test = compare(static_cast<int>(op - 0x9f), a, b);
  } else {
    JavaValue b = op <= 0xa6
                      ? pop(Kind::Reference)
                      : JavaValue{.kind = Kind::Reference, .term = arena_.null(), .type = "null"};
    JavaValue a = pop(Kind::Reference);
    if (!problem_.empty()) return;
    if (a.type == "null") std::swap(a, b);
    Term same = nullptr;
    if (a.kind == Kind::Reference && a.type == "null") {
      same = arena_.truth();
    } else if (b.type == "null" && b.kind == Kind::Reference) {
      same = is_null(a);
    } else if (a.kind == Kind::Enumeration && b.kind == Kind::Enumeration && a.type == b.type) {
      same = arena_.eq(a.term, b.term);
    } else if (a.receiver >= 0 && a.receiver == b.receiver) {
      same = arena_.truth();
    } else if (a.kind == Kind::Exception || b.kind == Kind::Exception || without_identity(a) ||
               without_identity(b)) {
      same = havoc("same", {.sort = arena_.bool_sort()}, Chooser::Unknown);
    } else {
      const Term x = reference(a);
      same = arena_.eq(x, reference(b));
    }
    const bool equal = op == 0xa5 || op == 0xc6;
    test = equal ? same : arena_.negate(same);
  }
  branch(test, then, otherwise);
}

void BodyLowering::switch_on(const Instruction& i) {
  const Term value = number(Kind::Int);
  if (!problem_.empty()) return;
  std::vector<std::pair<std::uint32_t, std::vector<Term>>> cases; // by target, in order
  const std::uint32_t otherwise = graph_.block_of[i.targets.back()];
  for (std::size_t k = 0; k < i.keys.size(); ++k) {
    const std::uint32_t target = graph_.block_of[i.targets[k]];
    if (target == otherwise) continue;
    auto found =
        std::ranges::find(cases, target, &std::pair<std::uint32_t, std::vector<Term>>::first);
    if (found == cases.end()) found = cases.insert(cases.end(), {target, {}});
    found->second.push_back(compare(0, value, arena_.integer(i.keys[k])));
  }
  const State before = state_;
  for (auto& [target, tests] : cases) {
    const Term test = arena_.disj(tests);
    if (is_false(test)) continue;
    const BlockId yes = new_block(), no = new_block();
    made_.blocks[current_].end = {
        .kind = TerminatorKind::Branch, .value = test, .next = yes, .other = no};
    current_ = yes;
    flow(target, before);
    state_ = before;
    current_ = no;
  }
  flow(otherwise, before);
  dead_ = true;
}

void BodyLowering::return_value(const Instruction& i) {
  Terminator last{.kind = TerminatorKind::Return};
  if (i.op == 0xb1) {
    if (made_.returns) return wrong("a value must be returned");
  } else {
    if (!made_.returns) return wrong("no value can be returned");
    constexpr Kind kinds[] = {Kind::Int, Kind::Long, Kind::Float, Kind::Double, Kind::Reference};
    JavaValue value = pop(kinds[i.op - 0xac]);
    if (!problem_.empty()) return;
    give_entry(value);
    if (context_.kind_of(signature_.result) != value.kind &&
        !(signature_.result.is_reference() && kinds[i.op - 0xac] == Kind::Reference))
      return wrong("a value of another kind must be returned");
    if (context_.returns_exception(*what_.owner, *what_.method) &&
        what_.kind == ProcedureKind::Internal) {
      if (value.kind != Kind::Exception) {
        context_.discovered.reference_throwables.insert(what_.owner->name + what_.method->name +
                                                        what_.method->descriptor);
        context_.again = true;
      }
      last.value = value.term;
      if (!last.value || value.kind != Kind::Exception)
        last.value = havoc("thrown", *made_.returns, Chooser::Unknown);
    } else {
      last.value = stored(signature_.result, std::move(value));
    }
  }
  end(std::move(last));
}

void BodyLowering::throw_value() {
  JavaValue value = pop(Kind::Reference);
  if (!problem_.empty()) return;
  if (value.kind == Kind::Exception) return raise(value.term, value.type, value.exact);
  null_check(value);
  if (dead_) return;
  const std::string bound =
      context_.pool.is_throwable(value.type) ? value.type : "java/lang/Throwable";
  context_.declare_exception(bound);
  const Term thrown = havoc("thrown", context_.exception_type(),
                            value.opaque ? Chooser::Environment : Chooser::Unknown);
  emit({.kind = StatementKind::Assume, .value = context_.is_exception(thrown, bound)});
  raise(thrown, bound, false);
}

void BodyLowering::cast(const Instruction& i) {
  const auto name = what_.owner->class_at(static_cast<unsigned>(i.operand));
  JavaValue value = pop(Kind::Reference);
  if (!name || name->empty()) return wrong("a class constant is needed");
  if (!problem_.empty()) return;
  if (i.op == 0xc1) {
    const Term is = type_test(value, *name);
    return push(Kind::Int, arena_.ite(is, arena_.integer(1), arena_.integer(0)));
  }
  if (value.type == "null") return push(value);
  const bool element = std::exchange(value.element, false);
  if (element) context_.assume("what library objects hold has the types that the source declares");
  const Term absent = is_null(value);
  const Term is = element ? arena_.negate(absent) : type_test(value, *name);
  throw_if(arena_.negate(arena_.disj(is, absent)), "java/lang/ClassCastException");
  if (dead_) return;
  const Kind wanted = context_.kind_of(class_type(*name));
  if (wanted == Kind::Enumeration && value.kind == Kind::Reference) {
    value = converted(value, wanted, *name);
  } else if (value.kind == Kind::Reference && value.receiver < 0 &&
             !context_.pool.is_subtype(value.type, *name)) {
    value.type = *name;
  }
  push(value);
}

} // namespace tacit::java
