// What library objects refuse by themselves: elements without an order, indices, changes of what is
// fixed.
#include <algorithm>
#include <set>
#include <string>

#include "frontend/java/body_library.h"

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

/// Library collections that throw where they are handed a null, or what has no order. Contracts say
/// what becomes of a collection, whatever it holds.
void BodyLibrary::check_elements(const MemberRef& callee, std::vector<JavaValue>& arguments,
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
void BodyLibrary::check_changes(const MemberRef& callee, const std::string& type,
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
void BodyLibrary::check_index(const MemberRef& callee, const std::string& type,
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

} // namespace tacit::java
