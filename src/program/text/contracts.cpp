// Contract files: `extern` items about the callees of a module, read in the module's own scope.
#include <algorithm>

#include "program/text/externs.h"
#include "program/text/print.h"
#include "program/text/read.h"

namespace tacit {

Result<std::size_t> add_contracts(Module& module, std::string_view text, const std::string& file) {
  // The declarations of the module stand before the contracts, so that these can mention them;
  // lines are counted back.
  Module scope = clone(module);
  scope.procedures.clear();
  const std::string header = print_module(scope) + "\n";
  const int lines = static_cast<int>(std::ranges::count(header, '\n'));
  auto read = read_module(header + std::string(text), file, module.arena);
  if (!read) {
    Diagnostic problem = read.error();
    problem.where.line = std::max(1, problem.where.line - lines);
    return std::unexpected(problem);
  }
  std::size_t used = 0;
  for (Procedure& contract : read->procedures) {
    if (contract.kind != ProcedureKind::Extern) {
      Location where = contract.where;
      where.line -= lines;
      return fail(where, "'{}' is not an extern: a contract file holds nothing else",
                  contract.name);
    }
    Procedure* callee = module.find_procedure(contract.name);
    if (!callee || callee->kind != ProcedureKind::Extern || !callee->blocks.empty()) continue;
    if (callee->parameters.size() != contract.parameters.size() ||
        callee->returns.has_value() != contract.returns.has_value()) {
      Location where = contract.where;
      where.line -= lines;
      return fail(
          where,
          "the contract of '{}' does not fit its calls: they have {} arguments and {} result",
          contract.name, callee->parameters.size(), callee->returns ? "a" : "no");
    }
    // What the contract says, of what the callee is.
    if (origin_of(contract) == Origin::Collaborator) contract.origin = Origin::Contract;
    contract.shown = callee->shown;
    contract.object = callee->object;
    contract.made_by = callee->made_by;
    contract.beside = callee->beside;
    *callee = std::move(contract);
    ++used;
  }
  return used;
}

} // namespace tacit
