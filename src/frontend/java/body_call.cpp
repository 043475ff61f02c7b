// Fields, allocation and calls.
#include <algorithm>
#include <utility>

#include "frontend/java/body.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"

namespace tacit::java {

namespace {
/// Classes through which a field can be read and written by name.
bool is_field_handle(const std::string& type) {
  return type == "java/lang/invoke/VarHandle" ||
         (type.starts_with("java/util/concurrent/atomic/Atomic") && type.ends_with("FieldUpdater"));
}
bool reaches_fields(const std::string& type) {
  return is_field_handle(type) || type == "jdk/internal/misc/Unsafe" || type == "sun/misc/Unsafe" ||
         type == "java/lang/reflect/Field";
}
} // namespace

// --- fields

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

// --- calls

std::set<std::string> BodyLowering::caught_here() const {
  std::set<std::string> types;
  if (code_)
    for (const std::uint32_t h : graph_.blocks[block_].handlers)
      if (!code_->handlers[h].type.empty()) types.insert(code_->handlers[h].type);
  const auto around = context_.discovered.caught.find(key_);
  if (around != context_.discovered.caught.end())
    types.insert(around->second.begin(), around->second.end());
  const auto& asked = context_.discovered.told_apart;
  types.insert(asked.begin(), asked.end());
  return types;
}

/// What a callee throws may reach every handler around this call and around those of this method.
void BodyLowering::hand_on_caught(const std::string& key) {
  for (const std::string& type : caught_here())
    context_.again |= context_.discovered.caught[key].insert(type).second;
}

void BodyLowering::emit_call(const std::string& name, std::vector<Term> arguments,
                             const JavaType& result, bool returns_exception, bool opaque,
                             const std::string& hint, const Type* as) {
  // The arguments are read by the call itself; everything else must survive what it changes.
  protect(nullptr);
  forget_monitors(nullptr);
  // So must an exception that was caught before: handlers find theirs in the same variable.
  if (!graph_.blocks[block_].handlers.empty()) protect(canonical(false, 0, Kind::Exception, ""));
  state_.called = true;
  Terminator call{.kind = TerminatorKind::Call, .name = name, .arguments = std::move(arguments)};
  call.where = here();
  Term value = nullptr;
  if (result.letter != 'V') {
    value = temporary(hint, as                  ? *as
                            : returns_exception ? context_.exception_type()
                                                : context_.type_of(result));
    call.result = value;
  }
  const BlockId site = current_, after = new_block();
  call.next = after;
  const State before = state_;
  for (const std::uint32_t h : graph_.blocks[block_].handlers) {
    const std::string& caught = code_->handlers[h].type;
    const std::string bound = caught.empty() ? "java/lang/Throwable" : caught;
    context_.declare_exception(bound);
    Handler handler{.exception = caught.empty() ? "*" : dotted(caught)};
    handler.target = new_block();
    const std::uint32_t target = graph_.handler_block[h];
    // The variable that the handler finds its exception in.
    handler.binder = canonical(false, 0, Kind::Exception, "");
    current_ = handler.target;
    enter_handler(
        h, {.kind = Kind::Exception, .term = handler.binder, .type = bound, .nonnull = true});
    static_cast<void>(target);
    state_ = before;
    call.handlers.push_back(std::move(handler));
    if (caught.empty() || caught == "java/lang/Throwable") break;
  }
  made_.blocks[site].end = std::move(call);
  current_ = after;
  state_ = before;
  if (!value) return;
  JavaValue slot =
      returns_exception
          ? JavaValue{.kind = Kind::Exception, .term = value, .type = result.name, .nonnull = true}
          : loaded(result, value);
  slot.opaque = opaque;
  push(std::move(slot));
}

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

void BodyLowering::call_own(const ClassFile& owner, const Method& method, int receiver,
                            std::vector<JavaValue>& arguments, std::optional<JavaValue>& object) {
  if (what_.method->name == "<init>" && what_.receiver == 0 && method.name != "<init>" &&
      (receiver == 0 ||
       std::ranges::any_of(arguments, [](const JavaValue& s) { return s.receiver == 0; })))
    context_.early_call(*what_.owner, state_.assigned);
  const auto signature = parse_signature(method.descriptor);
  if (!signature || signature->parameters.size() != arguments.size())
    return wrong("a call has a malformed descriptor");
  if (!iterators_.empty())
    context_.assume("own methods that are called while a collection is gone through do not change "
                    "it, or change how many elements it has");
  for (auto* list : {&state_.stack, &state_.locals})
    for (const JavaValue& slot : *list)
      if (slot.held && slot.held->of->reassigned) context_.leak(*slot.held->of);
  std::vector<Term> terms;
  if (receiver == by_reference) {
    const std::string constants = context_.enumeration_of(owner);
    if (context_.pool.is_throwable(owner.name))
      terms.push_back(converted(*object, Kind::Exception, owner.name).term);
    else if (constants.empty())
      terms.push_back(reference(*object));
    else
      terms.push_back(converted(*object, Kind::Enumeration, constants).term);
  }
  if (method.name == "<init>" && receiver == by_reference && context_.is_inner(owner) &&
      (arguments.empty() || arguments[0].receiver != 0))
    context_.again |= context_.discovered.other_outers.insert(owner.name).second;
  std::size_t first = 0;
  if (method.name == "<init>" && receiver >= 0) {
    if (const auto outer =
            context_.outer_parameter(static_cast<std::size_t>(receiver), owner, *signature)) {
      first = 1;
      if (arguments[0].receiver != static_cast<int>(*outer)) {
        context_.discovered.unflattened.insert(owner.name);
        context_.again = true;
      }
    }
  }
  for (std::size_t k = first; k < arguments.size(); ++k)
    terms.push_back(stored(signature->parameters[k], arguments[k]));
  if (!problem_.empty()) return;
  const std::string key = Context::procedure_key(owner, method, receiver);
  // What the client chooses of objects that he hands over is settled where own code made them.
  const bool made_here = std::ranges::any_of(arguments, [&](const JavaValue& value) {
    return value.kind == Kind::Reference && value.type != "null" &&
           (value.parameter < 0 || what_.kind == ProcedureKind::Internal);
  });
  const bool as_method = context_.is_method(key) && !made_here && caught_here().empty();
  if (const auto tests = context_.discovered.type_tests.find(key);
      tests != context_.discovered.type_tests.end() && !as_method)
    for (const auto& [index, type] : tests->second)
      terms.push_back(index < arguments.size() ? type_test(arguments[index], type)
                                               : arena_.falsehood());
  const bool apart = context_.is_method(key) && !as_method;
  const std::string name = context_.procedure(owner, method, receiver, apart);
  if (!as_method)
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (!arguments[k].foreign && arguments[k].type != "null" &&
          signature->parameters[k].is_reference())
        context_.mix(Context::place_of(key + (apart ? " apart" : ""), k));
  hand_on_caught(key + (apart ? " apart" : ""));
  note_unlocked(key + (apart ? " apart" : ""), receiver);
  emit_call(name, std::move(terms), signature->result,
            context_.returns_exception(owner, method) && !as_method, false, method.name);
}

/// Whether who is handed a value may run code of a client with it.
bool BodyLowering::may_run_code(const JavaValue& value, const JavaType& declared) {
  if (!declared.is_reference() || value.type == "null" || value.constant) return false;
  if (value.type.empty() || value.type.starts_with("[")) return context_.leads_to_code(declared);
  return context_.leads_to_code({'L', value.type});
}

/// What is put where it is not followed has left the method, as far as clients are concerned.
void BodyLowering::note_handed(const JavaValue& value, const JavaType& declared) {
  if (!context_.handed() || value.kind != Kind::Reference || !may_run_code(value, declared)) return;
  JavaValue one = value;
  emit({.kind = StatementKind::Assign, .target = context_.handed(), .value = reference(one)});
}

void BodyLowering::call_opaque(const std::string& owner, const MemberRef& callee,
                               const Method* method, std::vector<JavaValue>& arguments,
                               std::optional<JavaValue>& object, bool writes_all) {
  const auto signature = parse_signature(callee.descriptor);
  run_callbacks(owner, callee.name, *signature, arguments, object);
  const bool hidden_writes = reaches_fields(owner);
  Context::Opaque what{.owner = owner,
                       .name = callee.name,
                       .descriptor = callee.descriptor,
                       .method = method,
                       .with_receiver = object.has_value(),
                       .writes_all = writes_all,
                       .brought = object && !object->homemade &&
                                  (object->parameter >= 0 || object->opaque ||
                                   object->receiver >= 0 || object->brought)};
  std::vector<Term> terms;
  if (object) {
    what.gets_component |= object->receiver >= 0;
    // Library code of an own object runs what its class overrides (`Thread.start`).
    what.may_run_code |= callee.name != "<init>" && !object->type.starts_with("java/") &&
                         may_run_code(*object, {'L', owner});
    terms.push_back(reference(*object));
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    what.gets_component |= arguments[k].receiver >= 0;
    what.may_run_code |= may_run_code(arguments[k], signature->parameters[k]);
    // A library callee need not know which of its constants it is, but that it is there.
    if (arguments[k].constant) arguments[k] = this->object(arguments[k].type);
    at_once_ = runs_at_once(owner, callee.name);
    terms.push_back(stored(signature->parameters[k], arguments[k]));
    at_once_ = false;
  }
  if (!problem_.empty()) return;
  what.writes_all |= hidden_writes && what.gets_component;
  if (what.gets_component && method && method->is(access::is_native) && context_.is_own(owner)) {
    std::set<int> given;
    if (object) given.insert(object->receiver);
    for (const JavaValue& a : arguments) given.insert(a.receiver);
    for (const int receiver : given) {
      if (receiver < 0) continue;
      for (const Term field : context_.native_fields(static_cast<std::size_t>(receiver))) {
        protect(field);
        emit({.kind = StatementKind::Havoc, .target = field, .chooser = Chooser::Unknown});
      }
    }
  }
  const std::string name = context_.opaque(what, caught_here());
  emit_call(name, std::move(terms), signature->result, false, true,
            callee.name == "<init>" ? "made" : callee.name);
  // What a library makes of own objects is no more the client's than these.
  if (signature->result.letter != 'V' && !state_.stack.empty())
    (context_.brings(what) ? state_.stack.back().foreign : state_.stack.back().homemade) = true;
}

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
  call_virtually(*ref, found, special, arguments, object);
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
  if (object && object->kind == Kind::Exception && !overrides_exception(callee, *object)) {
    const bool writes =
        name == "printStackTrace" || name == "toString" || name == "getLocalizedMessage";
    if (writes && writes_itself(*object)) {
      const Signature written{.parameters = {{'L', "java/lang/Object"}}, .result = {'V', ""}};
      run_callbacks("java/lang/Throwable", name, written, {*object}, std::nullopt);
      if (dead_) return true;
    }
    if (name == "initCause" || name == "fillInStackTrace") {
      push(*object);
      return true;
    }
    if (name == "addSuppressed" || name == "setStackTrace" || name == "printStackTrace")
      return true;
    if (name == "getMessage" || name == "toString" || name == "getLocalizedMessage" ||
        name == "getStackTrace" || name == "getCause" || name == "getSuppressed") {
      JavaValue value =
          loaded(signature.result, havoc(name, {.sort = arena_.ref_sort()}, Chooser::Unknown));
      value.opaque = true;
      value.nonnull = name == "getStackTrace" || name == "toString";
      push(std::move(value));
      return true;
    }
  }
  if (object && object->kind == Kind::Enumeration) {
    if (name == "ordinal" && signature.parameters.empty()) {
      push(Kind::Int, arena_.to_int(object->term));
      return true;
    }
    if (name == "equals" && arguments.size() == 1 && arguments[0].kind == Kind::Enumeration &&
        arguments[0].type == object->type) {
      push(Kind::Int, arena_.ite(arena_.eq(object->term, arguments[0].term), arena_.integer(1),
                                 arena_.integer(0)));
      return true;
    }
    if (name == "compareTo" && arguments.size() == 1 && arguments[0].kind == Kind::Enumeration &&
        arguments[0].type == object->type) {
      JavaValue other = arguments[0];
      null_check(other);
      if (!dead_)
        push(Kind::Int, arena_.sub(arena_.to_int(object->term), arena_.to_int(other.term)));
      return true;
    }
    const auto declared = context_.pool.find_method(object->type, name, callee.descriptor);
    if (declared.owner && declared.owner->name == "java/lang/Enum" &&
        context_.overriding(object->type, name, callee.descriptor).empty() &&
        (name == "name" || name == "toString" || name == "getDeclaringClass")) {
      push(this->object(signature.result.name));
      return true;
    }
  }
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

/// What is made here may be run where nobody sees it.
void BodyLowering::note_lambda(const ClassFile::DynamicRef& site) {
  const char* text = "are not run by clients or opaque callees in a way that changes the component";
  const auto harm = context_.options.client_of.empty()
                        ? LambdaHarm::Everything
                        : lambda_harm(context_.pool, *what_.owner, site, [&](const JavaType& type) {
                            return context_.may_be_component(type);
                          });
  if (harm == LambdaHarm::Everything)
    context_.assume(fmt::format("functions made by lambda expressions {}", text));
  if (harm == LambdaHarm::Captured)
    context_.assume(fmt::format("functions made by lambda expressions in {} {}", what_.name, text));
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

/// `$SwitchMap$E[e.ordinal()]`: javac's numbering of the constants that a switch names, read from
/// the class initialiser that fills it: getstatic table, getstatic constant, ordinal, number,
/// iastore.
Term BodyLowering::switch_table(const FieldName& table, Term index) {
  const ClassFile* owner = context_.pool.find(table.owner);
  const std::string& field = table.name;
  const Method* init = owner ? owner->find_method("<clinit>", "()V") : nullptr;
  const auto unknown = [&] {
    approximate("a switch over an enumeration could not be read");
    return havoc("case", context_.machine_type(Kind::Int), Chooser::Unknown);
  };
  if (!init || !init->code || index->op != Op::ToInt) return unknown();
  const Term value = index->args[0];
  auto graph = decode(*init->code, Context::source_of(*owner));
  if (!graph) return unknown();
  Term result = arena_.integer(0);
  const auto& list = graph->instructions;
  auto constant = [&](const Instruction& one) -> std::optional<Integer> {
    if (one.op >= 2 && one.op <= 8) return static_cast<int>(one.op) - 3;
    if (one.op == 0x10 || one.op == 0x11) return one.operand;
    return std::nullopt;
  };
  for (std::size_t k = 0; k + 4 < list.size(); ++k) {
    if (list[k].op != 0xb2 || list[k + 1].op != 0xb2 || list[k + 2].op != 0xb6 ||
        list[k + 4].op != 0x4f)
      continue;
    const auto array = owner->member_at(static_cast<unsigned>(list[k].operand));
    const auto member = owner->member_at(static_cast<unsigned>(list[k + 1].operand));
    const auto number = constant(list[k + 3]);
    if (!array || array->name != field || !member || !number || !context_.is_enum(member->owner))
      continue;
    if (context_.enum_sort(member->owner) != value->sort) return unknown();
    const ClassFile* file = context_.pool.find(member->owner);
    std::size_t position = 1;
    bool found = false;
    for (const Field& f : file->fields) {
      if (!(f.flags & access::is_enum)) continue;
      found = f.name == member->name;
      if (found) break;
      ++position;
    }
    if (!found) return unknown();
    result = arena_.ite(arena_.eq(value, arena_.enumerator(value->sort, position)),
                        arena_.integer(*number), result);
  }
  return result;
}

} // namespace tacit::java
