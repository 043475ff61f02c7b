#include <algorithm>

#include "base/should.h"
#include "frontend/java/context.h"
#include "frontend/java/instructions.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

/// Those of the exceptions that handlers tell apart which the callee may fail with.
std::set<std::string> Context::failures(const Opaque& callee, const std::set<std::string>& caught) {
  std::set<std::string> found;
  for (const std::string& type : caught) {
    const bool unchecked = pool.is_subtype(type, "java/lang/RuntimeException") ||
                           pool.is_subtype(type, "java/lang/Error");
    bool declared = false;
    if (callee.method)
      for (const std::string& t : callee.method->throws) declared |= pool.is_subtype(type, t);
    // What catches all exceptions but lets errors pass tells these two apart.
    if (type == "java/lang/RuntimeException" || type == "java/lang/Exception")
      found.insert("java/lang/Error");
    else if (unchecked || declared)
      found.insert(type);
  }
  return found;
}

std::string Context::opaque(const Opaque& callee, const std::set<std::string>& caught) {
  const std::set<std::string> also = failures(callee, caught);
  std::string key = callee.owner + " " + callee.name + callee.descriptor +
                    (callee.with_receiver ? "" : " static") + (callee.brought ? " brought" : "") +
                    (callee.fills ? " fills" : "");
  std::string places; // what tells calls on different library objects apart
  for (const auto& [parameter, held] : callee.held) {
    key += fmt::format(" {} {}", parameter, held_name(held));
    places += "@" + held_name(held);
  }
  for (const std::string& type : also) key += " " + type;
  const auto signature = parse_signature(callee.descriptor);
  should(signature.has_value(), "a callee's descriptor should have been checked");
  std::string& name = extern_names_[key];
  if (name.empty()) {
    std::string shown = callee.name == "<init>" ? "new" : callee.name;
    name = free_name(procedure_names_,
                     class_label(callee.owner) + "." + shown + signature->simple() + places);
    procedure_names_.insert(name);
    Procedure made;
    made.name = name;
    made.kind = ProcedureKind::Extern;
    if (!brings(callee)) made.origin = Origin::Unknown;
    made.shown = unpackaged(callee.owner) + "." + shown + signature->simple();
    if (made.shown == name) made.shown.clear();
    if (const auto self = callee.held.find(0); self != callee.held.end() && callee.with_receiver)
      made.object = held_name(self->second);
    if (callee.with_receiver)
      made.parameters.push_back(
          {arena.var("object", arena.ref_sort()), {.sort = arena.ref_sort()}});
    for (std::size_t i = 0; i < signature->parameters.size(); ++i) {
      const auto typed = callee.typed.find(i);
      const Type type =
          typed == callee.typed.end() ? type_of(signature->parameters[i]) : typed->second;
      made.parameters.push_back({arena.var(fmt::format("a{}", i + 1), type.sort), type});
    }
    if (signature->result.letter != 'V') made.returns = type_of(signature->result);
    if (callee.returns) made.returns = callee.returns;
    if (callee.name == "<init>") made.returns.reset();
    made.throws.push_back("java.lang.RuntimeException");
    declare_exception("java/lang/RuntimeException");
    if (callee.method) {
      for (const std::string& type : callee.method->throws) {
        declare_exception(type);
        if (std::ranges::find(made.throws, dotted(type)) == made.throws.end())
          made.throws.push_back(dotted(type));
      }
    } else {
      declare_exception("java/lang/Exception");
      made.throws.emplace_back("java.lang.Exception");
    }
    for (const std::string& type : also) {
      declare_exception(type);
      if (std::ranges::find(made.throws, dotted(type)) == made.throws.end())
        made.throws.push_back(dotted(type));
    }
    module.procedures.push_back(std::move(made));
    externs_[name] = callee;
  }
  Opaque& entry = externs_[name];
  entry.gets_component |= callee.gets_component;
  entry.may_run_code |= callee.may_run_code;
  entry.writes_all |= callee.writes_all;
  return name;
}

bool Context::brings(const Opaque& callee) {
  const ClassFile* owner = pool.find(callee.owner);
  const bool from_library = callee.owner.starts_with("java/") || callee.owner.starts_with("javax/");
  const bool native = callee.method && callee.method->is(access::is_native);
  if (is_outside(callee.owner)) return true;
  if (from_library && callee.with_receiver && !callee.brought &&
      !(native && callee.owner != "java/lang/Object"))
    return false;
  return (owner && owner->is(access::is_interface)) ||
         (callee.method && callee.method->is(access::is_abstract | access::is_native));
}

} // namespace tacit::java
