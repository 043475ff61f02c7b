// Fields and new objects.
#include <algorithm>
#include <utility>

#include "frontend/java/body.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"

namespace tacit::java {

namespace {} // namespace

void BodyLowering::get_field(const Instruction& i) {
  const auto ref = what_.owner->member_at(static_cast<unsigned>(i.operand));
  const auto type = ref ? parse_type(ref->descriptor) : std::nullopt;
  if (!type || type->letter == 'V') return wrong("a field is needed");
  JavaValue object = pop(Kind::Reference);
  if (!problem_.empty()) return;
  const auto found = context_.pool.find_field(ref->owner, ref->name);
  const bool known = found.field && (found.field->flags & access::is_static) == 0 &&
                     found.field->descriptor == ref->descriptor;
  null_check(object);
  if (dead_) return;
  if (object.receiver >= 0 && known) {
    const auto receiver = static_cast<std::size_t>(object.receiver);
    const auto& chain = context_.receivers()[receiver].chain;
    if (std::ranges::find(chain, found.owner) != chain.end()) {
      if (const auto outer = context_.outer(receiver, *found.owner, *found.field))
        return push({.kind = Kind::Reference,
                     .receiver = static_cast<int>(*outer),
                     .type = type->name,
                     .nonnull = true});
      if (const auto held = held_object(object, *found.owner, *found.field))
        return push({.kind = Kind::Reference,
                     .type = held->of->type,
                     .nonnull = context_.never_null(receiver, *found.owner, *found.field),
                     .held = held});
      JavaValue value = loaded(*type, context_.field(receiver, *found.owner, *found.field));
      const std::string key = found.owner->name + " " + ref->name;
      value.homemade = !(found.field->flags & access::is_public) &&
                       !context_.discovered.brought_fields.contains(key);
      value.exact = type->letter == '[' && !(found.field->flags & access::is_public) &&
                    !context_.discovered.loose_arrays.contains(key);
      value.narrow = context_.discovered.narrow_arrays.contains(key);
      if (type->is_reference()) {
        value.nonnull = context_.never_null(receiver, *found.owner, *found.field);
        value.brought = context_.discovered.brought.contains(found.owner->name + " " + ref->name);
        value.foreign = context_.is_foreign(Context::place_of(*found.owner, ref->name));
      }
      return push(std::move(value));
    }
  }
  if (known && context_.is_outer_field(*found.owner, *found.field))
    return push({.kind = Kind::Reference, .receiver = 0, .type = type->name, .nonnull = true});
  if (known && object.receiver < 0 && object.kind == Kind::Reference &&
      !context_.receivers_with(*found.owner).empty())
    context_.again |= !std::exchange(context_.discovered.reads_others, true);
  if (known && object.kind == Kind::Enumeration)
    if (auto value = constant_field(object, *found.owner, *found.field, *type))
      return push(std::move(*value));
  if (!known || !context_.is_own(found.owner->name) || object.kind != Kind::Reference) {
    if (const Term given = argument_field(object, *ref, *type)) return push(loaded(*type, given));
    // Somebody else's field: what it holds, and who changes it when, is not known.
    JavaValue value = loaded(*type, havoc(ref->name, context_.type_of(*type), Chooser::Unknown));
    return push(std::move(value));
  }
  if (const auto held = held_object(object, *found.owner, *found.field))
    return push({.kind = Kind::Reference,
                 .type = held->of->type,
                 .nonnull = held->of->never_null,
                 .held = held});
  const Term address = reference(object);
  Term value = arena_.select(context_.field_map(*found.owner, *found.field), address);
  for (const std::size_t r : context_.receivers_with(*found.owner)) {
    const auto outer = context_.outer(r, *found.owner, *found.field);
    value = arena_.ite(arena_.eq(address, context_.receiver_term(r)),
                       outer ? context_.receiver_term(*outer)
                             : context_.field(r, *found.owner, *found.field),
                       value);
  }
  JavaValue got = loaded(*type, value);
  got.foreign = context_.is_foreign(Context::place_of(*found.owner, ref->name));
  push(std::move(got));
}

void BodyLowering::put_field(const Instruction& i) {
  const auto ref = what_.owner->member_at(static_cast<unsigned>(i.operand));
  const auto type = ref ? parse_type(ref->descriptor) : std::nullopt;
  if (!type || type->letter == 'V') return wrong("a field is needed");
  const Kind kind = context_.kind_of(*type);
  JavaValue value = pop(type->is_reference() ? Kind::Reference : kind);
  JavaValue object = pop(Kind::Reference);
  if (!problem_.empty()) return;
  const auto found = context_.pool.find_field(ref->owner, ref->name);
  const bool known = found.field && (found.field->flags & access::is_static) == 0 &&
                     found.field->descriptor == ref->descriptor;
  null_check(object);
  if (dead_) return;
  if (known && value.receiver != 0 && context_.is_outer_field(*found.owner, *found.field) &&
      what_.method->name != "<init>")
    context_.again |= context_.discovered.other_outers.insert(found.owner->name).second;
  // Whoever made the object: new ones are own code's, all others may be the client's.
  if (known && type->is_reference() && value.type != "null" && !value.homemade)
    context_.again |=
        context_.discovered.brought_fields.insert(found.owner->name + " " + ref->name).second;
  if (known && type->is_reference() && value.type != "null" && !value.foreign)
    context_.mix(Context::place_of(*found.owner, ref->name));
  if (known) note_array(found.owner->name + " " + ref->name, *type, value);
  if (known && (value.parameter >= 0 || value.opaque || value.brought))
    context_.again |=
        context_.discovered.brought.insert(found.owner->name + " " + ref->name).second;
  if (object.receiver >= 0 && known) {
    const auto receiver = static_cast<std::size_t>(object.receiver);
    const auto& chain = context_.receivers()[receiver].chain;
    if (std::ranges::find(chain, found.owner) != chain.end()) {
      if (const auto outer = context_.outer(receiver, *found.owner, *found.field)) {
        if (value.receiver == static_cast<int>(*outer)) return;
        context_.discovered.unflattened.insert(found.owner->name);
        context_.again = true;
        return;
      }
      if (receiver == 0 && type->is_reference() && (found.field->flags & access::is_final) &&
          !is_false(is_null(value)) &&
          context_.discovered.nullable.insert(found.owner->name + " " + ref->name).second)
        context_.again = true;
      if (receiver == 0) state_.assigned.insert(ref->name);
      if (const HeldField* held = context_.held_field(*found.field);
          held && set_held(*held, {held, object.receiver, nullptr}, value))
        return;
      const Term field = context_.field(receiver, *found.owner, *found.field);
      return set_state(field, stored(*type, std::move(value)));
    }
  }
  if (!known || !context_.is_own(found.owner->name) || object.kind != Kind::Reference) {
    if (const Term given = argument_field(object, *ref, *type))
      set_state(given, stored(*type, std::move(value)));
    return;
  }
  if (const HeldField* held = context_.held_field(*found.field)) {
    if (value.held && value.held->of == held && value.held->receiver < 0 &&
        set_held(*held, *value.held, value))
      return;
    context_.leak(*held);
  }
  const Term address = reference(object);
  const Term map = context_.field_map(*found.owner, *found.field);
  const Term term = stored(*type, std::move(value));
  if (!problem_.empty()) return;
  Term elsewhere = arena_.truth();
  for (const std::size_t r : context_.receivers_with(*found.owner)) {
    if (context_.outer(r, *found.owner, *found.field)) continue;
    const Term is_receiver = arena_.eq(address, context_.receiver_term(r));
    const Term field = context_.field(r, *found.owner, *found.field);
    set_state(field, arena_.ite(is_receiver, term, field));
    elsewhere = arena_.conj(elsewhere, arena_.negate(is_receiver));
  }
  set_state(map, arena_.ite(elsewhere, arena_.store(map, address, term), map));
}

void BodyLowering::get_static(const Instruction& i) {
  const auto ref = what_.owner->member_at(static_cast<unsigned>(i.operand));
  const auto type = ref ? parse_type(ref->descriptor) : std::nullopt;
  if (!type || type->letter == 'V') return wrong("a field is needed");
  if (ref->name == "$assertionsDisabled") return push(Kind::Int, arena_.integer(1));
  if (ref->name.starts_with("$SwitchMap$"))
    return push({.kind = Kind::Reference,
                 .lazy = next_lazy_++,
                 .type = "[I",
                 .nonnull = true,
                 .field = FieldName{ref->owner, ref->name}});
  const auto found = context_.pool.find_field(ref->owner, ref->name);
  const std::string owner = found.owner ? found.owner->name : ref->owner;
  if (found.field && (found.field->flags & access::is_enum) && context_.is_enum(owner) &&
      type->name == owner) {
    use_class(owner);
    const Sort sort = context_.enum_sort(owner);
    std::size_t index = 1;
    for (const Field& f : found.owner->fields) {
      if (&f == found.field) break;
      index += (f.flags & access::is_enum) ? 1 : 0;
    }
    return push({.kind = Kind::Enumeration,
                 .term = arena_.enumerator(sort, index),
                 .type = owner,
                 .nonnull = true});
  }
  const bool is_final = found.field && (found.field->flags & access::is_final);
  if (owner == "java/lang/Boolean" && (ref->name == "TRUE" || ref->name == "FALSE"))
    return push(boxed(owner, arena_.integer(ref->name == "TRUE" ? 1 : 0)));
  if (is_final && found.field->constant) {
    const Constant& c = found.owner->pool[*found.field->constant];
    if (c.tag == ConstantTag::Integer && context_.kind_of(*type) == Kind::Int)
      return push(Kind::Int, arena_.integer(static_cast<std::int32_t>(c.bits)));
    if (c.tag == ConstantTag::Long && type->letter == 'J')
      return push(Kind::Long, arena_.integer(static_cast<std::int64_t>(c.bits)));
    if (c.tag == ConstantTag::String && type->is_reference() && c.first < found.owner->pool.size())
      return push(string(found.owner->pool[c.first].text));
  }
  const bool own = context_.is_own(owner);
  use_class(owner);
  if (!own && !is_final) {
    JavaValue value = loaded(*type, havoc(ref->name, context_.type_of(*type), Chooser::Unknown));
    return push(std::move(value));
  }
  if (const auto table = found.field && what_.method->name != "<clinit>"
                             ? context_.table_of(owner, *found.field)
                             : nullptr)
    return push_table(type->name, {{{arena_.truth(), table}}, owner + " " + ref->name}, nullptr);
  const bool followed = own && !context_.is_fixed(owner, found.field, *type);
  JavaValue value = loaded(*type, context_.static_field(owner, ref->name, *type, followed));
  if (type->letter == 'L' && context_.is_library_constant(owner, ref->name))
    value.nonnull = value.constant = true;
  if (own && is_final && is_field_handle(type->name))
    if (const auto handled = context_.handled_field(owner, ref->name)) {
      value.field = FieldName{owner, *handled};
      value.nonnull = true;
    }
  push(std::move(value));
}

void BodyLowering::put_static(const Instruction& i) {
  const auto ref = what_.owner->member_at(static_cast<unsigned>(i.operand));
  const auto type = ref ? parse_type(ref->descriptor) : std::nullopt;
  if (!type || type->letter == 'V') return wrong("a field is needed");
  JavaValue value = pop(type->is_reference() ? Kind::Reference : context_.kind_of(*type));
  if (!problem_.empty()) return;
  const auto found = context_.pool.find_field(ref->owner, ref->name);
  const std::string owner = found.owner ? found.owner->name : ref->owner;
  if (!context_.is_own(owner) || (found.field && (found.field->flags & access::is_enum))) return;
  if (context_.is_fixed(owner, found.field, *type))
    return; // has its value before the component exists
  push(value);
  use_class(owner);
  value = pop();
  const Term field = context_.static_field(owner, ref->name, *type, true);
  set_state(field, stored(*type, std::move(value)));
}

void BodyLowering::new_object(const Instruction& i) {
  const auto name = what_.owner->class_at(static_cast<unsigned>(i.operand));
  if (!name || name->empty()) return wrong("a class constant is needed");
  use_class(*name);
  context_.makes(*name);
  if (context_.pool.is_throwable(*name))
    return push({.kind = Kind::Exception,
                 .term = context_.exception(*name),
                 .type = *name,
                 .nonnull = true,
                 .exact = true});
  const ClassFile* file = context_.pool.find(*name);
  const bool component = context_.is_component(*name);
  if (!file || !(component || context_.is_own(*name)) || context_.is_enum(*name))
    return push(object(*name));
  const std::string record = component ? "component" : context_.record_of(*file);
  const Term made = temporary("made", {.sort = arena_.ref_sort()});
  new_objects_.insert(made);
  emit({.kind = StatementKind::New, .target = made, .record = record});
  if (component)
    for (const Term map : context_.kept())
      set_state(map, arena_.store(map, made, default_term(arena_, {.sort = map->sort->value})));
  else if (context_.discovered.asks_class)
    set_state(context_.class_of_objects(), context_.with_class(made, *name));
  push({.kind = Kind::Reference, .term = made, .type = *name, .nonnull = true});
}

/// `STATE.compareAndSet(this, a, b)` and the like, of a handle whose field is known.
bool BodyLowering::field_by_handle(const MemberRef& callee, const Signature& signature,
                                   std::vector<JavaValue>& arguments, JavaValue& handle) {
  if (arguments.empty() || arguments[0].receiver < 0) return false;
  const auto receiver = static_cast<std::size_t>(arguments[0].receiver);
  const auto found = context_.pool.find_field(handle.field->owner, handle.field->name);
  const auto& chain = context_.receivers()[receiver].chain;
  const auto type = found.field ? parse_type(found.field->descriptor) : std::nullopt;
  if (!type || std::ranges::find(chain, found.owner) == chain.end()) return false;
  const Term field = context_.field(receiver, *found.owner, *found.field);
  const std::string& name = callee.name;
  auto matches = [&](const JavaValue& s) {
    return s.kind == context_.kind_of(*type) || (type->is_reference() && s.kind == Kind::Reference);
  };
  for (std::size_t k = 1; k < arguments.size(); ++k)
    if (!matches(arguments[k])) return false;
  context_.mix(Context::place_of(*found.owner, found.field->name));
  auto result = [&](JavaValue value) {
    if (signature.result.letter != 'V') push(std::move(value));
  };
  if (arguments.size() == 1 && name.starts_with("get") && name.find("And") == std::string::npos) {
    result(loaded(*type, field));
    return true;
  }
  if (arguments.size() == 2 &&
      (name == "set" || name == "lazySet" || name == "setVolatile" || name == "setRelease" ||
       name == "setOpaque" || name.starts_with("getAndSet"))) {
    const Term value = stored(*type, arguments[1]);
    const JavaValue old = loaded(*type, field);
    if (name.starts_with("getAndSet")) result(old);
    set_state(field, value);
    return true;
  }
  if (arguments.size() == 3 && (name == "compareAndSet" || name.starts_with("weakCompareAndSet"))) {
    const Term expected = stored(*type, arguments[1]), value = stored(*type, arguments[2]);
    if (!problem_.empty()) return true;
    const Term same = arena_.eq(field, expected);
    JavaValue done{.kind = Kind::Int,
                   .term = arena_.ite(same, arena_.integer(1), arena_.integer(0))};
    result(done);
    set_state(field, arena_.ite(same, value, field));
    return true;
  }
  return false;
}

/// Calls whose meaning is known here.
/// Object.clone of an array, or of the component where it can be cloned: a new object that holds
/// the same.
bool BodyLowering::copied(const MemberRef& callee, JavaValue& object) {
  if (object.type.starts_with("[") && object.receiver < 0) {
    const Term lengths = context_.array_length();
    const Term size =
        object.held ? held_length(*object.held) : arena_.select(lengths, reference(object));
    const Term made = temporary("array", {.sort = arena_.ref_sort()});
    emit({.kind = StatementKind::New, .target = made, .record = "array"});
    set_state(lengths, arena_.store(lengths, made, size));
    push({.kind = Kind::Reference, .term = made, .type = object.type, .nonnull = true});
    return true;
  }
  if (object.receiver < 0) return false;
  const auto receiver = static_cast<std::size_t>(object.receiver);
  const ClassFile& type = *context_.receivers()[receiver].type;
  const bool special = graph_.instructions[instruction_].op == 0xb7;
  const auto found =
      context_.pool.find_method(special ? callee.owner : type.name, callee.name, callee.descriptor);
  if (!found.owner || found.owner->name != "java/lang/Object" ||
      !context_.pool.is_subtype(type.name, "java/lang/Cloneable"))
    return false;
  // The copy holds the same library objects.
  for (const ClassFile* one : context_.receivers()[receiver].chain)
    for (const Field& field : one->fields)
      if (const HeldField* held = context_.held_field(field)) context_.leak(*held);
  const Term made = temporary("clone", {.sort = arena_.ref_sort()});
  context_.add_clone(made, receiver);
  emit({.kind = StatementKind::New, .target = made, .record = context_.record_of(type)});
  if (context_.discovered.asks_class)
    set_state(context_.class_of_objects(), context_.with_class(made, type.name));
  push({.kind = Kind::Reference, .term = made, .type = type.name, .nonnull = true});
  return true;
}

} // namespace tacit::java
