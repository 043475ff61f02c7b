// What the machine itself checks and throws: monitors that must be held, arrays that must take what
// is stored; and its limits, which are assumed not to be reached.
#include <algorithm>
#include <set>
#include <string>

#include "frontend/java/body_values.h"

namespace tacit::java {

Monitor BodyValues::monitor_of(JavaValue& object) {
  if (object.receiver >= 0) return {object.receiver, nullptr};
  if (object.kind != Kind::Reference) return {};
  return {-1, reference(object)};
}

/// Who calls a synchronized method, or code of the component that is only run with its monitor
/// held, holds it.
bool BodyValues::holds(const Monitor& monitor) const {
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

void BodyValues::enter_monitor(JavaValue& object, bool leave) {
  const Monitor monitor = monitor_of(object);
  const auto found = std::ranges::find(state_.monitors, monitor);
  if (!leave)
    state_.monitors.push_back(monitor);
  else if (found != state_.monitors.end())
    state_.monitors.erase(found);
  else if (!state_.monitors.empty())
    state_.monitors.pop_back(); // by a copy of the reference
}

/// Whether the client holds the monitor is not known.
void BodyValues::check_monitor(const MemberRef& callee, JavaValue& object) {
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

void BodyValues::note_unlocked(const std::string& key, int receiver) {
  if (receiver == 0 && !holds({0, nullptr}))
    context_.again |= context_.discovered.unlocked.insert(key).second;
}

/// An array takes what its elements' class says; one that may be of a narrower class than its type
/// may refuse it.
void BodyValues::check_store(const JavaValue& array, JavaValue& value) {
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
void BodyValues::note_array(const std::string& field, const JavaType& type,
                            const JavaValue& value) {
  if (type.letter != '[' || value.type == "null" || (value.exact && value.type == type.name))
    return;
  auto& known = context_.discovered;
  context_.again |= known.loose_arrays.insert(field).second;
  if (value.narrow || (value.exact && value.type != type.name))
    context_.again |= known.narrow_arrays.insert(field).second;
}

void BodyValues::note_limits() {
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
