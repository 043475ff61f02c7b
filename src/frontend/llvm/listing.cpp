#include "frontend/llvm/listing.h"

#include <llvm/IR/LLVMContext.h>
#include <map>

#include "frontend/llvm/compile.h"
#include "frontend/llvm/library.h"

namespace tacit {

Result<UnitListing> list_unit(const std::string& source, const std::vector<std::string>& flags) {
  llvm::LLVMContext context;
  auto library = read_library({});
  if (!library) return std::unexpected(library.error());
  UnitRequest request;
  request.source = source;
  request.list_classes = true;
  request.library = *library;
  auto [directory, all] = database_command(source);
  for (std::string& flag : flags_seen_from(directory, flags)) all.push_back(std::move(flag));
  request.directory = std::move(directory);
  request.flags = std::move(all);
  auto unit = compile_unit(request, context);
  if (!unit) return std::unexpected(unit.error());
  UnitListing listing;
  listing.classes = std::move(unit->classes);
  if (unit->facts.language != "c") return listing;
  std::map<std::string, std::size_t> takers;
  for (const llvm::Function& function : *unit->module) {
    const auto known = unit->facts.functions.find(function.getName().str());
    if (function.isDeclaration() || known == unit->facts.functions.end()) continue;
    const FunctionFact& fact = known->second;
    if (fact.in_system_header || fact.is_static || fact.name == "main") continue;
    ++listing.functions;
    if (fact.parameters.empty() || fact.parameters[0].type.kind != SourceType::Kind::Pointer)
      continue;
    const auto record = unit->facts.records.find(fact.parameters[0].type.name);
    if (record != unit->facts.records.end() && !record->second.fields.empty())
      ++takers[fact.parameters[0].type.name];
  }
  for (const auto& [name, count] : takers) listing.handles.push_back({name, count});
  return listing;
}

} // namespace tacit
