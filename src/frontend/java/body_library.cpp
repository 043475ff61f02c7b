// Library objects that fields of own code hold: they have no reference here, only facts that
// contracts speak of (held.h). Whoever needs the reference makes the field an ordinary one.
#include <algorithm>

#include "frontend/java/body_library.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

namespace {
/// Which type parameter a type of a contract is.
std::optional<std::size_t> type_parameter(const Contract& contract, const std::optional<Type>& type,
                                          bool is_one) {
  if (!is_one || !type || !type->sort->decl) return std::nullopt;
  const auto found = std::ranges::find(contract.type_parameters, type->sort->decl->name);
  if (found == contract.type_parameters.end()) return std::nullopt;
  return static_cast<std::size_t>(found - contract.type_parameters.begin());
}
} // namespace

/// The object that a field of `owner` holds, if it is followed.
std::optional<HeldObject> BodyLibrary::held_object(const JavaValue& owner,
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
void BodyLibrary::keep_from(const HeldField& field) {
  const auto holds = [&](const JavaValue& s) { return s.held && s.held->of == &field; };
  if (std::ranges::any_of(state_.stack, holds) || std::ranges::any_of(state_.locals, holds))
    context_.leak(field);
}

bool BodyLibrary::given_contract(const MemberRef& callee) {
  if (!context_.given) return false;
  const auto signature = parse_signature(callee.descriptor);
  const std::string name = dotted(callee.owner) + "." + callee.name;
  return signature && !context_.given->named(name + signature->simple()).empty();
}

/// The field that holds what the call at `at` makes, behind calls that only wrap it.
BodyLibrary::PlaceFor BodyLibrary::place_for(std::uint32_t at) {
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

/// What has just been made goes through a wrapper into the field that holds it.
bool BodyLibrary::wrap_held(const MemberRef& callee, std::vector<JavaValue>& arguments) {
  if (!is_wrapper(callee) || arguments.size() != 1 || !arguments[0].held || arguments[0].held->view)
    return false;
  const HeldField* field = place_for(instruction_).field;
  if (!field || field != arguments[0].held->of) return false;
  push(arguments[0]);
  return true;
}

/// The field is set to a new object, whose facts its constructor has set, or to null.
bool BodyLibrary::set_held(const HeldField& field, const HeldObject& object, JavaValue& value) {
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
bool BodyLibrary::append_constant(const MemberRef& callee, std::vector<JavaValue>& arguments,
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
bool BodyLibrary::find_contract(LibraryCall& call, const std::optional<JavaValue>& object) {
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
Term BodyLibrary::kept_as(const HeldField& of, std::size_t parameter, const Type& type,
                          JavaValue& value) {
  if (type.sort == arena_.ref_sort()) return reference(value);
  const std::string& name = of.arguments.at(parameter);
  if (type.sort->kind == SortKind::Enum) return converted(value, Kind::Enumeration, name).term;
  const bool known = value.kind == Kind::Reference && value.receiver < 0 &&
                     (value.type == name || value.type == "null");
  return known ? code_of(value) : havoc("key", type, Chooser::Unknown);
}

/// What was kept, as a value of the machine: the result of the call that has just been made.
void BodyLibrary::give_kept(const LibraryCall& call, const HeldField& of, Term absent) {
  JavaValue value = pop();
  if (call.result && call.types[*call.result]->sort == arena_.int_sort())
    value = coded(of.arguments.at(*call.result), value.term);
  const std::string type =
      call.result && *call.result < of.arguments.size() ? of.arguments[*call.result] : "";
  if (value.kind == Kind::Reference && !type.empty()) {
    context_.assume("what library objects hold has the types that the source declares");
    value.type = type;
    value.foreign = context_.is_foreign(Context::place_of(of));
  }
  value.element = true;
  value.absent = absent;
  push(std::move(value));
}

/// Whether a call gives null because there is nothing, where nulls are never put in: a local. Null
/// when that cannot be told.
Term BodyLibrary::absence(const LibraryCall& call, const HeldObject& of,
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

/// Whether a call may compare, order or write down elements, or run a function: not one that only
/// moves them, nor one that looks at texts, numbers and constants.
bool BodyLibrary::looks_inside(const LibraryCall& call, const HeldField& of) {
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
bool BodyLibrary::runs_only_given(const LibraryCall& call, const HeldField& of,
                                  const std::vector<JavaValue>& arguments) {
  // These look at no element by themselves.
  static const std::set<std::string> each = {"forEach", "removeIf", "replaceAll"};
  if (each.contains(call.callee.name) && of.type.starts_with("java/util/"))
    return arguments.size() == 1 && arguments[0].function;
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
void BodyLibrary::note_nulls(const LibraryCall& call, const HeldField& of) {
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

} // namespace tacit::java
