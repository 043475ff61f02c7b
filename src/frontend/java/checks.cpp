// What the machine itself checks and throws: monitors that must be held, arrays that must take what
// is stored; and its limits, which are assumed not to be reached.
#include <algorithm>
#include <set>
#include <string>

#include "frontend/java/body.h"

namespace tacit::java {

namespace {

/// Collections whose elements or keys have an order.
bool sorts(const std::string& type) {
  return type == "java/util/TreeMap" || type == "java/util/TreeSet" ||
         type == "java/util/PriorityQueue" ||
         type == "java/util/concurrent/PriorityBlockingQueue" ||
         type.starts_with("java/util/concurrent/ConcurrentSkipList");
}

struct Refusal {
  std::size_t arguments = 0; // how many of the first ones must not be null
  bool always = false;       // whatever the order is
};

/// Which arguments of a library collection's method must not be null.
Refusal refusal_of_null(const std::string& type, const std::string& name) {
  static const std::set<std::string> adding = {"add",      "addFirst", "addLast",    "offer",
                                               "push",     "put",      "offerFirst", "offerLast",
                                               "putFirst", "putLast"};
  static const std::set<std::string> by_key = {"add",
                                               "ceiling",
                                               "ceilingKey",
                                               "compute",
                                               "computeIfAbsent",
                                               "computeIfPresent",
                                               "contains",
                                               "containsKey",
                                               "floor",
                                               "floorKey",
                                               "get",
                                               "getOrDefault",
                                               "higher",
                                               "higherKey",
                                               "lower",
                                               "lowerKey",
                                               "merge",
                                               "put",
                                               "putIfAbsent",
                                               "remove",
                                               "replace"};
  static const std::set<std::string> with_value = {"merge", "put", "putIfAbsent", "replace"};
  const bool is_queue = type.ends_with("Queue") || type.ends_with("Deque");
  if (is_queue && type != "java/util/Queue" && type != "java/util/Deque")
    return {.arguments = adding.contains(name) ? 1U : 0U, .always = true};
  const bool no_nulls = type == "java/util/Hashtable" ||
                        type.starts_with("java/util/concurrent/ConcurrentSkipList") ||
                        type == "java/util/concurrent/ConcurrentHashMap";
  if (no_nulls && (name == "containsValue" || by_key.contains(name)))
    return {.arguments = with_value.contains(name) ? 2U : 1U, .always = true};
  if (type == "java/util/EnumMap" &&
      (name == "put" || name == "putIfAbsent" || name == "merge" || name == "computeIfAbsent"))
    return {.arguments = 1, .always = true};
  if (type == "java/util/TreeMap" || type == "java/util/TreeSet")
    return {.arguments = by_key.contains(name) ? 1U : 0U};
  // Some collection: it may be one of those.
  const bool is_interface = type == "java/util/Map" || type == "java/util/Collection" ||
                            type == "java/util/Set" || type == "java/util/Queue" ||
                            type == "java/util/Deque" || type.starts_with("java/util/Sorted") ||
                            type.starts_with("java/util/Navigable");
  if (is_interface && (by_key.contains(name) || adding.contains(name)))
    return {.arguments = with_value.contains(name) ? 2U : 1U};
  return {};
}

} // namespace

// --- monitors

Monitor BodyLowering::monitor_of(JavaValue& object) {
  if (object.receiver >= 0) return {object.receiver, nullptr};
  if (object.kind != Kind::Reference) return {};
  return {-1, reference(object)};
}

/// Who calls a synchronized method, or code of the component that is only run with its monitor
/// held, holds it.
bool BodyLowering::holds(const Monitor& monitor) const {
  constexpr unsigned is_synchronized = 0x20;
  const bool instance = !what_.method->is(access::is_static);
  if (monitor.receiver >= 0 && instance && what_.receiver == monitor.receiver &&
      (what_.method->is(is_synchronized) ||
       (monitor.receiver == 0 && what_.kind == ProcedureKind::Internal &&
        !context_.discovered.unlocked.contains(key_))))
    return true;
  return (monitor.receiver >= 0 || monitor.reference) &&
         std::ranges::find(state_.monitors, monitor) != state_.monitors.end();
}

void BodyLowering::enter_monitor(JavaValue& object, bool leave) {
  const Monitor monitor = monitor_of(object);
  const auto found = std::ranges::find(state_.monitors, monitor);
  if (!leave)
    state_.monitors.push_back(monitor);
  else if (found != state_.monitors.end())
    state_.monitors.erase(found);
  else if (!state_.monitors.empty())
    state_.monitors.pop_back(); // by a copy of the reference
}

/// After a variable (or with null: any field that is not final) may have changed.
void BodyLowering::forget_monitors(Term changed) {
  const auto stays = [&](Term variable) {
    for (const Receiver& receiver : context_.receivers())
      for (const ClassFile* one : receiver.chain)
        for (const Field& field : one->fields)
          if ((field.flags & access::is_final) && variable->name == receiver.prefix + field.name)
            return true;
    return false;
  };
  for (Monitor& monitor : state_.monitors)
    if (monitor.reference && std::ranges::any_of(variables(monitor.reference), [&](Term v) {
          return changed ? v == changed : context_.module.find_state(v->name) && !stays(v);
        }))
      monitor = {};
}

/// Whether the client holds the monitor is not known.
void BodyLowering::check_monitor(const MemberRef& callee, JavaValue& object) {
  if (callee.name != "wait" && callee.name != "notify" && callee.name != "notifyAll") return;
  const auto found = context_.pool.find_method("java/lang/Object", callee.name, callee.descriptor);
  if (!found.method || holds(monitor_of(object))) return;
  throw_if(havoc("outside", {.sort = arena_.bool_sort()}, Chooser::Unknown),
           "java/lang/IllegalMonitorStateException");
}

/// Whether a callee makes a collection that cannot be changed, or not in all ways.
bool makes_fixed(const MemberRef& callee) {
  const std::string& name = callee.name;
  if (callee.owner == "java/util/Collections")
    return name.starts_with("unmodifiable") || name.starts_with("empty") ||
           name.starts_with("singleton") || name == "nCopies";
  if (callee.owner == "java/util/Arrays") return name == "asList";
  if (callee.owner == "java/util/stream/Stream") return name == "toList";
  const bool is_interface = callee.owner == "java/util/List" || callee.owner == "java/util/Set" ||
                            callee.owner == "java/util/Map";
  return is_interface && (name == "of" || name == "copyOf" || name == "ofEntries");
}

/// Library collections that throw where they are handed a null, or what has no order. Contracts say
/// what becomes of a collection, whatever it holds.
void BodyLowering::check_elements(const MemberRef& callee, std::vector<JavaValue>& arguments,
                                  const JavaValue& object) {
  const bool is_view = object.held && object.held->view;
  const std::string& type = object.held ? object.held->of->type : callee.owner;
  if (!type.starts_with("java/util/") || is_view) return;
  if (callee.name == "<init>" && sorts(type)) {
    const bool by_comparator = callee.descriptor.find("Comparator") != std::string::npos ||
                               callee.descriptor.find("Sorted") != std::string::npos;
    auto& known = by_comparator ? context_.discovered.own_order : context_.discovered.natural_order;
    context_.again |= known.insert(type).second;
  }
  check_changes(callee, type, object);
  if (arguments.empty() || dead_) return;
  if (arguments[0].kind == Kind::Int) return check_index(callee, type, arguments[0], object);
  if (arguments[0].kind != Kind::Reference) return;
  const Refusal refusal = refusal_of_null(type, callee.name);
  const auto unknown = [&] {
    return havoc("refused", {.sort = arena_.bool_sort()}, Chooser::Unknown);
  };
  // A comparator of own code may have an order for null.
  const bool certain =
      refusal.always || (sorts(type) && !context_.discovered.own_order.contains(type));
  for (std::size_t k = 0; k < std::min(refusal.arguments, arguments.size()); ++k) {
    const Term absent = arguments[k].kind == Kind::Reference ? is_null(arguments[k]) : nullptr;
    if (!absent || is_false(absent)) continue;
    throw_if(certain ? absent : arena_.conj(absent, unknown()), "java/lang/NullPointerException");
  }
  const bool is_ordered = arguments[0].type == "null" || arguments[0].text ||
                          context_.pool.is_subtype(arguments[0].type, "java/lang/Comparable");
  // What has an order may still have none with what is in there: `TreeSet<Object>`.
  const bool mixes = object.held && (object.held->of->arguments.empty() ||
                                     !context_.pool.is_subtype(object.held->of->arguments[0],
                                                               "java/lang/Comparable"));
  if (!dead_ && sorts(type) && refusal.arguments > 0 && (!is_ordered || mixes) &&
      context_.discovered.natural_order.contains(type))
    throw_if(unknown(), "java/lang/ClassCastException");
}

/// A collection that is only known by its interface may be one that cannot be changed, where own
/// code makes such ones.
void BodyLowering::check_changes(const MemberRef& callee, const std::string& type,
                                 const JavaValue& object) {
  static const std::set<std::string> changing = {
      "add",       "addAll",  "clear", "put",        "putAll",    "putIfAbsent", "remove",
      "removeAll", "replace", "set",   "replaceAll", "retainAll", "removeIf",    "sort"};
  const bool is_interface = type == "java/util/Collection" || type == "java/util/List" ||
                            type == "java/util/Set" || type == "java/util/Map";
  if (object.held || !is_interface || !changing.contains(callee.name)) return;
  if (context_.discovered.makes_fixed)
    throw_if(havoc("fixed", {.sort = arena_.bool_sort()}, Chooser::Unknown),
             "java/lang/UnsupportedOperationException");
}

/// Contracts say that an index is out of bounds; these classes say so with the exception of arrays.
void BodyLowering::check_index(const MemberRef& callee, const std::string& type,
                               const JavaValue& index, const JavaValue& object) {
  const bool is_vector = type == "java/util/Vector" || type == "java/util/Stack";
  const bool is_copied = type == "java/util/concurrent/CopyOnWriteArrayList";
  const bool inserts = is_vector && callee.name == "add";
  const bool looks = callee.name == "get" || callee.name == "set" || callee.name == "remove";
  if (!(inserts || (looks && (is_vector || is_copied)))) return;
  const Term size = object.held ? context_.held_fact(*object.held, "size", object.held->owner)
                                : havoc("size", context_.machine_type(Kind::Int), Chooser::Unknown);
  const Term above = inserts ? arena_.gt(index.term, size) : arena_.ge(index.term, size);
  throw_if(arena_.disj(arena_.lt(index.term, arena_.integer(0)), above),
           "java/lang/ArrayIndexOutOfBoundsException");
}

void BodyLowering::note_unlocked(const std::string& key, int receiver) {
  if (receiver == 0 && !holds({0, nullptr}))
    context_.again |= context_.discovered.unlocked.insert(key).second;
}

// --- arrays

/// An array takes what its elements' class says; one that may be of a narrower class than its type
/// may refuse it.
void BodyLowering::check_store(const JavaValue& array, JavaValue& value) {
  constexpr const char* refusal = "java/lang/ArrayStoreException";
  ClassPool& pool = context_.pool;
  if (value.type == "null") return;
  const auto element = array.type.size() > 1 && array.type[0] == '['
                           ? parse_type(std::string_view(array.type).substr(1))
                           : std::nullopt;
  const ClassFile* file = element && element->letter == 'L' ? pool.find(element->name) : nullptr;
  const bool fits = element && element->letter == 'L' && !value.type.empty() &&
                    value.type[0] != '[' && pool.is_subtype(value.type, element->name);
  const bool exact = !array.narrow && (array.exact || (file && file->is(access::is_final)));
  if (exact && (fits || !element || element->name == "java/lang/Object")) return;
  if (exact && element->letter == 'L') {
    const Term absent = is_null(value);
    return throw_if(arena_.negate(arena_.disj(absent, type_test(value, element->name))), refusal);
  }
  if (array.narrow || caught_here().contains(refusal))
    return throw_if(havoc("refused", {.sort = arena_.bool_sort()}, Chooser::Unknown), refusal);
  context_.assume("arrays take what their declared types say: no ArrayStoreException");
}

/// A field that is only ever set to new arrays of its own type holds one.
void BodyLowering::note_array(const std::string& field, const JavaType& type,
                              const JavaValue& value) {
  if (type.letter != '[' || value.type == "null" || (value.exact && value.type == type.name))
    return;
  auto& known = context_.discovered;
  context_.again |= known.loose_arrays.insert(field).second;
  if (value.narrow || (value.exact && value.type != type.name))
    context_.again |= known.narrow_arrays.insert(field).second;
}

// --- limits

void BodyLowering::note_limits() {
  for (const ExceptionEntry& handler : code_->handlers) {
    if (handler.type.empty()) continue;
    for (const auto& [error, text] :
         {std::pair{"java/lang/StackOverflowError", "calls do not exhaust the stack"},
          std::pair{"java/lang/OutOfMemoryError", "there is enough memory"}})
      if (context_.pool.is_subtype(error, handler.type))
        context_.assume(fmt::format("{}: no {}", text, unpackaged(error)));
  }
}

} // namespace tacit::java
