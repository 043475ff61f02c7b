#include "frontend/llvm/prepare/void_handles.h"

#include <algorithm>
#include <set>

#include <llvm/IR/Operator.h>

namespace tacit {
namespace {

bool is_untyped(const SourceType& type) {
  return type.kind == SourceType::Kind::Pointer && type.name.empty() && type.pointee_opaque &&
         !type.is_function;
}

/// The structs of the given code that steps from the first parameter go into.
std::set<std::string> seen_as(const llvm::Function& function, const SourceFacts& facts) {
  std::set<std::string> found;
  if (function.arg_empty()) return found;
  for (const llvm::User* user : function.getArg(0)->users()) {
    const auto* step = llvm::dyn_cast<llvm::GEPOperator>(user);
    const auto* structure =
        step ? llvm::dyn_cast<llvm::StructType>(step->getSourceElementType()) : nullptr;
    if (!structure || !structure->hasName()) continue;
    llvm::StringRef name = structure->getName();
    name.consume_front("struct.");
    if (facts.records.contains(name.str())) found.insert(name.str());
  }
  return found;
}

} // namespace

std::string take_void_handles(const llvm::Module& module, SourceFacts& facts,
                              const std::string& handle,
                              const std::vector<std::string>& constructors) {
  if (facts.language != "c") return handle;
  const auto alias = facts.aliases.find(handle);
  const bool is_struct = facts.records.contains(handle) || alias != facts.aliases.end();
  std::string record = facts.records.contains(handle) || !is_struct ? handle : alias->second;
  const auto takes = [&](const FunctionFact& fact) {
    return !fact.is_static && !fact.parameters.empty() && is_untyped(fact.parameters[0].type) &&
           (is_struct || fact.parameters[0].type.alias == handle);
  };
  std::set<std::string> structs;
  for (const auto& [symbol, fact] : facts.functions)
    if (const llvm::Function* function = module.getFunction(symbol); function && takes(fact))
      structs.merge(seen_as(*function, facts));
  if (!is_struct) {
    if (structs.size() != 1) return handle;
    record = *structs.begin();
  }
  for (auto& [symbol, fact] : facts.functions) {
    const llvm::Function* function = module.getFunction(symbol);
    if (!function) continue;
    if (takes(fact) && (!is_struct || seen_as(*function, facts).contains(record)))
      fact.parameters[0].type.name = record;
    if (is_untyped(fact.returns) &&
        (is_struct ? std::ranges::find(constructors, fact.name) != constructors.end()
                   : fact.returns.alias == handle))
      fact.returns.name = record;
  }
  return is_struct ? handle : record;
}

} // namespace tacit
