#include "component/raise_sites.h"

#include <algorithm>

#include "program/graph/constants.h"
#include "program/ir/names.h"

namespace tacit {

std::string line_text(const Location& where) {
  return to_string(Location{where.file, where.line, 0});
}

namespace {

/// Whether calls of it may end in a handler: not where its body, or the lack of clauses, says that
/// it returns.
bool may_throw(const Procedure* callee) {
  if (!callee || callee->kind != ProcedureKind::Extern) return true;
  return !callee->throws.empty() || std::ranges::any_of(callee->blocks, [](const Block& block) {
    return block.end.kind == TerminatorKind::Throw || block.end.kind == TerminatorKind::Call;
  });
}

/// The exceptions that leave at the end of a block. What was made is often held in a variable until
/// temporaries have been destroyed, `throw Refused("no " + name)`, and building these temporaries
/// can fail only by what they call.
std::set<std::string> thrown_at(const Module& module, const Procedure& procedure,
                                const ConstantFinder& constants, BlockId block) {
  const Terminator& end = procedure.blocks[block].end;
  if (end.kind != TerminatorKind::Throw || end.environment || end.value == nullptr) return {};
  const PossibleConstants found = constants.at_end(block, end.value);
  std::set<std::string> names;
  if (!found.other)
    for (const Term one : found.constants)
      names.insert(module.exceptions[static_cast<std::size_t>(one->number)].name);
  return names;
}

/// Without the handlers that no callee gets to.
Procedure with_reached_handlers(const Module& module, Procedure procedure) {
  for (Block& block : procedure.blocks)
    if (block.end.kind == TerminatorKind::Call && !block.end.handlers.empty() &&
        !may_throw(module.find_procedure(block.end.name)))
      block.end.handlers.clear();
  return procedure;
}

} // namespace

RaiseSites::RaiseSites(const Module& module) : module_(module) {
  for (const Procedure& procedure : module.procedures) {
    if (procedure.kind == ProcedureKind::Extern) continue;
    const Procedure body = with_reached_handlers(module, procedure);
    const ConstantFinder constants(*module.arena, body);
    for (BlockId b = 0; b < body.blocks.size(); ++b) {
      const Terminator& end = body.blocks[b].end;
      const std::string line = line_text(end.site());
      if (end.kind == TerminatorKind::Throw || end.kind == TerminatorKind::Error)
        raising_[procedure.name].insert(line);
      exceptions_[line].merge(thrown_at(module, body, constants, b));
      for (const Statement& made : body.blocks[b].statements) add_made(procedure.name, made);
      if (end.kind == TerminatorKind::Call) add_callee(procedure.name, end);
    }
  }
}

/// What is put into the variable of a handler was raised there.
void RaiseSites::add_made(const std::string& procedure, const Statement& made) {
  if (made.kind != StatementKind::Assign || made.target->sort != module_.exception_sort ||
      !is_constant(made.value) || !made.where.known())
    return;
  const std::string line = line_text(made.where);
  exceptions_[line].insert(module_.exceptions[static_cast<std::size_t>(made.value->number)].name);
  raising_[procedure].insert(line);
}

/// What a library function throws because it was misused is raised where it was called.
void RaiseSites::add_callee(const std::string& caller, const Terminator& call) {
  const Procedure* callee = module_.find_procedure(call.name);
  if (!callee || callee->kind != ProcedureKind::Extern) return;
  const std::string line = line_text(call.where);
  const ConstantFinder constants(*module_.arena, *callee);
  for (BlockId b = 0; b < callee->blocks.size(); ++b) {
    std::set<std::string> names = thrown_at(module_, *callee, constants, b);
    if (names.empty()) continue;
    exceptions_[line].merge(names);
    raising_[caller].insert(line);
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
