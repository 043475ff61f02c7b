// Instructions that call, and what needs no call: answers that are known here.
#include <algorithm>
#include <array>
#include <utility>

#include "base/should.h"
#include "frontend/java/body.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

namespace {
/// Methods of collections that leave them as they are; others may not.
bool only_asks(const std::string& method) {
  static const std::set<std::string> asking = {
      "size",     "isEmpty",     "contains", "containsKey",  "containsValue", "containsAll",
      "get",      "getFirst",    "getLast",  "getOrDefault", "peek",          "peekFirst",
      "peekLast", "element",     "first",    "last",         "firstKey",      "lastKey",
      "indexOf",  "lastIndexOf", "iterator", "entrySet",     "keySet",        "values",
      "stream",   "hashCode",    "equals",   "toString",     "toArray",       "forEach"};
  return asking.contains(method);
}

} // namespace

void BodyLowering::invoke(const Instruction& i) {
  const auto ref = what_.owner->member_at(static_cast<unsigned>(i.operand));
  const auto signature = ref ? parse_signature(ref->descriptor) : std::nullopt;
  if (!signature || ref->name.empty() || (ref->name == "<init>" && signature->result.letter != 'V'))
    return wrong("a method is needed");
  std::vector<JavaValue> arguments;
  for (auto it = signature->parameters.rbegin(); it != signature->parameters.rend(); ++it) {
    const Kind kind = context_.kind_of(*it);
    arguments.push_back(pop(it->is_reference() ? Kind::Reference : kind));
  }
  std::ranges::reverse(arguments);
  const bool is_static = i.op == 0xb8, special = i.op == 0xb7;
  std::optional<JavaValue> object;
  if (!is_static) object = pop(Kind::Reference);
  if (!problem_.empty()) return;
  if (object) null_check(*object);
  if (dead_) return;
  if (object && object->table && call_table(*ref, arguments, *object)) return;
  if (dead_) return;
  if (object) check_monitor(*ref, *object);
  if (ref->owner == "java/util/Map$Entry" && ref->name == "setValue")
    context_.again |= !std::exchange(context_.discovered.sets_entries, true);
  for (const JavaValue& argument : arguments) give_entry(argument);
  if (object && object->held && !object->held->rest && !only_asks(ref->name))
    outdate_iterators(*object->held->of, nullptr);
  if (object) check_elements(*ref, arguments, *object);
  if (dead_) return;
  if (makes_fixed(*ref) && !std::exchange(context_.discovered.makes_fixed, true))
    context_.again = true;
  if ((ref->name == "<init>" || is_static) && make_held(*ref, *signature, arguments)) return;
  if (is_static && wrap_held(*ref, arguments)) return;
  if (is_static && array_function(*ref, arguments)) return;
  if (is_static && make_table(*ref, *signature, arguments)) return;
  if (write_text(*ref, *signature, arguments)) return;
  const auto gone_through = ref->name == "forEach" && object ? object->held : std::nullopt;
  const Term before = gone_through ? size_before(*gone_through) : nullptr;
  if (call_library(*ref, *signature, arguments, object)) {
    if (before && !dead_)
      throw_if(arena_.ne(context_.held_fact(*gone_through, "size", gone_through->owner), before),
               "java/util/ConcurrentModificationException");
    return;
  }
  if (intrinsic(*ref, *signature, arguments, object)) return;

  ClassPool& pool = context_.pool;
  auto found = pool.find_method(ref->owner, ref->name, ref->descriptor);
  // Methods that take arguments of any type are declared with one descriptor for all.
  if (!found.method &&
      (ref->owner == "java/lang/invoke/VarHandle" || ref->owner == "java/lang/invoke/MethodHandle"))
    found = pool.find_method(ref->owner, ref->name, "([Ljava/lang/Object;)Ljava/lang/Object;");
  static const Method unchecked{};
  if (!found.method && ref->owner == "java/lang/invoke/VarHandle")
    found = {pool.find(ref->owner), &unchecked};
  const std::string declared = found.owner ? found.owner->name : ref->owner;
  auto has_body = [this](const ClassPool::Found& f) {
    return f.method && f.method->code && !f.method->is(access::is_abstract) &&
           !context_.outranked(*f.owner, *f.method);
  };
  if (is_static) {
    if (context_.is_own(declared) && context_.starts_lazily(declared)) {
      for (const JavaValue& value : arguments) push(value);
      use_class(declared);
      for (std::size_t k = arguments.size(); k-- > 0;) arguments[k] = pop();
    }
    if (has_body(found) && context_.is_own(declared) && found.method->is(access::is_static))
      return call_own(*found.owner, *found.method, no_receiver, arguments, object);
    return call_opaque(declared, *ref, found.method, arguments, object, false);
  }
  if (object->receiver >= 0) {
    const auto receiver = static_cast<std::size_t>(object->receiver);
    const ClassFile& type = *context_.receivers()[receiver].type;
    const bool is_private = found.method && found.method->is(access::is_private);
    const bool is_virtual = !special && !is_private;
    if (is_virtual) found = pool.find_method(type.name, ref->name, ref->descriptor);
    const std::string owner = found.owner ? found.owner->name : ref->owner;
    if (has_body(found) && !found.method->is(access::is_static) && owner != "java/lang/Object") {
      const bool overridable = is_virtual && !found.method->is(access::is_final) &&
                               !found.owner->is(access::is_final) && !type.is(access::is_final);
      // An enclosing object of an abstract class is of some subclass, which may override anything.
      if (overridable && receiver > 0 && type.is(access::is_abstract))
        return call_opaque(owner, *ref, found.method, arguments, object, false);
      if (overridable)
        context_.assume(fmt::format("{} is exactly a {}: no subclass overrides its methods",
                                    context_.receivers()[receiver].name, dotted(type.name)));
      return call_own(*found.owner, *found.method, object->receiver, arguments, object);
    }
    return call_opaque(owner, *ref, found.method, arguments, object, false);
  }
  if (object->kind == Kind::Enumeration && !special && context_.is_own(declared) &&
      table_by_constant(*ref, *signature, *object, constant_classes(object->type)))
    return;
  call_virtually(*ref, found, special, arguments, object);
}

/// What all exceptions can be asked.
bool BodyLowering::exception_method(const MemberRef& callee, const Signature& signature,
                                    JavaValue& object) {
  const std::string& name = callee.name;
  const bool writes =
      name == "printStackTrace" || name == "toString" || name == "getLocalizedMessage";
  if (writes && writes_itself(object)) {
    const Signature written{.parameters = {{'L', "java/lang/Object"}}, .result = {'V', ""}};
    run_callbacks("java/lang/Throwable", name, written, {object}, std::nullopt);
    if (dead_) return true;
  }
  if (name == "initCause" || name == "fillInStackTrace") {
    push(object);
    return true;
  }
  if (name == "addSuppressed" || name == "setStackTrace" || name == "printStackTrace") return true;
  if (name == "getMessage" || name == "toString" || name == "getLocalizedMessage" ||
      name == "getStackTrace" || name == "getCause" || name == "getSuppressed") {
    JavaValue value =
        loaded(signature.result, havoc(name, {.sort = arena_.ref_sort()}, Chooser::Unknown));
    value.opaque = true;
    value.nonnull = name == "getStackTrace" || name == "toString";
    push(std::move(value));
    return true;
  }
  return false;
}

/// What all constants of enumerations can be asked.
bool BodyLowering::enum_method(const MemberRef& callee, const Signature& signature,
                               std::vector<JavaValue>& arguments, JavaValue& object) {
  const std::string& name = callee.name;
  if (name == "ordinal" && signature.parameters.empty()) {
    push(Kind::Int, arena_.to_int(object.term));
    return true;
  }
  if (name == "equals" && arguments.size() == 1 && arguments[0].kind == Kind::Enumeration &&
      arguments[0].type == object.type) {
    push(Kind::Int, arena_.ite(arena_.eq(object.term, arguments[0].term), arena_.integer(1),
                               arena_.integer(0)));
    return true;
  }
  if (name == "compareTo" && arguments.size() == 1 && arguments[0].kind == Kind::Enumeration &&
      arguments[0].type == object.type) {
    JavaValue other = arguments[0];
    null_check(other);
    if (!dead_) push(Kind::Int, arena_.sub(arena_.to_int(object.term), arena_.to_int(other.term)));
    return true;
  }
  const auto declared = context_.pool.find_method(object.type, name, callee.descriptor);
  if (declared.owner && declared.owner->name == "java/lang/Enum" &&
      context_.overriding(object.type, name, callee.descriptor).empty() &&
      (name == "name" || name == "toString" || name == "getDeclaringClass")) {
    push(this->object(signature.result.name));
    return true;
  }
  return false;
}

bool BodyLowering::intrinsic(const MemberRef& callee, const Signature& signature,
                             std::vector<JavaValue>& arguments, std::optional<JavaValue>& object) {
  const std::string& name = callee.name;
  if (object && object->field && field_by_handle(callee, signature, arguments, *object))
    return true;
  if (name == "<init>" && object) {
    if (callee.owner == "java/lang/Object" || callee.owner == "java/lang/Enum") return true;
    // What else constructors of library exceptions do is nobody's business.
    if (object->kind == Kind::Exception && !context_.is_own(callee.owner)) {
      fill_stack_trace(arguments, object);
      return true;
    }
    if (callee.owner == "java/lang/Record") return true;
  }
  if (object && name == "clone" && arguments.empty() && copied(callee, *object)) return true;
  if (object && object->kind == Kind::Exception && !overrides_exception(callee, *object) &&
      exception_method(callee, signature, *object))
    return true;
  if (object && object->kind == Kind::Enumeration &&
      enum_method(callee, signature, arguments, *object))
    return true;
  if (object &&
      (callee.owner == "java/lang/StringBuilder" || callee.owner == "java/lang/StringBuffer")) {
    const auto plain = [](const JavaType& t) {
      return !t.is_reference() || t.name == "java/lang/String";
    };
    const bool simple = std::ranges::all_of(signature.parameters, plain);
    if (name == "<init>" && simple &&
        (signature.parameters.empty() || signature.parameters[0].is_reference()))
      return true;
    if (name == "append" && simple) {
      push(*object);
      return true;
    }
    if (name == "toString" && signature.parameters.empty()) {
      push(this->object("java/lang/String"));
      return true;
    }
  }
  if (callee.owner == "java/util/Objects" && name == "requireNonNull" && !object &&
      !arguments.empty() && !given_contract(callee)) {
    const Term absent = is_null(arguments[0]);
    throw_if(absent, "java/lang/NullPointerException");
    if (dead_) return true;
    arguments[0].nonnull = true;
    push(arguments[0]);
    return true;
  }
  if (value_method(callee, signature, arguments, object)) return true;
  if (optional_method(callee, signature, arguments, object)) return true;
  if (name == "getClass" && object && signature.parameters.empty()) {
    push(this->object("java/lang/Class"));
    return true;
  }
  if (name == "desiredAssertionStatus" && callee.owner == "java/lang/Class") {
    push(Kind::Int, arena_.integer(0));
    return true;
  }
  return false;
}

void BodyLowering::invoke_dynamic(const Instruction& i) {
  const auto dynamic = what_.owner->dynamic_at(static_cast<unsigned>(i.operand));
  const auto signature = dynamic ? parse_signature(dynamic->descriptor) : std::nullopt;
  if (!signature) return wrong("a dynamic call site is needed");
  std::vector<JavaValue> arguments;
  for (auto it = signature->parameters.rbegin(); it != signature->parameters.rend(); ++it)
    arguments.push_back(pop(it->is_reference() ? Kind::Reference : context_.kind_of(*it)));
  std::ranges::reverse(arguments);
  if (!problem_.empty()) return;
  const std::string factory = dynamic->bootstrap ? dynamic->bootstrap->method.owner : "";
  if (factory == "java/lang/invoke/LambdaMetafactory" && signature->result.is_reference()) {
    note_lambda(*dynamic);
    // Own code that calls one of this type may run it.
    JavaValue made = object(signature->result.name);
    made.function = function_of(*dynamic, arguments);
    if (made.function)
      context_.again |=
          context_.discovered.functions[signature->result.name].insert(*made.function).second;
    made.thrown_by = exception_made_by(*dynamic->bootstrap);
    return push(std::move(made));
  }
  if (factory == "java/lang/invoke/StringConcatFactory") {
    bool plain = true;
    for (std::size_t k = 0; k < arguments.size(); ++k)
      plain = plain && writes_plainly(arguments[k], signature->parameters[k]);
    if (plain) return push(object("java/lang/String"));
  }
  if (factory == "java/lang/runtime/ObjectMethods" && context_.is_plain_record(*what_.owner)) {
    if (signature->result.is_reference()) return push(object("java/lang/String"));
    const Term answer = havoc(dynamic->name, context_.type_of(signature->result), Chooser::Unknown);
    return push(loaded(signature->result, answer));
  }
  MemberRef callee{factory.empty() ? "dynamic" : factory, dynamic->name, dynamic->descriptor};
  static const Method unknown{};
  std::optional<JavaValue> nobody;
  call_opaque(callee.owner, callee, &unknown, arguments, nobody, false);
  if (factory == "java/lang/invoke/StringConcatFactory" && !state_.stack.empty())
    state_.stack.back().nonnull = true;
}

/// What a text says matters only if somebody looks, and writing down values does not fail.
bool BodyLowering::write_text(const MemberRef& callee, const Signature& signature,
                              const std::vector<JavaValue>& arguments) {
  const bool writes =
      (callee.owner == "java/lang/String" && callee.name == "valueOf" && arguments.size() == 1) ||
      (callee.owner == "java/util/Objects" && callee.name == "toString" && !arguments.empty());
  if (!writes || !writes_plainly(arguments[0], signature.parameters[0])) return false;
  push(object("java/lang/String"));
  return true;
}

/// Optionals are there or not; what they hold is known where they are made.
bool BodyLowering::optional_method(const MemberRef& callee, const Signature& signature,
                                   std::vector<JavaValue>& arguments,
                                   std::optional<JavaValue>& object) {
  constexpr std::string_view prefix = "java/util/Optional";
  if (!callee.owner.starts_with(prefix)) return false;
  const std::string& name = callee.name;
  const auto is_present = [&](Term optional) {
    return arena_.ne(arena_.select(context_.optional_presence(), optional), arena_.integer(0));
  };
  if (!object) {
    Term present = arena_.truth();
    if (name == "empty" && arguments.empty()) present = arena_.falsehood();
    if (name == "ofNullable" && arguments.size() == 1)
      present = arena_.negate(is_null(arguments[0]));
    else if (name == "of" && arguments.size() == 1 && signature.parameters[0].is_reference())
      null_check(arguments[0]);
    else if (name != "empty" && name != "of")
      return false;
    if (dead_) return true;
    if (!arguments.empty()) note_handed(arguments[0], signature.parameters[0]);
    Term held = nullptr;
    if (context_.discovered.opens_optionals && name != "empty" && arguments.size() == 1 &&
        arguments[0].kind == Kind::Reference) {
      held = temporary("held", {.sort = arena_.ref_sort()});
      assign(held, reference(arguments[0]));
    }
    const Term made = havoc("optional", {.sort = arena_.ref_sort()}, Chooser::Environment);
    emit({.kind = StatementKind::Assume,
          .value =
              arena_.conj(arena_.ne(made, arena_.null()),
                          arena_.eq(arena_.select(context_.optional_presence(), made),
                                    arena_.ite(present, arena_.integer(1), arena_.integer(0))))});
    push({.kind = Kind::Reference,
          .term = made,
          .type = callee.owner,
          .nonnull = true,
          .inside = held});
    return true;
  }
  if (name == "orElseThrow" && arguments.size() == 1 && arguments[0].thrown_by.empty()) {
    const Term absent = arena_.negate(is_present(reference(*object)));
    if (!throw_supplied(arguments[0], absent)) return false;
    push(optional_content(*object, signature.result));
    return true;
  }
  if (name == "orElse" && arguments.size() == 1 && signature.result.is_reference() &&
      arguments[0].kind == Kind::Reference) {
    const Term other = reference(arguments[0]);
    JavaValue value = optional_content(*object, signature.result);
    value.term = arena_.ite(is_present(reference(*object)), value.term, other);
    value.nonnull = arguments[0].nonnull;
    push(std::move(value));
    return true;
  }
  const bool supplied =
      name == "orElseThrow" && arguments.size() == 1 && !arguments[0].thrown_by.empty();
  if (!arguments.empty() && !supplied) return false;
  if (name == "isPresent" || name == "isEmpty") {
    const Term present = is_present(reference(*object));
    push({.kind = Kind::Int,
          .term = arena_.ite(name == "isPresent" ? present : arena_.negate(present),
                             arena_.integer(1), arena_.integer(0)),
          .truth = true});
    return true;
  }
  if (!name.starts_with("get") && name != "orElseThrow") return false;
  throw_if(arena_.negate(is_present(reference(*object))),
           supplied ? arguments[0].thrown_by : "java/util/NoSuchElementException");
  if (dead_) return true;
  push(optional_content(*object, signature.result));
  return true;
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

} // namespace tacit::java
