#include "frontend/java/held.h"

#include <algorithm>
#include <set>

#include "frontend/java/descriptor.h"
#include "frontend/java/instructions.h"

namespace tacit::java {

namespace {

constexpr unsigned null_constant = 0x01, set_field = 0xb5, call_special = 0xb7, call_static = 0xb8,
                   new_object = 0xbb, new_numbers = 0xbc, new_references = 0xbd, check_cast = 0xc0;

/// What is stored by one instruction.
struct Stored {
  bool null = false;
  std::string type; // of a new object
  bool ordered = false;
  bool read_only = false;
  bool copy = false; // of the array that the field holds, if it does
};

std::optional<Stored> stored_by(const ClassFile& file, const CodeGraph& graph, std::uint32_t at,
                                const Contracts& contracts) {
  std::vector<std::string> wrappers; // the outermost first
  while (at > 0 && graph.block_of[at - 1] == graph.block_of[at]) {
    const Instruction& before = graph.instructions[--at];
    if (before.op == null_constant && wrappers.empty()) return Stored{.null = true};
    const auto index = static_cast<unsigned>(before.operand);
    if (before.op == new_numbers || before.op == new_references)
      return wrappers.empty() ? std::optional(Stored{.type = array_type(file, before)})
                              : std::nullopt;
    if (before.op == check_cast && file.class_at(index).value_or("").starts_with("[")) continue;
    if (before.op != call_special && before.op != call_static) return std::nullopt;
    const auto made = file.member_at(static_cast<unsigned>(before.operand));
    if (!made) return std::nullopt;
    if (before.op == call_static && is_wrapper(*made)) {
      wrappers.push_back(made->name);
      continue;
    }
    std::string type = made->owner;
    if (is_longer_copy(*made)) return Stored{.copy = true};
    if (before.op == call_static) type = made_by_factory(*made, contracts);
    if (before.op == call_special && made->name != "<init>") return std::nullopt;
    Stored stored;
    stored.ordered = made->descriptor.find("Ljava/util/Comparator;") != std::string::npos ||
                     made->descriptor.find("Ljava/util/Sorted") != std::string::npos;
    for (const std::string& wrapper : wrappers) stored.read_only |= wrapper.starts_with("unmod");
    std::ranges::reverse(wrappers);
    for (const std::string& wrapper : wrappers) type = wrapped_type(type, wrapper);
    if (type.empty()) return std::nullopt;
    stored.type = type;
    return stored;
  }
  return std::nullopt;
}

bool can_hold(const Field& field) {
  constexpr unsigned excluded = access::is_static | access::is_public | access::is_synthetic;
  const bool nested = field.descriptor.starts_with("[[");
  return !(field.flags & excluded) && !nested &&
         (field.descriptor[0] == 'L' || field.descriptor[0] == '[');
}

/// `K` and `V` of `Ljava/util/Map<LK;LV<...>;>;`.
std::vector<std::string> arguments_of(const std::string& generic) {
  std::vector<std::string> found;
  std::size_t at = generic.find('<');
  if (at == std::string::npos) return found;
  for (++at; at < generic.size() && generic[at] != '>'; ++at) {
    const bool plain = generic[at] == 'L'; // else an array, a wildcard or a type parameter
    at = generic.find_first_not_of("[+-", at);
    if (at == std::string::npos) return {};
    std::string name;
    const bool named = generic[at] == 'L' || generic[at] == 'T';
    for (int depth = 0; named && at < generic.size() && (depth > 0 || generic[at] != ';'); ++at) {
      if (generic[at] == '<') ++depth;
      if (depth == 0) name += generic[at];
      if (generic[at] == '>') --depth;
    }
    found.push_back(plain ? name.substr(1) : "");
  }
  return found;
}

/// Whether code makes objects of its own class: then not every constructor that it calls is
/// `this(...)`.
bool makes(const ClassFile& owner, const CodeGraph& graph) {
  return std::ranges::any_of(graph.instructions, [&](const Instruction& i) {
    return i.op == new_object && owner.class_at(static_cast<unsigned>(i.operand)) == owner.name;
  });
}

/// Whether every constructor sets the field before it branches, or leaves that to another one.
bool always_set(const HeldField& held) {
  for (const Method& method : held.owner->methods) {
    if (method.name != "<init>" || !method.code) continue;
    const auto graph = decode(*method.code, held.owner->name);
    bool set = false;
    for (std::uint32_t i = 0; graph && i < graph->instructions.size(); ++i) {
      const Instruction& one = graph->instructions[i];
      const auto target = one.op == set_field || one.op == call_special
                              ? held.owner->member_at(static_cast<unsigned>(one.operand))
                              : std::nullopt;
      if (!target || target->owner != held.owner->name || graph->block_of[i] != 0) continue;
      set |= one.op == set_field ? target->name == held.field->name
                                 : target->name == "<init>" && !makes(*held.owner, *graph);
    }
    if (!set) return false;
  }
  return true;
}

} // namespace

HeldFields find_held_fields(ClassPool& pool, const std::set<std::string>& own,
                            const Contracts& contracts) {
  HeldFields held;
  std::set<const Field*> others, nullable; // hold something else, or null
  for (const std::string& name : own) {
    const ClassFile* file = pool.find(name);
    if (!file) continue;
    for (const Method& method : file->methods) {
      if (!method.code) continue;
      const auto graph = decode(*method.code, file->name);
      if (!graph) return {};
      for (std::uint32_t i = 0; i < graph->instructions.size(); ++i) {
        if (graph->instructions[i].op != set_field) continue;
        const auto target = file->member_at(static_cast<unsigned>(graph->instructions[i].operand));
        if (!target) return {};
        const auto found = pool.find_field(target->owner, target->name);
        if (!found.field || !own.contains(found.owner->name) || others.contains(found.field))
          continue;
        const auto stored = stored_by(*file, *graph, i, contracts);
        HeldField& one = held[found.field];
        one.owner = found.owner;
        one.field = found.field;
        const bool none = stored && (stored->null || stored->copy);
        const bool same = none || (stored && (one.type.empty() || one.type == stored->type));
        if (!same || !can_hold(*found.field) || (!none && own.contains(stored->type))) {
          others.insert(found.field);
          continue;
        }
        if (stored->null) nullable.insert(found.field);
        if (!none) one.type = stored->type;
        one.ordered |= stored->ordered;
        one.read_only |= stored->read_only;
        if (method.name != "<init>" || file != found.owner) one.reassigned = true;
      }
    }
  }
  for (auto& [field, one] : held) {
    if (one.type.empty() || others.contains(field)) continue;
    const bool array = one.type[0] == '[';
    if (array && one.type != field->descriptor) continue; // it may refuse what is put in
    one.facts = contracts.facts(array ? array_facts : dotted(one.type));
    if (array) {
      const auto element = parse_type(std::string_view(one.type).substr(1));
      one.arguments = {element ? element->name : ""};
    } else {
      one.arguments = arguments_of(field->generic);
    }
    one.never_null = !nullable.contains(field) && always_set(one);
    one.set_once = !nullable.contains(field) && (field->flags & access::is_final) != 0;
  }
  std::erase_if(held, [](const auto& entry) { return !entry.second.facts; });
  return held;
}

bool is_longer_copy(const MemberRef& callee) {
  return callee.owner == "java/util/Arrays" && callee.name == "copyOf";
}

std::string array_type(const ClassFile& file, const Instruction& made) {
  if (made.op == new_numbers) {
    constexpr std::string_view letters = "ZCFDBSIJ"; // from 4 on
    const int at = made.operand - 4;
    return at >= 0 && at < 8 ? std::string("[") + letters[static_cast<std::size_t>(at)] : "";
  }
  const auto name = file.class_at(static_cast<unsigned>(made.operand));
  return !name ? "" : (*name)[0] == '[' ? "[" + *name : "[L" + *name + ";";
}

bool is_wrapper(const MemberRef& callee) {
  return callee.owner == "java/util/Collections" &&
         (callee.name.starts_with("synchronized") || callee.name.starts_with("unmodifiable") ||
          callee.name == "newSetFromMap");
}

std::string wrapped_type(const std::string& type, const std::string& wrapper) {
  if (wrapper != "newSetFromMap") return type;
  if (type == "java/util/HashMap") return "java/util/HashSet";
  if (type == "java/util/LinkedHashMap") return "java/util/LinkedHashSet";
  return type == "java/util/concurrent/ConcurrentHashMap" ? type + "$KeySetView" : "";
}

std::string made_by_factory(const MemberRef& callee, const Contracts& contracts) {
  const auto signature = parse_signature(callee.descriptor);
  if (!signature || signature->result.letter != 'L') return "";
  const std::string& type = signature->result.name;
  const auto found = contracts.named(dotted(type) + "." + callee.name + signature->simple());
  const bool makes = std::ranges::any_of(found, [&](const Contract* one) {
    return one->parameters.size() == signature->parameters.size() + 1 &&
           one->parameters[0].name == "self";
  });
  return makes ? type : "";
}

bool asks_for_element(const MemberRef& callee) {
  static const std::set<std::string> asking = {"contains",    "remove",
                                               "indexOf",     "removeFirstOccurrence",
                                               "lastIndexOf", "removeLastOccurrence"};
  return asking.contains(callee.name) && callee.descriptor.starts_with("(Ljava/lang/Object;)");
}

bool refuses_null(const std::string& type, const std::string& method, std::size_t parameter) {
  const auto in = [&](std::string_view part) { return type.find(part) != std::string::npos; };
  if (in("CopyOnWrite")) return false;
  const bool adds = method.starts_with("add") || method.starts_with("offer") || method == "push";
  if (in("ArrayDeque") || in("PriorityQueue") || in("ConcurrentLinked") || in("LinkedBlocking"))
    return adds;
  if (method == "getOrDefault" && parameter == 1) return false;
  if (in("/concurrent/Concurrent") || type == "java/util/Hashtable") return true;
  if (type == "java/util/EnumSet") return adds;
  if (type == "java/util/EnumMap")
    return parameter == 0 &&
           (method.starts_with("put") || method == "merge" || method == "computeIfAbsent");
  return in("/Tree") && parameter == 0;
}

} // namespace tacit::java
