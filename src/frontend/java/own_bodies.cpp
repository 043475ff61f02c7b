// Which bodies of own code a call may run: through a type, as a function, or from within a library.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/instructions.h"
#include "frontend/java/procedures.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

namespace {
constexpr unsigned get_static = 0xb2, put_static = 0xb3, get_field = 0xb4, put_field = 0xb5,
                   throws = 0xbf, dynamic_call = 0xba, first_call = 0xb6, static_call = 0xb8,
                   last_call = 0xb9, make_object = 0xbb, load_first = 0x2a;

/// Library callees that run nobody's code.
bool runs_nothing(const MemberRef& callee) {
  if (callee.name == "<init>")
    return callee.owner == "java/lang/Object" || callee.owner == "java/lang/Record" ||
           callee.owner == "java/lang/Enum";
  static const std::set<std::string> values = {
      "java/lang/String", "java/lang/Integer", "java/lang/Long",  "java/lang/Boolean",
      "java/lang/Byte",   "java/lang/Short",   "java/lang/Float", "java/lang/Character",
      "java/lang/Double", "java/lang/Math"};
  const auto signature = parse_signature(callee.descriptor);
  return values.contains(callee.owner) && signature &&
         std::ranges::none_of(signature->parameters, [](const JavaType& type) {
           return type.is_reference() && type.name != "java/lang/String";
         });
}

/// Whether an instruction may throw one of these by itself; `on_this`: its object is the receiver.
bool may_throw(const Instruction& i, bool on_this, const std::set<std::string>& counting) {
  if (counting.empty()) return false;
  const auto counts = [&](const char* name) { return counting.contains(name); };
  const bool load = i.op >= 0x2e && i.op <= 0x35, store = i.op >= 0x4f && i.op <= 0x56;
  const bool divides = i.op == 0x6c || i.op == 0x6d || i.op == 0x70 || i.op == 0x71;
  const bool makes_array = i.op == 0xbc || i.op == 0xbd || i.op == 0xc5;
  const bool calls = i.op == first_call || i.op == last_call;
  const bool of_object = (i.op == get_field && !on_this) || calls || i.op == 0xbe || i.op == 0xc2;
  return ((load || store || of_object) && counts("java/lang/NullPointerException")) ||
         ((load || store) && counts("java/lang/ArrayIndexOutOfBoundsException")) ||
         (store && counts("java/lang/ArrayStoreException")) ||
         (divides && counts("java/lang/ArithmeticException")) ||
         (makes_array && counts("java/lang/NegativeArraySizeException")) ||
         (i.op == 0xc0 && counts("java/lang/ClassCastException"));
}
} // namespace

std::string Procedures::procedure_key(const ClassFile& owner, const Method& method, int receiver) {
  return fmt::format("{} {}{} {}", owner.name, method.name, method.descriptor, receiver);
}

std::string Procedures::procedure(const ClassFile& owner, const Method& method, int receiver,
                                  bool apart) {
  const std::string key = procedure_key(owner, method, receiver) + (apart ? " apart" : "");
  if (const auto known = procedures_.find(key); known != procedures_.end()) return known->second;
  const auto signature = parse_signature(method.descriptor);
  std::string spelled = method.name;
  std::size_t overloads = 0;
  for (const Method& m : owner.methods) overloads += m.name == method.name;
  if (overloads > 1 && signature) spelled += signature->simple();
  std::string wanted = class_label(owner.name) + "." + spelled;
  const std::string name = free_name(procedure_names_, wanted);
  procedure_names_.insert(name);
  procedures_[key] = name;
  work_.push_back(
      {&owner, &method, receiver, ProcedureKind::Internal, name, spelled, nullptr, key});
  return name;
}

void Procedures::add_root(Body body) {
  body.key = procedure_key(*body.owner, *body.method, body.receiver);
  if (body.kind == ProcedureKind::Method) {
    // Calls on the receiver mean the method itself.
    procedures_[procedure_key(*body.owner, *body.method, body.receiver)] = body.name;
    methods_.insert(procedure_key(*body.owner, *body.method, body.receiver));
    procedure_names_.insert(body.name);
  }
  work_.push_back(std::move(body));
}

bool Procedures::next_body(Body& body) {
  if (done_ == work_.size()) return false;
  body = work_[done_++];
  return true;
}

Procedures::OwnBodies Procedures::bodies_below(const std::string& type, const std::string& name,
                                               const std::string& descriptor) {
  const std::size_t stamp = known_functions() + receivers_.size();
  if (bodies_stamp_ != stamp) bodies_.clear();
  bodies_stamp_ = stamp;
  OwnBodies& known = bodies_[type + " " + name + descriptor];
  if (!known)
    known = std::make_shared<const std::vector<OwnBody>>(find_bodies(type, name, descriptor));
  return known;
}

std::vector<Procedures::OwnBody> Procedures::find_bodies(const std::string& type,
                                                         const std::string& name,
                                                         const std::string& descriptor) {
  std::vector<OwnBody> bodies;
  const auto signature = parse_signature(descriptor);
  const std::size_t arity = signature ? signature->parameters.size() : 0;
  for (const auto& [interface, functions] : discovered.functions) {
    if (!pool.is_subtype(interface, type)) continue;
    for (const Discoveries::Function& f : functions) {
      if (f.method != name || f.arity != arity) continue;
      const ClassFile* file = is_own(f.owner) ? pool.find(f.owner) : nullptr;
      const auto found =
          file ? pool.find_method(f.owner, f.name, f.descriptor) : ClassPool::Found{};
      const bool own = found.method && is_own(found.owner->name);
      bodies.push_back({own ? found.owner : nullptr, own ? found.method : nullptr, f.receiver,
                        std::set<std::string>{}, &f});
    }
  }
  for (const std::string& one : own_) {
    const ClassFile* file = pool.is_subtype(one, type) ? pool.find(one) : nullptr;
    if (!file || file->is(access::is_interface)) continue;
    const bool receiver =
        std::ranges::any_of(receivers_, [&](const Receiver& r) { return r.type == file; });
    if (file->is(access::is_abstract) && !receiver) continue;
    const auto found = pool.find_method(one, name, descriptor);
    if (!found.method || !found.method->code || found.method->is(access::is_static) ||
        !is_own(found.owner->name))
      continue;
    const auto known = std::ranges::find_if(
        bodies, [&](const OwnBody& b) { return !b.function && b.method == found.method; });
    if (known != bodies.end())
      known->classes.insert(one);
    else
      bodies.push_back({found.owner, found.method, by_reference, {one}, nullptr});
  }
  return bodies;
}

const std::vector<Procedures::OwnBody>& Procedures::library_callbacks(const std::string& type) {
  const std::size_t stamp = discovered.made.size() + receivers_.size() + known_functions();
  if (callbacks_stamp_ != stamp) callbacks_.clear();
  callbacks_stamp_ = stamp;
  const auto known = callbacks_.find(type);
  return known != callbacks_.end() ? known->second : callbacks_[type] = find_callbacks(type);
}

std::vector<Procedures::OwnBody> Procedures::find_callbacks(const std::string& type) {
  static const std::vector<std::pair<std::string, std::string>> anywhere = {
      {"equals", "(Ljava/lang/Object;)Z"},
      {"hashCode", "()I"},
      {"toString", "()Ljava/lang/String;"},
      {"compareTo", "(Ljava/lang/Object;)I"},
      {"compare", "(Ljava/lang/Object;Ljava/lang/Object;)I"}};
  std::vector<OwnBody> found;
  auto add = [&](const std::string& through, const std::string& name,
                 const std::string& descriptor) {
    const OwnBodies bodies = bodies_below(through, name, descriptor);
    for (const OwnBody& body : *bodies) {
      if (!body.function &&
          std::ranges::none_of(body.classes, [&](const std::string& one) { return is_made(one); }))
        continue;
      const bool own = std::ranges::any_of(
          receivers_, [&](const Receiver& r) { return body.classes.contains(r.type->name); });
      // An exception that a function makes is there to be thrown.
      const bool matters =
          body.method && (acts(*body.owner, *body.method) ||
                          (body.function && may_fail(*body.owner, *body.method)) ||
                          (body.function &&
                           (body.function->makes || returns_exception(*body.owner, *body.method))));
      const bool known = std::ranges::any_of(found, [&](const OwnBody& other) {
        return other.method == body.method && other.function == body.function;
      });
      if (!own && matters && !known) found.push_back(body);
    }
  };
  const std::string through = type.empty() ? "java/lang/Object" : type;
  for (const auto& [name, descriptor] : anywhere) add(through, name, descriptor);
  if (through == "java/lang/Object") return found;
  std::vector<std::string> types{through};
  for (std::size_t i = 0; i < types.size(); ++i) {
    const ClassFile* file = pool.find(types[i]);
    if (!file || file->name == "java/lang/Object") continue;
    if (!is_own(file->name))
      for (const Method& m : file->methods)
        if (!m.is(access::is_static | access::is_private | access::is_final) && m.name[0] != '<')
          add(through, m.name, m.descriptor);
    for (const std::string& above : file->interfaces)
      if (std::ranges::find(types, above) == types.end()) types.push_back(above);
    if (!file->super.empty() && std::ranges::find(types, file->super) == types.end())
      types.push_back(file->super);
  }
  return found;
}

std::string Procedures::dispatcher_key(const ClassFile& owner, const Method& method,
                                       const ClassFile& seen_as) {
  return procedure_key(owner, method, not_followed) + " as " + seen_as.name;
}

std::string Procedures::dispatcher(const ClassPool::Found& named, const ClassFile& seen_as) {
  const std::string key = dispatcher_key(*named.owner, *named.method, seen_as);
  const auto signature = parse_signature(named.method->descriptor);
  const auto [name, is_new] =
      made_procedure(key, class_label(seen_as.name) + "." + named.method->name);
  if (is_new)
    work_.push_back({.owner = named.owner,
                     .method = named.method,
                     .receiver = not_followed,
                     .kind = ProcedureKind::Internal,
                     .name = name,
                     .shown = named.method->name,
                     .seen_as = &seen_as,
                     .key = key});
  return name;
}

std::pair<std::string, bool> Procedures::made_procedure(const std::string& key,
                                                        const std::string& wanted) {
  if (const auto known = procedures_.find(key); known != procedures_.end())
    return {known->second, false};
  const std::string name = free_name(procedure_names_, wanted);
  procedure_names_.insert(name);
  procedures_[key] = name;
  return {name, true};
}

std::size_t Procedures::known_functions() const {
  std::size_t known = 0;
  for (const auto& [interface, functions] : discovered.functions) known += functions.size();
  return known;
}

bool Procedures::acts(const ClassFile& file, const Method& method) {
  if (acts_stamp_ != known_functions() + 1) {
    acts_.clear();
    acts_stamp_ = known_functions() + 1;
    callbacks_act_ = false;
    callbacks_act_ = some_callback_acts();
  }
  if (const auto known = acts_.find(&method); known != acts_.end()) return known->second;
  std::set<const Method*> seen;
  const bool found = acts(file, method, seen);
  // Where nothing was found, all that it calls was looked through.
  if (!found)
    for (const Method* one : seen) acts_[one] = false;
  return acts_[&method] = found;
}

/// Whether own code acts that libraries can run, on objects of whatever own class: then all code
/// that calls libraries may. Found without that: where no such code acts by itself, none does.
bool Procedures::some_callback_acts() {
  std::set<const Method*> seen;
  for (const auto& [interface, functions] : discovered.functions)
    for (const Discoveries::Function& f : functions) {
      const auto found =
          is_own(f.owner) ? pool.find_method(f.owner, f.name, f.descriptor) : ClassPool::Found{};
      if (found.method && is_own(found.owner->name) && acts(*found.owner, *found.method, seen))
        return true;
    }
  for (const std::string& name : own_) {
    const ClassFile* file = pool.find(name);
    const bool receiver =
        std::ranges::any_of(receivers_, [&](const Receiver& r) { return r.type == file; });
    if (!file || receiver || file->is(access::is_interface)) continue;
    std::vector<const ClassFile*> libraries;
    for (const std::string& above : pool.ancestors(name))
      if (const ClassFile* one = is_own(above) ? nullptr : pool.find(above))
        libraries.push_back(one);
    for (const Method& m : file->methods) {
      if (m.name[0] == '<' || m.is(access::is_static | access::is_private)) continue;
      const bool overrides = std::ranges::any_of(libraries, [&](const ClassFile* one) {
        return one->find_method(m.name, m.descriptor) != nullptr;
      });
      if (overrides && acts(*file, m, seen)) return true;
    }
  }
  return false;
}

/// What is kept about library objects changes without an instruction of own code that says so.
bool Procedures::touches_held(const ClassFile& file, unsigned index) {
  const auto target = file.member_at(index);
  const auto found =
      target ? pool.find_field(target->owner, target->name) : ClassPool::FoundField{};
  return found.field && held_field(*found.field);
}

/// What own code calls counts with it, and what functions do that it makes; so do class
/// initialisers that it may set off.
bool Procedures::acts(const ClassFile& file, const Method& method, std::set<const Method*>& seen) {
  if (const auto known = acts_.find(&method); known != acts_.end()) return known->second;
  if (!method.code || !seen.insert(&method).second) return false;
  const auto graph = decode(*method.code, source_of(file));
  if (!graph) return true;
  return std::ranges::any_of(graph->instructions, [&](const Instruction& i) {
    const auto index = static_cast<unsigned>(i.operand);
    if (i.op == put_static || i.op == put_field || i.op == throws) return true;
    const bool on_this = &i != graph->instructions.data() && (&i - 1)->op == load_first &&
                         !method.is(access::is_static);
    if (may_throw(i, on_this, discovered.implicit)) return true;
    if (i.op == get_field && touches_held(file, index)) return true;
    if (i.op == dynamic_call) return dynamic_acts(file, index, seen);
    if (i.op == make_object) {
      const auto made = file.class_at(index);
      return !made || (is_own(*made) && starts_lazily(*made));
    }
    const bool call = i.op >= first_call && i.op <= last_call;
    if (!call && i.op != get_static) return false;
    const auto member = file.member_at(index);
    if (!member) return true;
    const bool is_static = i.op == get_static || i.op == static_call;
    if (is_static && is_own(member->owner) && starts_lazily(member->owner)) return true;
    return call && call_acts(*member, i.op == first_call || i.op == last_call, seen);
  });
}

/// Concatenating strings runs what writes objects down, other dynamic calls anything but functions.
bool Procedures::dynamic_acts(const ClassFile& file, unsigned index,
                              std::set<const Method*>& seen) {
  const auto site = file.dynamic_at(index);
  const std::string maker = site && site->bootstrap ? site->bootstrap->method.owner : "";
  if (maker == "java/lang/runtime/ObjectMethods" && is_plain_record(file)) return false;
  if (maker == "java/lang/invoke/StringConcatFactory" || maker == "java/lang/runtime/ObjectMethods")
    return callbacks_act_;
  if (maker != "java/lang/invoke/LambdaMetafactory") return true;
  return std::ranges::any_of(site->bootstrap->arguments, [&](std::uint16_t argument) {
    if (argument >= file.pool.size()) return true;
    const Constant& c = file.pool[argument];
    if (c.tag != ConstantTag::MethodHandle) return false;
    const auto target = file.member_at(c.second);
    return !target || call_acts(*target, true, seen);
  });
}

bool Procedures::call_acts(const MemberRef& callee, bool is_virtual,
                           std::set<const Method*>& seen) {
  const auto found = pool.find_method(callee.owner, callee.name, callee.descriptor);
  const bool own = found.method && is_own(found.owner->name);
  if (is_own(callee.owner) && !found.method) return true;
  if (own && found.method->code && acts(*found.owner, *found.method, seen)) return true;
  const OwnBodies bodies =
      is_virtual ? bodies_below(callee.owner, callee.name, callee.descriptor) : nullptr;
  if (bodies && std::ranges::any_of(*bodies, [&](const OwnBody& body) {
        return body.method && acts(*body.owner, *body.method, seen);
      }))
    return true;
  if (own && !found.method->code) return !bodies || bodies->empty() || callbacks_act_;
  return !own && callbacks_act_ && !runs_nothing(callee);
}

bool Procedures::others_implement(const std::string& type) {
  static const std::set<std::string> some = {
      "java/lang/Runnable",           "java/lang/AutoCloseable", "java/io/Closeable",
      "java/lang/Appendable",         "java/util/Comparator",    "java/util/EventListener",
      "java/util/concurrent/Callable"};
  return some.contains(type) || type.starts_with("java/util/function/") ||
         !(type.starts_with("java/") || type.starts_with("javax/") || type.starts_with("jdk/"));
}
bool Procedures::may_fail(const ClassFile& file, const Method& method) {
  std::set<const Method*> seen;
  return may_fail(file, method, seen);
}

bool Procedures::may_fail(const ClassFile& file, const Method& method,
                          std::set<const Method*>& seen) {
  if (!seen.insert(&method).second) return false;
  if (!method.code) return true;
  const auto graph = decode(*method.code, source_of(file));
  if (!graph) return true;
  return std::ranges::any_of(graph->instructions, [&](const Instruction& i) {
    if (i.op < first_call || i.op > last_call) return false;
    const auto callee = file.member_at(static_cast<unsigned>(i.operand));
    if (!callee) return true;
    const auto found = pool.find_method(callee->owner, callee->name, callee->descriptor);
    if (found.method && is_own(found.owner->name))
      return may_fail(*found.owner, *found.method, seen);
    return others_implement(callee->owner);
  });
}

std::vector<std::pair<const ClassFile*, const Method*>>
Procedures::overriding(const std::string& type, const std::string& method,
                       const std::string& descriptor) {
  std::vector<std::pair<const ClassFile*, const Method*>> all;
  for (const std::string& name : own_) {
    const bool part = std::ranges::any_of(receivers_, [&](const Receiver& r) {
      return std::ranges::any_of(r.chain, [&](const ClassFile* c) { return c->name == name; });
    });
    const ClassFile* file = part || !pool.is_subtype(name, type) ? nullptr : pool.find(name);
    const Method* found = file ? file->find_method(method, descriptor) : nullptr;
    if (found && found->code && !found->is(access::is_static)) all.emplace_back(file, found);
  }
  return all;
}

void Procedures::early_call(const ClassFile& owner, const std::set<std::string>& assigned) {
  for (const ClassFile* one : receivers_[0].chain) {
    for (const Field& field : one->fields) {
      if (!(field.flags & access::is_final) && !held_field(field)) continue;
      if (field.flags & access::is_static) continue;
      if (one == &owner && assigned.contains(field.name)) continue;
      if (discovered.nullable.insert(one->name + " " + field.name).second) again = true;
    }
    if (one == &owner) return; // what is above has been constructed
  }
}

} // namespace tacit::java
