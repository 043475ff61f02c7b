// Library objects that fields of own code hold: they have no reference here, only facts that
// contracts speak of (held.h). Whoever needs the reference makes the field an ordinary one.
#include <algorithm>

#include "frontend/java/body.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

namespace {

/// Whether a method returns the object that it is called on, as those of builders do.
bool returns_object(const Contract& contract) {
  if (contract.body.parameters.empty()) return false;
  bool any = false;
  for (const Block& block : contract.body.blocks) {
    if (block.end.kind != TerminatorKind::Return) continue;
    if (block.end.value != contract.body.parameters[0].term) return false;
    any = true;
  }
  return any;
}

/// The method as it is for elements of one class.
void with_elements(const std::string& element, MemberRef& callee, Signature& signature) {
  constexpr std::string_view erased = "Ljava/lang/Object;";
  const std::string wanted = "L" + element + ";";
  for (std::size_t at = 0; (at = callee.descriptor.find(erased, at)) != std::string::npos;)
    callee.descriptor.replace(at, erased.size(), wanted);
  if (auto made = parse_signature(callee.descriptor)) signature = std::move(*made);
}

} // namespace

/// The object that a field of `owner` holds, if it is followed.
std::optional<HeldObject> BodyLowering::held_object(const JavaValue& owner,
                                                    const ClassFile& declared, const Field& field) {
  const HeldField* held = context_.held_field(field);
  if (!held) return std::nullopt;
  if (owner.receiver >= 0) return HeldObject{held, owner.receiver, nullptr};
  // It may be the component's own field, or that of another object.
  if (owner.kind != Kind::Reference || !context_.receivers_with(declared).empty()) {
    context_.leak(*held);
    return std::nullopt;
  }
  JavaValue object = owner;
  const Term address = temporary("owner", {.sort = arena_.ref_sort()});
  assign(address, reference(object));
  return HeldObject{held, -1, address};
}

/// What is known of the object is about to change, or may: nobody else may mean the old one.
void BodyLowering::keep_from(const HeldField& field) {
  const auto holds = [&](const JavaValue& s) { return s.held && s.held->of == &field; };
  if (std::ranges::any_of(state_.stack, holds) || std::ranges::any_of(state_.locals, holds))
    context_.leak(field);
}

bool BodyLowering::given_contract(const MemberRef& callee) {
  if (!context_.given) return false;
  const auto signature = parse_signature(callee.descriptor);
  const std::string name = dotted(callee.owner) + "." + callee.name;
  return signature && !context_.given->named(name + signature->simple()).empty();
}

/// A constructor whose object the next instruction puts into a field that holds it.
bool BodyLowering::make_held(const MemberRef& callee, const Signature& signature,
                             std::vector<JavaValue>& arguments) {
  constexpr unsigned set_field = 0xb5;
  if (instruction_ + 1 >= graph_.blocks[block_].end || state_.stack.size() < 2) return false;
  const Instruction& next = graph_.instructions[instruction_ + 1];
  if (next.op != set_field) return false;
  const auto target = what_.owner->member_at(static_cast<unsigned>(next.operand));
  const auto found =
      target ? context_.pool.find_field(target->owner, target->name) : ClassPool::FoundField{};
  const HeldField* field = found.field ? context_.held_field(*found.field) : nullptr;
  if (!field || field->type != callee.owner) return false;
  const JavaValue owner = state_.stack[state_.stack.size() - 2];
  const auto held = held_object(owner, *found.owner, *found.field);
  if (!held) return false;
  keep_from(*field);
  std::optional<JavaValue> object =
      JavaValue{.kind = Kind::Reference, .type = field->type, .nonnull = true, .held = held};
  if (!call_library(callee, signature, arguments, object)) return false;
  state_.stack.back() = *object;
  return true;
}

/// The field is set to a new object, whose facts its constructor has set, or to null.
bool BodyLowering::set_held(const HeldField& field, const HeldObject& object, JavaValue& value) {
  const bool null = value.kind == Kind::Reference && value.type == "null";
  if (!null && value.held != object) {
    context_.leak(field);
    return false;
  }
  if (field.never_null) return true;
  Term term = arena_.null();
  if (!null) {
    context_.need_record("Object");
    term = temporary("object", {.sort = arena_.ref_sort()});
    emit({.kind = StatementKind::New, .target = term, .record = "Object"});
  }
  const Term place = context_.held_reference(object);
  if (object.receiver >= 0)
    set_state(place, term);
  else
    set_state(place->args[0], arena_.store(place->args[0], place->args[1], term));
  return true;
}

/// A constant text, of which the length is known, at the end of one under construction.
bool BodyLowering::append_constant(const MemberRef& callee, std::vector<JavaValue>& arguments,
                                   const JavaValue& object) {
  if (callee.name != "append" || arguments.size() != 1 || !arguments[0].text ||
      arguments[0].lazy == 0)
    return false;
  const Term size = context_.held_fact(*object.held, "size", object.held->owner);
  const auto length = text_fact(context_.string_content(*arguments[0].text), "length");
  if (!size || size->op != Op::Var || !length) return false;
  set_state(size, arena_.add(size, arena_.integer(*length)));
  push(object);
  return true;
}

/// An iterator over an object, or its keys, values or entries.
bool BodyLowering::make_view(const MemberRef& callee, const JavaValue& object) {
  HeldObject made = *object.held;
  const Term size = context_.held_fact(made, "size", made.owner);
  if (!size || !callee.descriptor.starts_with("()")) return false;
  if (callee.name == "keySet" || callee.name == "values" || callee.name == "entrySet") {
    made.view = true;
    push({.kind = Kind::Reference, .type = "java/util/Collection", .nonnull = true, .held = made});
    return true;
  }
  if (callee.name != "iterator") return false;
  const Type number{.sort = arena_.int_sort(), .low = 0};
  made.view = true;
  made.rest = temporary("rest", number);
  made.expected = temporary("expected", number);
  assign(made.rest, size);
  assign(made.expected, size);
  push({.kind = Kind::Reference, .type = "java/util/Iterator", .nonnull = true, .held = made});
  return true;
}

/// A method of a view. False: the object is not followed from the next round on.
bool BodyLowering::call_view(const MemberRef& callee, JavaValue& object) {
  const HeldObject& of = *object.held;
  const auto truth = [&](Term t) {
    push({.kind = Kind::Int,
          .term = arena_.ite(t, arena_.integer(1), arena_.integer(0)),
          .truth = true});
    return true;
  };
  const Term size = context_.held_fact(of, "size", of.owner);
  if (!of.rest) {
    if (callee.name == "isEmpty") return truth(arena_.eq(size, arena_.integer(0)));
    if (callee.name == "iterator") return make_view(callee, object);
    if (callee.name != "size") return false;
    push(Kind::Int, size);
    return true;
  }
  if (callee.name == "hasNext") return truth(arena_.gt(of.rest, arena_.integer(0)));
  if (callee.name != "next") return false;
  if (of.of->type.find("/concurrent/") == std::string::npos)
    throw_if(arena_.ne(size, of.expected), "java/util/ConcurrentModificationException");
  throw_if(arena_.le(of.rest, arena_.integer(0)), "java/util/NoSuchElementException");
  if (dead_) return true;
  set_state(of.rest, arena_.sub(of.rest, arena_.integer(1)));
  push({.kind = Kind::Reference,
        .term = havoc("element", {.sort = arena_.ref_sort()}, Chooser::Unknown),
        .element = true});
  return true;
}

/// A call on or with library objects that fields hold, by its contract. False when there is none:
/// then they are not followed from the next round on.
bool BodyLowering::call_library(const MemberRef& named, const Signature& erased,
                                std::vector<JavaValue>& arguments,
                                std::optional<JavaValue>& object) {
  MemberRef callee = named;
  Signature signature = erased;
  if (object && object->held) {
    // Constants of an enumeration stay what they are.
    const HeldField& of = *object->held->of;
    if (of.facts->type_parameters.size() == 1 && context_.is_enum(of.element))
      with_elements(of.element, callee, signature);
  }
  const auto held = [](const JavaValue& value) { return value.held.has_value(); };
  if (!(object && held(*object)) && std::ranges::none_of(arguments, held)) return false;
  if (object && held(*object) && object->held->view) {
    if (call_view(callee, *object)) return true;
    context_.leak(*object->held->of);
    return false;
  }
  if (object && held(*object) && make_view(callee, *object)) return true;
  if (object && held(*object) && append_constant(callee, arguments, *object)) return true;
  const std::string type = object && held(*object) ? object->held->of->type : callee.owner;
  CallShape shape;
  if (object && held(*object)) shape.type_arguments = context_.held_types(*object->held->of);
  if (object) shape.parameters.push_back({{.sort = arena_.ref_sort()}, ""});
  for (const JavaType& one : signature.parameters)
    shape.parameters.push_back({context_.type_of(one), ""});
  if (signature.result.letter != 'V') shape.returns = context_.type_of(signature.result);
  const Contract* contract = nullptr;
  for (const Contract* one : context_.contracts_for(type, callee.name, callee.descriptor))
    if (!contract && fits(*one, shape)) contract = one;
  if (!contract) {
    if (object && held(*object)) context_.leak(*object->held->of);
    return false;
  }
  run_callbacks(type, signature, arguments, object);
  const auto found = context_.pool.find_method(type, callee.name, callee.descriptor);
  Context::Opaque what{.owner = type,
                       .name = callee.name,
                       .descriptor = callee.descriptor,
                       .method = found.method,
                       .with_receiver = object.has_value()};
  std::vector<Term> terms;
  if (object && held(*object)) {
    what.held.emplace(0, *object->held);
    terms.push_back(object->held->owner
                        ? object->held->owner
                        : context_.receiver_term(static_cast<std::size_t>(object->held->receiver)));
  } else if (object) {
    terms.push_back(reference(*object));
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::size_t parameter = terms.size();
    // Whoever keeps no more than facts of an argument only looks at it.
    const bool looks =
        parameter < contract->parameters.size() && contract->parameters[parameter].object_class;
    if (!held(arguments[k]) || !looks || arguments[k].held->view) {
      what.gets_component |= arguments[k].receiver >= 0;
      terms.push_back(stored(signature.parameters[k], arguments[k]));
      continue;
    }
    null_check(arguments[k]);
    const HeldObject& one = *arguments[k].held;
    what.held.emplace(parameter, one);
    terms.push_back(one.owner ? one.owner
                              : context_.receiver_term(static_cast<std::size_t>(one.receiver)));
  }
  if (!problem_.empty()) return true;
  for (const auto& [parameter, one] : what.held)
    for (const KeptFact& fact : one.of->facts->facts) context_.held_fact(one, fact.name, one.owner);
  const std::string name = context_.opaque(what, caught_here());
  const JavaValue self = object ? *object : JavaValue{};
  emit_call(name, std::move(terms), signature.result, false, false,
            callee.name == "<init>" ? "made" : callee.name);
  if (signature.result.letter == 'V' || state_.stack.empty()) return true;
  if (object && self.held && returns_object(*contract))
    state_.stack.back() = self;
  else
    state_.stack.back().element = true;
  return true;
}

} // namespace tacit::java
