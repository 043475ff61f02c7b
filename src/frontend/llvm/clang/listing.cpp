#include "frontend/llvm/clang/listing.h"

#include <algorithm>
#include <llvm/IR/LLVMContext.h>

#include "frontend/llvm/clang/compile.h"
#include "frontend/llvm/clang/compile_database.h"
#include "frontend/llvm/facts/library.h"

namespace tacit {

HandleTakers count_takers(const llvm::Module& code, const SourceFacts& facts) {
  HandleTakers found;
  for (const llvm::Function& function : code) {
    const auto known = facts.functions.find(function.getName().str());
    if (function.isDeclaration() || known == facts.functions.end()) continue;
    const FunctionFact& fact = known->second;
    if (fact.in_system_header || fact.is_static || fact.name == "main") continue;
    ++found.functions;
    if (fact.parameters.empty() || fact.parameters[0].type.kind != SourceType::Kind::Pointer)
      continue;
    const auto record = facts.records.find(fact.parameters[0].type.name);
    if (record != facts.records.end() && !record->second.fields.empty())
      ++found.takers[fact.parameters[0].type.name];
  }
  return found;
}

Result<UnitListing> list_unit(const std::string& source, const std::vector<std::string>& flags) {
  llvm::LLVMContext context;
  auto library = read_library({});
  if (!library) return std::unexpected(library.error());
  UnitRequest request;
  request.source = source;
  request.list_classes = true;
  request.library = *library;
  const auto command = database_command(source);
  if (!command) return std::unexpected(command.error());
  request.directory = command->directory;
  request.flags = command->flags;
  request.of_project = command->flags.size();
  for (std::string& flag : flags_seen_from(request.directory, flags))
    request.flags.push_back(std::move(flag));
  auto unit = compile_unit(request, context);
  if (!unit) return std::unexpected(unit.error());
  UnitListing listing;
  listing.classes = std::move(unit->classes);
  listing.files = std::move(unit->files);
  std::ranges::sort(listing.files);
  listing.flags = request.flags;
  if (unit->facts.language != "c") return listing;
  const HandleTakers found = count_takers(*unit->module, unit->facts);
  listing.functions = found.functions;
  for (const auto& [name, count] : found.takers) listing.handles.push_back({name, count});
  return listing;
}

} // namespace tacit
