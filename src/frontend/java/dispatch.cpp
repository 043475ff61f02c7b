// Calls that may run one of several bodies of own code, and library callees that run it.
//
// Which body runs is hidden, unless the object is a constant of an enumeration or an exception,
// whose classes are known. Where code that is not own may implement the type, the call may also be
// an opaque one.
#include <algorithm>

#include "frontend/java/body_calls.h"

namespace tacit::java {

bool runs_at_once(const std::string& type, const std::string& method) {
  static const std::set<std::string> methods = {"forEach",          "removeIf",
                                                "replaceAll",       "sort",
                                                "computeIfAbsent",  "computeIfPresent",
                                                "compute",          "merge",
                                                "ifPresent",        "ifPresentOrElse",
                                                "orElseGet",        "orElseThrow",
                                                "requireNonNull",   "requireNonNullElseGet",
                                                "updateAndGet",     "getAndUpdate",
                                                "accumulateAndGet", "getAndAccumulate",
                                                "forEachRemaining", "forEachOrdered"};
  return methods.contains(method) && type.starts_with("java/") &&
         !type.starts_with("java/util/function/");
}

/// Whether own exceptions have a body of their own for a method of Throwable.
bool BodyCalls::overrides_exception(const MemberRef& callee, const JavaValue& object) {
  return !context_.bodies_below(object.type, callee.name, callee.descriptor)->empty();
}

/// Whether writing down an exception, which asks it for its message, runs own code.
bool BodyCalls::writes_itself(const JavaValue& exception) {
  const auto has_body = [&](const char* name) {
    return !context_.bodies_below(exception.type, name, "()Ljava/lang/String;")->empty();
  };
  return has_body("toString") || has_body("getMessage") || has_body("getLocalizedMessage");
}

/// Every constructor of Throwable asks for the stack trace, unless it is told not to.
void BodyCalls::fill_stack_trace(const std::vector<JavaValue>& arguments,
                                 std::optional<JavaValue>& exception) {
  const MemberRef filling{"java/lang/Throwable", "fillInStackTrace", "()Ljava/lang/Throwable;"};
  const bool is_told = arguments.size() == 4 && arguments[3].term && is_constant(arguments[3].term);
  if (is_told && arguments[3].term == arena_.integer(0)) return;
  if (!overrides_exception(filling, *exception)) return;
  std::vector<JavaValue> none;
  const auto found = context_.pool.find_method(filling.owner, filling.name, filling.descriptor);
  call_virtually(filling, found, false, none, exception);
  if (!dead_ && problem_.empty()) pop();
}

void BodyCalls::call_virtually(const MemberRef& ref, ClassPool::Found found, bool special,
                               std::vector<JavaValue>& arguments,
                               std::optional<JavaValue>& object) {
  ClassPool& pool = context_.pool;
  const std::string declared = found.owner ? found.owner->name : ref.owner;
  const auto opaque = [&] { call_opaque(declared, ref, found.method, arguments, object, false); };
  if (!found.method || found.method->is(access::is_static) ||
      context_.outranked(*found.owner, *found.method))
    return opaque();
  const bool own = context_.is_own(declared);
  const bool has_body = own && found.method->code;
  const bool exact = object->lazy == 0 && object->nonnull && object->term &&
                     object->type == declared && new_objects_.contains(object->term);
  if (special || exact || found.method->is(access::is_private | access::is_final) ||
      found.owner->is(access::is_final)) {
    if (has_body) return call_own(*found.owner, *found.method, by_reference, arguments, object);
    return opaque();
  }
  // The narrowest type that is known of the object.
  const bool narrower = !object->type.empty() && object->type[0] != '[' && object->type != "null" &&
                        pool.is_subtype(object->type, ref.owner);
  const ClassFile* seen_as = pool.find(narrower ? object->type : ref.owner);
  if (!seen_as) return opaque();
  const auto known = context_.bodies_below(seen_as->name, ref.name, ref.descriptor);
  const std::vector<Context::OwnBody>& bodies = *known;
  const bool acting = std::ranges::any_of(bodies, [&](const Context::OwnBody& b) {
    return !b.method || context_.acts(*b.owner, *b.method);
  });
  const bool own_type = context_.is_own(seen_as->name);
  // Through a type that others implement, another object of the component's class is one of them.
  const bool components = std::ranges::all_of(bodies, [&](const Context::OwnBody& b) {
    return !b.function && context_.is_receiver_class(b.classes);
  });
  if (object->foreign && (!own_type || (components && context_.is_open(seen_as->name)))) {
    if (acting)
      context_.assume(
          fmt::format("what the client or a collaborator hands over as a {} is none of own code's",
                      dotted(seen_as->name)));
    return opaque();
  }
  if (seen_as->name == "java/lang/Object" && !acting) return opaque();
  const bool open = context_.is_open(seen_as->name);
  if (bodies.empty() && has_body && !open) {
    // A class of the nest that is only extended elsewhere.
    context_.assume(
        fmt::format("no class but {} itself implements its method {}", dotted(declared), ref.name));
    return call_own(*found.owner, *found.method, by_reference, arguments, object);
  }
  if (bodies.empty()) return opaque();
  if (bodies.size() == 1 && !open && !bodies[0].function &&
      context_.enumeration_of(*seen_as).empty())
    return call_own(*bodies[0].owner, *bodies[0].method, by_reference, arguments, object);
  call_several(found, *seen_as, arguments, *object);
}

void BodyCalls::call_several(const ClassPool::Found& named, const ClassFile& seen_as,
                             std::vector<JavaValue>& arguments, JavaValue& object) {
  const auto signature = parse_signature(named.method->descriptor);
  if (!signature || signature->parameters.size() != arguments.size())
    return wrong("a call has a malformed descriptor");
  std::vector<Term> terms;
  const std::string constants = context_.enumeration_of(seen_as);
  if (context_.pool.is_throwable(seen_as.name))
    terms.push_back(converted(object, Kind::Exception, seen_as.name).term);
  else if (constants.empty())
    terms.push_back(reference(object));
  else
    terms.push_back(converted(object, Kind::Enumeration, constants).term);
  for (std::size_t k = 0; k < arguments.size(); ++k)
    terms.push_back(stored(signature->parameters[k], arguments[k]));
  if (!problem_.empty()) return;
  const std::string name = context_.dispatcher(named, seen_as);
  hand_on_caught(Context::dispatcher_key(*named.owner, *named.method, seen_as));
  emit_call(name, std::move(terms), signature->result, false, false, named.method->name);
}

/// The call of a body at the end of the current block. What it is given is what the caller has,
/// the last parameters of a function's body being those of its interface; the rest is not known.
Terminator BodyCalls::call_of(const Context::OwnBody& body, Term object,
                              const std::vector<std::pair<JavaType, Term>>& given, bool foreign) {
  Terminator call{.kind = TerminatorKind::Call, .where = beginning()};
  const Discoveries::Function* function = body.function;
  const std::string owner = body.owner ? body.owner->name : function->owner;
  const std::string& descriptor = body.method ? body.method->descriptor : function->descriptor;
  const auto signature = parse_signature(descriptor);
  if (!signature) return call;
  const auto unknown = [&](const Type& type) { return havoc("given", type, Chooser::Unknown); };
  // Where the interface's first parameter is the object that the method is called on.
  const bool unbound = function && !function->makes && body.receiver == by_reference &&
                       given.size() == signature->parameters.size() + 1;
  const bool with_object =
      body.method ? body.receiver == by_reference : body.receiver != no_receiver;
  if (with_object) {
    const ClassFile* file = context_.pool.find(owner);
    const std::string constants = file ? context_.enumeration_of(*file) : "";
    const Type type = context_.pool.is_throwable(owner) ? context_.exception_type()
                      : constants.empty()               ? Type{.sort = arena_.ref_sort()}
                                          : Type{.sort = context_.enum_sort(constants)};
    const Term candidate = unbound ? given[0].second : function ? nullptr : object;
    Term self = candidate && candidate->sort == type.sort ? candidate : nullptr;
    if (function && function->makes && body.owner && type.sort == arena_.ref_sort()) {
      self = temporary("made", type);
      emit({.kind = StatementKind::New, .target = self, .record = context_.record_of(*body.owner)});
      if (context_.discovered.asks_class)
        set_state(context_.class_of_objects(), context_.with_class(self, body.owner->name));
      call.result = self; // until the caller has seen it
    }
    if (!self) {
      self = unknown(type);
      if (!constants.empty() && type.sort->decl->values.size() > 1)
        self = arena_.ite(arena_.eq(self, context_.enum_null(constants)),
                          arena_.enumerator(type.sort, 1), self);
    }
    call.arguments.push_back(self);
  }
  const std::size_t count = signature->parameters.size();
  for (std::size_t i = 0; i < count; ++i) {
    const JavaType& wanted = signature->parameters[i];
    const Type type = context_.type_of(wanted);
    const std::size_t shift = unbound ? i + 1 : i + given.size();
    const bool has = unbound || (shift >= count && shift - count < given.size());
    const std::size_t at = unbound ? shift : shift - count;
    const bool fits = has && given[at].second->sort == type.sort &&
                      (given[at].first.letter == wanted.letter ||
                       (given[at].first.is_reference() && wanted.is_reference()));
    call.arguments.push_back(fits ? given[at].second : unknown(type));
  }
  if (!body.method) {
    call.name = context_.opaque(
        {.owner = owner,
         .name = function->name,
         .descriptor = descriptor,
         .method = context_.pool.find_method(owner, function->name, descriptor).method,
         .with_receiver = with_object},
        caught_here());
    return call;
  }
  if (!body.method->code) {
    call.name = context_.dispatcher({body.owner, body.method}, *body.owner);
    hand_on_caught(Context::dispatcher_key(*body.owner, *body.method, *body.owner));
    return call;
  }
  const std::string key = Context::procedure_key(*body.owner, *body.method, body.receiver);
  const bool apart = context_.is_method(key);
  if (const auto tests = context_.discovered.type_tests.find(key);
      tests != context_.discovered.type_tests.end())
    for (std::size_t k = 0; k < tests->second.size(); ++k)
      call.arguments.push_back(havoc("is", {.sort = arena_.bool_sort()}, Chooser::Unknown));
  call.name = context_.procedure(*body.owner, *body.method, body.receiver, apart);
  for (std::size_t k = 0; k < count; ++k)
    if (!foreign || k + given.size() < count)
      context_.mix(Context::place_of(key + (apart ? " apart" : ""), k));
  hand_on_caught(key + (apart ? " apart" : ""));
  if (body.receiver == 0)
    context_.again |= context_.discovered.unlocked.insert(key + (apart ? " apart" : "")).second;
  return call;
}

/// Ends the current block with the call and goes on behind it; the result, if it can be had.
Term BodyCalls::finish_call_of(const Context::OwnBody& body, Terminator call) {
  const std::string& descriptor = body.method ? body.method->descriptor : body.function->descriptor;
  const Term made = call.result;
  call.result = nullptr;
  Term value = made;
  const auto signature = parse_signature(descriptor);
  const bool exception =
      body.method && body.method->code && context_.returns_exception(*body.owner, *body.method);
  if (!made && signature && signature->result.letter != 'V')
    value = call.result = temporary("value", exception ? context_.exception_type()
                                                       : context_.type_of(signature->result));
  const BlockId site = current_;
  current_ = new_block();
  call.next = current_;
  made_.blocks[site].end = std::move(call);
  return value;
}

/// The bodies of the constants of an enumeration; false when they are not all known.
bool BodyCalls::constant_bodies(const std::string& constants,
                                std::vector<DispatchTarget>& targets) {
  const auto classes = constant_classes(constants);
  const ClassFile* file = context_.pool.find(constants);
  std::size_t index = 0;
  for (const Field& f : file->fields) {
    if (!(f.flags & access::is_enum)) continue;
    ++index;
    const auto made = classes.find(f.name);
    if (made == classes.end()) return false;
    const auto found =
        context_.pool.find_method(made->second, what_.method->name, what_.method->descriptor);
    if (!found.method || !found.method->code || !context_.is_own(found.owner->name)) return false;
    targets.push_back({Context::OwnBody{found.owner, found.method, by_reference, {}, nullptr},
                       arena_.eq(made_.parameters[0].term,
                                 arena_.enumerator(context_.enum_sort(constants), index))});
  }
  return true;
}

/// Whether the object was made of a class that has this body; null when that cannot be told.
Term BodyCalls::class_of_body(const Context::OwnBody& body) {
  std::vector<Term> cases;
  for (const std::string& one : body.classes)
    if (const Term is = context_.class_constant(one))
      cases.push_back(
          arena_.eq(arena_.select(context_.class_of_objects(), made_.parameters[0].term), is));
  return body.function || cases.empty() || cases.size() < body.classes.size()
             ? nullptr
             : arena_.disj(std::move(cases));
}

/// False when the bodies are not all known.
bool BodyCalls::dispatch_body() {
  if (!what_.seen_as) return false;
  const ClassFile& seen = *what_.seen_as;
  const std::string constants = context_.enumeration_of(seen);
  const bool throwable = context_.pool.is_throwable(seen.name);
  std::vector<DispatchTarget> targets;
  if (!constants.empty()) {
    if (!constant_bodies(constants, targets)) return false;
  } else {
    const auto bodies =
        context_.bodies_below(seen.name, what_.method->name, what_.method->descriptor);
    for (const auto& body : *bodies) {
      Term when = nullptr;
      if (throwable) {
        std::vector<Term> cases;
        for (const std::string& one : body.classes)
          cases.push_back(arena_.eq(made_.parameters[0].term, context_.exception(one)));
        when = context_.again ? arena_.truth() : arena_.disj(std::move(cases));
      } else if (bodies->size() > 1) {
        when = class_of_body(body);
      }
      targets.push_back({body, when});
    }
    std::ranges::stable_partition(targets, [](const DispatchTarget& t) { return t.when; });
  }
  const bool opaque = constants.empty() && (throwable || context_.is_open(seen.name));
  if (targets.empty() && !opaque) return false;
  std::vector<std::pair<JavaType, Term>> given;
  for (std::size_t i = 0; i < signature_.parameters.size(); ++i)
    given.emplace_back(signature_.parameters[i], made_.parameters[i + 1].term);
  made_.blocks.clear();
  current_ = new_block();
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const DispatchTarget& target = targets[i];
    BlockId rest = current_;
    if (i + 1 < targets.size() || opaque) {
      const Term when =
          target.when ? target.when : havoc("runs", {.sort = arena_.bool_sort()}, Chooser::Unknown);
      const BlockId at = current_, to = new_block();
      rest = new_block();
      made_.blocks[at].end = {
          .kind = TerminatorKind::Branch, .value = when, .next = to, .other = rest};
      current_ = to;
    }
    Terminator call = call_of(target.body, made_.parameters[0].term, given);
    const Term value = finish_call_of(target.body, std::move(call));
    leave_dispatch(value);
    current_ = rest;
  }
  if (opaque && throwable) {
    leave_dispatch(nullptr);
  } else if (opaque) {
    std::vector<Term> arguments;
    for (const Variable& v : made_.parameters) arguments.push_back(v.term);
    Terminator call{.kind = TerminatorKind::Call,
                    .name = context_.opaque({.owner = what_.owner->name,
                                             .name = what_.method->name,
                                             .descriptor = what_.method->descriptor,
                                             .method = what_.method,
                                             .with_receiver = true},
                                            caught_here()),
                    .arguments = std::move(arguments),
                    .where = beginning()};
    if (made_.returns) call.result = temporary("value", *made_.returns);
    const Term value = call.result;
    const BlockId site = current_;
    call.next = current_ = new_block();
    made_.blocks[site].end = std::move(call);
    leave_dispatch(value);
  }
  tidy(made_);
  return true;
}

/// Returns the value, or anything where it is of another type.
void BodyCalls::leave_dispatch(Term value) {
  Terminator last{.kind = TerminatorKind::Return};
  if (made_.returns)
    last.value = value && value->sort == made_.returns->sort
                     ? value
                     : havoc("value", *made_.returns, Chooser::Unknown);
  made_.blocks[current_].end = std::move(last);
}

/// The class of each constant, read from the initialiser: `new C`, and what is stored behind it.
std::map<std::string, std::string> BodyCalls::constant_classes(const std::string& enumeration) {
  std::map<std::string, std::string> found;
  const ClassFile* file = context_.pool.find(enumeration);
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  if (!init || !init->code) return found;
  const auto graph = decode(*init->code, Context::source_of(*file));
  if (!graph) return found;
  std::string made;
  for (const Instruction& i : graph->instructions) {
    if (i.op == 0xbb) {
      const auto name = file->class_at(static_cast<unsigned>(i.operand));
      if (name && context_.pool.is_subtype(*name, enumeration)) made = *name;
    }
    if (i.op != 0xb3) continue;
    const auto field = file->member_at(static_cast<unsigned>(i.operand));
    const Field* declared = field ? file->find_field(field->name) : nullptr;
    if (declared && (declared->flags & access::is_enum) && !made.empty())
      if (!found.emplace(field->name, made).second) return {};
    made.clear();
  }
  return found;
}

} // namespace tacit::java
