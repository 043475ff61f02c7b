// Calls of own code, of library objects that fields hold, and of what is not looked into.
#include <algorithm>
#include <array>
#include <utility>

#include "frontend/java/body_calls.h"
#include "frontend/java/lambda_harm.h"
#include "program/ir/defaults.h"
#include "program/ir/text_facts.h"

namespace tacit::java {

bool is_field_handle(const std::string& type) {
  return type == "java/lang/invoke/VarHandle" ||
         (type.starts_with("java/util/concurrent/atomic/Atomic") && type.ends_with("FieldUpdater"));
}

namespace {
bool reaches_fields(const std::string& type) {
  return is_field_handle(type) || type == "jdk/internal/misc/Unsafe" || type == "sun/misc/Unsafe" ||
         type == "java/lang/reflect/Field";
}

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

/// Library classes whose objects own code writes down: that runs no code of others and does not
/// fail.
bool is_value_class(const std::string& type) {
  static const std::set<std::string> values = {"java/lang/String",
                                               "java/lang/Integer",
                                               "java/lang/Long",
                                               "java/lang/Short",
                                               "java/lang/Byte",
                                               "java/lang/Character",
                                               "java/lang/Boolean",
                                               "java/lang/Double",
                                               "java/lang/Float",
                                               "java/lang/Class",
                                               "java/lang/StringBuilder",
                                               "java/lang/StringBuffer",
                                               "java/net/URI",
                                               "java/net/URL",
                                               "java/util/UUID",
                                               "java/util/Locale",
                                               "java/math/BigDecimal",
                                               "java/math/BigInteger",
                                               "java/time/Instant",
                                               "java/time/Duration",
                                               "java/time/LocalDate",
                                               "java/time/LocalDateTime",
                                               "java/time/LocalTime",
                                               "java/time/ZonedDateTime",
                                               "java/time/OffsetDateTime",
                                               "java/time/Period",
                                               "java/util/Date"};
  return values.contains(type);
}
} // namespace

void BodyCalls::emit_call(const std::string& name, std::vector<Term> arguments,
                          const JavaType& result, bool returns_exception, bool opaque,
                          const std::string& hint, const Type* as) {
  // The arguments are read by the call itself; everything else must survive what it changes.
  protect(nullptr);
  forget_monitors(nullptr);
  // So must an exception that was caught before: handlers find theirs in the same variable.
  if (!graph_.blocks[block_].handlers.empty()) protect(canonical(false, 0, Kind::Exception, ""));
  state_.called = true;
  Terminator call{.kind = TerminatorKind::Call, .name = name, .arguments = std::move(arguments)};
  call.where = here();
  Term value = nullptr;
  if (result.letter != 'V') {
    value = temporary(hint, as                  ? *as
                            : returns_exception ? context_.exception_type()
                                                : context_.type_of(result));
    call.result = value;
  }
  const BlockId site = current_, after = new_block();
  call.next = after;
  const State before = state_;
  for (const std::uint32_t h : graph_.blocks[block_].handlers) {
    const std::string& caught = code_->handlers[h].type;
    const std::string bound = caught.empty() ? "java/lang/Throwable" : caught;
    context_.declare_exception(bound);
    Handler handler{.exception = caught.empty() ? "*" : dotted(caught)};
    handler.target = new_block();
    const std::uint32_t target = graph_.handler_block[h];
    // The variable that the handler finds its exception in.
    handler.binder = canonical(false, 0, Kind::Exception, "");
    current_ = handler.target;
    enter_handler(
        h, {.kind = Kind::Exception, .term = handler.binder, .type = bound, .nonnull = true});
    static_cast<void>(target);
    state_ = before;
    call.handlers.push_back(std::move(handler));
    if (caught.empty() || caught == "java/lang/Throwable") break;
  }
  made_.blocks[site].end = std::move(call);
  current_ = after;
  state_ = before;
  if (!value) return;
  JavaValue slot =
      returns_exception
          ? JavaValue{.kind = Kind::Exception, .term = value, .type = result.name, .nonnull = true}
          : loaded(result, value);
  slot.opaque = opaque;
  push(std::move(slot));
}

void BodyCalls::call_own(const ClassFile& owner, const Method& method, int receiver,
                         std::vector<JavaValue>& arguments, std::optional<JavaValue>& object) {
  if (what_.method->name == "<init>" && what_.receiver == 0 && method.name != "<init>" &&
      (receiver == 0 ||
       std::ranges::any_of(arguments, [](const JavaValue& s) { return s.receiver == 0; })))
    context_.early_call(*what_.owner, state_.assigned);
  const auto signature = parse_signature(method.descriptor);
  if (!signature || signature->parameters.size() != arguments.size())
    return wrong("a call has a malformed descriptor");
  if (!iterators_.empty())
    context_.assume("own methods that are called while a collection is gone through do not change "
                    "it, or change how many elements it has");
  for (auto* list : {&state_.stack, &state_.locals})
    for (const JavaValue& slot : *list)
      if (slot.held && slot.held->of->reassigned) context_.leak(*slot.held->of);
  std::vector<Term> terms;
  if (receiver == by_reference) {
    const std::string constants = context_.enumeration_of(owner);
    if (context_.pool.is_throwable(owner.name))
      terms.push_back(converted(*object, Kind::Exception, owner.name).term);
    else if (constants.empty())
      terms.push_back(reference(*object));
    else
      terms.push_back(converted(*object, Kind::Enumeration, constants).term);
  }
  if (method.name == "<init>" && receiver == by_reference && context_.is_inner(owner) &&
      (arguments.empty() || arguments[0].receiver != 0))
    context_.again |= context_.discovered.other_outers.insert(owner.name).second;
  std::size_t first = 0;
  if (method.name == "<init>" && receiver >= 0) {
    if (const auto outer =
            context_.outer_parameter(static_cast<std::size_t>(receiver), owner, *signature)) {
      first = 1;
      if (arguments[0].receiver != static_cast<int>(*outer)) {
        context_.discovered.unflattened.insert(owner.name);
        context_.again = true;
      }
    }
  }
  for (std::size_t k = first; k < arguments.size(); ++k)
    terms.push_back(stored(signature->parameters[k], arguments[k]));
  if (!problem_.empty()) return;
  const std::string key = Context::procedure_key(owner, method, receiver);
  // What the client chooses of objects that he hands over is settled where own code made them.
  const bool made_here = std::ranges::any_of(arguments, [&](const JavaValue& value) {
    return value.kind == Kind::Reference && value.type != "null" &&
           (value.parameter < 0 || what_.kind == ProcedureKind::Internal);
  });
  const bool as_method = context_.is_method(key) && !made_here && caught_here().empty();
  if (const auto tests = context_.discovered.type_tests.find(key);
      tests != context_.discovered.type_tests.end() && !as_method)
    for (const auto& [index, type] : tests->second)
      terms.push_back(index < arguments.size() ? type_test(arguments[index], type)
                                               : arena_.falsehood());
  const bool apart = context_.is_method(key) && !as_method;
  const std::string name = context_.procedure(owner, method, receiver, apart);
  if (!as_method)
    for (std::size_t k = 0; k < arguments.size(); ++k)
      if (!arguments[k].foreign && arguments[k].type != "null" &&
          signature->parameters[k].is_reference())
        context_.mix(Context::place_of(key + (apart ? " apart" : ""), k));
  hand_on_caught(key + (apart ? " apart" : ""));
  note_unlocked(key + (apart ? " apart" : ""), receiver);
  emit_call(name, std::move(terms), signature->result,
            context_.returns_exception(owner, method) && !as_method, false, method.name);
}

void BodyCalls::call_opaque(const std::string& owner, const MemberRef& callee, const Method* method,
                            std::vector<JavaValue>& arguments, std::optional<JavaValue>& object,
                            bool writes_all) {
  const auto signature = parse_signature(callee.descriptor);
  run_callbacks(owner, callee.name, *signature, arguments, object);
  const bool hidden_writes = reaches_fields(owner);
  Context::Opaque what{.owner = owner,
                       .name = callee.name,
                       .descriptor = callee.descriptor,
                       .method = method,
                       .with_receiver = object.has_value(),
                       .writes_all = writes_all,
                       .brought = object && !object->homemade &&
                                  (object->parameter >= 0 || object->opaque ||
                                   object->receiver >= 0 || object->brought)};
  std::vector<Term> terms;
  if (object) {
    what.gets_component |= object->receiver >= 0;
    // Library code of an own object runs what its class overrides (`Thread.start`).
    what.may_run_code |= callee.name != "<init>" && !object->type.starts_with("java/") &&
                         may_run_code(*object, {'L', owner});
    terms.push_back(reference(*object));
  }
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    what.gets_component |= arguments[k].receiver >= 0;
    what.may_run_code |= may_run_code(arguments[k], signature->parameters[k]);
    // A library callee need not know which of its constants it is, but that it is there.
    if (arguments[k].constant) arguments[k] = this->object(arguments[k].type);
    at_once_ = runs_at_once(owner, callee.name);
    terms.push_back(stored(signature->parameters[k], arguments[k]));
    at_once_ = false;
  }
  if (!problem_.empty()) return;
  what.writes_all |= hidden_writes && what.gets_component;
  if (what.gets_component && method && method->is(access::is_native) && context_.is_own(owner)) {
    std::set<int> given;
    if (object) given.insert(object->receiver);
    for (const JavaValue& a : arguments) given.insert(a.receiver);
    for (const int receiver : given) {
      if (receiver < 0) continue;
      for (const Term field : context_.native_fields(static_cast<std::size_t>(receiver))) {
        protect(field);
        emit({.kind = StatementKind::Havoc, .target = field, .chooser = Chooser::Unknown});
      }
    }
  }
  const std::string name = context_.opaque(what, caught_here());
  emit_call(name, std::move(terms), signature->result, false, true,
            callee.name == "<init>" ? "made" : callee.name);
  // What a library makes of own objects is no more the client's than these.
  if (signature->result.letter != 'V' && !state_.stack.empty())
    (context_.brings(what) ? state_.stack.back().foreign : state_.stack.back().homemade) = true;
}

/// A constructor, or a static method that is taken for one, whose object goes into a field that
/// holds it.
bool BodyCalls::make_held(const MemberRef& callee, const Signature& signature,
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

/// A call on or with library objects that fields hold, by its contract. False when there is none:
/// then they are not followed from the next round on.
bool BodyCalls::call_library(const MemberRef& callee, const Signature& signature,
                             std::vector<JavaValue>& arguments, std::optional<JavaValue>& object) {
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
    run_given(arguments, *object->held, callee.name);
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

namespace {
/// Methods of collections that put nothing in of what they are handed.
bool brings_nothing(const std::string& method) {
  static const std::set<std::string> some = {
      "forEach",  "removeIf", "removeAll",   "retainAll",     "sort",   "remove",     "get",
      "contains", "indexOf",  "containsKey", "containsValue", "equals", "lastIndexOf"};
  return some.contains(method);
}
} // namespace

/// The arguments of a call by contract. False when it is not made.
bool BodyCalls::hand_to_library(const LibraryCall& call, std::vector<JavaValue>& arguments,
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
    const bool by_what_it_is =
        kept == call.parameters.end() || call.types[kept->second]->sort == arena_.ref_sort();
    if (object && object->held && !brings_nothing(call.callee.name) && by_what_it_is &&
        call.signature.parameters[k].is_reference() && !arguments[k].foreign &&
        arguments[k].type != "null")
      context_.mix(Context::place_of(*object->held->of));
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

/// Whether writing a value into a text neither fails nor runs own code, but for that which writes
/// down the elements of a collection and runs here.
bool BodyCalls::writes_plainly(const JavaValue& value, const JavaType& declared) {
  if (!declared.is_reference() || value.type == "null") return true;
  if (value.kind == Kind::Exception) return !writes_itself(value);
  if (value.held) {
    // It writes down what it holds.
    run_callbacks("java/lang/Object", "toString", {.parameters = {declared}, .result = {'V', ""}},
                  {{.kind = Kind::Reference, .type = "java/lang/Object"}}, std::nullopt);
    return true;
  }
  const std::string& type = value.type.empty() ? declared.name : value.type;
  if (value.kind == Kind::Enumeration)
    return context_.overriding(type, "toString", "()Ljava/lang/String;").empty();
  return value.kind == Kind::Reference && value.receiver < 0 &&
         (is_value_class(type) || type.starts_with("["));
}

/// A method of a view. False: the object is not followed from the next round on, unless it is no
/// view any more.
bool BodyCalls::call_view(const MemberRef& callee, const Signature& signature,
                          std::vector<JavaValue>& arguments, std::optional<JavaValue>& object) {
  using Part = HeldObject::Part;
  const HeldObject of = *object->held;
  const auto truth = [&](Term t) {
    push({.kind = Kind::Int,
          .term = arena_.ite(t, arena_.integer(1), arena_.integer(0)),
          .truth = true});
    return true;
  };
  const Term size = context_.held_fact(of, "size", of.owner);
  if (of.rest) return call_iterator(callee, of, size);
  if (object->type.starts_with("java/util/stream/")) return call_stream(callee, arguments, *object);
  const Term zero = arena_.integer(0);
  if (callee.name == "isEmpty") return truth(arena_.eq(size, zero));
  if (callee.name == "iterator" || callee.name == "stream") return make_view(callee, *object);
  if (callee.name == "size") {
    push(Kind::Int, size);
    return true;
  }
  if (callee.name == "contains" && of.part == Part::Keys) {
    JavaValue map = *object;
    map.held->view = false;
    std::optional<JavaValue> self = map;
    return call_library({of.of->type, "containsKey", callee.descriptor}, signature, arguments,
                        self);
  }
  if (callee.name == "contains" || callee.name == "removeIf") {
    run_callbacks("java/util/Collection", callee.name, signature, arguments, object);
    const Term some = havoc("some", {.sort = arena_.bool_sort()}, Chooser::Unknown);
    const Term there = temporary("there", {.sort = arena_.bool_sort()});
    assign(there, arena_.conj(some, arena_.gt(size, zero)));
    if (callee.name == "removeIf") {
      const Term left = havoc("left", {.sort = arena_.int_sort(), .low = 0}, Chooser::Unknown);
      const Term fewer = arena_.ite(arena_.lt(left, size), left, zero);
      const BlockId from = current_, gone = new_block(), kept = new_block();
      made_.blocks[from].end = {
          .kind = TerminatorKind::Branch, .value = there, .next = gone, .other = kept};
      current_ = gone;
      lose_elements(of, fewer);
      made_.blocks[current_].end = {.kind = TerminatorKind::Goto, .next = kept};
      current_ = kept;
    }
    return truth(there);
  }
  if (callee.name == "forEach") {
    run_callbacks("java/util/Collection", callee.name, signature, arguments, object);
    return true;
  }
  return false;
}

/// A use of a class that initialises it.
void BodyCalls::use_class(const std::string& type) {
  if (!context_.is_own(type) || !context_.follow_calls || dead_) return;
  if (context_.pool.is_subtype(what_.owner->name, type)) return; // has begun
  if (!context_.starts_lazily(type)) {
    if (context_.initialiser(type) && !context_.pool.find(type)->is(access::is_enum))
      context_.assume("class initialisers succeed");
    return;
  }
  emit_call(context_.first_use(type), {}, JavaType{'V', ""}, false, false, "first");
}

} // namespace tacit::java
