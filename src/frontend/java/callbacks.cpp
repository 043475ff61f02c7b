// What library callees run of own code: functions that they are handed, and objects that they ask.
#include <algorithm>
#include <utility>

#include "frontend/java/body_calls.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"

namespace tacit::java {

namespace {
bool is_library(const std::string& type) {
  return type.starts_with("java/") || type.starts_with("javax/") || type.starts_with("jdk/");
}

/// Classes that keep functions and run them later, or elsewhere.
bool runs_later(ClassPool& pool, const std::string& type) {
  for (const char* one : {"java/util/concurrent/Executor", "java/util/concurrent/CompletionStage",
                          "java/util/concurrent/Future", "java/lang/Thread", "java/util/Timer",
                          "java/lang/ref/Cleaner", "java/lang/Runtime"})
    if (pool.is_subtype(type, one)) return true;
  return false;
}
} // namespace

/// What is made here may be run where nobody sees it.
void BodyCalls::note_lambda(const ClassFile::DynamicRef& site) {
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

/// A function that a lambda expression or a method reference makes; one of a library method has
/// that as its owner.
std::optional<Discoveries::Function>
BodyCalls::function_of(const ClassFile::DynamicRef& site,
                       const std::vector<JavaValue>& captured) const {
  constexpr unsigned invoke_static = 6, new_object = 8;
  const auto& pool = what_.owner->pool;
  Discoveries::Function made{.method = site.name};
  for (const std::uint16_t argument : site.bootstrap->arguments) {
    if (argument >= pool.size()) continue;
    const Constant& c = pool[argument];
    if (c.tag == ConstantTag::MethodType && c.first < pool.size() && made.owner.empty())
      if (const auto signature = parse_signature(pool[c.first].text))
        made.arity = signature->parameters.size();
    if (c.tag != ConstantTag::MethodHandle || !made.owner.empty()) continue;
    const auto target = what_.owner->member_at(c.second);
    if (!target) return std::nullopt;
    made.owner = target->owner;
    made.name = target->name;
    made.descriptor = target->descriptor;
    made.makes = c.first == new_object;
    made.receiver = c.first == invoke_static ? no_receiver : by_reference;
    if (!made.makes && made.receiver == by_reference && !captured.empty() &&
        captured[0].receiver >= 0)
      made.receiver = captured[0].receiver;
  }
  if (made.owner.empty()) return std::nullopt;
  return made;
}

/// On the condition, what a function of own code makes is thrown. False when it is none.
bool BodyCalls::throw_supplied(const JavaValue& supplier, Term condition) {
  const auto& function = supplier.function;
  if (!function || function->makes || function->arity != 0 || !context_.is_own(function->owner))
    return false;
  const auto found =
      context_.pool.find_method(function->owner, function->name, function->descriptor);
  if (!found.method || !found.method->code || !context_.is_own(found.owner->name) ||
      !context_.returns_exception(*found.owner, *found.method))
    return false;
  const auto signature = parse_signature(found.method->descriptor);
  const Context::OwnBody body{found.owner, found.method, function->receiver, {}, &*function};
  const BlockId from = current_, bad = new_block(), good = new_block();
  made_.blocks[from].end = {
      .kind = TerminatorKind::Branch, .value = condition, .next = bad, .other = good};
  const State before = state_;
  current_ = bad;
  Terminator call = call_of(body, nullptr, {});
  emit_call(call.name, std::move(call.arguments), signature->result, true, false, "thrown");
  const JavaValue thrown = pop();
  raise(thrown.term, thrown.type, false);
  state_ = before;
  current_ = good;
  dead_ = false;
  return true;
}

/// The type under which a library callee knows an argument whose methods it may run; none if there
/// is nothing of own code to run.
std::string BodyCalls::type_handed(const JavaValue& value, const JavaType& wanted) {
  if (!wanted.is_reference() || wanted.letter == '[' || value.receiver >= 0 || value.held ||
      without_identity(value) || value.foreign || value.type == "null")
    return "";
  const bool narrower = !value.type.empty() && context_.pool.is_subtype(value.type, wanted.name);
  const std::string type = narrower ? value.type : wanted.name;
  return type.empty() || type[0] == '[' || type == "java/lang/String" ? "" : type;
}

void BodyCalls::add_callbacks(std::vector<Context::OwnBody>& bodies, const std::string& type) {
  for (const auto& body : context_.library_callbacks(type)) {
    const bool known = std::ranges::any_of(bodies, [&](const Context::OwnBody& other) {
      return other.method == body.method && other.function == body.function;
    });
    if (!known) bodies.push_back(body);
  }
}

/// Own classes that inherit the method from a library class, which may run what they override.
std::vector<std::string> BodyCalls::template_classes(const std::string& callee,
                                                     const std::string& method,
                                                     const JavaValue& object) const {
  ClassPool& pool = context_.pool;
  std::vector<std::string> found;
  if (method == "<init>" || object.receiver >= 0 || object.foreign || object.held ||
      without_identity(object) || object.kind != Kind::Reference)
    return found;
  const bool narrower = !object.type.empty() && pool.is_subtype(object.type, callee);
  const std::string& type = narrower ? object.type : callee;
  for (const std::string& name : context_.own_classes()) {
    const ClassFile* file = pool.find(name);
    if (!file || file->is(access::is_interface | access::is_enum) || pool.is_throwable(name) ||
        context_.is_receiver_class({name}) || !pool.is_subtype(name, type))
      continue;
    for (const std::string& above : pool.ancestors(name)) {
      const ClassFile* one =
          context_.is_own(above) || above == "java/lang/Object" || above == "java/lang/Record"
              ? nullptr
              : pool.find(above);
      const bool has = one && std::ranges::any_of(one->methods, [&](const Method& m) {
                         return m.name == method && m.code && !m.is(access::is_static);
                       });
      if (!has) continue;
      found.push_back(name);
      break;
    }
  }
  return found;
}

/// Library callees run the functions that they get, and methods of the objects that they get or
/// hold: any number of times, before they return.
void BodyCalls::run_callbacks(const std::string& callee, const std::string& method,
                              const Signature& signature, const std::vector<JavaValue>& arguments,
                              const std::optional<JavaValue>& object) {
  ClassPool& pool = context_.pool;
  if (!is_library(callee)) return;
  if (runs_later(pool, callee)) return run_by_others(signature, arguments, object);
  std::vector<Context::OwnBody> bodies;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string type = type_handed(arguments[i], signature.parameters[i]);
    if (type.empty()) continue;
    for (const auto& [interface, functions] : context_.discovered.functions)
      if (type != "java/lang/Object" && pool.is_subtype(interface, type) &&
          !runs_at_once(callee, method))
        context_.again |= context_.discovered.handed_on.insert(interface).second;
    add_callbacks(bodies, type);
  }
  if (object)
    for (const std::string& type : template_classes(callee, method, *object))
      add_callbacks(bodies, type);
  // What was handed over before may run now.
  if (object && object->receiver < 0 && callee.starts_with("java/util/")) {
    add_callbacks(bodies, "");
    for (const std::string& interface : context_.discovered.handed_on)
      add_callbacks(bodies, interface);
  }
  if (bodies.empty()) return;
  // Calls share the procedure, unless an exception may be thrown here that a function makes.
  const bool throws = std::ranges::any_of(bodies, [&](const Context::OwnBody& body) {
    return body.method->code && (context_.returns_exception(*body.owner, *body.method) ||
                                 pool.is_throwable(body.owner->name));
  });
  std::string key = fmt::format("callbacks {}", fmt::join(caught_here(), " "));
  if (throws) key += fmt::format(" {} {}", key_, here().line);
  const std::string name = callback_procedure(key, bodies, true);
  emit_call(name, {}, JavaType{'V', ""}, false, false, name);
}

/// Runs the functions among the arguments, any number of times: on elements of the object, where
/// the method hands them over one by one.
void BodyCalls::run_given(const std::vector<JavaValue>& arguments, const HeldObject& of,
                          const std::string& method) {
  std::vector<Context::OwnBody> bodies;
  for (const JavaValue& one : arguments) {
    if (!one.function) continue;
    const auto found = context_.pool.find_method(one.function->owner, one.function->name,
                                                 one.function->descriptor);
    if (!context_.is_own(one.function->owner) && !one.function->makes &&
        Context::others_implement(one.function->owner)) {
      bodies.push_back({nullptr, nullptr, one.function->receiver, {}, &*one.function});
      continue;
    }
    if (!found.method || !context_.is_own(found.owner->name)) continue;
    if (!context_.acts(*found.owner, *found.method) &&
        !context_.may_fail(*found.owner, *found.method))
      continue;
    bodies.push_back({found.owner, found.method, one.function->receiver, {}, &*one.function});
  }
  if (bodies.empty()) return;
  const std::string key =
      fmt::format("given {} {} {}", fmt::join(caught_here(), " "), key_, of.of->key());
  static const std::set<std::string> one_by_one = {"forEach", "removeIf", "forEachRemaining"};
  const Term size = context_.held_fact(of, "size", of.owner);
  const bool given =
      one_by_one.contains(method) && !of.owner && size && context_.held_types(*of.of).size() == 1;
  const bool foreign = given && context_.is_foreign(Context::place_of(*of.of));
  const auto elements = [&]() -> std::vector<std::pair<JavaType, Term>> {
    if (!given) return {};
    const std::string& type = of.of->arguments.at(0);
    const bool nulls = context_.discovered.nullable_elements.contains(of.of->key());
    // What others made is something; its fields are nobody's here.
    if (!context_.is_own(type) && !nulls && context_.held_types(*of.of)[0] &&
        context_.held_types(*of.of)[0]->sort == arena_.ref_sort()) {
      const Term some = unknown_object("element");
      return {{class_type(type), some}};
    }
    const auto element = element_of(of, size);
    if (!element || !element->term) return {};
    if (element->kind == Kind::Reference && element->absent && is_false(element->absent))
      emit({.kind = StatementKind::Assume, .value = arena_.ne(element->term, arena_.null())});
    return {{class_type(element->type), element->term}};
  };
  const std::string name = callback_procedure(key, bodies, true, elements, foreign,
                                              size && !of.owner && one_by_one.contains(method)
                                                  ? arena_.gt(size, arena_.integer(0))
                                                  : nullptr);
  emit_call(name, {}, JavaType{'V', ""}, false, false, name);
}

/// Threads, executors and timers run what they got at any time: while they are called, which is
/// here, or between calls of the client (`Lowering::let_others_run`). Nobody who calls the
/// component sees the exceptions.
void BodyCalls::run_by_others(const Signature& signature, const std::vector<JavaValue>& arguments,
                              const std::optional<JavaValue>& object) {
  auto& later = context_.discovered.later;
  const auto hand = [&](const std::string& type) {
    if (type.empty() || type == "java/lang/Object" || context_.library_callbacks(type).empty())
      return;
    context_.again |= later.insert(type).second;
  };
  for (std::size_t i = 0; i < arguments.size(); ++i)
    hand(type_handed(arguments[i], signature.parameters[i]));
  if (object && object->receiver < 0 && context_.is_own(object->type)) hand(object->type);
  std::vector<Context::OwnBody> bodies;
  for (const std::string& type : later) add_callbacks(bodies, type);
  if (bodies.empty()) return;
  context_.assume("what threads, executors and timers run of this code they run between calls, or "
                  "while they are called themselves");
  const std::string name = callback_procedure("run by others", bodies, false);
  context_.run_by_others.insert(name);
  emit_call(name, {}, JavaType{'V', ""}, false, false, name);
}

/// A procedure that runs these bodies any number of times.
std::string BodyCalls::callback_procedure(std::string key,
                                          const std::vector<Context::OwnBody>& bodies,
                                          bool may_throw, const Elements& elements, bool foreign,
                                          Term possible) {
  for (const auto& body : bodies)
    key += body.method ? " " + Context::procedure_key(*body.owner, *body.method, body.receiver)
                       : fmt::format(" {}.{}{}", body.function->owner, body.function->name,
                                     body.function->descriptor);
  const auto [name, is_new] = context_.made_procedure(key, "callbacks");
  if (!is_new) return name;
  Procedure loop;
  loop.name = name;
  loop.kind = ProcedureKind::Internal;
  loop.where = here();
  std::swap(loop, made_);
  std::map<std::string, int> names;
  std::swap(names, names_);
  const BlockId at = current_;
  const BlockId entry = new_block(), head = current_ = new_block();
  made_.blocks[entry].end = {.kind = TerminatorKind::Goto, .next = head};
  const auto choice = [&] {
    Term more = havoc("runs", {.sort = arena_.bool_sort()}, Chooser::Unknown);
    if (possible) more = arena_.conj(more, possible);
    const BlockId from = current_, yes = new_block(), no = new_block();
    made_.blocks[from].end = {
        .kind = TerminatorKind::Branch, .value = more, .next = yes, .other = no};
    current_ = yes;
    return no;
  };
  // What changes nothing need not run twice.
  const bool again = std::ranges::any_of(bodies, [&](const Context::OwnBody& body) {
    return !body.function || (body.method && context_.acts(*body.owner, *body.method));
  });
  const BlockId ready = again ? head : new_block();
  for (const auto& body : bodies) {
    const BlockId rest = choice();
    const Term value = finish_call_of(
        body, call_of(body, nullptr,
                      elements ? elements() : std::vector<std::pair<JavaType, Term>>{}, foreign));
    if (may_throw && value && value->sort == context_.exception_type().sort) {
      const BlockId kept = choice();
      made_.blocks[current_].end = {.kind = TerminatorKind::Throw, .value = value, .where = here()};
      current_ = kept;
    }
    made_.blocks[current_].end = {.kind = TerminatorKind::Goto, .next = ready};
    current_ = rest;
  }
  made_.blocks[current_].end = {.kind = TerminatorKind::Return};
  if (!again) made_.blocks[ready].end = {.kind = TerminatorKind::Return};
  for (Block& block : made_.blocks) {
    if (block.end.kind != TerminatorKind::Call) continue;
    block.end.where = here();
    if (!may_throw) block.end.handlers = {{.exception = "*", .target = ready}};
  }
  tidy(made_);
  std::swap(loop, made_);
  std::swap(names, names_);
  current_ = at;
  context_.module.procedures.push_back(std::move(loop));
  return name;
}

} // namespace tacit::java
