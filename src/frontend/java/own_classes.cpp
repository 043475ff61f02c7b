// Which classes are own code, which objects are around the component, and what their files say.
#include <algorithm>

#include "base/should.h"
#include "frontend/java/contracts.h"
#include "frontend/java/instructions.h"
#include "frontend/java/own_classes.h"
#include "program/contracts/instantiate.h"
#include "program/ir/defaults.h"
#include "program/ir/names.h"

namespace tacit::java {

namespace {
std::string outermost(const std::string& name) {
  const std::size_t slash = name.rfind('/');
  const std::size_t dollar = name.find('$', slash == std::string::npos ? 1 : slash + 2);
  return name.substr(0, dollar);
}

constexpr std::string_view object_class = "java/lang/Object";

bool is_outer_link(const Field& field) {
  constexpr unsigned wanted = access::is_synthetic | access::is_final;
  return field.name.starts_with("this$") && (field.flags & wanted) == wanted;
}

/// The number that an instruction pushes.
std::optional<Integer> pushed_number(const ClassFile& file, const Instruction& one) {
  if (one.op >= 2 && one.op <= 8) return static_cast<int>(one.op) - 3;  // iconst
  if (one.op == 9 || one.op == 10) return static_cast<int>(one.op) - 9; // lconst
  if (one.op == 0x10 || one.op == 0x11) return one.operand;             // bipush, sipush
  if (one.op < 0x12 || one.op > 0x14) return std::nullopt;              // ldc
  const auto index = static_cast<std::size_t>(one.operand);
  if (index >= file.pool.size()) return std::nullopt;
  const Constant& c = file.pool[index];
  if (c.tag == ConstantTag::Integer) return static_cast<std::int32_t>(c.bits);
  if (c.tag == ConstantTag::Long) return static_cast<std::int64_t>(c.bits);
  return std::nullopt;
}

/// The local that an instruction loads; -1 for others.
int loaded_local(const Instruction& one) {
  if (one.op >= 0x15 && one.op <= 0x19) return one.operand;
  return one.op >= 0x1a && one.op <= 0x2d ? (one.op - 0x1a) % 4 : -1;
}

/// Which parameter of a constructor, the name and number of a constant counted, a field is set to
/// whatever happens; no value when that cannot be told.
std::optional<std::size_t> parameter_stored(const ClassFile& owner, const Method& method,
                                            const Field& field) {
  const auto signature = parse_signature(method.descriptor);
  if (!signature || !method.code) return std::nullopt;
  const auto graph = decode(*method.code, owner.name);
  if (!graph || graph->blocks.size() != 1) return std::nullopt;
  std::optional<std::size_t> found;
  for (std::size_t i = 1; i < graph->instructions.size(); ++i) {
    if (graph->instructions[i].op != 0xb5) continue;
    const auto target = owner.member_at(static_cast<unsigned>(graph->instructions[i].operand));
    if (!target || target->name != field.name || target->owner != owner.name) continue;
    const int local = loaded_local(graph->instructions[i - 1]);
    int at = 1;
    for (std::size_t p = 0; p < signature->parameters.size(); ++p) {
      if (at == local && !found) found = p;
      at += signature->parameters[p].is_wide() ? 2 : 1;
    }
    if (!found) return std::nullopt;
  }
  return found;
}

/// A method of a record that only asks ObjectMethods.
bool made_by_compiler(const ClassFile& file, const Method& method) {
  const auto graph =
      method.code ? decode(*method.code, "") : Result<CodeGraph>{std::unexpected(Diagnostic{})};
  if (!graph) return false;
  return std::ranges::any_of(graph->instructions, [&](const Instruction& i) {
    const auto site =
        i.op == 0xba ? file.dynamic_at(static_cast<unsigned>(i.operand)) : std::nullopt;
    return site && site->bootstrap &&
           site->bootstrap->method.owner == "java/lang/runtime/ObjectMethods";
  });
}
} // namespace

OwnClasses::OwnClasses(ClassPool& classes, const ClassFile& type, const LowerOptions& how,
                       const Discoveries& known, const Contracts* contracts)
    : pool(classes), arena(*module.arena), options(how), discovered(known), library(contracts),
      type_(type) {
  module.name = unpackaged(type.name);
  module.set_language("java");
  Receiver self{&type, {}, "", "this"};
  if (auto chain = pool.ancestry(type))
    self.chain = *chain;
  else
    self.chain = {&type};
  receivers_.push_back(std::move(self));
  for (const std::string& name : discovered.exceptions) {
    const ClassFile* file = pool.find(name);
    std::string parent = file ? file->super : "java/lang/Throwable";
    if (name == "java/lang/Throwable" || !discovered.exceptions.contains(parent)) parent.clear();
    module.exceptions.push_back({dotted(name), dotted(parent), {}});
  }
  EnumDecl decl{"exception", {}};
  for (std::size_t i = 0; i < module.exceptions.size(); ++i)
    decl.values.push_back({module.exceptions[i].name, static_cast<Integer>(i)});
  if (!decl.values.empty()) module.exception_sort = arena.enum_sort(std::move(decl));
  find_own();
  reserve_names();
}

void OwnClasses::find_own() {
  std::set<std::string> enclosing{type_.name};
  for (std::string at = type_.name; at.find('$') != std::string::npos;) {
    at = at.substr(0, at.rfind('$'));
    enclosing.insert(at);
  }
  const std::string host = type_.nest_host.empty() ? outermost(type_.name) : type_.nest_host;
  std::vector<std::string> nest{host};
  if (const ClassFile* file = pool.find(host)) {
    nest.insert(nest.end(), file->nest.begin(), file->nest.end());
    for (const std::string& inner : file->inner)
      if (outermost(inner) == host) nest.push_back(inner);
  }
  own_.insert(nest.begin(), nest.end());
  for (const std::string& name : enclosing)
    if (const ClassFile* file = pool.find(name))
      if (auto chain = pool.ancestry(*file))
        for (const ClassFile* one : *chain) own_.insert(one->name);
  own_.insert(type_.name);
  add_package();
  own_.erase(std::string(object_class));
}

/// Classes of the package that nobody outside can name, as far as own code mentions them.
void OwnClasses::add_package() {
  const auto package = [](const std::string& name) { return name.substr(0, name.rfind('/') + 1); };
  const std::string mine = type_.name.find('/') == std::string::npos ? "" : package(type_.name);
  std::vector<std::string> work(own_.begin(), own_.end());
  for (std::size_t i = 0; i < work.size(); ++i) {
    const ClassFile* file = pool.find(work[i]);
    for (unsigned k = 0; file && k < file->pool.size(); ++k) {
      const auto name = file->class_at(k);
      if (!name || name->empty() || (*name)[0] == '[' || own_.contains(*name)) continue;
      const std::string there = name->find('/') == std::string::npos ? "" : package(*name);
      if (there != mine) continue;
      const ClassFile* outer = pool.find(outermost(*name));
      if (!outer || outer->is(access::is_public) || is_outside(*name)) continue;
      own_.insert(*name);
      work.push_back(*name);
    }
  }
}

bool OwnClasses::named_own(const std::string& name) const {
  return std::ranges::any_of(options.own, [&](const std::string& pattern) {
    return matches_wildcard(pattern, dotted(name)) || matches_wildcard(pattern, unpackaged(name));
  });
}

bool OwnClasses::is_own(const std::string& name) const {
  return own_.contains(name) || named_own(name);
}

bool OwnClasses::is_outside(const std::string& name) const {
  return library && !own_.contains(name) && !named_own(name) &&
         std::ranges::any_of(pool.ancestors(name), [&](const std::string& one) {
           return library->class_has(Attribute::Outside, dotted(one));
         });
}

bool OwnClasses::outranked(const ClassFile& owner, const Method& method) const {
  if (!given || given->empty() || owner.name == type_.name || named_own(owner.name)) return false;
  const auto signature = parse_signature(method.descriptor);
  const std::string shown = method.name == "<init>" ? "new" : method.name;
  return signature && !given->named(dotted(owner.name) + "." + shown + signature->simple()).empty();
}

/// Names of fields are state or may become it: no local may bear one.
void OwnClasses::reserve_names() {
  for (const ClassFile* one : receivers_[0].chain)
    for (const Field& field : one->fields) reserved_.insert(field.name);
  reserved_.insert({"this", "this$0", "this$1", "this$2", "this$3", "result"});
}

std::string OwnClasses::free_name(const std::set<std::string>& taken,
                                  const std::string& wanted) const {
  if (!taken.contains(wanted)) return wanted;
  for (std::size_t i = 2;; ++i)
    if (const std::string name = fmt::format("{}~{}", wanted, i); !taken.contains(name))
      return name;
}

std::string OwnClasses::class_label(const std::string& internal) {
  if (const auto known = labels_.find(internal); known != labels_.end()) return known->second;
  std::string label = internal[0] == '[' ? class_type(internal).simple() : unpackaged(internal);
  if (!label_names_.insert(label).second) {
    label = dotted(internal);
    label_names_.insert(label);
  }
  return labels_[internal] = label;
}

bool OwnClasses::is_enum(const std::string& name) {
  const ClassFile* file = pool.find(name);
  return file && file->is(access::is_enum) && file->super == "java/lang/Enum";
}

std::vector<std::size_t> OwnClasses::receivers_with(const ClassFile& owner) const {
  std::vector<std::size_t> found;
  for (std::size_t r = 0; r < receivers_.size(); ++r)
    if (std::ranges::find(receivers_[r].chain, &owner) != receivers_[r].chain.end())
      found.push_back(r);
  return found;
}

/// Private and package-private fields are assigned by classes of the package only; the nest is
/// looked at.
bool OwnClasses::assigned(const ClassFile& owner, const Field& field, bool constructors_too) {
  for (const std::string& name : own_) {
    const ClassFile* file = pool.find(name);
    if (!file) continue;
    for (const Method& m : file->methods) {
      if (!m.code || (m.name == "<init>" && file == &owner && !constructors_too)) continue;
      const auto graph = decode(*m.code, source_of(*file));
      if (!graph) return true;
      for (const Instruction& i : graph->instructions) {
        if (i.op != 0xb5) continue;
        const auto target = file->member_at(static_cast<unsigned>(i.operand));
        if (target && target->name == field.name &&
            pool.find_field(target->owner, target->name).field == &field)
          return true;
      }
    }
  }
  return false;
}

void OwnClasses::need_record(const std::string& name) {
  for (const Record& r : module.records)
    if (r.name == name) return;
  module.records.push_back({name, {}});
}

std::string OwnClasses::record_of(const ClassFile& file) {
  std::string name = class_label(file.name);
  if (is_enum(file.name)) name += "~object"; // the plain name is the enumeration
  need_record(name);
  record_class_[name] = &file;
  return name;
}

std::vector<std::string> OwnClasses::record_chain(const std::string& record) {
  std::vector<std::string> names;
  const auto found = record_class_.find(record);
  if (found == record_class_.end()) return names;
  if (auto chain = pool.ancestry(*found->second))
    for (const ClassFile* one : *chain)
      if (const auto label = labels_.find(one->name); label != labels_.end())
        names.push_back(is_enum(one->name) ? label->second + "~object" : label->second);
  return names;
}

/// Whether the class initialiser sets the field once, to an object that it has just made.
bool OwnClasses::set_to_object(const std::string& owner, const std::string& name) {
  const ClassFile* file = pool.find(owner);
  const Field* field = file ? file->find_field(name) : nullptr;
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  if (!field || !(field->flags & access::is_final) || !init || !init->code) return false;
  const auto graph = decode(*init->code, source_of(*file));
  if (!graph) return false;
  std::size_t stores = 0;
  for (const CodeBlock& block : graph->blocks)
    for (std::uint32_t i = block.first; i < block.end; ++i) {
      const Instruction& store = graph->instructions[i];
      if (store.op != 0xb3) continue;
      const auto target = file->member_at(static_cast<unsigned>(store.operand));
      if (!target || target->name != name || target->owner != owner) continue;
      if (++stores > 1 || i == block.first) return false;
      // A constructor leaves the new object below it.
      const Instruction& before = graph->instructions[i - 1];
      const auto made =
          before.op == 0xb7 ? file->member_at(static_cast<unsigned>(before.operand)) : std::nullopt;
      if (!made || made->name != "<init>") return false;
    }
  return stores == 1;
}

std::optional<std::size_t> OwnClasses::outer(std::size_t receiver, const ClassFile& owner,
                                             const Field& field) {
  if (!is_outer_link(field) || discovered.unflattened.contains(owner.name)) return std::nullopt;
  const auto type = parse_type(field.descriptor);
  if (!type || type->letter != 'L') return std::nullopt;
  // A superclass that is nested in the same class has a link of its own to the same object; that
  // this is so is checked where constructors hand it on.
  const std::string key = fmt::format("{} {}", receiver, type->name);
  if (const auto known = outers_.find(key); known != outers_.end()) return known->second;
  const ClassFile* file = pool.find(type->name);
  if (!file) return std::nullopt;
  Receiver made{file, {file}, "", ""};
  if (auto chain = pool.ancestry(*file)) made.chain = *chain;
  std::set<std::string> taken;
  for (const Receiver& r : receivers_) taken.insert(r.name);
  made.name =
      free_name(taken, receiver == 0 ? field.name : receivers_[receiver].name + "." + field.name);
  made.prefix = made.name + ".";
  receivers_.push_back(std::move(made));
  return outers_[key] = receivers_.size() - 1;
}

std::optional<std::size_t> OwnClasses::outer_parameter(std::size_t receiver, const ClassFile& owner,
                                                       const Signature& signature) {
  if (signature.parameters.empty() || signature.parameters[0].letter != 'L') return std::nullopt;
  for (const Field& field : owner.fields)
    if (is_outer_link(field) && field.descriptor == "L" + signature.parameters[0].name + ";")
      return outer(receiver, owner, field);
  return std::nullopt;
}

bool OwnClasses::never_null(std::size_t receiver, const ClassFile& owner,
                            const Field& field) const {
  const HeldField* held = held_field(field);
  if (held && !held->never_null && !held->set_once) return false;
  return receiver == 0 && (held || (field.flags & access::is_final)) &&
         !discovered.nullable.contains(owner.name + " " + field.name);
}

std::optional<std::string> OwnClasses::handled_field(const std::string& owner,
                                                     const std::string& name) {
  const ClassFile* file = pool.find(owner);
  const Method* init = file ? file->find_method("<clinit>", "()V") : nullptr;
  if (!init || !init->code) return std::nullopt;
  const auto graph = decode(*init->code, source_of(*file));
  if (!graph) return std::nullopt;
  std::string last_text, found, handled;
  std::size_t stores = 0;
  bool made = false;
  for (const Instruction& i : graph->instructions) {
    const auto index = static_cast<unsigned>(i.operand);
    if ((i.op == 0x12 || i.op == 0x13) && index < file->pool.size() &&
        file->pool[index].tag == ConstantTag::String) {
      const unsigned text = file->pool[index].first;
      if (text < file->pool.size()) last_text = file->pool[text].text;
    }
    if (i.op == 0xb6 || i.op == 0xb8 || i.op == 0xb9) {
      const auto callee = file->member_at(index);
      made = callee && (callee->name == "findVarHandle" || callee->name == "newUpdater");
      if (made) found = last_text;
    }
    if (i.op != 0xb3) continue;
    const auto target = file->member_at(index);
    if (!target || target->name != name || target->owner != owner) continue;
    ++stores;
    if (!made) return std::nullopt;
    if (!file->find_field(found)) return std::nullopt;
    handled = found;
  }
  if (stores != 1) return std::nullopt;
  return handled;
}

std::string OwnClasses::source_of(const ClassFile& file) {
  if (file.source.empty()) return unpackaged(file.name) + ".class";
  std::string name = file.source;
  for (char& c : name)
    if (c == '"' || c == '\\' || c == '\n') c = '_';
  return name;
}

/// Read from the initialiser: `new E`, name, number, the arguments, the constructor, the field.
std::vector<Integer> OwnClasses::constant_fields(const ClassFile& enumeration, const Field& field) {
  if (!is_enum(enumeration.name) || !(field.flags & access::is_final) ||
      (field.flags & access::is_static))
    return {};
  const Method* init = enumeration.find_method("<clinit>", "()V");
  const auto graph =
      init && init->code ? decode(*init->code, enumeration.name) : Result<CodeGraph>(CodeGraph{});
  if (!graph) return {};
  const auto& list = graph->instructions;
  std::vector<Integer> values;
  std::size_t begun = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto index = static_cast<unsigned>(list[i].operand);
    if (list[i].op == 0xbb) begun = i;
    if (list[i].op != 0xb7) continue;
    const auto made = enumeration.member_at(index);
    if (!made || made->name != "<init>") continue;
    if (made->owner != enumeration.name) return {}; // a constant with a body
    const Method* constructor = enumeration.find_method("<init>", made->descriptor);
    const auto parameter =
        constructor ? parameter_stored(enumeration, *constructor, field) : std::nullopt;
    const auto signature = parse_signature(made->descriptor);
    // new, dup, and one instruction for each argument.
    if (!parameter || !signature || i - begun != signature->parameters.size() + 2) return {};
    const auto value = pushed_number(enumeration, list[begun + 2 + *parameter]);
    if (!value) return {};
    values.push_back(*value);
  }
  const auto constants = std::ranges::count_if(
      enumeration.fields, [](const Field& f) { return (f.flags & access::is_enum) != 0; });
  return values.size() == static_cast<std::size_t>(constants) ? values : std::vector<Integer>{};
}

bool OwnClasses::is_inner(const ClassFile& file) const {
  const std::string outer = "L" + type_.name + ";";
  return is_own(file.name) && !file.is(access::is_public) && receivers_.size() == 1 &&
         file.name != type_.name && file.name.starts_with(type_.name + "$") &&
         std::ranges::any_of(file.fields, [&](const Field& field) {
           return field.name.starts_with("this$") && (field.flags & access::is_synthetic) &&
                  field.descriptor == outer;
         });
}

bool OwnClasses::is_outer_field(const ClassFile& owner, const Field& field) const {
  return field.name.starts_with("this$") && (field.flags & access::is_synthetic) &&
         field.descriptor == "L" + type_.name + ";" && is_inner(owner) &&
         !discovered.other_outers.contains(owner.name) && !discovered.reads_others;
}

const HeldField* OwnClasses::held_field(const Field& field) const {
  if (!discovered.held) return nullptr;
  const auto found = discovered.held->find(&field);
  return found == discovered.held->end() || discovered.leaked.contains(found->second.key())
             ? nullptr
             : &found->second;
}

void OwnClasses::leak(const HeldField& field) {
  if (discovered.leaked.insert(field.key()).second) again = true;
}

bool OwnClasses::is_number_box(const std::string& type) {
  static const std::set<std::string> boxes = {"java/lang/Integer",   "java/lang/Long",
                                              "java/lang/Short",     "java/lang/Byte",
                                              "java/lang/Character", "java/lang/Boolean"};
  return boxes.contains(type);
}

void OwnClasses::makes(const std::string& name) {
  if (discovered.made.insert(name).second && taken_for_unmade_.contains(name)) again = true;
}

bool OwnClasses::is_made(const std::string& name) {
  if (discovered.made.contains(name)) return true;
  const ClassFile* file = pool.find(name);
  const bool by_function = std::ranges::any_of(discovered.functions, [&](const auto& entry) {
    return std::ranges::any_of(
        entry.second, [&](const Discoveries::Function& f) { return f.makes && f.owner == name; });
  });
  if (!file || !enumeration_of(*file).empty() || by_function) return true;
  taken_for_unmade_.insert(name);
  return false;
}

bool OwnClasses::is_receiver_class(const std::set<std::string>& classes) const {
  return std::ranges::all_of(classes, [&](const std::string& one) {
    return std::ranges::any_of(receivers_, [&](const Receiver& r) { return r.type->name == one; });
  });
}

bool OwnClasses::is_open(const std::string& type) {
  const ClassFile* file = pool.find(type);
  if (!file || !is_own(type)) return true;
  const bool partial = file->is(access::is_interface | access::is_abstract);
  if (file->is(access::is_final)) return false;
  if (partial && file->is(access::is_public)) return true;
  assume(fmt::format("no class but those of own code is a {}", dotted(type)));
  return false;
}

bool OwnClasses::never_null(const Discoveries::Function& function) {
  constexpr unsigned returns_reference = 0xb0, calls_exactly = 0xb7, calls_static = 0xb8;
  if (function.makes) return true;
  const auto signature = parse_signature(function.descriptor);
  if (signature && !signature->result.is_reference()) return true; // in a box
  const auto found = pool.find_method(function.owner, function.name, function.descriptor);
  if (!found.method || !found.method->code || !is_own(found.owner->name)) return false;
  const auto graph = decode(*found.method->code, source_of(*found.owner));
  if (!graph) return false;
  for (const auto& block : graph->blocks)
    for (std::size_t k = block.first; k < block.end; ++k) {
      if (graph->instructions[k].op != returns_reference) continue;
      if (k == block.first) return false;
      const Instruction& before = graph->instructions[k - 1];
      if (before.op != calls_exactly && before.op != calls_static) return false;
      const auto callee = found.owner->member_at(static_cast<unsigned>(before.operand));
      const bool boxes = callee && callee->name == "valueOf" && is_number_box(callee->owner);
      if (!callee || !(before.op == calls_exactly ? callee->name == "<init>" : boxes)) return false;
    }
  return true;
}

bool OwnClasses::is_plain_record(const ClassFile& file, int depth) {
  static const std::set<std::string> values = {"java/lang/String",     "java/lang/Character",
                                               "java/lang/Boolean",    "java/util/UUID",
                                               "java/math/BigDecimal", "java/math/BigInteger"};
  constexpr int deepest = 4;
  if (file.super != "java/lang/Record" || depth > deepest) return false;
  return std::ranges::all_of(file.fields, [&](const Field& field) {
    const auto type = parse_type(field.descriptor);
    if (!type || (field.flags & access::is_static) || !type->is_reference())
      return type.has_value();
    if (values.contains(type->name) || is_number_box(type->name) || is_enum(type->name) ||
        type->name.starts_with("java/time/"))
      return true;
    const ClassFile* inside = pool.find(type->name);
    const auto compiled = [&](const char* name, const char* descriptor) {
      const Method* method = inside->find_method(name, descriptor);
      return method && made_by_compiler(*inside, *method);
    };
    return inside && is_plain_record(*inside, depth + 1) && compiled("hashCode", "()I") &&
           compiled("equals", "(Ljava/lang/Object;)Z") &&
           compiled("toString", "()Ljava/lang/String;");
  });
}

std::string OwnClasses::enumeration_of(const ClassFile& file) {
  if (is_enum(file.name)) return file.name;
  return is_enum(file.super) ? file.super : "";
}

bool OwnClasses::returns_exception(const ClassFile& owner, const Method& method) {
  const auto signature = parse_signature(method.descriptor);
  return signature && signature->result.letter == 'L' &&
         pool.is_throwable(signature->result.name) &&
         !discovered.reference_throwables.contains(owner.name + method.name + method.descriptor);
}

} // namespace tacit::java
