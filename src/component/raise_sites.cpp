#include "component/raise_sites.h"

#include <algorithm>

#include "program/ir/names.h"

namespace tacit {

std::string line_text(const Location& where) {
  return to_string(Location{where.file, where.line, 0});
}

RaiseSites::RaiseSites(const Module& module) : module_(module) {
  const auto exception = [&](const Terminator& end) -> std::string {
    if (end.kind != TerminatorKind::Throw || end.environment || end.value == nullptr ||
        end.value->op != Op::EnumConst)
      return "";
    return module.exceptions[static_cast<std::size_t>(end.value->number)].name;
  };
  for (const Procedure& procedure : module.procedures) {
    if (procedure.kind == ProcedureKind::Extern) continue;
    for (const Block& block : procedure.blocks) {
      const std::string line = line_text(block.end.where);
      const bool raises =
          block.end.kind == TerminatorKind::Throw || block.end.kind == TerminatorKind::Error;
      if (raises) raising_[procedure.name].insert(line);
      if (const std::string name = exception(block.end); !name.empty())
        exceptions_[line].insert(name);
      if (block.end.kind != TerminatorKind::Call) continue;
      const Procedure* callee = module.find_procedure(block.end.name);
      if (!callee || callee->kind != ProcedureKind::Extern) continue;
      for (const Block& inside : callee->blocks)
        if (const std::string name = exception(inside.end); !name.empty()) {
          exceptions_[line].insert(name);
          raising_[procedure.name].insert(line);
        }
    }
  }
}

std::string RaiseSites::exception_at(const std::string& line) const {
  const auto found = exceptions_.find(line);
  return found == exceptions_.end() || found->second.size() != 1 ? "" : *found->second.begin();
}

bool RaiseSites::leads_to(const std::string& procedure, const std::string& line,
                          std::set<std::string>& seen) const {
  if (const auto lines = raising_.find(procedure);
      lines != raising_.end() && lines->second.contains(line))
    return true;
  if (!seen.insert(procedure).second) return false;
  const Procedure* body = module_.find_procedure(procedure);
  return body && body->kind != ProcedureKind::Extern &&
         std::ranges::any_of(body->blocks, [&](const Block& block) {
           return block.end.kind == TerminatorKind::Call && leads_to(block.end.name, line, seen);
         });
}

RaisedThrough RaiseSites::way_to(const std::string& method, const std::string& line) const {
  const Procedure* body = module_.find_procedure(method);
  const auto own = raising_.find(method);
  if (!body || (own != raising_.end() && own->second.contains(line))) return {};
  std::set<std::string> lines;
  for (const Block& block : body->blocks) {
    std::set<std::string> seen{method};
    if (block.end.kind == TerminatorKind::Call && leads_to(block.end.name, line, seen))
      lines.insert(line_text(block.end.where));
  }
  std::set<std::string> helpers;
  for (const auto& [procedure, raised] : raising_)
    if (raised.contains(line)) helpers.insert(simple_name(bare_name(procedure)));
  if (lines.size() != 1 || helpers.size() != 1 || *lines.begin() == line) return {};
  return {*lines.begin(), *helpers.begin()};
}

} // namespace tacit
