#include "frontend/java/default_errors.h"

#include <algorithm>
#include <array>

#include "frontend/java/instructions.h"

namespace tacit::java {

namespace {

constexpr unsigned op_new = 0xbb;

bool is_unchecked(ClassPool& pool, const std::string& name) {
  return pool.is_subtype(name, "java/lang/RuntimeException") ||
         pool.is_subtype(name, "java/lang/Error");
}

} // namespace

std::vector<std::string> default_errors(ClassPool& pool, const std::set<std::string>& own_classes,
                                        const Module& module) {
  std::set<std::string> specs;
  const auto count = [&](const std::string& name) {
    const std::string known = dotted(name);
    if (is_unchecked(pool, name) && module.find_exception(known)) specs.insert("throws:" + known);
  };
  for (const std::string& name : own_classes) {
    const ClassFile* file = pool.find(name);
    if (!file || is_unchecked(pool, name)) continue;
    for (const Method& method : file->methods) {
      if (!method.code) continue;
      const auto graph = decode(*method.code, file->name);
      if (!graph) continue;
      for (const Instruction& i : graph->instructions)
        if (i.op == op_new)
          if (const auto made = file->class_at(static_cast<unsigned>(i.operand))) count(*made);
    }
  }
  for (const Procedure& p : module.procedures) {
    if (p.kind != ProcedureKind::Extern) continue;
    for (const Block& b : p.blocks)
      if (b.end.kind == TerminatorKind::Throw && !b.end.environment && b.end.value &&
          b.end.value->op == Op::EnumConst) {
        std::string name = module.exceptions[static_cast<std::size_t>(b.end.value->number)].name;
        std::ranges::replace(name, '.', '/');
        count(name);
      }
  }
  return {specs.begin(), specs.end()};
}

std::set<std::string> implicit_errors(ClassPool& pool, const std::vector<std::string>& specs) {
  static constexpr std::array<const char*, 6> implicit = {
      "java/lang/NullPointerException",       "java/lang/ArithmeticException",
      "java/lang/ClassCastException",         "java/lang/ArrayIndexOutOfBoundsException",
      "java/lang/NegativeArraySizeException", "java/lang/ArrayStoreException"};
  constexpr std::string_view throws = "throws:";
  std::set<std::string> found;
  for (const std::string& spec : specs) {
    const std::size_t at = spec.find(throws);
    if (at == std::string::npos) continue;
    std::string type = spec.substr(at + throws.size());
    type = type.substr(0, type.find('@'));
    std::ranges::replace(type, '.', '/');
    for (const std::string name : implicit) {
      const auto named = [&](const std::string& above) {
        return above == type || above.ends_with("/" + type);
      };
      if (type == "*" || std::ranges::any_of(pool.ancestors(name), named) || named(name))
        found.insert(name);
    }
  }
  return found;
}

} // namespace tacit::java
