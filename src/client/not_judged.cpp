#include "client/not_judged.h"

#include <algorithm>
#include <cctype>

#include "frontend/java/descriptor.h"
#include "frontend/java/instructions.h"

namespace tacit {

namespace {

using java::ClassFile;
using java::ClassPool;
using java::JavaType;
using java::MemberRef;
using java::Method;

enum : std::uint8_t { invoke_virtual = 182, invoke_interface = 185, invoke_dynamic = 186 };

bool is_in_jdk(const std::string& name) {
  return name.starts_with("java/") || name.starts_with("javax/") || name.starts_with("jdk/");
}

/// The outermost class and all that is nested in it, without the component.
std::vector<const ClassFile*> nest_of(ClassPool& pool, const std::string& outermost,
                                      const JavaComponent& component) {
  std::vector<const ClassFile*> found;
  std::set<std::string> seen{outermost, component.name};
  if (const ClassFile* file = pool.find(outermost)) found.push_back(file);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const ClassFile& around = *found[i];
    for (const auto* names : {&around.inner, &around.nest})
      for (const std::string& name : *names)
        if (name.starts_with(outermost + "$") && !name.starts_with(component.name + "$") &&
            seen.insert(name).second)
          if (const ClassFile* file = pool.find(name)) found.push_back(file);
  }
  return found;
}

/// Classes without a name that others could say: `Outer$1`, `Outer$1Local`.
bool is_local(const ClassFile& file) {
  const auto mark = file.name.rfind('$');
  return mark != std::string::npos && mark + 1 < file.name.size() &&
         std::isdigit(static_cast<unsigned char>(file.name[mark + 1]));
}

/// Whether code may call the component, itself or by other code of the nest.
class Uses {
public:
  Uses(ClassPool& pool, const JavaComponent& component, const std::vector<const ClassFile*>& nest)
      : pool_(pool), component_(component), nest_(nest) {}

  bool by(const ClassFile& file, const Method& method) {
    work_ = {{&file, &method}};
    seen_ = {&method};
    while (!work_.empty()) {
      const auto [owner, one] = work_.back();
      work_.pop_back();
      if (!one->code) continue;
      const auto graph = java::decode(*one->code, owner->name);
      if (!graph) return true;
      for (const java::Instruction& i : graph->instructions)
        if (uses(*owner, i)) return true;
    }
    return false;
  }

private:
  bool uses(const ClassFile& file, const java::Instruction& i) {
    const auto operand = static_cast<unsigned>(i.operand);
    if (i.op >= invoke_virtual && i.op <= invoke_interface) {
      const auto target = file.member_at(operand);
      return !target || calls(*target);
    }
    if (i.op != invoke_dynamic) return false;
    const auto site = file.dynamic_at(operand);
    if (!site || !site->bootstrap) return true;
    return std::ranges::any_of(site->bootstrap->arguments, [&](std::uint16_t argument) {
      if (argument >= file.pool.size() ||
          file.pool[argument].tag != java::ConstantTag::MethodHandle)
        return false;
      const auto target = file.member_at(file.pool[argument].second);
      return !target || calls(*target);
    });
  }

  bool calls(const MemberRef& target) {
    if (target.name == "<init>") {
      if (pool_.is_subtype(target.owner, component_.name) && !component_.made_anyhow) return true;
    } else if (component_.calls.contains(target.name) &&
               (pool_.is_subtype(component_.name, target.owner) ||
                pool_.is_subtype(target.owner, component_.name))) {
      return true;
    }
    // Whichever override it is.
    for (const ClassFile* one : nest_)
      if (pool_.is_subtype(one->name, target.owner) || pool_.is_subtype(target.owner, one->name))
        if (const Method* method = one->find_method(target.name, target.descriptor);
            method && seen_.insert(method).second)
          work_.emplace_back(one, method);
    return false;
  }

  ClassPool& pool_;
  const JavaComponent& component_;
  const std::vector<const ClassFile*>& nest_;
  std::vector<std::pair<const ClassFile*, const Method*>> work_;
  std::set<const Method*> seen_;
};

Location place_of(const ClassFile& file, const Method& method) {
  Location where{file.source.empty() ? java::unpackaged(file.name) + ".class" : file.source, 0, 0};
  if (method.code)
    for (const java::LineEntry& line : method.code->lines)
      if (where.line == 0 || line.line < where.line) where.line = line.line;
  return where;
}

bool mentions(const ClassFile& file, const std::string& name) {
  for (unsigned i = 0; i < file.pool.size(); ++i)
    if (file.class_at(i) == name) return true;
  return false;
}

} // namespace

bool nest_mentions(ClassPool& pool, const std::string& name, const JavaComponent& component) {
  return std::ranges::any_of(nest_of(pool, name, component), [&](const ClassFile* file) {
    return mentions(*file, component.name);
  });
}

std::vector<FunctionVerdict> not_judged(ClassPool& pool, const std::string& name,
                                        const JavaComponent& component) {
  const std::vector<const ClassFile*> nest = nest_of(pool, name, component);
  Uses uses(pool, component, nest);
  std::vector<FunctionVerdict> found;
  for (const ClassFile* file : nest) {
    const bool outermost = file->name == name && !file->is(java::access::is_interface);
    for (const Method& method : file->methods) {
      const bool first = method.name == "<clinit>";
      if (!method.code || (outermost && !first) ||
          (!first && method.is(java::access::is_private | java::access::is_synthetic |
                               java::access::is_bridge)) ||
          // Those who make objects of local classes are part of the nest.
          (method.name == "<init>" && is_local(*file)) || !uses.by(*file, method))
        continue;
      const auto signature = java::parse_signature(method.descriptor);
      std::string shown = java::unpackaged(file->name) + "." + method.name;
      if (!first && signature) shown += signature->simple();
      const char* what = first                                  ? "static initialisers"
                         : file->is(java::access::is_interface) ? "methods of interfaces"
                         : method.name == "<init>"              ? "constructors of nested classes"
                                                                : "methods of nested classes";
      found.push_back(
          {.function = shown,
           .where = place_of(*file, method),
           .reason = fmt::format("{} are not looked at but where others run them", what)});
    }
  }
  return found;
}

bool has_open_fields(ClassPool& pool, const std::string& name, const JavaComponent& component) {
  std::vector<const ClassFile*> nest = nest_of(pool, name, component);
  const auto leads = [&](const JavaType& type) {
    if (type.letter == '[') return type.name.find('L') != std::string::npos;
    if (type.letter != 'L') return false;
    if (type.name == "java/lang/Object" || pool.is_subtype(component.name, type.name) ||
        pool.is_subtype(type.name, component.name))
      return true;
    if (is_in_jdk(type.name))
      return type.name.starts_with("java/util/") || type.name.starts_with("java/lang/ref/") ||
             type.name == "java/lang/Iterable" || type.name == "java/lang/ThreadLocal";
    const ClassFile* file = pool.find(type.name);
    return !file || !file->is(java::access::is_enum);
  };
  std::vector<const ClassFile*> all;
  for (const ClassFile* file : nest) {
    if (is_local(*file)) continue;
    const auto chain = pool.ancestry(*file);
    if (!chain) return true;
    all.insert(all.end(), chain->begin(), chain->end());
  }
  return std::ranges::any_of(all, [&](const ClassFile* file) {
    return !is_in_jdk(file->name) && std::ranges::any_of(file->fields, [&](const java::Field& f) {
      const auto type = java::parse_type(f.descriptor);
      return (f.flags & (java::access::is_private | java::access::is_synthetic |
                         java::access::is_enum)) == 0 &&
             (!type || leads(*type));
    });
  });
}

} // namespace tacit
