// Arrays that fields of own code hold, and that never leave it: how long they are and what stands
// where.
#include "frontend/java/body_library.h"

namespace tacit::java {

Term BodyLibrary::held_length(const HeldObject& array) {
  return context_.held_fact(array, "size", array.owner);
}

/// What stands where nobody has put anything; null where elements are not kept.
Term BodyLibrary::nothing_in(const HeldObject& array) {
  const auto types = context_.held_types(*array.of);
  if (types.empty() || !types[0]) return nullptr;
  const Sort sort = types[0]->sort;
  if (array.of->arguments[0].empty()) return arena_.constant(sort, 0); // a number or a truth
  return context_.null_of(*types[0]);
}

/// An array that the next instruction puts into a field that holds it.
bool BodyLibrary::make_held_array(Term length, const std::string& type) {
  const PlaceFor place = place_for(instruction_);
  if (!place.field || place.field->type != type || !place.wrappers.empty() || state_.stack.empty())
    return false;
  const auto held = held_object(state_.stack.back(), *place.found.owner, *place.found.field);
  if (!held) return false;
  keep_from(*place.field);
  constexpr Integer plenty = 1 << 16; // elements that nobody has to worry about
  if (length->op != Op::IntConst || length->number > plenty)
    context_.assume("there is enough memory: no OutOfMemoryError");
  set_fact(*held, "size", length);
  const Term items = context_.held_fact(*held, "items", held->owner);
  const Term nothing = nothing_in(*held);
  if (items) set_fact(*held, "items", nothing ? arena_.const_map(items->sort, nothing) : nullptr);
  push({.kind = Kind::Reference, .type = type, .nonnull = true, .exact = true, .held = held});
  return true;
}

void BodyLibrary::load_held(const HeldObject& array, Term index, const JavaType& type) {
  throw_if(out_of_bounds(index, held_length(array)), "java/lang/ArrayIndexOutOfBoundsException");
  if (dead_) return;
  const auto element = parse_type(std::string_view(array.of->type).substr(1));
  const JavaType read = element.value_or(type);
  const Term items = context_.held_fact(array, "items", array.owner);
  if (!items) {
    approximate("elements of arrays are not tracked");
    return push(loaded(read, havoc("element", context_.type_of(read), Chooser::Unknown)));
  }
  const Term value = temporary("element", *context_.held_types(*array.of)[0]);
  assign(value, arena_.select(items, index));
  if (read.letter == 'L' && value->sort == arena_.int_sort()) {
    push(coded(read.name, value));
    return;
  }
  JavaValue found = loaded(read, value);
  found.element = read.is_reference();
  push(std::move(found));
}

void BodyLibrary::store_held(const HeldObject& array, Term index, JavaValue& value) {
  throw_if(out_of_bounds(index, held_length(array)), "java/lang/ArrayIndexOutOfBoundsException");
  if (dead_) return;
  const auto element = parse_type(std::string_view(array.of->type).substr(1));
  if (value.held || value.table) reference(value); // from there anybody may get it
  if (element) note_handed(value, *element);
  if (element && element->is_reference()) {
    const JavaValue as{.kind = Kind::Reference, .type = array.of->type, .exact = true};
    check_store(as, value);
    if (dead_) return;
  }
  const Term items = context_.held_fact(array, "items", array.owner);
  if (!items || !element) return;
  const Type type = *context_.held_types(*array.of)[0];
  Term kept = nullptr;
  switch (element->letter) {
  case 'Z': kept = truth(value.term); break;
  case 'B': kept = arena_.wrap(8, true, value.term); break;
  case 'S': kept = arena_.wrap(16, true, value.term); break;
  case 'C': kept = arena_.wrap(16, false, value.term); break;
  case 'L': kept = kept_as(*array.of, 0, type, value); break;
  default: kept = value.term;
  }
  if (!problem_.empty()) return;
  set_fact(array, "items", arena_.store(items, index, kept));
}

/// `data = Arrays.copyOf(data, n)`: what is new is empty, and so is what stood behind the end. One
/// that is shorter is another.
bool BodyLibrary::copy_held_array(std::vector<JavaValue>& arguments) {
  std::uint32_t at = instruction_;
  if (at + 1 < graph_.blocks[block_].end && graph_.instructions[at + 1].op == 0xc0) ++at;
  const PlaceFor place = place_for(at);
  if (!place.field || !arguments[0].held || arguments[0].held->of != place.field ||
      state_.stack.empty())
    return false;
  const HeldObject array = *arguments[0].held;
  const auto target = held_object(state_.stack.back(), *place.found.owner, *place.found.field);
  if (!target || target->receiver != array.receiver || array.receiver < 0) return false;
  keep_from(*place.field);
  const Term wanted = arguments[1].term;
  throw_if(arena_.lt(wanted, arena_.integer(0)), "java/lang/NegativeArraySizeException");
  if (dead_) return true;
  const Term length = held_length(array);
  if (const Term items = context_.held_fact(array, "items", array.owner)) {
    const Type& type = context_.module.find_state(items->name)->type;
    const Term other = havoc("items", type, Chooser::Unknown);
    set_fact(array, "items", arena_.ite(arena_.ge(wanted, length), items, other));
  }
  set_fact(array, "size", wanted);
  JavaValue made = arguments[0];
  made.held = target;
  made.nonnull = true;
  push(std::move(made));
  return true;
}

/// Functions of the library on such an array.
bool BodyLibrary::array_function(const MemberRef& callee, std::vector<JavaValue>& arguments) {
  if (arguments.empty() || !arguments[0].held || !arguments[0].held->of->is_array()) return false;
  if (callee.owner != "java/util/Arrays") return false;
  const HeldObject array = *arguments[0].held;
  if (callee.name == "fill" && arguments.size() == 2) {
    null_check(arguments[0]);
    if (dead_) return true;
    const Term items = context_.held_fact(array, "items", array.owner);
    if (!items) return true;
    const auto types = context_.held_types(*array.of);
    JavaValue& value = arguments[1];
    const bool number = array.of->arguments[0].empty();
    const bool truths = types[0]->sort == arena_.bool_sort();
    const Term all = truths   ? truth(value.term)
                     : number ? value.term
                              : kept_as(*array.of, 0, *types[0], value);
    set_fact(array, "items", is_constant(all) ? arena_.const_map(items->sort, all) : nullptr);
    return problem_.empty();
  }
  if (is_longer_copy(callee) && arguments.size() == 2) {
    null_check(arguments[0]);
    return dead_ || copy_held_array(arguments);
  }
  return false;
}

} // namespace tacit::java
