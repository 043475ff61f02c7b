#include "frontend/java/default_errors.h"

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

} // namespace tacit::java
