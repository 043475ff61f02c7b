#include "frontend/llvm/prepare/owned_arguments.h"

#include <algorithm>
#include <optional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "frontend/llvm/facts/library.h"

namespace tacit {

namespace {

/// What the pointer leads to, unless the class says itself how that is deleted.
std::optional<std::string> owned_class(const SourceType& type) {
  if (type.kind != SourceType::Kind::Object || !type.name.starts_with("std::unique_ptr<"))
    return std::nullopt;
  const auto arguments = template_arguments(type.name);
  if (arguments.size() != 1 || arguments[0].ends_with("[]")) return std::nullopt;
  return arguments[0];
}

void hold(llvm::Function& function, llvm::Argument& argument) {
  llvm::BasicBlock& first = function.getEntryBlock();
  llvm::IRBuilder<> builder(&first, first.getFirstInsertionPt());
  llvm::AllocaInst* held = builder.CreateAlloca(argument.getType(), nullptr, argument.getName());
  argument.replaceAllUsesWith(held);
  builder.CreateStore(&argument, held);
}

} // namespace

void take_owned_arguments(llvm::Module& code, SourceFacts& facts) {
  std::vector<std::string> roots = facts.methods;
  roots.insert(roots.end(), facts.constructors.begin(), facts.constructors.end());
  for (const std::string& symbol : roots) {
    llvm::Function* function = code.getFunction(symbol);
    const auto fact = facts.functions.find(symbol);
    if (!function || function->isDeclaration() || !function->use_empty() ||
        fact == facts.functions.end())
      continue;
    for (ParameterFact& parameter : fact->second.parameters) {
      const auto owned = owned_class(parameter.type);
      if (!owned || parameter.name.empty()) continue;
      const auto argument =
          std::find_if(function->arg_begin(), function->arg_end(),
                       [&](const llvm::Argument& a) { return a.getName() == parameter.name; });
      if (argument == function->arg_end() || !argument->getType()->isPointerTy()) continue;
      hold(*function, *argument);
      parameter.type = {.kind = SourceType::Kind::Pointer, .bits = 64, .name = *owned};
    }
  }
}

} // namespace tacit
