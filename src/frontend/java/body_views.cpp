// Iterators and streams over library objects that fields hold, keys, values and entries of maps,
// and the sum of values that are numbers: without identity, they say no more than their object
// does.
#include <algorithm>

#include "frontend/java/body_library.h"

namespace tacit::java {

/// An iterator over an object, a stream of it, or its keys, values or entries.
bool BodyLibrary::make_view(const MemberRef& callee, const JavaValue& object) {
  using Part = HeldObject::Part;
  static const std::map<std::string, Part> parts = {
      {"keySet", Part::Keys}, {"values", Part::Values}, {"entrySet", Part::Entries}};
  HeldObject made = *object.held;
  const Term size = context_.held_fact(made, "size", made.owner);
  if (!size || !callee.descriptor.starts_with("()")) return false;
  made.view = true;
  const auto give = [&](const char* type) {
    push({.kind = Kind::Reference, .type = type, .nonnull = true, .held = made});
    return true;
  };
  if (const auto part = parts.find(callee.name); part != parts.end()) {
    made.part = part->second;
    return give("java/util/Collection");
  }
  if (callee.name == "stream") {
    const bool values =
        object.held->part == Part::Values || made.of->facts->type_parameters.size() < 2;
    made.part = values ? Part::Stream : Part::Entries;
    return give("java/util/stream/Stream");
  }
  if (callee.name != "iterator") return false;
  const Type number{.sort = arena_.int_sort(), .low = 0};
  made.rest = temporary("rest", number);
  made.expected = temporary("expected", number);
  made.removable = temporary("removable", {.sort = arena_.bool_sort()});
  assign(made.rest, size);
  assign(made.expected, size);
  assign(made.removable, arena_.falsehood());
  iterators_.push_back(made);
  return give("java/util/Iterator");
}

/// How many elements there are when a function begins to see them, which must not change that; null
/// where it may.
Term BodyLibrary::size_before(const HeldObject& object) {
  const Term size = context_.held_fact(object, "size", object.owner);
  if (!size || object.of->type.find("/concurrent/") != std::string::npos) return nullptr;
  context_.assume("own methods that are called while a collection is gone through do not change "
                  "it, or change how many elements it has");
  const Term before = temporary("before", {.sort = arena_.int_sort(), .low = 0});
  assign(before, size);
  return before;
}

/// What iterators find after a change that is not theirs depends on the class, and on which it was:
/// that is not known.
void BodyLibrary::outdate_iterators(const HeldField& field, const HeldObject* but) {
  for (const HeldObject& one : iterators_) {
    if (one.of != &field || (but && one.rest == but->rest)) continue;
    havoc_into(one.rest);
    havoc_into(one.expected);
  }
}

void BodyLibrary::set_fact(const HeldObject& object, const std::string& fact, Term value) {
  const Term place = context_.held_fact(object, fact, object.owner);
  if (!place || is_constant(place)) return;
  if (!value) {
    const bool element = place->op == Op::Select;
    const Type& type =
        context_.module.find_state(element ? place->args[0]->name : place->name)->type;
    value = havoc(fact, element ? *type.value : type, Chooser::Unknown);
  }
  if (place->op == Op::Select)
    set_state(place->args[0], arena_.store(place->args[0], place->args[1], value));
  else
    set_state(place, value);
}

/// Elements went, nobody knows which: how many there are now.
void BodyLibrary::lose_elements(const HeldObject& object, Term size) {
  set_fact(object, "size", size);
  for (const char* fact : {"has", "items", "count", "sum"}) set_fact(object, fact, nullptr);
}

/// A method of an iterator.
bool BodyLibrary::call_iterator(const MemberRef& callee, const HeldObject& of, Term size) {
  const Term one = arena_.integer(1);
  if (callee.name == "hasNext") {
    push({.kind = Kind::Int,
          .term = arena_.ite(arena_.gt(of.rest, arena_.integer(0)), one, arena_.integer(0)),
          .truth = true});
    return true;
  }
  if (callee.name != "next" && callee.name != "remove") return false;
  const bool snapshot = of.of->type.find("/concurrent/") != std::string::npos;
  if (callee.name == "remove") {
    if (snapshot) return false;
    throw_if(arena_.negate(of.removable), "java/lang/IllegalStateException");
    throw_if(arena_.ne(size, of.expected), "java/util/ConcurrentModificationException");
    if (dead_) return true;
    outdate_iterators(*of.of, &of);
    lose_elements(of, arena_.sub(size, one));
    set_state(of.expected, arena_.sub(of.expected, one));
    set_state(of.removable, arena_.falsehood());
    return true;
  }
  if (!snapshot)
    throw_if(arena_.ne(size, of.expected), "java/util/ConcurrentModificationException");
  throw_if(arena_.le(of.rest, arena_.integer(0)), "java/util/NoSuchElementException");
  if (dead_) return true;
  std::optional<JavaValue> element = snapshot ? std::nullopt : element_of(of, size);
  set_state(of.rest, arena_.sub(of.rest, one));
  set_state(of.removable, arena_.truth());
  if (!element)
    element = JavaValue{.kind = Kind::Reference,
                        .term = havoc("element", {.sort = arena_.ref_sort()}, Chooser::Unknown),
                        .entry = of.part == HeldObject::Part::Entries};
  element->element = true;
  push(std::move(*element));
  return true;
}

/// What an iterator gives next, where that is kept: the elements of lists and deques in their
/// order, of maps and sets whatever is there. Of what is no iterator, any element.
std::optional<JavaValue> BodyLibrary::element_of(const HeldObject& of, Term size) {
  using Part = HeldObject::Part;
  const auto types = context_.held_types(*of.of);
  const bool map = types.size() == 2;
  const std::size_t which = map && of.part == Part::Values ? 1 : 0;
  if (types.empty() || of.part == Part::Entries || !types[0] || !types[which]) return std::nullopt;
  const Term items = context_.held_fact(of, "items", of.owner),
             has = context_.held_fact(of, "has", of.owner),
             value = context_.held_fact(of, "value", of.owner);
  const Term one = arena_.integer(1);
  const Term element = temporary("element", *types[which]);
  if (items) {
    Term rest = of.rest;
    if (!rest) {
      const Term some = havoc("rest", {.sort = arena_.int_sort()}, Chooser::Unknown);
      rest = arena_.ite(arena_.lt(some, one), one, arena_.ite(arena_.lt(size, some), size, some));
    }
    // The first element of a deque stands above the others.
    const auto& facts = of.of->facts->facts;
    const bool deque = std::ranges::find(facts, "base", &KeptFact::name) != facts.end();
    const Term base = deque ? context_.held_fact(of, "base", of.owner) : nullptr;
    if (deque && !base) return std::nullopt;
    const Term at = deque ? arena_.sub(arena_.add(base, rest), one) : arena_.sub(size, rest);
    assign(element, arena_.select(items, at));
  } else if (has && (which == 0 || value)) {
    const Term key = havoc("key", *types[0], Chooser::Unknown);
    emit({.kind = StatementKind::Assume, .value = arena_.select(has, key)});
    assign(element, which == 0 ? key : arena_.select(value, key));
  } else {
    return std::nullopt;
  }
  const std::string& type = of.of->arguments.at(which);
  if (types[which]->sort == arena_.int_sort()) return coded(type, element);
  context_.assume("what library objects hold has the types that the source declares");
  const bool constant = types[which]->sort->kind == SortKind::Enum;
  JavaValue given{.kind = constant ? Kind::Enumeration : Kind::Reference,
                  .term = element,
                  .type = type,
                  .foreign = context_.is_foreign(Context::place_of(*of.of))};
  if (!context_.discovered.sets_entries &&
      !context_.discovered.nullable_elements.contains(of.of->key()))
    given.absent = arena_.falsehood();
  return given;
}

/// The sum of numbers in a map: `values().stream().mapToInt(Integer::intValue).sum()`.
bool BodyLibrary::call_stream(const MemberRef& callee, const std::vector<JavaValue>& arguments,
                              JavaValue& object) {
  using Part = HeldObject::Part;
  HeldObject of = *object.held;
  const auto& function = arguments.size() == 1 ? arguments[0].function : std::nullopt;
  const bool unboxes = function && Context::is_number_box(function->owner) &&
                       (function->name == "intValue" || function->name == "longValue");
  if (of.part == Part::Stream && callee.name.starts_with("mapTo") && unboxes) {
    of.part = Part::Numbers;
    push({.kind = Kind::Reference, .type = callee.owner, .nonnull = true, .held = of});
    return true;
  }
  if (callee.name == "count" && arguments.empty()) {
    push(Kind::Long, context_.held_fact(of, "size", of.owner));
    return true;
  }
  if (of.part == Part::Numbers && callee.name == "sum") {
    context_.again |= context_.discovered.summed.insert(of.of->key()).second;
    const Term sum = context_.held_fact(of, "sum", of.owner);
    const bool wide = callee.descriptor.ends_with("J");
    if (sum && callee.descriptor.ends_with("D")) return false;
    if (sum) push(wide ? Kind::Long : Kind::Int, arena_.wrap(wide ? 64 : 32, true, sum));
    return sum != nullptr;
  }
  // From here on it is some stream.
  const std::string type = object.type;
  object = this->object(callee.owner);
  return false;
}

/// `merge(key, number, Integer::sum)`, and what becomes of the sum of all values.
bool BodyLibrary::add_up(const MemberRef& callee, std::vector<JavaValue>& arguments,
                         const JavaValue& object) {
  const HeldObject& of = *object.held;
  const auto types = context_.held_types(*of.of);
  if (callee.name != "merge" || arguments.size() != 3 || types.size() != 2 || !types[1])
    return false;
  const auto& function = arguments[2].function;
  const std::string& box = of.of->arguments.size() == 2 ? of.of->arguments[1] : "";
  if (!function || function->owner != box || function->name != "sum" ||
      (box != "java/lang/Integer" && box != "java/lang/Long"))
    return false;
  if (refuses_null(of.of->type, callee.name, 0)) null_check(arguments[0]);
  null_check(arguments[1]);
  if (dead_) return true;
  const int width = box == "java/lang/Integer" ? 32 : 64;
  const auto wrapped = [&](Term t) { return arena_.wrap(width, true, t); };
  const Term number = code_of(arguments[1]);
  const Term has = context_.held_fact(of, "has", of.owner),
             value = context_.held_fact(of, "value", of.owner),
             size = context_.held_fact(of, "size", of.owner),
             sum = context_.held_fact(of, "sum", of.owner);
  const Term was = temporary("was", {.sort = arena_.bool_sort()});
  const Term now = temporary("now", {.sort = arena_.int_sort()});
  const Term one = arena_.integer(1), zero = arena_.integer(0);
  if (has && value) {
    const Term key = temporary("key", *types[0]);
    assign(key, kept_as(*of.of, 0, *types[0], arguments[0]));
    assign(was, arena_.select(has, key));
    const Term old = arena_.select(value, key);
    const bool nulls = context_.discovered.nullable_elements.contains(of.of->key());
    const Term counts = nulls ? arena_.conj(was, arena_.ne(old, context_.null_code())) : was;
    assign(now, wrapped(arena_.add(arena_.ite(counts, old, zero), number)));
    set_fact(of, "has", arena_.store(has, key, arena_.truth()));
    set_fact(of, "value", arena_.store(value, key, now));
  } else {
    const Term some = havoc("some", {.sort = arena_.bool_sort()}, Chooser::Unknown);
    assign(was, arena_.conj(some, arena_.gt(size, zero)));
    assign(now, havoc("number", context_.type_of({width == 32 ? 'I' : 'J', ""}), Chooser::Unknown));
  }
  set_fact(of, "size", arena_.add(size, arena_.ite(was, zero, one)));
  if (sum) set_fact(of, "sum", wrapped(arena_.add(sum, number)));
  JavaValue result = coded(box, now);
  result.nonnull = true;
  push(std::move(result));
  return true;
}

/// What a call by contract does to the sum of the values: a local, or none where it stays as it is;
/// `known` is false where nobody can tell.
Term BodyLibrary::sum_after(const LibraryCall& call, const HeldObject& of,
                            const std::vector<Term>& arguments, bool& known) {
  static const std::set<std::string> changes = {
      "put",   "putIfAbsent",     "remove",  "replace",          "replaceAll",
      "merge", "computeIfAbsent", "compute", "computeIfPresent", "putAll"};
  known = true;
  const std::string& name = call.callee.name;
  const Term sum = context_.held_fact(of, "sum", of.owner);
  if (!sum || !changes.contains(name)) return nullptr;
  known = false;
  const Term has = context_.held_fact(of, "has", of.owner),
             value = context_.held_fact(of, "value", of.owner);
  if ((name != "put" && name != "remove") || !has || !value || call.types.size() != 2 ||
      call.types[1]->sort != arena_.int_sort() ||
      context_.discovered.nullable_elements.contains(of.of->key()))
    return nullptr;
  const Term zero = arena_.integer(0), key = arguments.at(1);
  const Term old = arena_.ite(arena_.select(has, key), arena_.select(value, key), zero);
  const Term more = name == "put" ? arguments.at(2) : zero;
  const int width = of.of->arguments[1] == "java/lang/Long" ? 64 : 32;
  const Term copy = temporary("sum", {.sort = arena_.int_sort()});
  assign(copy, arena_.wrap(width, true, arena_.add(arena_.sub(sum, old), more)));
  return copy;
}

} // namespace tacit::java
