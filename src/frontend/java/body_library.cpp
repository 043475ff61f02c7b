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

/// Which type parameter a type of a contract is.
std::optional<std::size_t> type_parameter(const Contract& contract, const std::optional<Type>& type,
                                          bool is_one) {
  if (!is_one || !type || !type->sort->decl) return std::nullopt;
  const auto found = std::ranges::find(contract.type_parameters, type->sort->decl->name);
  if (found == contract.type_parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - contract.type_parameters.begin());
}

/// The keys, values or entries of a map, which are as many as it has: a collection of their own.
bool is_collection_view(const HeldObject& object) {
  using Part = HeldObject::Part;
  return object.view && !object.rest &&
         (object.part == Part::Keys || object.part == Part::Values || object.part == Part::Entries);
}

/// Whether a contract may change the object.
bool changes_object(const Contract& contract) {
  for (const Block& block : contract.body.blocks)
    for (const Statement& s : block.statements)
      if (s.target && std::ranges::any_of(contract.facts, [&](const Contract::Mention& mention) {
            return mention.parameter == 0 && mention.variable == s.target;
          }))
        return true;
  return false;
}

/// Whether a method of a contract may set a fact.
bool sets_fact(const Contract& contract, const std::string& fact) {
  const auto of_fact = [&](Term target) {
    return std::ranges::any_of(contract.facts, [&](const Contract::Mention& mention) {
      return mention.fact == fact && mention.variable == target;
    });
  };
  for (const Block& block : contract.body.blocks)
    for (const Statement& s : block.statements)
      if (s.target && of_fact(s.target)) return true;
  return false;
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

/// The field that holds what the call at `at` makes, behind calls that only wrap it.
BodyLowering::PlaceFor BodyLowering::place_for(std::uint32_t at) {
  constexpr unsigned set_field = 0xb5, call_static = 0xb8;
  PlaceFor place;
  for (++at; at < graph_.blocks[block_].end; ++at) {
    const Instruction& next = graph_.instructions[at];
    if (next.op != set_field && next.op != call_static) return {};
    const auto target = what_.owner->member_at(static_cast<unsigned>(next.operand));
    if (!target || (next.op == call_static && !is_wrapper(*target))) return {};
    if (next.op == call_static) {
      place.wrappers.push_back(target->name);
      continue;
    }
    place.found = context_.pool.find_field(target->owner, target->name);
    place.field = place.found.field ? context_.held_field(*place.found.field) : nullptr;
    return place;
  }
  return {};
}

/// A constructor, or a static method that is taken for one, whose object goes into a field that
/// holds it.
bool BodyLowering::make_held(const MemberRef& callee, const Signature& signature,
                             std::vector<JavaValue>& arguments) {
  const bool factory = callee.name != "<init>";
  const std::size_t above = factory ? 0 : 1; // the new object itself
  if (factory && !context_.library) return false;
  const PlaceFor place = place_for(instruction_);
  const HeldField* field = place.field;
  if (!field || state_.stack.size() <= above) return false;
  std::string type = factory ? made_by_factory(callee, *context_.library) : callee.owner;
  for (const std::string& wrapper : place.wrappers) type = wrapped_type(type, wrapper);
  if (field->type != type) return false;
  const JavaValue owner = state_.stack[state_.stack.size() - 1 - above];
  const auto held = held_object(owner, *place.found.owner, *place.found.field);
  if (!held) return false;
  keep_from(*field);
  std::optional<JavaValue> object =
      JavaValue{.kind = Kind::Reference, .type = field->type, .nonnull = true, .held = held};
  MemberRef maker = callee;
  maker.owner = field->type;
  Signature taken = signature;
  if (factory) maker.descriptor = maker.descriptor.substr(0, maker.descriptor.find(')') + 1) + "V";
  taken.result = {'V', ""};
  if (!call_library(maker, taken, arguments, object)) return false;
  if (factory)
    push(*object);
  else
    state_.stack.back() = *object;
  return true;
}

/// What has just been made goes through a wrapper into the field that holds it.
bool BodyLowering::wrap_held(const MemberRef& callee, std::vector<JavaValue>& arguments) {
  if (!is_wrapper(callee) || arguments.size() != 1 || !arguments[0].held || arguments[0].held->view)
    return false;
  const HeldField* field = place_for(instruction_).field;
  if (!field || field != arguments[0].held->of) return false;
  push(arguments[0]);
  return true;
}

/// The field is set to a new object, whose facts its constructor has set, or to null.
bool BodyLowering::set_held(const HeldField& field, const HeldObject& object, JavaValue& value) {
  const bool null = value.kind == Kind::Reference && value.type == "null";
  if (null) keep_from(field);
  if (!null && value.held != object) {
    context_.leak(field);
    return false;
  }
  const bool always = object.receiver >= 0
                          ? context_.never_null(static_cast<std::size_t>(object.receiver),
                                                *field.owner, *field.field)
                          : field.never_null;
  if (always) return true;
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

/// The first contract that fits a call. None: the objects are not followed from the next round on.
bool BodyLowering::find_contract(LibraryCall& call, const std::optional<JavaValue>& object) {
  const bool held = object && object->held;
  call.type = held ? object->held->of->type : call.callee.owner;
  if (held) call.types = context_.held_types(*object->held->of);
  const auto known = [&](const std::optional<std::size_t>& index) {
    return index && *index < call.types.size() && call.types[*index];
  };
  for (const Contract* one :
       context_.contracts_for(call.type, call.callee.name, call.callee.descriptor)) {
    CallShape shape;
    shape.type_arguments = call.types;
    call.parameters.clear();
    call.result.reset();
    if (object) shape.parameters.push_back({{.sort = arena_.ref_sort()}, ""});
    for (const JavaType& declared : call.signature.parameters) {
      const std::size_t at = shape.parameters.size();
      const auto index =
          at < one->parameters.size()
              ? type_parameter(*one, one->parameters[at].type, one->parameters[at].type_parameter)
              : std::nullopt;
      if (known(index)) call.parameters[at] = *index;
      shape.parameters.push_back(
          {known(index) ? *call.types[*index] : context_.type_of(declared), ""});
    }
    if (call.signature.result.letter != 'V') {
      const auto index = type_parameter(*one, one->body.returns, one->returns_type_parameter);
      if (known(index)) call.result = index;
      shape.returns = known(index) ? *call.types[*index] : context_.type_of(call.signature.result);
    }
    if (!fits(*one, shape)) continue;
    call.contract = one;
    return true;
  }
  if (held) context_.leak(*object->held->of);
  return false;
}

/// A key, value or element as it is kept.
Term BodyLowering::kept_as(const HeldField& of, std::size_t parameter, const Type& type,
                           JavaValue& value) {
  if (type.sort == arena_.ref_sort()) return reference(value);
  const std::string& name = of.arguments.at(parameter);
  if (type.sort->kind == SortKind::Enum) return converted(value, Kind::Enumeration, name).term;
  const bool known = value.kind == Kind::Reference && value.receiver < 0 &&
                     (value.type == name || value.type == "null");
  return known ? code_of(value) : havoc("key", type, Chooser::Unknown);
}

/// What was kept, as a value of the machine: the result of the call that has just been made.
void BodyLowering::give_kept(const LibraryCall& call, const HeldField& of, Term absent) {
  JavaValue value = pop();
  if (call.result && call.types[*call.result]->sort == arena_.int_sort())
    value = coded(of.arguments.at(*call.result), value.term);
  const std::string type =
      call.result && *call.result < of.arguments.size() ? of.arguments[*call.result] : "";
  if (value.kind == Kind::Reference && !type.empty()) {
    context_.assume("what library objects hold has the types that the source declares");
    value.type = type;
  }
  value.element = true;
  value.absent = absent;
  push(std::move(value));
}

/// Whether a call gives null because there is nothing, where nulls are never put in: a local. Null
/// when that cannot be told.
Term BodyLowering::absence(const LibraryCall& call, const HeldObject& of,
                           const std::vector<Term>& arguments) {
  static const std::set<std::string> by_key = {"get", "remove", "put", "putIfAbsent", "replace"};
  static const std::set<std::string> by_size = {"peek", "peekFirst", "peekLast",
                                                "poll", "pollFirst", "pollLast"};
  static const std::set<std::string> or_fails = {"element", "getFirst",    "getLast",   "remove",
                                                 "pop",     "removeFirst", "removeLast"};
  const bool map = call.types.size() == 2;
  if (!call.result || context_.discovered.sets_entries ||
      context_.discovered.nullable_elements.contains(of.of->key()) ||
      !((map ? by_key : by_size).contains(call.callee.name) ||
        (!map && or_fails.contains(call.callee.name))))
    return nullptr;
  Term absent = nullptr;
  if (map) {
    const Term has = context_.held_fact(of, "has", of.owner);
    if (!has || arguments.size() < 2 || has->sort->key != arguments[1]->sort) return nullptr;
    absent = arena_.negate(arena_.select(has, arguments[1]));
  } else {
    const Term size = context_.held_fact(of, "size", of.owner);
    if (!size || !refuses_null(call.type, "add", 0)) return nullptr;
    if (or_fails.contains(call.callee.name)) return arena_.falsehood();
    absent = arena_.eq(size, arena_.integer(0));
  }
  const Term copy = temporary("absent", {.sort = arena_.bool_sort()});
  assign(copy, absent);
  return copy;
}

/// A call on or with library objects that fields hold, by its contract. False when there is none:
/// then they are not followed from the next round on.
bool BodyLowering::call_library(const MemberRef& callee, const Signature& signature,
                                std::vector<JavaValue>& arguments,
                                std::optional<JavaValue>& object) {
  const auto held = [](const JavaValue& value) { return value.held.has_value(); };
  const bool on_held = object && held(*object);
  if (!on_held && std::ranges::none_of(arguments, held)) return false;
  if (on_held && object->held->of->is_array() && callee.name == "clone") return false; // `copied`
  static const std::set<std::string> changing = {"remove", "removeIf", "removeAll", "retainAll",
                                                 "clear"};
  if (on_held && object->held->view) {
    const bool refused = object->held->of->read_only && changing.contains(callee.name);
    if (!refused && call_view(callee, signature, arguments, object)) return true;
    if (object->held) context_.leak(*object->held->of);
    return false;
  }
  if (on_held && make_view(callee, *object)) return true;
  if (on_held && append_constant(callee, arguments, *object)) return true;
  if (on_held && add_up(callee, arguments, *object)) return true;
  LibraryCall call{.callee = callee, .signature = signature};
  if (!find_contract(call, object)) return false;
  if (on_held && object->held->of->read_only && callee.name != "<init>" &&
      changes_object(*call.contract)) {
    context_.leak(*object->held->of);
    return false;
  }
  if (on_held && asks_for_element(callee))
    context_.again |= context_.discovered.counted.insert(object->held->of->key()).second;
  if (on_held) note_nulls(call, *object->held->of);
  if (on_held && runs_only_given(call, *object->held->of, arguments))
    run_given(arguments);
  else if (!on_held || looks_inside(call, *object->held->of))
    run_callbacks(call.type, callee.name, signature, arguments, object);
  Context::Opaque what{
      .owner = call.type,
      .name = callee.name,
      .descriptor = callee.descriptor,
      .method = context_.pool.find_method(call.type, callee.name, callee.descriptor).method,
      .with_receiver = object.has_value()};
  what.fills = on_held && !arguments.empty() && arguments.back().function &&
               context_.never_null(*arguments.back().function);
  std::vector<Term> terms;
  if (on_held) {
    const HeldField& of = *object->held->of;
    if (callee.name != "<init>" && sets_fact(*call.contract, "base"))
      context_.again |= context_.discovered.moving.insert(of.key()).second;
    what.held.emplace(0, *object->held);
    terms.push_back(object->held->owner
                        ? object->held->owner
                        : context_.receiver_term(static_cast<std::size_t>(object->held->receiver)));
  } else if (object) {
    terms.push_back(reference(*object));
  }
  if (!hand_to_library(call, arguments, object, what, terms)) return true;
  for (const auto& [parameter, one] : what.held)
    for (const KeptFact& fact : one.of->facts->facts) context_.held_fact(one, fact.name, one.owner);
  const JavaValue self = object ? *object : JavaValue{};
  JavaType result = signature.result;
  const Type* as = nullptr;
  if (call.result) {
    as = &*call.types[*call.result];
    what.returns = *as;
    if (as->sort->kind == SortKind::Enum)
      result = class_type(self.held->of->arguments.at(*call.result));
  }
  Term absent = on_held ? absence(call, *object->held, terms) : nullptr;
  if (on_held && callee.name == "getOrDefault" && arguments.size() == 2 && arguments[1].nonnull &&
      !context_.discovered.sets_entries &&
      !context_.discovered.nullable_elements.contains(object->held->of->key()))
    absent = arena_.falsehood();
  bool summed = true;
  const Term sum = on_held ? sum_after(call, *object->held, terms, summed) : nullptr;
  const std::string name = context_.opaque(what, caught_here());
  emit_call(name, std::move(terms), result, false, false,
            callee.name == "<init>" ? "made" : callee.name, as);
  if (sum || !summed) set_fact(*self.held, "sum", sum);
  if (signature.result.letter == 'V' || state_.stack.empty()) return true;
  if (on_held && returns_object(*call.contract))
    state_.stack.back() = self;
  else if (on_held)
    give_kept(call, *self.held->of, absent);
  else
    state_.stack.back().element = true;
  return true;
}

/// Whether a call may compare, order or write down elements, or run a function: not one that only
/// moves them, nor one that looks at texts, numbers and constants.
bool BodyLowering::looks_inside(const LibraryCall& call, const HeldField& of) {
  static const std::set<std::string> all = {"toString", "hashCode", "equals", "stream"};
  const bool sorted = of.type.find("/Tree") != std::string::npos || of.ordered ||
                      of.type.find("SkipList") != std::string::npos ||
                      of.type.find("Priority") != std::string::npos;
  const bool quick = call.callee.name == "size" || call.callee.name == "isEmpty" ||
                     call.callee.name == "clear" || call.callee.name == "<init>";
  const bool keys = !call.types.empty() && call.types[0];
  const bool values = keys && call.types[0]->sort != arena_.ref_sort();
  if (all.contains(call.callee.name) || (sorted && !quick && !values)) return true;
  const bool keyed =
      std::ranges::find(of.facts->facts, "has", &KeptFact::name) != of.facts->facts.end() ||
      asks_for_element(call.callee);
  for (std::size_t k = 0; k < call.signature.parameters.size(); ++k) {
    const std::size_t at = k + 1;
    if (!call.signature.parameters[k].is_reference()) continue;
    if (call.signature.parameters[k].name == "java/lang/String") continue;
    const auto kept = call.parameters.find(at);
    if (kept == call.parameters.end()) return true;
    if (keyed && kept->second == 0 && !values) return true;
  }
  return false;
}

/// Whether all that a call runs of own code are functions made here: keys say what they are by
/// themselves, and the collection keeps no order of own code's.
bool BodyLowering::runs_only_given(const LibraryCall& call, const HeldField& of,
                                   const std::vector<JavaValue>& arguments) {
  const bool sorted = of.type.find("/Tree") != std::string::npos || of.ordered ||
                      of.type.find("SkipList") != std::string::npos;
  if (sorted || call.types.size() != 2 || !call.types[0] ||
      call.types[0]->sort == arena_.ref_sort() || !runs_at_once(call.type, call.callee.name))
    return false;
  bool any = false;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (call.parameters.contains(k + 1)) continue;
    if (!arguments[k].function) return false;
    any = true;
  }
  return any;
}

/// Methods that may put nulls in without being handed one.
void BodyLowering::note_nulls(const LibraryCall& call, const HeldField& of) {
  static const std::set<std::string> copying = {"addAll", "putAll", "replaceAll"};
  const auto of_collection = [](const JavaType& type) {
    return type.name == "java/util/Collection" || type.name == "java/util/Map";
  };
  const bool copies = copying.contains(call.callee.name) ||
                      (call.callee.name == "<init>" &&
                       std::ranges::any_of(call.signature.parameters, of_collection));
  if (copies && !refuses_null(of.type, "add", 1))
    context_.again |= context_.discovered.nullable_elements.insert(of.key()).second;
}

/// The arguments of a call by contract. False when it is not made.
bool BodyLowering::hand_to_library(const LibraryCall& call, std::vector<JavaValue>& arguments,
                                   const std::optional<JavaValue>& object, Context::Opaque& what,
                                   std::vector<Term>& terms) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::size_t at = terms.size();
    what.may_run_code |= may_run_code(arguments[k], call.signature.parameters[k]);
    // Whoever keeps no more than facts of an argument only looks at it.
    const bool named = at < call.contract->parameters.size();
    const bool looks = named && call.contract->parameters[at].object_class;
    const bool whole =
        arguments[k].held && (!arguments[k].held->view || is_collection_view(*arguments[k].held));
    if (whole && looks) {
      null_check(arguments[k]);
      const HeldObject& one = *arguments[k].held;
      what.held.emplace(at, one);
      terms.push_back(one.owner ? one.owner
                                : context_.receiver_term(static_cast<std::size_t>(one.receiver)));
      continue;
    }
    what.gets_component |= arguments[k].receiver >= 0;
    if (named && object && object->held && call.contract->parameters[at].type_parameter &&
        refuses_null(call.type, call.callee.name, k))
      null_check(arguments[k]);
    if (dead_) return false;
    const auto kept = call.parameters.find(at);
    if (kept == call.parameters.end()) {
      at_once_ = runs_at_once(call.type, call.callee.name);
      terms.push_back(stored(call.signature.parameters[k], arguments[k]));
      at_once_ = false;
      continue;
    }
    const Type& type = *call.types[kept->second];
    // The last type parameter is that of what comes out again.
    if (kept->second + 1 == call.types.size() && call.callee.name != "getOrDefault" &&
        !asks_for_element(call.callee) && !is_false(is_null(arguments[k])))
      context_.again |=
          context_.discovered.nullable_elements.insert(object->held->of->key()).second;
    what.typed.emplace(k, type);
    terms.push_back(kept_as(*object->held->of, kept->second, type, arguments[k]));
  }
  return problem_.empty();
}

} // namespace tacit::java
